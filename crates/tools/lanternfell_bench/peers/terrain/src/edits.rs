//! Brush strokes: the pointer is dragged at a fixed time step, with one dab per frame.
//!
//! All crates get the same centers of dabs, the same radius, and a falloff that decreases evenly, which all of them
//! have. So a stroke that raises or lowers has the same result everywhere. Flatten and smooth move heights by the same
//! share per dab, but toward the targets of each crate.

pub mod jackdaw;
pub mod naive;
pub mod ours;

use std::{ops::RangeInclusive, time::Instant};

use glam::{DVec2, Vec2};
use lanternfell_edits::Brush;
use lanternfell_heightmap::SeededRng;

use crate::{
    clock,
    ground::Ground,
    jobs::{Answer, Job, Sheet},
};

/// The radius of the brush in cells.
const RADIUS: u16 = 32;

/// The dabs of a stroke. A quarter of the radius is between two of them.
const DABS: usize = 32;

/// Seconds per frame.
const FRAME: f32 = 1.0 / 60.0;

/// The effect of a dab at its center: millimeters, or thousandths of the way to the target.
const THOUSANDTHS: u16 = 100;

/// The number of different strokes.
const DRAGS: usize = 100;

/// The units of positions in a cell.
const UNITS: f64 = 256.0;

/// The largest accepted error of a stroke at a cell, in meters: half a millimeter each for rounding the terrain and the
/// stroke, and some rounding errors of `f32`.
const TOLERANCE: f64 = 1.25e-3;

/// The brushes that several crates have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    Raise,
    Lower,
    Flatten,
    Smooth,
}

impl Tool {
    fn of(job: &Job) -> Option<Self> {
        match *job.words().first()? {
            "raise" => Some(Self::Raise),
            "lower" => Some(Self::Lower),
            "flatten" => Some(Self::Flatten),
            "smooth" => Some(Self::Smooth),
            _ => None,
        }
    }
}

/// The way of the pointer.
pub struct Drag {
    /// The position in each frame, in 1/256 of a cell.
    positions: Vec<[i64; 2]>,
    /// The centers of the dabs in cells.
    dabs: Vec<Vec2>,
}

impl Drag {
    /// Straight lines at random places, entirely on the terrain.
    fn all(ground: &Ground) -> Vec<Self> {
        // A bit longer than a quarter of the radius, since positions are rounded.
        let step = f64::from(RADIUS) / 4.0 * UNITS + 1.0;
        let reach = step * DABS as f64 / 2.0 + (f64::from(RADIUS) + 1.0) * UNITS;
        let end = (ground.side() - 1) as f64 * UNITS;
        let mut rng = SeededRng::new(7, b"drags   ");
        let mut drag = || {
            let middle = DVec2::from([(); 2].map(|()| rng.between(reach, end - reach)));
            let direction = DVec2::from_angle(rng.between(0.0, std::f64::consts::TAU));
            let position = |frame: usize| {
                let way = (frame as f64 - (DABS - 1) as f64 / 2.0) * step;
                (middle + way * direction).round().as_i64vec2().to_array()
            };
            Self::along((0..DABS).map(position).collect())
        };
        (0..DRAGS).map(|_| drag()).collect()
    }

    fn along(positions: Vec<[i64; 2]>) -> Self {
        let stroke = ours::stroke(Brush::Raise { mm: 0 }, &positions);
        let centers = stroke.dabs().into_iter();
        let dabs = centers.map(|center| DVec2::from(center.map(|axis| axis as f64 / UNITS)));
        let dabs: Vec<Vec2> = dabs.map(|center| center.as_vec2()).collect();
        assert_eq!(dabs.len(), DABS);
        Self { positions, dabs }
    }
}

/// Heights that strokes change.
pub trait Sculptor {
    fn stroke(&mut self, tool: Tool, drag: &Drag);

    /// The height of a cell in meters.
    fn height(&self, column: usize, row: usize) -> f32;
}

/// Heights whose strokes can be undone.
pub trait Undoable: Sculptor {
    /// A stroke with the data that undo needs.
    fn recorded(&mut self, tool: Tool, drag: &Drag);

    /// Undoes the last stroke.
    fn undo(&mut self);

    /// The bytes of all strokes in a file (`NaN` if files have no strokes) and in memory, and those of the map without
    /// edits.
    fn bytes(&self) -> [f64; 3];
}

/// The mean time of a dab, until the heights are changed.
pub fn dab(sheet: &Sheet, job: &Job, ground: &Ground, mut sculptor: impl Sculptor) -> Answer {
    let Some(tool) = Tool::of(job) else {
        return Answer::Unknown;
    };
    let drags = Drag::all(ground);
    sculptor.stroke(tool, &drags[0]);
    check(&sculptor, ground, tool, &drags[0]);
    let mut next = 0;
    let stroke = || {
        sculptor.stroke(tool, &drags[next]);
        next = (next + 1) % drags.len();
    };
    let (nanoseconds, ()) = clock::per_call(sheet.goal, stroke);
    Answer::time(job.number, nanoseconds / DABS as f64)
}

