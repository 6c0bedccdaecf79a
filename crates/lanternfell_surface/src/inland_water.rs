//! Rivers and lakes: their meshes, the beds that are carved into the map, and queries for the water
//! at a position.
//!
//! Problem: [hydrology](lanternfell_heightmap::hydrology) finds the cells that water flows through
//! and its level. Rendered directly, such rivers would be staircases one cell wide, on top of the
//! ground instead of in it.
//!
//! Idea: each river follows its cells as a smooth line. The water level is slightly below the
//! ground along the line. A bed is carved for it, and a ribbon of triangles covers it. Lakes are
//! filled up to the lowest point of their rim and never drained:
//!
//! ```text
//!     spring                                  ground  ──.                 .──
//!        `·.    ____                          water      `──.─────────.──´
//!           `·-(lake)                         bed            `-.___.-´
//!               `--´`·.      tributary
//!                      `·.__.-´               rapids and falls on steep slopes
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
//! let waters = InlandWater::default().carve(&mut map, scale, &hydrology, &progress)?;
//! let river = &waters.rivers()[0];
//! let middle = river.points[river.points.len() / 2];
//! let [x, y, z] = middle.position;
//! let water = waters.at(x, z).unwrap(); // the water at a swimmer's position
//! assert!((water.height - y).abs() < 0.01 && water.depth > middle.depth - 0.01);
//! for lake in waters.lakes() {
//!     let _triangles = &lake.mesh().indices; // to be rendered
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Steps, each in its own file:
//! 1. Find the lakes: hollows that are large and deep enough (`standing`). Other hollows that a
//!    river crosses are filled, as by its sediment.
//! 2. Split the rivers at lakes into reaches (`reaches`).
//! 3. Compute the channel of each reach (`channel`): a smooth course (`course`), the water level
//!    along it (`profile`), and from the discharge its width and depth (`hydraulics`).
//! 4. Carve the beds and raise the banks (`bed`).
//! 5. Create the meshes of rivers (`ribbon`) and lakes (`lake`), and the lookup of the water at a
//!    position (`waters`). `save` implements Serde for all of it.
//!
//! Guarantees:
//! - Water never rises downstream. A river ends exactly at the level of the water that it flows
//!   into.
//! - No edge of a water surface hangs in the air. Where a bank is too low, the edge is lowered into
//!   the ground.
//! - The ground is cut by at most three water depths plus the height difference between a cell and
//!   its neighbors. Banks are raised by at most 1.5 depths.
//!
//! Cost: twice that of the drainage, plus the area that rivers and lakes cover. Memory: about 30
//! bytes per cell during the work.
//!
//! Sources: Leopold and Maddock, *The hydraulic geometry of stream channels*, 1953, for widths and
//! depths; Génevaux, Galin, Guérin, Peytavie and Beneš, *Terrain generation using procedural models
//! based on hydrology*, 2013, for rivers whose beds shape the terrain.

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
    GenerateError, Heightmap, MapSize, ParamError, Progress, Scale,
    hydrology::{Drainage, EditableDrainage, Hydrology, River, Rivers},
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

/// The smallest catchment of a river, in cells. Smaller catchments are so common that their rivers,
/// which are at least 1.6 cells wide, would cover much of the terrain.
const LEAST_SOURCE_CELLS: f64 = 500.0;

