//! Every task on every surface: the state it must leave, one question for each destructive act, none for anything else.

use crate::{callslip, root};
use audit::tasks::{Runner, read};
use callslip_catalog::project::Surface;

#[test]
fn no_task_has_a_wrong_effect_on_any_surface() {
    let Some(program) = callslip() else { return };
    let tasks = read(&root().join("benches/tasks")).unwrap();
    assert_eq!(tasks.len(), 40);
    let runner = Runner::new(program, Some(3)).unwrap();
    for (name, _) in Surface::NAMES {
        let mut session = runner.surface(name).unwrap();
        for task in &tasks {
            let spent = runner.run(&mut session, task).unwrap();
            assert!(spent.wrong.is_empty(), "{name}: {:#?}", spent.wrong);
            assert_eq!(spent.questions, task.questions, "{name}: {}", task.name);
        }
    }
}
