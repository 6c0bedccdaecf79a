//! The optical properties of a cell.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::error::{LightError, check_range};

/// The optical properties of a cell: the share of light that it passes on, and the share of the
/// rest that it reflects.
///
/// ```text
///               albedo 0            albedo 1
/// transparency 0   black wall          mirror (a normal, bright wall)
/// transparency 1   open floor          open floor
/// in between       smoke, dark glass   frosted glass
/// ```
///
/// Cells with transparency 0 still receive light, so lit walls are visible.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(into = "SavedCell", from = "SavedCell")]
pub struct Cell {
    /// The share of red, green and blue light that the cell passes on, each from 0 to 1.
    pub transparency: Vec3,
    /// The share of the remaining red, green and blue light that the cell reflects, each from 0 to
    /// 1. A red wall colors the light of its room.
    pub albedo: Vec3,
}

impl Cell {
    /// An open cell, which passes on all light.
    pub const OPEN: Self = Self::new(1.0, 0.0);
    /// A wall that reflects all light. The walls in the source article work like this.
    pub const WALL: Self = Self::new(0.0, 1.0);
    /// A wall that absorbs all light.
    pub const BLACK_WALL: Self = Self::new(0.0, 0.0);

    /// Creates a cell that treats all colors alike. Both values are from 0 to 1.
    pub const fn new(transparency: f32, albedo: f32) -> Self {
        Self {
            transparency: Vec3::splat(transparency),
            albedo: Vec3::splat(albedo),
        }
    }

    /// Creates stained glass: it passes on this share of red, green and blue, and absorbs the rest.
    pub const fn glass(color: Vec3) -> Self {
        Self {
            transparency: color,
            albedo: Vec3::ZERO,
        }
    }

    /// Creates smoke that absorbs the share `density` of the light in each step, from 0 to 1.
    pub const fn smoke(density: f32) -> Self {
        Self::new(1.0 - density, 0.0)
    }

    /// Creates a wall that reflects this share of red, green and blue.
    pub const fn wall(albedo: Vec3) -> Self {
        Self {
            transparency: Vec3::ZERO,
            albedo,
        }
    }

    /// Whether the cell passes on no light of any color. Such cells block the line of sight.
    pub fn is_opaque(&self) -> bool {
        self.transparency == Vec3::ZERO
    }

    /// Combines two things in the same cell, such as an object on a floor. The result passes on the
    /// product of both transparencies. For each color, its albedo is that of the less transparent
    /// one, or of `other` if both are equal.
    pub fn behind(&self, other: &Self) -> Self {
        let darker = other.transparency.cmple(self.transparency);
        Self {
            transparency: self.transparency * other.transparency,
            albedo: Vec3::select(darker, other.albedo, self.albedo),
        }
    }

    /// Checks that all values are in range.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if a value is not from 0 to 1.
    pub fn validate(&self) -> Result<(), LightError> {
        for value in self.transparency.to_array() {
            check_range("transparency", value, 0.0, 1.0)?;
        }
        for value in self.albedo.to_array() {
            check_range("albedo", value, 0.0, 1.0)?;
        }
        Ok(())
    }
}

impl Default for Cell {
    /// [`Cell::OPEN`].
    fn default() -> Self {
        Self::OPEN
    }
}

/// The serialized form: `(transparency: (1.0, 1.0, 1.0), albedo: (0.0, 0.0, 0.0))`.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Cell")]
struct SavedCell {
    transparency: [f32; 3],
    albedo: [f32; 3],
}

impl From<Cell> for SavedCell {
    fn from(cell: Cell) -> Self {
        Self {
            transparency: cell.transparency.into(),
            albedo: cell.albedo.into(),
        }
    }
}

impl From<SavedCell> for Cell {
    fn from(saved: SavedCell) -> Self {
        Self {
            transparency: saved.transparency.into(),
            albedo: saved.albedo.into(),
        }
    }
}
