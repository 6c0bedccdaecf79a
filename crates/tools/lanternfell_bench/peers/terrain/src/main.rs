//! Measures terrain: ours, `jackdaw_terrain`, `symbios-ground`, and an implementation without a library. Called by
//! `lanternfell_bench`. Its `peers.rs` describes the format of the sheet and of the output.
//!
//! ```text
//! job N WHO view [THREADS]          from heights to the triangles of the first view
//! job N WHO whole                   from heights to the triangles of every cell
//! job N WHO select                  level-of-detail selection
//! job N WHO fly chosen|mean|worst   a frame of a flight
//! job N WHO height
//! job N WHO normal
//! job N WHO collider                from heights to a collider of the whole terrain
//! job N WHO ray picking|horizon
//! job N WHO dab BRUSH [whole]       a dab of a stroke: raise, lower, flatten or smooth
//! job N WHO undo BRUSH              undo of a stroke
//! job N WHO strokes                 a row: bytes per stroke, of the unedited map, and error of heights
//! job N WHO memory                  a row: memory, bytes of meshes, triangles, error in pixels
//! job N WHO errors                  a row: errors of queries relative to the rendered triangles
//! ```
//!
//! WHO is `ours`, `jackdaw`, `symbios` or `naive`. None of them has all jobs. They run one after the other, each with
//! its own copy of the terrain.

mod clock;
mod edits;
mod errors;
mod exact;
mod fly;
mod ground;
mod jackdaw;
mod jobs;
mod naive;
mod ours;
mod pieces;
mod symbios;

use std::{env, process::ExitCode};

use ground::Ground;
use jobs::{Answer, Sheet};

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        println!("{}, in a separate process", env!("PEERS"));
        return ExitCode::SUCCESS;
    };
    let Some(sheet) = Sheet::read(&path) else {
        eprintln!("cannot read the sheet");
        return ExitCode::FAILURE;
    };
    let Some(ground) = Ground::new(sheet.side) else {
        eprintln!("invalid number of cells per side: {}", sheet.side);
        return ExitCode::FAILURE;
    };
    for run in [ours::run, jackdaw::run, symbios::run, naive::run] {
        for answer in run(&sheet, &ground) {
            match answer {
                Answer::Line(line) => println!("{line}"),
                Answer::Unknown => {
                    eprintln!("the sheet has an unknown job");
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    ExitCode::SUCCESS
}
