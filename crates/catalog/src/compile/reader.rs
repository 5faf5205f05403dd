//! TOML with positions: every key that is read is ticked off, what is left over at the end is a problem, and so is every value of the
//! wrong type. Problems are collected, never returned early, so that one run shows them all.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One thing that is wrong in a catalog source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Path of the file as it was given.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.file, self.line, self.text)
    }
}

/// One source file.
#[derive(Debug)]
pub struct Source {
    /// Path as shown in problems.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// All problems found so far.
#[derive(Debug, Default)]
pub struct Problems(RefCell<BTreeSet<Problem>>);

impl Problems {
    /// Notes a problem at a byte offset of a file.
    pub fn add(&self, source: &Source, at: usize, text: impl Into<String>) {
        let line = source.text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
        self.0.borrow_mut().insert(Problem { file: source.name.clone(), line, text: text.into() });
    }

    /// Every problem, by file and line.
    pub fn into_vec(self) -> Vec<Problem> {
        self.0.into_inner().into_iter().collect()
    }
}

/// A text with the place it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The text.
    pub text: String,
    /// Byte offset in its file.
    pub at: usize,
}

/// A table being read.
pub struct Table<'r> {
    /// The file it stands in.
    pub source: &'r Source,
    /// Where problems go.
    pub problems: &'r Problems,
    /// Byte offset of the table.
    pub at: usize,
    what: String,
    entries: &'r DeTable<'r>,
    seen: RefCell<BTreeSet<&'r str>>,
}

impl<'r> Table<'r> {
    /// The root of a file; syntax errors become problems.
    pub fn root(source: &'r Source, parsed: &'r DeTable<'r>, problems: &'r Problems) -> Self {
        Self { source, problems, at: 0, what: "this file".into(), entries: parsed, seen: RefCell::default() }
    }

    /// Notes a problem at this table.
    pub fn problem(&self, text: impl Into<String>) {
        self.problems.add(self.source, self.at, text);
    }

    /// Notes a problem at a byte offset.
    pub fn problem_at(&self, at: usize, text: impl Into<String>) {
        self.problems.add(self.source, at, text);
    }

    /// What this table states, for messages.
    pub fn what(&self) -> &str {
        &self.what
    }

    fn get(&self, key: &str) -> Option<&'r Spanned<DeValue<'r>>> {
        let (name, value) = self.entries.iter().find(|(name, _)| name.get_ref() == key)?;
        self.seen.borrow_mut().insert(name.get_ref());
        Some(value)
    }

