//! Light on one map: from darkness, after a change, and step by step.

use std::io;

use lanternfell_lightgrid::{IVec2, LightGrid};

use super::{
    scene::{Colors, Event, Scene},
    ways,
};
use crate::{bench::Bench, map::Map, peers::Peer, race::Race};

/// The numbers of lamps.
const LAMPS: [usize; 3] = [1, 32, 256];

/// The largest map on which the plain automaton runs from darkness to its end. On larger ones that
/// would take minutes.
const PLAIN_SIDE: usize = 256;

/// The maximum number of lamps for several passes of `rot-js`. It stores the field of view of every
/// reflecting cell, so with many lamps two passes take more than ten seconds and a gigabyte.
const LAMPS_FOR_PASSES: usize = 32;

/// A scene and its grids, which all entries copy.
struct Setup<'a> {
    scene: Scene<'a>,
    settled: LightGrid,
    resting: LightGrid,
}

/// Measures one map.
pub(crate) fn run(bench: &mut Bench<'_>, map: &Map, colors: Colors) -> io::Result<()> {
    let lamps = if bench.plan.quick {
        &LAMPS[..2]
    } else {
        &LAMPS
    };
    let setups: Vec<Setup<'_>> = lamps
        .iter()
        .map(|&lamps| set_up(map, lamps, colors))
        .collect();
    let title = format!("Light, {}, {}", map.name(), colors.name());
    let mut race = Race::new(title, map);
    race.contest("pass, all tiles awake");
    let bright = ways::settled(Scene::bright(map).grid(colors));
    race.ours("ours", None, ways::full_pass(&bright, 1));
    add_plain_pass(&mut race, &bright);
    for setup in &setups {
        from_darkness(&mut race, setup);
    }
    for (event, name) in [
        (Event::LampMoved, "lamp moved"),
        (Event::WallChanged, "wall changed"),
    ] {
        for setup in &setups {
            after(&mut race, setup, event, name);
        }
    }
    for setup in &setups {
        race.contest(format!("step, lamp moving, {}", count(setup)));
        race.ours(
            "ours: step",
            None,
            ways::carry(&setup.scene, &setup.resting),
        );
        add_plain_pass(&mut race, &setup.settled);
    }
    bench.run(&mut race)
}

fn set_up(map: &Map, lamps: usize, colors: Colors) -> Setup<'_> {
    let scene = Scene::new(map, lamps);
    let grid = scene.grid(colors);
    Setup {
        settled: ways::settled(grid.clone()),
        resting: ways::resting(grid),
        scene,
    }
}

fn count(setup: &Setup<'_>) -> String {
    match setup.scene.lamps().len() {
        1 => "1 lamp".into(),
        lamps => format!("{lamps} lamps"),
    }
}

fn add_plain_pass(race: &mut Race<'_>, grid: &LightGrid) {
    if grid.is_gray() {
        race.other("plain automaton: pass", None, ways::plain_pass::<1>(grid));
    } else {
        race.other("plain automaton: pass", None, ways::plain_pass::<3>(grid));
    }
}

/// From darkness to settled light.
fn from_darkness<'a>(race: &mut Race<'a>, setup: &'a Setup<'_>) {
    let Setup { scene, settled, .. } = setup;
    race.contest(format!("from darkness, {}", count(setup)));
    let lit = Some(scene.lit(settled));
    let settle = |grid: &mut LightGrid| {
        grid.settle(ways::TOLERANCE);
    };
    race.ours("ours: settle", lit, ways::from_darkness(settled, settle));
    let steps = ways::steps_from_darkness(settled);
    let step = move |grid: &mut LightGrid| grid.step(steps);
    race.other(
        format!("our automaton: {steps} steps"),
        None,
        ways::from_darkness(settled, step),
    );
    if settled.width() as usize <= PLAIN_SIDE {
        let who = format!("plain automaton: {steps} steps");
        let id = if settled.is_gray() {
            race.other(who, None, ways::plain_from_darkness::<1>(settled, steps))
        } else {
            race.other(who, None, ways::plain_from_darkness::<3>(settled, steps))
        };
        race.once(id);
    }
    add_rot_js(race, setup, "from_darkness", "");
}

/// From settled light before a change to settled light after it.
fn after<'a>(race: &mut Race<'a>, setup: &'a Setup<'_>, event: Event, name: &str) {
    let Setup {
        scene,
        settled,
        resting,
    } = setup;
    race.contest(format!("{name}, {}", count(setup)));
    race.ours(
        "ours: settle",
        None,
        ways::settle_after(scene, settled, event),
    );
    let steps = ways::steps_after(scene, resting, event);
    let mean = steps.iter().sum::<u32>() as usize / steps.len();
    let who = format!("our automaton: {mean} steps");
    race.other(who, None, ways::step_after(scene, resting, event, steps));
    match event {
        Event::LampMoved => add_rot_js(race, setup, "lamp_moved", &walk(scene)),
        // After a changed wall `rot-js` must recompute all fields of view.
        Event::WallChanged => add_rot_js(race, setup, "from_darkness", ""),
    }
}

/// Adds `rot-js` with one, two and three passes. It has no gray light.
fn add_rot_js(race: &mut Race<'_>, setup: &Setup<'_>, task: &str, walk: &str) {
    let lamps = setup.scene.lamps();
    for passes in 1..=3 {
        if setup.settled.is_gray() || (passes > 1 && lamps.len() > LAMPS_FOR_PASSES) {
            continue;
        }
        let plural = if passes > 1 { "passes" } else { "pass" };
        let job = format!("{task} {passes} {}{walk}", words(lamps));
        let id = race.peer(format!("rot-js: {passes} {plural}"), Peer::RotJs, job);
        if passes > 1 && lamps.len() > 1 {
            race.once(id);
        }
    }
}

/// The path of the first lamp, for a sheet.
fn walk(scene: &Scene<'_>) -> String {
    let walk: Vec<IVec2> = (1..=64).filter_map(|step| scene.walker(step)).collect();
    format!(" > {}", words(&walk))
}

fn words(cells: &[IVec2]) -> String {
    let words = cells.iter().map(|cell| format!("{},{}", cell.x, cell.y));
    words.collect::<Vec<_>>().join(" ")
}
