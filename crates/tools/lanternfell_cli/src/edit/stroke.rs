//! `lanternfell edit add`: adds a stroke to a log.

use clap::{Args, ValueEnum};
use lanternfell_edits::{Brush, Channel, Falloff, Stroke};

use super::{
    LogArgs,
    brushes::{self, brush},
    list, of_log, refused,
};
use crate::{edits::EditLog, failure::Failure, job::Job};

/// `lanternfell edit add`.
#[derive(Debug, Args)]
#[command(after_help = format!("{}\n\n{EXAMPLES}", brushes::HELP))]
pub(super) struct Add {
    #[command(flatten)]
    log: LogArgs,

    /// What the stroke does: see below
    #[arg(long, value_name = "BRUSH", value_parser = brush)]
    brush: Brush,

    /// Radius of the brush in cells, up to 1024, or in meters with m (2.5m)
    #[arg(long, value_name = "CELLS", value_parser = length, allow_negative_numbers = true)]
    radius: Length,

    /// A point: columns and rows from the northwest cell, or meters to the east and south of it with m (60m,35m). If
    /// repeated, the stroke is the line through all points
    #[arg(long, value_name = "X,Y", value_parser = point, required = true, allow_hyphen_values = true)]
    at: Vec<[Length; 2]>,

    /// How the effect decreases from the center to the radius
    #[arg(long, value_enum, default_value = "smooth")]
    falloff: FalloffName,

    /// Strength, from 0 to 1
    #[arg(long, value_name = "FRACTION", default_value_t = 1.0, value_parser = strength, allow_negative_numbers = true)]
    strength: f64,

    /// Who makes the stroke; each author has their own undo history
    #[arg(long, value_name = "N", default_value_t = 1)]
    author: u32,

    /// Cell size of the map in meters, for lengths with m
    #[arg(long, value_name = "METERS", allow_negative_numbers = true)]
    spacing: Option<f64>,
}

const EXAMPLES: &str = "Examples:
  lanternfell edit add digs.edits --brush 'Lower(mm: 400)' --radius 3 --at 20,64 --at 90,70
  lanternfell edit add digs.edits --brush Slope --radius 4m --at 60m,35m --at 80m,90m --spacing 2
  lanternfell edit add digs.edits --brush Hole --radius 1.5 --at 32,32
  lanternfell edit add digs.edits --brush 'Flatten(mm: None)' --radius 10 --falloff dome --at 50,50";

/// How the effect decreases. The comments on the variants are help texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FalloffName {
    /// Full effect up to the radius
    Constant,
    /// A cone
    Linear,
    /// Slowly at the center and at the border
    Smooth,
    /// A half sphere
    Dome,
    /// A spike
    Tip,
}

impl From<FalloffName> for Falloff {
    fn from(name: FalloffName) -> Self {
        match name {
            FalloffName::Constant => Self::Constant,
            FalloffName::Linear => Self::Linear,
            FalloffName::Smooth => Self::Smooth,
            FalloffName::Dome => Self::Dome,
            FalloffName::Tip => Self::Tip,
        }
    }
}

/// A length as it was typed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Length {
    Cells(f64),
    Meters(f64),
}

/// The number of units of a stroke in a cell.
const UNITS: f64 = 256.0;

/// The number of units between a cell and the middle of its square, which a hole is.
const MIDDLE: f64 = 128.0;

/// What is subtracted from positions in the units of strokes.
pub(super) fn offset(channel: Channel) -> f64 {
    match channel {
        Channel::Holes => MIDDLE,
        Channel::Heights | Channel::Paint | Channel::Plants => 0.0,
    }
}

/// The largest radius and the largest position, in cells.
const MOST_RADIUS: f64 = Stroke::MAX_RADIUS as f64 / UNITS;
const MOST_POSITION: f64 = (Stroke::MAX_POSITION / 256) as f64;

