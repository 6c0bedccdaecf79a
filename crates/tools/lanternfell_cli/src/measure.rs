//! `lanternfell measure`: measures each cell of a map, and writes the result as a map.

mod area;
mod mask;
mod tiles;
mod what;

use std::time::Instant;

use clap::{Args, ValueEnum};
use lanternfell_heightmap::{
    Elevation, ElevationModel, Heightmap, MapFrame, Progress,
    analysis::{NormalAxes, NormalMap, TopographicPositionIndex},
    climate::Climate,
    hydrology::{FlowRouting, Rivers},
};
use lanternfell_io::Format;

use crate::{
    args::{MapArgs, ToRawArgs},
    climate::ClimateArgs,
    failure::Failure,
    job::Job,
    land::{Land, Measures, Origin},
    legend::{self, LegendArgs},
    write::{Style, Target, WriteArgs},
};
use area::Area;
use mask::MaskArgs;
use what::{Measured, What};

/// `lanternfell measure`.
#[derive(Debug, Args)]
#[command(after_help = "Values:
  .tif, .exr, .asc, .xyz and .r32 store the values themselves. Integers (.png, .pgm, .r16) store 0
  to 1: the list of --what names the value that becomes 1. Without one, values are scaled from the
  lowest and highest of the map. With --range and --between, the result is a mask from 0 to 1 in
  every format.

Masks:
  --range 30:45 rises linearly from 0 at 30 to 1 at 45. --between 30:45 is 1 from 30 to 45 and 0
  elsewhere, with a transition of the width --fade. These numbers have the unit of the quantity;
  with --log they are logarithms. A mask can be inverted and combined with masks in files. The
  order is always --invert, --and, --without, --times, --or.

Examples:
  lanternfell measure dem.tif --what slope -o slope.tif
  lanternfell measure volcano --what slope --range 30:45 -o rock.png
  lanternfell measure dem.tif --what elevation --between 800:1600 --fade 50 --without rock.png -o forest.png
  lanternfell measure island.png --what normals -o normals.png
  lanternfell measure volcano --what catchment --flow dinf --log -o flow.png
  lanternfell measure dem.tif --what rivers --river-area 2km2 -o rivers.png
  lanternfell measure world --what slope -o slopes      (from a folder of tiles to another)
  lanternfell measure alpine --what biomes --bits 8 --legend biomes.json -o biomes.png")]
pub(crate) struct Measure {
    #[command(flatten)]
    map: MapArgs,

    /// Quantity to measure
    #[arg(long, value_enum)]
    what: What,

    #[command(flatten)]
    mask: MaskArgs,

    /// Height of the sea, in the map's own heights; cells at or below it are sea [default: from the recipe or the file,
    /// 0 m for maps in meters, or 0.04]
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    sea_level: Option<f32>,

    /// Catchment at which a river starts, in cells or with a unit: 500, 20000m2, 12ha or 1.5km2 [default: a thousandth
    /// of the map]
    #[arg(long, value_name = "AREA", value_parser = area::area)]
    river_area: Option<Area>,

    /// How the water of a cell is divided among its neighbors, for --what catchment [default: d8]
    #[arg(long, value_enum, value_name = "METHOD")]
    flow: Option<Flow>,

    /// Write the decimal logarithm of the catchment: 0 is 1 cell, 3 is 1000 cells
    #[arg(long)]
    log: bool,

    /// Radius of the neighborhood for --what position in cells, from 1 to 1000 [default: 8]
    #[arg(long, value_name = "CELLS")]
    radius: Option<u32>,

    /// Axes of the red, green and blue channels of the normals [default: opengl]
    #[arg(long, value_enum)]
    axes: Option<Axes>,

    #[command(flatten)]
    climate: ClimateArgs,

    #[command(flatten)]
    legend: LegendArgs,

    #[command(flatten)]
    write: WriteArgs,

