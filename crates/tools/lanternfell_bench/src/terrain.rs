//! Terrain beside what else there is for it in Bevy: from heights to triangles, a flight, what is asked, and how far
//! each is off.
//!
//! All of it is measured in one program of its own, `peers/terrain`, where each has the same land: fractal noise of
//! seven octaves, a metre from cell to cell and 160 m high, at every size. Whoever lacks something has no row there:
//! `jackdaw_terrain` answers no normals; `symbios-ground` has no rays, and no detail to be chosen. "By hand" is what one
//! does without a library: one mesh of every cell, the array asked by itself, and the mesh as a collider.

mod tables;

use std::io;

use crate::{bench::Bench, heights::Heights, peers::Peer, race::Race};

/// Cells along a side; and where small maps are enough.
const SIDES: [&[usize]; 2] = [&[1024, 4096, 16_384], &[512]];

/// Larger maps are measured in fewer rounds, as each begins with making the map.
const LARGE: usize = 4096;
const ROUNDS_OF_LARGE: u32 = 3;

const OURS: &str = "ours";
const JACKDAW: &str = "jackdaw_terrain";
const SYMBIOS: &str = "symbios-ground";
const NAIVE: &str = "by hand";

/// Measures all of it.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Terrain")?;
    let rounds = bench.plan.rounds;
    for &side in SIDES[usize::from(bench.plan.quick)] {
        if side > LARGE {
            bench.plan.rounds = rounds.min(ROUNDS_OF_LARGE);
        }
        meshes(bench, side)?;
        flight(bench, side)?;
        questions(bench, side)?;
        collider(bench, side)?;
        tables::memory(bench, side, fits_memory(side))?;
        tables::errors(bench, side)?;
    }
    bench.plan.rounds = rounds;
    Ok(())
}

fn race<'a>(what: &str, side: usize, given: &'a Heights) -> Race<'a> {
    Race::new(format!("{what}, {side} x {side} cells"), given)
}

/// From heights in memory to triangles.
fn meshes(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let given = Heights::bare(side);
    let mut race = race("Meshes", side, &given);
    race.contest("of the first view");
    race.ours_there("ours, 1 thread", Peer::Terrain, "ours view 1".into());
    race.ours_there("ours, all threads", Peer::Terrain, "ours view all".into());
    race.peer(JACKDAW, Peer::Terrain, "jackdaw view".into());
    if fits_memory(side) {
        race.contest("of every cell");
        race.ours_there(OURS, Peer::Terrain, "ours whole".into());
        race.peer(JACKDAW, Peer::Terrain, "jackdaw whole".into());
        race.peer(NAIVE, Peer::Terrain, "naive whole".into());
    } else {
        let gibibytes = bytes_of_all(side) >> 30;
        bench.report.left_out(&format!(
            "{side} x {side} cells: meshes of every cell are left out, they need {gibibytes} GiB"
        ))?;
        bench.report.gap()?;
    }
    bench.run(&mut race)
}

/// Bytes above which meshes are left out.
const MOST_BYTES: usize = 8 << 30;

/// Bytes of meshes that have every cell: 32 for a vertex, 4 for each of six indices of a square.
fn bytes_of_all(side: usize) -> usize {
    32 * side * side + 24 * (side - 1) * (side - 1)
}

fn fits_memory(side: usize) -> bool {
    bytes_of_all(side) <= MOST_BYTES
}

/// What a camera costs that flies over the land.
fn flight(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let given = Heights::bare(side);
    let mut race = race("Flying at 50 m/s, 60 frames a second", side, &given);
    for (what, word) in [
        ("chosen, mean frame", "chosen"),
        ("chosen and made, mean frame", "mean"),
        ("chosen and made, worst frame", "worst"),
    ] {
        race.contest(what);
        race.ours_there(OURS, Peer::Terrain, format!("ours fly {word}"));
        race.peer(JACKDAW, Peer::Terrain, format!("jackdaw fly {word}"));
    }
    bench.run(&mut race)
}

/// Choosing detail, and queries.
fn questions(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let given = Heights::bare(side);
    let mut race = race("Asked, one thread", side, &given);
    let tasks = [
        ("detail for a camera", "select", [true, false]),
        ("height", "height", [true, true]),
        ("normal", "normal", [false, true]),
        ("ray, picking", "ray picking", [true, false]),
        ("ray, horizon", "ray horizon", [true, false]),
    ];
    for (what, task, [jackdaw, symbios]) in tasks {
        race.contest(what);
        race.ours_there(OURS, Peer::Terrain, format!("ours {task}"));
        if jackdaw {
            race.peer(JACKDAW, Peer::Terrain, format!("jackdaw {task}"));
        }
        if symbios {
            race.peer(SYMBIOS, Peer::Terrain, format!("symbios {task}"));
        }
        if task == "height" {
            race.peer(NAIVE, Peer::Terrain, format!("naive {task}"));
        }
    }
    bench.run(&mut race)
}

/// A mesh as a collider takes some hundred bytes a triangle while it is made.
const LARGEST_MESH_COLLIDER: usize = 1024;

/// From heights to what bodies meet. `bevy_symbios_ground` calls the same function of Parry as we; `jackdaw_terrain`
/// has no collider.
fn collider(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let given = Heights::bare(side);
    let mut race = race("A collider of all the land", side, &given);
    race.contest("made");
    race.ours_there(OURS, Peer::Terrain, "ours collider".into());
    if side <= LARGEST_MESH_COLLIDER {
        race.peer(NAIVE, Peer::Terrain, "naive collider".into());
    }
    bench.run(&mut race)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_the_largest_map_is_too_much() {
        assert_eq!(bytes_of_all(2), 4 * 32 + 6 * 4);
        assert!(fits_memory(4096) && !fits_memory(16_384));
    }
}
