//! `callslip import` and a document given to `--catalog`: facts of the document, in the catalog's rules, nothing dropped in silence.

use crate::projection::is_portable;
use crate::support::{Session, run};
use callslip::catalog::Catalog;
use callslip::import::{Imported, text_of};
use callslip_catalog::model::{Action, Auth, BodyType, Kind, Place, Shape};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

const PETSHOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/import/petshop.yaml");

fn petshop() -> Imported {
    text_of(&fs::read_to_string(PETSHOP).unwrap()).unwrap()
}

fn action<'i>(imported: &'i Imported, id: &str) -> &'i Action<'static> {
    let ids: Vec<_> = imported.checked.actions.iter().map(|action| &*action.id).collect();
    imported.checked.actions.iter().find(|action| action.id == id).unwrap_or_else(|| panic!("{id} in {ids:?}"))
}

fn schema(action: &Action<'_>, name: &str) -> Value {
    let param = action.param(name).unwrap_or_else(|| panic!("{name} of {}", action.id));
    serde_json::from_str(&param.schema).unwrap()
}

fn place<'a>(action: &'a Action<'_>, name: &str) -> (&'a str, Place<'a>, bool) {
    let param = action.param(name).unwrap_or_else(|| panic!("{name} of {}", action.id));
    (&param.wire, param.place.clone(), param.required)
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("import-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn what_is_true_of_the_whole_document() {
    let api = &petshop().checked.api;
    assert_eq!((&*api.name, &*api.title, &*api.base_path), ("petshop", "The Petshop API", "/live/v2"));
    assert_eq!(api.about, "Pets, their photos and who buys them. Everything else is far away");
    assert!(api.repeat_arrays);
    let credentials: Vec<_> = api.credentials.iter().map(|known| (&*known.variable, &*known.header, &*known.scheme)).collect();
    assert_eq!(credentials, [("TOKEN", "Authorization", "Bearer")], "OAuth and Bearer are one, a key in the query is none");
    let pets = api.toolsets.iter().find(|toolset| toolset.name == "pets").expect("a toolset a tag");
    assert_eq!(pets.line, "Animals in the shop.");
}

#[test]
fn every_operation_is_an_action_or_is_reported() {
    let imported = petshop();
    let found: Vec<_> = imported.checked.actions.iter().map(|action| (&*action.id, &*action.operation, action.kind.name())).collect();
    let expected = [
        ("gr_en.liste", "größenListe", "read"),
        ("pets.list", "listPets", "read"),
        ("pets.create", "createPet", "write"),
        ("pets.get", "getPet", "read"),
        ("pets.update", "updatePet", "write"),
        ("pets.delete", "deletePet", "destructive"),
        ("pets.get_photo", "GET /pets/{action}/photo", "read"),
        ("pets.create_photo", "POST /pets/{action}/photo", "write"),
        ("search.search", "search", "read"),
        ("trees.set", "PUT /v2/trees/{node}", "write"),
    ];
    for wanted in &expected {
        assert!(found.contains(wanted), "{wanted:?} in {found:#?}");
    }
    assert_eq!(found.len(), 11, "{found:#?}");
    let notes: Vec<_> = imported.notes.iter().map(ToString::to_string).collect();
    for expected in [
        "left out: OPTIONS /search",
        "left out: GET /strange?mode=1",
        "left out: GET /locked: `seat` travels as a cookie",
        "left out: /elsewhere",
        "left out: the document: webhooks",
        "simplified: the document: the credential \"key\" travels as a query",
        "simplified: the document: servers have several base paths",
        "simplified: GET /pets: `session` travels as a cookie",
        "simplified: GET /pets: `codes` is a list that is sent as one text",
        "simplified: POST /pets: its body is sent as application/json, not as application/xml",
        "simplified: POST /pets: `owner`: the reference missing.yaml#/Owner leads nowhere",
        "simplified: POST /pets: `colours`: it may be string or array; only array is offered",
        "simplified: POST /pets: `born`: its default is not told",
        "simplified: POST /pets: `tree`: it holds itself",
        "simplified: POST /pets: `broken`: its pattern",
        "simplified: POST /pets: `anything`: its type is not stated",
        "simplified: POST /pets: `odd`: its property \"a b\"",
        "simplified: PATCH /pets/{pet-id}: its body: it has 2 forms",
        "simplified: DELETE /pets/{pet-id}: `x-callslip-kind`",
        "simplified: POST /pets/{action}/photo: the operationId \"createPet\" stands twice",
        "simplified: POST /pets/{action}/photo: `rest` is a part",
        "simplified: GET /pets/{action}/photo: the document does not state `action`",
        "simplified: PUT /v2/trees/{node}: the document does not state `node`",
    ] {
        assert!(notes.iter().any(|note| note.starts_with(expected)), "{expected} in {notes:#?}");
    }
    assert_eq!(imported.left_out(), 5, "{notes:#?}");
}

