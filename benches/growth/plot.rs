//! The measured table as Markdown and as a plot: four panels over the number of actions.

use std::fmt::Write;

/// What is measured, in the order of the table.
pub const COLUMNS: [&str; 12] = [
    "actions",
    "compile_s",
    "file_bytes",
    "bytes_an_action",
    "initialize_ms",
    "list_ms",
    "peak_after_list_kib",
    "map_after_list_kib",
    "find_ms",
    "find_p99_ms",
    "peak_after_finds_kib",
    "map_after_finds_kib",
];

/// A panel: title, unit, and its lines by column with their labels.
type Panel = (&'static str, &'static str, &'static [(&'static str, &'static str)]);
const PANELS: [Panel; 4] = [
    ("Start", "ms", &[("initialize_ms", "spawn → initialize"), ("list_ms", "spawn → list")]),
    ("Memory", "MiB", &[("peak_after_list_kib", "peak after the list"), ("peak_after_finds_kib", "peak after 100 finds")]),
    ("Find over the wire", "ms", &[("find_ms", "p50"), ("find_p99_ms", "p99")]),
    ("Compiled file", "MiB", &[("file_bytes", "size")]),
];
const COLOURS: [&str; 2] = ["#1f6feb", "#d1681f"];
const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 48.0;
/// Of the axes.
const SPAN: (f64, f64) = (290.0, 150.0);

fn rows(table: &str) -> Vec<Vec<f64>> {
    table.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap_or(0.0)).collect()).collect()
}

fn column(name: &str) -> usize {
    COLUMNS.iter().position(|column| *column == name).unwrap_or(0)
}

/// The value of a cell in the unit of its panel.
fn value(row: &[f64], name: &str) -> f64 {
    let raw = row.get(column(name)).copied().unwrap_or(0.0);
    match name {
        "file_bytes" => raw / 1_048_576.0,
        name if name.ends_with("_kib") => raw / 1024.0,
        _ => raw,
    }
}

/// The table as Markdown, one row a size.
pub fn markdown(table: &str) -> String {
    let mut out = String::from(
        "| actions | compile, s | bytes an action | spawn → initialize, ms | spawn → list, ms | peak after list, MiB | of it the file | find, ms (p99) | peak after 100 finds | of it the file |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows(table) {
        let v = |name: &str| value(&row, name);
        let _ = writeln!(
            out,
            "| {} | {:.1} | {} | {:.2} | {:.2} | {:.1} | {:.2} | {:.2} ({:.2}) | {:.1} | {:.2} |",
            v("actions"),
            v("compile_s"),
            v("bytes_an_action"),
            v("initialize_ms"),
            v("list_ms"),
            v("peak_after_list_kib"),
            v("map_after_list_kib"),
            v("find_ms"),
            v("find_p99_ms"),
            v("peak_after_finds_kib"),
            v("map_after_finds_kib")
        );
    }
    out
}

/// The plot. The horizontal axis is logarithmic, the vertical ones begin at zero.
pub fn svg(table: &str) -> String {
    let rows = rows(table);
    let (width, height) = (2.0 * WIDTH, 2.0 * HEIGHT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (number, panel) in PANELS.iter().enumerate() {
        let (across, down) = (f64::from(u8::from(number % 2 == 1)) * WIDTH, f64::from(u8::from(number > 1)) * HEIGHT);
        let _ = writeln!(out, "<g transform=\"translate({across} {down})\">");
        draw(&mut out, &rows, panel);
        out.push_str("</g>\n");
    }
    out + "</svg>\n"
}

fn draw(out: &mut String, rows: &[Vec<f64>], (title, unit, lines): &Panel) {
    let all = rows.iter().flat_map(|row| lines.iter().map(|(name, _)| value(row, name)));
    let top = round_up(all.fold(0.0, f64::max));
    let ends = rows.iter().map(|row| value(row, "actions").log10());
    let (first, last) = (ends.clone().fold(f64::MAX, f64::min), ends.fold(f64::MIN, f64::max));
    let x = |actions: f64| LEFT + SPAN.0 * (actions.log10() - first) / (last - first).max(1e-9);
    let y = |value: f64| TOP + SPAN.1 * (1.0 - value / top);
    let _ = writeln!(out, "<text x=\"{LEFT}\" y=\"20\" font-weight=\"bold\" fill=\"#222\">{title}, {unit}</text>");
    for share in [0.0, 0.5, 1.0] {
        let (at, label) = (y(top * share), top * share);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{label}</text>",
            LEFT + SPAN.0,
            LEFT - 6.0,
            at + 4.0
        );
    }
    for row in rows {
        let actions = value(row, "actions");
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{actions}</text>",
            x(actions),
            TOP + SPAN.1 + 18.0
        );
    }
    for (number, (name, label)) in lines.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let points: Vec<_> = rows.iter().map(|row| (x(value(row, "actions")), y(value(row, name)))).collect();
        let path: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(out, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", path.join(" "));
        for (x, y) in points {
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let across = LEFT + 140.0 * f64::from(u8::from(number == 1));
        let _ = writeln!(out, "<text x=\"{across}\" y=\"37\" fill=\"{colour}\">{label}</text>");
    }
}

/// The next number that begins with 1, 2, 4 or 8: an axis that ends there has a middle worth reading.
fn round_up(value: f64) -> f64 {
    let power = 10_f64.powf(value.max(1e-3).log10().floor());
    [1.0, 2.0, 4.0, 8.0, 10.0].into_iter().map(|step| step * power).find(|step| *step >= value).unwrap_or(10.0 * power)
}
