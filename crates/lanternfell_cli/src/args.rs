//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lanternfell_heightmap::{MapSize, io, render};

/// Heightmaps and pictures of them: faults, fluid, islands and hills.
#[derive(Debug, Parser)]
#[command(
    name = "lanternfell",
    version,
    max_term_width = 100,
    arg_required_else_help = false
)]
#[command(after_help = "Examples:
  lanternfell generate hills --set island=true --seed 7 -o island.png
  lanternfell render island.png -o view.png

`lanternfell generate --help` and `lanternfell render --help` show all options.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a heightmap and write it as PNG, RAW or a recipe
    Generate(Generate),
    /// Draw a picture of a heightmap: in its water, or from above
    Render(Render),
}

/// Where the heightmap comes from, and what to change about it.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// Width and height in cells, or one number for a square [default: 512x512, or the recipe's]
    #[arg(long, value_name = "WxH", value_parser = map_size)]
    pub(crate) size: Option<MapSize>,

    /// What all random numbers come from: the same seed gives the same map [default: 0, or the
    /// recipe's]
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Set a parameter of the generator; in a recipe of the one that the land begins with, or of
    /// a step's, as STEP.NAME=VALUE; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
}

/// How a .raw file keeps its numbers.
#[derive(Debug, Args)]
pub(crate) struct RawArgs {
    /// The numbers of a .raw file [default: u16]
    #[arg(long, value_name = "KIND", value_enum)]
    pub(crate) raw_format: Option<RawNumber>,

    /// The numbers of a .raw file have their most significant byte first
    #[arg(long)]
    pub(crate) big_endian: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RawNumber {
    /// One byte, 0 to 255
    U8,
    /// Two bytes, 0 to 65535
    U16,
    /// Four bytes, the height itself
    F32,
}

impl RawArgs {
    pub(crate) fn format(&self) -> io::RawFormat {
        io::RawFormat {
            sample: match self.raw_format.unwrap_or(RawNumber::U16) {
                RawNumber::U8 => io::Sample::U8,
                RawNumber::U16 => io::Sample::U16,
                RawNumber::F32 => io::Sample::F32,
            },
            order: if self.big_endian {
                io::ByteOrder::Big
            } else {
                io::ByteOrder::Little
            },
        }
    }

    /// Whether any of the options was given.
    pub(crate) fn given(&self) -> bool {
        self.raw_format.is_some() || self.big_endian
    }
}

/// `lanternfell generate`.
#[derive(Debug, Args)]
#[command(after_help = "Parameters (--set NAME=VALUE):
  faults    lines, profile (step, linear, cosine), width, and more
  fluid     passes, c, d, t, mu, amplitude
  islands   octaves, lacunarity, gain, scale, quantised, and more
  hills     count, radius_min, radius_max, island
  all       flatten: a power of 1 or more that broadens the valleys
A wrong name lists all names of that generator.

Files:
  .png      greyscale, 16 bits (--bits 8: 8 bits); black is lowest
  .r16      rows of little-endian u16, no header
  .r32      rows of little-endian f32, no header: the heights themselves
  .raw      rows of u16, or as --raw-format and --big-endian say, no header
  .ron      the recipe, to keep, change and generate again

Examples:
  lanternfell generate hills --set island=true --seed 7 -o island.png
  lanternfell generate faults --size 1024 --set lines=2000 --set flatten=1.5 -o rocks.r16
  lanternfell generate fluid --size 640x480 --set passes=300 -o soft.ron
  lanternfell generate soft.ron --seed 8 -o soft8.png")]
pub(crate) struct Generate {
    /// faults, fluid, islands, hills, or a recipe FILE.ron
    #[arg(value_name = "GENERATOR|FILE.ron")]
    pub(crate) source: String,

    #[command(flatten)]
    pub(crate) change: SourceArgs,

    /// The file to write; its ending chooses the format. An existing file is replaced
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Bits per pixel of a .png: 8 or 16 [default: 16]
    #[arg(long, value_parser = bits)]
    pub(crate) bits: Option<io::PngDepth>,

    #[command(flatten)]
    pub(crate) raw: RawArgs,

    /// No progress bar and no summary
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// `lanternfell render`.
#[derive(Debug, Args)]
#[command(after_help = "Heightmaps:
  .ron and generators are made first, as `lanternfell generate` does.
  .png is greyscale of 8 or 16 bits. .r16, .r32 and .raw have no header: say their --size.
  Heights outside 0 to 1 (possible in f32) are stretched to that range.

Sea level:
  A recipe's own, or what suits its generator; 0.04 for files, which is just above the lowest
  ground; 127/255 for the article's palette.

Examples:
  lanternfell render island.png -o view.png
  lanternfell render hills --set island=true --seed 7 --azimuth 120 --sun-elevation 10 -o dusk.png
  lanternfell render rocks.r16 --size 1024 --picture 1920x1080 --sea-level 0.4 -o rocks.png
  lanternfell render islands --view top --palette article -o article.png")]
pub(crate) struct Render {
    /// A FILE.ron, .png, .r16, .r32 or .raw, or faults, fluid, islands, hills
    #[arg(value_name = "FILE|GENERATOR")]
    pub(crate) source: String,