    #[command(flatten)]
    to_raw: ToRawArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Axes {
    /// East, north, up: OpenGL, glTF, Bevy, Blender, Unity, Godot
    Opengl,
    /// East, south, up: DirectX, Unreal
    Directx,
    /// East, up, south: the world axes of Bevy
    World,
}

impl From<Axes> for NormalAxes {
    fn from(axes: Axes) -> Self {
        match axes {
            Axes::Opengl => Self::OpenGl,
            Axes::Directx => Self::DirectX,
            Axes::World => Self::World,
        }
    }
}

/// The methods of `FlowRouting`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Flow {
    /// All of it flows to one of eight neighbors
    D8,
    /// D-infinity: two neighbors share it, depending on the direction of the slope
    Dinf,
}

impl From<Flow> for FlowRouting {
    fn from(flow: Flow) -> Self {
        match flow {
            Flow::D8 => Self::D8,
            Flow::Dinf => Self::DInfinity,
        }
    }
}

/// The shares of the work after which the map is made, and measured.
const MADE: f32 = 0.3;
const MEASURED: f32 = 0.9;

pub(crate) fn run(command: &Measure, job: &Job) -> Result<(), Failure> {
    if tiles::is_asked_for(command) {
        return tiles::run(command, job);
    }
    let start = Instant::now();
    command.reject_misplaced()?;
    let write = &command.write;
    let style = write.style(command.to_raw.format(), "")?;
    command.reject_format(style)?;
    let origin = command.open()?;
    // The map and its values are in memory together.
    origin.check_memory(1)?;
    // Check all options before the work starts.
    command.weather(&origin.measures)?;
    command.position().validate()?;
    command.rivers(&origin.measures)?;
    let others = command.mask.others(origin.measures.size)?;
    let target = Target::prepare(&write.output)?;
    let legend = command.legend.prepare()?;
    let (Land { map, about, .. }, measures) = job.with_bar("generating", || {
        command.make(origin, &job.progress.span(0.0, MADE))
    })?;
    let measured = job.with_bar("measuring", || {
        let ground = what::Terrain {
            map: &map.heights,
            scale: measures.scale(),
            ground: measures.ground(),
            sea_level: measures.sea_level,
            climate: command.weather(&measures)?,
            location: command.climate.location(&measures),
            normals: command.normals(),
            position: command.position(),
            rivers: command.rivers(&measures)?,
            flow: command.flow.map_or_else(FlowRouting::default, Into::into),
            elevation: map.frame.elevation,
            log: command.log,
        };
        command.what.of(&ground, &job.progress.span(MADE, MEASURED))
    })?;
    let frame = map.frame;
    let sea = match command.what.knows_the_sea() {
        true => format!(", {}", measures.sea(map.heights.range().0)),
        false => String::new(),
    };
    drop(map);
    let progress = job.progress.span(MEASURED, 1.0);
    let mut named = String::new();
    let values = match measured {
        Measured::Values(values, entries) => {
            let (values, words) = command.fit(values, frame, style, &others)?;
            job.with_bar("writing", || {
                style
                    .of_values()
                    .write(&values, &write.output, target, &progress)
            })?;
            if let Some(legend) = legend {
                legend.write(&entries, &job.progress)?;
            }
            named = legend::text(&entries);
            words
        }
        Measured::RgbImage(picture) => {
            job.with_bar("writing", || {
                target.finish(&progress, |out| {
                    lanternfell_io::write_image(&picture, out, &progress)
                })
            })?;
            String::new()
        }
    };
    let (path, what) = (write.output.display(), command.what.name());
    let seconds = start.elapsed().as_secs_f64();
    let mut line = format!("wrote {path}: {what} of {about}{values}{sea}, {seconds:.2} s");
    if !named.is_empty() {
        line += &format!("\n{named}");
    }
    job.summary(&write.output, &line)
}

