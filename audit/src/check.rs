//! Documented figures against measured ones.

use crate::count::{real, signed};
use crate::document::{self, Inline, Said};
use crate::measure::Cost;
use crate::table::Row;

/// How far a documented figure may be off, as a share of the measured one, in either direction.
const DRIFT: f64 = 0.15;

/// What does not hold in a document, one sentence each: surface, documented, measured, drift. `table`: it must have one.
pub fn problems(said: &Said, costs: &[Cost], table: bool) -> Vec<String> {
    let mut problems = Vec::new();
    if table && said.tables.is_empty() {
        problems.push("there is no table of figures".to_owned());
    }
    for rows in &said.tables {
        match rows {
            None => problems.push("a table of figures has no end, or not the head that is written".to_owned()),
            Some(rows) => problems.extend(table_problems(rows, costs)),
        }
    }
    problems.extend(said.inline.iter().filter_map(|inline| inline_problem(inline, costs)));
    problems
}

fn table_problems(documented: &[Row], costs: &[Cost]) -> Vec<String> {
    let mut problems = Vec::new();
    for cost in costs {
        let rows: Vec<_> = documented.iter().filter(|row| row.surface == cost.surface).collect();
        match rows.as_slice() {
            [] => problems.push(format!("surface `{}` is not in the table", cost.surface)),
            [row] => problems.extend(row_problems(row, cost)),
            rows => problems.push(format!("surface `{}` stands {} times in the table", cost.surface, rows.len())),
        }
    }
    for row in documented {
        if !costs.iter().any(|cost| cost.surface == row.surface) {
            problems.push(format!("the table names `{}`, which is no surface", row.surface));
        }
    }
    problems
}

fn row_problems(row: &Row, cost: &Cost) -> Vec<String> {
    let figures = [
        ("tools", real(cost.tools)),
        ("bytes", real(cost.bytes)),
        ("o200k tokens", real(cost.o200k)),
        ("cl100k tokens", real(cost.cl100k)),
        ("tokens an action", cost.per_action()),
        ("percent of a context", cost.share()),
    ];
    if row.figures.len() != figures.len() {
        return vec![format!("surface `{}` has {} figures instead of {}", row.surface, row.figures.len(), figures.len())];
    }
    let compared = figures.into_iter().zip(&row.figures);
    compared.filter_map(|((label, measured), written)| off(&format!("surface `{}`: {label}", row.surface), written, measured)).collect()
}

fn inline_problem(inline: &Inline, costs: &[Cost]) -> Option<String> {
    let Some((measured, _)) = document::figure(&inline.name, costs) else {
        return Some(format!("there is no figure `{}`", inline.name));
    };
    match inline.shown.as_deref() {
        None => Some(format!("the figure `{}` is not closed", inline.name)),
        Some(shown) => off(&format!("`{}`", inline.name), shown, measured),
    }
}

/// What is wrong with a figure as written.
fn off(label: &str, written: &str, measured: f64) -> Option<String> {
    let plain = written.replace(',', "");
    let plain = plain.trim_end_matches('%');
    let decimals = plain.split_once('.').map_or(0, |(_, digits)| digits.len());
    let digits = plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let Some(documented) = plain.parse::<f64>().ok().filter(|figure| digits && figure.is_finite()) else {
        return Some(format!("{label} is {written:?}, which is no number"));
    };
    // A figure is written to some decimals; what rounding does is no drift.
    let rounding = 0.5 / 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
    let difference = (documented - measured).abs();
    (difference > measured * DRIFT && (decimals == 0 || difference > rounding)).then(|| {
        let drift = (documented - measured) / measured * 100.0;
        format!("{label} documented {documented}, measured {measured:.1}, drift {drift:+.0}%")
    })
}

