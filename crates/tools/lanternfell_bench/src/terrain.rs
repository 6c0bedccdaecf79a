//! Terrain, compared with other crates for Bevy: from heights to triangles, a flight, queries, edits, and errors.
//!
//! Everything is measured in one separate program, `peers/terrain`, where all crates get the same terrain: fractal
//! noise of seven octaves with a cell spacing of 1 m and a relief of 160 m, for every size. A crate without a feature
//! has no row for it: `jackdaw_terrain` has no normals, and `symbios-ground` has no rays, no levels of detail and no
//! brushes. "By hand" is an implementation without a library: one mesh of all cells, direct array access, and the mesh
//! as collider.

mod tables;

use std::io;

use crate::{bench::Bench, heights::Heights, peers::Peer, race::Race};

/// Cells per side, normally and for quick runs.
const SIDES: [&[usize]; 2] = [&[1024, 4096, 16_384], &[512]];

/// Larger maps are measured in fewer rounds, since each round starts with generating the map.
const LARGE: usize = 4096;
const ROUNDS_OF_LARGE: u32 = 3;

const OURS: &str = "ours";
const JACKDAW: &str = "jackdaw_terrain";
const SYMBIOS: &str = "symbios-ground";
const NAIVE: &str = "by hand";

/// Runs the section.
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
        // A stroke changes as many cells on a larger map.
        if side <= LARGE {
            edits(bench, side)?;
            tables::strokes(bench, side)?;
        }
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
    race.contest("first view");
    race.ours_there("ours, 1 thread", Peer::Terrain, "ours view 1".into());
    race.ours_there("ours, all threads", Peer::Terrain, "ours view all".into());
    race.peer(JACKDAW, Peer::Terrain, "jackdaw view".into());
    if fits_memory(side) {
        race.contest("every cell");
        race.ours_there(OURS, Peer::Terrain, "ours whole".into());
        race.peer(JACKDAW, Peer::Terrain, "jackdaw whole".into());
        race.peer(NAIVE, Peer::Terrain, "naive whole".into());
    } else {
        let gibibytes = bytes_of_all(side) >> 30;
        bench.report.left_out(&format!(
            "{side} x {side} cells: meshes of every cell are skipped, since they need {gibibytes} GiB"
        ))?;
        bench.report.gap()?;
    }
    bench.run(&mut race)
}

/// Meshes with more bytes than this are skipped.
const MOST_BYTES: usize = 8 << 30;

/// The bytes of meshes with all cells: 32 per vertex, and 4 for each of the six indices of a square.
fn bytes_of_all(side: usize) -> usize {
    32 * side * side + 24 * (side - 1) * (side - 1)
}

fn fits_memory(side: usize) -> bool {
    bytes_of_all(side) <= MOST_BYTES
}

/// The cost of a camera that flies over the terrain.
fn flight(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let given = Heights::bare(side);
    let mut race = race("Flight at 50 m/s and 60 frames per second", side, &given);
    for (what, word) in [
        ("selection, mean frame", "chosen"),
        ("selection and meshing, mean frame", "mean"),
        ("selection and meshing, worst frame", "worst"),
    ] {
        race.contest(what);
        race.ours_there(OURS, Peer::Terrain, format!("ours fly {word}"));
        race.peer(JACKDAW, Peer::Terrain, format!("jackdaw fly {word}"));
    }
    bench.run(&mut race)
}

/// Level-of-detail selection, and queries.
fn questions(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let given = Heights::bare(side);
    let mut race = race("Queries, one thread", side, &given);
    let tasks = [
        ("level-of-detail selection", "select", [true, false]),
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

/// Creating a mesh collider needs some hundred bytes per triangle.
const LARGEST_MESH_COLLIDER: usize = 1024;

/// From heights to colliders. `bevy_symbios_ground` calls the same function of Parry as ours, and `jackdaw_terrain` has
/// no collider.
fn collider(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let given = Heights::bare(side);
    let mut race = race("Collider of the whole terrain", side, &given);
    race.contest("create");
    race.ours_there(OURS, Peer::Terrain, "ours collider".into());
    if side <= LARGEST_MESH_COLLIDER {
        race.peer(NAIVE, Peer::Terrain, "naive collider".into());
    }
    bench.run(&mut race)
}

/// Strokes of a brush, until the heights are changed. Undo of `jackdaw_terrain` is the same for all brushes.
fn edits(bench: &mut Bench<'_>, side: usize) -> io::Result<()> {
    let given = Heights::bare(side);
    let mut race = race("Strokes with a radius of 32 cells", side, &given);
    for brush in ["raise", "lower", "flatten", "smooth"] {
        race.contest(format!("{brush}, one dab of 32"));
        let job = |who: &str| format!("{who} dab {brush}");
        race.ours_there("ours, a dab per frame", Peer::Terrain, job("ours"));
        let whole = format!("{} whole", job("ours"));
        race.ours_there("ours, all dabs at once", Peer::Terrain, whole);
        race.peer(JACKDAW, Peer::Terrain, job("jackdaw"));
        race.peer(NAIVE, Peer::Terrain, job("naive"));
    }
    for brush in ["raise", "smooth"] {
        race.contest(format!("{brush}, undo"));
        race.ours_there(OURS, Peer::Terrain, format!("ours undo {brush}"));
        race.peer(JACKDAW, Peer::Terrain, "jackdaw undo raise".into());
    }
    bench.run(&mut race)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_meshes_that_need_too_much_memory() {
        assert_eq!(bytes_of_all(2), 4 * 32 + 6 * 4);
        assert!(fits_memory(4096) && !fits_memory(16_384));
    }
}
