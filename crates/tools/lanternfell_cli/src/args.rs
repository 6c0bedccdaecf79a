//! Groups of options that several commands share, and their parsers.

mod edits;
mod fit;
mod project;
mod resize;

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use lanternfell_heightmap::{Elevation, GeoReference, MapFrame, MapSize, Recipe, Scale};
use lanternfell_io as io;

use crate::failure::Failure;
pub(crate) use edits::EditsArgs;
pub(crate) use fit::{FitArgs, RangeArgs};
pub(crate) use project::{PlaneName, ProjectArgs};
pub(crate) use resize::ResizeArgs;

/// The source of a heightmap, and changes to its recipe.
#[derive(Debug, Args, Default, Clone)]
pub(crate) struct SourceArgs {
    /// Width and height in cells, or one number for a square. For recipes, how many cells to generate; for files
    /// without a header, their size [default: 512x512, or the recipe's]
    #[arg(long, value_name = "WxH", value_parser = world_size)]
    pub(crate) size: Option<MapSize>,

    /// Seed of all random numbers; the same seed gives the same map [default: 0, or the recipe's]
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Set a parameter of the generator. In a recipe, NAME belongs to its first generator, STEP.NAME to a step, and
    /// STEP.FILTER.NAME to a filter of a step. May be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,

    #[command(flatten)]
    pub(crate) scale: ScaleArgs,
}

/// The scale of the map.
#[derive(Debug, Args, Default, Clone, Copy)]
pub(crate) struct ScaleArgs {
    /// Cell size of the finished map in meters, after --resize. Replaces the georeference of a file. Does not resample,
    /// except with --project [default: from the recipe or the file, or 1]
    #[arg(long, value_name = "METERS", allow_negative_numbers = true)]
    spacing: Option<f32>,

    /// Meters from height 0 to height 1 [default: from the recipe or the file; 1 for files in meters (see
    /// --read-heights); otherwise 0.16 times the longer side of the map]
    #[arg(long, value_name = "METERS", allow_negative_numbers = true)]
    relief: Option<f32>,
}

impl SourceArgs {
    /// Returns an error if the size is too large for a single map.
    pub(crate) fn check_map(&self) -> Result<(), Failure> {
        let (width, height) = self.size.unwrap_or_default().into();
        let size = MapSize::new(width, height);
        size.map(|_| ()).map_err(|error| {
            let hint = "`lanternfell tile` generates larger worlds";
            Failure::Usage(format!("--size {width}x{height}: {error}; {hint}"))
        })
    }
}

impl ScaleArgs {
    /// Returns whether any of the options was given.
    pub(crate) fn given(&self) -> bool {
        self.spacing.is_some() || self.relief.is_some()
    }

    /// Returns whether the spacing was given.
    pub(crate) fn given_spacing(&self) -> bool {
        self.spacing.is_some()
    }

    /// Returns whether the relief was given.
    pub(crate) fn has_relief(&self) -> bool {
        self.relief.is_some()
    }

    /// Returns the cell size in meters that was given.
    pub(crate) fn checked_spacing(&self) -> Result<Option<f64>, Failure> {
        self.check()?;
        Ok(self.spacing.map(decimal))
    }

    /// Returns the options for a map that already has the cell size.
    pub(crate) fn without_spacing(self) -> Self {
        let spacing = None;
        Self { spacing, ..self }
    }

    /// Returns the scale of a recipe's own cells, of which a cell of the finished map is `coarsening` wide. Options
    /// override the scale of the recipe.
    pub(crate) fn of_recipe(&self, recipe: &Recipe, coarsening: f64) -> Result<Scale, Failure> {
        self.check()?;
        let known = recipe.scale();
        let own = |asked: f32| (f64::from(asked) / coarsening) as f32;
        let spacing = self.spacing.map_or(known.spacing, own);
        let wider = spacing / known.spacing;
        let relief = self.relief.unwrap_or(known.relief * wider);
        let scale = Scale { spacing, relief };
        scale
            .validate()
            .map_err(|error| Failure::Recipe(error.into()))?;
        Ok(scale)
    }

    /// Returns the frame of a map that was read. Options override the spacing and relief of the file.
    pub(crate) fn of_file(
        &self,
        (mut frame, size): (MapFrame, MapSize),
        resize: &ResizeArgs,
    ) -> Result<MapFrame, Failure> {
        self.check()?;
        if let Some(spacing) = self.spacing {
            let wider = resize.coarsening(size)?;
            frame.place = GeoReference::at_origin(spacing.into());
            frame.place.cell = wider.map(|wider| f64::from(spacing) / wider);
            frame.place_is_explicit = true;
            if !frame.elevation_is_explicit {
                frame = frame.with_default_relief(size);
            }
        }
        if let Some(relief) = self.relief {
            frame = frame.with_elevation(Elevation {
                relief: decimal(relief),
                ..frame.elevation
            });
            (frame.elevation_is_explicit, frame.place_is_explicit) = (true, true);
        }
        Ok(frame)
    }

