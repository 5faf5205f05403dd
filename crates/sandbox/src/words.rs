//! Lifelike values by the name of a property: what a person expects to read under it.

/// Name in lower case, and the values that rows take in turn. Sorted, for the search.
const WORDS: &[(&str, &[&str])] = &[
    ("accentcolor", &["violet"]),
    ("actiontype", &["update", "restart", "redeploy"]),
    ("apikey", &["arc_…"]),
    ("audiences", &["arcane"]),
    ("authmethod", &["anonymous", "credential"]),
    ("author", &["Ada Lovelace"]),
    ("authregistry", &["docker.io", "ghcr.io"]),
    ("authtype", &["none", "http", "ssh"]),
    ("authusername", &["deploy"]),
    ("base", &["172.80.0.0/12"]),
    ("bucket", &["backups"]),
    ("category", &["updates", "maintenance", "monitoring"]),
    ("command", &["/entrypoint.sh"]),
    ("currentstate", &["running", "running", "shutdown"]),
    ("defaultlandingpage", &["dashboard"]),
    ("desiredstate", &["running", "running", "shutdown"]),
    ("endpoint", &["https://s3.example.org"]),
    ("environmenttype", &["local", "agent", "edge"]),
    ("fixedversion", &["3.0.17-1", "1.3.2-1", ""]),
    ("gateway", &["172.20.0.1"]),
    ("goversion", &["go1.25.0"]),
    ("health", &["healthy", "healthy", "starting"]),
    ("httpproxy", &[""]),
    ("httpsproxy", &[""]),
    ("icon", &["settings", "bell", "users"]),
    ("initbinary", &["docker-init"]),
    ("installedversion", &["3.0.15-1", "1.3.1-1", "2.9.14-2"]),
    ("ip", &["0.0.0.0"]),
    ("isolation", &["default"]),
    ("issuerurl", &["https://id.example.org"]),
    ("kernelversion", &["6.12.41"]),
    ("keyprefix", &["arc_5a17", "arc_9b02", "arc_c4e1"]),
    ("keyword", &["update", "image", "schedule"]),
    ("kind", &["scoped", "personal"]),
    ("lastsyncstatus", &["success", "success", "failed"]),
    ("level", &["info", "info", "warn"]),
    ("linktarget", &[""]),
    ("locale", &["en", "de"]),
    ("macaddress", &["02:42:ac:14:00:05"]),
    ("memory", &["512M"]),
    ("method", &["passkey"]),
    ("mode", &["replicated", "global"]),
    ("network", &["backend", "edge"]),
    ("networkmode", &["bridge"]),
    ("nodeversion", &["v24.6.0"]),
    ("nonoproxy", &[""]),
    ("noproxy", &[""]),
    ("operatingsystem", &["Debian GNU/Linux 13"]),
    ("os", &["linux"]),
    ("owner", &["ada"]),
    (
        "permission",
        &[
            "containers:list",
            "containers:start",
            "images:pull",
            "projects:deploy",
        ],
    ),
    ("platform", &["linux/amd64", "linux/arm64"]),
    ("prefix", &["arcane/"]),
    ("propagation", &["rprivate"]),
    ("protocol", &["tcp", "udp"]),
    ("provider", &["local"]),
    ("publishmode", &["ingress", "host"]),
    ("reason", &["scheduled"]),
    ("region", &["eu-central-1"]),
    ("registrytype", &["generic", "ecr"]),
    ("resourcetype", &["container", "image", "project"]),
    ("restartpolicy", &["unless-stopped", "always", "no"]),
    ("role", &["manager", "worker", "worker"]),
    ("rolename", &["Administrator", "Editor", "Viewer"]),
    ("scope", &["local", "swarm"]),
    ("servicename", &["web", "db", "worker"]),
    ("shortrevision", &["4f2a91c"]),
    ("source", &["/srv/data", "/srv/config"]),
    ("sshhostkeyverification", &["accept_new"]),
    ("subjectclaim", &["sub"]),
    ("subnet", &["172.20.0.0/16"]),
    ("sveltekitversion", &["2.37.0"]),
    ("target", &["/data", "/config"]),
    ("targettype", &["container", "project", "project"]),
    ("trigger", &["manual", "scheduled"]),
    (
        "type",
        &[
            "container.start",
            "image.pull",
            "project.deploy",
            "user.login",
        ],
    ),
    ("updatetype", &["digest", "tag", "none"]),
    ("user", &["1000:1000"]),
    ("v2vector", &["AV:N/AC:L/Au:N/C:P/I:P/A:P"]),
    (
        "v3vector",
        &["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"],
    ),
];

/// The value of this property in this row.
pub(crate) fn of(name: &str, row: usize) -> Option<&'static str> {
    let place = WORDS.binary_search_by_key(&name, |(known, _)| known).ok()?;
    let values = WORDS[place].1;
    values.get(row % values.len()).copied()
}

#[cfg(test)]
mod tests {
    #[test]
    fn sorted() {
        assert!(super::WORDS.is_sorted_by_key(|(name, _)| name));
    }
}
