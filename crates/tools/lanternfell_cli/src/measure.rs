//! `lanternfell measure`: what each cell of a map is like, as a map.

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
    hydrology::Rivers,
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
  .tif, .exr, .asc and .r32 hold the values themselves. Whole numbers (.png, .pgm, .r16) hold 0 to
  1: there the values are brought to that range, from lowest to highest or as said above. With
  --range and --band they are in every format, and what lies beyond is cut off: a mask.

Masks:
  --range 30:45 rises evenly from 0 at 30 to 1 at 45; --band 30:45 is 1 from 30 to 45 and 0
  elsewhere, and fades out as --fade says. What they and --log say is in the unit of the values. A
  mask can be turned over and put together with others, which are maps in files. In this order,
  whatever the order of the options: --invert, --and, --without, --times, --or.

Examples:
  lanternfell measure dem.tif --what slope -o slope.tif
  lanternfell measure volcano --what slope --range 30:45 -o rock.png
  lanternfell measure dem.tif --what elevation --band 800:1600 --fade 50 --without rock.png -o forest.png
  lanternfell measure island.png --what normals -o normals.png
  lanternfell measure volcano --what catchment --log -o flow.png
  lanternfell measure dem.tif --what rivers --river-area 2km2 -o rivers.png
  lanternfell measure world --what slope -o slopes      (a folder of tiles into another)
  lanternfell measure alpine --what biomes --bits 8 --legend biomes.json -o biomes.png")]
pub(crate) struct Measure {
    #[command(flatten)]
    map: MapArgs,

    /// What is measured
    #[arg(long, value_enum)]
    what: What,

    #[command(flatten)]
    mask: MaskArgs,

    /// The height of the sea, in the map's heights [default: the recipe's; of a file what it says, or
    /// 0 m where ground lies below and above that, or 0.04]
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    sea_level: Option<f32>,

    /// How much land drains through a cell where a river begins: cells, or with a unit, as 500,
    /// 20000m2, 12ha or 1.5km2 [default: a thousandth of the map]
    #[arg(long, value_name = "AREA", value_parser = area::area)]
    river_area: Option<Area>,

    /// The decimal logarithm of the catchment: 0 is 1 cell, 3 are 1000
    #[arg(long)]
    log: bool,

    /// How far around it the position looks, in cells, from 1 to 1000 [default: 8]
    #[arg(long, value_name = "CELLS")]
    radius: Option<u32>,

    /// What red, green and blue of the normals are [default: opengl]
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
    /// East, up, south: the axes of Bevy's world
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

/// The parts of the work after which the map is made, and measured.
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
    // Whatever is wrong is said before the work.
    command.weather(&origin.measures)?;
    command.position().validate()?;
    command.rivers(&origin.measures)?;
    let others = command.mask.others(origin.measures.size)?;
    let target = Target::prepare(&write.output)?;
    let legend = command.legend.prepare()?;
    let (Land { map, about }, measures) = job.with_bar("generating", || {
        command.make(origin, &job.progress.span(0.0, MADE))
    })?;
    let measured = job.with_bar("measuring", || {
        let ground = what::Terrain {
            map: &map.heights,
            scale: measures.scale(),
            ground: measures.ground(),
            sea_level: measures.sea_level,
            climate: command.weather(&measures)?,
            normals: command.normals(),
            position: command.position(),
            rivers: command.rivers(&measures)?,
            elevation: map.frame.elevation,
            log: command.log,
        };
        command.what.of(&ground, &job.progress.span(MADE, MEASURED))
    })?;
    let progress = job.progress.span(MEASURED, 1.0);
    let mut named = String::new();
    let values = match measured {
        Measured::Values(values, entries) => {
            let (values, words) = command.fit(values, map.frame, style, &others)?;
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
        Measured::Picture(picture) => {
            job.with_bar("writing", || {
                target.finish(&progress, |out| {
                    lanternfell_io::write_picture(&picture, out, &progress)
                })
            })?;
            String::new()
        }
    };
    let (path, what) = (write.output.display(), command.what.name());
    let seconds = start.elapsed().as_secs_f64();
    let mut line = format!("wrote {path}: {what} of {about}{values}, {seconds:.2} s");
    if !named.is_empty() {
        line += &format!("\n{named}");
    }
    job.summary(&write.output, &line)
}

impl Measure {
    /// The map as it is; the weather knows heights from 0 to 1 only, to which others are
    /// stretched.
    fn open(&self) -> Result<Origin, Failure> {
        if self.what.knows_the_weather() {
            return Origin::open_to_show(&self.map, self.sea_level);
        }
        Origin::open(&self.map, self.sea_level)
    }

    /// The climate, which can only be wrong where it matters.
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

    /// What counts as a river.
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

