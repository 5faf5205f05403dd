//! Downloads: a few real bytes of the right kind, always the same.

use crate::{call::Call, compression, reply::Reply};

/// The smallest PNG: one transparent pixel.
const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff\xff\x7f\0\x09\xfb\x03\xfd\x05CE\xca\0\0\0\0IEND\xaeB`\x82";
const LOGO: &[u8] = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#7c3aed"/></svg>"##;
const CERTIFICATE: &str =
    "-----BEGIN CERTIFICATE-----\nMIIBsandboxsandboxsandboxsandboxsandboxsandboxsandboxsandboxsan\n-----END CERTIFICATE-----\n";

pub(crate) fn answer(call: &Call) -> Reply {
    let declared = call.operation.content_type.as_deref().unwrap_or("application/octet-stream");
    let id = call.operation.id.as_str();
    let (content_type, bytes) = match declared {
        "image/*" if id == "get-logo" => ("image/svg+xml", LOGO.to_vec()),
        "image/*" | "image/png" => ("image/png", PIXEL.to_vec()),
        "application/x-pem-file" => (declared, CERTIFICATE.as_bytes().to_vec()),
        "application/zip" => (declared, empty_zip()),
        "application/x-tar" => (declared, tar("manifest.json", br#"[{"Config":"config.json","Layers":[]}]"#)),
        "application/x-gzip" => (declared, compression::gzip(&tar("data.txt", b"kept by the sandbox\n"))),
        other => (other, b"line one\nline two\n".to_vec()),
    };
    let reply = Reply::bytes(call.operation.status, content_type, bytes);
    if content_type.starts_with("image/") {
        return reply;
    }
    let name = call.query("relativePath").or_else(|| call.query("path")).and_then(|path| path.rsplit('/').next());
    let name = name.filter(|name| !name.is_empty()).unwrap_or("download").replace('"', "");
    reply.header("content-disposition", format!("attachment; filename=\"{name}\""))
}

/// A zip archive without entries is its end record alone.
fn empty_zip() -> Vec<u8> {
    let mut bytes = b"PK\x05\x06".to_vec();
    bytes.resize(22, 0);
    bytes
}

/// A tar archive with one file.
fn tar(name: &str, content: &[u8]) -> Vec<u8> {
    let mut head = [0_u8; 512];
    let mut put = |at: usize, text: &[u8]| head[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(124, format!("{:011o}\0", content.len()).as_bytes());
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut bytes = head.to_vec();
    bytes.extend_from_slice(content);
    bytes.resize(512 + content.len().div_ceil(512) * 512 + 1_024, 0);
    bytes
}
