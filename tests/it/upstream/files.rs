//! Files: written whole or not at all, and never outside the allowed directories.

use super::Bench;
use crate::support::{Session, Upstream, error, run};
use callslip::answer::Content;
use callslip::error::Code;
use callslip_sandbox::Fault;
use serde_json::{Value, json};
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
    assert!(failure.told().contains("exists already") && bench.sandbox.requests().is_empty(), "{failure:?}");

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

#[test]
fn a_file_is_replaced_only_when_asked_by_every_road() {
    let upstream = Upstream::start();
    let root = folder("replace");
    let open = root.join("open");
    let target = open.join("logo.png");
    let path = target.display().to_string();
    let allow = open.display().to_string();
    let roads: [(&[&str], &str, Value); 5] = [
        (&["dynamic"], "arcane_execute_action", json!({ "action": "app_image.logo" })),
        (&["meta"], "arcane_app_image", json!({ "action": "logo" })),
        (&["individual"], "arcane_app_image_logo", json!({})),
        (&["progressive"], "read_tool", json!({ "name": "arcane_app_image_logo" })),
        (&["progressive", "--toolsets", "all"], "arcane_app_image_logo", json!({})),
    ];
    for (surface, tool, arguments) in roads {
        let options = [&["--allow-path", &allow, "--tool-surface"], surface].concat();
        let mut session = Session::start(&options, &upstream.environment());
        let mut call = |more: Value| {
            let mut arguments = arguments.clone();
            let given = arguments.as_object_mut().expect("an object");
            given.extend(more.as_object().cloned().unwrap_or_default());
            session.call(tool, arguments)
        };
        std::fs::write(&target, "mine").expect("a file");
        upstream.sandbox.clear();
        for flag in [Value::Null, json!(false)] {
            let refused = call(json!({ "saveTo": path, "overwrite": flag }));
            let said = error(&refused);
            assert_eq!(said["code"], "invalid_arguments", "{said}");
            assert!(said["next"][0].as_str().is_some_and(|step| step.contains("`overwrite: true`")), "{said}");
        }
        for bad in [json!({ "saveTo": path, "overwrite": "true" }), json!({ "overwrite": true })] {
            assert_eq!(error(&call(bad))["code"], "invalid_arguments");
        }
        assert!(upstream.requests().is_empty(), "{surface:?}");
        assert_eq!(std::fs::read(&target).expect("a file"), b"mine");
        let saved = call(json!({ "saveTo": path, "overwrite": true }));
        assert_ne!(saved["isError"], true, "{surface:?}: {saved}");
        assert_ne!(std::fs::read(&target).expect("a file"), b"mine", "{surface:?}");
        // Where nothing is, the word changes nothing; a folder or a link is never replaced.
        std::fs::remove_file(&target).expect("removed");
        assert_ne!(call(json!({ "saveTo": path, "overwrite": true }))["isError"], true);
        assert_eq!(error(&call(json!({ "saveTo": allow, "overwrite": true })))["code"], "invalid_arguments");
    }
    std::os::unix::fs::symlink(root.join("elsewhere"), open.join("link")).expect("a link");
    let link = open.join("link").display().to_string();
    let arguments = ["call", "app_image.logo", "--allow-path", &allow, "--save-to"];
    let cli = |more: &[&str]| run(&[&arguments, more].concat(), &upstream.environment());
    assert_eq!(cli(&[&link, "--overwrite"]).0, 1);
    let (code, _, said) = cli(&[&path]);
    assert_eq!(code, 1, "{said}");
    assert_eq!(cli(&[&path, "--overwrite"]).0, 0);
    assert_eq!(run(&["call", "app_image.logo", "--overwrite"], &upstream.environment()).0, 2);
    std::fs::remove_dir_all(root).expect("removed");
}

