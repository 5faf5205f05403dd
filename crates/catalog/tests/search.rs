//! What the search promises whatever the catalog: names first, command lines, absent requests, no destructive surprise, mended
//! typos, filters, the same answer every time, and no panic on damaged bytes.

use callslip_catalog::index::{Answer, Confidence, Document, Index, Parameter, Safety, build};
use callslip_catalog::lexicon::{Lexicon, Program, Target};

fn document(id: &'static str, operation: &'static str, title: &'static str, safety: Safety) -> Document<'static> {
    Document { id, operation, title, safety, domain: id.split('.').next().unwrap_or_default(), ..Document::default() }
}

fn documents() -> Vec<Document<'static>> {
    let mut all = vec![
        document("container.list", "list-containers", "List containers", Safety::Read),
        document("container.get", "get-container", "Inspect container", Safety::Read),
        document("container.restart", "restart-container", "Restart container", Safety::Write),
        document("container.delete", "delete-container", "Delete container", Safety::Destructive),
        document("system.stop_all", "stop-all-containers", "Stop every container", Safety::Destructive),
        document("image.list", "list-images", "List images", Safety::Read),
        document("image.pull", "pull-image", "Pull image", Safety::Write),
        document("project.up", "deploy-project", "Bring project up", Safety::Write),
        document("project.redeploy", "redeploy-project", "Redeploy project", Safety::Destructive),
        document("volume.list", "list-volumes", "List volumes", Safety::Read),
        document("updater.run", "autoupdate", "Run autoupdate", Safety::Write),
    ];
    all[0].description = "Which containers are running on a host, with state and ports.";
    all[2].aliases = vec!["docker restart", "bounce"];
    all[4].description = "Every running container on a host is stopped right now.";
    all[6].parameters = vec![Parameter { name: "platform", description: "processor architecture", values: vec!["arm64", "amd64"] }];
    all
}

fn lexicon() -> Lexicon {
    let mut lexicon = Lexicon::general();
    lexicon.name = "arcane".into();
    let also = vec![("podman".into(), "docker".into()), ("docker-compose".into(), "docker compose".into())];
    lexicon.program(Program { name: "docker".into(), also, valued: vec!["-f".into(), "--context".into()] });
    lexicon.command("docker ps", Target::Action("container.list".into()));
    lexicon.command("docker compose up", Target::Action("project.up".into()));
    lexicon.command("docker compose up --force-recreate", Target::Action("project.redeploy".into()));
    let absent = lexicon.absent(["docker cp", "copy files into a container"]);
    lexicon.command("docker container cp", Target::Absent(absent));
    lexicon.synonym("box", ["container"]);
    lexicon
}

struct Search {
    bytes: Vec<u8>,
    ids: Vec<&'static str>,
}

impl Search {
    fn new() -> Self {
        let documents = documents();
        Self { bytes: build(&documents, &lexicon()), ids: documents.iter().map(|document| document.id).collect() }
    }

    fn ask(&self, query: &str) -> Answer {
        Index::open(&self.bytes).expect("an index just built").search(query, 10, |_| true)
    }

    fn first(&self, query: &str) -> &'static str {
        self.ask(query).hits.first().map_or("", |hit| self.ids[hit.document as usize])
    }
}

#[test]
fn a_name_is_always_first() {
    let search = Search::new();
    for name in [
        "container.delete",
        "container_delete",
        "arcane_container_delete",
        "arcane_container.delete",
        "delete-container",
        "Container.Delete",
    ] {
        assert_eq!(search.first(name), "container.delete", "{name}");
    }
    assert_eq!(search.first("please run container.delete on web"), "container.delete");
    assert_eq!(search.ask("container.delete").confidence, Confidence::High);
}

#[test]
fn command_lines_are_understood_with_their_flags() {
    let search = Search::new();
    for line in [
        "docker ps",
        "docker ps -a --filter status=exited",
        "podman ps --latest",
        "sudo docker --context prod ps",
        "$ docker ps | grep web",
    ] {
        assert_eq!(search.first(line), "container.list", "{line}");
    }
    assert_eq!(search.first("docker-compose -f other.yml up -d"), "project.up");
    assert_eq!(search.first("docker compose up -d --force-recreate"), "project.redeploy");
    assert_eq!(search.first("docker restart web"), "container.restart");
    let both = search.ask("docker compose up && docker ps");
    let ids: Vec<_> = both.hits.iter().take(2).map(|hit| search.ids[hit.document as usize]).collect();
    assert_eq!(ids, ["project.up", "container.list"]);
}

#[test]
fn what_nothing_serves_is_said() {
    let search = Search::new();
    for query in ["docker cp a.txt web:/tmp", "docker container cp web:/a .", "copy files into a container"] {
        let answer = search.ask(query);
        assert_eq!((answer.absent, answer.confidence), (Some(0), Confidence::None), "{query}");
        assert!(answer.hits.iter().all(|hit| (hit.document as usize) < search.ids.len()), "an absent entry is no hit");
    }
    let answer = search.ask("weather in tokyo");
    assert_ne!(answer.confidence, Confidence::High);
    assert!(answer.unknown.contains(&"weather".to_owned()), "{answer:?}");
}