    #[command(flatten)]
    pub(crate) change: SourceArgs,

    #[command(flatten)]
    pub(crate) raw: RawArgs,

    /// The picture to write, a .png. An existing file is replaced
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// From where the land is seen
    #[arg(long, value_enum, default_value = "perspective")]
    pub(crate) view: View,

    /// The colours of the top view [default: natural]
    #[arg(long, value_enum)]
    pub(crate) palette: Option<Colours>,

    /// The height of the sea, from 0 to 1
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    pub(crate) sea_level: Option<f32>,

    #[command(flatten)]
    pub(crate) camera: CameraArgs,

    #[command(flatten)]
    pub(crate) sun: SunArgs,

    /// No progress bar and no summary
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Options of the perspective view alone.
#[derive(Debug, Args)]
pub(crate) struct CameraArgs {
    /// Pixels of the picture [default: 1280x720]
    #[arg(long, value_name = "WxH", value_parser = pixels)]
    pub(crate) picture: Option<(u32, u32)>,

    /// Where the camera stands: 0 north, 90 east, 180 south, 270 west [default: 215]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) azimuth: Option<f64>,

    /// How far the camera looks down, 1 to 90 [default: 15]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) elevation: Option<f64>,

    /// The height of the field of view, 5 to 120 [default: 40]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) field_of_view: Option<f64>,

    /// How many times larger than fitting the land appears [default: 1]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub(crate) zoom: Option<f64>,

    /// Rays along each side of a pixel, 1 to 8 [default: 2]
    #[arg(long, value_name = "N", value_parser = samples, allow_negative_numbers = true)]
    pub(crate) samples: Option<u32>,
}

/// Options of everything that is lit.
#[derive(Debug, Args)]
pub(crate) struct SunArgs {
    /// How far a height of 1 rises, in lengths of the map's longer side [default: 0.2]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub(crate) vertical_scale: Option<f64>,

    /// Where the sun stands: 0 north, 90 east [default: 255; top view: 315]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) sun_azimuth: Option<f64>,

    /// How high the sun stands, 1 to 90 [default: 24; top view: 35]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) sun_elevation: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// The land in its water, under a sky
    Perspective,
    /// One pixel per cell, north up
    Top,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colours {
    /// Sand, grass, rock and snow in the sun; water by depth
    Natural,
    /// Land green, water blue, as in the article on simplex islands
    Article,
    /// Black lowest, white highest
    Grey,
}

impl From<Colours> for render::Palette {
    fn from(colours: Colours) -> Self {
        match colours {
            Colours::Natural => Self::Natural,
            Colours::Article => Self::Article,
            Colours::Grey => Self::Grey,
        }
    }
}

fn map_size(text: &str) -> Result<MapSize, String> {
    let (width, height) = two_numbers(text)?;
    MapSize::new(width, height).map_err(|error| error.to_string())
}

fn pixels(text: &str) -> Result<(u32, u32), String> {
    let (width, height) = two_numbers(text)?;
    // What is too large even for u32 is refused here, in the user's own digits; what is
    // only too large for a picture, by the view.
    match (u32::try_from(width), u32::try_from(height)) {
        (Ok(width), Ok(height)) => Ok((width, height)),
        _ => Err(format!(
            "each side must be from 1 to {} pixels",
            MapSize::MAX_SIDE
        )),
    }
}

fn seed(text: &str) -> Result<u64, String> {
    let allowed = format!("must be a whole number from 0 to {}", u64::MAX);
    text.parse().map_err(|_| allowed)
}

fn samples(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| "must be a whole number from 1 to 8".to_owned())
}

/// `640x480`, or `512` for `512x512`.
fn two_numbers(text: &str) -> Result<(u64, u64), String> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    match (width.parse(), height.parse()) {
        (Ok(width), Ok(height)) => Ok((width, height)),
        _ => Err("must be WIDTHxHEIGHT in whole numbers, as 640x480, or one number".to_owned()),
    }
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("must be NAME=VALUE, as lines=500")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn bits(text: &str) -> Result<io::PngDepth, String> {
    match text {
        "8" => Ok(io::PngDepth::Eight),
        "16" => Ok(io::PngDepth::Sixteen),
        _ => Err("must be 8 or 16".to_owned()),
    }
}
