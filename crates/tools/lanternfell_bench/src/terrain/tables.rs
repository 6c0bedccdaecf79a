//! Tables of values other than times: memory, meshes, strokes and errors.

use std::io;

use super::OURS;
use crate::{
    bench::Bench,
    heights::Heights,
    peers::{Peer, Row, Sheet},
    result_digest::show_bytes,
    table::Table,
};

/// Measures rows of a table.
fn rows(bench: &mut Bench<'_>, side: usize, jobs: &[&str]) -> io::Result<Vec<Row>> {
    let mut sheet = Sheet::default();
    let wanted: Vec<usize> = jobs.iter().map(|&job| sheet.add(job.into())).collect();
    let directory = tempfile::tempdir()?;
    let given = Heights::bare(side);
    let path = sheet.write(directory.path(), (&given).into(), bench.plan.goal, &wanted)?;
    match bench.peers.rows(Peer::Terrain, &path) {
        Ok(rows) => Ok(rows),
        Err(failure) => {
            bench.report.left_out(&failure.to_string())?;
            Ok(Vec::new())
        }
    }
}

/// The kinds of rays, and the index of the first of their values.
const KINDS: [(&str, usize); 2] = [("picking", 4), ("horizon", 8)];

/// The memory in addition to the heights, and the meshes for a camera. Includes a mesh of all cells if it fits into
/// memory.
pub(super) fn memory(bench: &mut Bench<'_>, side: usize, whole_fits: bool) -> io::Result<()> {
    let mut jobs = vec!["ours memory", "jackdaw memory"];
    jobs.extend(whole_fits.then_some("naive memory"));
    let rows = rows(bench, side, &jobs)?;
    let title = format!("Memory and meshes, {side} x {side} cells");
    let header = ["who", "memory", "meshes", "triangles", "max error"];
    let mut table = Table::new(header, "lrrrr");
    for row in &rows {
        let &[kept, meshes, triangles, off] = &row.numbers[..] else {
            continue;
        };
        table.add([
            row.who.clone(),
            show_bytes(kept),
            show_bytes(meshes),
            format!("{triangles:.0}"),
            format!("{off:.2} px"),
        ]);
    }
    bench.report.table(&title, &table)?;
    let what = [
        (0, "memory in addition to the heights"),
        (1, "bytes of meshes"),
        (3, "error in pixels"),
    ];
    lost(bench, &title, &rows, &what);
    Ok(())
}

/// The bytes of strokes that raise the terrain, and the error of the heights.
pub(super) fn strokes(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let rows = rows(bench, side, &["ours strokes", "jackdaw strokes"])?;
    let title = format!("Bytes per stroke of 32 dabs, {side} x {side} cells");
    let header = ["who", "in a file", "in memory", "unedited map", "max error"];
    let mut table = Table::new(header, "lrrrr");
    for row in &rows {
        let &[file, memory, unedited, off] = &row.numbers[..] else {
            continue;
        };
        table.add([
            row.who.clone(),
            show_single_bytes(file),
            show_bytes(memory),
            show_bytes(unedited),
            show_millimeters(off),
        ]);
    }
    bench.report.table(&title, &table)?;
    let what = [
        (0, "bytes in a file"),
        (1, "bytes in memory"),
        (2, "bytes of the unedited map"),
        (3, "largest error"),
    ];
    lost(bench, &title, &rows, &what);
    Ok(())
}

/// For example `25 B`. `-` if there is nothing to measure.
fn show_single_bytes(bytes: f64) -> String {
    if bytes.is_nan() {
        return "-".into();
    }
    format!("{bytes:.0} B")
}

/// The errors of queries, compared with the rendered triangles.
pub(super) fn errors(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let rows = rows(
        bench,
        side,
        &["ours errors", "jackdaw errors", "symbios errors"],
    )?;
    let title = format!("Heights compared with the library's own triangles, {side} x {side} cells");
    let header = ["who", "points", "max error", "mean error", "mesh error"];
    let mut table = Table::new(header, "lrrrr");
    for row in &rows {
        let &[points, most, mean, drawn, ..] = &row.numbers[..] else {
            continue;
        };
        let number = format!("{points:.0}");
        let [most, mean, drawn] = [most, mean, drawn].map(show_millimeters);
        table.add([row.who.clone(), number, most, mean, drawn]);
    }
    bench.report.table(&title, &table)?;
    let what = [(1, "largest error"), (2, "mean error")];
    lost(bench, &title, &rows, &what);

    let title = format!("Rays compared with every triangle in f64, {side} x {side} cells");
    let header = ["rays", "who", "hits", "elsewhere", "missed", "max error"];
    let mut table = Table::new(header, "llrrrr");
    for (kind, first) in KINDS {
        for row in &rows {
            let Some(&[hits, others, missed, off]) = row.numbers.get(first..first + 4) else {
                continue;
            };
            let [hits, others, missed] = [hits, others, missed].map(|n| format!("{n:.0}"));
            let off = show_millimeters(off);
            table.add([kind.into(), row.who.clone(), hits, others, missed, off]);
        }
    }
    bench.report.table(&title, &table)?;
    for (kind, first) in KINDS {
        let what = [
            (first + 1, "hits elsewhere"),
            (first + 2, "missed"),
            (first + 3, "largest error"),
        ];
        lost(bench, &format!("{title}, {kind}"), &rows, &what);
    }
    Ok(())
}

/// Meters as millimeters. `-` if there was nothing to measure.
fn show_millimeters(meters: f64) -> String {
    if meters.is_nan() {
        return "-".into();
    }
    format!("{:.3} mm", 1e3 * meters)
}

/// Reports the values that are smaller than ours, in these columns.
fn lost(bench: &mut Bench<'_>, title: &str, rows: &[Row], what: &[(usize, &str)]) {
    for line in losses(title, rows, what) {
        bench.report.loss(line);
    }
}

/// A line for each value that is smaller than ours.
fn losses(title: &str, rows: &[Row], what: &[(usize, &str)]) -> Vec<String> {
    let Some(ours) = rows.iter().find(|row| row.who == OURS) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for row in rows {
        for (column, what) in what {
            let smaller = match (row.numbers.get(*column), ours.numbers.get(*column)) {
                (Some(theirs), Some(ours)) => theirs < ours,
                _ => false,
            };
            if smaller {
                lines.push(format!(
                    "{title}: {what}: {} has a smaller value than ours",
                    row.who
                ));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_values_are_not_losses() {
        let row = |who: &str, bytes: f64| Row {
            who: who.into(),
            numbers: vec![bytes],
        };
        let rows = [row(OURS, 25.0), row("jackdaw_terrain", f64::NAN)];
        assert!(losses("title", &rows, &[(0, "bytes in a file")]).is_empty());
        let shown = rows.map(|row| show_single_bytes(row.numbers[0]));
        assert_eq!(shown, ["25 B", "-"]);
    }

    #[test]
    fn smaller_values_are_losses() {
        let row = |who: &str, numbers: &[f64]| Row {
            who: who.into(),
            numbers: numbers.into(),
        };
        let rows = [
            row(OURS, &[5.0, 1.0, 9.0]),
            row("jackdaw_terrain", &[0.0, 1.0, 0.0]),
            row("worse", &[6.0, 2.0, 0.0]),
        ];
        let lines = losses("title", &rows, &[(0, "bytes kept"), (1, "meshes")]);
        assert_eq!(
            lines,
            ["title: bytes kept: jackdaw_terrain has a smaller value than ours"]
        );
        assert!(losses("title", &rows[1..], &[(0, "bytes kept")]).is_empty());
    }
}