#[test]
fn parameters_travel_as_the_document_says() {
    let imported = petshop();
    let list = action(&imported, "pets.list");
    assert_eq!(place(list, "filter_name"), ("filter[name]", Place::Query, false));
    assert_eq!(place(list, "price_from"), ("price[from]", Place::Query, false));
    assert_eq!(place(list, "query_fields"), ("fields", Place::Query, false), "a word of ours");
    assert_eq!(place(list, "X-Trace-Id"), ("X-Trace-Id", Place::Header, false));
    assert_eq!(schema(list, "limit"), json!({ "type": "integer", "minimum": 1, "maximum": 100 }));
    assert_eq!(schema(list, "tags"), json!({ "type": "array", "items": { "type": "string", "enum": ["cat", "dog"] } }));
    assert_eq!(schema(list, "query_fields"), json!({ "type": "string" }), "a description that says the name is none");
    assert!(list.param("Authorization").is_none() && list.param("session").is_none());
    assert_eq!(list.description, "Lists all pets. See the guide for more. This goes on and on.");
    let get = action(&imported, "pets.get");
    assert_eq!((&*get.path, place(get, "pet-id")), ("/pets/{pet-id}", ("pet-id", Place::Path, true)));
    assert_eq!(schema(get, "pet-id"), json!({ "type": "integer" }));
    let update = action(&imported, "pets.update");
    assert_eq!(schema(update, "pet-id"), json!({ "type": "string", "description": "such as 12" }), "the operation's own");
    let photo = action(&imported, "pets.create_photo");
    assert_eq!(photo.path, "/pets/{path_action}/photo");
}

#[test]
fn bodies_are_flattened() {
    let imported = petshop();
    let create = action(&imported, "pets.create");
    assert_eq!(create.body, BodyType::Json);
    assert!(create.param("id").is_none(), "only answers have it");
    assert_eq!(schema(create, "name"), json!({ "type": "string", "minLength": 1, "maxLength": 40 }));
    assert_eq!(schema(create, "kind"), json!({ "type": "string", "enum": ["cat", "dog"] }));
    assert_eq!(place(create, "body_params"), ("params", Place::Body, true), "a word of ours");
    assert_eq!(schema(create, "weight"), json!({ "type": "number" }));
    assert_eq!(schema(create, "count"), json!({ "type": "integer", "minimum": 0, "default": 3 }));
    let tree = schema(create, "tree");
    assert_eq!(tree["properties"]["children"]["items"]["type"], "object", "recursion is cut: {tree}");
    let update = action(&imported, "pets.update");
    assert_eq!(schema(update, "op"), json!({ "type": "string", "enum": ["rename", "reprice"] }));
    assert_eq!((place(update, "op").2, place(update, "price").2), (true, false), "required is what every form requires");
    let photo = action(&imported, "pets.create_photo");
    assert_eq!(photo.body, BodyType::Multipart);
    assert_eq!(place(photo, "photo"), ("photo", Place::FilePart, true));
    assert_eq!(place(photo, "more").1, Place::FilesPart);
    assert_eq!(place(photo, "caption").1, Place::TextPart);
    assert_eq!(place(photo, "place").1, Place::JsonPart("details".into()));
    assert_eq!(place(photo, "body_caption"), ("caption", Place::JsonPart("details".into()), false), "two of one name");
    let search = imported.checked.actions.iter().find(|action| action.operation == "search").unwrap();
    assert_eq!((search.body, search.auth, search.kind), (BodyType::Form, Auth::None, Kind::Read));
    let raw = imported.checked.actions.iter().find(|action| action.path == "/raw").unwrap();
    assert_eq!((raw.body, place(raw, "content").1), (BodyType::Bytes, Place::Whole));
    assert!(raw.tool_name("petshop").len() <= 46, "{}", raw.id);
}

#[test]
fn answers_have_their_shape() {
    let imported = petshop();
    let list = action(&imported, "pets.list");
    let paging = &imported.checked.api.paging[usize::from(list.returns.paging.expect("a style"))];
    assert_eq!((&*paging.limit, &*paging.total), ("limit", "meta.total"));
    assert!(format!("{:?}", paging.style).contains("meta.next_cursor"), "{paging:?}");
    assert_eq!((&*list.returns.items, &*list.returns.item), ("data", "pets.get"));
    assert_eq!(
        list.returns.columns,
        ["id", "name", "status"].map(std::borrow::Cow::from).iter().chain(&["parent".into()]).cloned().collect::<Vec<_>>()
    );
    let shapes = |id: &str| action(&imported, id).returns.shape;
    assert_eq!(shapes("pets.get"), Shape::Object);
    assert_eq!(shapes("pets.delete"), Shape::Empty);
    assert_eq!(shapes("pets.create_photo"), Shape::Text);
    assert_eq!(shapes("pets.get_photo"), Shape::Binary);
    assert_eq!(shapes("trees.set"), Shape::List);
    assert_eq!(&*action(&imported, "pets.get_photo").returns.content_type, "image/png");
}