    /// Options that this quantity does not know are mistakes, not noise.
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
            ("--log", self.log, what == What::Catchment),
            (
                "--legend",
                self.legend.legend.is_some(),
                what == What::Biomes,
            ),
            ("--range", self.mask.range.is_some(), !is_picture),
            ("--band", self.mask.band()?.is_some(), !is_picture),
            ("--bits", self.write.bits.is_some(), !is_picture),
            ("--heights", self.write.heights.is_some(), false),
        ];
        let misplaced = options.iter().find(|(_, given, known)| *given && !known);
        let name = what.name();
        if let Some((option, ..)) = misplaced {
            let wrong = format!("{option} says nothing of --what {name}");
            return Err(Failure::Usage(wrong));
        }
        if self.mask.joins() && !self.is_mask()? {
            let wrong = "--invert, --and, --without, --times and --or are for masks: say what is 0 and 1 by \
                         --range or --band";
            return Err(Failure::Usage(wrong.to_owned()));
        }
        Ok(())
    }

    /// Whether what is written is from 0 to 1.
    fn is_mask(&self) -> Result<bool, Failure> {
        let is_share = self.what != What::Normals && self.what.whole_range() == Some((0.0, 1.0));
        Ok(is_share || self.mask.range.is_some() || self.mask.band()?.is_some())
    }

    /// Not every format can hold what is measured.
    fn reject_format(&self, style: Style) -> Result<(), Failure> {
        let wrong = if self.what == What::Normals && style.format != Format::Png {
            "normals are a picture, and written as .png"
        } else if style.format.is_mesh() {
            "a mesh is made of heights, not of what is measured: see `lanternfell mesh`"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(wrong.to_owned()))
    }

    /// The values as they are written, with what they then stand for, and words about them.
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
            let shares = values
                .heights()
                .iter()
                .map(|&value| band.share(value.into()) as f32);
            let shares = Heightmap::from_heights(values.size(), shares.collect());
            let shares = shares.expect("parts of 1");
            return Ok(self.joined(&shares, frame, others, &format!("{words}; the mask")));
        }
        let range = self.mask.range.or(style.is_whole().then(|| {
            let range = self.what.whole_range();
            range.unwrap_or((low, high))
        }));
        let Some((from, to)) = range else {
            if self.mask.joins() {
                return Ok(self.joined(&values, frame, others, &format!("{words}; the mask")));
            }
            let frame = frame.of_values(Elevation::METRES);
            let heights = values;
            return Ok((ElevationModel { heights, frame }, words));
        };
        let words = format!("{words}, of which {from} is written as 0 and {to} as 1");
        let heights = stretched(&values, (from, to));
        if self.mask.joins() {
            return Ok(self.joined(&heights, frame, others, &format!("{words}; the mask")));
        }
        let (offset, span) = (f64::from(from), f64::from(to) - f64::from(from));
        let relief = if span == 0.0 { 1.0 } else { span };
        let frame = frame.of_values(Elevation { offset, relief });
        Ok((ElevationModel { heights, frame }, words))
    }

    /// The mask that comes of these shares, and how much of the map it covers.
    fn joined(
        &self,
        shares: &Heightmap,
        frame: MapFrame,
        others: &mask::Others,
        words: &str,
    ) -> (ElevationModel, String) {
        let heights = self.mask.of(shares, others);
        let sum: f64 = heights.heights().iter().copied().map(f64::from).sum();
        let percent = 100.0 * sum / heights.size().cells() as f64;
        let frame = frame.of_values(Elevation::METRES);
        (
            ElevationModel { heights, frame },
            format!("{words} covers {percent:.1} %"),
        )
    }
}

/// The values with the first of these as 0 and the second as 1, and none beyond; all 0 if the two
/// are the same.
fn stretched(values: &Heightmap, (from, to): (f32, f32)) -> Heightmap {
    let (from, to) = (f64::from(from), f64::from(to));
    let stretch = |&value: &f32| {
        let part = (f64::from(value) - from) / (to - from);
        // Not so of NaN, which 0 / 0 is.
        if part > 0.0 {
            part.min(1.0) as f32
        } else {
            0.0
        }
    };
    let parts = values.heights().iter().map(stretch).collect();
    Heightmap::from_heights(values.size(), parts).expect("parts of 1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::MapSize;

    #[test]
    fn values_are_stretched_and_cut_off() {
        let map = |values: [f32; 6]| {
            let size = MapSize::new(3, 2).unwrap();
            Heightmap::from_heights(size, values.to_vec()).unwrap()
        };
        let values = map([-5.0, 0.0, 10.0, 15.0, 20.0, 99.0]);
        let up = map([0.0, 0.0, 0.5, 0.75, 1.0, 1.0]);
        assert_eq!(stretched(&values, (0.0, 20.0)), up);
        let down = map([1.0, 1.0, 0.5, 0.25, 0.0, 0.0]);
        assert_eq!(stretched(&values, (20.0, 0.0)), down);
        assert_eq!(stretched(&map([7.0; 6]), (7.0, 7.0)), map([0.0; 6]));
    }
}
