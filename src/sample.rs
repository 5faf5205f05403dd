//! Small actions for unit tests, so that they do not depend on the words of a real catalog.

use crate::call::{Call, Own};
use callslip_catalog::model::{
    Action, Api, Auth, BodyType, Condition, Envelope, Field, Fill, Kind, Method, Paging, PagingStyle, Param, Place, Returns, Shape, Since,
    ValueType,
};
use serde_json::Value;

/// An API with an envelope and all three paging styles: 0 offset, 1 page, 2 cursor.
pub fn api() -> Api<'static> {
    let paging =
        |name: &'static str, style, total: &'static str| Paging { name: name.into(), style, limit: "limit".into(), total: total.into() };
    Api {
        name: "sample".into(),
        title: "Sample".into(),
        about: String::new().into(),
        profile: "".into(),
        base_path: "/api".into(),
        version_path: "".into(),
        repeat_arrays: false,
        credentials: Vec::new(),
        envelope: Some(Envelope { data: "data".into(), success: "success".into() }),
        paging: vec![
            paging("offset", PagingStyle::Offset { start: "start".into() }, "pagination.totalItems"),
            paging("page", PagingStyle::Page { page: "page".into() }, "total"),
            paging("cursor", PagingStyle::Cursor { cursor: "cursor".into(), next: "meta.next".into() }, ""),
        ],
        toolsets: Vec::new(),
        domains: Vec::new().into(),
        absent: Vec::new(),
        defaulted: Vec::new(),
    }
}

/// A reading action without parameters that answers with an object.
pub fn action(id: &'static str) -> Action<'static> {
    Action {
        id: id.into(),
        domain: 0,
        title: "Do the thing".into(),
        description: "It does the thing.".into(),
        usage: "".into(),
        kind: Kind::Read,
        idempotent: true,
        destructive_when: Vec::new(),
        method: Method::Get,
        path: "/things".into(),
        operation: id.into(),
        permission: "".into(),
        admin: false,
        auth: Auth::Any,
        since: Since::Unknown,
        edge: true,
        secret_params: false,
        secret_result: false,
        activity: false,
        left_out: false,
        deadline: 0,
        aliases: Vec::new(),
        words: Vec::new(),
        related: Vec::new(),
        body: BodyType::None,
        params: Vec::new(),
        returns: Returns {
            shape: Shape::Object,
            fields: Vec::new(),
            columns: Vec::new(),
            item: "".into(),
            items: "".into(),
            paging: None,
            sort: "".into(),
            order: "".into(),
            bare: false,
            content_type: "".into(),
        },
    }
}

/// What tests vary.
pub trait Build: Sized {
    fn kind(self, kind: Kind) -> Self;
    fn destroys_when(self, param: &'static str, value: &Value) -> Self;
    fn param(self, name: &'static str, place: Place<'static>, required: bool, schema: &Value) -> Self;
    fn filled(self, fill: Fill<'static>) -> Self;
    fn list(self, columns: &[&'static str], fields: &[(&'static str, &'static str)]) -> Self;
    fn paged(self, style: u16) -> Self;
}

impl Build for Action<'static> {
    fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    fn destroys_when(mut self, param: &'static str, value: &Value) -> Self {
        self.destructive_when.push(Condition { param: param.into(), values: vec![value.to_string().into()] });
        self
    }

    fn param(mut self, name: &'static str, place: Place<'static>, required: bool, schema: &Value) -> Self {
        let kind = ValueType::NAMES.iter().find(|(word, _)| schema["type"] == *word).map_or(ValueType::String, |(_, kind)| *kind);
        if place == Place::Path {
            self.path = format!("{}/{{{name}}}", self.path).into();
        }
        self.params.push(Param {
            name: name.into(),
            wire: name.into(),
            place,
            kind,
            required,
            fill: Fill::Nothing,
            secret: false,
            shared: false,
            schema: schema.to_string().into(),
        });
        self
    }

    fn filled(mut self, fill: Fill<'static>) -> Self {
        if let Some(param) = self.params.last_mut() {
            param.fill = fill;
        }
        self
    }

    fn list(mut self, columns: &[&'static str], fields: &[(&'static str, &'static str)]) -> Self {
        self.returns.shape = Shape::List;
        self.returns.columns = columns.iter().map(|name| (*name).into()).collect();
        self.returns.fields = fields.iter().map(|(name, kind)| Field { name: (*name).into(), kind: (*kind).into() }).collect();
        self
    }

    fn paged(mut self, style: u16) -> Self {
        let word = ["start", "page", "cursor"][usize::from(style)];
        let kind = if style == 2 { "string" } else { "integer" };
        self.returns.paging = Some(style);
        self.param(word, Place::Query, false, &serde_json::json!({ "type": kind })).param(
            "limit",
            Place::Query,
            false,
            &serde_json::json!({ "type": "integer" }),
        )
    }
}

/// A call of an action with these arguments.
pub fn call(action: Action<'static>, arguments: &Value) -> Call {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    Call { number: 0, action, arguments, as_text: false, beside: Vec::new(), own: Own::default(), notes: Vec::new() }
}