#[test]
fn an_envelope_that_most_answers_have_is_one() {
    let answer = |schema: Value| json!({ "responses": { "200": { "content": { "application/json": { "schema": schema } } } } });
    let wrapped = |data: Value| {
        let page = json!({ "type": "object", "properties": { "total": { "type": "integer" } } });
        answer(json!({ "type": "object", "properties": { "success": { "type": "boolean" }, "data": data, "pagination": page } }))
    };
    let thing = json!({ "type": "object", "properties": { "id": { "type": "string" }, "parts": { "type": "object" } } });
    let mut list = wrapped(json!({ "type": ["array", "null"], "items": thing }));
    list["parameters"] =
        ["start", "limit"].map(|name| json!({ "name": name, "in": "query", "schema": { "type": "integer" } })).to_vec().into();
    let document = json!({ "openapi": "3.0.3", "info": { "title": "Boxes" }, "paths": {
        "/things": { "get": list }, "/things/{id}": { "get": wrapped(thing.clone()) }, "/plain": { "get": answer(thing) } } });
    let imported = text_of(&document.to_string()).unwrap();
    let envelope = imported.checked.api.envelope.as_ref().expect("an envelope");
    assert_eq!((&*envelope.data, &*envelope.success), ("data", "success"));
    let list = action(&imported, "things.list");
    assert_eq!((list.returns.shape, &*list.returns.items, list.returns.bare), (Shape::List, "", false));
    assert_eq!(imported.checked.api.paging[usize::from(list.returns.paging.expect("a style"))].total, "pagination.total");
    let plain = action(&imported, "plain.get");
    assert_eq!((plain.returns.shape, plain.returns.bare, plain.returns.fields.len()), (Shape::Object, true, 2));
}

/// Schemas that would unfold into millions of parts, or go deeper than a stack, are cut.
#[test]
fn schemas_that_unfold_without_end_are_cut() {
    let reference = |name: String| json!({ "$ref": format!("#/components/schemas/{name}") });
    let mut schemas = serde_json::Map::new();
    for number in 0..500 {
        let next = reference(format!("s{}", number + 1));
        let wide: serde_json::Map<_, _> = (0..8).map(|field| (format!("f{field}"), next.clone())).collect();
        schemas.insert(format!("s{number}"), json!({ "allOf": [next, { "type": "object", "properties": wide }] }));
    }
    let twice = json!({ "allOf": [reference("base".into()), { "allOf": [reference("base".into())] }] });
    schemas.insert("base".into(), json!({ "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } }));
    let body =
        |schema: Value| json!({ "requestBody": { "content": { "application/json": { "schema": schema } } }, "responses": { "200": {} } });
    let document = json!({ "openapi": "3.0.3", "info": { "title": "Deep" }, "components": { "schemas": schemas },
        "paths": { "/deep": { "post": body(reference("s0".into())) }, "/twice": { "post": body(twice) } } });
    let imported = text_of(&document.to_string()).unwrap();
    let deep = imported.checked.actions.iter().find(|action| action.path == "/deep").unwrap();
    assert!(deep.params.iter().all(|param| param.schema.len() < 4_000), "{}", deep.params.len());
    let twice = imported.checked.actions.iter().find(|action| action.path == "/twice").unwrap();
    assert_eq!(place(twice, "name"), ("name", Place::Body, true), "the same part twice is no recursion");
}

#[test]
fn every_road_gives_the_same_catalog_and_it_is_portable() {
    let folder = scratch("roads");
    let (source, file) = (folder.join("source"), folder.join("shop.callslip"));
    let (source, file) = (source.to_str().unwrap(), file.to_str().unwrap());
    let (code, said, notes) = run(&["import", PETSHOP, "-o", source], &[]);
    assert_eq!(code, 0, "{notes}");
    assert!(said.contains("11 actions") && said.contains("PETSHOP_URL=https://shop.example.org callslip --catalog"), "{said}");
    assert_eq!(notes.lines().count(), petshop().notes.len(), "every note is a line: {notes}");
    assert_eq!(run(&["import", PETSHOP, "-o", source], &[]).0, 2, "what is there is not written over");
    assert_eq!(run(&["compile", PETSHOP, "-o", file], &[]).0, 0);
    for surface in ["dynamic", "meta", "individual", "progressive"] {
        let list = |catalog: &str| run(&["tools", "--json", "--tool-surface", surface, "--catalog", catalog], &[]).1;
        let expected = list(PETSHOP);
        assert!(expected.contains("inputSchema"), "{surface}");
        assert_eq!((list(source), list(file)), (expected.clone(), expected), "{surface}");
    }
    is_portable(&Catalog::open(Path::new(file)).unwrap());
    // The same document as JSON is the same catalog.
    let value: Value = serde_saphyr::from_str(&fs::read_to_string(PETSHOP).unwrap()).unwrap();
    let again = text_of(&value.to_string()).unwrap();
    assert_eq!(
        again.domains.iter().map(|source| &source.text).collect::<Vec<_>>(),
        petshop().domains.iter().map(|source| &source.text).collect::<Vec<_>>()
    );
}

#[test]
fn a_document_is_served_and_its_requests_are_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let length = stream.read(&mut request).unwrap();
        let body = r#"{"data":[{"id":1,"name":"Mia"}],"meta":{"next_cursor":"c2","total":2}}"#;
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        stream.write_all((head + body).as_bytes()).unwrap();
        String::from_utf8_lossy(&request[..length]).into_owned()
    });
    let environment = [("PETSHOP_URL".into(), format!("http://{address}")), ("PETSHOP_TOKEN".into(), "secret".into())];
    let mut session = Session::start(&["--catalog", PETSHOP], &environment);
    let params = json!({ "tags": ["cat", "dog"], "filter_name": "M", "limit": 1 });
    let result = session.call("petshop_execute_action", json!({ "action": "pets.list", "params": params }));
    assert_eq!(result["structuredContent"]["items"][0]["name"], "Mia", "{result}");
    assert_eq!(result["structuredContent"]["paging"]["next"]["cursor"], "c2", "{result}");
    let request = server.join().unwrap();
    let line = request.lines().next().unwrap_or_default();
    assert!(line.starts_with("GET /live/v2/pets?"), "{line}");
    for part in ["tags=cat&tags=dog", "filter%5Bname%5D=M", "limit=1"] {
        assert!(line.contains(part), "{part} in {line}");
    }
    assert!(request.to_lowercase().contains("authorization: bearer secret"), "{request}");
}

