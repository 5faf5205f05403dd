//! `callslip compile`: one file serves as its folder does, and a file that is not what it should be is told what to do.

use crate::support::{PROGRAM, Session, command, run};
use callslip::catalog::Catalog;
use callslip_catalog::project::Surface;
use callslip_sandbox::library::Library;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/library");
const OWN: &str = env!("CARGO_MANIFEST_DIR");

/// A folder of its own for a test, emptied first.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compiled-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn compile(source: &str, file: &Path) -> String {
    let file = file.to_str().unwrap();
    let (code, said, wrong) = run(&["compile", source, "-o", file], &[]);
    assert_eq!((code, wrong.as_str()), (0, ""), "{said}");
    assert!(said.contains("actions") && said.contains(&format!("callslip --catalog {file}")), "{said}");
    file.to_owned()
}

/// What a command prints over a catalog.
fn over(catalog: &str, arguments: &[&str]) -> String {
    let (code, said, wrong) = run(&[arguments, &["--catalog", catalog]].concat(), &[]);
    assert_eq!((code, wrong.as_str()), (0, ""), "{arguments:?} over {catalog}");
    said
}

#[test]
fn a_file_serves_as_its_folder_does() {
    let file = compile(LIBRARY, &scratch("library").join("library.callslip"));
    for (surface, _) in Surface::NAMES {
        for more in [&[][..], &["--read-only"], &["--exclude", "book.delete"]] {
            let list = [&["tools", "--json", "--tool-surface", surface][..], more].concat();
            assert_eq!(over(LIBRARY, &list), over(&file, &list), "{list:?}");
        }
    }
    for arguments in
        [&["find", "look for a book", "--json"][..], &["find", "borrow a book", "--json"], &["show", "library_book_update", "--json"]]
    {
        assert_eq!(over(LIBRARY, arguments), over(&file, arguments), "{arguments:?}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let library = runtime.block_on(Library::start()).unwrap();
    let environment = [("LIBRARY_URL".into(), library.url()), ("LIBRARY_TOKEN".into(), library.token().into())];
    let answer = |catalog: &str, name: &str, params: Value| {
        let mut session = Session::start(&["--catalog", catalog], &environment);
        session.call("library_execute_action", json!({ "action": name, "params": params }))
    };
    for (name, params) in [
        ("book.get", json!({ "bookId": "bk_001" })),
        ("listBooks", json!({ "limit": 2 })),
        ("library_book_get", json!({})),
        ("book.gett", json!({})),
        ("book.delete", json!({ "bookId": "bk_001" })),
    ] {
        let mut one = answer(LIBRARY, name, params.clone());
        let mut other = answer(&file, name, params);
        for said in [&mut one, &mut other] {
            *said = serde_json::from_str(&said.to_string().replace(&file, LIBRARY)).unwrap();
        }
        assert_eq!(one, other, "{name}");
    }
}

#[test]
fn the_own_catalog_in_a_file_is_the_embedded_one() {
    let file = compile(OWN, &scratch("own").join("own.callslip"));
    let (embedded, opened) = (Catalog::embedded().unwrap(), Catalog::open(Path::new(&file)).unwrap());
    for (name, surface) in Surface::NAMES {
        let (own, other) = (embedded.listed(surface), opened.listed(surface));
        assert_eq!((own.json, own.len()), (other.json, other.len()), "surface {name}");
        assert!((0..own.len()).all(|number| own.tool(number) == other.tool(number)), "surface {name}");
    }
    assert_eq!(embedded.actions().unwrap(), opened.actions().unwrap());
    assert_eq!(embedded.guides().all(), opened.guides().all());
    let sorted = |catalog: &Catalog| {
        let mut names: Vec<_> = catalog.accepted_names().collect();
        names.sort_unstable();
        names
    };
    assert_eq!(sorted(&embedded), sorted(&opened));
    for (name, number) in embedded.accepted_names() {
        assert_eq!(opened.number(name), Some(number), "{name}");
    }
    for query in ["restart container", "docker ps -a", "free up disk space", "copy files into a container"] {
        let found = |catalog: &str| over(catalog, &["find", query, "--json"]);
        assert_eq!(run(&["find", query, "--json"], &[]).1, found(&file), "{query}");
    }
}

#[test]
fn the_same_source_gives_the_same_file() {
    let folder = scratch("same");
    let (one, other) = (folder.join("one"), folder.join("other"));
    compile(LIBRARY, &one);
    compile(LIBRARY, &other);
    assert!(fs::read(one).unwrap() == fs::read(other).unwrap());
}

#[test]
fn guides_travel_in_the_file() {
    let folder = scratch("guides");
    for part in ["catalog", "guides"] {
        fs::create_dir(folder.join(part)).unwrap();
    }
    for name in ["catalog.toml", "catalog/account.toml", "catalog/book.toml"] {
        fs::copy(Path::new(LIBRARY).join(name), folder.join(name)).unwrap();
    }
    fs::write(
        folder.join("guides/lend-book.md"),
        "---\ntitle: Lend a book\ndescription: What to check before.\n---\n\nLook at `book.get`.\n",
    )
    .unwrap();
    fs::write(folder.join("guides/README.md"), "for those who write guides").unwrap();
    let file = compile(folder.to_str().unwrap(), &folder.join("out.callslip"));
    // The folder may go: the file is all that is needed.
    for part in ["catalog", "guides"] {
        fs::remove_dir_all(folder.join(part)).unwrap();
    }
    let shown = over(&file, &["show", "lend-book"]);
    assert!(shown.contains("Look at") && shown.contains("book.get"), "{shown}");
    let found: Value = serde_json::from_str(&over(&file, &["find", "lend a book", "--json"])).unwrap();
    assert_eq!(found["guides"][0]["name"], "lend-book");
}

#[test]
fn a_file_is_replaced_whole_while_it_is_served() {
    let folder = scratch("replaced");
    let file = compile(LIBRARY, &folder.join("api.callslip"));
    let mut session = Session::start(&["--catalog", &file], &[]);
    compile(OWN, Path::new(&file));
    let found = session.call("library_find_action", json!({ "query": "list books" }));
    assert_eq!(found["structuredContent"]["items"][0]["id"], "book.list", "the old one stays whole for whoever has it open");
    assert!(over(&file, &["tools"]).contains("arcane_find_action"));
    let left: Vec<_> = fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["api.callslip"], "no draft is left");
    // A source that is wrong leaves the old file alone.
    fs::create_dir_all(folder.join("wrong/catalog")).unwrap();
    fs::write(folder.join("wrong/catalog.toml"), "name = \"wrong\"").unwrap();
    let (code, _, problems) = run(&["compile", folder.join("wrong").to_str().unwrap(), "-o", &file], &[]);
    assert_eq!(code, 1, "{problems}");
    assert!(problems.contains("problem(s)"), "{problems}");
    assert!(over(&file, &["tools"]).contains("arcane_find_action"));
    assert_eq!(run(&["compile", LIBRARY, "-o", folder.to_str().unwrap()], &[]).0, 2, "a folder is no file");
}

/// Whatever a file holds, the program ends or serves by itself; where it refuses, the words name the file and the way out.
#[test]
fn what_is_no_sound_file_is_told_what_to_do() {
    let folder = scratch("unsound");
    let sound = fs::read(compile(LIBRARY, &folder.join("sound.callslip"))).unwrap();
    let refused = |name: &str, bytes: &[u8], expected: &str| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        let (code, said, wrong) = run(&["tools", "--json", "--catalog", path.to_str().unwrap()], &[]);
        assert_eq!((code, said.as_str()), (1, ""), "{name}: {wrong}");
        assert!(wrong.contains(name) && wrong.contains(expected), "{name}: {wrong}");
        assert!(!wrong.contains("panicked"), "{name}: {wrong}");
    };
    let changed = |at: usize, by: u8| {
        let mut bytes = sound.clone();
        bytes[at] ^= by;
        bytes
    };
    refused("cut.callslip", &sound[..sound.len() - 1], "cut short");
    refused("head.callslip", &sound[..40], "callslip compile SOURCE -o FILE");
    refused("long.callslip", &[&sound[..], b"\0"].concat(), "added to");
    refused("older.callslip", &changed(8, 2), "has layout 0");
    refused("header.callslip", &changed(30, 1), "is damaged (its header)");
    refused("foreign.callslip", b"\x7fELF and so on", "neither");
    refused("empty.callslip", b"", "neither");
    let (code, _, wrong) = run(&["tools", "--catalog", folder.join("none.callslip").to_str().unwrap()], &[]);
    assert_eq!(code, 1);
    assert!(wrong.contains("none.callslip") && wrong.contains("No such file"), "{wrong}");
}

