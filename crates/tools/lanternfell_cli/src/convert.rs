//! `lanternfell convert`: a heightmap from one format into another.

use clap::Args;

use crate::{
    change::{self, ChangeArgs},
    failure::Failure,
    job::Job,
};

/// `lanternfell convert`.
#[derive(Debug, Args)]
#[command(after_help = "Formats by a file's ending:
  in and out   .png .pgm .tif .exr .asc, and .raw .r16 .r32, which have no header: their size is
               in FILE.json (see --sidecar) or has to be said (--size)
  out          .obj .stl .glb; `lanternfell mesh` has options for them

Metres stay metres: .tif, .exr and .asc are written in them. Whole numbers (.png, .pgm, .r16, --bits)
hold 0 to 1; a map that goes beyond is stretched to that, from its lowest ground to its highest. What
0 and 1 then stand for is told at the end, in a .png and a .tif itself, and in FILE.json (--sidecar).

Examples:
  lanternfell convert dem.tif -o dem.png
  lanternfell convert island.png --sidecar -o island.r16
  lanternfell generate hills -o - --format tif | lanternfell convert - -o hills.exr")]
pub(crate) struct Convert {
    #[command(flatten)]
    change: ChangeArgs,
}

pub(crate) fn run(command: &Convert, job: &Job) -> Result<(), Failure> {
    change::run(&command.change, &[], 0, job)
}