    /// Returns the frame of the finished map, with exactly the requested cell size. If cells are not square, it is that
    /// of the longer side.
    pub(crate) fn settled(&self, mut frame: MapFrame, size: MapSize) -> MapFrame {
        if let Some(spacing) = self.spacing {
            let longer = usize::from(size.width() < size.height());
            let other = frame.place.cell[1 - longer] / frame.place.cell[longer];
            // The cells are square except for rounding.
            let other = if (other - 1.0).abs() < 1e-6 {
                1.0
            } else {
                other
            };
            frame.place.cell[longer] = decimal(spacing);
            frame.place.cell[1 - longer] = decimal(spacing) * other;
        }
        frame
    }

    /// Returns an error if an option is not a valid number.
    fn check(&self) -> Result<(), Failure> {
        let given = Scale {
            spacing: self.spacing.unwrap_or(1.0),
            relief: self.relief.unwrap_or(1.0),
        };
        given
            .validate()
            .map_err(|error| Failure::Recipe(error.into()))
    }
}

/// Returns the decimal number that was typed, in `f64`.
pub(crate) fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(number.into())
}

/// A map from any source.
#[derive(Debug, Args, Clone)]
pub(crate) struct MapArgs {
    /// A heightmap file, a recipe FILE.ron, a preset (see `lanternfell recipe presets`), a generator (see `lanternfell
    /// generate --help`), a folder of tiles or elevation models, or - or /dev/stdin for standard input
    #[arg(value_name = "MAP")]
    pub(crate) source: OsString,

    /// More elevation models (.tif, .asc, .hgt) of the same grid, or folders of them. Together they are one map; where
    /// they overlap, the first file with a height wins, and cells without a file are no-data cells
    #[arg(value_name = "MORE")]
    pub(crate) more: Vec<OsString>,

    #[command(flatten)]
    pub(crate) change: SourceArgs,

    #[command(flatten)]
    pub(crate) edits: EditsArgs,

    #[command(flatten)]
    pub(crate) resize: ResizeArgs,

    #[command(flatten)]
    pub(crate) project: ProjectArgs,

    #[command(flatten)]
    pub(crate) raw: RawArgs,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// How to read a heightmap file.
#[derive(Debug, Args, Default, Clone)]
pub(crate) struct ReadArgs {
    /// Height for no-data cells, in the unit of the file, or `interpolate` to fill them from the surrounding cells.
    /// Cells that are NaN or infinite, or have the value of --nodata, are no-data cells too. If Z is the no-data value
    /// of the map, they stay no data in a .tif or .asc that `convert` writes [default: no-data cells are an error]
    #[arg(long, value_name = "Z|interpolate", value_parser = fill, allow_negative_numbers = true)]
    pub(crate) fill: Option<io::Fill>,

    /// A number in the file that means "no height", for instance -9999, 0 or -inf, in addition to the one that the file
    /// declares. May be repeated. Use --fill to fill these cells
    #[arg(long, value_name = "VALUE", value_parser = no_data, allow_hyphen_values = true)]
    pub(crate) nodata: Vec<f64>,

    /// What the numbers in the file mean [default: meters if the file has a unit, a georeference, a no-data value or a
    /// number outside 0 to 1; see `info`]
    #[arg(long, value_name = "MEANING", value_enum)]
    pub(crate) read_heights: Option<ReadHeights>,

    /// How the colors of a .png contain heights, as in the elevation tiles of web maps [default: a gray image]
    #[arg(long, value_name = "ENCODING", value_enum)]
    pub(crate) encoding: Option<Encoding>,

    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

/// Heights in the colors of a .png.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Encoding {
    /// 256 R + G + B/256 - 32768 meters
    Terrarium,
    /// Mapbox Terrain-RGB: (65536 R + 256 G + B) / 10 - 10000 meters
    Mapbox,
}

impl From<Encoding> for io::PngEncoding {
    fn from(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Terrarium => Self::Terrarium,
            Encoding::Mapbox => Self::Mapbox,
        }
    }
}

/// Which map to read of a file with several.
#[derive(Debug, Args, Default, Clone)]
pub(crate) struct SelectArgs {
    /// Band of a .tif, from 1 as in GDAL [default: the only band, not counting alpha]
    #[arg(long, value_name = "N", value_parser = band)]
    pub(crate) band: Option<u32>,

    /// Channel of an .exr, for example height.Z [default: the only channel, not counting alpha, or R, G and B if they
    /// are equal]
    #[arg(long, value_name = "NAME")]
    pub(crate) channel: Option<String>,

    /// Part of an .exr: its name, or its number from 0 [default: the only part, or the only one with the --channel]
    #[arg(long, value_name = "N|NAME")]
    pub(crate) part: Option<String>,
}

fn band(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|&number: &u32| number > 0);
    number.ok_or_else(|| {
        let hint = if text.contains(':') {
            "; for a mask of values, use --between FROM:TO"
        } else {
            ""
        };
        format!("must be a whole number from 1{hint}")
    })
}

/// What the numbers in a file mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReadHeights {
    /// Meters, without the scale and the unit of the file
    Meters,
    /// 0 to 1 of the relief; integers are fractions of the largest
    Unit,
}