/// Settings for rivers and lakes: which ones exist, and how wide and deep they are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, PartialEq)
)]
#[serde(default, deny_unknown_fields)]
pub struct InlandWater {
    /// The catchment area in square meters where a river starts. From 1 to 1e12, default: 20,000.
    ///
    /// The area is at least that of 500 cells of the map.
    pub source_area: f64,
    /// The discharge per square kilometer of catchment when the beds are full, in cubic meters per
    /// second. From 0.001 to 1000, default: 3, as in wet hills.
    pub specific_discharge: f64,
    /// The width of a river with a discharge of one cubic meter per second, in meters. From 0.1 to
    /// 100, default: 5.
    ///
    /// A river is at least 1.6 and at most 64 cells wide.
    pub width_factor: f64,
    /// The exponent with which the width grows with the discharge. From 0 to 1, default: 0.5.
    pub width_exponent: f64,
    /// The depth of a river with a discharge of one cubic meter per second, in meters. From 0.05 to
    /// 10, default: 0.5.
    pub depth_factor: f64,
    /// The exponent with which the depth grows with the discharge. From 0 to 1, default: 0.4.
    pub depth_exponent: f64,
    /// Manning's roughness coefficient of the bed: rougher beds make slower rivers. From 0.01
    /// (smooth) to 1, default: 0.05 (stones).
    pub roughness: f64,
    /// The slope of the banks, as a tangent. From 0.05 to 10, default: 0.5.
    pub bank_slope: f64,
    /// The smallest area of a lake in square meters. From 0 to 1e12, default: 600. A lake also has
    /// at least 6 cells.
    pub lake_min_area: f64,
    /// The smallest depth of a lake at its deepest cell, in meters. From 0.01 to 10,000, default:
    /// 0.5.
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
    /// Checks all parameters.
    ///
    /// # Errors
    /// If a parameter is out of its range. The error names the first one.
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

    /// Carves river beds into `map`, and returns its rivers and lakes.
    ///
    /// Call this only once for a map: if beds have been carved already, lakes drain through them
    /// and are shallower. For a map that is edited, see [`carve_edited`](Self::carve_edited).
    ///
    /// # Errors
    /// If a parameter, the scale or the sea level is out of its range, or if the work was canceled.
    /// The map then stays unchanged.
    pub fn carve(
        &self,
        map: &mut Heightmap,
        scale: Scale,
        hydrology: &Hydrology,
        progress: &Progress,
    ) -> Result<Waters, GenerateError> {
        self.validate()?;
        scale.validate()?;
        let drainage = hydrology.drain(map, &progress.span(0.0, 0.3))?;
        let finding = progress.span(0.3, 0.5);
        let lines = |rivers: Rivers| rivers.lines(&drainage, &finding);
        let rivers = self
            .sources(map.size(), scale)
            .map_or(Ok(Vec::new()), lines)?;
        let (sea, carving) = (hydrology.sea_level, progress.span(0.5, 1.0));
        self.carve_rivers(map, scale, sea, &drainage, &rivers, &carving)
    }

    /// The same as [`carve`](Self::carve) for a map that is edited: only the drainage that edits
    /// change is computed again. The result is bit-identical.
    ///
    /// Keep `drainage`, and the edited map without riverbeds. After an edit, pass a copy of that
    /// map. Do not pass a map that was carved before.
    ///
    /// Beds and meshes of all rivers and lakes are made again. On a map of 1024 x 1024 cells, that
    /// takes about half the time of [`carve`](Self::carve), and the drainage takes a few
    /// milliseconds.
    ///
    /// ```
    /// use lanternfell_heightmap::{Heightmap, MapSize, Progress, Scale};
    /// use lanternfell_heightmap::hydrology::{EditableDrainage, Hydrology};
    /// use lanternfell_surface::inland_water::InlandWater;
    ///
    /// // A valley that falls to the south, with a relief of 100 m.
    /// let size = MapSize::new(64, 64)?;
    /// let valley = |x: usize, y: usize| 0.5 + 0.01 * (x as f32 - 31.0).abs() - 0.004 * y as f32;
    /// let mut edited = Heightmap::from_fn(size, valley)?;
    /// let scale = Scale { spacing: 8.0, relief: 100.0 };
    /// let (inland, progress) = (InlandWater::default(), Progress::default());
    ///
    /// let mut drainage = EditableDrainage::new(Hydrology::default());
    /// let mut map = edited.clone();
    /// let waters = inland.carve_edited(&mut map, scale, &mut drainage, &progress)?;
    /// assert_eq!((waters.rivers().len(), waters.lakes().len()), (1, 0));
    ///
    /// // A dam.
    /// edited = Heightmap::from_fn(size, |x, y| {
    ///     if y == 40 { valley(x, y).max(0.45) } else { valley(x, y) }
    /// })?;
    /// let mut map = edited.clone();
    /// let waters = inland.carve_edited(&mut map, scale, &mut drainage, &progress)?;
    /// assert_eq!(waters.lakes()[0].level, 45.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`carve`](Self::carve).
    pub fn carve_edited(
        &self,
        map: &mut Heightmap,
        scale: Scale,
        drainage: &mut EditableDrainage,
        progress: &Progress,
    ) -> Result<Waters, GenerateError> {
        self.validate()?;
        scale.validate()?;
        let sea = drainage.hydrology().sea_level;
        let (drainage, areas) = drainage.update(map, &progress.span(0.0, 0.4))?;
        let finding = progress.span(0.4, 0.5);
        let lines = |rivers: Rivers| rivers.lines_of(drainage, areas, &finding);
        let rivers = self
            .sources(map.size(), scale)
            .map_or(Ok(Vec::new()), lines)?;
        self.carve_rivers(map, scale, sea, drainage, &rivers, &progress.span(0.5, 1.0))
    }

