//! Rivers and lakes as surfaces, and their beds: what a game draws, swims in and asks.
//!
//! Problem: [hydrology](lanternfell_heightmap::hydrology) tells which cells water runs through and how high it stands. Drawn as
//! they are, rivers are stairs one cell wide that lie on the ground instead of in it.
//!
//! Idea: lay each river as a smooth line along its cells, let the water stand a little below them, cut a bed for it
//! and stretch a ribbon of triangles over that. Lakes are filled to their rims, never drained:
//!
//! ```text
//!     spring                                  ground  ──.                 .──
//!        `·.    ____                          water      `──.─────────.──´
//!           `·-(lake)                         bed            `-.___.-´
//!               `--´`·.      tributary
//!                      `·.__.-´               rapids and falls where it is steep
//!                           `·--~~~ sea
//! ```
//!
//! ```
//! use lanternfell_heightmap::{Hills, MapSize, Progress, Recipe, Scale};
//! use lanternfell_heightmap::hydrology::Hydrology;
//! use lanternfell_surface::inland_water::InlandWater;
//!
//! let progress = Progress::default();
//! let island = Hills { count: 300, radius_max: 30.0, island: true, ..Hills::default() };
//! let recipe = Recipe::new(MapSize::new(192, 192)?, 7, island);
//! let mut map = recipe.generate(&progress)?;
//! let scale = Scale { spacing: 6.0, relief: 160.0 };
//! let hydrology = Hydrology { sea_level: Some(0.1), border: true };
//!
//! let waters = InlandWater::default().lay(&mut map, scale, &hydrology, &progress)?;
//! let river = &waters.rivers()[0];
//! let middle = river.points[river.points.len() / 2];
//! let [x, y, z] = middle.position;
//! let water = waters.at(x, z).unwrap(); // what a swimmer asks
//! assert!((water.height - y).abs() < 0.01 && water.depth > middle.depth - 0.01);
//! for lake in waters.lakes() {
//!     let _triangles = &lake.mesh().indices; // what is drawn
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Steps, each a file:
//! 1. Lakes are hollows that are large and deep enough (`standing`); others that a river crosses are filled with
//!    what it carries.
//! 2. Rivers are cut at lakes into reaches (`reaches`).
//! 3. Each is laid as a channel (`channel`): a rounded course (`course`), how high the water stands along it
//!    (`profile`), how much flows, how wide and deep that is (`hydraulics`).
//! 4. Beds are cut and banks raised (`bed`).
//! 5. Ribbons over rivers (`ribbon`), sheets over lakes (`lake`), and what finds them (`waters`). Serde for all of it: `save`.
//!
//! What holds: water never rises downstream, and a river ends exactly as high as what it ends in. No edge of a
//! surface hangs in the air: where a bank is too low for it, it is sunk into the ground. Ground is cut by no
//! more than three depths and what the ground itself varies by from a cell to the next ones; banks are raised by
//! no more than 1.5 depths.
//!
//! Cost: that of the drainage, twice over; after that what rivers and lakes cover. Memory: some 40 bytes a cell
//! while it works.
//!
//! Sources: Leopold and Maddock, *The hydraulic geometry of stream channels*, 1953, for widths and depths; Génevaux,
//! Galin, Guérin, Peytavie and Beneš, *Terrain generation using procedural models based on hydrology*, 2013, for
//! rivers whose beds shape the ground.

mod bed;
mod channel;
mod course;
mod ground;
mod hydraulics;
mod lake;
mod profile;
mod reaches;
mod ribbon;
mod save;
mod standing;
mod waters;

#[cfg(test)]
mod tests;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::std_traits::ReflectDefault;
use serde::{Deserialize, Serialize};

use lanternfell_heightmap::{
    GenerateError, Heightmap, ParamError, Progress, Scale,
    hydrology::{Drainage, Hydrology, River, Rivers},
    rows,
};

use self::{
    channel::Channel,
    ground::Ground,
    reaches::{End, Reach},
    ribbon::Frame,
    standing::Standing,
    waters::Lookup,
};

pub use lake::{LakeMesh, LakeWater};
pub use ribbon::{RibbonMesh, RiverWaterPoint};
pub use waters::{RiverEnd, RiverWater, WaterBody, WaterSample, Waters};