#[test]
fn nothing_destructive_comes_first_unasked() {
    let search = Search::new();
    for query in ["which containers are running right now?", "every running container on a host", "project"] {
        let answer = search.ask(query);
        let first = answer.hits.first().map(|hit| documents()[hit.document as usize].safety);
        assert_ne!(first, Some(Safety::Destructive), "{query}");
    }
    for query in ["delete container", "remove container", "delte container", "erase the container"] {
        assert_eq!(search.first(query), "container.delete", "{query}");
    }
}

#[test]
fn words_are_mended_joined_and_cut() {
    let search = Search::new();
    assert_eq!(search.first("retsart contianer"), "container.restart");
    assert_eq!(search.first("pul image"), "image.pull");
    assert_eq!(search.first("auto update"), "updater.run");
    assert_eq!(search.first("bounce the box"), "container.restart");
    assert_eq!(search.first("img ls"), "image.list");
}

#[test]
fn ties_go_to_the_safer_action_then_to_the_id() {
    let same = |id, safety| document(id, id, "Frobnicate gadget", safety);
    let all = [same("b.x", Safety::Write), same("c.x", Safety::Read), same("a.x", Safety::Destructive), same("a.y", Safety::Read)];
    let bytes = build(&all, &Lexicon::general());
    let answer = Index::open(&bytes).expect("an index just built").search("frobnicate", 10, |_| true);
    let ids: Vec<_> = answer.hits.iter().map(|hit| all[hit.document as usize].id).collect();
    assert_eq!(ids, ["a.y", "c.x", "b.x", "a.x"]);
}

/// Four answers to the first wish hide none to the second.
#[test]
fn a_long_request_gets_something_for_each_of_its_wishes() {
    let wine = |id| document(id, id, "Search red wine bottle offers of a cellar", Safety::Read);
    let mut all = vec![wine("wine.a"), wine("wine.b"), wine("wine.c"), wine("wine.d")];
    all.push(document("court.book", "book-court", "Book tennis court in a hall of the club for members", Safety::Write));
    all.extend((0..40).map(|_| document("other.x", "other", "Paint garden fence", Safety::Write)));
    let bytes = build(&all, &Lexicon::general());
    let ask = |query: &str| -> Vec<_> {
        let answer = Index::open(&bytes).expect("an index just built").search(query, 3, |_| true);
        assert!(answer.hits.is_sorted_by(|one, next| one.score >= next.score), "{answer:?}");
        answer.hits.iter().map(|hit| all[hit.document as usize].id).collect()
    };
    assert_eq!(ask("search red wine bottle offers of a cellar, then book a tennis court"), ["wine.a", "court.book", "wine.b"]);
    assert_eq!(ask("search red wine bottle offers"), ["wine.a", "wine.b", "wine.c"]);
}

#[test]
fn filters_hold_for_names_and_commands_too() {
    let search = Search::new();
    let index = Index::open(&search.bytes).expect("an index just built");
    for query in ["container.list", "docker ps", "list containers"] {
        let answer = index.search(query, 10, |number| number != 0);
        assert!(answer.hits.iter().all(|hit| hit.document != 0), "{query}");
    }
    assert!(index.search("list containers", 10, |_| false).hits.is_empty());
    assert_eq!(index.search("list containers", 2, |_| true).hits.len(), 2);
}

#[test]
fn another_language_is_noticed() {
    let search = Search::new();
    for query in ["zeige alle laufenden container", "reiniciar el contenedor", "перезапусти контейнер", "コンテナを再起動"]
    {
        assert!(search.ask(query).non_english, "{query}");
    }
    for query in ["show all running containers", "restart nginx", "app ver", "list the containers en masse"] {
        assert!(!search.ask(query).non_english, "{query}");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes_and_answers() {
    let (one, other) = (Search::new(), Search::new());
    assert_eq!(one.bytes, other.bytes);
    assert_eq!(one.ask("restart the web container"), other.ask("restart the web container"));
}

#[test]
fn scores_can_be_explained() {
    let search = Search::new();
    let index = Index::open(&search.bytes).expect("an index just built");
    let answer = index.search("restart my containers", 1, |_| true);
    let explained = index.explain("restart my containers", answer.hits[0].document).expect("both words are in it");
    assert_eq!(explained.parts.len(), 2);
    assert!((explained.score - answer.hits[0].score).abs() < 0.01 * explained.score, "{explained:?}");
}

#[test]
fn nonsense_and_damage_do_no_harm() {
    let search = Search::new();
    let long = "docker ".repeat(500) + &"x".repeat(5000);
    for query in ["", " ", "-", "docker", "docker -f", "&&", "''s", "the of a", "\u{0}\u{fffd}", "ÄÖÜ ß İ", long.as_str()] {
        let _ = search.ask(query);
    }
    assert!(Index::open(&[]).is_err());
    for cut in (0..search.bytes.len()).step_by(1997) {
        if let Ok(index) = Index::open(&search.bytes[..cut]) {
            let _ = index.search("restart the contianer", 5, |_| true);
        }
    }
    for at in (0..search.bytes.len()).step_by(499) {
        let mut damaged = search.bytes.clone();
        damaged[at] ^= 0x5a;
        if let Ok(index) = Index::open(&damaged) {
            let _ = index.search("docker ps && restart the contianer box", 5, |_| true);
            let _ = index.explain("restart the contianer box", 2);
        }
    }
}