/// How a document differs from what would be written, line by line.
pub fn inexact(now: &str, written: &str) -> Vec<String> {
    if now == written {
        return Vec::new();
    }
    let lines = now.lines().zip(written.lines()).enumerate().filter(|(_, (now, written))| now != written);
    let mut problems: Vec<_> = lines.map(|(number, (now, written))| format!("line {}: {now:?} would be {written:?}", number + 1)).collect();
    if now.lines().count() != written.lines().count() || problems.is_empty() {
        problems.push(format!("{} line(s) against what would be written", signed(written.lines().count(), now.lines().count())));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::{inexact, problems};
    use crate::document;
    use crate::measure::Cost;
    use crate::table;

    fn measured() -> Vec<Cost> {
        let cost = |surface: &str, o200k| Cost {
            surface: surface.into(),
            tools: 2,
            bytes: 1_000,
            o200k,
            cl100k: 240,
            median: 70,
            instructions: 300,
            actions: 100,
            each: Vec::new(),
        };
        vec![cost("dynamic", 200), cost("meta", 4_000)]
    }

    fn checked(text: &str) -> Vec<String> {
        problems(&document::read(text), &measured(), true)
    }

    fn after(change: impl Fn(String) -> String) -> Vec<String> {
        let readme = document::written(&format!("# x\n{}\n{}\n", table::BEGIN, table::END), &measured()).unwrap();
        checked(&change(readme))
    }

    #[test]
    fn figures_as_written_hold() {
        assert_eq!(after(|text| text), Vec::<String>::new());
    }

    #[test]
    fn figures_within_the_drift_hold_and_beyond_it_do_not() {
        assert!(after(|text| text.replace("| 4,000 |", "| 4,590 |")).is_empty());
        assert!(after(|text| text.replace("| 4,000 |", "| 3,410 |")).is_empty());
        let high = after(|text| text.replace("| 4,000 |", "| 4,610 |"));
        assert_eq!(high, ["surface `meta`: o200k tokens documented 4610, measured 4000.0, drift +15%"]);
        let low = after(|text| text.replace("| 4,000 |", "| 3,390 |"));
        assert_eq!(low, ["surface `meta`: o200k tokens documented 3390, measured 4000.0, drift -15%"]);
    }

    #[test]
    fn missing_swapped_malformed_and_stale_figures_do_not_hold() {
        assert_eq!(
            after(|text| text.lines().filter(|line| !line.contains("`meta`")).collect::<Vec<_>>().join("\n")),
            ["surface `meta` is not in the table"]
        );
        assert!(
            !after(|text| text.replace("`meta`", "`x`").replace("`dynamic`", "`meta`").replace("`x`", "`dynamic`")).is_empty(),
            "swapped"
        );
        for malformed in ["many", "NaN", "inf", "-4,000", "4e3", ""] {
            let found = after(|text| text.replace("| 4,000 |", &format!("| {malformed} |")));
            assert!(found[0].contains("no number"), "{malformed}: {found:?}");
        }
        assert!(after(|text| text.replace("| 4,000 | ", "| "))[0].contains("figures instead of"));
        assert!(after(|text| text.replace("| `meta` | 2 |", "| `meta` | 3 |"))[0].contains("tools documented 3"));
        assert!(after(|text| text.replace("| `meta`", "| `other` | 2 |\n| `meta`")).iter().any(|problem| problem.contains("no surface")));
        assert!(after(|text| text.replace("tokens (o200k)", "words")).iter().any(|problem| problem.contains("head")));
    }

    #[test]
    fn an_empty_table_or_a_figure_in_a_comment_holds_nothing() {
        let empty = after(|text| text.lines().filter(|line| !line.contains('`')).collect::<Vec<_>>().join("\n"));
        assert_eq!(empty.len(), 2);
        let commented = after(|text| text.replace("| `meta`", "<!-- | `meta`"));
        assert_eq!(commented, ["surface `meta` is not in the table"]);
        let hidden = after(|text| text.replace("| `meta`", "<!--\n| `meta`").replace(table::END, "-->\n<!-- audit:end -->"));
        assert_eq!(hidden, ["surface `meta` is not in the table"]);
        assert_eq!(after(|text| text.replace(table::BEGIN, "")), ["there is no table of figures"]);
        assert_eq!(after(|text| text.replace(table::END, "")).len(), 1, "no end");
    }

    #[test]
    fn a_second_table_is_checked_as_the_first() {
        let stale = after(|text| format!("{text}\n{}", text.replace("| 4,000 |", "| 9,000 |")));
        assert_eq!(stale.len(), 1);
        assert!(stale[0].contains("9000"));
    }

    #[test]
    fn a_figure_inside_a_sentence_is_checked_and_written() {
        let table = document::written(&format!("{}\n{}\n", table::BEGIN, table::END), &measured()).unwrap();
        let with = |sentence: &str| checked(&format!("{table}{sentence}\n"));
        assert!(with("It costs <!-- audit:dynamic.o200k -->210<!-- /audit --> tokens.").is_empty());
        assert!(with("<!-- audit:meta.per_action -->40.0<!-- /audit --> each").is_empty());
        assert!(with("It costs <!-- audit:dynamic.o200k -->300<!-- /audit --> tokens.")[0].contains("drift +50%"));
        assert!(with("It costs <!-- audit:dynamic.o200k -->few<!-- /audit --> tokens.")[0].contains("no number"));
        assert!(with("It costs <!-- audit:dynamic.o200k --><!-- 200 --><!-- /audit --> tokens.")[0].contains("not closed"));
        assert!(with("It costs <!-- audit:dynamic.o200k -->200 tokens.")[0].contains("not closed"));
        assert!(with("It costs <!-- audit:dynamic.words -->200<!-- /audit -->.")[0].contains("no figure"));
        let two = "<!-- audit:dynamic.o200k -->1<!-- /audit --> and <!-- audit:meta.o200k -->2<!-- /audit -->";
        assert_eq!(with(two).len(), 2);
        let written = document::written(two, &measured()).unwrap();
        assert_eq!(written, "<!-- audit:dynamic.o200k -->200<!-- /audit --> and <!-- audit:meta.o200k -->4,000<!-- /audit -->");
        assert!(document::written("<!-- audit:meta.o200k -->2", &measured()).is_err());
    }

    #[test]
    fn exact_means_as_written() {
        assert!(inexact("a\nb\n", "a\nb\n").is_empty());
        assert_eq!(inexact("a\nb\n", "a\nc\n"), [r#"line 2: "b" would be "c""#]);
        assert_eq!(inexact("a", "a\n").len(), 1, "the last line's end");
    }
}
