//! Resources, templates, completions, prompts: they follow surface and filters, and what is live passes the gate.

use crate::support::{Session, Upstream};
use serde_json::{Value, json};

fn read(session: &mut Session, uri: &str) -> Value {
    let answer = session.ask("resources/read", json!({ "uri": uri }));
    let contents = &answer["result"]["contents"][0];
    assert_eq!(contents["uri"], uri, "{answer}");
    match contents["mimeType"].as_str() {
        Some("application/json") => serde_json::from_str(contents["text"].as_str().unwrap()).unwrap(),
        _ => contents["text"].clone(),
    }
}

fn refused(session: &mut Session, uri: &str) -> Value {
    let answer = session.ask("resources/read", json!({ "uri": uri }));
    assert!(answer["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{uri}: {answer}");
    answer["error"].clone()
}

fn uris(session: &mut Session) -> Vec<String> {
    let answer = session.ask("resources/list", json!({}));
    let list = answer["result"]["resources"].as_array().unwrap().iter();
    list.map(|resource| resource["uri"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_catalog_is_told_in_the_words_of_the_surface() {
    let ways = [
        ("dynamic", "arcane_execute_action", json!({ "action": "container.restart" })),
        ("meta", "arcane_container", json!({ "action": "restart" })),
        ("individual", "arcane_container_restart", json!({})),
        ("progressive", "run_tool", json!({ "name": "arcane_container_restart" })),
    ];
    for (surface, tool, call) in ways {
        let mut session = Session::start(&["--tool-surface", surface, "--exclude", "swarm.*"], &[]);
        let all = read(&mut session, "arcane://tools");
        let actions = all["actions"].as_array().unwrap();
        assert_eq!((all["surface"].as_str(), all["count"].as_u64()), (Some(surface), Some(actions.len() as u64)));
        let restart = actions.iter().find(|action| action["id"] == "container.restart").unwrap();
        assert_eq!((restart["tool"].as_str(), &restart["call"]), (Some(tool), &call), "{surface}");
        assert_eq!((&restart["mutating"], &restart["destructive"]), (&json!(true), &json!(false)));
        assert!(!actions.iter().any(|action| action["id"].as_str().unwrap().starts_with("swarm.")), "filters hold");
        // Whatever the list says runs: here only as far as the missing address.
        let mut arguments = restart["call"].clone();
        match surface {
            "individual" => arguments["containerId"] = json!("web"),
            "progressive" => arguments["arguments"] = json!({ "containerId": "web" }),
            _ => arguments["params"] = json!({ "containerId": "web" }),
        }
        let result = session.call(tool, arguments);
        assert_eq!(result["structuredContent"]["error"]["code"], "unreachable", "{result}");
        let whole = read(&mut session, "arcane://tools/container.restart");
        for key in ["description", "method", "path", "operationId", "required", "inputSchema", "outputSchema", "related", "tool", "call"] {
            assert!(!whole[key].is_null(), "{key} of {whole}");
        }
        assert!(!whole["related"].to_string().contains("swarm."));
        let removed = read(&mut session, "arcane://tools/swarm.init");
        assert_eq!(removed["removed"], "excluded by swarm.*");
    }
}

#[test]
fn every_listed_resource_can_be_read() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let listed = uris(&mut session);
    assert!(listed.contains(&"arcane://environments/0/containers".to_owned()), "{listed:?}");
    assert!(listed.iter().any(|uri| uri == "arcane://guides/using-arcane"));
    assert!(upstream.requests().is_empty(), "listing sends nothing");
    for uri in listed {
        let content = read(&mut session, &uri);
        assert!(content.to_string().len() > 40, "{uri}: {content}");
    }
    let paths: Vec<_> = upstream.requests().into_iter().map(|request| request.path).collect();
    assert!(paths.contains(&"/api/environments".to_owned()) && paths.contains(&"/api/environments/0/images".to_owned()), "{paths:?}");
}

#[test]
fn live_resources_are_calls() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let containers = read(&mut session, "arcane://environments/0/containers");
    assert!(containers["items"].as_array().is_some_and(|items| items.len() > 5), "{containers}");
    let sent = &upstream.requests()[0];
    assert!(sent.path == "/api/environments/0/containers" && sent.query.contains("limit=500"), "{}", sent.query);
    let asleep = refused(&mut session, &format!("arcane://environments/{}/containers", upstream.sandbox.edge_environment()));
    assert!(asleep["data"]["error"]["next"].is_array(), "{asleep}");
    let hostile = refused(&mut session, "arcane://environments/%2e%2e%2f0/containers");
    assert_eq!(hostile["data"]["error"]["code"], "invalid_arguments");
    let mut narrowed = Session::start(&["--exclude", "container.list"], &upstream.environment());
    upstream.sandbox.clear();
    assert!(!uris(&mut narrowed).iter().any(|uri| uri.ends_with("/containers")));
    assert_eq!(refused(&mut narrowed, "arcane://environments/0/containers")["data"]["error"]["code"], "removed");
    assert!(upstream.requests().is_empty());
}

#[test]
fn addresses_of_nothing_say_what_there_is() {
    let mut session = Session::start(&[], &[]);
    for (uri, hint) in [
        ("arcane://nothing", "arcane://environments"),
        ("arcane://tools/container.restrat", "container.restart"),
        ("arcane://guides/nothing", "using-arcane"),
        ("file:///etc/passwd", "arcane://"),
        ("", "arcane://"),
    ] {
        let error = refused(&mut session, uri);
        assert_eq!(error["code"], -32002, "{uri}: {error}");
        assert!(error["message"].as_str().unwrap().contains(hint), "{uri}: {error}");
    }
}

#[test]
fn placeholders_are_completed() {
    let upstream = Upstream::start();
    let mut session = Session::start(&["--exclude", "container.kill"], &upstream.environment());
    let templates = session.ask("resources/templates/list", json!({}));
    let templates: Vec<_> =
        templates["result"]["resourceTemplates"].as_array().unwrap().iter().map(|one| one["uriTemplate"].clone()).collect();
    assert!(templates.contains(&json!("arcane://tools/{id}")) && templates.contains(&json!("arcane://guides/{guide}")), "{templates:?}");
    let mut complete = |uri: &str, name: &str, value: &str| {
        let params = json!({ "ref": { "type": "ref/resource", "uri": uri }, "argument": { "name": name, "value": value } });
        session.ask("completion/complete", params)["result"]["completion"].clone()
    };
    let ids = complete("arcane://tools/{id}", "id", "container.");
    assert!(
        ids["values"].as_array().unwrap().contains(&json!("container.restart")) && !ids.to_string().contains("container.kill"),
        "{ids}"
    );
    let all = complete("arcane://tools/{id}", "id", "");
    assert_eq!((all["values"].as_array().unwrap().len(), &all["hasMore"]), (100, &json!(true)));
    assert_eq!(complete("arcane://guides/{guide}", "guide", "using")["values"], json!(["using-arcane"]));
    assert!(upstream.requests().is_empty(), "these cost nothing");
    let environments = complete("arcane://environments/{environmentId}/containers", "environmentId", "");
    assert!(environments["values"].as_array().unwrap().contains(&json!("0")), "{environments}");
    for letters in ["0", "00", ""] {
        complete("arcane://environments/{environmentId}/images", "environmentId", letters);
    }
    assert_eq!(upstream.requests().len(), 1, "typing on asks no more");
    assert_eq!(complete("arcane://environments/{environmentId}/containers", "nonsense", "")["values"], json!([]));
    assert_eq!(complete("file:///{environmentId}", "environmentId", "")["values"], json!([]));
    assert_eq!(upstream.requests().len(), 1);
}

#[test]
fn guides_are_prompts() {
    let mut session = Session::start(&["--exclude", "image.list"], &[]);
    let list = session.ask("prompts/list", json!({}));
    let names: Vec<_> = list["result"]["prompts"].as_array().unwrap().iter().map(|prompt| prompt["name"].clone()).collect();
    assert!(names.contains(&json!("using-arcane")));
    let got = session.ask("prompts/get", json!({ "name": "using-arcane", "arguments": { "task": "restart web" } }));
    let text = got["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.ends_with("restart web") && text.starts_with("Not offered by this server: `image.list`"), "{text}");
    assert_eq!(session.ask("prompts/get", json!({ "name": "nothing" }))["error"]["code"], -32602);
}

#[test]
fn instructions_say_what_is_fenced_and_what_guides_there_are() {
    for surface in ["dynamic", "meta", "individual", "progressive"] {
        let options = ["--tool-surface", surface, "--environments", "0,a", "--read-only-environments", "a", "serve", "--confirm", "human"];
        let mut session = Session::silent(&options, &[]);
        let hello = session.ask(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } }),
        );
        let text = hello["result"]["instructions"].as_str().unwrap();
        assert!(text.chars().count() <= 2_000, "{surface}: {}", text.chars().count());
        for word in ["confirm: true", "using-arcane", "may be named: 0, a", "run in: a", "The user is asked"] {
            assert!(text.contains(word), "{surface} says {word}: {text}");
        }
        // Where there is a search it names the guides that fit.
        assert_eq!(text.contains("free-disk-space"), ["meta", "individual"].contains(&surface), "{surface}: {text}");
    }
}