    /// Where the value of a key stands; the table itself when there is none.
    pub fn place(&self, key: &str) -> usize {
        self.entries.iter().find(|(name, _)| name.get_ref() == key).map_or(self.at, |(name, _)| name.span().start)
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, _)| name.get_ref() == key)
    }

    fn wrong(&self, key: &str, value: &Spanned<DeValue<'r>>, wanted: &str) {
        let found = value.get_ref().type_str();
        self.problem_at(value.span().start, format!("`{key}` is {found}; write {wanted}"));
    }

    fn missing(&self, key: &str, hint: &str) {
        self.problem(format!("{} has no `{key}`; {hint}", self.what));
    }

    /// A text, when given.
    pub fn text(&self, key: &str) -> Option<Placed> {
        let value = self.get(key)?;
        if let Some(text) = value.get_ref().as_str() {
            return Some(Placed { text: text.to_owned(), at: value.span().start });
        }
        self.wrong(key, value, "a text in quotes");
        None
    }

    /// A text that must be there.
    pub fn need_text(&self, key: &str, hint: &str) -> String {
        if !self.has(key) {
            self.missing(key, hint);
        }
        self.text(key).map(|placed| placed.text).unwrap_or_default()
    }

    /// A flag, when given.
    pub fn flag(&self, key: &str) -> Option<bool> {
        let value = self.get(key)?;
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong(key, value, "true or false");
        }
        flag
    }

    /// A flag that must be there.
    pub fn need_flag(&self, key: &str, hint: &str) -> bool {
        if !self.has(key) {
            self.missing(key, hint);
        }
        self.flag(key).unwrap_or_default()
    }

    /// A whole number, when given.
    pub fn number(&self, key: &str) -> Option<i64> {
        let value = self.get(key)?;
        let number = value.get_ref().as_integer().and_then(|number| number.as_str().replace('_', "").parse().ok());
        if number.is_none() {
            self.wrong(key, value, "a whole number");
        }
        number
    }

    /// A list of texts; empty when not given.
    pub fn texts(&self, key: &str) -> Vec<Placed> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong(key, value, "a list of texts");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in array {
            match item.get_ref().as_str() {
                Some(text) => texts.push(Placed { text: text.to_owned(), at: item.span().start }),
                None => self.wrong(key, item, "a text in quotes"),
            }
        }
        texts
    }

    /// One of some names, when given.
    pub fn choice<T: Copy>(&self, key: &str, names: &[(&str, T)]) -> Option<T> {
        let found = self.text(key)?;
        let choice = names.iter().find(|(name, _)| *name == found.text).map(|(_, value)| *value);
        if choice.is_none() {
            let list: Vec<_> = names.iter().map(|(name, _)| *name).collect();
            self.problem_at(found.at, format!("`{key}` cannot be {:?}; choose one of {}", found.text, list.join(", ")));
        }
        choice
    }

    /// One of some names that must be there.
    pub fn need_choice<T: Copy>(&self, key: &str, names: &[(&str, T)], hint: &str) -> Option<T> {
        if !self.has(key) {
            self.missing(key, hint);
        }
        self.choice(key, names)
    }

    /// A table below this one, when given.
    pub fn table(&self, key: &str, what: impl Into<String>) -> Option<Self> {
        let value = self.get(key)?;
        if let Some(table) = value.get_ref().as_table() {
            return Some(self.below(table, self.place(key), what));
        }
        self.wrong(key, value, "a table");
        None
    }

    /// A list of tables below this one; empty when not given.
    pub fn tables(&self, key: &str, what: &str) -> Vec<Self> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong(key, value, &format!("tables headed [[{key}]]"));
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in array {
            match item.get_ref().as_table() {
                Some(table) => tables.push(self.below(table, item.span().start, what)),
                None => self.wrong(key, item, "a table"),
            }
        }
        tables
    }

    fn below(&self, table: &'r DeTable<'r>, at: usize, what: impl Into<String>) -> Self {
        Self { source: self.source, problems: self.problems, at, what: what.into(), entries: table, seen: RefCell::default() }
    }

    /// Every key that holds a table and was not read by name: the free names of this table.
    pub fn named_tables(&self, what: impl Fn(&str) -> String) -> Vec<(Placed, Self)> {
        let mut found = Vec::new();
        for (name, value) in self.entries {
            if self.seen.borrow().contains(&**name.get_ref()) {
                continue;
            }
            if let Some(table) = value.get_ref().as_table() {
                self.seen.borrow_mut().insert(name.get_ref());
                let at = name.span().start;
                found.push((Placed { text: name.get_ref().to_string(), at }, self.below(table, at, what(name.get_ref()))));
            }
        }
        found
    }

    /// Every key with its value as JSON: for tables whose keys are free.
    pub fn values(&self) -> Vec<(Placed, serde_json::Value)> {
        let mut found = Vec::new();
        for (name, value) in self.entries {
            self.seen.borrow_mut().insert(name.get_ref());
            found.push((Placed { text: name.get_ref().to_string(), at: name.span().start }, self.json(value)));
        }
        found
    }

    /// A value of any type as JSON, when given.
    pub fn value(&self, key: &str) -> Option<serde_json::Value> {
        self.get(key).map(|value| self.json(value))
    }

    fn json(&self, value: &Spanned<DeValue<'r>>) -> serde_json::Value {
        use serde_json::Value;
        match value.get_ref() {
            DeValue::String(text) => Value::from(text.as_ref()),
            DeValue::Boolean(flag) => Value::from(*flag),
            DeValue::Integer(number) => match number.as_str().replace('_', "").parse::<i64>() {
                Ok(number) => Value::from(number),
                Err(_) => self.not_json(value),
            },
            DeValue::Float(number) => match number.as_str().replace('_', "").parse::<f64>() {
                Ok(number) if number.is_finite() => Value::from(number),
                _ => self.not_json(value),
            },
            DeValue::Datetime(_) => self.not_json(value),
            DeValue::Array(array) => array.iter().map(|item| self.json(item)).collect(),
            DeValue::Table(table) => {
                Value::Object(table.iter().map(|(name, value)| (name.get_ref().to_string(), self.json(value))).collect())
            }
        }
    }

    fn not_json(&self, value: &Spanned<DeValue<'r>>) -> serde_json::Value {
        self.problem_at(value.span().start, "this value has no JSON form; write a text in quotes or a plain decimal number");
        serde_json::Value::Null
    }

    /// Reports every key that nothing has read.
    pub fn finish(&self, known: &[&str]) {
        for (name, _) in self.entries {
            if self.seen.borrow().contains(&**name.get_ref()) {
                continue;
            }
            let hint = match nearest(name.get_ref(), known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", known.join(", ")),
            };
            self.problem_at(name.span().start, format!("{} has an unknown key `{}`; {hint}", self.what, name.get_ref()));
        }
    }
}

/// The known name nearest to a mistaken one, if any is near.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .map(|(_, candidate)| candidate)
}
