//! The useful sentence in the body of a refusal. APIs put it in many places, and what stands in front of them sends HTML or nothing.

use serde_json::Value;

/// Where the sentence stands, best first.
const PLACES: [&str; 9] =
    ["/detail", "/data/error", "/error_description", "/error/message", "/error", "/message", "/data/message", "/status_message", "/title"];

/// The best sentence of a JSON body, as it stands there.
pub(super) fn sentence(json: &Value) -> Option<&str> {
    let found = PLACES.iter().find_map(|place| json.pointer(place)?.as_str().filter(|text| !text.trim().is_empty()));
    found.or_else(|| json.as_str())
}

/// The single problems of a validation error: place and message of each.
pub(super) fn problems(json: &Value) -> Vec<(String, String)> {
    let Some(errors) = json.get("errors").or_else(|| json.pointer("/data/errors")).and_then(Value::as_array) else { return Vec::new() };
    errors
        .iter()
        .filter_map(|error| {
            let text = |key: &str| error.get(key).and_then(Value::as_str);
            let message = text("message").or_else(|| text("detail")).or_else(|| error.as_str())?;
            Some((text("location").or_else(|| text("field")).unwrap_or_default().to_owned(), message.to_owned()))
        })
        .collect()
}

/// The text of a body that is not JSON: of an HTML page only its title.
pub(super) fn text(body: &str) -> String {
    if !looks_like_html(body) {
        return body.to_owned();
    }
    let lower = body.to_ascii_lowercase();
    let title = lower.find("<title").and_then(|start| {
        let from = start + lower[start..].find('>')? + 1;
        let to = from + lower[from..].find("</title")?;
        body.get(from..to)
    });
    title.map_or_else(|| "an HTML page".to_owned(), |title| format!("an HTML page titled {}", title.trim()))
}

/// Whether a body is an HTML page rather than data.
pub(super) fn looks_like_html(body: &str) -> bool {
    let start = body.trim_start_matches('\u{feff}').trim_start();
    start.get(..9).is_some_and(|head| head.eq_ignore_ascii_case("<!doctype"))
        || start.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("<html"))
}
