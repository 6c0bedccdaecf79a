//! What one cell of the grid does with light.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::error::{LightError, check_range};

/// What one cell does with light: how much of each color it passes on, and how much of
/// what it does not pass it throws back.
///
/// ```text
///               albedo 0            albedo 1
/// transparency 0   black wall          mirror (an ordinary, light wall)
/// transparency 1   open floor          open floor
/// between          smoke, dark glass   frosted glass
/// ```
///
/// A cell that passes nothing still receives light: a lit wall can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(into = "SavedCell", from = "SavedCell")]
pub struct Cell {
    /// The share of red, green and blue light that is passed on, each from 0 to 1.
    pub transparency: Vec3,
    /// The share of red, green and blue that is thrown back of what is not passed on, each
    /// from 0 to 1. A red wall colors the light of its room.
    pub albedo: Vec3,
}

impl Cell {
    /// Open ground: passes all light on.
    pub const OPEN: Self = Self::new(1.0, 0.0);
    /// A wall that throws all light back, as the article's walls do.
    pub const WALL: Self = Self::new(0.0, 1.0);
    /// A wall that swallows the light that falls on it.
    pub const BLACK_WALL: Self = Self::new(0.0, 0.0);

    /// The same for all colors: `transparency` and `albedo` from 0 to 1.
    pub const fn new(transparency: f32, albedo: f32) -> Self {
        Self {
            transparency: Vec3::splat(transparency),
            albedo: Vec3::splat(albedo),
        }
    }

    /// Stained glass: passes this share of red, green and blue, and swallows the rest.
    pub const fn glass(color: Vec3) -> Self {
        Self {
            transparency: color,
            albedo: Vec3::ZERO,
        }
    }

    /// Smoke that swallows `density`, from 0 to 1, of the light in each step.
    pub const fn smoke(density: f32) -> Self {
        Self::new(1.0 - density, 0.0)
    }

    /// A wall that throws back this share of red, green and blue.
    pub const fn wall(albedo: Vec3) -> Self {
        Self {
            transparency: Vec3::ZERO,
            albedo,
        }
    }

    /// Whether it passes no light of any color, and so ends a line of sight.
    pub fn is_opaque(&self) -> bool {
        self.transparency == Vec3::ZERO
    }

    /// What passes through this cell with another thing standing in it: the product of
    /// what both pass on, with the albedo of the one that holds back more.
    pub fn behind(&self, other: &Self) -> Self {
        let darker = other.transparency.cmple(self.transparency);
        Self {
            transparency: self.transparency * other.transparency,
            albedo: Vec3::select(darker, other.albedo, self.albedo),
        }
    }

    /// Whether a grid takes it.
    ///
    /// # Errors
    ///
    /// A value is outside of 0 to 1.
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

/// As it is written: `(transparency: (1.0, 1.0, 1.0), albedo: (0.0, 0.0, 0.0))`.
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
