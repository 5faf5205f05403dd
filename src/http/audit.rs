//! The audit trail: one line of JSON a call, on stderr or in a file. A thread of its own writes, so that a slow disk does not hold up
//! whoever is served; when it cannot keep up, callers wait, since a trail that loses lines is none.

use super::clock;
use crate::watch::Ended;
use anyhow::Context;
use serde_json::{Map, Value};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::SystemTime;

/// Lines that may wait for the disk.
const WAITING: usize = 4096;

/// Where the trail goes.
#[derive(Debug)]
pub struct Trail {
    sender: Mutex<Option<SyncSender<Note>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    /// What was sent is written too.
    pub with_request: bool,
}

enum Note {
    Line(String),
    /// The file may have been moved away: begin it anew.
    Reopen,
}

impl Trail {
    /// Opens the trail; `None`: stderr.
    pub fn open(path: Option<PathBuf>, with_request: bool) -> anyhow::Result<Self> {
        let file = path.as_deref().map(open).transpose()?;
        let (sender, notes) = sync_channel(WAITING);
        let writer = std::thread::Builder::new().name("audit".into()).spawn(move || write(&notes, path.as_deref(), file))?;
        Ok(Self { sender: Mutex::new(Some(sender)), writer: Mutex::new(Some(writer)), with_request })
    }

    /// Writes one call.
    pub fn write(&self, tenant: &str, token: &str, ended: &Ended<'_>) {
        self.send(Note::Line(line(SystemTime::now(), tenant, token, ended)));
    }

    /// Begins the file anew, after it was moved away.
    pub fn reopen(&self) {
        self.send(Note::Reopen);
    }

    /// Waits until everything is written.
    pub fn close(&self) {
        drop(self.sender.lock().unwrap_or_else(PoisonError::into_inner).take());
        if let Some(writer) = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = writer.join();
        }
    }

    fn send(&self, note: Note) {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(sender) = sender {
            let _ = sender.send(note);
        }
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    OpenOptions::new().create(true).append(true).open(path).with_context(|| format!("the audit log {} cannot be written", path.display()))
}

fn write(notes: &Receiver<Note>, path: Option<&Path>, mut file: Option<File>) {
    let mut failing = false;
    while let Ok(note) = notes.recv() {
        let line = match (note, path) {
            (Note::Line(line), _) => line,
            (Note::Reopen, Some(path)) => {
                match open(path) {
                    Ok(opened) => file = Some(opened),
                    Err(error) => eprintln!("callslip: {error:#}"),
                }
                continue;
            }
            (Note::Reopen, None) => continue,
        };
        let written = match &mut file {
            Some(file) => file.write_all(line.as_bytes()),
            None => std::io::stderr().write_all(line.as_bytes()),
        };
        match written {
            Ok(()) => failing = false,
            Err(error) if !failing => {
                failing = true;
                eprintln!("callslip: the audit trail cannot be written: {error}");
            }
            Err(_) => {}
        }
    }
}

fn line(now: SystemTime, tenant: &str, token: &str, ended: &Ended<'_>) -> String {
    let mut line = Map::new();
    line.insert("time".into(), clock::stamp(now).into());
    line.insert("tenant".into(), tenant.into());
    if !token.is_empty() {
        line.insert("token".into(), token.into());
    }
    line.insert("action".into(), ended.action.into());
    if !ended.asked.is_empty() {
        line.insert("asked".into(), ended.asked.into());
    }
    line.insert("kind".into(), ended.kind.map_or(Value::Null, |kind| kind.name().into()));
    line.insert("outcome".into(), ended.outcome.into());
    // Whole microseconds, written as milliseconds: a longer fraction would be noise.
    let millis = f64::from(u32::try_from(ended.took.as_micros()).unwrap_or(u32::MAX)) / 1000.0;
    line.insert("duration_ms".into(), millis.into());
    line.insert("status".into(), ended.status.map_or(Value::Null, Value::from));
    if let Some(request) = &ended.request {
        line.insert("request".into(), request.clone());
    }
    format!("{}\n", Value::Object(line))
}
