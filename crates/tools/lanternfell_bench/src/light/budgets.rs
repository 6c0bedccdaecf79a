//! The budgets of the light, as defined by the design of the project.

use std::io;

use lanternfell_lightgrid::{Cell, LightGrid, Vec3};

use super::{
    scene::{Colors, Scene},
    ways,
};
use crate::{
    bench::Bench,
    map::{Kind, Map},
    race::Race,
    report::Budget,
};

/// The budget of a pass over 256 x 256 cells in three colors, when several are computed at once, in
/// nanoseconds.
const PASS: f64 = 50e3;
/// The budget of a call on settled and unchanged light, in nanoseconds.
const UNCHANGED: f64 = 2e3;
/// The budget of a step with one moving lamp on 1024 x 1024 cells, relative to a full pass.
const ONE_LAMP: f64 = 0.1;

/// The number of passes per call.
const AT_ONCE: u32 = 8;

/// The number of lamps of which one or none moves.
const LAMPS: usize = 32;

/// Measures everything that has a budget.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    for kind in Kind::ALL {
        passes(bench, &Map::new(kind, 256))?;
    }
    for kind in Kind::ALL {
        let map = Map::new(kind, 1024);
        unchanged(bench, &map)?;
        one_lamp(bench, &map)?;
    }
    Ok(())
}

/// Steps with all tiles awake.
fn passes(bench: &mut Bench<'_>, map: &Map) -> io::Result<()> {
    let scene = Scene::bright(map);
    let mut race = Race::new(
        format!("Light, passes with all tiles awake, {}", map.name()),
        map,
    );
    race.contest("RGB");
    let settled = ways::settled(scene.grid(Colors::Rgb));
    // A call wakes threads, which is not part of a pass. The next row includes it.
    let pass = race.ours("ours", None, ways::full_pass(&settled, AT_ONCE));
    race.ours(
        "ours, one step at a time",
        None,
        ways::full_pass(&settled, 1),
    );
    race.other("plain automaton", None, ways::plain_pass::<3>(&settled));
    race.contest("RGB, stained glass");
    let glazed = ways::settled(glaze(scene.grid(Colors::Rgb), map));
    race.ours("ours", None, ways::full_pass(&glazed, AT_ONCE));
    race.other("plain automaton", None, ways::plain_pass::<3>(&glazed));
    race.contest("gray");
    let gray = ways::settled(scene.grid(Colors::Gray));
    race.ours("ours", None, ways::full_pass(&gray, AT_ONCE));
    race.other("plain automaton", None, ways::plain_pass::<1>(&gray));
    bench.run(&mut race)?;
    let what = format!("light, RGB pass, {AT_ONCE} at once, {}", map.name());
    bench
        .report
        .budget(Budget::time(what, PASS, race.times(pass)));
    Ok(())
}

/// Turns some cells into stained glass, so that each color has different cells.
fn glaze(mut grid: LightGrid, map: &Map) -> LightGrid {
    let red = Cell::glass(Vec3::new(0.9, 0.3, 0.2));
    for at in map.places(map.side(), 4) {
        grid.set_cell(at, red).expect("the cell is on the map");
    }
    grid
}

/// Calls that cost almost nothing.
fn unchanged(bench: &mut Bench<'_>, map: &Map) -> io::Result<()> {
    let scene = Scene::new(map, LAMPS);
    let grid = scene.grid(Colors::Rgb);
    let (resting, settled) = (ways::resting(grid.clone()), ways::settled(grid));
    let sources = scene.sources(0);
    let mut race = Race::new(
        format!("Light, settled and unchanged, {}, RGB", map.name()),
        map,
    );
    race.contest("step(1)");
    let step = race.ours("ours", None, ways::unchanged(&resting, |grid| grid.step(1)));
    race.contest("settle");
    let settle = |grid: &mut LightGrid| {
        grid.settle(ways::TOLERANCE);
    };
    let settle = race.ours("ours", None, ways::unchanged(&settled, settle));
    race.contest("set the same 32 lamps, and step(1)");
    let again = |grid: &mut LightGrid| {
        grid.set_sources(&sources).expect("the lamps are valid");
        grid.step(1);
    };
    race.ours("ours", None, ways::unchanged(&resting, again));
    bench.run(&mut race)?;
    for (what, id) in [("step(1)", step), ("settle", settle)] {
        let what = format!("light, settled and unchanged, {}: {what}", map.name());
        bench
            .report
            .budget(Budget::time(what, UNCHANGED, race.times(id)));
    }
    Ok(())
}

/// A lamp is carried through a large map.
fn one_lamp(bench: &mut Bench<'_>, map: &Map) -> io::Result<()> {
    let pass = ways::full_pass(&ways::settled(Scene::bright(map).grid(Colors::Rgb)), 1);
    let (alone, among) = (Scene::new(map, 1), Scene::new(map, LAMPS));
    let resting = [&alone, &among].map(|scene| ways::resting(scene.grid(Colors::Rgb)));
    let mut race = Race::new(
        format!(
            "Light, one lamp moving by one cell per step, {}, RGB",
            map.name()
        ),
        map,
    );
    race.contest("step");
    let whole = race.ours("ours, all tiles awake", None, pass);
    let lamp = race.ours(
        "ours, a single lamp",
        None,
        ways::carry(&alone, &resting[0]),
    );
    race.ours(
        "ours, 31 more at rest",
        None,
        ways::carry(&among, &resting[1]),
    );
    bench.run(&mut race)?;
    let what = format!("light, one lamp moving, {}: by a full pass", map.name());
    let (part, whole) = (race.times(lamp), race.times(whole));
    bench
        .report
        .budget(Budget::share(what, ONE_LAMP, part, whole));
    Ok(())
}

#[cfg(test)]
mod tests {
    use lanternfell_lightgrid::IVec2;

    use super::*;

    #[test]
    fn stained_glass_tints_the_light() {
        let map = Map::new(Kind::Rooms, 64);
        let scene = Scene::bright(&map);
        let clear = ways::settled(scene.grid(Colors::Rgb));
        let glazed = ways::settled(glaze(scene.grid(Colors::Rgb), &map));
        let cells = || (0..64).flat_map(|y| (0..64).map(move |x| IVec2::new(x, y)));
        let sum = |grid: &LightGrid| cells().map(|cell| grid.light(cell)).sum::<Vec3>();
        let left = sum(&glazed) / sum(&clear);
        assert!(left.x < 1.0 && left.y < left.x - 0.05, "{left}");
    }
}
