//! `lanternfell convert`: a heightmap from one format into another.

use std::time::Instant;

use clap::Args;

use crate::{
    args::{MapArgs, ToRawArgs},
    failure::Failure,
    job::Job,
    land::{Land, Origin},
    write::{Target, WriteArgs},
};

/// `lanternfell convert`.
#[derive(Debug, Args)]
#[command(after_help = "Formats by a file's ending:
  in and out   .png .pgm .tif .exr .asc, and .raw .r16 .r32, which have no header: their size is
               in FILE.json (see --sidecar) or has to be said (--size)
  out          .obj .stl .glb; `lanternfell mesh` has options for them

Whole numbers (.png, .pgm, .r16) hold heights from 0 to 1; .tif, .exr, .asc and .r32 hold any.

Examples:
  lanternfell convert dem.tif --normalise -o dem.png
  lanternfell convert island.png --sidecar -o island.r16
  lanternfell generate hills -o - --format tif | lanternfell convert - -o hills.exr")]
pub(crate) struct Convert {
    #[command(flatten)]
    map: MapArgs,

    /// Stretch the heights to fill 0 to 1
    #[arg(long)]
    normalise: bool,

    #[command(flatten)]
    write: WriteArgs,

    #[command(flatten)]
    to_raw: ToRawArgs,
}

/// The part of the work after which the map only needs writing.
const MADE: f32 = 0.5;

pub(crate) fn run(command: &Convert, job: &Job) -> Result<(), Failure> {
    let start = Instant::now();
    let write = &command.write;
    let style = write.style(command.to_raw.format(), "")?;
    let origin = Origin::open(&command.map)?;
    let scale = origin.scale;
    let target = Target::prepare(&write.output)?;
    let Land { mut map, about } =
        job.with_bar("reading", || origin.make(&job.progress.span(0.0, MADE)))?;
    if command.normalise {
        map.normalise();
    }
    job.with_bar("writing", || {
        let progress = job.progress.span(MADE, 1.0);
        style.write((&map, scale), &write.output, target, &progress)
    })?;
    let (low, high) = map.range();
    let (path, seconds) = (write.output.display(), start.elapsed().as_secs_f64());
    let line = format!("wrote {path}: {about}, heights {low} to {high}, {seconds:.2} s");
    job.summary(&write.output, &line);
    Ok(())
}
