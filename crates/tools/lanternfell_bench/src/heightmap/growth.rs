//! How the cost of generators grows with the map size: time per cell, and memory.

use std::io;

use super::{entries::add_ours, generators::generators, memory, size::square, workers::Workers};
use crate::{bench::Bench, heights::Heights, race::Race, report::Budget, table::Table};

/// The small and the large map.
const SIDES: (usize, usize) = (512, 8192);
/// The same for quick runs.
const QUICK_SIDES: (usize, usize) = (64, 256);

/// The budget of a cell of the large map, relative to one of the small map.
const BY_SMALL: f64 = 1.5;

/// The budget of peak memory, relative to the map.
const MEMORY: f64 = 2.5;

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Growth")?;
    let (small, large) = if bench.plan.quick { QUICK_SIDES } else { SIDES };
    cost_per_cell(bench, small, large)?;
    peak_memory(bench, large)
}

/// The growth budget of a cell. The cost of sine waves may also grow with the logarithm of the
/// side.
fn limit(name: &str, small: usize, large: usize) -> f64 {
    match name {
        "fluid-1000" => BY_SMALL * (large as f64).log2() / (small as f64).log2(),
        _ => BY_SMALL,
    }
}

fn cost_per_cell(bench: &mut Bench<'_>, small: usize, large: usize) -> io::Result<()> {
    let pools = [Workers::alone()];
    let grounds = [small, large].map(Heights::bare);
    let mut races = Vec::new();
    for ground in &grounds {
        let side = ground.side();
        let title = format!("One thread, {}", square(side));
        let mut race = Race::new(title, ground);
        let mut ids = Vec::new();
        for (name, generator) in generators() {
            race.contest(name);
            ids.extend(add_ours(&mut race, &pools, &generator, side));
        }
        bench.run(&mut race)?;
        let per_cell = |(least, median): (f64, f64)| {
            let cells = (side * side) as f64;
            (least / cells, median / cells)
        };
        let times = ids.iter().map(|&id| race.times(id).map(per_cell));
        races.push(times.collect::<Vec<_>>());
    }
    for (index, (name, _)) in generators().into_iter().enumerate() {
        let what = format!(
            "{name}, a cell of {} relative to one of {}",
            square(large),
            square(small)
        );
        let limit = limit(name, small, large);
        let budget = Budget::times(what, limit, races[1][index], races[0][index]);
        bench.report.budget(budget);
    }
    Ok(())
}

fn peak_memory(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let mut table = Table::new(["what", "map", "peak"], "lrr");
    let map = (side * side * size_of::<f32>()) as f64;
    let megabytes = |bytes: f64| format!("{:.1} MB", 1e-6 * bytes);
    for (name, _) in generators() {
        let measured = memory::of_a_child(name, side);
        table.add([
            name.into(),
            megabytes(map),
            measured.map_or("-".into(), megabytes),
        ]);
        let what = format!("{name}, {}: memory relative to the map", square(side));
        let twice = |bytes| (bytes, bytes);
        let budget = Budget::times(what, MEMORY, measured.map(twice), Some(twice(map)));
        bench.report.budget(budget);
    }
    let title = format!("Memory, {}", square(side));
    bench.report.table(&title, &table)
}
