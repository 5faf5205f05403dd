//! What a successful status brought: checked against what the catalog promises before anyone takes it for an answer.

use super::exchange::Reply;
use super::{Run, detail};
use crate::answer::{Answer, Content};
use crate::error::{Code, Failure};
use crate::rows::Rows;
use crate::{cost, untrusted};
use callslip_catalog::model::{Method, Shape};
use serde_json::Value;
use std::string::FromUtf8Error;

/// An answer that is here whole.
pub(super) fn answer(run: &Run<'_>, mut reply: Reply) -> Result<Answer, Failure> {
    let shape = run.action().returns.shape;
    let kind = essence(reply.header("content-type"));
    let mut bytes = reply.take_bytes();
    let reply = &reply;
    let done = |body| Ok(Answer { status: reply.status, body, notes: Vec::new() });
    if matches!(reply.status, 204 | 205) || run.action().method == Method::Head {
        return done(Content::Empty);
    }
    if bytes.is_empty() {
        return match shape {
            Shape::List | Shape::Object if reply.status == 200 => Err(unexpected(run, reply, "nothing", "JSON")),
            _ => done(Content::Empty),
        };
    }
    if is_binary(&kind) && shape != Shape::Empty {
        return done(Content::Bytes { kind, data: bytes });
    }
    let mut answer = Answer { status: reply.status, body: Content::Empty, notes: Vec::new() };
    if shape == Shape::List {
        match rows(run, bytes) {
            Ok((rows, failed)) => {
                answer.notes.extend(half_done(failed, rows.len()));
                answer.body = Content::Rows(rows);
                return Ok(answer);
            }
            Err(back) => bytes = back,
        }
    }
    let json = parse(run, reply, &bytes)?;
    answer.notes.extend(check_success(run, reply, &json)?);
    if shape != Shape::Empty || says_something(run, &json) {
        answer.body = Content::Json(without_links(run, json));
    }
    Ok(answer)
}

/// The rows of a list that says it succeeded, and how many of them say they did not; else the bytes are given back.
fn rows(run: &Run<'_>, bytes: Vec<u8>) -> Result<(Rows, usize), Vec<u8>> {
    if !bytes.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|first| matches!(first, b'{' | b'[')) {
        return Err(bytes);
    }
    let envelope = run.api().envelope.as_ref();
    let text = String::from_utf8(bytes).map_err(FromUtf8Error::into_bytes)?;
    let rows = Rows::find(text, envelope.map_or("", |envelope| &*envelope.data)).map_err(String::into_bytes)?;
    let success = envelope.map_or("", |envelope| &*envelope.success);
    if said_no(Some(&rows.around), success) {
        return Err(rows.into_text().into_bytes());
    }
    let failed = rows.iter().filter(|row| !success.is_empty() && row.text(success) == Some("false")).count();
    Ok((rows, failed))
}

/// JSON, or why it is none.
pub(super) fn parse(run: &Run<'_>, reply: &Reply, bytes: &[u8]) -> Result<Value, Failure> {
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if !cost::is_affordable(body) {
        return Err(run.too_much(cost::TOO_MANY).status(reply.status));
    }
    match serde_json::from_slice(body) {
        Ok(json) => Ok(json),
        Err(error) => {
            let text = String::from_utf8_lossy(&body[..body.len().min(4096)]);
            if detail::looks_like_html(&text) {
                return Err(html(run, reply, &text));
            }
            if error.is_eof() {
                return Err(unexpected(run, reply, &format!("JSON that ends too early, after {} bytes", bytes.len()), "whole JSON"));
            }
            if matches!(body.first(), Some(b'{' | b'[')) {
                // Servers that fail while they write append their error to what is out already: its end says most.
                let end = String::from_utf8_lossy(&body[body.len().saturating_sub(120)..]).into_owned();
                let got = format!("JSON that is broken in line {}", error.line());
                return Err(unexpected(run, reply, &got, "whole JSON").said(run.scrub(untrusted::line(&end, 120))));
            }
            Err(unexpected(run, reply, "text that is not JSON", "JSON").said(run.scrub(untrusted::line(&text, 120))))
        }
    }
}

/// An HTML page where data was asked for: nearly always the address of a web page, or a sign-in page in front of the API.
pub(super) fn html(run: &Run<'_>, reply: &Reply, text: &str) -> Failure {
    let api = run.api();
    let variable = super::address::variable(api, "URL");
    let message = format!("The server answered `{}` with HTML instead of JSON ({}).", run.action().id, reply.status);
    let lost = matches!(reply.status, 502 | 504) && run.action().kind != callslip_catalog::model::Kind::Read;
    let failure = if lost {
        run.doubtful(format!("{message} It is not known whether it was done."))
    } else {
        Failure::new(Code::UpstreamError, message)
    };
    failure
        .said(untrusted::line(&detail::text(text), 160))
        .status(reply.status)
        .next(format!(
            "Check that `{variable}` is the address of {} itself and that no sign-in page or proxy stands in front of it.",
            api.title
        ))
        .next("`callslip doctor` shows what answers there.")
}

