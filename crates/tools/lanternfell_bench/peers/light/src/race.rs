//! Runs all variants alternately, each in a separate process, and prints a table of their times.
//!
//! Each round runs every variant once, so that disturbances of the machine affect all of them. A value in the table is
//! the median over the rounds.

use std::{env, process::Command};

use bevy::prelude::*;

use crate::{
    args::{Args, Lights, Load},
    measure::{Report, Spread},
};

/// The scenes of a race. A screen of 1280 x 720 shows 64 x 36 cells of them.
const LOADS: [Load; 4] = [
    load(64, 16, false),
    load(64, 16, true),
    load(64, 64, true),
    load(256, 256, true),
];

const HEAD: &str = "\
| load | light | frame | main schedule | extract and render | GPU | CPU time | without the software GPU | age |
|---|---|---|---|---|---|---|---|---|";

const fn load(cells: u32, lamps: u32, moving: bool) -> Load {
    Load {
        cells,
        lamps,
        moving,
    }
}

pub fn run(args: &Args) -> Result {
    println!("{}, milliseconds: median, 95 %\n\n{HEAD}", env!("PEERS"));
    for load in &LOADS {
        let mut reports = vec![Vec::new(); Lights::ALL.len()];
        for _ in 0..args.rounds {
            for (lights, reports) in Lights::ALL.into_iter().zip(&mut reports) {
                reports.push(run_one(args, *load, lights)?);
            }
        }
        for (lights, reports) in Lights::ALL.into_iter().zip(&reports) {
            println!(
                "| {} | {} | {} |",
                label(*load),
                lights.name(),
                row(lights, reports)
            );
        }
    }
    Ok(())
}

fn run_one(args: &Args, load: Load, lights: Lights) -> Result<Report> {
    let [width, height] = args.size;
    let mut command = Command::new(env::current_exe()?);
    command.args(["--lights", lights.name()]);
    command.args(["--cells", &load.cells.to_string()]);
    command.args(["--lamps", &load.lamps.to_string()]);
    command.args(["--frames", &args.frames.to_string()]);
    command.args(["--size", &format!("{width}x{height}")]);
    command.args(load.moving.then_some("--moving"));
    let output = command.output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let report = Report::read(&printed);
    if !output.status.success() || report.frames == 0 {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} ended with {}: {error}", lights.name(), output.status).into());
    }
    eprintln!("{}", printed.trim());
    Ok(report)
}

fn label(load: Load) -> String {
    let moving = if load.moving {
        ", half of them moving"
    } else {
        ""
    };
    format!("{0} x {0}, {1} lamps{moving}", load.cells, load.lamps)
}

fn row(lights: Lights, reports: &[Report]) -> String {
    let median = |value: &dyn Fn(&Report) -> f64| {
        let values = reports.iter().map(value).collect();
        Spread::new(values).median
    };
    let pair = |part: fn(&Report) -> Spread| {
        let half = digits(median(&|report| part(report).median));
        format!("{half}, {}", digits(median(&|report| part(report).high)))
    };
    let age = match lights {
        Lights::Ours => pair(|report| report.age),
        Lights::Firefly | Lights::Lit | Lights::None => String::new(),
    };
    let columns = [
        pair(|report| report.whole),
        pair(|report| report.main),
        pair(|report| report.render),
        pair(|report| report.gpu),
        digits(median(&|report| report.processor)),
        digits(median(&|report| report.without_gpu)),
        age,
    ];
    columns.join(" | ")
}

/// Two or three significant digits.
fn digits(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
