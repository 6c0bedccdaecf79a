//! How bright terrain is that the player remembers or feels, but that is not lit.
//!
//! Problem: a tint that suits the pale stone of one theme is invisible on the dark stone of another, and on a screen in
//! a bright room.
//!
//! Idea: the tint is not a color but a contrast. The plain ground of each theme gets the luminance at which it has this
//! contrast to the black of unknown cells, as WCAG 2.2 defines the contrast of two luminances:
//!
//! ```text
//!    contrast = (L + 0.05) / (L of black + 0.05)      L = 0.05 * (contrast - 1)
//! ```
//!
//! Other kinds of ground stay darker or brighter than that, but only within `DARKEST` and `BRIGHTEST`. The setting for
//! brightness changes the contrast. What is felt is brighter than what is remembered, and light on plain ground never
//! makes it darker than that.

use bevy::{math::ops, prelude::*};
use gutterlight_assets::art::{Atlas, Picture};
use gutterlight_rules::{Ground, Theme, Tile};

use crate::play::scene::{light::STEPS, sheet::mean_color};

/// The luminance that WCAG adds to both sides for the light that every screen reflects.
const GLARE: f32 = 0.05;

/// The contrast of remembered plain ground to black: at normal brightness, and at the highest.
const CONTRAST: (f32, f32) = (1.75, 3.2);

/// The luminance of other kinds of ground relative to plain ground: the minimum and the maximum.
const DARKEST: f32 = 0.76;
const BRIGHTEST: f32 = 1.2;

/// The maximum luminance of walls relative to plain ground. The walls of some themes are much brighter.
const WALL: f32 = 2.2;

/// The luminance of felt ground relative to remembered ground, and of the darkest lit ground.
const FELT: f32 = 2.0;
const LIT: f32 = 1.35;

/// The colors of remembered and of felt terrain, like moonlight. Linear; only their ratios matter.
const MOONLIGHT: Vec3 = Vec3::new(0.038, 0.056, 0.112);
const TOUCH: Vec3 = Vec3::new(0.16, 0.19, 0.25);

/// The side of the patch of ground for its mean color, in cells.
const PATCH: i32 = 8;

/// The mean colors of the terrain of a theme. Linear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grounds {
    /// In the order of [`Ground::ALL`].
    kinds: [Vec3; Ground::ALL.len()],
    wall: Vec3,
}

impl Grounds {
    /// Measures the terrain of a theme.
    pub fn of(atlas: &Atlas, theme: Theme) -> Self {
        let floor = |_: IVec2| Some(Tile::Ground(Ground::Stone));
        let wall = Picture::of_tile(Tile::Wall, theme, IVec2::ONE, floor, 0);
        Self {
            kinds: Ground::ALL.map(|ground| mean_ground(atlas, theme, ground)),
            wall: mean_color(atlas, wall),
        }
    }

    /// The same color for all terrain.
    #[cfg(test)]
    pub const fn even(color: Vec3) -> Self {
        Self {
            kinds: [color; Ground::ALL.len()],
            wall: color,
        }
    }

    fn color(self, ground: Ground) -> Vec3 {
        self.kinds[ground as usize]
    }
}

/// The mean color of a kind of ground, linear.
fn mean_ground(atlas: &Atlas, theme: Theme, ground: Ground) -> Vec3 {
    let tile = Tile::Ground(ground);
    let cells = (0..PATCH).flat_map(|y| (0..PATCH).map(move |x| IVec2::new(x, y)));
    let means = cells.map(|at| {
        let picture = Picture::of_tile(tile, theme, at, |_| Some(tile), 0);
        mean_color(atlas, picture)
    });
    means.sum::<Vec3>() / (PATCH * PATCH) as f32
}

/// The tints of a floor, to multiply the linear colors of sprites with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gloom {
    pub remembered: Vec3,
    pub felt: Vec3,
    /// The minimum light on visible cells.
    pub least_light: Vec3,
    /// The factors on the first two for each kind of ground, in the order of [`Ground::ALL`].
    shares: [f32; Ground::ALL.len()],
    /// The factor for walls.
    wall: f32,
}

impl Gloom {
    /// The tints for a theme at a brightness from -5 to 5.
    pub fn of(grounds: Grounds, brightness: i8) -> Self {
        let plain = grounds.color(Ground::Stone);
        let remembered = GLARE * excess(brightness);
        let tint = |hue: Vec3, light: f32| hue * light / luminance(plain * hue).max(1e-4);
        let share = |color: Vec3, least: f32, most: f32| {
            let [there, here] = [color, plain].map(|color| luminance(color * MOONLIGHT));
            let ratio = there.max(1e-6) / here.max(1e-6);
            ratio.clamp(least, most) / ratio
        };
        Self {
            remembered: tint(MOONLIGHT, remembered),
            felt: tint(TOUCH, remembered * FELT),
            least_light: tint(TOUCH, remembered * LIT),
            shares: grounds.kinds.map(|color| share(color, DARKEST, BRIGHTEST)),
            wall: share(grounds.wall, 0.0, WALL),
        }
    }

    /// The factor on the tint of a tile.
    pub fn share(&self, tile: Tile) -> f32 {
        match tile {
            Tile::Ground(ground) => self.shares[ground as usize],
            Tile::Wall | Tile::Rock => self.wall,
            _ => 1.0,
        }
    }
}

/// The contrast of remembered plain ground to black, minus one.
fn excess(brightness: i8) -> f32 {
    let steps = f32::from(brightness.clamp(-STEPS, STEPS)) / f32::from(STEPS);
    let (usual, most) = (CONTRAST.0 - 1.0, CONTRAST.1 - 1.0);
    usual * ops::powf(most / usual, steps)
}

/// The relative luminance of a linear color (ITU-R BT.709).
fn luminance(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

#[cfg(test)]
mod tests;
