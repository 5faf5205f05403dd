//! Answers for everything without state of its own: an example in the operation's shape, with the ids of the path and
//! the values of the body given back, so that what was asked for can be recognised in the answer.

use serde_json::{Map, Value, json};

use crate::{
    binary,
    call::Call,
    example::Example,
    list,
    operation::{Kind, resolve},
    reply::Reply,
    shape::{Fields, Shape, ShapeKind},
};

/// The answer to a call that nothing more special answers.
pub(crate) fn answer(call: &Call) -> Reply {
    let rows = call.rows;
    let status = call.operation.status;
    match call.operation.kind {
        Kind::Binary => binary::answer(call),
        Kind::Text => Reply::bytes(status, "text/plain; charset=utf-8", text(call).into_bytes()),
        Kind::Empty | Kind::Stream | Kind::Socket => Reply::empty(status),
        Kind::Object | Kind::Paginated | Kind::List => match &call.operation.response {
            Some(shape) => {
                let mut value = whole(call, shape, rows);
                if call.switches.schema_link && value.is_object() {
                    value["$schema"] = json!(format!("https://arcane.example.org/api/schemas/{}.json", call.operation.id));
                }
                Reply::json(status, &value)
            }
            None => Reply::data(&json!({})),
        },
    }
}

fn text(call: &Call) -> String {
    if call.operation.id.contains("logs") {
        crate::stream::log_lines(call, 20).join("\n") + "\n"
    } else {
        "vulnerabilityId,pkgName,severity,imageName\nCVE-2025-10000,openssl,CRITICAL,nginx:1.27\nCVE-2025-10037,zlib,HIGH,redis:7\n"
            .to_owned()
    }
}

fn whole(call: &Call, shape: &'static Shape, rows: usize) -> Value {
    let example = Example { operation: call.operation, row: 0 };
    match &resolve(shape).kind {
        ShapeKind::List(item) => {
            let rows = make_rows(call, item, rows);
            if rows.is_empty() { Value::Null } else { Value::Array(rows) }
        }
        ShapeKind::Object(fields) if is_envelope(fields) => envelope(call, fields, rows),
        _ => {
            let mut value = example.value(shape, "");
            echo(call, &mut value);
            value
        }
    }
}

fn is_envelope(fields: &Fields) -> bool {
    let has = |name: &str| fields.fields.iter().any(|field| field.name == name);
    has("data") && (has("success") || has("pagination"))
}

fn envelope(call: &Call, fields: &'static Fields, rows: usize) -> Value {
    let example = Example { operation: call.operation, row: 0 };
    let mut map = Map::new();
    let mut pagination = None;
    for field in &fields.fields {
        let value = match (field.name.as_str(), &resolve(&field.shape).kind) {
            ("success", _) => json!(true),
            ("data", ShapeKind::List(item)) => {
                let rows = make_rows(call, item, rows);
                if call.operation.kind == Kind::Paginated {
                    let page = list::page(call, rows);
                    pagination = Some(page.pagination);
                    page.rows
                } else if rows.is_empty() {
                    Value::Null
                } else {
                    Value::Array(rows)
                }
            }
            ("data", _) => {
                let mut value = example.value(&field.shape, "data");
                if call.operation.activity && value.is_object() {
                    value["activityId"] = json!(crate::identity::uuid(&format!("activity {}", call.operation.id)));
                }
                echo(call, &mut value);
                value
            }
            ("pagination", _) => continue,
            _ if !field.required => continue,
            (name, _) => example.value(&field.shape, name),
        };
        map.insert(field.name.clone(), value);
    }
    if let Some(pagination) = pagination {
        map.insert("pagination".to_owned(), pagination);
    }
    Value::Object(map)
}

fn make_rows(call: &Call, item: &'static Shape, rows: usize) -> Vec<Value> {
    let make = |row| {
        let mut value = Example { operation: call.operation, row }.value(item, "item");
        if let Some(map) = value.as_object_mut() {
            echo_path(call, map);
        }
        value
    };
    (0..rows).map(make).collect()
}

/// Gives back what was asked: the id in the path, and properties of the body that the answer also has.
fn echo(call: &Call, value: &mut Value) {
    let Some(map) = value.as_object_mut() else {
        return;
    };
    echo_path(call, map);
    let last = call.path.last().filter(|(name, _)| call.operation.path.ends_with(&format!("{{{name}}}")));
    if let (Some((_, given)), Some(Value::String(known))) = (last, map.get_mut("id")) {
        known.clone_from(given);
    }
    for (name, given) in call.body.as_object().into_iter().flatten() {
        if let Some(known) = map.get_mut(name)
            && !given.is_object()
            && std::mem::discriminant(known) == std::mem::discriminant(given)
        {
            *known = given.clone();
        }
    }
}

/// Gives back the values of the path under their own names; the bare `id` of an environment is not the row's.
fn echo_path(call: &Call, map: &mut Map<String, Value>) {
    for (name, given) in call.path.iter().filter(|(name, _)| *name != "id") {
        if let Some(Value::String(known)) = map.get_mut(*name) {
            known.clone_from(given);
        }
    }
}
