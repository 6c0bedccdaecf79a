//! Fault lines: our generator, the definition, and `three.terrain.js`.

use std::io;

use lanternfell_heightmap::{Faults, Generator};

use super::{
    direct,
    entries::{add_ours, made, second_thread},
    size::{BUDGET_SIDE, SEED, budget_side, sides, size, square},
    workers::Workers,
};
use crate::{bench::Bench, heights::Heights, peers::Peer, race::Race, report::Budget};

/// The number of lines.
const LINES: u32 = 1000;

/// The budget relative to the definition, one thread each.
const BY_DIRECT: f64 = 1.0 / 100.0;

/// The maximum difference between the map of the definition and ours. Its heights are exact, but
/// their normalization is rounded once more.
const TOLERANCE: f64 = 2e-7;

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Fault lines")?;
    let pools = Workers::all();
    for &side in sides(&bench.plan) {
        one_size(bench, &pools, side)?;
    }
    Ok(())
}

fn one_size(bench: &mut Bench<'_>, pools: &[Workers], side: usize) -> io::Result<()> {
    let faults = Faults {
        lines: LINES,
        ..Faults::default()
    };
    let ground = Heights::bare(side);
    let mut race = Race::new(format!("Fault lines, {}", square(side)), &ground);
    race.contest(format!("{LINES} lines"));
    let generator = Generator::from(faults.clone());
    let ours = add_ours(&mut race, pools, &generator, side);
    let by_definition = move || direct::faults(&faults.draw(size(side), SEED), side);
    let direct = race.other_map("the definition", made(by_definition));
    race.same_to(direct, TOLERANCE);
    // On the largest map this takes minutes.
    if side <= BUDGET_SIDE {
        let job = format!("faults {LINES}");
        race.peer(
            "three.terrain.js: Fault, its own lines",
            Peer::ThreeTerrain,
            job,
        );
    }
    bench.run(&mut race)?;
    let what = format!("faults, {LINES} lines, {}", square(side));
    second_thread(bench, &what, &race, &ours);
    if side == budget_side(&bench.plan) {
        let (part, whole) = (race.times(ours[0]), race.times(direct));
        let what = format!("{what}: relative to the definition");
        let budget = Budget::share(what, BY_DIRECT, part, whole);
        bench.report.budget(budget);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{heightmap::size::generate, heights::Shape};

    #[test]
    fn definition_matches_our_map() {
        let faults = Faults {
            lines: 300,
            ..Faults::default()
        };
        let ours = generate(&faults.clone().into(), 97).into_heights();
        let theirs = direct::faults(&faults.draw(size(97), SEED), 97);
        let shape = Shape::compared_with(&theirs, &ours, TOLERANCE);
        assert!(shape.off.is_some_and(|(off, most)| off <= most), "{shape}");
    }
}
