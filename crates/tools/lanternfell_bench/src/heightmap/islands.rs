//! Fractal simplex noise, compared with other libraries.
//!
//! The octaves are the defaults of our islands, with wavelengths of 243 cells, 81 cells and so on.
//! The quality of the noises differs: ours repeats after 35,614 lattice steps and has as many
//! gradients as a float can distinguish. Others repeat after 256 steps and have 8 to 32 gradients.
//! Mean, deviation and grain show whether a map has all octaves.

use std::io;

use lanternfell_heightmap::{FractalNoise, Generator};

use super::{
    entries::{add_ours, made, second_thread},
    noises::{RIVALS, Rival},
    size::{BUDGET_SIDE, budget_side, sides, square},
    workers::Workers,
};
use crate::{
    bench::Bench,
    heights::Heights,
    peers::Peer,
    race::{EntryId, Race},
    report::Budget,
};

/// The budget relative to `noise::Simplex`, one thread each.
const BY_NOISE: f64 = 1.0 / 6.0;

/// The budget relative to the fastest simplex noise of another crate, one thread each.
const BY_FASTEST: f64 = 1.0 / 3.0;

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Simplex islands")?;
    let pools = Workers::all();
    for &side in sides(&bench.plan) {
        one_size(bench, &pools, side)?;
    }
    Ok(())
}

fn one_size(bench: &mut Bench<'_>, pools: &[Workers], side: usize) -> io::Result<()> {
    let islands = FractalNoise::default();
    let ground = Heights::bare(side);
    let mut race = Race::new(format!("Simplex islands, {}", square(side)), &ground);
    race.contest(format!("{} octaves", islands.octaves));
    let ours = add_ours(&mut race, pools, &Generator::from(islands.clone()), side);
    let mut simplex = Vec::new();
    for Rival {
        who,
        simplex: like_ours,
        make,
    } in RIVALS
    {
        let islands = islands.clone();
        let id = race.other_map(who, made(move || make(&islands, side)));
        simplex.extend(like_ours.then_some((who, id)));
    }
    add_peers(&mut race, &islands, side, &mut simplex);
    bench.run(&mut race)?;
    let what = format!("islands, 5 octaves, {}", square(side));
    second_thread(bench, &what, &race, &ours);
    if side == budget_side(&bench.plan) {
        judge(bench, &race, &what, ours[0], &simplex);
    }
    Ok(())
}

/// Adds the libraries in other processes.
fn add_peers(
    race: &mut Race<'_>,
    islands: &FractalNoise,
    side: usize,
    simplex: &mut Vec<(&'static str, EntryId)>,
) {
    let FractalNoise {
        octaves,
        scale,
        lacunarity,
        gain,
        ..
    } = islands;
    let octaves = format!("{octaves} {scale} {lacunarity} {gain}");
    let who = "simdnoise: simplex";
    let job = format!("simdnoise {octaves}");
    simplex.push((who, race.peer(who, Peer::RustCrates, job)));
    let who = "symbios-ground: value noise";
    race.peer(who, Peer::RustCrates, format!("value {octaves}"));
    let who = "symbios-ground: diamond-square";
    race.peer(who, Peer::RustCrates, "diamond_square".into());
    let who = "tcod: simplex, heightmap_add_fbm";
    race.peer(who, Peer::TcodHeights, format!("add_fbm {octaves}"));
    let who = "tcod: simplex, sample_ogrid";
    race.peer(who, Peer::TcodHeights, format!("sample_ogrid {octaves}"));
    let who = "tcod: midpoint displacement";
    race.peer(who, Peer::TcodHeights, "midpoint".into());
    if side <= BUDGET_SIDE {
        let who = "three.terrain.js: MultiPass of Simplex";
        race.peer(who, Peer::ThreeTerrain, format!("simplex {octaves}"));
    }
}

fn judge(
    bench: &mut Bench<'_>,
    race: &Race<'_>,
    what: &str,
    ours: EntryId,
    simplex: &[(&'static str, EntryId)],
) {
    let timed = |&(who, id): &(&'static str, EntryId)| Some((who, race.times(id)?));
    let mut by = |name: &str, limit, times| {
        let what = format!("{what}: relative to {name}");
        let budget = Budget::share(what, limit, race.times(ours), times);
        bench.report.budget(budget);
    };
    let first = simplex.first().and_then(timed);
    by("noise: Simplex", BY_NOISE, first.map(|(_, times)| times));
    let medians = simplex.iter().filter_map(timed);
    let fastest = medians.min_by(|(_, a), (_, b)| a.1.total_cmp(&b.1));
    let name = fastest.map_or("the fastest other crate", |(who, _)| who);
    by(name, BY_FASTEST, fastest.map(|(_, times)| times));
}
