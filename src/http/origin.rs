//! Whose web page speaks, and to which name. A page in a browser can reach a server on the same machine, and a name that it controls can
//! be made to point there: so the `Host` must be one of ours, and an `Origin`, which only browsers send, one that is let in.

use axum::http::{HeaderMap, HeaderValue, Uri, header};
use std::net::IpAddr;

/// Names this server answers to, and pages it lets in.
#[derive(Debug, Clone)]
pub struct Origins {
    hosts: Vec<String>,
    any_host: bool,
    pages: Vec<String>,
}

impl Origins {
    /// `own`: the address listened on; `hosts` and `origins`: what is let in besides.
    pub fn new(own: IpAddr, hosts: &[String], origins: &[String]) -> Self {
        let mut known: Vec<String> = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).to_vec();
        if !own.is_loopback() && !own.is_unspecified() {
            known.push(if own.is_ipv6() { format!("[{own}]") } else { own.to_string() });
        }
        known.extend(hosts.iter().cloned());
        Self { any_host: known.iter().any(|host| host == "*"), hosts: known, pages: origins.to_vec() }
    }

    /// Refuses a request that is not for us or comes from a page that is not let in.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), String> {
        let host = host(uri, headers).ok_or("The request names no host.")?;
        let name = without_port(host).to_lowercase();
        let known = |wanted: &String| *wanted == name || *wanted == host.to_lowercase();
        if !self.any_host && !self.hosts.iter().any(known) {
            return Err("This server does not answer to that host name. If it should, start it with --allow-host NAME.".into());
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let allowed = origin.to_str().is_ok_and(|origin| self.own_page(origin, host) || self.lets_in(origin));
        if allowed {
            Ok(())
        } else {
            Err("Web pages of that origin are not let in. If they should be, start it with --allow-origin ORIGIN.".into())
        }
    }

    /// The origin is the very host and port that the request is for.
    fn own_page(&self, origin: &str, host: &str) -> bool {
        let same =
            origin.split_once("://").is_some_and(|(scheme, rest)| matches!(scheme, "http" | "https") && rest.eq_ignore_ascii_case(host));
        same && !self.any_host
    }

    fn lets_in(&self, origin: &str) -> bool {
        self.pages.iter().any(|known| known.eq_ignore_ascii_case(origin))
    }

    /// What a page that is let in has to be told; nothing for all others.
    pub fn share(&self, origin: Option<&HeaderValue>, headers: &mut HeaderMap) {
        let Some(origin) = origin.filter(|origin| origin.to_str().is_ok_and(|text| self.lets_in(text))) else { return };
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }

    /// The answer to a page that asks whether it may send a request.
    pub fn preflight(&self, origin: Option<&HeaderValue>, headers: &mut HeaderMap) {
        self.share(origin, headers);
        if headers.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN) {
            let words = "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-API-Key, \
                         X-Callslip-Surface, X-Callslip-Toolsets, X-Callslip-Only, X-Callslip-Readonly";
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(words));
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
        }
    }
}

/// The one host of a request: of its address on HTTP/2, else of its header, which must stand once.
fn host<'r>(uri: &'r Uri, headers: &'r HeaderMap) -> Option<&'r str> {
    if let Some(authority) = uri.authority() {
        return Some(authority.as_str());
    }
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(host)
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|letter| letter.is_ascii_digit()) && (!name.contains(':') || name.ends_with(']')) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(origins: &Origins, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert("host", host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert("origin", origin.parse().unwrap());
        }
        origins.check(&"/mcp".parse().unwrap(), &headers).is_ok()
    }

    #[test]
    fn only_its_own_names_reach_it() {
        let origins = Origins::new("127.0.0.1".parse().unwrap(), &["mcp.example.com".into()], &[]);
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:8080", "mcp.example.com", "mcp.example.com:443"] {
            assert!(check(&origins, host, None), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example:8080", "127.0.0.1.evil.example", "evil.example:localhost", "0.0.0.0"] {
            assert!(!check(&origins, host, None), "{host}");
        }
        assert!(check(&Origins::new("127.0.0.1".parse().unwrap(), &["*".into()], &[]), "evil.example", None));
    }

    #[test]
    fn only_known_pages_are_let_in() {
        let origins = Origins::new("127.0.0.1".parse().unwrap(), &[], &["https://app.example.com".into()]);
        assert!(check(&origins, "localhost:8080", Some("https://app.example.com")));
        assert!(check(&origins, "localhost:8080", Some("http://localhost:8080")), "its own page");
        for origin in
            ["null", "http://localhost:9999", "http://app.example.com", "https://app.example.com.evil.example", "https://evil.example"]
        {
            assert!(!check(&origins, "localhost:8080", Some(origin)), "{origin}");
        }
    }
}
