//! Erosion: by droplets, by slides.
//!
//! All start from the same map. Ours is to be the first entry of each contest; until it is
//! here the peers' times stand alone.

use std::io;

use lanternfell_heightmap::{Generator, Islands};

use super::{generate, sides, square};
use crate::{Bench, heights::Ground, peers::Peer, race::Race};

/// How many droplets: the default of `symbios-ground`.
const DROPLETS: u32 = 50_000;

/// How many passes of slides: its default too.
const PASSES: u32 = 50;

/// The step between two cells at which ground begins to slide. On a map of 1024 cells that
/// is as high as it should be (see `Scale::of_size`), this is 31 degrees.
const TALUS: f64 = 0.0037;

/// Measures all of it.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Erosion")?;
    for &side in sides(&bench.plan) {
        let mut map = generate(&Generator::from(Islands::default()), side);
        map.normalise();
        let ground = Ground::of(map.into_heights());
        let mut race = Race::new(format!("Erosion, {}", square(side)), &ground);
        race.contest(format!("{DROPLETS} droplets"));
        let job = format!("droplets {DROPLETS}");
        race.peer("symbios-ground", Peer::RustCrates, job);
        let job = format!("rain {DROPLETS}");
        race.peer("tcod: rain erosion", Peer::TcodHeights, job);
        race.contest(format!("slides, {PASSES} passes"));
        let job = format!("slides {PASSES} {TALUS}");
        race.peer("symbios-ground: thermal", Peer::RustCrates, job);
        bench.run(&mut race)?;
    }
    Ok(())
}
