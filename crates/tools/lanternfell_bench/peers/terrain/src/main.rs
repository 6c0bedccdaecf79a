//! Measures terrain: ours, `jackdaw_terrain`, `symbios-ground`, and what one does without any. Called by `lanternfell_bench`, whose `peers.rs`
//! describes the sheet that is read here and the lines that are printed.
//!
//! ```text
//! job N WHO view [THREADS]          from heights to the triangles of the first view
//! job N WHO whole                   from heights to the triangles of every cell
//! job N WHO select                  what is to be drawn, chosen anew
//! job N WHO fly chosen|mean|worst   a frame of a flight
//! job N WHO height
//! job N WHO normal
//! job N WHO collider                from heights to the physics engine's shape of all the land
//! job N WHO ray picking|horizon
//! job N WHO memory                  a row: bytes kept, bytes of meshes, triangles, pixels off
//! job N WHO errors                  a row: how far answers are off what is drawn
//! ```
//!
//! WHO is `ours`, `jackdaw`, `symbios` or `naive`; nobody has everything. One after the other has its copy of the land.

mod clock;
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
        println!("{}, in a process of their own", env!("PEERS"));
        return ExitCode::SUCCESS;
    };
    let Some(sheet) = Sheet::read(&path) else {
        eprintln!("the sheet can not be read");
        return ExitCode::FAILURE;
    };
    let Some(ground) = Ground::new(sheet.side) else {
        eprintln!("there is no land of {} cells a side", sheet.side);
        return ExitCode::FAILURE;
    };
    for run in [ours::run, jackdaw::run, symbios::run, naive::run] {
        for answer in run(&sheet, &ground) {
            match answer {
                Answer::Line(line) => println!("{line}"),
                Answer::Unknown => {
                    eprintln!("the sheet has a job that nobody knows");
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    ExitCode::SUCCESS
}
