//! Makes a lifelike value for a shape, the same one every time: from the name of the property, the operation it stands
//! in and the number of the row.

use serde_json::{Map, Value, json};

use crate::{
    identity,
    moment::{START, rfc3339},
    operation::{Operation, resolve},
    shape::{Fields, Shape, ShapeKind},
    words,
};

/// Below this depth what may be left out is left out: a project's services hold all of Compose.
const DEPTH: usize = 5;

/// Where an example stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Example {
    pub operation: &'static Operation,
    pub row: usize,
}

impl Example {
    /// A value of this shape for a property of this name.
    pub fn value(self, shape: &'static Shape, name: &str) -> Value {
        self.make(shape, name, 0)
    }

    fn make(self, shape: &'static Shape, name: &str, depth: usize) -> Value {
        let shape = resolve(shape);
        if let Some(limits) = &shape.limits {
            if !limits.values.is_empty() {
                return limits.values[self.row % limits.values.len()].clone();
            }
            if !limits.known.is_empty() {
                return json!(limits.known[self.row % limits.known.len()]);
            }
        }
        match &shape.kind {
            ShapeKind::Boolean => json!(boolean(name)),
            ShapeKind::Integer => self.integer(shape, name),
            ShapeKind::Number => json!(f64::from(u8::try_from(self.row % 9).unwrap_or(0)) + 0.8),
            ShapeKind::Text(format) => json!(fitted(shape, self.text(format, name))),
            ShapeKind::Any | ShapeKind::Free | ShapeKind::Shared(_) => json!({}),
            ShapeKind::Map(item) => self.map(item, name, depth),
            ShapeKind::List(item) => self.list(shape, item, name, depth),
            ShapeKind::Object(fields) => self.object(fields, depth),
        }
    }

    fn object(self, fields: &'static Fields, depth: usize) -> Value {
        let mut map = Map::new();
        for field in &fields.fields {
            let composite = matches!(
                resolve(&field.shape).kind,
                ShapeKind::Object(_) | ShapeKind::Map(_) | ShapeKind::List(_) | ShapeKind::Free | ShapeKind::Any
            );
            let absent = ["error", "warning", "archivedat", "icon", "statusreason", "lastsyncerror", "lastfetcherror", "activityid"]
                .iter()
                .any(|word| field.name.to_lowercase().starts_with(word));
            if !field.required && (absent || depth >= DEPTH || (composite && depth >= DEPTH - 2)) {
                continue;
            }
            map.insert(field.name.clone(), self.make(&field.shape, &field.name, depth + 1));
        }
        Value::Object(map)
    }

    fn list(self, shape: &Shape, item: &'static Shape, name: &str, depth: usize) -> Value {
        let least = shape.limits.as_ref().and_then(|limits| limits.min_items).unwrap_or(0);
        let least = usize::try_from(least).unwrap_or(0);
        if least == 0 && (depth >= DEPTH || name.to_lowercase().contains("error")) {
            return json!([]);
        }
        let singular = name.strip_suffix('s').unwrap_or(name);
        let count = if depth <= 2 { 2 } else { 1 };
        let items: Vec<Value> =
            (0..count.max(least)).map(|number| Self { row: self.row + number, ..self }.make(item, singular, depth + 1)).collect();
        Value::Array(items)
    }

    fn map(self, item: &'static Shape, name: &str, depth: usize) -> Value {
        if depth >= DEPTH {
            return json!({});
        }
        let key = match name.to_lowercase().as_str() {
            "labels" => "org.example.stack".to_owned(),
            "permissionsbyenv" | "summaries" => "0".to_owned(),
            "data" => "nginx:1.27".to_owned(),
            "environment" | "buildargs" => "TZ".to_owned(),
            other if other.ends_with("ports") => "80/tcp".to_owned(),
            _ => "default".to_owned(),
        };
        json!({ key: self.make(item, name, depth + 1) })
    }

