//! The parts of a call, each alone and in process: searching, projecting a list, checking arguments, showing an answer, writing a list.
//! `cargo bench --bench parts`; with `-- NAME` only those whose name holds it.

use callslip::answer::{Answer, Content};
use callslip::app::App;
use callslip::call::{Call, Own};
use callslip::catalog::Catalog;
use callslip::cli::Cli;
use callslip::config::Config;
use callslip::rows::Rows;
use callslip::surface::Find;
use callslip::{find, page, params, render, transport};
use callslip_catalog::project::Surface;
use clap::Parser;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rmcp::RoleServer;
use rmcp::model::{ListToolsResult, RequestId, ServerJsonRpcMessage, ServerResult, Tool};
use rmcp::transport::Transport;
use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

fn app(words: &[&str]) -> App {
    let options = Cli::parse_from(["callslip"].iter().chain(words)).options;
    let catalog = Catalog::embedded().expect("the catalog");
    let config = Config::resolve(&options, catalog.api(), &|_| None).expect("options");
    App::new(catalog, config).expect("an app")
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn finds(criterion: &mut Criterion) {
    let app = app(&[]);
    let queries = ["restart a container", "docker compose logs -f web", "who changed the settings", "free disk space", "contaner.lst"];
    let mut turn = queries.iter().cycle();
    criterion.bench_function("find/search", |bencher| {
        bencher.iter(|| black_box(app.catalog.index().search(turn.next().copied().unwrap_or_default(), 10, |_| true)));
    });
    criterion.bench_function("find/answer", |bencher| {
        bencher.iter(|| {
            let query = turn.next().copied().unwrap_or_default().to_owned();
            black_box(find::found(&app, &Find { query, toolset: None, offset: 0, limit: 10, tool_names: false }).is_ok())
        });
    });
}

fn projects(criterion: &mut Criterion) {
    let catalog = Catalog::embedded().expect("the catalog");
    for (name, surface) in Surface::NAMES {
        criterion.bench_function(&format!("project/whole {name}"), |bencher| bencher.iter(|| black_box(catalog.project(surface))));
    }
    for words in [
        &["--tool-surface", "individual"][..],
        &["--tool-surface", "individual", "--read-only"],
        &["--tool-surface", "meta", "--exclude", "swarm.*"],
    ] {
        criterion.bench_function(&format!("project/list {}", words[1..].join(" ")), |bencher| {
            bencher.iter_batched(|| app(words), |app| black_box(app.tool_pieces().map(<[_]>::len)), BatchSize::LargeInput);
        });
    }
}

fn validates(criterion: &mut Criterion) {
    let app = app(&[]);
    let cases = [
        ("container.list", json!({ "limit": 25, "search": "web" })),
        (
            "container.create",
            json!({
                "image": "nginx:1.27", "name": "web", "environment": ["A=b", "C=d"], "volumes": ["data:/data"],
                "hostConfig": { "portBindings": { "80/tcp": [{ "hostPort": "8080" }] } }
            }),
        ),
    ];
    for (id, given) in cases {
        let action = app.catalog.action(app.catalog.number(id).expect("an action")).expect("whole");
        let given = object(&given);
        criterion.bench_function(&format!("validate/{id}"), |bencher| {
            bencher.iter(|| {
                let given = params::Given { arguments: given.clone(), as_text: false, beside: Vec::new() };
                black_box(params::check(app.api(), &action, given, &|_| None).is_ok())
            });
        });
    }
}

/// Containers as a Docker host lists them.
fn containers(count: usize) -> Value {
    let row = |number: usize| {
        json!({
            "id": format!("{number:064x}"), "names": [format!("/service-{number}")], "image": "registry.example/team/service:1.27.3",
            "imageId": format!("sha256:{number:064x}"), "command": "/docker-entrypoint.sh serve --port 8080", "created": 1_760_000_000 + number,
            "ports": [{ "ip": "0.0.0.0", "privatePort": 80, "publicPort": 8000 + number, "type": "tcp" }],
            "labels": { "com.docker.compose.project": "shop", "com.docker.compose.service": format!("service-{number}"), "maintainer": "ops" },
            "state": "running", "status": "Up 3 days (healthy)", "hostConfig": { "networkMode": "shop_default" },
            "networkSettings": { "networks": { "shop_default": { "ipAddress": "172.18.0.4", "gateway": "172.18.0.1", "macAddress": "02:42:ac:12:00:04" } } },
            "mounts": [{ "type": "volume", "name": "data", "source": "/var/lib/docker/volumes/data/_data", "destination": "/data", "rw": true }]
        })
    };
    let rows: Vec<_> = (0..count).map(row).collect();
    json!({ "success": true, "data": rows, "pagination": { "totalPages": 1, "totalItems": count, "currentPage": 1, "itemsPerPage": count } })
}

fn renders(criterion: &mut Criterion) {
    let app = app(&[]);
    let number = app.catalog.number("container.list").expect("an action");
    let action = app.catalog.action(number).expect("whole");
    let mut arguments = Map::new();
    page::prepare(app.api(), &action, &mut arguments);
    let call = Call { number, action, arguments, as_text: false, beside: Vec::new(), own: Own::default(), notes: Vec::new() };
    for count in [13, 500] {
        let rows = Rows::find(containers(count).to_string(), "data").expect("a list");
        criterion.bench_function(&format!("render/container.list of {count} rows"), |bencher| {
            bencher.iter_batched(
                || rows.clone(),
                |rows| {
                    black_box(render::outcome(
                        render::Setting::of(app.api()),
                        &call,
                        Answer { status: 200, body: Content::Rows(rows), notes: Vec::new() },
                    ))
                },
                BatchSize::SmallInput,
            );
        });
    }
}

/// The whole list of `individual` as the transport writes it, and as the SDK writes it from its own types.
fn encodes(criterion: &mut Criterion) {
    let app = Arc::new(app(&["--tool-surface", "individual"]));
    let list = app.tool_list().expect("a list");
    let typed: Vec<Tool> = serde_json::from_slice(&list).expect("tools");
    let answer = |tools| {
        let result = ServerResult::ListToolsResult(ListToolsResult { tools, ..ListToolsResult::default() });
        ServerJsonRpcMessage::response(result, RequestId::Number(1))
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    criterion.bench_function("encode/tools list, compiled bytes", |bencher| {
        let mut lines = runtime
            .block_on(async { transport::Lines::new(tokio::io::empty(), tokio::io::sink(), Arc::clone(&app), CancellationToken::new()) });
        bencher.iter(|| runtime.block_on(Transport::<RoleServer>::send(&mut lines, answer(Vec::new()))).is_ok());
    });
    criterion.bench_function("encode/tools list, typed", |bencher| {
        bencher.iter(|| serde_json::to_vec(&answer(typed.clone())).map(|line| line.len()).ok());
    });
}

criterion_group!(parts, finds, projects, validates, renders, encodes);
criterion_main!(parts);
