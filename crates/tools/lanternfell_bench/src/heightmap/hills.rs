//! Hills and hill islands: our generator, the direct sum, and libraries with similar hills.

use std::{fmt::Write, io};

use lanternfell_heightmap::{Generator, Hill, Hills};

use super::{
    direct,
    entries::{add_ours, made, second_thread},
    size::{BUDGET_SIDE, SEED, budget_side, sides, size, square},
    workers::Workers,
};
use crate::{bench::Bench, heights::Heights, peers::Peer, race::Race, report::Budget};

/// The number of hills.
const COUNT: u32 = 1000;

/// The range of their radii in cells.
const RADII: (f64, f64) = (20.0, 300.0);

/// The budget relative to the direct sum, one thread each.
const BY_DIRECT: f64 = 1.0 / 12.0;

/// The maximum difference between the map of the direct sum and ours. It sums a thousand times in
/// `f32`.
const TOLERANCE: f64 = 3e-5;

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Hills")?;
    let pools = Workers::all();
    for &side in sides(&bench.plan) {
        one_size(bench, &pools, side)?;
    }
    Ok(())
}

/// The hills of a map. The maximum radius is reduced if the hills would not fit on an island.
fn hills_for(side: usize, island: bool) -> Hills {
    let room = 0.5 * (side - 1) as f64;
    let most = if island { RADII.1.min(room) } else { RADII.1 };
    Hills {
        count: COUNT,
        radius_min: RADII.0,
        radius_max: most,
        island,
        bays: 0.0,
    }
}

fn one_size(bench: &mut Bench<'_>, pools: &[Workers], side: usize) -> io::Result<()> {
    let ground = Heights::bare(side);
    let mut race = Race::new(format!("Hills, {}", square(side)), &ground);
    let mut judged = Vec::new();
    for (island, name) in [(false, "hills"), (true, "hill island")] {
        let hills = hills_for(side, island);
        let (least, most) = (hills.radius_min, hills.radius_max);
        race.contest(format!("{name}, {COUNT} of radius {least} to {most}"));
        let ours = add_ours(&mut race, pools, &Generator::from(hills.clone()), side);
        let drawn = hills.draw(size(side), SEED);
        let job = format!("hills{}", words(&drawn));
        let sum = made(move || direct::hills(&hills.draw(size(side), SEED), side));
        let direct = race.other_map("the direct sum", sum);
        race.same_to(direct, TOLERANCE);
        race.peer("tcod: heightmap_add_hill", Peer::TcodHeights, job.clone());
        if side <= BUDGET_SIDE {
            race.peer("three.terrain.js: Influence", Peer::ThreeTerrain, job);
            let (who, job) = match island {
                true => ("three.terrain.js: HillIsland, its own hills", "hill_island"),
                false => ("three.terrain.js: Hill, its own hills", "hill"),
            };
            race.peer(who, Peer::ThreeTerrain, format!("{job} {COUNT}"));
        }
        judged.push((name, ours, direct));
    }
    bench.run(&mut race)?;
    for (name, ours, direct) in judged {
        let what = format!("{name}, {COUNT}, {}", square(side));
        second_thread(bench, &what, &race, &ours);
        if side == budget_side(&bench.plan) {
            let (part, whole) = (race.times(ours[0]), race.times(direct));
            let what = format!("{what}: relative to the direct sum");
            let budget = Budget::share(what, BY_DIRECT, part, whole);
            bench.report.budget(budget);
        }
    }
    Ok(())
}

/// The hills for a sheet: x, y and radius of each in cells.
fn words(hills: &[Hill]) -> String {
    let cells = |units: i32| f64::from(units) / f64::from(Hill::CELL);
    hills.iter().fold(String::new(), |mut words, hill| {
        let (x, y, radius) = (cells(hill.x()), cells(hill.y()), cells(hill.radius()));
        let _ = write!(words, " {x},{y},{radius}");
        words
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{heightmap::size::generate, heights::Shape};

    #[test]
    fn direct_sum_matches_our_map() {
        for island in [false, true] {
            let hills = hills_for(97, island);
            let ours = generate(&hills.clone().into(), 97).into_heights();
            let theirs = direct::hills(&hills.draw(size(97), SEED), 97);
            let shape = Shape::compared_with(&theirs, &ours, TOLERANCE);
            assert!(
                shape.off.is_some_and(|(off, most)| off <= most),
                "island {island}: {shape}"
            );
        }
    }

    #[test]
    fn sheet_has_hills_in_cells() {
        let hill = Hill::from_cells(-2.5, 3.0, 20.25).expect("the hill is valid");
        assert_eq!(words(&[hill, hill]), " -2.5,3,20.25 -2.5,3,20.25");
    }
}