#[test]
fn no_flip_of_a_byte_makes_it_panic() {
    let folder = scratch("flipped");
    let sound = fs::read(compile(LIBRARY, &folder.join("sound.callslip"))).unwrap();
    // Every section is hit, records more often than texts.
    for step in 0..120 {
        let at = step * sound.len() / 120 + step % 7;
        let mut bytes = sound.clone();
        for byte in bytes.iter_mut().skip(at).take(3) {
            *byte ^= 0xff;
        }
        flipped(bytes);
    }
    let path = folder.join("damaged.callslip");
    let mut bytes = sound.clone();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (_, said, _) = run(&["doctor", "--catalog", path.to_str().unwrap()], &[("LIBRARY_TOKEN".into(), "t".into())]);
    assert!(said.contains("MEND catalog") && said.contains("is damaged"), "the doctor reads all of it: {said}");
}

/// Reads all there is in a damaged file; a panic fails the test.
fn flipped(bytes: Vec<u8>) {
    let Ok(catalog) = Catalog::from_bytes(bytes.leak()) else { return };
    let _ = (catalog.actions(), catalog.check());
    let _ = (catalog.accepted_names().count(), catalog.number("book.get"), catalog.guides().all().len());
    for query in ["list books", "bok", "delete the book"] {
        let _ = catalog.index().search(query, 10, |_| true);
    }
    for (_, surface) in Surface::NAMES {
        let _ = catalog.project(surface);
        if catalog.check_surface(surface).is_ok() {
            let listed = catalog.listed(surface);
            assert!((0..listed.len()).all(|number| listed.tool(number).is_some()));
        }
    }
}

#[test]
fn a_served_file_that_is_damaged_does_not_reach_a_client() {
    let folder = scratch("list");
    let mut bytes = fs::read(compile(LIBRARY, &folder.join("sound.callslip"))).unwrap();
    let name = b"library_find_action";
    let at = bytes.windows(name.len()).position(|window| window == name).unwrap();
    bytes[at] = b'"';
    let path = folder.join("damaged.callslip");
    fs::write(&path, bytes).unwrap();
    let output = command(&["--catalog", path.to_str().unwrap()], &[]).stdin(Stdio::null()).output().unwrap();
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(output.stdout.is_empty() && wrong.contains("damaged"), "{PROGRAM}: {wrong}");
}