impl Measure {
    /// Opens the map. A climate needs heights from 0 to 1, so other maps are stretched for it.
    fn open(&self) -> Result<Origin, Failure> {
        if self.what.knows_the_weather() {
            return Origin::open_to_show(&self.map, self.sea_level);
        }
        Origin::open(&self.map, self.sea_level)
    }

    /// Returns the climate. Its options are only checked if the quantity needs it.
    fn weather(&self, measures: &Measures) -> Result<Climate, Failure> {
        if self.what.knows_the_weather() {
            return self.climate.of(measures);
        }
        Ok(Climate::default())
    }

    fn make(&self, origin: Origin, progress: &Progress) -> Result<(Land, Measures), Failure> {
        if self.what.knows_the_weather() {
            return origin.make_to_show(progress);
        }
        let measures = origin.measures;
        Ok((origin.make(progress)?, measures))
    }

    fn normals(&self) -> NormalMap {
        NormalMap {
            axes: self.axes.unwrap_or(Axes::Opengl).into(),
        }
    }

    /// Returns the definition of a river.
    fn rivers(&self, measures: &Measures) -> Result<Rivers, Failure> {
        let mut rivers = Rivers::default();
        if let Some(area) = self.river_area {
            rivers.share = area.share(&measures.frame, measures.size)?;
        }
        Ok(rivers)
    }

    fn position(&self) -> TopographicPositionIndex {
        let default = TopographicPositionIndex::default();
        let radius = self.radius.unwrap_or(default.radius);
        TopographicPositionIndex { radius }
    }

    /// Returns an error for options that do not apply to this quantity.
    fn reject_misplaced(&self) -> Result<(), Failure> {
        let (what, climate) = (self.what, &self.climate);
        let (sea, weather) = (what.knows_the_sea(), what.knows_the_weather());
        let is_picture = what == What::Normals;
        let options = [
            ("--sea-level", self.sea_level.is_some(), sea),
            ("--wind", climate.wind.is_some(), weather),
            ("--warmth", climate.warmth.is_some(), weather),
            ("--rain", climate.rain.is_some(), weather),
            ("--axes", self.axes.is_some(), is_picture),
            ("--radius", self.radius.is_some(), what == What::Position),
            (
                "--river-area",
                self.river_area.is_some(),
                what == What::Rivers,
            ),
            ("--flow", self.flow.is_some(), what == What::Catchment),
            ("--log", self.log, what == What::Catchment),
            (
                "--legend",
                self.legend.legend.is_some(),
                what == What::Biomes,
            ),
            ("--range", self.mask.range.is_some(), !is_picture),
            ("--between", self.mask.band()?.is_some(), !is_picture),
            ("--bits", self.write.bits.is_some(), !is_picture),
            ("--heights", self.write.heights.is_some(), false),
        ];
        let misplaced = options.iter().find(|(_, given, known)| *given && !known);
        let name = what.name();
        if let Some((option, ..)) = misplaced {
            let wrong = format!("{option} does not apply to --what {name}");
            return Err(Failure::Usage(wrong));
        }
        if self.mask.joins() && !self.is_mask()? {
            let wrong = "--invert, --and, --without, --times and --or are only for masks: define the mask with \
                         --range or --between";
            return Err(Failure::Usage(wrong.to_owned()));
        }
        Ok(())
    }

    /// Returns whether the output is from 0 to 1.
    fn is_mask(&self) -> Result<bool, Failure> {
        let is_share = self.what != What::Normals && self.what.whole_range() == Some((0.0, 1.0));
        Ok(is_share || self.mask.range.is_some() || self.mask.band()?.is_some())
    }

    /// Returns an error if the format cannot store the quantity.
    fn reject_format(&self, style: Style) -> Result<(), Failure> {
        let wrong = if self.what == What::Normals && style.format != Format::Png {
            "normals are an image, which must be a .png"
        } else if style.is_encoded() {
            "--to-encoding is for heights, not for measured values"
        } else if style.format.is_mesh() {
            "measured values cannot be written as a mesh; see `lanternfell mesh`"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(wrong.to_owned()))
    }

