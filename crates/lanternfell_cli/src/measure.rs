//! `lanternfell measure`: what each cell of a map is like, as a map.

mod tiles;
mod what;

use std::time::Instant;

use clap::{Args, ValueEnum};
use lanternfell_heightmap::{
    Elevation, ElevationModel, Heightmap, MapFrame, Progress,
    analysis::{NormalAxes, NormalMap, TopographicPositionIndex},
    climate::Climate,
    io::Format,
};

use crate::{
    args::{MapArgs, ToRawArgs},
    climate::ClimateArgs,
    failure::Failure,
    job::Job,
    land::{Land, Measures, Origin},
    write::{Style, Target, WriteArgs},
};
use what::{Measured, What};

/// `lanternfell measure`.
#[derive(Debug, Args)]
#[command(after_help = "Values:
  .tif, .exr, .asc and .r32 hold the values themselves. Whole numbers (.png, .pgm, .r16) hold 0 to
  1: there the values are brought to that range, from lowest to highest or as said above. With
  --range they are in every format, and what lies beyond is cut off: a mask.

Examples:
  lanternfell measure dem.tif --what slope -o slope.tif
  lanternfell measure volcano --what slope --range 30:45 -o rock.png
  lanternfell measure island.png --what normals -o normals.png
  lanternfell measure volcano --what catchment -o flow.exr
  lanternfell measure world --what slope -o slopes      (a folder of tiles into another)
  lanternfell measure alpine --what biomes --bits 8 -o biomes.png")]
pub(crate) struct Measure {
    #[command(flatten)]
    map: MapArgs,

    /// What is measured
    #[arg(long, value_enum)]
    what: What,

    /// The values that become 0 and 1; all others follow, and none goes beyond
    #[arg(long, value_name = "FROM:TO", value_parser = range, allow_hyphen_values = true)]
    range: Option<(f32, f32)>,

    /// The height of the sea, in the map's heights [default: the recipe's, or 0.04]
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    sea_level: Option<f32>,

    /// How far around it the position looks, in cells, from 1 to 1000 [default: 8]
    #[arg(long, value_name = "CELLS")]
    radius: Option<u32>,

    /// What red, green and blue of the normals are [default: opengl]
    #[arg(long, value_enum)]
    axes: Option<Axes>,

    #[command(flatten)]
    climate: ClimateArgs,

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

fn range(text: &str) -> Result<(f32, f32), String> {
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f32| n.is_finite());
    let pair = text.split_once(':');
    match pair.map(|(from, to)| (number(from), number(to))) {
        Some((Some(from), Some(to))) if from != to => Ok((from, to)),
        _ => Err("must be two different numbers, as 30:45".to_owned()),
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
    let target = Target::prepare(&write.output)?;
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
        };
        command.what.of(&ground, &job.progress.span(MADE, MEASURED))
    })?;
    let progress = job.progress.span(MEASURED, 1.0);
    let values = match measured {
        Measured::Values(values) => {
            let (values, words) = command.fit(values, map.frame, style);
            job.with_bar("writing", || {
                style
                    .of_values()
                    .write(&values, &write.output, target, &progress)
            })?;
            words
        }
        Measured::Picture(picture) => {
            job.with_bar("writing", || {
                target.finish(&progress, |out| picture.write_png_with(out, &progress))
            })?;
            String::new()
        }
    };
    let (path, what) = (write.output.display(), command.what.name());
    let seconds = start.elapsed().as_secs_f64();
    let line = format!("wrote {path}: {what} of {about}{values}, {seconds:.2} s");
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
            ("--range", self.range.is_some(), !is_picture),
            ("--bits", self.write.bits.is_some(), !is_picture),
            ("--heights", self.write.heights.is_some(), false),
        ];
        let misplaced = options.iter().find(|(_, given, known)| *given && !known);
        let name = what.name();
        misplaced.map_or(Ok(()), |(option, ..)| {
            Err(Failure::Usage(format!(
                "{option} says nothing of --what {name}"
            )))
        })
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
    fn fit(&self, values: Heightmap, frame: MapFrame, style: Style) -> (ElevationModel, String) {
        let (low, high) = values.range();
        let words = format!(", {low} to {high}{}", self.what.unit());
        let range = self.range.or(style.is_whole().then(|| {
            let range = self.what.whole_range();
            range.unwrap_or((low, high))
        }));
        let Some((from, to)) = range else {
            let frame = frame.of_values(Elevation::METRES);
            let heights = values;
            return (ElevationModel { heights, frame }, words);
        };
        let words = format!("{words}, of which {from} is written as 0 and {to} as 1");
        let (offset, span) = (f64::from(from), f64::from(to) - f64::from(from));
        let relief = if span == 0.0 { 1.0 } else { span };
        let frame = frame.of_values(Elevation { offset, relief });
        let heights = stretched(&values, (from, to));
        (ElevationModel { heights, frame }, words)
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
    fn ranges_are_two_different_numbers() {
        assert_eq!(range("30:45"), Ok((30.0, 45.0)));
        assert_eq!(range("-1.5 : -3"), Ok((-1.5, -3.0)));
        for wrong in ["", "3", "3:", ":3", "3:3", "a:b", "1:2:3", "nan:1", "0:inf"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }

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
