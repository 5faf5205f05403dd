//! What a call does to the world: no action may be less strict than what is known of the API, and the method must not contradict it.

use super::{each_action, find, none};
use callslip_catalog::model::{Kind, Method, Place};

/// What is known to change or to destroy, written down apart from the catalog: an edit there cannot loosen it unseen.
const FLOOR: &str = include_str!("floor.txt");

/// Reads that are sent as POST: they compute, test or look, and leave nothing behind.
const READS_BY_POST: [&str; 14] = [
    "container.generate_compose",
    "customize.search",
    "diagnostics.goroutine_leaks",
    "environment.test",
    "git_repository.test",
    "registry.test",
    "s3_destination.test",
    "s3_destination.test_config",
    "settings.search",
    "swarm_stack.render",
    "system.convert_run",
    "system_backup.browse_files",
    "updater.check_project",
    "vulnerability.image_summaries",
];

/// Names that say what is lost.
const DESTROYING: [&str; 18] = [
    "delete",
    "prune",
    "destroy",
    "down",
    "kill",
    "exec",
    "demote",
    "leave",
    "rollback",
    "restore",
    "restore_files",
    "unbind",
    "unignore",
    "clear",
    "rotate",
    "stop_all",
    "disable",
    "regenerate_codes",
];

#[test]
fn no_action_is_less_strict_than_the_floor() {
    let mut breaches = Vec::new();
    let mut count = 0;
    for line in FLOOR.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (head, names) = line.split_once(": ").unwrap_or_else(|| panic!("not a line of the floor: {line}"));
        let (kind, domain) = head.split_once(' ').unwrap_or_else(|| panic!("not a line of the floor: {line}"));
        for name in names.split(' ') {
            count += 1;
            let (name, condition) = name.split_once('?').map_or((name, None), |(name, condition)| (name, Some(condition)));
            let id = format!("{domain}.{name}");
            let Some(action) = find(&id) else {
                breaches.push(format!("{id} is not in the catalog"));
                continue;
            };
            let strict = match (kind, condition) {
                ("write", None) => action.kind != Kind::Read,
                ("destructive", None) => action.kind == Kind::Destructive,
                ("destructive", Some(param)) => {
                    action.kind == Kind::Destructive || action.destructive_when.iter().any(|condition| condition.param == param)
                }
                _ => panic!("not a line of the floor: {line}"),
            };
            if !strict {
                breaches.push(format!("{id} is {}, the floor says {kind}", action.kind.name()));
            }
        }
    }
    none(&breaches);
    assert!(count > 200, "the floor is whole: {count}");
}

#[test]
fn methods_and_kinds_agree() {
    each_action(|action, breach| {
        let kind = action.kind;
        match action.method {
            // What is written to a socket makes a GET more than a look.
            Method::Get | Method::Head => {
                let writes = action.params.iter().any(|param| param.place == Place::Whole);
                if (kind == Kind::Read) == writes {
                    breach(format!("{} is {}", action.method.name(), kind.name()));
                }
            }
            Method::Delete if kind != Kind::Destructive => breach(format!("DELETE is {}", kind.name())),
            Method::Put | Method::Patch if kind == Kind::Read => breach(format!("{} is a read", action.method.name())),
            Method::Post if (kind == Kind::Read) != READS_BY_POST.contains(&&*action.id) => {
                breach(format!("POST is {}; reads by POST are listed in this test", kind.name()));
            }
            _ => {}
        }
        if kind == Kind::Read && (!action.idempotent || !action.destructive_when.is_empty()) {
            breach("a read is repeatable and destroys nothing".into());
        }
        if kind == Kind::Destructive && !action.destructive_when.is_empty() {
            breach("destructive in any case; `destructive_when` says nothing".into());
        }
        if action.method == Method::Delete && !action.idempotent {
            breach("deleting twice leaves the same state".into());
        }
    });
}

#[test]
fn what_sounds_destructive_is() {
    each_action(|action, breach| {
        let name = action.action_name();
        let sounds = DESTROYING.iter().any(|word| name == *word || name.split('_').next() == Some(word));
        if sounds && action.kind != Kind::Destructive {
            breach(format!("is {}", action.kind.name()));
        }
    });
}

#[test]
fn secrets_are_marked_where_they_are_given() {
    each_action(|action, breach| {
        for param in &action.params {
            let name = param.name.to_lowercase();
            let sounds = ["password", "secret", "recoverykey", "privatekey", "jointoken", "sshkey"].iter().any(|word| name.contains(word));
            // An id, a flag or a number that has the word in its name is none.
            let plain = name.ends_with("id") || param.kind != callslip_catalog::model::ValueType::String || name == "authpasswordpolicy";
            if sounds && !plain && !param.secret {
                breach(format!("parameter `{}` sounds like a secret and is not marked", param.name));
            }
            if param.secret && !action.secret_params {
                breach(format!("parameter `{}` is secret, but `secrets` does not say so", param.name));
            }
        }
    });
}
