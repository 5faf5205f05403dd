//! Why Docker, a registry or Compose refuse, as a caller is told.

use super::Bench;
use callslip::error::Code;
use callslip_sandbox::Fault;

/// Action, arguments, what the server says, the code, a part of the message, a part of a next step.
type Row = (&'static str, &'static str, &'static str, Code, &'static str, &'static str);

/// The words are those of Docker 20.10 and 29, of a registry and of Compose, as Arcane passes them on.
const ROWS: [Row; 18] = [
    (
        "container.create",
        r#"{"name": "web", "image": "nginx"}"#,
        "Failed to create container: Error response from daemon: Conflict. The container name \"/web\" is already in use by container \"f2\".",
        Code::Conflict,
        "another container has that name",
        "`container.list`",
    ),
    (
        "container.create",
        r#"{"name": "x", "image": "nginx"}"#,
        "Failed to create container: failed to start container: Error response from daemon: network nonet not found",
        Code::NotFound,
        "names something that environment `0` does not have",
        "`network.list`",
    ),
    (
        "container.start",
        r#"{"containerId": "web"}"#,
        "Failed to start container: Error response from daemon: Bind for 0.0.0.0:80 failed: port is already allocated",
        Code::Conflict,
        "a port of the host is taken",
        "`port.list`",
    ),
    (
        "container.kill",
        r#"{"containerId": "web"}"#,
        "Failed to kill container: Error response from daemon: Cannot kill container: web: Container web is not running",
        Code::Conflict,
        "does not run",
        "`container.start`",
    ),
    (
        "container.delete",
        r#"{"containerId": "web"}"#,
        "Failed to delete container: Error response from daemon: cannot remove container \"web\": container is running: stop the container before removing or force remove",
        Code::Conflict,
        "the container runs",
        "`force: true`",
    ),
    (
        "container.delete",
        r#"{"containerId": "nope"}"#,
        "Failed to delete container: Error response from daemon: No such container: nope",
        Code::NotFound,
        "by that id",
        "`container.list`",
    ),
    (
        "network.delete",
        r#"{"networkId": "n"}"#,
        "Failed to remove network: Error response from daemon: error while removing network: network n id 1 has active endpoints",
        Code::Conflict,
        "containers are on the network",
        "`network.get`",
    ),
    (
        "network.create",
        r#"{"name": "n", "options": {"driver": "none-such"}}"#,
        "Failed to create network: Error response from daemon: plugin \"none-such\" not found",
        Code::InvalidRequest,
        "no such driver",
        "Leave the driver out",
    ),
    (
        "volume.delete",
        r#"{"volumeName": "data"}"#,
        "Failed to delete volume: Error response from daemon: remove data: volume is in use - [70abe6]",
        Code::Conflict,
        "a container uses the volume",
        "`volume.usage`",
    ),
    (
        "image.delete",
        r#"{"imageId": "sha256:1"}"#,
        "Failed to remove image: Error response from daemon: conflict: unable to delete 2ceb (cannot be forced) - image is being used by running container 70",
        Code::Conflict,
        "uses the image",
        "`container.list`",
    ),
    (
        "project.create",
        r#"{"name": "p", "composeContent": "services: {}"}"#,
        "Failed to create project: invalid compose file: validating compose.yaml: services.a additional properties 'imag' not allowed",
        Code::InvalidRequest,
        "Compose file is not valid",
        "send it again",
    ),
    (
        "project.create",
        r#"{"name": "p", "composeContent": "services: {}"}"#,
        "Failed to create project: invalid compose file: required variable NEEDED is missing a value: set it",
        Code::InvalidRequest,
        "a variable that has no value",
        "`envContent`",
    ),
    (
        "git_repository.list_branches",
        r#"{"repositoryId": "r"}"#,
        "Failed to list branches: dial tcp 10.0.0.9:443: connect: connection refused",
        Code::UpstreamError,
        "does not reach the address",
        "firewall",
    ),
    ("swarm.leave", "{}", "Failed to leave swarm", Code::Conflict, "a manager", "`force: true`"),
    (
        "swarm_config.create",
        r#"{"spec": {"Name": "c", "Data": "YQ=="}}"#,
        "rpc error: code = AlreadyExists desc = config c already exists",
        Code::Conflict,
        "one of that name already",
        "`swarm_config.list`",
    ),
    (
        "notification.test",
        r#"{"provider": "slack"}"#,
        "Failed to send test notification: slack token not configured",
        Code::Conflict,
        "has not been set up",
        "`notification.set`",
    ),
    ("activity.cancel", r#"{"activityId": "a"}"#, "activity is not running", Code::Conflict, "has ended already", "`activity.get`"),
    // What nobody knows stays as it is.
    (
        "container.start",
        r#"{"containerId": "web"}"#,
        "Failed to start container: the moon is in the wrong house",
        Code::UpstreamError,
        "failed at `container.start` (500)",
        "log of the server",
    ),
];

#[tokio::test]
async fn the_cause_of_a_refusal_is_told_with_its_cure() {
    let bench = Bench::start().await;
    for (id, arguments, said, code, why, step) in ROWS {
        bench.sandbox.clear_faults();
        bench.sandbox.fault(None, Fault::problem(500, said));
        let arguments = serde_json::from_str(arguments).expect("JSON");
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!(failure.code, code, "{id}: {failure:?}");
        assert!(failure.message.contains(why), "{id}: {failure:?}");
        assert!(failure.told().contains("From the server"), "{id}: {failure:?}");
        assert!(failure.next.iter().any(|next| next.contains(step)), "{id}: {failure:?}");
    }
}

#[tokio::test]
async fn a_stream_that_fails_tells_the_cure_too() {
    let bench = Bench::start().await;
    let arguments = serde_json::json!({ "imageName": "nginx", "tag": "1" });
    bench.sandbox.fault(None, Fault::ErrorLine("failed to register layer: write /x: no space left on device".into()));
    let failure = bench.send("image.pull", arguments).await.expect_err("full");
    assert_eq!(failure.code, Code::StreamFailed, "{failure:?}");
    assert!(failure.message.contains("a disk of the host is full"), "{failure:?}");
    assert!(failure.next.iter().any(|next| next.contains("`system.prune`")), "{failure:?}");
}

/// 403, although no administrator could grant it.
#[tokio::test]
async fn what_is_forbidden_to_everyone_asks_for_no_permission() {
    let bench = Bench::start().await;
    for (id, arguments, said) in [
        ("role.delete", serde_json::json!({ "roleId": "role_admin" }), "built-in roles cannot be deleted"),
        ("api_key.delete", serde_json::json!({ "apiKeyId": "k1" }), "static API keys cannot be deleted"),
    ] {
        bench.sandbox.clear_faults();
        bench.sandbox.fault(None, Fault::problem(403, said));
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!((failure.code, failure.status), (Code::InvalidRequest, Some(403)), "{failure:?}");
        assert!(!failure.next.iter().any(|next| next.contains("permission")), "{failure:?}");
    }
}
