//! Progress streams: the outcome is the last line, or nobody knows.

use super::Bench;
use callslip::answer::{Answer, Content};
use callslip::error::Code;
use callslip::upstream::{Progress, Upstream};
use callslip_sandbox::Fault;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::time::{Duration, Instant};

fn pull() -> Value {
    json!({ "imageName": "nginx", "tag": "1.27" })
}

fn log(answer: Answer) -> (String, Option<String>, String, Vec<String>) {
    let Content::Log { outcome, activity, log, .. } = answer.body else { panic!("a log: {:?}", answer.body) };
    (outcome, activity, log, answer.notes)
}

#[tokio::test]
async fn a_pull_ends_with_done() {
    let bench = Bench::start().await;
    let (outcome, activity, text, _) = log(bench.send("image.pull", pull()).await.expect("a pull"));
    assert_eq!(outcome, "done");
    assert!(activity.is_some() && text.contains("Downloaded newer image"), "{text}");
    for id in ["project.up", "project.redeploy", "project.pull", "project.build"] {
        let projects = bench.send("project.list", json!({})).await.expect("projects");
        let projects = projects.body.json().expect("JSON");
        let project = projects["data"][0]["id"].clone();
        let (outcome, ..) =
            log(bench.send(id, json!({ "projectId": project })).await.unwrap_or_else(|failure| panic!("{id}: {failure:?}")));
        assert_eq!(outcome, "done", "{id}");
    }
}

#[tokio::test]
async fn every_bad_end_is_a_failure() {
    let bench = Bench::start().await;
    for (fault, code, part) in [
        (Fault::ErrorLine("disk full".into()), Code::StreamFailed, "disk full"),
        (Fault::InvalidErrorLine, Code::StreamFailed, "failed"),
        (Fault::CutStream, Code::OutcomeUnknown, "without saying how it ended"),
        (Fault::ResetAfter(400), Code::OutcomeUnknown, "it was not sent again"),
    ] {
        bench.sandbox.clear_faults();
        bench.sandbox.clear();
        bench.sandbox.fault(Some("pull-image"), fault.clone());
        let failure = bench.send("image.pull", pull()).await.expect_err(part);
        assert_eq!(failure.code, code, "{fault:?}: {failure:?}");
        assert!(failure.told().contains(part), "{fault:?}: {}", failure.message);
        assert_eq!(bench.sandbox.requests().len(), 1, "{fault:?}");
        if code == Code::OutcomeUnknown && matches!(fault, Fault::CutStream) {
            assert!(failure.more["activityId"].is_string(), "{failure:?}");
            assert!(failure.next[0].contains("`activity.get` with the `activityId` of this answer"), "{failure:?}");
        }
    }
    bench.sandbox.clear_faults();
    let failure = bench.send("image.pull", json!({ "imageName": "missing" })).await.expect_err("denied");
    assert_eq!(failure.code, Code::StreamFailed);
    assert!(failure.told().contains("pull access denied"), "{}", failure.message);
}

#[tokio::test]
async fn long_lines_and_many_lines_are_kept_in_bounds() {
    let bench = Bench::start().await;
    for fault in [Fault::LongLine(1 << 20), Fault::LongLine(9 << 20), Fault::ManyLines(100_000)] {
        bench.sandbox.clear_faults();
        bench.sandbox.fault(Some("pull-image"), fault.clone());
        let mut call = bench.call("image.pull", pull());
        call.action.deadline = 900;
        let (outcome, _, text, notes) = log(bench.send_call(&call).await.unwrap_or_else(|failure| panic!("{fault:?}: {failure:?}")));
        assert_eq!(outcome, "done");
        assert!(text.len() < 48 << 10, "{fault:?}: {}", text.len());
        assert!(!notes.is_empty(), "{fault:?}");
    }
}

#[tokio::test]
async fn work_that_never_ends_gives_its_activity() {
    let mut bench = Bench::start().await;
    bench.settings.timeout = Duration::from_millis(600);
    bench.sandbox.fault(Some("deploy-project"), Fault::Trickle { chunk: 120, pause: Duration::from_millis(400) });
    let projects = bench.send("project.list", json!({})).await.expect("projects");
    let projects = projects.body.json().expect("JSON");
    let mut call = bench.call("project.up", json!({ "projectId": projects["data"][0]["id"] }));
    call.action.deadline = 0;
    let failure = bench.send_call(&call).await.expect_err("late");
    assert_eq!(failure.code, Code::Timeout, "{failure:?}");
    assert!(failure.more.contains_key("activityId"), "{failure:?}");
    assert!(failure.next.iter().any(|step| step.contains("`activity.cancel`")), "{failure:?}");
}

#[tokio::test]
async fn a_feed_without_end_is_read_for_a_moment() {
    let bench = Bench::start().await;
    let started = Instant::now();
    let (outcome, ..) = log(bench.send("stream.snapshot", json!({})).await.expect("a snapshot"));
    assert_eq!(outcome, "snapshot");
    assert!(started.elapsed() < Duration::from_secs(8));
}

#[derive(Default)]
struct Notes(Mutex<Vec<(f64, Option<f64>, String)>>);

impl Progress for Notes {
    fn report(&self, done: f64, total: Option<f64>, message: &str) {
        self.0.lock().expect("notes").push((done, total, message.to_owned()));
    }
}

#[tokio::test]
async fn progress_is_reported_and_only_grows() {
    let bench = Bench::start().await;
    bench.sandbox.fault(Some("pull-image"), Fault::Trickle { chunk: 90, pause: Duration::from_millis(120) });
    let call = bench.call("image.pull", pull());
    let request = callslip::request::build(bench.catalog.api(), &call.action, &call.arguments).expect("a request");
    let notes = Notes::default();
    Upstream::new(bench.settings.clone()).send(&bench.catalog, &call, &request, Some(&notes)).await.expect("a pull");
    let notes = notes.0.into_inner().expect("notes");
    assert!(notes.len() > 1 && notes.len() < 30, "{notes:?}");
    assert!(notes.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{notes:?}");
    assert!(notes.iter().any(|note| note.1 == Some(100.0)), "{notes:?}");
}

#[tokio::test]
async fn a_dropped_call_ends_the_work_when_asked() {
    for cancels in [false, true] {
        let bench = Bench::start().await;
        bench.sandbox.fault(Some("pull-image"), Fault::Trickle { chunk: 100, pause: Duration::from_millis(100) });
        let mut call = bench.call("image.pull", pull());
        call.own.cancel_activity = cancels;
        let dropped = tokio::time::timeout(Duration::from_millis(500), bench.send_call(&call)).await;
        assert!(dropped.is_err());
        tokio::time::sleep(Duration::from_millis(700)).await;
        let sent = bench.sandbox.requests();
        assert_eq!(sent.iter().any(|request| request.path.ends_with("/cancel")), cancels, "{sent:?}");
        assert!(sent[0].aborted, "the connection was closed");
    }
}