    fn integer(self, shape: &Shape, name: &str) -> Value {
        let row = i64::try_from(self.row).unwrap_or(0);
        let lower = name.to_lowercase();
        let has = |word: &str| lower.contains(word);
        let number = if lower == "created" {
            START - 86_400 * (row + 1)
        } else if has("size") || has("bytes") || has("memory") || has("space") {
            7_340_032 * (row + 1)
        } else if has("port") {
            8_080 + row
        } else if has("progress") || has("percent") {
            100
        } else if has("duration") || has("ms") {
            1_250 + 10 * row
        } else if has("error") || has("failed") || has("failing") {
            0
        } else {
            row + 1
        };
        let limits = shape.limits.as_deref();
        let bound = |limit: Option<f64>| limit.and_then(|limit| format!("{limit:.0}").parse::<i64>().ok());
        let low = limits.and_then(|limits| bound(limits.minimum)).unwrap_or(i64::MIN);
        let high = limits.and_then(|limits| bound(limits.maximum)).unwrap_or(i64::MAX);
        json!(number.max(low).min(high))
    }

    fn text(self, format: &str, name: &str) -> String {
        let row = i64::try_from(self.row).unwrap_or(0);
        match format {
            "date-time" => return rfc3339(START - 3_600 * (row + 1)),
            "uri" => return self.address(),
            "ip" => return format!("172.20.0.{}", row % 250 + 2),
            "base64" | "binary" => return "c2FuZGJveA==".to_owned(),
            _ => {}
        }
        let lower = name.to_lowercase();
        if let Some(word) = words::of(&lower, self.row) {
            return word.to_owned();
        }
        let resource = self.resource();
        match lower.as_str() {
            "environmentid" | "sourceenvironmentid" => "0".to_owned(),
            "environmentname" | "sourceenvironmentname" => "Local Docker".to_owned(),
            "imageid" => identity::sha256(&format!("image {}", self.row)),
            "containerid" | "networkid" | "endpointid" => identity::hex(&format!("{lower} {}", self.row), 64),
            "id" => identity::uuid(&format!("{resource} {}", self.row)),
            "message" => format!("{}: done", self.words()),
            "status" => ["success", "running", "completed"][self.row % 3].to_owned(),
            "state" => "running".to_owned(),
            "severity" if self.operation.path.contains("vulnerab") => ["CRITICAL", "HIGH", "MEDIUM", "LOW"][self.row % 4].to_owned(),
            "severity" => ["info", "success", "warning", "error"][self.row % 4].to_owned(),
            "reference" | "references" | "icon" => self.address(),
            "vulnerabilityid" => format!("CVE-2025-{:05}", 10_000 + self.row * 37),
            "pkgname" => ["openssl", "zlib", "libxml2"][self.row % 3].to_owned(),
            "image" | "imageref" | "imagename" => ["nginx:1.27", "postgres:16", "redis:7"][self.row % 3].to_owned(),
            "type" if self.operation.path.contains("events") => {
                ["container.start", "image.pull", "project.deploy", "user.login"][self.row % 4].to_owned()
            }
            "type" if self.operation.path.contains("settings") => "text".to_owned(),
            "type" => "volume".to_owned(),
            "tag" => "1.27".to_owned(),
            "username" | "displayname" | "startedby" | "requestedby" => person(self.row).to_owned(),
            "email" => format!("{}@example.org", person(self.row)),
            "key" => self.setting(),
            "value" if self.operation.path.contains("variables") => {
                ["Europe/Berlin", "example.org", "mail.example.org", "info", "1000"][self.row % 5].to_owned()
            }
            "value" => "true".to_owned(),
            "name" | "label" | "targetname" | "projectname" | "containername" | "stackname" | "title" | "resourcename" => self.pick(),
            "driver" => "local".to_owned(),
            "branch" | "ref" => "main".to_owned(),
            "color" => "blue".to_owned(),
            "composecontent" => "services:\n  web:\n    image: nginx:1.27\n".to_owned(),
            "envcontent" => "TZ=Europe/Berlin\n".to_owned(),
            "description" => format!("What {} is for", self.pick()),
            "error" | "errormessage" => String::new(),
            _ if lower.ends_with("id") => identity::uuid(&format!("{lower} {}", self.row)),
            _ if lower.ends_with("at") || lower == "lastlogin" || lower.ends_with("time") || lower.ends_with("date") => {
                rfc3339(START - 3_600 * (row + 1))
            }
            _ if lower.contains("digest") => identity::sha256(&format!("digest {}", self.row)),
            _ if lower.contains("commit") || lower.contains("revision") => identity::hex(&format!("commit {}", self.row), 40),
            _ if lower.contains("url") => self.address(),
            _ if lower.contains("version") => "2.14.0".to_owned(),
            _ if lower.contains("path") || lower.contains("dir") => {
                format!("/app/data/{}", self.pick())
            }
            _ if lower.contains("cron") || lower.contains("schedule") => "0 0 3 * * *".to_owned(),
            _ if lower.contains("token") || lower.contains("secret") || lower.contains("password") => {
                identity::hex(&format!("{lower} {}", self.row), 40)
            }
            _ if lower.contains("hostname") => "dock-1".to_owned(),
            _ => spaced(name),
        }
    }

