//! Sessions: signing in once by hand, and a session that an update ended.

use crate::support::{Session, Upstream, command, run};
use serde_json::json;
use std::io::Write;
use std::process::Stdio;

fn environment(upstream: &Upstream, more: &[(&str, &str)]) -> Vec<(String, String)> {
    let url = [("ARCANE_URL".to_owned(), upstream.sandbox.url())];
    url.into_iter().chain(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))).collect()
}

/// The value in a line `export NAME=value`.
fn exported(out: &str, name: &str) -> String {
    let start = format!("export {name}=");
    out.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("{name} in {out}")).to_owned()
}

#[test]
fn a_password_becomes_a_session_that_works() {
    let upstream = Upstream::start();
    let (user, password) = upstream.sandbox.user();
    let (code, out, said) = run(&["login"], &environment(&upstream, &[("ARCANE_USER", user), ("ARCANE_PASSWORD", password)]));
    assert_eq!(code, 0, "{said}");
    assert!(!out.contains(password) && !said.contains(password) && said.contains("environment"), "{out}{said}");
    let token = exported(&out, "ARCANE_TOKEN");
    assert!(!exported(&out, "ARCANE_REFRESH_TOKEN").is_empty());
    assert!(!said.contains(&token), "{said}");
    assert_eq!(run(&["call", "mfa.status", "--include", "account"], &environment(&upstream, &[("ARCANE_TOKEN", &token)])).0, 0);

    // Typed in.
    let mut child = command(&["login"], &environment(&upstream, &[]))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("callslip starts");
    write!(child.stdin.take().expect("a pipe"), "{user}\n{password}\n").expect("typed");
    let output = child.wait_with_output().expect("an end");
    exported(&String::from_utf8(output.stdout).expect("UTF-8"), "ARCANE_TOKEN");
}

#[test]
fn a_sign_in_that_fails_says_why_and_prints_nothing() {
    let upstream = Upstream::start();
    for (user, password, why) in [("ada", "wrong-password", "Invalid username or password"), ("grace", "arcane-sandbox", "API key")] {
        let (code, out, said) = run(&["login"], &environment(&upstream, &[("ARCANE_USER", user), ("ARCANE_PASSWORD", password)]));
        assert_eq!((code, out.as_str()), (1, ""), "{said}");
        assert!(said.contains(why) && !said.contains(password), "{said}");
    }
    let (code, _, said) = run(&["login"], &environment(&upstream, &[]));
    assert_eq!(code, 2, "{said}");
    let (code, _, said) = run(&["login", "--catalog", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/library")], &[]);
    assert_eq!(code, 2, "{said}");
}

#[test]
fn a_session_that_an_update_ended_is_renewed_once_for_all_calls() {
    let upstream = Upstream::start();
    let token = upstream.sandbox.session_token();
    let secret = "refresh.0123456789abcdef";
    let file = std::env::temp_dir().join(format!("callslip-refresh-{}", std::process::id()));
    std::fs::write(&file, format!("{secret}\n")).expect("a file");
    let path = file.display().to_string();
    let mut session = Session::start(&[], &environment(&upstream, &[("ARCANE_TOKEN", &token), ("ARCANE_REFRESH_TOKEN_FILE", &path)]));
    upstream.sandbox.switch(|switches| switches.version_bumped = true);
    // Several at once, among them a change: each is answered, and the token is swapped once.
    for id in 100..104 {
        let (action, params) =
            if id == 100 { ("container.restart", json!({ "containerId": "web" })) } else { ("container.list", json!({})) };
        let arguments = json!({ "action": action, "params": params });
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "arcane_execute_action", "arguments": arguments } });
        session.send(&call.to_string());
    }
    for _ in 0..4 {
        let answer = session.receive();
        assert_ne!(answer["result"]["isError"], true, "{answer}");
        assert!(!answer.to_string().contains(secret), "{answer}");
    }
    let sent = upstream.requests();
    assert_eq!(sent.iter().filter(|request| request.path.ends_with("/auth/refresh")).count(), 1);
    // Later calls use the new token at once.
    upstream.sandbox.clear();
    session.execute("container.list", json!({}));
    assert_eq!(upstream.requests().len(), 1);
    std::fs::remove_file(&file).expect("removed");
}

#[test]
fn each_renewal_uses_the_token_that_the_last_one_brought() {
    let upstream = Upstream::start();
    let token = upstream.sandbox.session_token();
    let given = [("ARCANE_TOKEN", &*token), ("ARCANE_REFRESH_TOKEN", "refresh.0123456789abcdef")];
    let mut session = Session::start(&[], &environment(&upstream, &given));
    upstream.sandbox.switch(|switches| switches.version_bumped = true);
    let mut used = Vec::new();
    for _ in 0..3 {
        // A token counts once: the sandbox takes none a second time.
        let answer = session.execute("container.list", json!({}));
        assert_eq!(answer["isError"], false, "{answer}");
        let sent = upstream.requests();
        let refreshes: Vec<_> = sent.iter().filter(|request| request.path.ends_with("/auth/refresh")).collect();
        assert_eq!((refreshes.len(), sent.len()), (1, 3), "refused, renewed, sent again");
        used.push(refreshes[0].text());
        upstream.sandbox.clear();
        session.execute("container.list", json!({}));
        assert_eq!(upstream.requests().len(), 1, "what was renewed is kept");
        upstream.sandbox.clear();
        upstream.sandbox.end_sessions();
    }
    used.sort();
    used.dedup();
    assert_eq!(used.len(), 3, "{used:?}");
}

#[test]
fn a_session_that_cannot_be_renewed_says_what_to_do() {
    let upstream = Upstream::start();
    let token = upstream.sandbox.session_token();
    upstream.sandbox.switch(|switches| switches.version_bumped = true);
    let given = environment(&upstream, &[("ARCANE_TOKEN", &token), ("ARCANE_REFRESH_TOKEN", "spent")]);
    let (code, _, said) = run(&["call", "container.list"], &given);
    assert_eq!(code, 1);
    assert!(said.contains("callslip login") && !said.contains("spent"), "{said}");
    let sent = upstream.requests();
    assert_eq!(sent.iter().filter(|request| request.operation == Some("list-containers")).count(), 1, "not sent again");
}
