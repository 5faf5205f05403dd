//! Reads `multipart/form-data` from bytes already received, since the log wants them whole anyway.

/// One part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub name: String,
    pub filename: Option<String>,
    pub content_type: Option<String>,
    pub bytes: Vec<u8>,
}

/// The parts, or what is wrong with the body.
pub(crate) fn parse(content_type: &str, body: &[u8]) -> Result<Vec<Part>, &'static str> {
    let boundary = parameter(content_type, "boundary").filter(|boundary| !boundary.is_empty()).ok_or("no boundary")?;
    let marker = format!("--{boundary}");
    let mut parts = Vec::new();
    let mut rest = body.get(find(body, marker.as_bytes()).ok_or("no opening boundary")?..).unwrap_or_default();
    loop {
        rest = rest.get(marker.len()..).unwrap_or_default();
        if rest.starts_with(b"--") {
            return Ok(parts);
        }
        rest = rest.strip_prefix(b"\r\n").ok_or("no line end after a boundary")?;
        let end = find(rest, format!("\r\n{marker}").as_bytes()).ok_or("no closing boundary")?;
        parts.push(part(&rest[..end])?);
        rest = &rest[end + 2..];
    }
}

fn part(bytes: &[u8]) -> Result<Part, &'static str> {
    let split = find(bytes, b"\r\n\r\n").ok_or("a part without headers")?;
    let head = std::str::from_utf8(&bytes[..split]).map_err(|_| "headers that are no text")?;
    let header = |wanted: &str| {
        head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case(wanted).then(|| value.trim().to_owned())
        })
    };
    let disposition = header("content-disposition").ok_or("a part without a disposition")?;
    Ok(Part {
        name: parameter(&disposition, "name").ok_or("a part without a name")?,
        filename: parameter(&disposition, "filename"),
        content_type: header("content-type"),
        bytes: bytes[split + 4..].to_vec(),
    })
}

fn parameter(header: &str, wanted: &str) -> Option<String> {
    header.split(';').skip(1).find_map(|piece| {
        let (name, value) = piece.trim().split_once('=')?;
        name.eq_ignore_ascii_case(wanted).then(|| value.trim_matches('"').to_owned())
    })
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_parts() {
        let body = b"--x\r\nContent-Disposition: form-data; name=\"project\"\r\n\r\n{}\r\n--x\r\nContent-Disposition: form-data; \
            name=\"files\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\na\r\nb\r\n--x--\r\n";
        let parts = parse("multipart/form-data; boundary=x", body).expect("it is well formed");
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[1].bytes, b"a\r\nb");
        assert_eq!(parts[1].filename.as_deref(), Some("a.txt"));
        assert!(parse("multipart/form-data; boundary=x", b"--x\r\nnothing").is_err());
    }
}
