//! The body of a request, in each of the encodings a catalog knows.

use super::build::{plain, value};
use super::{Body, Part, Source, file};
use crate::error::Failure;
use callslip_catalog::model::{Action, BodyType, Place, Shape};
use serde_json::{Map, Value};

pub(super) fn build(action: &Action<'_>, arguments: &Map<String, Value>) -> Result<Body, Failure> {
    match action.body {
        BodyType::None => Ok(Body::None),
        BodyType::Json => Ok(json(action, arguments)),
        BodyType::Form => Ok(form(action, arguments)),
        BodyType::Multipart => multipart(action, arguments),
        BodyType::Bytes => bytes(action, arguments),
    }
}

fn json(action: &Action<'_>, arguments: &Map<String, Value>) -> Body {
    if let Some(param) = action.params.iter().find(|param| param.place == Place::Whole) {
        return value(param, arguments).map_or(Body::None, |value| Body::Json(value.into_owned()));
    }
    let mut object = Map::new();
    for param in action.params.iter().filter(|param| param.place == Place::Body) {
        if let Some(value) = value(param, arguments) {
            object.insert(param.wire.to_string(), value.into_owned());
        }
    }
    // An object also when nothing is in it: APIs that demand a body refuse its absence.
    Body::Json(Value::Object(object))
}

fn form(action: &Action<'_>, arguments: &Map<String, Value>) -> Body {
    let mut fields = Vec::new();
    for param in action.params.iter().filter(|param| param.place == Place::Body) {
        match value(param, arguments).as_deref() {
            None | Some(Value::Null) => {}
            Some(Value::Array(items)) => fields.extend(items.iter().map(|item| (param.wire.to_string(), plain(item)))),
            Some(value) => fields.push((param.wire.to_string(), plain(value))),
        }
    }
    Body::Form(fields)
}

fn multipart(action: &Action<'_>, arguments: &Map<String, Value>) -> Result<Body, Failure> {
    let mut documents: Vec<(String, Map<String, Value>)> = Vec::new();
    let mut fields = Vec::new();
    let mut files = Vec::new();
    for param in &action.params {
        let Some(value) = value(param, arguments) else { continue };
        match &param.place {
            Place::JsonPart(name) => {
                let document = documents.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                    documents.push((name.to_string(), Map::new()));
                    documents.len() - 1
                });
                documents[document].1.insert(param.wire.to_string(), value.into_owned());
            }
            Place::TextPart => fields.push(text_part(&param.wire, plain(&value))),
            Place::FilePart => files.push(file::part(param, &value)?),
            Place::FilesPart => match &*value {
                Value::Array(items) => {
                    for item in items {
                        files.push(file::part(param, item)?);
                    }
                }
                single => files.push(file::part(param, single)?),
            },
            _ => {}
        }
    }
    // Documents before files: a server that reads the parts as they come knows what the files are for.
    let mut parts: Vec<_> = documents.into_iter().map(|(name, object)| text_part(&name, Value::Object(object).to_string())).collect();
    parts.append(&mut fields);
    parts.append(&mut files);
    Ok(Body::Multipart(parts))
}

fn text_part(name: &str, text: String) -> Part {
    Part { name: name.to_owned(), file_name: None, content_type: String::new(), source: Source::Bytes(text.into_bytes()) }
}

fn bytes(action: &Action<'_>, arguments: &Map<String, Value>) -> Result<Body, Failure> {
    let whole = action.params.iter().find(|param| matches!(param.place, Place::Whole | Place::Body | Place::FilePart));
    let Some((param, value)) = whole.and_then(|param| Some((param, value(param, arguments)?))) else { return Ok(Body::None) };
    // What is typed into a socket is text; only bodies of plain requests are base64.
    if action.returns.shape == Shape::Socket {
        return Ok(Body::Bytes(Source::Bytes(plain(&value).into_bytes())));
    }
    Ok(Body::Bytes(file::part(param, &value)?.source))
}
