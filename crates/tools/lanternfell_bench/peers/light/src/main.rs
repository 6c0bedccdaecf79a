//! A 2D scene lit by `lanternfell_torchlight`, by `bevy_firefly`, by `bevy_lit`, and without light. Measures frame
//! times and saves screenshots.
//!
//! ```text
//!   map ──> scene: floor, walls, lamps, camera ──┬── ours
//!                                                ├── firefly ──> screen: frame by frame ──> measure ──> a line
//!                                                ├── lit                                       race ──> a table
//!                                                └── none
//! ```
//!
//! All variants have the same map, sprites, lamps and camera. The lamps have the same reach and a similar strength and
//! falloff on open floors, with soft shadows and little ambient light. Differences:
//!
//! - Soft shadows: ours by a flame of half a cell, `bevy_firefly` by a core of the same size. `bevy_lit` has a
//!   sharpness instead, for which this uses the value of its basic example, with its blur.
//! - Resolution: ours has four fine cells per cell side, `bevy_firefly` works per pixel, and `bevy_lit` at half the
//!   resolution per side. These are the defaults.
//! - Ours flows around corners, for a fifth of the light. The others do not.
//! - Overlapping lamps: ours and `bevy_lit` add their light, `bevy_firefly` takes the brighter one.
//! - Walls: ours show the light on their faces. `bevy_firefly` leaves everything above an occluder unshadowed
//!   (`z_sorting`, as it recommends for top-down games), so walls are lit through walls. Without that they would be
//!   black. `bevy_lit` lets light bleed into walls in a separate render pass (`penetration`).
//! - Occluders of the others are as few as possible: rectangles of many cells for `bevy_firefly`, one mesh for
//!   `bevy_lit`.
//! - The lamps of the others have an `Aabb`, so that Bevy culls those out of view. Otherwise `bevy_firefly` rendered
//!   none or all, with a texture per lamp.
//! - The others only light what is visible. Ours lights the whole map, for game rules, so only its cost depends on the
//!   size of the map. In `bevy_lit`, nothing out of view casts shadows.
//!
//! Each frame is rendered to an image and waited for, without vsync. The measurement starts after 240 frames or ten
//! seconds. With a software GPU the wait is mostly in the renderer's part. The age is `TorchlightMap::age`, of ours
//! only; finer cells follow one or more frames later.

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
