//! Chosen sides of the map brought to a level.
//!
//! Problem: an island needs the sea all around, a coast on one side only, a crater a wall.
//!
//! Idea: near a chosen side heights go over to a level, which they reach on the outermost
//! cells.
//!
//! ```text
//!   z       .-.__.-~~-._.              level + (z - level) f_x f_y,
//!          /             \             f = 3 t^2 - 2 t^3, t = distance / width up to 1
//!   level.'               '._
//!        |width|     |width |
//! ```
//!
//! Cost: one pass, no memory.
//!
//! Source: the smooth step is folklore; THREE.Terrain's *edges* does the same on all sides.

use serde::{Deserialize, Serialize};

use super::{MAX_HEIGHT, finite, smooth_step};
use crate::{Cancelled, Heightmap, MapSize, ParamError, Progress, rows};

/// Heights go over to `level` towards the chosen sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Edges {
    /// From how far on, in cells, a side is felt; from 0, which changes the outermost
    /// cells alone, to 16,384; 32 by default.
    pub width: f64,
    /// The height of the outermost cells; 0 by default; from -1,000,000 to 1,000,000.
    pub level: f64,
    /// Whether the northern side, row 0, goes over; `true` by default, as all four.
    pub north: bool,
    /// Whether the eastern side does.
    pub east: bool,
    /// Whether the southern side does.
    pub south: bool,
    /// Whether the western side does.
    pub west: bool,
}

impl Default for Edges {
    fn default() -> Self {
        Self {
            width: 32.0,
            level: 0.0,
            north: true,
            east: true,
            south: true,
            west: true,
        }
    }
}

impl Edges {
    pub(super) fn validate(&self) -> Result<(), ParamError> {
        let most = f64::from(MapSize::MAX_SIDE);
        ParamError::check_range("edges", "width", self.width, 0.0, most)?;
        ParamError::check_range("edges", "level", self.level, -MAX_HEIGHT, MAX_HEIGHT)
    }

    pub(super) fn apply(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), Cancelled> {
        let (width, height) = (map.width(), map.height());
        let columns: Vec<f64> = (0..width)
            .map(|x| self.along(x, width, [self.west, self.east]))
            .collect();
        rows::for_each_row(map.heights_mut(), width, progress, |y, row| {
            let across = self.along(y, height, [self.north, self.south]);
            for (z, along) in row.iter_mut().zip(&columns) {
                let share = along * across;
                if share < 1.0 {
                    *z = finite(self.level + (f64::from(*z) - self.level) * share);
                }
            }
        })
    }

    /// How much remains of a height at cell `at` of `count` between two sides.
    fn along(&self, at: usize, count: usize, sides: [bool; 2]) -> f64 {
        let distances = [at, count - 1 - at];
        let shares = sides.into_iter().zip(distances).map(|(chosen, distance)| {
            if chosen && (distance as f64) <= self.width {
                // The outermost cells are at the level even when the width is 0.
                smooth_step(distance as f64 / self.width.max(1.0))
            } else {
                1.0
            }
        });
        shares.product()
    }
}
