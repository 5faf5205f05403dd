//! What Docker, a registry or Compose say when they refuse, and the cure. Arcane passes their words on under a status that says nothing.

use super::environment;
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::profile::Refusal;

/// A cause that is known by its words.
struct Cause {
    /// Lower case; one of them stands in the text.
    said: &'static [&'static str],
    code: Code,
    /// What is the matter: a sentence without its full stop, after "`<action>` failed: ".
    why: &'static str,
    /// What to do; `{domain}` is the domain of the action.
    next: &'static str,
}

const fn cause(said: &'static [&'static str], code: Code, why: &'static str, next: &'static str) -> Cause {
    Cause { said, code, why, next }
}

/// The narrow ones first: several can stand in one text.
const CAUSES: [Cause; 45] = [
    cause(
        &["is already in use by container"],
        Code::Conflict,
        "another container has that name",
        "Give another name, or delete the other one first: `container.list` shows it.",
    ),
    cause(
        &["port is already allocated", "address already in use"],
        Code::Conflict,
        "a port of the host is taken",
        "Publish another port: `port.list` shows which are in use, and by what.",
    ),
    cause(
        &["has dependent child images"],
        Code::Conflict,
        "other images are built on the image",
        "Delete those first, or leave it: `image.list` shows them.",
    ),
    cause(
        &["image is being used by", "is using its referenced image", "must be forced"],
        Code::Conflict,
        "a container uses the image, or it has several tags",
        "Delete the container first (`container.list` shows it), or call again with `force: true`; a running container stands in the way of that too.",
    ),
    cause(
        &["has active endpoints"],
        Code::Conflict,
        "containers are on the network",
        "`network.get` shows which; stop or delete them first.",
    ),
    cause(
        &["volume is in use"],
        Code::Conflict,
        "a container uses the volume",
        "`volume.usage` shows which, a stopped one counts too; delete it first.",
    ),
    cause(
        &["cannot remove a running container", "stop the container before"],
        Code::Conflict,
        "the container runs",
        "`container.stop` stops it first; `force: true` deletes it as it runs.",
    ),
    cause(
        &["removal of container", "is marked for removal"],
        Code::Conflict,
        "it is being deleted already",
        "`container.list` shows when it is gone.",
    ),
    cause(&["unpause the container", "is paused"], Code::Conflict, "the container is paused", "`container.unpause` lets it go on."),
    cause(
        &["is already paused", "is not paused"],
        Code::Conflict,
        "it is in that state already",
        "Nothing is to be done; `container.get` shows its state.",
    ),
    cause(
        &["is restarting, wait until"],
        Code::Conflict,
        "the container restarts again and again",
        "`container.logs` shows why it ends each time.",
    ),
    cause(
        &["activity is not running"],
        Code::Conflict,
        "the work has ended already",
        "Nothing is left to end; `activity.get` shows how it went.",
    ),
    cause(
        &["is not running"],
        Code::Conflict,
        "the container does not run",
        "`container.start` starts it; `container.logs` shows why it ended.",
    ),
    cause(
        &["pool overlaps with other one"],
        Code::Conflict,
        "the subnet overlaps with that of another network",
        "Choose another subnet, or none; `network.get` shows those of a network.",
    ),
    cause(
        &["pre-defined network", "is a predefined network"],
        Code::InvalidRequest,
        "the network belongs to Docker itself",
        "Leave it; only networks that were created can be deleted.",
    ),
    cause(
        &["no matching manifest for"],
        Code::NotFound,
        "the image is there, but not for the kind of processor of this host",
        "Choose an image or tag that is made for it.",
    ),
    cause(
        &["manifest unknown", "manifest for "],
        Code::NotFound,
        "the registry has no such image or tag",
        "Check the name and the tag; a wrong one cannot be seen by its look.",
    ),
    cause(
        &["pull access denied", "access to the resource is denied", "no basic auth credentials", "authentication required"],
        Code::Forbidden,
        "the other side wants a sign-in, or has no such thing",
        "Check the name; `registry.list` and `git_repository.list` show which sign-ins are stored.",
    ),
    cause(
        &["incorrect username or password", "authentication failed", "authorization failed"],
        Code::Forbidden,
        "the other side does not accept the stored name and password",
        "Store the right ones: `registry.update` or `git_repository.update`.",
    ),
    cause(
        &["toomanyrequests", "pull rate limit"],
        Code::RateLimited,
        "the registry allows no more pulls for now",
        "Wait, or store a sign-in with `registry.create`; `registry.pull_usage` shows what is left.",
    ),
    cause(
        &["x509:", "certificate signed by unknown authority", "server gave http response to https client"],
        Code::UpstreamError,
        "the other side does not show the certificate that the host expects",
        "Check the address; a registry of one's own needs its certificate, or `insecure-registries`, in the settings of Docker on that host.",
    ),
    cause(
        &[
            "no such host",
            "connection refused",
            "no route to host",
            "network is unreachable",
            "i/o timeout",
            "tls handshake timeout",
            "connection reset",
            "client.timeout exceeded",
            "could not resolve host",
        ],
        Code::UpstreamError,
        "the host does not reach the address that the message names",
        "Check that address; if it is right, the name service, proxy or firewall of the host stands in the way.",
    ),
    cause(
        &["no space left on device"],
        Code::UpstreamError,
        "a disk of the host is full",
        "`image.list` and `volume.sizes` show what takes the room; `system.prune` deletes what is unused.",
    ),
    cause(
        &["exec format error"],
        Code::InvalidRequest,
        "the image is made for another kind of processor",
        "Choose one for that of the host: `system.docker_info` names it.",
    ),
    cause(
        &["executable file not found", "unable to start container process"],
        Code::InvalidRequest,
        "the command could not be started in the container",
        "Check the command: words as a list, a program that the image holds; `sh -c` for pipes and variables.",
    ),
    cause(
        &["is missing a value", "variable is not set"],
        Code::InvalidRequest,
        "the Compose file wants a variable that has no value",
        "Give it in `envContent`: `project.create` and `project.update` take it.",
    ),
    cause(
        &["declared as external, but could not be found", "declared as external"],
        Code::NotFound,
        "the Compose file names a network or volume as external that is not there",
        "`network.create` or `volume.create` makes it; or take `external` out.",
    ),
    cause(
        &["invalid compose file", "additional properties", "go-yaml load error", "yaml: "],
        Code::InvalidRequest,
        "the Compose file is not valid",
        "Correct the place that the message names and send it again.",
    ),
    cause(
        &["invalid reference format", "must be lowercase"],
        Code::InvalidRequest,
        "that is no name of an image",
        "Write it as `registry/name:tag`, in small letters, without spaces.",
    ),
    cause(&["invalid signal"], Code::InvalidRequest, "there is no such signal", "Give one such as `SIGTERM`, `SIGKILL` or `SIGHUP`."),
    cause(
        &["includes invalid characters", "only [a-za-z0-9]", "only '[a-za-z0-9]"],
        Code::InvalidRequest,
        "the name holds what Docker does not allow",
        "Letters, digits, `_`, `.` and `-` are allowed, a letter or digit first.",
    ),
    cause(
        &["bind source path does not exist", "invalid mount config"],
        Code::InvalidRequest,
        "a mount names a path that is not there",
        "Give a path of the host itself, not of this machine; or use a volume.",
    ),
    cause(
        &["plugin '", "plugin \""],
        Code::InvalidRequest,
        "Docker has no such driver",
        "Leave the driver out for the usual one; `system.docker_info` lists the others under `Plugins`.",
    ),
    cause(
        &["build context not found", "failed to read dockerfile", "cannot locate specified dockerfile"],
        Code::NotFound,
        "what is to be built is not there",
        "Paths are those of the server: `build_workspace.list` shows its build folder.",
    ),
    cause(
        &["remote url is not allowed"],
        Code::InvalidRequest,
        "Arcane does not fetch from that address",
        "Give one with `https://` that is open to all; addresses of the host's own network are refused.",
    ),
    cause(&["invalid role assignment"], Code::NotFound, "there is no such role", "`role.list` shows the roles with their ids."),
    cause(
        &["settings before testing", "token not configured", "url not configured", "key not configured", "port not configured"],
        Code::Conflict,
        "it has not been set up, or not wholly",
        "`notification.set` stores what is missing.",
    ),
    cause(
        &["authentication is disabled"],
        Code::Conflict,
        "that way to sign in is switched off",
        "`settings.update` switches it on, if that is wanted.",
    ),
    cause(
        &["prune operation is already running"],
        Code::Conflict,
        "Docker cleans up already",
        "Wait until that has ended, then try again.",
    ),
    cause(
        &["update out of sequence"],
        Code::Conflict,
        "it has changed since it was read",
        "Read it again and send the change with the version it has now.",
    ),
    cause(
        &["is in use by the following service"],
        Code::Conflict,
        "a service uses it",
        "`swarm_service.list` shows the services; change or delete that one first.",
    ),
    cause(
        &["already part of a swarm"],
        Code::Conflict,
        "the host is in a swarm already",
        "`swarm.status` shows it; `swarm.leave` takes the host out, if that is wanted.",
    ),
    cause(
        &["name conflicts with an existing object", "already exists"],
        Code::Conflict,
        "there is one of that name already",
        "Choose another name, or change the one there is: `{domain}.list` shows it.",
    ),
    cause(
        &["is participating as a manager", "failed to leave swarm"],
        Code::Conflict,
        "the host is most likely a manager, which leaves only when it is told twice",
        "`force: true` does it; a swarm without managers is lost.",
    ),
    cause(
        &["failed to join swarm", "failed to initialize swarm", "failed to init swarm"],
        Code::Conflict,
        "Docker refused, and the server keeps its reason to itself",
        "`swarm.status` shows whether the host is in a swarm already; if not, check token and addresses.",
    ),
];