#[tokio::test]
async fn a_broken_download_leaves_the_old_file() {
    let mut bench = Bench::start().await;
    let root = folder("old");
    let open = root.join("open");
    std::fs::write(open.join("logo.png"), "mine").expect("a file");
    bench.settings.allow_paths = vec![open.clone()];
    bench.sandbox.fault(None, Fault::ResetAfter(150));
    let mut call = bench.call("app_image.logo", json!({}));
    call.own.save_to = Some("logo.png".into());
    call.own.overwrite = true;
    bench.send_call(&call).await.expect_err("broken");
    assert_eq!(std::fs::read(open.join("logo.png")).expect("a file"), b"mine");
    assert_eq!(std::fs::read_dir(&open).expect("a folder").count(), 1);
    std::fs::remove_dir_all(root).expect("removed");
}

#[tokio::test]
async fn what_is_no_file_is_not_saved_as_one() {
    let mut bench = Bench::start().await;
    let root = folder("page");
    let open = root.join("open");
    bench.settings.allow_paths = vec![open.clone()];
    let mut call = bench.call("image.export", json!({ "name": "nginx" }));
    call.own.save_to = Some("image.tar".into());
    let page = "<!DOCTYPE html><title>Sign in</title>";
    let refused = json!({ "success": false, "error": "no space left" }).to_string();
    for (kind, body, said) in [
        ("text/html; charset=utf-8", page, "Sign in"),
        ("text/plain", page, "Sign in"),
        ("", page, "Sign in"),
        ("application/json", &*refused, "no space left"),
    ] {
        bench.sandbox.clear_faults();
        bench.sandbox.fault(None, Fault::Answer { status: 200, content_type: kind.into(), body: body.into() });
        let failure = bench.send_call(&call).await.expect_err(kind);
        assert!(failure.code == Code::UpstreamError && failure.told().contains(said), "{kind}: {failure:?}");
    }
    // Neither a file nor a failure: shown, and said.
    bench.sandbox.clear_faults();
    let queued = json!({ "success": true, "data": { "message": "queued" } }).to_string();
    bench.sandbox.fault(None, Fault::Answer { status: 200, content_type: "application/json".into(), body: queued });
    let answer = bench.send_call(&call).await.expect("an answer");
    assert!(matches!(answer.body, Content::Json(_)) && answer.notes.iter().any(|note| note.contains("`saveTo`")), "{answer:?}");
    assert_eq!(std::fs::read_dir(&open).expect("a folder").count(), 0);
    std::fs::remove_dir_all(root).expect("removed");
}

