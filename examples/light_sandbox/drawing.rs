//! What is drawn: cells of several materials, and lamps.

use bevy::prelude::*;
use lanternfell::prelude::*;
use serde::{Deserialize, Serialize};

/// What a cell of the drawing is made of.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Material {
    Floor,
    /// Throws back as much light as [`Walls`] says.
    #[default]
    Wall,
    /// Swallows all light.
    Black,
    /// Throws back all light.
    Mirror,
    Smoke,
    Glass(Hue),
}

/// The colors of lamps and of glass.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hue {
    #[default]
    Amber,
    Red,
    Green,
    Blue,
    Violet,
    White,
    /// A lamp that takes light away.
    Darkness,
}

impl Hue {
    /// Those that lamps can have, in the order of the number keys.
    pub const ALL: [Self; 7] = [
        Self::Amber,
        Self::Red,
        Self::Green,
        Self::Blue,
        Self::Violet,
        Self::White,
        Self::Darkness,
    ];

    /// Those that glass can have.
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

    /// The light of a lamp of this color: bright enough for a hall.
    pub fn light(self) -> LightSource {
        let strength = if self == Self::Darkness { -0.6 } else { 1.5 };
        LightSource::new(self.color()).with_strength(strength)
    }
}

/// A lamp in the middle of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lamp {
    pub at: (u32, u32),
    pub hue: Hue,
}

/// Everything that is saved.
#[derive(Resource, Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    size: UVec2,
    cells: Vec<Material>,
    lamps: Vec<Lamp>,
}

impl Drawing {
    /// The size of a new drawing: fills a wide screen.
    pub const SIZE: UVec2 = UVec2::new(96, 54);
    /// The longest side of a drawing from a file.
    pub const MAX_SIDE: u32 = 512;

    /// Nothing but wall.
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

    /// Wall, where there is no cell.
    pub fn get(&self, at: IVec2) -> Material {
        self.index(at).map_or(Material::Wall, |i| self.cells[i])
    }

    /// The nearest cell of this material, if there is any.
    pub fn nearest(&self, material: Material, to: IVec2) -> Option<IVec2> {
        let those = self.cells().filter(|&(_, found)| found == material);
        those
            .map(|(cell, _)| cell)
            .min_by_key(|cell| cell.distance_squared(to))
    }

    /// Changes a cell; what is outside stays wall. A lamp is walled in, and so goes.
    pub fn set(&mut self, at: IVec2, material: Material) {
        let Some(index) = self.index(at) else {
            return;
        };
        self.cells[index] = material;
        if !matches!(material, Material::Floor | Material::Smoke) {
            self.take_lamp(at);
        }
    }

    /// Hangs a lamp, where there can be one: in the floor that it makes.
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

    /// Carves all cells of a rectangle, both corners in it.
    pub fn carve(&mut self, first: IVec2, last: IVec2, material: Material) {
        for y in first.y..=last.y {
            for x in first.x..=last.x {
                self.set(IVec2::new(x, y), material);
            }
        }
    }
}

/// How much light ordinary walls throw back, from 0 (black) to 1 (as mirrors).
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
    /// As the panel calls it.
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

    /// What the material does with light.
    pub fn cell(self, walls: Walls) -> Cell {
        match self {
            Self::Floor => Cell::OPEN,
            Self::Wall => Cell::new(0.0, walls.albedo),
            Self::Black => Cell::BLACK_WALL,
            Self::Mirror => Cell::WALL,
            Self::Smoke => Cell::smoke(0.08),
            Self::Glass(hue) => {
                let color = hue.color().to_linear().to_vec3();
                // Glass lets a little of every color through.
                Cell::glass((color * 0.92 + 0.06).min(Vec3::ONE))
            }
        }
    }
}