/// The time to undo the last stroke, until the heights are changed.
pub fn undo(sheet: &Sheet, job: &Job, ground: &Ground, mut sculptor: impl Undoable) -> Answer {
    let Some(tool) = Tool::of(job) else {
        return Answer::Unknown;
    };
    let drags = Drag::all(ground);
    let mut next = 0;
    let nanoseconds = clock::mean(sheet.goal, || {
        sculptor.recorded(tool, &drags[next]);
        next = (next + 1) % drags.len();
        let start = Instant::now();
        sculptor.undo();
        start.elapsed()
    });
    let mut cells = (0..ground.side()).flat_map(|row| (0..ground.side()).map(move |at| (at, row)));
    let is_restored = cells.all(|(x, y)| sculptor.height(x, y) == ground.height(x, y));
    assert!(is_restored, "undo did not restore the heights");
    Answer::time(job.number, nanoseconds)
}

/// The row of strokes that raise: bytes per stroke in a file and in memory, bytes of the map without edits, and the
/// maximum error of a height in meters.
pub fn strokes(who: &str, ground: &Ground, mut sculptor: impl Undoable) -> Answer {
    let drags = Drag::all(ground);
    let mut exact = vec![0.0; ground.side() * ground.side()];
    for drag in &drags {
        sculptor.recorded(Tool::Raise, drag);
        add(&mut exact, ground.side(), drag);
    }
    let cells = exact.iter().enumerate();
    let off = cells.map(|(at, raised)| {
        let (row, column) = (at / ground.side(), at % ground.side());
        error(&sculptor, ground, (column, row), *raised)
    });
    let off = off.fold(0.0, f64::max);
    let [file, memory, unedited] = sculptor.bytes();
    let [file, memory] = [file, memory].map(|bytes| bytes / DRAGS as f64);
    Answer::Line(format!("row {who}\t{file}\t{memory}\t{unedited}\t{off}"))
}

/// Adds the amounts of a stroke that raises.
fn add(amounts: &mut [f64], side: usize, drag: &Drag) {
    for &center in &drag.dabs {
        for row in reached(center.y, side) {
            for column in reached(center.x, side) {
                amounts[row * side + column] += amount(center, column, row);
            }
        }
    }
}

/// The columns or rows that a dab may reach, except those at the border.
fn reached(center: f32, side: usize) -> RangeInclusive<usize> {
    let cell = |at: f32| (at.max(1.0) as usize).min(side - 2);
    cell(center - f32::from(RADIUS))..=cell(center + f32::from(RADIUS) + 1.0)
}

/// The effect of a dab on a cell.
fn amount(center: Vec2, column: usize, row: usize) -> f64 {
    let cell = DVec2::new(column as f64, row as f64);
    let inward = 1.0 - cell.distance(center.as_dvec2()) / f64::from(RADIUS);
    inward.max(0.0) * f64::from(THOUSANDTHS) / 1000.0
}

/// The error in meters of a cell that is raised by an amount.
fn error(sculptor: &impl Sculptor, ground: &Ground, at: (usize, usize), raised: f64) -> f64 {
    let [height, before] = [sculptor.height(at.0, at.1), ground.height(at.0, at.1)];
    (f64::from(height) - f64::from(before) - raised).abs()
}

/// Checks the cells around the middle of a first stroke.
fn check(sculptor: &impl Sculptor, ground: &Ground, tool: Tool, drag: &Drag) {
    const NEAR: usize = 8;
    let middle = drag.dabs[DABS / 2].round().as_usizevec2();
    let columns = || middle.x - NEAR..middle.x + NEAR;
    let cells = || (middle.y - NEAR..middle.y + NEAR).flat_map(|y| columns().map(move |x| (x, y)));
    let promised = |(x, y)| drag.dabs.iter().map(|&dab| amount(dab, x, y)).sum::<f64>();
    let is_raised = |sign: f64| {
        let off = cells().map(|at| error(sculptor, ground, at, sign * promised(at)));
        off.fold(0.0, f64::max) < TOLERANCE
    };
    // The sum of the squares of the steps to the next cell.
    let steps = |height: &dyn Fn(usize, usize) -> f32| {
        let steps = cells().map(|(x, y)| f64::from(height(x + 1, y) - height(x, y)).powi(2));
        steps.sum::<f64>()
    };
    let is_right = match tool {
        Tool::Raise => is_raised(1.0),
        Tool::Lower => is_raised(-1.0),
        Tool::Flatten | Tool::Smooth => {
            steps(&|x, y| sculptor.height(x, y)) < steps(&|x, y| ground.height(x, y))
        }
    };
    assert!(is_right, "a stroke has the wrong heights");
}