    /// Returns the values to write with their frame, and a description for the summary.
    fn fit(
        &self,
        values: Heightmap,
        frame: MapFrame,
        style: Style,
        others: &mask::Others,
    ) -> Result<(ElevationModel, String), Failure> {
        let (low, high) = values.range();
        let words = format!(", {low} to {high}{}", self.what.unit(self.log));
        if let Some(band) = self.mask.band()? {
            let shares = changed(values, |value| band.share(value.into()) as f32);
            return Ok(self.joined(shares, frame, others, &format!("{words}; the mask")));
        }
        let range = self.mask.range.or(style.is_whole().then(|| {
            let range = self.what.whole_range();
            range.unwrap_or((low, high))
        }));
        let Some((from, to)) = range else {
            if self.mask.joins() {
                return Ok(self.joined(values, frame, others, &format!("{words}; the mask")));
            }
            let frame = frame.of_values(Elevation::METERS);
            let heights = values;
            return Ok((ElevationModel { heights, frame }, words));
        };
        let words = format!("{words}, of which {from} is written as 0 and {to} as 1");
        let heights = stretched(values, (from, to));
        if self.mask.joins() {
            return Ok(self.joined(heights, frame, others, &format!("{words}; the mask")));
        }
        let (offset, span) = (f64::from(from), f64::from(to) - f64::from(from));
        let relief = if span == 0.0 { 1.0 } else { span };
        let frame = frame.of_values(Elevation { offset, relief });
        Ok((ElevationModel { heights, frame }, words))
    }

    /// Returns the combined mask, and a description with the share of the map that it covers.
    fn joined(
        &self,
        shares: Heightmap,
        frame: MapFrame,
        others: &mask::Others,
        words: &str,
    ) -> (ElevationModel, String) {
        let heights = self.mask.of(shares, others);
        let sum: f64 = heights.heights().iter().copied().map(f64::from).sum();
        let percent = 100.0 * sum / heights.size().cells() as f64;
        let frame = frame.of_values(Elevation::METERS);
        (
            ElevationModel { heights, frame },
            format!("{words} covers {percent:.1} %"),
        )
    }
}

/// Maps the values so that `from` becomes 0 and `to` becomes 1, and clamps them. All are 0 if `from` and `to` are the
/// same.
fn stretched(values: Heightmap, (from, to): (f32, f32)) -> Heightmap {
    let (from, to) = (f64::from(from), f64::from(to));
    changed(values, |value| {
        let part = (f64::from(value) - from) / (to - from);
        // NaN, from 0 / 0, also becomes 0.
        if part > 0.0 {
            part.min(1.0) as f32
        } else {
            0.0
        }
    })
}

/// Changes each value, in the same memory.
fn changed(values: Heightmap, change: impl FnMut(f32) -> f32) -> Heightmap {
    let size = values.size();
    let values = values.into_heights().into_iter().map(change).collect();
    Heightmap::from_heights(size, values).expect("finite values")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::MapSize;

    #[test]
    fn stretched_scales_and_clamps() {
        let map = |values: [f32; 6]| {
            let size = MapSize::new(3, 2).unwrap();
            Heightmap::from_heights(size, values.to_vec()).unwrap()
        };
        let values = map([-5.0, 0.0, 10.0, 15.0, 20.0, 99.0]);
        let up = map([0.0, 0.0, 0.5, 0.75, 1.0, 1.0]);
        assert_eq!(stretched(values.clone(), (0.0, 20.0)), up);
        let down = map([1.0, 1.0, 0.5, 0.25, 0.0, 0.0]);
        assert_eq!(stretched(values, (20.0, 0.0)), down);
        assert_eq!(stretched(map([7.0; 6]), (7.0, 7.0)), map([0.0; 6]));
    }
}
