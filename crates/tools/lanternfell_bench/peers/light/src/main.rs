//! One 2D scene lit by `lanternfell_torchlight`, by `bevy_firefly`, by `bevy_lit`, and by nobody: what a frame takes, and how
//! it looks.
//!
//! ```text
//!   map ──> scene: floor, walls, lamps, camera ──┬── ours
//!                                                ├── firefly ──> screen: frame by frame ──> measure ──> a line
//!                                                ├── lit                                       race ──> a table
//!                                                └── none
//! ```
//!
//! All have the same map, sprites, lamps and camera, and are asked for lamps that reach as far and fall off alike, with soft
//! shadows and hardly any light beside them.

mod args;
mod firefly;
mod lit;
mod map;
mod measure;
mod ours;
mod race;
mod scene;
mod screen;
mod software_gpu;

use bevy::prelude::*;
use clap::Parser;

use args::Args;
use screen::Screen;

fn main() -> Result {
    let args = Args::parse();
    if args.race {
        return race::run(&args);
    }
    let mut screen = Screen::new(&args);
    let report = measure::measure(&mut screen, &args)?;
    let load = args.load;
    let (name, moving) = (args.lights.name(), u8::from(load.moving));
    println!(
        "light {name} cells={} lamps={} moving={moving} {report}",
        load.cells, load.lamps
    );
    if let Some(path) = &args.screenshot {
        screen.save(path)?;
    }
    Ok(())
}