#[test]
fn the_skill_is_one_file_with_its_digest() {
    let mut session = Session::start(&[], &[]);
    let list = session.ask("skills/list", json!({}));
    let skill = &list["result"]["skills"][0];
    assert_eq!((&skill["uri"], &skill["frontmatter"]["name"]), (&json!("skill://using-arcane/SKILL.md"), &json!("using-arcane")), "{list}");
    let text = read(&mut session, "skill://using-arcane/SKILL.md");
    let text = text.as_str().unwrap();
    assert!(text.starts_with("---\nname: using-arcane\n"), "{text}");
    let file = &skill["resources"][0];
    assert_eq!(file["size"], text.len(), "{skill}");
    let got = session.ask("skills/get", json!({ "uri": "skill://using-arcane/SKILL.md" }));
    assert_eq!(&got["result"]["skill"], skill);
    assert_eq!(refused(&mut session, "skill://other/SKILL.md")["code"], -32002);
}

#[test]
fn models_without_resources_reach_guides_through_tools() {
    let readers = [
        ("dynamic", "arcane_find_action", json!({ "query": "using-arcane" })),
        ("meta", "arcane_container", json!({ "action": "describe", "params": { "action": "using-arcane" } })),
        ("progressive", "describe_tool", json!({ "name": "using-arcane" })),
    ];
    for (surface, tool, arguments) in readers {
        let mut session = Session::start(&["--tool-surface", surface], &[]);
        let shown = session.call(tool, arguments);
        assert_eq!(shown["isError"], false);
        assert!(shown["content"][0]["text"].as_str().unwrap().contains("Every operation is an action"), "{surface}: {shown}");
        assert!(shown["structuredContent"].to_string().contains("Every operation is an action"), "{surface}");
    }
    let mut session = Session::start(&[], &[]);
    let found = session.call("arcane_find_action", json!({ "query": "free up disk space" }));
    assert_eq!(found["structuredContent"]["guides"][0]["name"], "free-disk-space", "{found}");
    assert!(found["content"][0]["text"].as_str().unwrap().contains("free-disk-space"));
    let other = session.call("arcane_find_action", json!({ "query": "restart container" }));
    assert!(other["structuredContent"]["guides"].is_null(), "{other}");
}
