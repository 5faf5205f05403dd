//! Files: written whole or not at all, and never outside the allowed directories.

use super::Bench;
use callslip::answer::Content;
use callslip::error::Code;
use callslip_sandbox::Fault;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("callslip-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("open")).expect("a folder");
    folder
}

#[tokio::test]
async fn bytes_come_inside_the_answer_or_in_a_file() {
    let mut bench = Bench::start().await;
    let root = folder("save");
    let open = root.join("open");
    let answer = bench.send("app_image.logo", json!({})).await.expect("a logo");
    let Content::Bytes { kind, data } = answer.body else { panic!("bytes: {:?}", answer.body) };
    assert!(kind.starts_with("image/") && !data.is_empty());

    let mut call = bench.call("app_image.logo", json!({}));
    call.own.save_to = Some(open.join("logo.png").display().to_string());
    let failure = bench.send_call(&call).await.expect_err("nothing is allowed");
    assert!(failure.next[0].contains("--allow-path"), "{failure:?}");
    bench.settings.allow_paths = vec![open.clone()];
    let answer = bench.send_call(&call).await.expect("a file");
    assert_eq!(
        answer.body,
        Content::Saved { kind, size: data.len() as u64, path: open.canonicalize().expect("real").join("logo.png").display().to_string() }
    );
    assert_eq!(std::fs::read(open.join("logo.png")).expect("a file"), data);
    bench.sandbox.clear();
    let failure = bench.send_call(&call).await.expect_err("exists");
    assert!(failure.message.contains("exists already") && bench.sandbox.requests().is_empty(), "{failure:?}");

    std::os::unix::fs::symlink("/tmp", open.join("out")).expect("a link");
    std::os::unix::fs::symlink(root.join("elsewhere"), open.join("dangling")).expect("a link");
    for path in ["/etc/callslip-test", "../up.png", "out/escape.png", "dangling", "no/such/folder.png", ""] {
        let mut call = bench.call("app_image.logo", json!({}));
        call.own.save_to = Some(path.to_owned());
        let failure = bench.send_call(&call).await.expect_err(path);
        assert_eq!(failure.code, Code::InvalidArguments, "{path}");
    }
    let mut call = bench.call("container.list", json!({}));
    call.own.save_to = Some("x.json".into());
    assert_eq!(bench.send_call(&call).await.expect_err("not a file").code, Code::InvalidArguments);

    for fault in [Fault::ResetAfter(150), Fault::EndlessBody, Fault::DelayBody(Duration::from_secs(30)), Fault::WrongLength(50)] {
        bench.settings.timeout = Duration::from_millis(800);
        bench.sandbox.clear_faults();
        bench.sandbox.fault(None, fault.clone());
        let mut call = bench.call("app_image.logo", json!({}));
        call.own.save_to = Some("part.png".into());
        bench.send_call(&call).await.expect_err("broken");
        let left: Vec<_> = std::fs::read_dir(&open).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left.len(), 3, "{fault:?}: {left:?}");
    }
    std::fs::remove_dir_all(root).expect("removed");
}

#[tokio::test]
async fn uploads_read_only_allowed_files() {
    let mut bench = Bench::start().await;
    let root = folder("read");
    let open = root.join("open");
    std::fs::write(open.join("a.png"), b"\x89PNG").expect("a file");
    std::fs::write(root.join("secret"), b"no").expect("a file");
    std::os::unix::fs::symlink(root.join("secret"), open.join("link")).expect("a link");
    let send = |path: PathBuf| json!({ "file": { "path": path } });
    let failure = bench.send("profile.upload_avatar", send(open.join("a.png"))).await.expect_err("nothing is allowed");
    assert_eq!(failure.code, Code::InvalidArguments);
    bench.settings.allow_paths = vec![open.clone()];
    for bad in [root.join("secret"), open.join("link"), open.join("../secret"), open.join("missing"), open.clone()] {
        let failure = bench.send("profile.upload_avatar", send(bad.clone())).await.expect_err("refused");
        assert_eq!(failure.code, Code::InvalidArguments, "{}", bad.display());
    }
    assert!(bench.sandbox.requests().is_empty());
    bench.send("profile.upload_avatar", send(open.join("a.png"))).await.expect("an upload");
    let body = bench.sandbox.requests()[0].text();
    assert!(body.contains("filename=\"a.png\"") && body.contains("PNG"), "{body}");
    std::fs::remove_dir_all(root).expect("removed");
}

#[tokio::test]
async fn a_file_too_large_for_an_answer_says_how_to_get_it() {
    let bench = Bench::start().await;
    bench.sandbox.fault(None, Fault::Answer { status: 200, content_type: "image/png".into(), body: "x".repeat(3 << 20) });
    let failure = bench.send("app_image.logo", json!({})).await.expect_err("too large");
    assert!(failure.next[0].contains("saveTo"), "{failure:?}");
}

#[tokio::test]
async fn a_local_file_goes_up_in_the_parts_the_server_asks_for() {
    let mut bench = Bench::start().await;
    let root = folder("parts");
    let open = root.join("open");
    let bytes: Vec<u8> = (0..(5_u32 << 18)).flat_map(u32::to_le_bytes).collect();
    std::fs::write(open.join("image.tar"), &bytes).expect("a file");
    bench.settings.allow_paths = vec![open.clone()];
    let session = json!({ "kind": "image", "filename": "image.tar", "size": bytes.len(), "chunkSize": 2 << 20 });
    let Content::Json(session) = bench.send("upload.create", session).await.expect("a session").body else { panic!("JSON") };
    let upload = session["data"]["id"].clone();
    bench.sandbox.clear();
    let part = |index: u64| json!({ "kind": "image", "uploadId": upload, "index": index, "content": format!("file:{}", open.join("image.tar").display()) });
    for index in 0..3 {
        bench.send("upload.put_chunk", part(index)).await.unwrap_or_else(|failure| panic!("{index}: {failure:?}"));
    }
    let sent: Vec<_> =
        bench.sandbox.requests().into_iter().filter(|request| request.method == "PUT").flat_map(|request| request.body).collect();
    assert!(sent == bytes, "{} of {} bytes", sent.len(), bytes.len());
    let failure = bench.send("upload.put_chunk", part(3)).await.expect_err("beyond the end");
    assert_eq!(failure.code, Code::InvalidArguments, "{failure:?}");
    std::fs::remove_dir_all(root).expect("removed");
}
