//! The drawing: cells of several materials, and lamps.

use bevy::prelude::*;
use lanternfell::{lightgrid::Cell, prelude::*};
use serde::{Deserialize, Serialize};

/// The material of a cell.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Material {
    Floor,
    /// Reflects light with the albedo in [`Walls`].
    #[default]
    Wall,
    /// Absorbs all light.
    Black,
    /// Reflects all light.
    Mirror,
    Smoke,
    Glass(Hue),
}

/// The color of a lamp or of glass.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hue {
    #[default]
    Amber,
    Red,
    Green,
    Blue,
    Violet,
    White,
    /// A lamp that removes light.
    Darkness,
}

impl Hue {
    /// The colors of lamps, in the order of the number keys.
    pub const ALL: [Self; 7] = [
        Self::Amber,
        Self::Red,
        Self::Green,
        Self::Blue,
        Self::Violet,
        Self::White,
        Self::Darkness,
    ];

    /// The colors of glass.
    pub fn of_glass() -> &'static [Self] {
        &Self::ALL[..6]
    }

    pub fn color(self) -> Color {
        match self {
            Self::Amber => Color::srgb(1.0, 0.72, 0.36),
            Self::Red => Color::srgb(1.0, 0.22, 0.16),
            Self::Green => Color::srgb(0.25, 1.0, 0.35),
            Self::Blue => Color::srgb(0.25, 0.45, 1.0),
            Self::Violet => Color::srgb(0.75, 0.3, 1.0),
            Self::White => Color::srgb(0.95, 0.95, 1.0),
            Self::Darkness => Color::srgb(0.3, 0.3, 0.3),
        }
    }

    /// The light source of a lamp with this color. It is bright enough for a hall.
    pub fn light(self) -> LightSource {
        let strength = if self == Self::Darkness { -0.6 } else { 1.5 };
        LightSource::new(self.color()).with_strength(strength)
    }
}

/// A lamp at the center of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lamp {
    pub at: (u32, u32),
    pub hue: Hue,
}

/// The cells and lamps. This is what a file contains.
#[derive(Resource, Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    size: UVec2,
    cells: Vec<Material>,
    lamps: Vec<Lamp>,
}

impl Drawing {
    /// Size of a new drawing in cells. It fills a wide screen.
    pub const SIZE: UVec2 = UVec2::new(96, 54);
    /// Maximum side of a drawing from a file, in cells.
    pub const MAX_SIDE: u32 = 512;

    /// A drawing that consists of walls.
    pub fn solid(size: UVec2) -> Self {
        Self {
            size,
            cells: vec![Material::Wall; (size.x * size.y) as usize],
            lamps: Vec::new(),
        }
    }

    pub fn size(&self) -> UVec2 {
        self.size
    }

    pub fn cells(&self) -> impl Iterator<Item = (IVec2, Material)> + '_ {
        let width = self.size.x;
        let places = 0..self.size.x * self.size.y;
        let place = move |i: u32| UVec2::new(i % width, i / width).as_ivec2();
        places.map(place).zip(self.cells.iter().copied())
    }

    pub fn lamps(&self) -> &[Lamp] {
        &self.lamps
    }

    fn index(&self, at: IVec2) -> Option<usize> {
        let inside = at.cmpge(IVec2::ZERO).all() && at.cmplt(self.size.as_ivec2()).all();
        inside.then(|| at.y as usize * self.size.x as usize + at.x as usize)
    }

    /// The material of a cell. Outside of the drawing it is [`Material::Wall`].
    pub fn get(&self, at: IVec2) -> Material {
        self.index(at).map_or(Material::Wall, |i| self.cells[i])
    }

    /// The nearest cell with this material, if any.
    pub fn nearest(&self, material: Material, to: IVec2) -> Option<IVec2> {
        let those = self.cells().filter(|&(_, found)| found == material);
        those
            .map(|(cell, _)| cell)
            .min_by_key(|cell| cell.distance_squared(to))
    }

    /// Sets a cell inside the drawing. A cell that is neither floor nor smoke loses its lamp.
    pub fn set(&mut self, at: IVec2, material: Material) {
        let Some(index) = self.index(at) else {
            return;
        };
        self.cells[index] = material;
        if !matches!(material, Material::Floor | Material::Smoke) {
            self.take_lamp(at);
        }
    }

    /// Places a lamp, and makes its cell floor. Does nothing outside of the drawing.
    pub fn hang_lamp(&mut self, at: IVec2, hue: Hue) {
        if self.index(at).is_some() {
            self.take_lamp(at);
            self.set(at, Material::Floor);
            let at = at.as_uvec2().into();
            self.lamps.push(Lamp { at, hue });
        }
    }

    pub fn take_lamp(&mut self, at: IVec2) {
        self.lamps
            .retain(|lamp| UVec2::from(lamp.at).as_ivec2() != at);
    }

    /// Fills a rectangle, including both corners.
    pub fn carve(&mut self, first: IVec2, last: IVec2, material: Material) {
        for y in first.y..=last.y {
            for x in first.x..=last.x {
                self.set(IVec2::new(x, y), material);
            }
        }
    }
}

/// The albedo of ordinary walls, from 0 (black) to 1 (mirror).
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Walls {
    pub albedo: f32,
}

impl Default for Walls {
    fn default() -> Self {
        Self { albedo: 1.0 }
    }
}

impl Material {
    /// The name in the panel.
    pub fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Wall => "wall",
            Self::Black => "black",
            Self::Mirror => "mirror",
            Self::Smoke => "smoke",
            Self::Glass(_) => "glass",
        }
    }

    /// The optical properties for the light map.
    pub fn cell(self, walls: Walls) -> Cell {
        match self {
            Self::Floor => Cell::OPEN,
            Self::Wall => Cell::new(0.0, walls.albedo),
            Self::Black => Cell::BLACK_WALL,
            Self::Mirror => Cell::WALL,
            Self::Smoke => Cell::smoke(0.08),
            Self::Glass(hue) => {
                let color = hue.color().to_linear().to_vec3();
                // Every color of glass transmits a little light of all colors.
                Cell::glass((color * 0.92 + 0.06).min(Vec3::ONE))
            }
        }
    }
}
