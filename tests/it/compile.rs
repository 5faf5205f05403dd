//! A catalog that is wrong does not compile, and every problem is said in one run with its place and its mend.

use callslip_catalog::compile::{Source, check_sources};
use callslip_catalog::model::{Action, BodyType};

const ROOT: &str = r#"
name = "shop"
title = "Shop"
about = "things"
[toolsets.all]
title = "All"
line = "Everything."
"#;

fn problems(root: &str, domain: &str) -> Vec<String> {
    let source = |name: &str, text: &str| Source { name: name.into(), text: text.into() };
    match check_sources(&source("catalog.toml", root), &[source("catalog/thing.toml", domain)]) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

/// The actions of a sound catalog.
fn compiled(root: &str, domain: &str) -> Vec<Action<'static>> {
    let source = |name: &str, text: &str| Source { name: name.into(), text: text.into() };
    check_sources(&source("catalog.toml", root), &[source("catalog/thing.toml", domain)]).expect("a sound catalog").actions
}

/// A sound action; tests change one thing.
fn action(name: &str, more: &str) -> String {
    format!(
        "[{name}]\ntitle = \"Do {name}\"\ndescription = \"Does {name} to a thing.\"\nkind = \"read\"\nidempotent = true\n\
         request = \"GET /{name}\"\noperation = \"{name}\"\nreturns = {{ kind = \"object\" }}\n{more}\n"
    )
}

fn domain(actions: &str) -> String {
    format!("title = \"Things\"\ntoolset = \"all\"\n{actions}")
}

#[test]
fn a_sound_catalog_compiles() {
    assert_eq!(problems(ROOT, &domain(&action("get", ""))), Vec::<String>::new());
}

#[test]
fn each_rule_names_the_place_and_the_mend() {
    let without = |line: &str| domain(&action("get", "")).replace(line, "");
    let cases: Vec<(String, usize, &str)> = vec![
        (domain(&action("get", "colour = \"red\"")), 11, "unknown key `colour`"),
        (domain(&action("get", "titel = \"x\"")), 11, "did you mean `title`?"),
        (without("kind = \"read\"\n"), 3, "has no `kind`; say read, write, paid or destructive"),
        (without("idempotent = true\n"), 3, "has no `idempotent`"),
        (domain(&action("get", "")).replace("\"read\"", "\"reed\""), 6, "`kind` cannot be \"reed\""),
        (domain(&action("get", "related = [\"gett\"]")), 11, "related action \"gett\" does not exist; did you mean `thing.get`?"),
        (
            domain(&action("get", "")).replace("GET /get", "GET /things/{thingId}"),
            3,
            "the path of action `thing.get` holds {thingId}, but no parameter states it",
        ),
        (domain(&action("get", "[get.params]\nconfirm = { type = \"string\" }")), 3, "`confirm` of action `thing.get` is a reserved word"),
        (domain(&action("get", "[get.params]\nfields = { type = \"string\" }")), 3, "`fields` of action `thing.get` is a reserved word"),
        (
            domain(
                &action("put", "[put.params]\nname = { type = \"string\" }\n[put.body]\nname = { type = \"string\" }")
                    .replace("GET", "PUT"),
            ),
            14,
            "parameter `name` is stated twice",
        ),
        (domain(&action("get", "[get.body]\nname = { type = \"string\" }")), 3, "has a body, but GET requests carry none"),
        (domain(&action("get", "[get.params]\nx = { type = \"strong\" }")), 12, "needs one `type`"),
        (domain(&action("get", "[get.params]\nx = { type = \"string\", minLength = -1 }")), 3, "not valid JSON Schema 2020-12"),
        (domain(&action("get", "[get.params]\nx = { type = \"array\" }")), 3, "array parameter `x` of action `thing.get` has no `items`"),
        (domain(&action("get", "[get.params]\nx = { type = \"integer\", default = \"5\" }")), 3, "default of `x`"),
        (domain(&action("get", "[get.params]\nx = { type = \"string\", colour = 1 }")), 12, "unknown key `colour`"),
        (domain(&action(&"g".repeat(40), "")), 3, "clients take 46, shorten it"),
        (domain(&action("Get", "")), 3, "is not legal; use lower-case letters"),
        (domain(&action("get", "")).replace("\"all\"", "\"none\""), 2, "toolset \"none\" is not in catalog.toml; known are all"),
        (domain(&action("get", "destructive_when = { force = true }")), 11, "destructive_when names `force`, which is not a parameter"),
        (domain(&action("get", "since = 2.8")), 11, "`since` is a version"),
        (
            domain(&action("get", "").replace("kind = \"object\"", "kind = \"list\", columns = [\"id\"]")),
            10,
            "column `id` is not among the fields",
        ),
        ("title = \"Things\ntoolset = \"all\"\n".into(), 1, "not valid TOML"),
    ];
    for (text, line, expected) in cases {
        let found = problems(ROOT, &text);
        let place = format!("catalog/thing.toml:{line}: ");
        assert!(
            found.iter().any(|problem| problem.starts_with(&place) && problem.contains(expected)),
            "{place}{expected}\nfound {found:#?}\nin {text}"
        );
    }
}

