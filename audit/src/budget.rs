//! The most a surface may cost, in `audit/budget.toml`: a change that exceeds it fails, however well it is documented.

use crate::count::{real, thousands};
use crate::measure::Cost;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Bounds of one surface; what is not said is not bounded.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Most `o200k_base` tokens of all tools.
    pub tokens: Option<usize>,
    /// Most bytes of all tools.
    pub bytes: Option<usize>,
    /// Most tokens an action.
    pub tokens_an_action: Option<f64>,
    /// Most tokens of the middle tool.
    pub median: Option<usize>,
    /// Most tokens of the instructions.
    pub instructions: Option<usize>,
}

/// Reads the budgets by surface.
pub fn read(file: &Path) -> Result<BTreeMap<String, Budget>> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    toml::from_str(&text).with_context(|| file.display().to_string())
}

/// Every budget that is exceeded, or that bounds nothing.
pub fn problems(budgets: &BTreeMap<String, Budget>, costs: &[Cost]) -> Vec<String> {
    let mut problems = Vec::new();
    for (surface, budget) in budgets {
        match costs.iter().find(|cost| cost.surface == *surface) {
            None => problems.push(format!("the budget names `{surface}`, which was not measured")),
            Some(cost) => problems.extend(exceeded(budget, cost)),
        }
    }
    for cost in costs.iter().filter(|cost| !budgets.contains_key(&cost.surface)) {
        problems.push(format!("`{}` has no budget", cost.surface));
    }
    problems
}

fn exceeded(budget: &Budget, cost: &Cost) -> Vec<String> {
    let mut problems = Vec::new();
    let counted = [
        ("tokens", budget.tokens, cost.o200k),
        ("bytes", budget.bytes, cost.bytes),
        ("tokens of the median tool", budget.median, cost.median),
        ("tokens of the instructions", budget.instructions, cost.instructions),
    ];
    for (what, most, measured) in counted {
        if let Some(most) = most.filter(|most| measured > *most) {
            problems.push(format!("`{}` costs {} {what}, the budget is {}", cost.surface, thousands(measured), thousands(most)));
        }
    }
    if let Some(most) = budget.tokens_an_action.filter(|most| cost.per_action() > *most) {
        let over = cost.per_action() * real(cost.actions) - most * real(cost.actions);
        problems.push(format!(
            "`{}` costs {:.1} tokens an action, the budget is {most}: {over:.0} too many in all",
            cost.surface,
            cost.per_action()
        ));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost() -> Cost {
        Cost {
            surface: "meta".into(),
            tools: 2,
            bytes: 1_000,
            o200k: 400,
            cl100k: 410,
            median: 90,
            instructions: 100,
            actions: 10,
            each: Vec::new(),
        }
    }

    fn found(text: &str) -> Vec<String> {
        problems(&toml::from_str(text).unwrap(), &[cost()])
    }

    #[test]
    fn a_budget_holds_or_says_by_how_much_it_does_not() {
        assert!(found("[meta]\ntokens = 400\nbytes = 1000\ntokens_an_action = 40\nmedian = 90\ninstructions = 100").is_empty());
        assert_eq!(found("[meta]\ntokens = 399"), ["`meta` costs 400 tokens, the budget is 399"]);
        assert_eq!(found("[meta]\ntokens_an_action = 39"), ["`meta` costs 40.0 tokens an action, the budget is 39: 10 too many in all"]);
        assert_eq!(found("[meta]\nbytes = 1\nmedian = 1\ninstructions = 1").len(), 3);
    }

    #[test]
    fn a_budget_that_bounds_nothing_is_a_problem() {
        assert_eq!(found(""), ["`meta` has no budget"]);
        assert_eq!(found("[meta]\n[other]\ntokens = 1"), ["the budget names `other`, which was not measured"]);
        assert!(toml::from_str::<BTreeMap<String, Budget>>("[meta]\ntoken = 3").is_err());
    }
}