/// What Arcane forbids to everyone: no permission helps.
const FIXED: [Cause; 3] = [
    cause(
        &["cannot be deleted", "cannot be modified", "cannot be updated"],
        Code::InvalidRequest,
        "Arcane itself made that, and it stays as it is",
        "Leave it; `{domain}.list` shows the others, and `{domain}.create` makes new ones.",
    ),
    cause(
        &["managed by your identity provider"],
        Code::InvalidRequest,
        "name and mail address of this account come from the identity provider",
        "Change them there.",
    ),
    cause(
        &["only be updated from the main environment"],
        Code::InvalidRequest,
        "these settings belong to the server, not to one environment",
        "Call again with environmentId `0`.",
    ),
];

/// What a thing that is named inside of a request is called, and the list of its kind.
const NAMED: [(&str, &str); 4] = [
    ("network ", "network.list"),
    ("no such image", "image.list"),
    ("no such volume", "volume.list"),
    ("no such container", "container.list"),
];

pub(super) fn explain(call: &Call, refusal: &Refusal<'_>) -> Option<Failure> {
    let causes: &[Cause] = match refusal.status {
        400 | 409 | 500 => &CAUSES,
        403 => &FIXED,
        _ => return None,
    };
    let text = refusal.detail.to_ascii_lowercase();
    let id = &call.action.id;
    if let Some(cause) = causes.iter().find(|cause| cause.said.iter().any(|phrase| text.contains(phrase))) {
        let failure = Failure::new(cause.code, format!("`{id}` failed: {}.", cause.why));
        return Some(failure.next(cause.next.replace("{domain}", call.action.domain_name())));
    }
    // A new thing has no id to be wrong: what is missing is something it is made of.
    let made = !call.action.path.trim_start_matches("/environments/{environmentId}").contains('{');
    let missing = text.contains("no such ") || text.trim_end_matches('.').ends_with(" not found");
    let list = NAMED.iter().find(|(words, _)| made && missing && text.contains(words))?.1;
    let message = format!("`{id}` failed: it names something that environment `{}` does not have.", environment(call));
    Some(Failure::new(Code::NotFound, message).next(format!("`{list}` lists what there is.")))
}
