//! One hit, written as JSON without being built as a value first: schemas lie compiled as JSON, and to take them apart and put them
//! together again took ten times as long as the search.

use crate::app::App;
use callslip_catalog::model::{Action, Kind};
use callslip_catalog::project::param_line;
use callslip_catalog::schema::input_schema;
use serde::Serialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// What a caller needs to choose an action and to call it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hit<'a> {
    /// Name on the surface that asked.
    pub id: Cow<'a, str>,
    title: &'a str,
    description: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    usage: &'a str,
    required: Vec<&'a str>,
    mutating: bool,
    destructive: bool,
    /// Related actions that are offered, named likewise.
    pub related: Vec<Cow<'a, str>>,
    schema_uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Vec<String>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    schema_shortened: bool,
}

impl<'a> Hit<'a> {
    /// `whole`: with the whole schema instead of one line a parameter. `tool_names`: names as on `individual`.
    pub fn new(app: &App, action: &'a Action<'_>, tool_names: bool, whole: bool) -> Self {
        let api = &app.api().name;
        let offered = |id: &str| app.catalog.number(id).is_some_and(|number| app.offer.has(number));
        let related = action.related.iter().filter(|id| offered(id));
        let schema = if whole { RawValue::from_string(input_schema(action, false)).ok() } else { None };
        Self {
            id: if tool_names { action.tool_name(api).into() } else { Cow::Borrowed(&*action.id) },
            title: &action.title,
            description: &action.description,
            usage: &action.usage,
            required: action.params.iter().filter(|param| param.required).map(|param| &*param.name).collect(),
            mutating: action.kind != Kind::Read,
            destructive: action.may_destroy(),
            related: related
                .map(|id| if tool_names { Cow::Owned(format!("{api}_{}", id.replace('.', "_"))) } else { Cow::Borrowed(&**id) })
                .collect(),
            schema_uri: format!("{api}://tools/{}", action.id),
            params: schema.is_none().then(|| lines(action)),
            input_schema: schema,
            schema_shortened: false,
        }
    }

    /// The whole schema, where it has one.
    pub fn schema(&self) -> Option<&str> {
        self.input_schema.as_deref().map(RawValue::get)
    }

    /// Bytes it takes, about.
    pub fn size(&self) -> usize {
        let texts = self.title.len() + self.description.len() + self.usage.len() + self.schema_uri.len();
        let names =
            self.required.iter().map(|name| name.len() + 3).sum::<usize>() + self.related.iter().map(|id| id.len() + 3).sum::<usize>();
        let params = self.params.iter().flatten().map(|line| line.len() + 3).sum::<usize>();
        // The keys, and the two flags.
        150 + self.id.len() + texts + names + params + self.schema().map_or(0, str::len)
    }

    /// Gives the schema up for one line a parameter.
    pub fn shorten(&mut self, action: &Action<'_>) {
        self.input_schema = None;
        self.params = Some(lines(action));
        self.schema_shortened = true;
    }
}

fn lines(action: &Action<'_>) -> Vec<String> {
    action.params.iter().filter(|param| !param.shared).map(param_line).collect()
}
