//! Credentials: security schemes that travel in a header.

use super::document::Document;
use super::report::Report;
use super::toml::Writer;
use serde_json::{Map, Value};

/// Writes `[[credentials]]`, those that the document asks for first.
pub fn write(document: &Document, out: &mut Writer, report: &mut Report) {
    let none = Map::new();
    let schemes = document.root("components")["securitySchemes"].as_object().unwrap_or(&none);
    let asked = document.root("security").as_array().into_iter().flatten().filter_map(Value::as_object).flat_map(Map::keys);
    let mut names: Vec<&String> = Vec::new();
    for name in asked.chain(schemes.keys()) {
        if !names.contains(&name) && schemes.contains_key(name) {
            names.push(name);
        }
    }
    let mut variables: Vec<String> = Vec::new();
    let mut headers: Vec<(String, &str)> = Vec::new();
    for name in names {
        let Some(scheme) = document.resolve(&schemes[name]) else { continue };
        let Some((variable, header, word)) = credential(name, scheme, report) else { continue };
        // Several schemes may come down to the same header: OAuth, OpenID Connect and Bearer are one here.
        if headers.contains(&(header.clone(), word)) {
            continue;
        }
        let variable = if variables.contains(&variable) { format!("{variable}_{}", variables.len() + 1) } else { variable };
        out.table(&["credentials"], true);
        out.pair("variable", &variable);
        out.pair("header", &header);
        out.pair("scheme", word);
        variables.push(variable);
        headers.push((header, word));
    }
    if variables.is_empty() {
        report
            .simplified("", "it states no credential that a catalog can send; add [[credentials]] to catalog.toml where the API wants one");
    }
}

/// Variable, header, and the word before the value.
fn credential(name: &str, scheme: &Value, report: &mut Report) -> Option<(String, String, &'static str)> {
    let header = || "Authorization".to_owned();
    let word = scheme["scheme"].as_str().unwrap_or_default().to_lowercase();
    match scheme["type"].as_str().unwrap_or_default() {
        "apiKey" if scheme["in"] == "header" => Some(("API_KEY".into(), scheme["name"].as_str()?.to_owned(), "")),
        "http" if word == "bearer" => Some(("TOKEN".into(), header(), "Bearer")),
        "http" if word == "basic" => {
            report.simplified("", format!("the credential {name:?} is HTTP Basic: give the base64 text of user:password"));
            Some(("BASIC".into(), header(), "Basic"))
        }
        "oauth2" | "openIdConnect" => {
            report.simplified("", format!("the credential {name:?} is OAuth: give an access token, none is fetched"));
            Some(("TOKEN".into(), header(), "Bearer"))
        }
        "apiKey" => {
            report.simplified(
                "",
                format!(
                    "the credential {name:?} travels as a {}, which a catalog cannot express; it is never sent",
                    scheme["in"].as_str().unwrap_or("?")
                ),
            );
            None
        }
        other => {
            report.simplified("", format!("the credential {name:?} is of type {other:?} {word}, which a catalog cannot express"));
            None
        }
    }
}
