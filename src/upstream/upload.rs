//! A local file that goes up in parts, in one step: begun, sent part by part, and handed to the action that takes it. What has arrived is
//! not sent again when the step is repeated with the id that its failure names.

use super::{Progress, Run, Upstream, file};
use crate::answer::{Answer, Content};
use crate::call::{Call, Own};
use crate::catalog::Catalog;
use crate::error::{Code, Failure};
use crate::profile::{self, Parts, Step, Upload};
use crate::{request, untrusted};
use serde_json::{Map, Value};
use std::path::Path;

/// A local file where an id is wanted.
struct Local<'a> {
    upload: Upload,
    /// As the caller wrote it, without an id.
    address: &'a str,
    /// The upload that is gone on with.
    id: Option<&'a str>,
}

impl Upstream {
    /// The call with its file sent and the id in its place, and the name of that place; `None`: it names no local file.
    pub(super) async fn upload(
        &self,
        catalog: &Catalog,
        call: &Call,
        progress: Option<&dyn Progress>,
    ) -> Result<Option<(Call, request::Request, &'static str)>, Failure> {
        let Some(upload) = profile::named(&catalog.api().profile).upload(call) else { return Ok(None) };
        let Some(given) = upload.local(call) else { return Ok(None) };
        let (address, id) = match given.rsplit_once('#') {
            // A `#` may be part of a name; then there is such a file.
            Some((address, id)) if file::readable(&self.settings.allow_paths, path(given)).is_err() => (address, Some(id)),
            _ => (given, None),
        };
        let id = self.send_parts(catalog, call, &Local { upload, address, id }, progress).await?;
        let mut call = call.clone();
        call.arguments.insert(upload.argument.into(), id.into());
        let request = request::build(catalog.api(), &call.action, &call.arguments)?;
        Ok(Some((call, request, upload.argument)))
    }

    async fn send_parts(
        &self,
        catalog: &Catalog,
        call: &Call,
        local: &Local<'_>,
        progress: Option<&dyn Progress>,
    ) -> Result<String, Failure> {
        let upload = &local.upload;
        let real = file::readable(&self.settings.allow_paths, path(local.address))?;
        let size = std::fs::metadata(&real).map(|data| data.len()).unwrap_or_default();
        if size == 0 {
            let message = format!("The file {} is empty or cannot be read; nothing was sent.", real.display());
            return Err(Failure::new(Code::InvalidArguments, message).next("Check the path."));
        }
        let name = real.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (action, arguments) = match local.id {
            Some(id) => (upload.step)(call, Step::Look { id }),
            None => (upload.step)(call, Step::Begin { name: &name, size }),
        };
        let answer = self.step(catalog, action, arguments, None).await?;
        let parts = match &answer.body {
            Content::Json(json) => (upload.read)(json),
            _ => None,
        };
        let Some(parts) = parts.filter(|parts| untrusted::is_id(&parts.id)) else {
            return Err(Failure::new(
                Code::UpstreamError,
                format!("`{action}` did not say how the file is to be sent; nothing of it was sent."),
            )
            .next("Send it by the single actions instead."));
        };
        if parts.size != size {
            let message = format!("The upload is of a file of {} bytes, and {} has {size}; nothing was sent.", parts.size, real.display());
            return Err(Failure::new(Code::InvalidArguments, message).next(format!(
                "Give `{}` as `{}` without an id, to begin again.",
                upload.argument,
                untrusted::line(local.address, 300)
            )));
        }
        self.send_missing(catalog, call, local, &parts, progress).await?;
        Ok(parts.id)
    }

    async fn send_missing(
        &self,
        catalog: &Catalog,
        call: &Call,
        local: &Local<'_>,
        parts: &Parts,
        progress: Option<&dyn Progress>,
    ) -> Result<(), Failure> {
        let count = parts.size.div_ceil(parts.part);
        let missing: Vec<u64> = (0..count).filter(|index| !parts.arrived.contains(index)).collect();
        for (sent, index) in missing.iter().enumerate() {
            let there = count - (missing.len() - sent) as u64;
            if let Some(progress) = progress {
                #[expect(clippy::cast_precision_loss, reason = "parts are few")]
                progress.report(there as f64, Some(count as f64), &format!("part {} of {count}", index + 1));
            }
            let slice = (index * parts.part, parts.part);
            let (action, given) = (local.upload.step)(call, Step::Send { id: &parts.id, index: *index, file: local.address });
            if let Err(mut failure) = self.step(catalog, action, given, Some(slice)).await {
                failure.message = format!("Part {} of {count} of the file did not arrive. {}", index + 1, failure.message);
                let go_on = untrusted::line(&format!("{}#{}", local.address, parts.id), 400);
                let step = format!(
                    "Call it again with `{}` as \"{go_on}\": the {there} of {count} parts that are there are not sent again.",
                    local.upload.argument
                );
                failure.next.insert(0, step);
                failure.more.insert("uploadId".into(), parts.id.clone().into());
                return Err(failure);
            }
        }
        Ok(())
    }

    /// One of the single actions, as if it had been called.
    async fn step(
        &self,
        catalog: &Catalog,
        action: &str,
        arguments: Map<String, Value>,
        slice: Option<(u64, u64)>,
    ) -> Result<Answer, Failure> {
        let lost = || Failure::new(Code::Internal, format!("There is no action `{action}`."));
        let number = catalog.number(action).ok_or_else(lost)?;
        let action = catalog.action(number).map_err(|_| lost())?;
        let call = Call { number, action, arguments, as_text: false, beside: Vec::new(), own: Own::default(), notes: Vec::new() };
        let request = request::build(catalog.api(), &call.action, &call.arguments)?;
        let mut run = Run::new(self, catalog, &call, &request)?;
        run.slice = slice;
        Box::pin(run.go(None)).await
    }
}

/// The file has arrived and what was to be done with it has failed: it need not be sent once more.
pub(super) fn arrived(call: &Call, argument: &str, mut failure: Failure) -> Failure {
    if let Some(id) = call.arguments.get(argument).and_then(Value::as_str).filter(|_| failure.status.is_some()) {
        failure.more.insert(argument.into(), id.into());
        failure =
            failure.next(format!("The file has arrived: with `{argument}` as \"{}\" it need not be sent again.", untrusted::line(id, 100)));
    }
    failure
}

fn path(address: &str) -> &Path {
    Path::new(address.strip_prefix("file://").or_else(|| address.strip_prefix("file:")).unwrap_or(address))
}
