//! The shapes of bodies and answers: JSON Schema cut down to what the table needs, in a notation that is a fifth of
//! its size. `"str"`, `"int"`, `"time"`, `"bool"` are scalars (`?` behind it: may be null), `[x]` is a list, `{"m": x}` a
//! map, `{"o": {"id": "str", "name?": "str"}}` an object whose `name` may be left out, a number points into the table of
//! shared shapes.

use serde_json::{Map, Value};

/// One shape and what narrows it.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    pub kind: ShapeKind,
    pub nullable: bool,
    pub limits: Option<Box<Limits>>,
}

/// What a value is.
#[derive(Debug, Clone, Default)]
pub enum ShapeKind {
    #[default]
    Any,
    Boolean,
    Integer,
    Number,
    /// A string and its format (`date-time`, `uri`, `binary`), empty for none.
    Text(String),
    /// An object with any properties.
    Free,
    Map(Box<Shape>),
    List(Box<Shape>),
    Object(Fields),
    /// An entry of the table of shared shapes.
    Shared(usize),
}

/// The properties of an object, in the order of the API's description.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    pub fields: Vec<Field>,
    /// Other properties are refused.
    pub closed: bool,
}

/// One property.
#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub required: bool,
    pub shape: Shape,
}

/// Bounds and allowed values.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    pub minimum: Option<f64>,
    pub maximum: Option<f64>,
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    /// Any other value is refused.
    pub values: Vec<Value>,
    /// Values the server is known to use or take, without refusing others in the document.
    pub known: Vec<String>,
}

impl Shape {
    /// Reads the notation described above.
    pub fn parse(value: &Value) -> Result<Self, String> {
        match value {
            Value::String(word) => Self::scalar(word),
            Value::Number(number) => {
                let index = number.as_u64().and_then(|index| usize::try_from(index).ok());
                Ok(Self::of(ShapeKind::Shared(index.ok_or("a shared shape is named by a small number")?)))
            }
            Value::Array(items) => {
                let item = items.first().ok_or("a list has the shape of its items")?;
                Ok(Self::of(ShapeKind::List(Box::new(Self::parse(item)?))))
            }
            Value::Object(map) => Self::composite(map),
            other => Err(format!("no shape: {other}")),
        }
    }

    /// This kind, not narrowed.
    pub const fn of(kind: ShapeKind) -> Self {
        Self { kind, nullable: false, limits: None }
    }

    fn scalar(word: &str) -> Result<Self, String> {
        let (word, nullable) = word.strip_suffix('?').map_or((word, false), |word| (word, true));
        let (kind, format) = word.split_once(':').unwrap_or((word, ""));
        let kind = match kind {
            "any" => ShapeKind::Any,
            "bool" => ShapeKind::Boolean,
            "int" | "integer" => ShapeKind::Integer,
            "number" => ShapeKind::Number,
            "object" => ShapeKind::Free,
            "time" => ShapeKind::Text("date-time".to_owned()),
            "str" | "string" => ShapeKind::Text(format.to_owned()),
            other => return Err(format!("unknown shape `{other}`")),
        };
        Ok(Self { kind, nullable, limits: None })
    }

    fn composite(map: &Map<String, Value>) -> Result<Self, String> {
        let mut shape = if let Some(Value::String(word)) = map.get("t") {
            Self::scalar(word)?
        } else if let Some(item) = map.get("a") {
            Self::of(ShapeKind::List(Box::new(Self::parse(item)?)))
        } else if let Some(value) = map.get("m") {
            Self::of(ShapeKind::Map(Box::new(Self::parse(value)?)))
        } else if let Some(Value::Object(properties)) = map.get("o") {
            let mut fields = Vec::with_capacity(properties.len());
            for (name, value) in properties {
                let (name, required) = name.strip_suffix('?').map_or((name.as_str(), true), |name| (name, false));
                fields.push(Field { name: name.to_owned(), required, shape: Self::parse(value)? });
            }
            Self::of(ShapeKind::Object(Fields { fields, closed: map.contains_key("closed") }))
        } else {
            return Err(format!("no shape among {:?}", map.keys().collect::<Vec<_>>()));
        };
        shape.nullable |= map.contains_key("null");
        shape.limits = limits(map);
        Ok(shape)
    }
}

fn limits(map: &Map<String, Value>) -> Option<Box<Limits>> {
    let number = |key: &str| map.get(key).and_then(Value::as_f64);
    let count = |key: &str| map.get(key).and_then(Value::as_u64);
    let limits = Limits {
        minimum: number("min"),
        maximum: number("max"),
        min_length: count("minlen"),
        max_length: count("maxlen"),
        min_items: count("minitems"),
        max_items: count("maxitems"),
        values: map.get("enum").and_then(Value::as_array).cloned().unwrap_or_default(),
        known: map
            .get("known")
            .and_then(Value::as_array)
            .map(|known| known.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect())
            .unwrap_or_default(),
    };
    let narrowed = map.keys().any(|key| !matches!(key.as_str(), "t" | "a" | "m" | "o" | "rest" | "closed" | "null"));
    narrowed.then(|| Box::new(limits))
}