    /// The collection that the operation works on: the last literal word of its path.
    fn resource(self) -> &'static str {
        let place = self.operation.place();
        place.split('/').rfind(|segment| !segment.is_empty() && !segment.starts_with('{')).unwrap_or("things")
    }

    fn pick(self) -> String {
        let place = self.operation.path.as_str();
        let has = |word: &str| place.contains(word);
        let names: &[&str] = if has("users") || has("/auth") {
            &PEOPLE
        } else if has("roles") {
            &["Administrator", "Editor", "Deployer", "Viewer"]
        } else if has("swarm/nodes") {
            &["manager-1", "worker-1", "worker-2"]
        } else if has("registries") {
            &["registry.example.org", "ghcr.io", "docker.io"]
        } else if has("git") {
            &["infrastructure", "homelab", "website"]
        } else if has("job") {
            &["image-polling", "scheduled-prune", "auto-update"]
        } else if has("vulnerabilities") {
            &["nginx:1.27", "postgres:16", "redis:7"]
        } else if has("backups") {
            &["nightly", "weekly", "before-upgrade"]
        } else {
            &["web", "shop", "monitoring", "wiki", "media"]
        };
        let name = names[self.row % names.len()];
        let round = self.row / names.len();
        if round == 0 { name.to_owned() } else { format!("{name}-{}", round + 1) }
    }

    fn setting(self) -> String {
        let keys = if self.operation.path.contains("variables") {
            ["TZ", "DOMAIN", "SMTP_HOST", "LOG_LEVEL", "PUID"]
        } else {
            ["autoUpdate", "pollingEnabled", "pollingInterval", "pruneMode", "projectsDirectory"]
        };
        let round = self.row / keys.len();
        let key = keys[self.row % keys.len()];
        if round == 0 { key.to_owned() } else { format!("{key}{}", round + 1) }
    }

    fn address(self) -> String {
        format!("https://{}.example.org", self.pick().to_lowercase().replace(['.', ':'], "-"))
    }

    /// The operationId as words: `restart-project` and `restartProject` become `Restart project`.
    fn words(self) -> String {
        let words = spaced(&self.operation.id);
        let mut letters = words.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }
}

const PEOPLE: [&str; 5] = ["ada", "grace", "linus", "edsger", "barbara"];

fn person(row: usize) -> &'static str {
    PEOPLE[row % PEOPLE.len()]
}

/// Good news is true, everything else false.
fn boolean(name: &str) -> bool {
    let name = name.to_lowercase();
    let good = ["success", "enabled", "connected", "available", "running", "healthy", "configured", "valid", "online"];
    good.iter().any(|word| name.ends_with(word))
}

/// A text as long as its bounds want it.
fn fitted(shape: &Shape, text: String) -> String {
    let Some(limits) = &shape.limits else {
        return text;
    };
    let length = |bound: Option<u64>| bound.and_then(|bound| usize::try_from(bound).ok());
    let long = match length(limits.min_length) {
        Some(least) if text.len() < least => identity::hex(&text, least),
        _ => text,
    };
    long.chars().take(length(limits.max_length).unwrap_or(usize::MAX)).collect()
}

fn spaced(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    let mut previous_lower = false;
    for letter in name.chars() {
        if letter == '-' || letter == '_' {
            text.push(' ');
        } else {
            if letter.is_uppercase() && previous_lower {
                text.push(' ');
            }
            text.extend(letter.to_lowercase());
        }
        previous_lower = letter.is_lowercase();
    }
    text
}