pub(super) fn run(command: &Add, job: &Job) -> Result<(), Failure> {
    let stroke = command.stroke()?;
    command.log.output()?;
    let path = &command.log.log;
    let is_new = !path.exists();
    let mut log = if is_new {
        EditLog::new(of_log(path)?)
    } else {
        EditLog::open(path)?
    };
    let wrong = refused(&log);
    let added = log.edits.stroke(command.author, stroke).map_err(wrong)?;
    let name = list::shown(added.id);
    let what = match is_new {
        true => format!("a new log with stroke {name}"),
        false => format!("added stroke {name}"),
    };
    command.log.write(&log, &what, job)
}

impl Add {
    fn stroke(&self) -> Result<Stroke, Failure> {
        let square = offset(self.brush.channel());
        let radius = self.cells(self.radius, "--radius", 1.0 / UNITS..=MOST_RADIUS)?;
        let mut points = Vec::with_capacity(self.at.len());
        for point in &self.at {
            let mut position = [0; 2];
            for (position, &length) in position.iter_mut().zip(point) {
                let cells = self.cells(length, "--at", -MOST_POSITION..=MOST_POSITION)?;
                *position = (cells * UNITS - square).round() as i64;
            }
            points.push(position);
        }
        let stroke = Stroke {
            brush: self.brush.clone(),
            points,
            radius: (radius * UNITS).round() as u32,
            falloff: self.falloff.into(),
            strength: (self.strength * 1000.0).round() as u16,
        };
        match stroke.validate() {
            Ok(()) => Ok(stroke),
            // Its lengths are not in cells.
            Err(error) if error.name == "length" => Err(Failure::Usage(format!(
                "--at: the line through all points must be at most {} cells long",
                Stroke::MAX_LENGTH / 256
            ))),
            Err(error) if error.name.contains("dabs") => Err(Failure::Usage(format!(
                "--at, --radius: {error}; make several shorter strokes, or use a smaller radius"
            ))),
            Err(error) => Err(Failure::Usage(error.to_string())),
        }
    }

    /// Converts a length to cells, which must be in a range.
    fn cells(
        &self,
        length: Length,
        option: &str,
        allowed: std::ops::RangeInclusive<f64>,
    ) -> Result<f64, Failure> {
        let (cells, typed) = match length {
            Length::Cells(cells) => (cells, cells.to_string()),
            Length::Meters(meters) => {
                (meters / self.meters_per_cell(option)?, format!("{meters}m"))
            }
        };
        if allowed.contains(&cells) {
            return Ok(cells);
        }
        let (least, most) = (allowed.start(), allowed.end());
        Err(Failure::Usage(format!(
            "{option} {typed}: must be from {least} to {most} cells"
        )))
    }

    fn meters_per_cell(&self, option: &str) -> Result<f64, Failure> {
        let Some(spacing) = self.spacing else {
            return Err(Failure::Usage(format!(
                "{option}: lengths in meters need the cell size of the map: add --spacing METERS, which `lanternfell \
                 info MAP` prints"
            )));
        };
        if spacing.is_finite() && spacing > 0.0 {
            return Ok(spacing);
        }
        let wrong = format!("--spacing {spacing}: must be a number above 0");
        Err(Failure::Usage(wrong))
    }
}

fn length(text: &str) -> Result<Length, String> {
    let number = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    };
    let length = match text.strip_suffix('m') {
        Some(meters) => number(meters).map(Length::Meters),
        None => number(text).map(Length::Cells),
    };
    length.ok_or_else(|| "must be a number of cells, or meters with m, for example 2.5m".to_owned())
}

fn point(text: &str) -> Result<[Length; 2], String> {
    let wrong =
        || "must be X,Y in cells, or in meters with m, for example 20,64 or 60m,35m".to_owned();
    let (x, y) = text.split_once(',').ok_or_else(wrong)?;
    match [x, y].map(length) {
        [Ok(x), Ok(y)] => Ok([x, y]),
        _ => Err(wrong()),
    }
}

fn strength(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}
