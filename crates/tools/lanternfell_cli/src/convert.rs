//! `lanternfell convert`: converts a heightmap to another format.

use clap::Args;

use crate::{
    change::{self, ChangeArgs},
    failure::Failure,
    job::Job,
};

/// `lanternfell convert`.
#[derive(Debug, Args)]
#[command(after_help = "Formats by file extension:
  read and written   .png .pgm .tif .exr .asc .xyz, and .raw .r16 .r32, which have no header:
                     their size comes from FILE.json (see --sidecar) or from --size
  read only          .hgt (SRTM; the file name is the georeference), .bil and .flt (ESRI, with a .hdr)
  written only       .obj .stl .glb; `lanternfell mesh` has more options for them

.tif, .exr, .asc and .xyz are written in meters, as are --to-encoding and --to-raw-format i16. All
other integers (.png, .pgm, .r16, --bits) hold 0 to 1. A map that exceeds this range is stretched,
from its lowest to its highest height. The last line shows which heights 0 and 1 represent. A .png,
a .tif and FILE.json (--sidecar) contain them too.
`lanternfell info` shows whether a file is read as meters or as 0 to 1, and why.

Examples:
  lanternfell convert dem.tif -o dem.png
  lanternfell convert island.png --sidecar -o island.r16
  lanternfell convert N38W010.hgt --fill interpolate -o dem.tif
  lanternfell convert N38W010.hgt N38W009.hgt --project utm -o both.tif
  lanternfell convert tile.png --encoding terrarium -o tile.tif
  lanternfell generate hills -o - --format tif | lanternfell convert - -o hills.exr")]
pub(crate) struct Convert {
    #[command(flatten)]
    change: ChangeArgs,
}

pub(crate) fn run(command: &Convert, job: &Job) -> Result<(), Failure> {
    change::run(&command.change, &[], 0, job)
}