/// A river's catchment has at least so many cells: of smaller ones a map has so many that rivers, which are at
/// least two cells wide on it, would cover a good part of the land.
const LEAST_SOURCE_CELLS: f64 = 500.0;

/// What counts as a river and as a lake, and how water lies in them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, PartialEq)
)]
#[serde(default, deny_unknown_fields)]
pub struct InlandWater {
    /// From how large a catchment a stream comes, in square metres, from 1 to 1e12; 20,000 by default. Less than 500
    /// cells of the map count as 500.
    pub source_area: f64,
    /// How much water a square kilometre sends down when beds are full, in cubic metres per second, from 0.001 to
    /// 1000; 3, that of wet hills, by default.
    pub specific_discharge: f64,
    /// How wide a river of one cubic metre per second is, in metres, from 0.1 to 100; 5 by default. On a map none is
    /// narrower than 1.6 cells.
    pub width_factor: f64,
    /// With which power of its discharge a river gets wider, from 0 to 1; 0.5 by default.
    pub width_exponent: f64,
    /// How deep a river of one cubic metre per second is, in metres, from 0.05 to 10; 0.5 by default.
    pub depth_factor: f64,
    /// With which power of its discharge a river gets deeper, from 0 to 1; 0.4 by default.
    pub depth_exponent: f64,
    /// How much its bed slows a river: Manning's number, from 0.01, smooth, to 1; 0.05, stones, by default.
    pub roughness: f64,
    /// How steep banks are, a tangent, from 0.05 to 10; 0.5 by default.
    pub bank_slope: f64,
    /// How large a hollow is that becomes a lake, in square metres, from 0 to 1e12; 600 by default. Fewer than 6
    /// cells of the map never do.
    pub lake_min_area: f64,
    /// How deep a hollow is that becomes a lake, in metres, from 0.01 to 10,000; 0.5 by default.
    pub lake_min_depth: f64,
}

impl Default for InlandWater {
    fn default() -> Self {
        Self {
            source_area: 20_000.0,
            specific_discharge: 3.0,
            width_factor: 5.0,
            width_exponent: 0.5,
            depth_factor: 0.5,
            depth_exponent: 0.4,
            roughness: 0.05,
            bank_slope: 0.5,
            lake_min_area: 600.0,
            lake_min_depth: 0.5,
        }
    }
}

