//! Documented figures against measured ones.

use crate::measure::{Cost, real};
use crate::table::Row;

/// How far a documented figure may be off, as a share of the measured one, in either direction.
const DRIFT: f64 = 0.15;

/// What does not hold, one sentence each: surface, documented, measured, drift.
pub fn problems(documented: &[Row], measured: &[Cost]) -> Vec<String> {
    let mut problems = Vec::new();
    for cost in measured {
        let rows: Vec<_> = documented.iter().filter(|row| row.surface == cost.surface).collect();
        match rows.as_slice() {
            [] => problems.push(format!("surface `{}` is not in the table", cost.surface)),
            [row] => problems.extend(row_problems(row, cost)),
            rows => problems.push(format!("surface `{}` stands {} times in the table", cost.surface, rows.len())),
        }
    }
    for row in documented {
        if !measured.iter().any(|cost| cost.surface == row.surface) {
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
    let mut problems = Vec::new();
    for ((label, measured), written) in figures.into_iter().zip(&row.figures) {
        let plain = written.replace(',', "");
        let decimals = plain.trim_end_matches('%').split_once('.').map_or(0, |(_, digits)| digits.len());
        let Some(documented) = plain.trim_end_matches('%').parse::<f64>().ok().filter(|figure| figure.is_finite()) else {
            problems.push(format!("surface `{}`: {label} is {written:?}, which is no number", row.surface));
            continue;
        };
        // A figure is written to some decimals; what rounding does is no drift.
        let rounding = 0.5 / 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
        let difference = (documented - measured).abs();
        if difference > measured * DRIFT && (decimals == 0 || difference > rounding) {
            let drift = (documented - measured) / measured * 100.0;
            problems.push(format!(
                "surface `{}`: {label} documented {documented}, measured {measured:.1}, drift {drift:+.0}%",
                row.surface
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::problems;
    use crate::measure::Cost;
    use crate::table;

    fn measured() -> Vec<Cost> {
        let cost = |surface: &str, o200k| Cost {
            surface: surface.into(),
            tools: 2,
            bytes: 1_000,
            o200k,
            cl100k: 240,
            instructions: 300,
            actions: 100,
        };
        vec![cost("dynamic", 200), cost("meta", 4_000)]
    }

    fn after(change: impl Fn(String) -> String) -> Vec<String> {
        let readme = table::written(&format!("# x\n{}\n{}\n", table::BEGIN, table::END), &measured()).unwrap();
        problems(&table::read(&change(readme)).unwrap_or_default(), &measured())
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
        assert_eq!(after(|text| text.lines().filter(|line| !line.contains("`meta`")).collect::<Vec<_>>().join("\n")), [
            "surface `meta` is not in the table"
        ]);
        assert!(!after(|text| text.replace("`meta`", "`x`").replace("`dynamic`", "`meta`").replace("`x`", "`dynamic`")).is_empty(), "swapped");
        assert!(after(|text| text.replace("| 4,000 |", "| many |"))[0].contains("no number"));
        assert!(after(|text| text.replace("| 4,000 |", "| NaN |"))[0].contains("no number"));
        assert!(after(|text| text.replace("| 4,000 | ", "| "))[0].contains("figures instead of"));
        assert!(after(|text| text.replace("| 4,000 |", "| |"))[0].contains("no number"));
        assert!(after(|text| text.replace("| `meta` | 2 |", "| `meta` | 3 |"))[0].contains("tools documented 3"));
    }

    #[test]
    fn an_empty_table_or_a_figure_in_a_comment_holds_nothing() {
        let empty = after(|text| text.lines().filter(|line| !line.contains('`')).collect::<Vec<_>>().join("\n"));
        assert_eq!(empty.len(), 2);
        let commented = after(|text| text.replace("| `meta`", "<!-- | `meta`"));
        assert_eq!(commented, ["surface `meta` is not in the table"]);
        let hidden = after(|text| text.replace("| `meta`", "<!--\n| `meta`").replace(table::END, "-->\n<!-- audit:end -->"));
        assert_eq!(hidden, ["surface `meta` is not in the table"]);
        assert_eq!(after(|text| text.replace(table::BEGIN, "")).len(), 2, "no table at all");
    }
}