#[test]
fn what_cannot_be_imported_is_said() {
    let folder = scratch("refused");
    let mut laughs = "openapi: 3.0.0\na0: &a0 [x,x]\n".to_owned();
    for number in 1..40 {
        let before = number - 1;
        writeln!(laughs, "a{number}: &a{number} [*a{before},*a{before}]").unwrap();
    }
    for (name, text, expected) in [
        ("old.json", r#"{"swagger":"2.0","paths":{}}"#, "convert it to OpenAPI 3"),
        ("none.yaml", "openapi: 3.0.0\ninfo: { title: x }\npaths: {}", "no operation"),
        ("broken.json", "{", "not valid JSON"),
        ("other.yaml", "a: 1", "no OpenAPI document"),
        ("laughs.yaml", &laughs, "not valid YAML"),
    ] {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        for arguments in [
            ["import", path.to_str().unwrap(), "-o", folder.join("out").to_str().unwrap()],
            ["tools", "--json", "--catalog", path.to_str().unwrap()],
        ] {
            let (code, said, wrong) = run(&arguments, &[]);
            assert_eq!((code, said.as_str()), (1, ""), "{name}: {wrong}");
            assert!(wrong.contains(name) && wrong.contains(expected) && !wrong.contains("panicked"), "{name}: {wrong}");
        }
    }
}

/// Whatever stands in a document, importing it ends in a catalog or in words: every value of the petshop is put in every other's place.
#[test]
fn no_document_makes_it_panic() {
    let whole: Value = serde_saphyr::from_str(&fs::read_to_string(PETSHOP).unwrap()).unwrap();
    let mut pointers = Vec::new();
    collect(&whole, String::new(), &mut pointers);
    let odd = [json!(null), json!(7), json!("x"), json!([]), json!({}), json!({ "$ref": "#" }), json!([{ "type": "array" }])];
    for (number, pointer) in pointers.iter().enumerate().filter(|(number, _)| number % 5 == 0) {
        let mut changed = whole.clone();
        *changed.pointer_mut(pointer).unwrap() = odd[(number / 5) % odd.len()].clone();
        if let Ok(imported) = text_of(&changed.to_string()) {
            assert!(!imported.checked.actions.is_empty(), "{pointer}");
        }
    }
}

fn collect(value: &Value, at: String, pointers: &mut Vec<String>) {
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(map) => map.iter().for_each(|(name, inner)| collect(inner, format!("{at}/{}", escaped(name)), pointers)),
        Value::Array(items) => items.iter().enumerate().for_each(|(number, inner)| collect(inner, format!("{at}/{number}"), pointers)),
        _ => {}
    }
    if !at.is_empty() {
        pointers.push(at);
    }
}