impl InlandWater {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first that is out of its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let check =
            |name, value, min, max| ParamError::check_range("inland water", name, value, min, max);
        check("source_area", self.source_area, 1.0, 1e12)?;
        check("specific_discharge", self.specific_discharge, 0.001, 1000.0)?;
        check("width_factor", self.width_factor, 0.1, 100.0)?;
        check("width_exponent", self.width_exponent, 0.0, 1.0)?;
        check("depth_factor", self.depth_factor, 0.05, 10.0)?;
        check("depth_exponent", self.depth_exponent, 0.0, 1.0)?;
        check("roughness", self.roughness, 0.01, 1.0)?;
        check("bank_slope", self.bank_slope, 0.05, 10.0)?;
        check("lake_min_area", self.lake_min_area, 0.0, 1e12)?;
        check("lake_min_depth", self.lake_min_depth, 0.01, 10_000.0)
    }

    /// Cuts beds into `map`, and says where water lies over them.
    ///
    /// It is meant for ground that has none yet: on cut ground lakes would be lower by the depth of the rivers that
    /// leave them.
    ///
    /// # Errors
    /// When a parameter, the scale or the sea level is out of its range, or the work was cancelled; the map is as it
    /// was.
    pub fn lay(
        &self,
        map: &mut Heightmap,
        scale: Scale,
        hydrology: &Hydrology,
        progress: &Progress,
    ) -> Result<Waters, GenerateError> {
        self.validate()?;
        scale.validate()?;
        let drainage = hydrology.drain(map, &progress.span(0.0, 0.3))?;
        let spacing = f64::from(scale.spacing);
        let mut ground = Ground::of(map, scale);
        let least = (
            self.lake_min_area / (spacing * spacing),
            self.lake_min_depth,
        );
        let sea = hydrology.sea_level;
        let finding = progress.span(0.3, 0.4);
        let standing = Standing::find(&drainage, map, &ground, least, sea, &finding)?;
        let rivers = self.rivers(&drainage, spacing, &progress.span(0.4, 0.6))?;
        silt(&rivers, &drainage, &standing, &mut ground);
        let reaches = reaches::cut(&rivers, &drainage, &ground, &standing);
        let mut channels = Vec::with_capacity(reaches.len());
        for (done, reach) in reaches.iter().enumerate() {
            progress.span(0.6, 0.7).step(done, reaches.len())?;
            let channel = Channel::of(reach, self, spacing, &ground, &standing, &channels);
            channels.push(channel);
        }
        let banks = (self.bank_slope, spacing);
        let carving = progress.span(0.7, 0.8);
        bed::carve(&mut ground, &channels, &standing, banks, &carving)?;
        let frame = Frame::new(map.size(), scale.spacing);
        let (lakes, lake_squares) = lake::lakes(&standing, &ground, &frame, spacing);
        let mut ribbons = vec![None; channels.len()];
        rows::for_each_row(&mut ribbons, 1, &progress.span(0.8, 0.9), |at, drawn| {
            drawn[0] = Some(ribbon::ribbon(
                &channels[at],
                self,
                &frame,
                &ground,
                &standing,
            ));
        })?;
        let drawn = reaches.iter().zip(ribbons.into_iter().flatten());
        let rivers: Vec<RiverWater> = drawn.map(|(reach, ribbon)| river(reach, ribbon)).collect();
        let finding = progress.span(0.9, 1.0);
        let lookup = Lookup::new(&rivers, &lake_squares, &ground, &standing, frame, &finding)?;
        progress.step(1, 1)?;
        *map = Heightmap::from_heights(map.size(), ground.heights)
            .expect("heights are finite: they are the map's own, or what `Ground::set` clamped");
        Ok(Waters::new(rivers, lakes, lookup))
    }

    /// All rivers, as lines through cells.
    fn rivers(
        &self,
        drainage: &Drainage,
        spacing: f64,
        progress: &Progress,
    ) -> Result<Vec<River>, GenerateError> {
        let least = (self.source_area / (spacing * spacing)).max(LEAST_SOURCE_CELLS);
        let share = least / drainage.size().cells() as f64;
        if share > 1.0 {
            return Ok(Vec::new());
        }
        let rivers = Rivers {
            share,
            ..Rivers::default()
        };
        rivers.lines(drainage, progress)
    }
}

fn river(reach: &Reach, (points, mesh): (Vec<RiverWaterPoint>, RibbonMesh)) -> RiverWater {
    RiverWater {
        points,
        from_lake: reach.from.map(|lake| lake as usize),
        end: match reach.end {
            End::Sea => RiverEnd::Sea,
            End::Outlet => RiverEnd::Outlet,
            End::Lake(lake) => RiverEnd::Lake(lake as usize),
            End::River { reach, .. } => RiverEnd::River(reach),
        },
        mesh,
    }
}

/// Fills the hollows that rivers cross and that are no lakes.
fn silt(rivers: &[River], drainage: &Drainage, standing: &Standing, ground: &mut Ground) {
    let filled = drainage.filled().heights();
    let size = (ground.width, ground.height);
    let mut hollow = Vec::new();
    for point in rivers.iter().flat_map(|river| &river.points) {
        let dry = |cell: usize, ground: &Ground| {
            standing.lake(cell).is_none() && ground.heights[cell] < filled[cell]
        };
        let cell = point.y as usize * ground.width + point.x as usize;
        if dry(cell, ground) {
            hollow.push(cell);
        }
        while let Some(cell) = hollow.pop() {
            ground.heights[cell] = filled[cell];
            around(cell, size, |neighbor| {
                if dry(neighbor, ground) {
                    hollow.push(neighbor);
                }
            });
        }
    }
}

/// Calls `each(neighbor)` for every neighbor of a cell, on a map of `width` by `height` cells.
fn around(cell: usize, (width, height): (usize, usize), mut each: impl FnMut(usize)) {
    let (column, row) = (cell % width, cell / width);
    for y in row.saturating_sub(1)..(row + 2).min(height) {
        for x in column.saturating_sub(1)..(column + 2).min(width) {
            if (x, y) != (column, row) {
                each(y * width + x);
            }
        }
    }
}