impl ReadHeights {
    /// Returns the option of the library.
    pub(crate) fn option(self) -> io::ReadHeights {
        match self {
            Self::Meters => io::ReadHeights::Meters,
            Self::Unit => io::ReadHeights::Unit,
        }
    }

    /// Returns the option as the user gave it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Meters => "--read-heights meters",
            Self::Unit => "--read-heights unit",
        }
    }
}

fn no_data(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number.ok_or_else(|| "must be a number, for instance -9999, -inf or nan".to_owned())
}

fn fill(text: &str) -> Result<io::Fill, String> {
    if text == "interpolate" {
        return Ok(io::Fill::Interpolate);
    }
    let height = text.parse().ok().filter(|height: &f32| height.is_finite());
    let fill = height.map(io::Fill::Height);
    fill.ok_or_else(|| "must be a height or `interpolate`".to_owned())
}

impl MapArgs {
    /// Returns the name of the map for messages.
    pub(crate) fn name(&self) -> String {
        let first = self.source.display();
        match self.more.len() {
            0 => first.to_string(),
            1 => format!("{first} and {}", self.more[0].display()),
            more => format!("{first} and {more} more"),
        }
    }

    /// Creates the arguments for a file without any options.
    pub(crate) fn of_file(name: impl Into<OsString>) -> Self {
        Self {
            source: name.into(),
            more: Vec::new(),
            change: SourceArgs::default(),
            edits: EditsArgs::default(),
            resize: ResizeArgs::default(),
            project: ProjectArgs::default(),
            raw: RawArgs::default(),
            read: ReadArgs::default(),
        }
    }
}

/// The number format of a .raw file.
#[derive(Debug, Args, Default, Clone, Copy)]
pub(crate) struct RawArgs {
    /// Number format of a .raw file [default: u16]
    #[arg(long, value_name = "KIND", value_enum)]
    pub(crate) raw_format: Option<RawNumber>,

    /// The numbers of a .raw file are big-endian
    #[arg(long)]
    pub(crate) big_endian: bool,
}

/// The number format of a .raw output, for commands that can also read a .raw file.
#[derive(Debug, Args, Clone)]
pub(crate) struct ToRawArgs {
    /// Number format of the .raw output [default: u16]
    #[arg(long, value_name = "KIND", value_enum)]
    to_raw_format: Option<RawNumber>,

    /// Write the numbers of the .raw output in big-endian order
    #[arg(long)]
    to_big_endian: bool,
}

impl ToRawArgs {
    /// Returns the number format, if any of the options was given.
    pub(crate) fn format(&self) -> Option<io::RawFormat> {
        let raw = RawArgs {
            raw_format: self.to_raw_format,
            big_endian: self.to_big_endian,
        };
        raw.given().then(|| raw.format())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RawNumber {
    /// One byte, 0 to 255
    U8,
    /// Two bytes, 0 to 65535
    U16,
    /// Two bytes with a sign, whole meters
    I16,
    /// Four bytes, the height itself
    F32,
}

impl RawArgs {
    pub(crate) fn format(&self) -> io::RawFormat {
        io::RawFormat {
            sample: match self.raw_format.unwrap_or(RawNumber::U16) {
                RawNumber::U8 => io::Sample::U8,
                RawNumber::U16 => io::Sample::U16,
                RawNumber::I16 => io::Sample::I16,
                RawNumber::F32 => io::Sample::F32,
            },
            order: if self.big_endian {
                io::ByteOrder::Big
            } else {
                io::ByteOrder::Little
            },
        }
    }

    /// Returns whether any of the options was given.
    pub(crate) fn given(&self) -> bool {
        self.raw_format.is_some() || self.big_endian
    }
}

/// Parses a size that may be as large as a world of tiles.
fn world_size(text: &str) -> Result<MapSize, String> {
    let (width, height) = two_numbers(text)?;
    MapSize::of_world(width, height).or_else(|_| {
        let size = MapSize::new(width, height);
        size.map_err(|error| {
            format!(
                "{error}; `lanternfell tile` allows up to {}",
                MapSize::MAX_WORLD_SIDE
            )
        })
    })
}

pub(crate) fn map_size(text: &str) -> Result<MapSize, String> {
    let (width, height) = two_numbers(text)?;
    MapSize::new(width, height).map_err(|error| error.to_string())
}

pub(crate) fn pixels(text: &str) -> Result<(u32, u32), String> {
    let (width, height) = two_numbers(text)?;
    // Reject here what does not fit into u32, so that the error contains the digits as typed. The view rejects other
    // sizes.
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

/// Parses `640x480`, or `512` for `512x512`.
fn two_numbers(text: &str) -> Result<(u64, u64), String> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    match (width.parse(), height.parse()) {
        (Ok(width), Ok(height)) => Ok((width, height)),
        _ => Err(
            "must be WIDTHxHEIGHT in whole numbers, for example 640x480, or one number".to_owned(),
        ),
    }
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("must be NAME=VALUE, for example lines=500")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}
