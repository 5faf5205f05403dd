//! Answers that are written to a file as they come: first under a hidden name, then moved to their place when they are whole.

use super::exchange::Reply;
use super::read::{Piece, piece};
use super::{Run, decode, detail, fault};
use crate::answer::{Answer, Content};
use crate::error::{Code, Failure};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
// Written away from this thread: a slow disk must not keep other calls waiting.
use tokio::fs;
use tokio::io::AsyncWriteExt;

/// A file that vanishes unless it is kept.
struct Draft {
    path: PathBuf,
    file: fs::File,
    kept: bool,
}

impl Draft {
    async fn new(target: &Path) -> Result<Self, Failure> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        // `create_new` refuses what is there already, links included.
        for number in 0..100 {
            let path = target.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()));
            match fs::OpenOptions::new().write(true).create_new(true).open(&path).await {
                Ok(file) => return Ok(Self { path, file, kept: false }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(unwritable(target, &error)),
            }
        }
        Err(Failure::new(Code::Internal, "No free name for the file while it is written.").next("Remove leftover `.part` files there."))
    }

    /// Moves the file to its place; unless it may replace what is there, nothing may have appeared meanwhile.
    async fn keep(mut self, target: &Path, overwrite: bool) -> Result<(), Failure> {
        let refused = |error| unwritable(target, &error);
        self.file.flush().await.map_err(refused)?;
        self.file.sync_all().await.map_err(refused)?;
        // A hard link, unlike a rename, fails when the target exists.
        let linked = if overwrite { Err(ErrorKind::Unsupported.into()) } else { fs::hard_link(&self.path, target).await };
        match linked {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(refused(error)),
            // Some file systems have no hard links.
            Err(_) => {
                fs::rename(&self.path, target).await.map_err(refused)?;
                self.kept = true;
            }
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn unwritable(target: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Code::InvalidArguments, format!("{} cannot be written: {error}.", target.display())).next("Choose another `saveTo`.")
}

impl Run<'_> {
    /// Writes the body of an answer to `target`.
    pub(super) async fn save(&self, mut reply: Reply, target: &Path) -> Result<Answer, Failure> {
        let kind = decode::essence(reply.header("content-type"));
        let largest = self.settings().largest_file;
        if reply.length().is_some_and(|length| length > largest) {
            return Err(too_large(largest));
        }
        let Some(mut response) = reply.take_open() else { return self.content(reply).await };
        // What stands in front of a server sends its pages with any type, or with none.
        let is_doubtful = kind.is_empty() || kind == "text/plain";
        let mut draft = Draft::new(target).await?;
        let mut size = 0_u64;
        loop {
            match piece(&mut response, self.settings().read_timeout, self.deadline).await {
                Piece::Some(bytes) => {
                    if size == 0 && is_doubtful {
                        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
                        if detail::looks_like_html(&start) {
                            return Err(decode::html(self, &reply, &start));
                        }
                    }
                    size += bytes.len() as u64;
                    if size > largest {
                        return Err(too_large(largest));
                    }
                    draft.file.write_all(&bytes).await.map_err(|error| unwritable(target, &error))?;
                }
                Piece::End => break,
                Piece::Stalled | Piece::Late => {
                    return Err(self.late("the file began but did not arrive whole, and nothing of it was kept,"));
                }
                Piece::Broken(error) => return Err(fault::reading(self, &error).failure),
            }
        }
        draft.keep(target, self.call.own.overwrite).await?;
        Ok(Answer { status: reply.status, body: Content::Saved { kind, size, path: target.display().to_string() }, notes: Vec::new() })
    }
}

fn too_large(largest: u64) -> Failure {
    Failure::new(Code::InvalidRequest, format!("The file is larger than {} MiB, the most that is written.", largest >> 20))
        .next("Fetch it on the host itself.")
}
