//! The configured address. People paste it with or without `/api`, with a slash, behind a path prefix, as IPv6: all of that works.

use crate::error::{Code, Failure};
use crate::untrusted;
use callslip_catalog::model::Api;
use reqwest::Url;

/// A checked base address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Scheme, host, port and prefix, without the API's base path and without a slash at the end.
    base: String,
    /// Scheme, host and port: what may be shown.
    pub origin: String,
}

impl Address {
    /// The address in `url`.
    pub fn parse(api: &Api<'_>, url: Option<&str>) -> Result<Self, Failure> {
        let variable = variable(api, "URL");
        let refuse = |problem: &str| {
            Failure::new(Code::Unreachable, format!("`{variable}` {problem}.")).next(format!(
                "Set `{variable}` to the address of the server, such as `https://{}.example.com`, then run `callslip doctor`.",
                api.name
            ))
        };
        let text =
            url.map(str::trim).filter(|text| !text.is_empty()).ok_or_else(|| refuse("is not set, so there is no server to send to"))?;
        if !text.contains("://") {
            return Err(refuse("has no scheme: it must begin with `http://` or `https://`"));
        }
        let parsed =
            Url::parse(text).map_err(|error| refuse(&format!("is not an address: {}", untrusted::line(&error.to_string(), 100))))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(refuse("must begin with `http://` or `https://`"));
        }
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err(refuse("holds a user name or password; credentials have their own variables"));
        }
        if parsed.query().is_some() || parsed.fragment().is_some() {
            return Err(refuse("holds a `?` or `#`, which an address of a server has not"));
        }
        let origin = parsed.origin().ascii_serialization();
        let path = parsed.path().trim_end_matches('/');
        let prefix = path.strip_suffix(api.base_path.trim_end_matches('/')).unwrap_or(path).trim_end_matches('/');
        Ok(Self { base: format!("{origin}{prefix}"), origin })
    }

    /// The address of a path that begins with the API's base path.
    pub fn join(&self, path: &str) -> Result<Url, Failure> {
        Url::parse(&format!("{}{path}", self.base))
            .map_err(|error| Failure::new(Code::Internal, format!("The address of the request is not valid: {error}.")))
    }
}

/// Name of an environment variable of this API.
pub fn variable(api: &Api<'_>, name: &str) -> String {
    format!("{}_{name}", api.name.to_uppercase().replace('-', "_"))
}
