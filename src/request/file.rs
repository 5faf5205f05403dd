//! A file as a caller gives it: base64 text, a `data:` address, a local path, or an object that says which.

use super::{Part, Source};
use crate::error::{Code, Failure};
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use callslip_catalog::model::Param;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Padding is optional: models often leave it out.
const STANDARD: GeneralPurpose = lenient(&base64::alphabet::STANDARD);
const URL_SAFE: GeneralPurpose = lenient(&base64::alphabet::URL_SAFE);

const fn lenient(alphabet: &base64::alphabet::Alphabet) -> GeneralPurpose {
    GeneralPurpose::new(alphabet, GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent))
}

const HOW: &str = "Give a file as base64 text, as `{\"name\": …, \"content\": <base64>}`, as `{\"name\": …, \"text\": …}`, or as \
    `{\"path\": …}` below a directory the server allows.";

/// The part that carries a file.
pub(super) fn part(param: &Param<'_>, value: &Value) -> Result<Part, Failure> {
    let (file_name, content_type, source) = match value {
        Value::String(text) => from_text(&param.name, text)?,
        Value::Object(object) => from_object(&param.name, object)?,
        _ => return Err(refused(&param.name, "is neither text nor an object")),
    };
    let content_type = content_type.unwrap_or_else(|| "application/octet-stream".to_owned());
    let file_name = Some(file_name.unwrap_or_else(|| param.name.to_string()));
    Ok(Part { name: param.wire.to_string(), file_name, content_type, source })
}

type Parsed = (Option<String>, Option<String>, Source);

fn from_text(name: &str, text: &str) -> Result<Parsed, Failure> {
    if let Some(path) = text.strip_prefix("file://").or_else(|| text.strip_prefix("file:")) {
        return Ok(local(Path::new(path), None, None));
    }
    if let Some((head, data)) = text.strip_prefix("data:").and_then(|rest| rest.split_once(',')) {
        let Some(kind) = head.strip_suffix(";base64") else { return Err(refused(name, "is a `data:` address without base64")) };
        let kind = (!kind.is_empty() && is_content_type(kind)).then(|| kind.to_owned());
        return Ok((None, kind, Source::Bytes(decode(name, data)?)));
    }
    Ok((None, None, Source::Bytes(decode(name, text)?)))
}

fn from_object(name: &str, object: &Map<String, Value>) -> Result<Parsed, Failure> {
    if let Some(unknown) = object.keys().find(|key| !["path", "name", "content", "text", "type"].contains(&key.as_str())) {
        return Err(refused(name, &format!("has an unknown property `{}`", crate::untrusted::line(unknown, 60))));
    }
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    let kind = text("type").filter(|kind| is_content_type(kind)).map(str::to_owned);
    let file_name = text("name").map(base_name);
    match (text("path"), text("content"), text("text")) {
        (Some(path), None, None) => Ok(local(Path::new(path), file_name, kind)),
        (None, Some(content), None) => Ok((file_name, kind, Source::Bytes(decode(name, content)?))),
        (None, None, Some(plain)) => Ok((file_name, kind, Source::Bytes(plain.as_bytes().to_vec()))),
        _ => Err(refused(name, "must have exactly one of `path`, `content` and `text`")),
    }
}

fn local(path: &Path, file_name: Option<String>, kind: Option<String>) -> Parsed {
    let name = file_name.or_else(|| path.file_name().map(|name| name.to_string_lossy().into_owned()));
    (name, kind, Source::File(PathBuf::from(path)))
}

/// The last part of a name: what goes into a `filename` must not be a path.
fn base_name(name: &str) -> String {
    name.rsplit(['/', '\\']).next().unwrap_or(name).chars().filter(|letter| !letter.is_control()).collect()
}

fn is_content_type(text: &str) -> bool {
    text.contains('/') && text.chars().all(|letter| letter.is_ascii_graphic() && letter != ',')
}

fn decode(name: &str, text: &str) -> Result<Vec<u8>, Failure> {
    let compact: String = text.chars().filter(|letter| !letter.is_ascii_whitespace()).collect();
    STANDARD.decode(&compact).or_else(|_| URL_SAFE.decode(&compact)).map_err(|_| refused(name, "is not valid base64"))
}

fn refused(name: &str, problem: &str) -> Failure {
    Failure::new(Code::InvalidArguments, format!("`{name}` {problem}; nothing was sent.")).next(HOW)
}
