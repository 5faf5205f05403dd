//! Synthetic catalogs of any size: the same for the same size, in the words of a business API, written as a person would write them.

use std::fmt::Write;
use std::path::Path;

const THINGS: [&str; 80] = [
    "invoice",
    "order",
    "payment",
    "refund",
    "customer",
    "contract",
    "shipment",
    "parcel",
    "warehouse",
    "product",
    "price",
    "discount",
    "coupon",
    "ticket",
    "message",
    "thread",
    "channel",
    "meeting",
    "calendar",
    "room",
    "device",
    "sensor",
    "alarm",
    "report",
    "dashboard",
    "metric",
    "budget",
    "account",
    "ledger",
    "transfer",
    "card",
    "loan",
    "policy",
    "claim",
    "vehicle",
    "driver",
    "route",
    "stop",
    "station",
    "booking",
    "guest",
    "menu",
    "recipe",
    "course",
    "lesson",
    "student",
    "teacher",
    "grade",
    "exam",
    "library",
    "book",
    "article",
    "author",
    "comment",
    "photo",
    "album",
    "video",
    "playlist",
    "track",
    "concert",
    "venue",
    "sponsor",
    "campaign",
    "segment",
    "audience",
    "survey",
    "answer",
    "form",
    "field",
    "document",
    "folder",
    "template",
    "signature",
    "certificate",
    "domain",
    "server",
    "cluster",
    "backup",
    "database",
    "query",
];
const KINDS: [&str; 60] = [
    "annual",
    "monthly",
    "weekly",
    "daily",
    "archived",
    "shared",
    "private",
    "public",
    "draft",
    "final",
    "regional",
    "global",
    "internal",
    "external",
    "primary",
    "secondary",
    "recurring",
    "single",
    "bulk",
    "partial",
    "prepaid",
    "late",
    "early",
    "urgent",
    "regular",
    "premium",
    "basic",
    "trial",
    "legacy",
    "modern",
    "manual",
    "automatic",
    "remote",
    "local",
    "mobile",
    "desktop",
    "seasonal",
    "temporary",
    "permanent",
    "verified",
    "pending",
    "blocked",
    "open",
    "closed",
    "hidden",
    "featured",
    "linked",
    "nested",
    "merged",
    "split",
    "signed",
    "unsigned",
    "paid",
    "unpaid",
    "taxed",
    "exempt",
    "foreign",
    "domestic",
    "virtual",
    "physical",
];
const AREAS: [&str; 12] =
    ["sales", "billing", "logistics", "support", "people", "learning", "media", "events", "fleet", "finance", "marketing", "systems"];
