//! Our request as the client's request: address, query, headers, one credential, body.

use super::{Run, file};
use crate::error::{Code, Failure};
use crate::request::{Body, Part, Request, Source};
use callslip_catalog::model::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::multipart;
use secrecy::ExposeSecret;
use std::io::{Seek, SeekFrom};

/// How much of a local file is read at once: each piece is one turn of another thread.
const PIECE: usize = 256 << 10;

impl Run<'_> {
    /// The request, ready to be sent with `client`.
    pub(super) fn prepare(&self, client: &reqwest::Client, request: &Request) -> Result<reqwest::RequestBuilder, Failure> {
        let mut url = self.address.join(&request.path)?;
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.query);
        }
        let builder = client.request(method(request.method), url).headers(self.headers(request)?);
        match &request.body {
            // What is typed into a socket is not a body.
            _ if !self.socket_key.is_empty() => Ok(builder
                .header("connection", "Upgrade")
                .header("upgrade", "websocket")
                .header("sec-websocket-version", "13")
                .header("sec-websocket-key", &self.socket_key)),
            Body::None => Ok(builder),
            Body::Json(value) => Ok(builder.json(value)),
            Body::Form(fields) => Ok(builder.form(fields)),
            Body::Multipart(parts) => {
                let mut form = multipart::Form::new();
                for part in parts {
                    form = form.part(part.name.clone(), self.part(part)?);
                }
                Ok(builder.multipart(form))
            }
            Body::Bytes(source) => {
                let (body, length) = self.source(source)?;
                Ok(builder.header("content-type", "application/octet-stream").header("content-length", length).body(body))
            }
        }
    }

    fn headers(&self, request: &Request) -> Result<HeaderMap, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert("accept", HeaderValue::from_static("application/json, application/problem+json;q=0.9, */*;q=0.5"));
        for (name, value) in &request.headers {
            insert(&mut headers, name, value, false)?;
        }
        if let Some(credential) = &self.credential {
            insert(&mut headers, &credential.header, credential.value.expose_secret(), true)?;
        }
        Ok(headers)
    }

    fn part(&self, part: &Part) -> Result<multipart::Part, Failure> {
        let (body, length) = self.source(&part.source)?;
        let mut made = multipart::Part::stream_with_length(body, length);
        if let Some(name) = &part.file_name {
            made = made.file_name(name.clone());
        }
        if part.content_type.is_empty() {
            return Ok(made);
        }
        made.mime_str(&part.content_type)
            .map_err(|_| Failure::new(Code::InvalidArguments, format!("The content type of `{}` is not one.", part.name)))
    }

    fn source(&self, source: &Source) -> Result<(reqwest::Body, u64), Failure> {
        match source {
            Source::Bytes(bytes) => Ok((bytes.clone().into(), bytes.len() as u64)),
            Source::File(path) => {
                let path = file::readable(&self.settings().allow_paths, path)?;
                let unreadable = |error: std::io::Error| {
                    Failure::new(Code::InvalidArguments, format!("The file {} cannot be read: {error}.", path.display()))
                        .next("Check the path.")
                };
                let mut file = std::fs::File::open(&path).map_err(unreadable)?;
                let size = file.metadata().map_err(unreadable)?.len();
                let (start, most) = self.slice.unwrap_or((0, u64::MAX));
                if start > 0 && start >= size {
                    let message = format!("The file {} has {size} bytes, so it has no part that begins at byte {start}.", path.display());
                    return Err(Failure::new(Code::InvalidArguments, message).next("Number the parts from 0."));
                }
                let length = most.min(size - start);
                file.seek(SeekFrom::Start(start)).map_err(unreadable)?;
                // No more than was announced, should the file grow while it is sent.
                let reader = tokio::io::AsyncReadExt::take(tokio::fs::File::from_std(file), length);
                Ok((reqwest::Body::wrap_stream(tokio_util::io::ReaderStream::with_capacity(reader, PIECE)), length))
            }
        }
    }
}

fn insert(headers: &mut HeaderMap, name: &str, value: &str, secret: bool) -> Result<(), Failure> {
    let parsed = HeaderName::from_bytes(name.as_bytes()).ok().zip(HeaderValue::from_str(value).ok());
    let Some((name, mut value)) = parsed else {
        let what = if secret { "The configured credential" } else { "A value sent as a header" };
        return Err(Failure::new(Code::InvalidArguments, format!("{what} has characters that a header cannot hold.")));
    };
    value.set_sensitive(secret);
    headers.insert(name, value);
    Ok(())
}

fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Head => reqwest::Method::HEAD,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Patch => reqwest::Method::PATCH,
        Method::Delete => reqwest::Method::DELETE,
    }
}