/// Something else than was promised.
pub(super) fn unexpected(run: &Run<'_>, reply: &Reply, got: &str, wanted: &str) -> Failure {
    let message = format!("The server answered `{}` ({}) with {got} where {wanted} was expected.", run.action().id, reply.status);
    let failure = Failure::new(Code::UpstreamError, message).status(reply.status);
    if run.action().kind == callslip_catalog::model::Kind::Read {
        failure.next("Try again; if it lasts, `callslip doctor` shows what answers there.")
    } else {
        run.follow(failure.next("The change may have been made: look before you try again."))
    }
}

/// The type without its parameters, lower case.
pub(super) fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether a type is JSON.
pub(super) fn is_json(kind: &str) -> bool {
    kind == "application/json" || kind.ends_with("+json")
}

/// Types that are certainly no text.
pub(super) fn is_binary(kind: &str) -> bool {
    ["image/", "audio/", "video/", "font/"].iter().any(|family| kind.starts_with(family))
        || matches!(
            kind,
            "application/octet-stream"
                | "application/zip"
                | "application/gzip"
                | "application/x-gzip"
                | "application/x-tar"
                | "application/pdf"
        )
}

/// A body may say that the call failed although its status says it did not.
pub(super) fn check_success(run: &Run<'_>, reply: &Reply, json: &Value) -> Result<Option<String>, Failure> {
    let Some(envelope) = &run.api().envelope else { return Ok(None) };
    if envelope.success.is_empty() {
        return Ok(None);
    }
    let success = &*envelope.success;
    let data = json.get(&*envelope.data);
    if said_no(Some(json), success) || said_no(data, success) {
        // The API's own code may know what this no means.
        if let Some(failure) = run.profile.review(run.call, json, &mut Vec::new()) {
            return Err(failure.status(reply.status));
        }
        let text = detail::sentence(json).or_else(|| data.and_then(detail::sentence)).unwrap_or_default();
        let text = run.scrub(untrusted::line(text, 400));
        let mut failure =
            Failure::new(Code::UpstreamError, format!("{} reports that `{}` did not succeed.", run.api().title, run.action().id))
                .said(text)
                .status(reply.status)
                .next("`result` holds what it says of each part.");
        failure.more.insert("result".into(), data.filter(|data| !data.is_null()).unwrap_or(json).clone());
        return Err(run.follow(failure));
    }
    let rows = data
        .and_then(Value::as_array)
        .or_else(|| json.as_array())
        .or_else(|| data.and_then(|data| data.get("items")).and_then(Value::as_array));
    let failed = rows.map_or(0, |rows| rows.iter().filter(|row| said_no(Some(row), success)).count());
    Ok(half_done(failed, rows.map_or(0, Vec::len)))
}

fn said_no(value: Option<&Value>, success: &str) -> bool {
    value.and_then(|value| value.get(success)) == Some(&Value::Bool(false))
}

fn half_done(failed: usize, all: usize) -> Option<String> {
    (failed > 0).then(|| format!("{failed} of {all} items report that they did not succeed."))
}

/// Whether the answer of an action that promises none still holds something.
fn says_something(run: &Run<'_>, json: &Value) -> bool {
    let data = run.api().envelope.as_ref().and_then(|envelope| json.get(&*envelope.data)).unwrap_or(json);
    match data {
        Value::Null | Value::Bool(_) => false,
        Value::Object(object) => !object.is_empty() && object.keys().any(|key| key != "success" && key != "$schema"),
        Value::Array(items) => !items.is_empty(),
        Value::String(text) => !text.is_empty(),
        Value::Number(_) => true,
    }
}

/// The answer without the links to its own schema that some frameworks add.
fn without_links(run: &Run<'_>, mut json: Value) -> Value {
    let data = run.api().envelope.as_ref().map(|envelope| envelope.data.as_ref());
    let take = |value: &mut Value| {
        if let Some(object) = value.as_object_mut()
            && object.get("$schema").is_some_and(Value::is_string)
        {
            object.shift_remove("$schema");
        }
    };
    take(&mut json);
    if let Some(inner) = data.and_then(|data| json.get_mut(data)) {
        take(inner);
    }
    json
}
