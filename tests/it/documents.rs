//! What the documents tell people to type: every option and variable in them exists, the compose file is one, its server starts with the
//! tenants file beside it.

use crate::http::served::{Folder, Served, block_on, token, with_key};
use crate::support::run;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use yaml_rust2::{Yaml, YamlLoader};

/// Options of other programs that the documents name.
const OTHERS: [&str; 17] = [
    // cargo, make's helpers, Redis
    "--path",
    "--features",
    "--example",
    "--workspace",
    "--all-targets",
    "--appendonly",
    // audit_tokens
    "--write",
    "--check",
    "--command",
    "--url",
    "--compare",
    "--html",
    "--budget",
    // docker and compose in examples of searches
    "--force",
    "--scale",
    "--rotate",
    "--context",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every page for people.
fn pages() -> Vec<(PathBuf, String)> {
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages: Vec<_> = docs.chain(["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|name| root().join(name))).collect();
    let pages = pages.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "md"));
    pages.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// Words of a text that begin with `start`, of letters that `part` takes.
fn words<'t>(text: &'t str, start: &'t str, part: fn(char) -> bool) -> impl Iterator<Item = &'t str> {
    text.match_indices(start).filter_map(move |(place, _)| {
        let before = text[..place].chars().next_back();
        let rest = &text[place..];
        let end = rest[start.len()..].find(|letter| !part(letter)).map_or(rest.len(), |end| end + start.len());
        (end > start.len() && before.is_none_or(|letter| !letter.is_alphanumeric() && letter != '-' && letter != '_')).then(|| &rest[..end])
    })
}

fn options(text: &str) -> BTreeSet<String> {
    words(text, "--", |letter| letter.is_ascii_lowercase() || letter == '-')
        .map(|word| word.trim_end_matches('-').to_owned())
        .filter(|word| word.len() > 2)
        .collect()
}

/// What `callslip --help` and its commands list.
fn known() -> BTreeSet<String> {
    let commands = [&[][..], &["serve"], &["token", "new"], &["find"], &["show"], &["call"], &["tools"], &["demo"], &["doctor"], &["eval"]];
    commands
        .into_iter()
        .flat_map(|command| {
            let (code, help, said) = run(&[command, &["--help"]].concat(), &[]);
            assert_eq!(code, 0, "{command:?}: {said}");
            options(&help)
        })
        .collect()
}

#[test]
fn every_option_in_the_documents_exists() {
    let known = known();
    assert!(known.contains("--quota-store") && known.contains("--save-to"), "{known:?}");
    let mut unknown = Vec::new();
    for (path, text) in pages() {
        // The page of all actions is generated, and quotes what operators type into Docker.
        if path.ends_with("actions.md") {
            continue;
        }
        for option in options(&text) {
            if !known.contains(&option) && !OTHERS.contains(&&*option) {
                unknown.push(format!("{}: {option}", path.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn every_variable_in_the_documents_exists() {
    let mut variables: BTreeSet<String> =
        known().iter().map(|option| option.trim_start_matches('-').replace('-', "_").to_uppercase()).collect();
    for secret in ["SERVER_KEY", "METRICS_TOKEN"] {
        variables.extend([secret.to_owned(), format!("{secret}_FILE")]);
    }
    variables.insert("STATE_KEY".into());
    for (path, text) in pages() {
        for word in words(&text, "ARCANE_MCP_", |letter| letter.is_ascii_uppercase() || letter == '_') {
            let name = &word["ARCANE_MCP_".len()..];
            assert!(variables.contains(name), "{}: {word}", path.display());
        }
    }
}

/// The first fenced block in that language that holds `part`.
fn block<'t>(text: &'t str, language: &str, part: &str) -> &'t str {
    let open = format!("```{language}\n");
    let blocks = text.split(&open).skip(1).filter_map(|rest| Some(rest.split_once("\n```")?.0));
    blocks.into_iter().find(|block| block.contains(part)).unwrap_or_else(|| panic!("no {language} block with {part}"))
}

#[test]
fn the_compose_file_starts_servers() {
    let page = std::fs::read_to_string(root().join("docs/scaling.md")).unwrap();
    let compose = &YamlLoader::load_from_str(block(&page, "yaml", "services:")).unwrap()[0];
    let services = &compose["services"];
    let service = &services["callslip"];
    assert_eq!(service["deploy"]["replicas"].as_i64(), Some(3));
    let names = |list: &Yaml| list.as_vec().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect::<Vec<_>>();
    for secret in names(&service["secrets"]) {
        assert!(!compose["secrets"][secret.as_str()].is_badvalue(), "the secret {secret} is not declared");
    }
    for service in names(&services["balancer"]["depends_on"]) {
        assert!(!services[service.as_str()].is_badvalue(), "no service {service}");
    }
    let balancer = services["balancer"]["networks"]["inside"]["ipv4_address"].as_str().unwrap();
    assert!(
        compose["networks"]["inside"]["ipam"]["config"][0]["subnet"]
            .as_str()
            .is_some_and(|net| net.starts_with(&balancer[..balancer.rfind('.').unwrap()]))
    );
    // Whatever is read from a secret or by the balancer is there to be read.
    let tenants = block(&page, "toml", "[workspaces.acme]");
    let variables = service["environment"].as_hash().unwrap().values().map(|value| value.as_str().unwrap()).collect::<Vec<_>>().join("\n");
    let declared = names(&service["secrets"]);
    for path in words(&format!("{tenants}\n{variables}"), "/run/secrets/", |letter| letter.is_ascii_lowercase() || letter == '-') {
        let name = &path["/run/secrets/".len()..];
        assert!(declared.iter().any(|secret| secret == name), "{path} is no secret of the service");
    }
    let mounted = names(&services["balancer"]["volumes"]);
    for line in block(&page, "nginx", "ssl_certificate").lines().filter(|line| line.trim().starts_with("ssl_certificate")) {
        let path = line.trim().trim_end_matches(';').split(' ').next_back().unwrap();
        let there = mounted.iter().filter_map(|volume| volume.split(':').nth(1)).any(|target| path.starts_with(target));
        assert!(there, "{path} is not mounted");
    }
    let command = names(&service["command"]);
    assert!(command.windows(2).any(|pair| pair[0] == "--trusted-proxy" && pair[1] == balancer));

    // The same command and variables, with this machine's places for those of the container.
    let folder = Folder::new("compose");
    let (held, entry) = token("ci", "acme", "write", "");
    let digest = entry.lines().find(|line| line.starts_with("digest")).unwrap();
    let secret = folder.write("secret", "a-secret-of-more-than-thirty-two-letters");
    let tenants: Vec<_> = tenants.lines().map(|line| if line.starts_with("digest") { digest } else { line }).collect();
    let tenants = folder.write("tenants.toml", &tenants.join("\n").replace("/run/secrets/acme-key", &secret));
    let arguments: Vec<_> = command
        .iter()
        .map(|word| match word.as_str() {
            "0.0.0.0:8080" => "127.0.0.1:0",
            "/etc/callslip/tenants.toml" => &tenants,
            other => other,
        })
        .collect();
    let environment = service["environment"].as_hash().unwrap().iter().map(|(name, value)| {
        let value = value.as_str().unwrap();
        let value = if value.starts_with("/run/secrets/") { secret.clone() } else { value.to_owned() };
        (name.as_str().unwrap().to_owned(), value)
    });
    let mut environment: Vec<_> = environment.collect();
    environment.retain(|(name, _)| name != "ARCANE_MCP_SERVER_KEY_FILE");
    // `Served` says where to listen itself.
    let place = arguments.iter().position(|word| *word == "--http").unwrap();
    let arguments = [&arguments[..place], &arguments[place + 2..]].concat();
    let served = Served::start(&arguments, &with_key(environment));
    block_on(async {
        let client = served.client(&[("authorization", &format!("Bearer {held}")), ("host", "mcp.example.com")]);
        assert_eq!(client.tools().await, ["arcane_find_action", "arcane_execute_action"]);
    });
}
