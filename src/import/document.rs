//! The document: its text parsed, its references resolved, its general facts.

use super::prose;
use super::report::Report;
use anyhow::{Context, Result, bail};
use serde_json::Value;

/// References that lead to references: more than this is a circle.
const LONGEST_CHAIN: usize = 32;

/// An OpenAPI document.
#[derive(Debug)]
pub struct Document {
    root: Value,
}

impl Document {
    /// Parses JSON or YAML.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim_start_matches('\u{feff}');
        let root: Value = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).context("is not valid JSON")?
        } else {
            serde_saphyr::from_str(text).map_err(|error| anyhow::anyhow!("is not valid YAML: {error}"))?
        };
        if let Some(version) = root["swagger"].as_str() {
            bail!("is Swagger {version}; convert it to OpenAPI 3 first, for example with swagger2openapi");
        }
        match root["openapi"].as_str() {
            Some(version) if version.starts_with("3.") => Ok(Self { root }),
            Some(version) => bail!("is OpenAPI {version}; 3.0 and 3.1 can be imported"),
            None => bail!("is no OpenAPI document: it has no `openapi` with a version"),
        }
    }

    /// A value of the root.
    pub fn root(&self, key: &str) -> &Value {
        &self.root[key]
    }

    /// What a reference within the document leads to.
    pub fn find(&self, reference: &str) -> Option<&Value> {
        let pointer = percent_encoding::percent_decode_str(reference.strip_prefix('#')?).decode_utf8().ok()?;
        self.root.pointer(&pointer)
    }

    /// The value itself, or what its `$ref` leads to; `None`: nothing is there.
    pub fn resolve<'d>(&'d self, value: &'d Value) -> Option<&'d Value> {
        let mut value = value;
        for _ in 0..LONGEST_CHAIN {
            let Some(reference) = value["$ref"].as_str() else { return Some(value) };
            value = self.find(reference)?;
        }
        None
    }

    /// Its title.
    pub fn title(&self) -> &str {
        self.root["info"]["title"].as_str().filter(|title| !title.trim().is_empty()).unwrap_or("API")
    }

    /// One line on what it is about.
    pub fn about(&self) -> String {
        let info = &self.root["info"];
        let text = info["summary"].as_str().or(info["description"].as_str()).unwrap_or_default();
        let line = prose::line(text, 100);
        let line = line.trim_end_matches('.');
        if line.is_empty() { prose::line(self.title(), 100) } else { line.to_owned() }
    }

    /// The address of the first server, its variables at their defaults.
    pub fn server(&self) -> &str {
        self.root["servers"][0]["url"].as_str().unwrap_or_default()
    }

    /// The path of the first server.
    pub fn base_path(&self, report: &mut Report) -> String {
        let server = &self.root["servers"][0];
        let mut url = self.server().to_owned();
        for (name, variable) in server["variables"].as_object().into_iter().flatten() {
            url = url.replace(&format!("{{{name}}}"), variable["default"].as_str().unwrap_or_default());
        }
        let path = path_of(&url);
        let others = self.root["servers"].as_array().map(Vec::as_slice).unwrap_or_default().iter().skip(1);
        if others.filter_map(|other| other["url"].as_str()).any(|other| path_of(other) != path) {
            report.simplified("", format!("servers have several base paths; that of the first is used: {path:?}"));
        }
        path
    }
}

/// The path of an address, without the slash at its end.
fn path_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest.split_once('/').map_or("", |(host, _)| &rest[host.len()..]));
    let path = rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    if path.is_empty() || path.starts_with('/') { path.to_owned() } else { format!("/{path}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_servers() {
        for (url, path) in
            [("https://a.b/v1/", "/v1"), ("https://a.b", ""), ("/api", "/api"), ("v2", "/v2"), ("", ""), ("https://a.b/x?y", "/x")]
        {
            assert_eq!(path_of(url), path, "{url}");
        }
    }

    #[test]
    fn what_is_no_document_is_said() {
        for (text, expected) in [
            ("{", "not valid JSON"),
            ("a: [", "not valid YAML"),
            ("swagger: '2.0'", "convert it"),
            ("openapi: 4.0.0", "3.0 and 3.1"),
            ("{\"a\": 1}", "no OpenAPI document"),
            ("", "no"),
        ] {
            let error = format!("{:#}", Document::parse(text).expect_err(text));
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn references_that_go_round_lead_nowhere() {
        let document =
            Document::parse(r##"{"openapi":"3.0.0","a":{"$ref":"#/b"},"b":{"$ref":"#/a"},"c":{"$ref":"#/d~1e"},"d/e":1}"##).unwrap();
        assert_eq!(document.resolve(document.root("a")), None);
        assert_eq!(document.resolve(document.root("c")), Some(&Value::from(1)));
    }
}