#[tokio::test]
async fn a_large_file_goes_up_in_one_step_and_goes_on_where_it_stopped() {
    let mut bench = Bench::start().await;
    let root = folder("step");
    let open = root.join("open");
    // Three parts, as the server cuts them when it is not asked otherwise.
    let bytes: Vec<u8> = (0..(23_u32 << 18)).flat_map(u32::to_le_bytes).collect();
    std::fs::write(open.join("image#1.tar"), &bytes).expect("a file");
    let address = format!("file:{}", open.join("image#1.tar").display());
    let upload = |address: &str| json!({ "uploadId": address });
    let failure = bench.send("image.upload", upload(&address)).await.expect_err("nothing is allowed");
    assert!(failure.next[0].contains("--allow-path") && bench.sandbox.requests().is_empty(), "{failure:?}");
    bench.settings.allow_paths = vec![open.clone()];

    bench.send("image.upload", upload(&address)).await.expect("loaded");
    let parts = |bench: &Bench| bench.sandbox.requests().into_iter().filter(|request| request.method == "PUT").collect::<Vec<_>>();
    let sent: Vec<_> = parts(&bench).into_iter().flat_map(|request| request.body).collect();
    assert!(sent == bytes, "{} of {} bytes", sent.len(), bytes.len());
    let paths: Vec<_> = bench.sandbox.requests().iter().map(|request| format!("{} {}", request.method, request.path)).collect();
    assert_eq!(paths.len(), 5, "{paths:?}");
    assert!(paths[0].ends_with("/uploads/image") && paths[4].ends_with("/images/upload"), "{paths:?}");

    // The second part breaks: it is not sent again by itself, what to say next is said, and saying it goes on from there.
    bench.sandbox.clear();
    bench.sandbox.fault_times(Some("upload-chunk"), Fault::DelayHeaders(Duration::ZERO), 1);
    bench.sandbox.fault_times(Some("upload-chunk"), Fault::problem(502, "bad gateway"), 1);
    let failure = bench.send("image.upload", upload(&address)).await.expect_err("broken");
    assert!(failure.told().starts_with("Part 2 of 3 of the file did not arrive."), "{failure:?}");
    assert_eq!(parts(&bench).len(), 2, "nothing is sent twice");
    let id = failure.more["uploadId"].as_str().expect("an id").to_owned();
    let on = format!("{address}#{id}");
    assert!(failure.next[0].contains(&on) && failure.next[0].contains("1 of 3"), "{failure:?}");
    bench.sandbox.clear();
    bench.send("image.upload", upload(&on)).await.expect("loaded");
    let sent: Vec<_> = parts(&bench).into_iter().flat_map(|request| request.body).collect();
    assert!(sent == bytes[10 << 20..], "{} bytes", sent.len());

    // It has arrived, and what is done with it fails: it need not be sent again.
    bench.sandbox.clear();
    bench.sandbox.fault_times(Some("upload-image"), Fault::problem(500, "Failed to load image: no space left"), 1);
    let failure = bench.send("image.upload", upload(&address)).await.expect_err("refused");
    let id = failure.more["uploadId"].as_str().expect("an id").to_owned();
    assert!(failure.next.iter().any(|step| step.contains(&id)), "{failure:?}");
    bench.sandbox.clear();
    bench.send("image.upload", upload(&id)).await.expect("loaded");
    assert_eq!(bench.sandbox.requests().len(), 1);

    // Another file than the one that was begun is refused.
    std::fs::write(open.join("other.tar"), "other").expect("a file");
    let Content::Json(session) =
        bench.send("upload.create", json!({ "kind": "build-workspace", "filename": "x", "size": 3 })).await.expect("a session").body
    else {
        panic!("JSON")
    };
    let on = format!("file:other.tar#{}", session["data"]["id"].as_str().expect("an id"));
    let failure = bench.send("build_workspace.upload", upload(&on)).await.expect_err("another file");
    assert_eq!(failure.code, Code::InvalidArguments, "{failure:?}");
    bench.send("build_workspace.upload", upload("file:other.tar")).await.expect("a small file is one part");
    std::fs::remove_dir_all(root).expect("removed");
}

#[test]
fn a_file_goes_up_by_no_action_that_was_taken_out() {
    let upstream = Upstream::start();
    let root = folder("excluded");
    let open = root.join("open");
    std::fs::write(open.join("a.tar"), "tar").expect("a file");
    let (allow, address) = (open.display().to_string(), format!("file:{}", open.join("a.tar").display()));
    for excluded in ["upload", "upload.create", "upload.put_chunk", "upload.get"] {
        let mut session = Session::start(&["--allow-path", &allow, "--exclude", excluded], &upstream.environment());
        let refused = session.execute("image.upload", json!({ "uploadId": address }));
        let said = error(&refused);
        assert!(said["code"] == "removed" && said["message"].as_str().expect("words").contains("`upload."), "{excluded}: {said}");
        assert!(upstream.requests().is_empty(), "{excluded}");
    }
    // One that stands for itself is not held back.
    let mut session = Session::start(&["--allow-path", &allow, "--exclude", "upload.delete"], &upstream.environment());
    let loaded = session.execute("image.upload", json!({ "uploadId": address }));
    assert_eq!(loaded["isError"], false, "{loaded}");
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
