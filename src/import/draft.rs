//! One action on its way from the document to the catalog.

use super::returns::Answer;
use super::schema::Portable;
use super::toml::Writer;
use serde_json::Value;

/// Parameters by name, in the order of the document.
pub type Params = Vec<(String, Portable)>;

/// The body of a request.
#[derive(Debug)]
pub struct Body {
    /// `json`, `form`, `multipart` or `bytes`.
    pub kind: &'static str,
    /// Its parameters.
    pub params: Params,
}

/// An action as the document states it.
#[derive(Debug)]
pub struct Draft {
    /// Method and path as in the document, for the report.
    pub at: String,
    /// Tag, or what stands for one.
    pub group: String,
    /// Part of the id before the dot.
    pub domain: String,
    /// Part of the id after the dot.
    pub name: String,
    /// A few words.
    pub title: String,
    /// What it does.
    pub description: String,
    /// Where a caller would go wrong.
    pub usage: &'static str,
    /// `read`, `write`, `paid` or `destructive`.
    pub kind: &'static str,
    /// The same call twice leaves the same state.
    pub idempotent: bool,
    /// HTTP method.
    pub method: &'static str,
    /// Path in our parameter names.
    pub path: String,
    /// operationId, or method and path where it has none of its own.
    pub operation: String,
    /// No credential is needed.
    pub public: bool,
    /// Path, query and header.
    pub params: Params,
    /// The body, when there is one.
    pub body: Option<Body>,
    /// What it answers with.
    pub answer: Answer,
}

impl Draft {
    /// `domain.name`.
    pub fn id(&self) -> String {
        format!("{}.{}", self.domain, self.name)
    }

    /// Its tables.
    pub fn write(&self, out: &mut Writer) {
        out.table(&[&self.name], false);
        out.pair("title", &self.title);
        out.pair("description", &self.description);
        out.pair("usage", self.usage);
        out.pair("kind", self.kind);
        out.value("idempotent", &self.idempotent.into());
        out.pair("request", &format!("{} {}", self.method, self.path));
        out.pair("operation", &self.operation);
        if self.public {
            out.pair("auth", "none");
        }
        if let Some(body) = self.body.as_ref().filter(|body| body.kind != "json") {
            out.pair("body_type", body.kind);
        }
        self.answer.write(&self.name, out);
        if !self.params.is_empty() {
            out.table(&[&self.name, "params"], false);
            write_params(&self.params, out);
        }
        if let Some(body) = &self.body {
            out.table(&[&self.name, "body"], false);
            write_params(&body.params, out);
        }
    }
}

fn write_params(params: &Params, out: &mut Writer) {
    for (name, schema) in params {
        out.value(name, &Value::Object(schema.clone()));
    }
}
