//! A whole and valid request for an operation, with ids that the small seed knows: what a test over every operation
//! sends.

use serde_json::{Map, Value, json};

use crate::{
    example::Example,
    host, identity,
    operation::{Operation, Place, resolve},
    shape::ShapeKind,
};

/// Text between the parts of a multipart sample.
const BOUNDARY: &str = "sandbox-boundary";

/// A request that succeeds on a fresh sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The HTTP method.
    pub method: &'static str,
    /// The path below `/api`.
    pub path: String,
    /// The values that were put into the path, by placeholder.
    pub values: Vec<(&'static str, String)>,
    /// Required query parameters, not encoded.
    pub query: Vec<(&'static str, String)>,
    /// The content type of the body.
    pub content_type: Option<String>,
    /// The required body.
    pub body: Vec<u8>,
    /// The same as JSON, where it is.
    pub json: Option<Value>,
}

impl Operation {
    /// A request with everything that is required and nothing else.
    pub fn sample(&'static self) -> Sample {
        let mut path = String::new();
        let mut values = Vec::new();
        for segment in self.path.split('/').skip(1) {
            path.push('/');
            match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                Some(name) => {
                    let value = self.path_value(name);
                    path.push_str(&value);
                    values.push((name, value));
                }
                None => path.push_str(segment),
            }
        }
        let mut sample = Sample { method: &self.method, path, values, query: Vec::new(), content_type: None, body: Vec::new(), json: None };
        for parameter in self.parameters.iter().filter(|parameter| parameter.required) {
            if parameter.place == Place::Query {
                sample.query.push((&parameter.name, "https://registry.example.org/templates.json".to_owned()));
            }
        }
        self.fill_body(&mut sample);
        sample
    }

    fn path_value(&self, name: &str) -> String {
        let environment = self.path.starts_with("/environments/{id}");
        match name {
            "id" if matches!(self.id.as_str(), "deleteEnvironment") => host::disabled_id(),
            "id" | "environmentId" if environment || name == "environmentId" => "0".to_owned(),
            // The ones that must not run, or must be stopped.
            "containerId" if self.id == "delete-container" => "backup".to_owned(),
            "containerId" if self.id == "unpause-container" => "staging".to_owned(),
            "containerId" => "web".to_owned(),
            "imageId" | "name" if self.path.contains("/images/") => {
                let reference = if self.id == "remove-image" { "nginx:1.25" } else { "nginx:1.27" };
                identity::sha256(&format!("image {reference}"))
            }
            "volumeName" => if self.writes() { "old-backups" } else { "web-db-data" }.to_owned(),
            "networkId" => match self.id.as_str() {
                "delete-network" | "connect-network-container" => "unused".to_owned(),
                _ => "edge".to_owned(),
            },
            "projectId" => identity::uuid(if self.id == "archive-project" { "project media" } else { "project shop" }),
            "activityId" => identity::uuid("activity 0"),
            "kind" => "image".to_owned(),
            "index" => "0".to_owned(),
            "provider" => "discord".to_owned(),
            "filename" => "icon-192x192.png".to_owned(),
            "fileName" => "ca.crt".to_owned(),
            other => identity::uuid(&format!("{other} 0")),
        }
    }

    fn fill_body(&'static self, sample: &mut Sample) {
        let Some(body) = self.body.as_ref().filter(|body| body.required) else {
            return;
        };
        sample.content_type = Some(body.content_type.clone());
        match body.content_type.as_str() {
            "application/octet-stream" => sample.body = b"chunk".to_vec(),
            "multipart/form-data" => {
                let open = |name: &str| format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"");
                let mut parts = Vec::new();
                for (name, _) in &body.parts {
                    let value = match name.as_str() {
                        "project" => {
                            json!({ "name": "blog", "composeContent": "services:\n  blog:\n    image: ghost:5\n" })
                        }
                        _ if self.id == "create-project" => json!({ "fileChanges": [] }),
                        _ => json!({
                            "fileTreeRevision": "1",
                            "fileChanges": [{ "operation": "create_folder", "relativePath": "new" }]
                        }),
                    };
                    parts.push(format!("{}\r\n\r\n{value}\r\n", open(name)));
                }
                if parts.is_empty() {
                    let head = open("file");
                    parts.push(format!("{head}; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\npng\r\n"));
                }
                let text = format!("{}--{BOUNDARY}--\r\n", parts.concat());
                sample.content_type = Some(format!("multipart/form-data; boundary={BOUNDARY}"));
                sample.body = text.into_bytes();
            }
            kind => {
                let value = self.required_json(&body.shape);
                if kind == "application/json" {
                    sample.body = value.to_string().into_bytes();
                    sample.json = Some(value);
                } else {
                    let pairs = value.as_object().into_iter().flatten();
                    let pairs = pairs.map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or("x").replace(' ', "+")));
                    sample.body = pairs.collect::<Vec<_>>().join("&").into_bytes();
                }
            }
        }
    }

    /// An object with the required properties alone.
    fn required_json(&'static self, shape: &'static crate::shape::Shape) -> Value {
        let shape = resolve(shape);
        let example = Example { operation: self, row: 0 };
        let ShapeKind::Object(fields) = &shape.kind else {
            return example.value(shape, "body");
        };
        let mut map = Map::new();
        for field in fields.fields.iter().filter(|field| field.required) {
            let value = match (field.name.as_str(), self.id.as_str()) {
                ("username", "login") => json!(crate::session::USERNAME),
                ("password", "login" | "password-step-up") | ("currentPassword", _) => json!(crate::session::PASSWORD),
                ("uploadId", _) => json!(identity::uuid("uploadId 1")),
                ("refreshToken", _) => json!("refresh.0"),
                ("containerId", "connect-network-container" | "disconnect-network-container") => {
                    json!("web")
                }
                ("name", "create-container" | "create-network" | "create-volume" | "rename-volume") => json!("fresh"),
                ("newPassword" | "password", _) => json!("Long-enough-1"),
                _ => self.required(&field.shape, &field.name),
            };
            map.insert(field.name.clone(), value);
        }
        // Not required by the schema alone: it is for all environments or names some.
        if self.id == "createVariable" {
            map.insert("allEnvironments".to_owned(), true.into());
        }
        Value::Object(map)
    }

    fn required(&'static self, shape: &'static crate::shape::Shape, name: &str) -> Value {
        let resolved = resolve(shape);
        match &resolved.kind {
            ShapeKind::Object(_) => self.required_json(shape),
            ShapeKind::List(item) => {
                let least = resolved.limits.as_ref().and_then(|limits| limits.min_items).unwrap_or(0);
                if least == 0 { json!([]) } else { json!([self.required(item, name)]) }
            }
            _ => Example { operation: self, row: 0 }.value(shape, name),
        }
    }
}