const PARAMS: [(&str, &str); 16] = [
    ("region", r#"{ type = "string", description = "two letters, such as de" }"#),
    ("since", r#"{ type = "string", format = "date-time", description = "nothing older than this" }"#),
    ("status", r#"{ type = "string", enum = ["active", "paused", "ended"] }"#),
    ("owner", r#"{ type = "string", description = "id or mail address" }"#),
    ("tags", r#"{ type = "array", items = { type = "string" } }"#),
    ("dryRun", r#"{ type = "boolean", default = false }"#),
    ("limit", r#"{ type = "integer", minimum = 1, maximum = 500 }"#),
    ("sortBy", r#"{ type = "string", enum = ["name", "created", "amount"] }"#),
    ("includeClosed", r#"{ type = "boolean" }"#),
    ("currency", r#"{ type = "string", pattern = "^[A-Z]{3}$" }"#),
    ("reason", r#"{ type = "string", maxLength = 500, description = "kept in the history" }"#),
    ("reference", r#"{ type = "string", description = "number on the paper" }"#),
    ("amount", r#"{ type = "number", minimum = 0 }"#),
    ("language", r#"{ type = "string", default = "en" }"#),
    ("notify", r#"{ type = "boolean", description = "tell the owner" }"#),
    ("priority", r#"{ type = "integer", minimum = 1, maximum = 5 }"#),
];
const CLAUSES: [&str; 12] = [
    "what is linked to it stays",
    "the owner is told by mail",
    "totals are counted anew",
    "closed ones are left out",
    "the newest stands first",
    "amounts are in cents",
    "copies keep their number",
    "nothing is sent to the customer",
    "it shows up within a minute",
    "locked ones are skipped",
    "the history keeps every step",
    "times are in UTC",
];
/// Name, title, method, ending of the path, kind, whether it repeats harmlessly, whether it is about one.
type Verb = (&'static str, &'static str, &'static str, &'static str, &'static str, bool, bool);
const VERBS: [Verb; 12] = [
    ("list", "List", "GET", "", "read", true, false),
    ("get", "Get", "GET", "", "read", true, true),
    ("create", "Create", "POST", "", "write", false, false),
    ("update", "Update", "PATCH", "", "write", true, true),
    ("delete", "Delete", "DELETE", "", "destructive", true, true),
    ("archive", "Archive", "POST", "/archive", "write", true, true),
    ("restore", "Restore", "POST", "/restore", "write", true, true),
    ("export", "Export", "GET", "/export", "read", true, true),
    ("count", "Count", "GET", "/count", "read", true, false),
    ("assign", "Assign", "POST", "/assignee", "write", true, true),
    ("search", "Search", "GET", "/search", "read", true, false),
    ("history", "Show history of", "GET", "/history", "read", true, true),
];

/// Numbers that look random and never change (`SplitMix64`).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap_or_default()
    }

    /// A name that stands in no dictionary, as products have them: the vocabulary grows with the catalog.
    fn name(&mut self) -> String {
        const SYLLABLES: [&str; 20] = [
            "ve", "lo", "tra", "ni", "ka", "sol", "mer", "dia", "po", "ren", "qui", "zan", "fi", "bor", "hel", "cu", "stra", "mon", "ti",
            "gla",
        ];
        (0..3).map(|_| SYLLABLES[self.below(SYLLABLES.len())]).collect()
    }
}

/// Kind and thing of a domain.
fn subject(domain: usize) -> (&'static str, &'static str) {
    (KINDS[(domain / THINGS.len()) % KINDS.len()], THINGS[domain % THINGS.len()])
}

/// Writes a catalog folder of `size` actions, twelve a domain.
pub fn write(folder: &Path, size: usize) -> std::io::Result<()> {
    assert!(size <= THINGS.len() * KINDS.len() * VERBS.len(), "there are no words for so many");
    std::fs::create_dir_all(folder.join("catalog"))?;
    let domains = size.div_ceil(VERBS.len());
    let mut root = String::from("name = \"growth\"\ntitle = \"Growth\"\nabout = \"a business: orders, people, events, fleets\"\n");
    for area in AREAS.iter().take(domains) {
        let _ = writeln!(root, "\n[toolsets.{area}]\ntitle = \"{area}\"\nline  = \"Everything about {area}.\"");
    }
    std::fs::write(folder.join("catalog.toml"), root)?;
    for domain in 0..domains {
        let (kind, thing) = subject(domain);
        let text = source(domain, VERBS.len().min(size - domain * VERBS.len()));
        std::fs::write(folder.join(format!("catalog/{kind}_{thing}.toml")), text)?;
    }
    Ok(())
}

fn source(domain: usize, actions: usize) -> String {
    let mut numbers = Numbers(domain as u64);
    let (kind, thing) = subject(domain);
    let product = numbers.name();
    let mut out = format!("title   = \"{kind} {thing}s\"\ntoolset = \"{}\"\n", AREAS[domain % AREAS.len()]);
    for (verb, title, method, ending, safety, idempotent, single) in VERBS.iter().take(actions) {
        let plural = if *single { "" } else { "s" };
        let clause = CLAUSES[numbers.below(CLAUSES.len())];
        let id = if *single { format!("/{{{thing}Id}}") } else { String::new() };
        let _ = write!(
            out,
            "\n[{verb}]\ntitle       = \"{title} {kind} {thing}{plural}\"\n\
             description = \"{title} {kind} {thing}{plural} kept by {product}; {clause}.\"\nkind        = \"{safety}\"\nidempotent  = {idempotent}\n\
             request     = \"{method} /{kind}/{thing}s{id}{ending}\"\noperation   = \"{verb}-{kind}-{thing}\"\n"
        );
        if numbers.below(3) == 0 {
            let _ = writeln!(out, "aliases     = [\"{verb} {product} {kind} {thing}\"]");
        }
        let fields = "id = \"string\", name = \"string\", status = \"string\", amount = \"number\", created = \"string\"";
        let _ = match *verb {
            "list" | "search" => {
                writeln!(out, "returns     = {{ kind = \"list\", columns = [\"id\", \"name\"], item = \"get\", fields = {{ {fields} }} }}")
            }
            "delete" => writeln!(out, "returns     = {{ kind = \"empty\" }}"),
            _ => writeln!(out, "returns     = {{ kind = \"object\", fields = {{ {fields} }} }}"),
        };
        let _ = writeln!(out, "\n[{verb}.params]");
        if *single {
            let _ = writeln!(out, "{thing}Id = {{ type = \"string\" }}");
        }
        let first = numbers.below(PARAMS.len());
        for step in 0..=numbers.below(5) {
            let (name, schema) = PARAMS[(first + step) % PARAMS.len()];
            let _ = writeln!(out, "{name} = {schema}");
        }
    }
    out
}

/// A request as people put it, about some action of a catalog of `size`.
pub fn query(numbers: &mut Numbers, size: usize) -> String {
    let (kind, thing) = subject(numbers.below(size / VERBS.len()));
    let (_, title, ..) = VERBS[numbers.below(VERBS.len())];
    match numbers.below(3) {
        0 => format!("{} {kind} {thing}", title.to_lowercase()),
        1 => format!("how do I {} a {kind} {thing}?", title.to_lowercase()),
        _ => format!("{thing} {}", title.to_lowercase()),
    }
}