#[test]
fn a_body_is_sent_because_it_is_stated_even_when_it_is_empty() {
    let post = |more: &str| compiled(ROOT, &domain(&action("run", more).replace("GET", "POST")))[0].body;
    assert_eq!(post(""), BodyType::None, "nothing stated, nothing sent");
    assert_eq!(post("[run.body]"), BodyType::Json, "an empty object is a body");
    assert_eq!(post("[run.body]\nname = { type = \"string\" }"), BodyType::Json);
    let form = domain(&action("run", "body_type = \"form\"\n[run.body]").replace("GET", "POST"));
    assert!(
        problems(ROOT, &form).iter().any(|problem| problem.contains("`body_type` is given, but there is no [body]")),
        "only JSON can be empty"
    );
}

#[test]
fn the_order_of_a_list_is_the_default_a_caller_sees() {
    let root = format!(
        "{ROOT}[paging.offset]\nstyle = \"offset\"\nstart = \"start\"\nlimit = \"limit\"\n[paging.offset.params]\n\
         order = {{ type = \"string\", enum = [\"asc\", \"desc\"], default = \"asc\" }}\n"
    );
    let list = |more: &str| {
        let returns = format!("kind = \"list\", paging = \"offset\", fields = {{ id = \"string\" }}, columns = [\"id\"]{more}");
        domain(&action("list", "").replace("kind = \"object\"", &returns))
    };
    for (more, order, default) in [("", "", "asc"), (", sort = \"id\"", "", "asc"), (", sort = \"id\", order = \"desc\"", "desc", "desc")] {
        let found = &compiled(&root, &list(more))[0];
        assert_eq!(found.returns.order, order, "{more}");
        let param = found.param("order").expect("a shared parameter");
        assert!(param.schema.contains(&format!("\"default\":\"{default}\"")), "{more}: {}", param.schema);
    }
    for (root, more, expected) in [
        (&*root, ", order = \"desc\"", "`order` stands beside `sort`"),
        (&*root, ", sort = \"id\", order = \"down\"", "choose one of asc, desc"),
        (&*root.replace("order = { type", "direction = { type"), ", sort = \"id\", order = \"desc\"", "has no parameter `order`"),
    ] {
        let found = problems(root, &list(more));
        assert!(found.iter().any(|problem| problem.contains(expected)), "{expected} in {found:#?}");
    }
}

#[test]
fn an_action_may_be_an_exception_of_a_toolset_left_out() {
    let root = ROOT.replace("line = ", "default = false\nreason = \"secrets\"\nline = ");
    let found = compiled(&root, &domain(&(action("get", "default = true") + &action("take", ""))));
    assert_eq!(found.iter().map(|action| action.left_out).collect::<Vec<_>>(), [false, true]);
    assert!(compiled(ROOT, &domain(&action("get", ""))).iter().all(|action| !action.left_out));
    let idle = problems(ROOT, &domain(&action("get", "default = true")));
    assert!(idle.iter().any(|problem| problem.contains("its toolset is offered anyway")), "{idle:?}");
}

#[test]
fn a_name_may_mean_one_action_only() {
    let twice = domain(&(action("get", "aliases = [\"fetch it\"]") + &action("take", "aliases = [\"Fetch it\"]")));
    assert!(problems(ROOT, &twice).iter().any(|problem| problem.contains("alias \"Fetch it\" belongs to `thing.get` already")));
    let same = domain(&(action("get", "") + &action("take", "").replace("operation = \"take\"", "operation = \"get\"")));
    assert!(problems(ROOT, &same).iter().any(|problem| problem.contains("operation `get` belongs to `thing.get` already")));
    let request = domain(&(action("get", "") + &action("take", "").replace("GET /take", "GET /get")));
    assert!(problems(ROOT, &request).iter().any(|problem| problem.contains("`thing.get` already makes this request")));
    let repeated = domain(&(action("get", "") + &action("get", "")));
    assert!(
        problems(ROOT, &repeated).iter().any(|problem| problem.contains("not valid TOML: duplicate key")),
        "{:?}",
        problems(ROOT, &repeated)
    );
}

#[test]
fn all_problems_of_all_files_come_in_one_run() {
    let root = ROOT.replace("about = \"things\"\n", "abuot = \"things\"\n");
    let text = domain(&(action("get", "colour = 1").replace("kind = \"read\"\n", "") + &action("take", "related = [\"nothing\"]")));
    let found = problems(&root, &text);
    for expected in ["has no `about`", "unknown key `abuot`", "has no `kind`", "unknown key `colour`", "\"nothing\" does not exist"] {
        assert!(found.iter().any(|problem| problem.contains(expected)), "{expected} in {found:#?}");
    }
    assert!(found.is_sorted_by_key(|problem| problem.split(':').next().map(str::to_owned)));
}

#[test]
fn a_toolset_without_a_domain_is_a_problem() {
    let root = format!("{ROOT}[toolsets.empty]\ntitle = \"Empty\"\nline = \"Nothing.\"\n");
    assert!(problems(&root, &domain(&action("get", ""))).iter().any(|problem| problem.contains("toolset `empty` has no domain")));
}

#[test]
fn the_same_source_gives_the_same_bytes() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiled =
        || callslip_catalog::compile::compile(&callslip_catalog::compile::read_folder(folder).expect("a catalog")).expect("compiled");
    let (one, two) = (compiled(), compiled());
    assert!(one.catalog == two.catalog && one.index == two.index && one.surfaces == two.surfaces && one.names == two.names);
}