    /// Where rivers start. `None` if the whole map is too small for a river.
    fn sources(&self, size: MapSize, scale: Scale) -> Option<Rivers> {
        let spacing = f64::from(scale.spacing);
        let least = (self.source_area / (spacing * spacing)).max(LEAST_SOURCE_CELLS);
        let share = least / size.cells() as f64;
        (share <= 1.0).then(|| Rivers {
            share,
            ..Rivers::default()
        })
    }

    /// Carves the beds of these rivers, and finds the lakes.
    fn carve_rivers(
        &self,
        map: &mut Heightmap,
        scale: Scale,
        sea: Option<f32>,
        drainage: &Drainage,
        rivers: &[River],
        progress: &Progress,
    ) -> Result<Waters, GenerateError> {
        let spacing = f64::from(scale.spacing);
        let mut ground = Ground::of(map, scale);
        let least = (
            self.lake_min_area / (spacing * spacing),
            self.lake_min_depth,
        );
        let finding = progress.span(0.0, 0.2);
        let standing = Standing::find(drainage, map, &ground, least, sea, &finding)?;
        silt(rivers, drainage, &standing, &mut ground);
        let reaches = reaches::cut(rivers, drainage, &ground, &standing);
        let mut channels = Vec::with_capacity(reaches.len());
        for (done, reach) in reaches.iter().enumerate() {
            progress.span(0.2, 0.4).step(done, reaches.len())?;
            let channel = Channel::of(reach, self, spacing, &ground, &standing, &channels);
            channels.push(channel);
        }
        let banks = (self.bank_slope, spacing);
        let carving = progress.span(0.4, 0.6);
        bed::carve(&mut ground, &channels, &standing, banks, &carving)?;
        let frame = Frame::new(map.size(), scale.spacing);
        let (lakes, lake_squares) = lake::lakes(&standing, &ground, &frame, spacing);
        let mut ribbons = vec![None; channels.len()];
        rows::for_each_row(&mut ribbons, 1, &progress.span(0.6, 0.8), |at, drawn| {
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
        let finding = progress.span(0.8, 1.0);
        let lookup = Lookup::new(&rivers, &lake_squares, &ground, &standing, frame, &finding)?;
        progress.step(1, 1)?;
        *map = Heightmap::from_heights(map.size(), ground.heights)
            .expect("heights are finite: they are the map's own, or what `Ground::set` clamped");
        Ok(Waters::new(rivers, lakes, lookup))
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

/// Fills the hollows that rivers cross and that are not lakes.
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

/// Calls `each` for every neighbor of a cell in a map of `width` by `height` cells.
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
