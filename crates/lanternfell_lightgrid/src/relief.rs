//! Heights under a grid: hills cast shadows, and slopes that face a lamp are brighter.
//!
//! # The problem
//!
//! A grid is flat. A torch on a hill, however, lights the near side of the next hill and not the
//! valley between. What hides one cell from another is not a wall, but all the terrain between
//! them.
//!
//! # The idea
//!
//! Light in straight lines ([`LightSettings::direct`](crate::LightSettings::direct)) is first
//! computed as on flat terrain, and then reduced by what the relief blocks. Seen from the lamp, the
//! terrain up to a cell has a *horizon*: the steepest slope to any point of it. Below the horizon
//! the cell is in shadow. The cell is lit by the fraction of a target standing on it that rises
//! above the shadow:
//!
//! ```text
//!      lamp *- _
//!           |    - _  horizon
//!           |   __   - _      | } lit
//!       ____|__/  \_      - _ | target
//!                   \________-|_____
//! ```
//!
//! Long shadows therefore have soft edges, like those of lamps that are not points.
//!
//! Slopes that face a lamp are brighter than flat terrain, and slopes that face away are darker.
//! With Lambert's cosine alone, a torch near the ground would light almost nothing but walls. As in
//! half-Lambert shading the cosine is raised, `1 + slope_shading cos`, and divided by that of flat terrain.
//! On flat terrain the light is the same as without relief, bit for bit.
//!
//! Obstacles such as rocks and tree trunks raise the top of a cell above its ground. They hide what
//! is behind them, and are lit at their foot.
//!
//! # Cost
//!
//! A few nanoseconds per cell that a lamp reaches, each time the lamp moves; see the module
//! [`horizon`].
//!
//! Source of the raised cosine: J. Mitchell and others, "Shading in Valve's Source Engine", 2006.

mod horizon;

use glam::{IVec2, UVec2, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use crate::{
    area::Area,
    error::{LightError, check_range, check_size},
};

/// Terrain heights under a grid, for light in straight lines.
///
/// All heights are in multiples of the cell width, from -1,000,000 to 1,000,000. Only square cells
/// are supported.
///
/// ```
/// use lanternfell_lightgrid::{LightGrid, LightSettings, IVec2, Relief, Source, Vec3};
///
/// // A ridge between two plains.
/// let ground = |cell: IVec2| if cell.x == 10 { 3.0 } else { 0.0 };
/// let mut grid = LightGrid::new(21, 9, LightSettings { direct: 1.0, ..Default::default() })?;
/// grid.set_relief(Some(Relief::new(21, 9, ground)?.into()))?;
///
/// let torch = Source::new(IVec2::new(5, 4), Vec3::ONE).with_height(1.0);
/// grid.set_sources(&[torch])?;
/// grid.step(1);
/// assert_eq!(grid.luminance(IVec2::new(12, 4)), 0.0);
///
/// // Held higher, it shines over the ridge.
/// grid.set_sources(&[torch.with_height(6.0)])?;
/// grid.step(1);
/// assert!(grid.luminance(IVec2::new(16, 4)) > 0.0);
/// # Ok::<(), lanternfell_lightgrid::LightError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedRelief", into = "SavedRelief")]
pub struct Relief {
    size: UVec2,
    /// Row by row.
    ground: Vec<f32>,
    /// The height up to which each cell hides others, row by row. Never below the ground.
    tops: Vec<f32>,
    target_height: f32,
    slope_shading: f32,
}

/// The limit of all heights, in cells.
pub(crate) const FURTHEST: f32 = 1e6;

impl Relief {
    /// Creates a relief of `width` x `height` cells. `ground` returns the ground height at the
    /// center of a cell.
    ///
    /// # Errors
    ///
    /// - [`LightError::Size`] if there are no cells, or too many
    /// - [`LightError::Range`] if a height is out of range
    pub fn new(
        width: u32,
        height: u32,
        ground: impl FnMut(IVec2) -> f32,
    ) -> Result<Self, LightError> {
        let size = UVec2::new(width, height);
        check_size(size)?;
        let ground: Vec<f32> = Area::whole(size).cells().map(ground).collect();
        check_heights("relief.ground", &ground)?;
        Ok(Self {
            size,
            tops: ground.clone(),
            ground,
            target_height: 0.5,
            slope_shading: 1.0,
        })
    }

    /// Adds obstacles. `height` returns the height of the obstacle in a cell above the ground, or 0
    /// for none.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if a height is not from 0 to 1,000,000.
    pub fn with_obstacles(
        mut self,
        mut height: impl FnMut(IVec2) -> f32,
    ) -> Result<Self, LightError> {
        let cells = Area::whole(self.size).cells();
        for (top, (ground, cell)) in self.tops.iter_mut().zip(self.ground.iter().zip(cells)) {
            let above = height(cell);
            check_range("relief.obstacle", above, 0.0, FURTHEST)?;
            *top = ground + above;
        }
        Ok(self)
    }

    /// Sets the height of the targets that are lit, such as characters, in cells, from 0.01 to 100. Default: 0.5.
    /// Larger values make shadows softer.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if the height is out of range.
    pub fn with_target_height(mut self, height: f32) -> Result<Self, LightError> {
        check_range("relief.target_height", height, 0.01, 100.0)?;
        self.target_height = height;
        Ok(self)
    }

    /// Sets how much the slope of the ground affects the light, from 0 (not at all) to 1. Default: 1.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if the number is out of range.
    pub fn with_slope_shading(mut self, slope_shading: f32) -> Result<Self, LightError> {
        check_range("relief.slope_shading", slope_shading, 0.0, 1.0)?;
        self.slope_shading = slope_shading;
        Ok(self)
    }

    /// The number of cells from west to east and from north to south.
    pub fn size(&self) -> UVec2 {
        self.size
    }

    /// The ground height of a cell. Outside of the relief, that of the nearest cell.
    pub fn ground(&self, cell: IVec2) -> f32 {
        self.ground[self.nearest(cell)]
    }

    /// The height up to which a cell hides what is behind it. Outside of the relief, that of the
    /// nearest cell.
    pub fn top(&self, cell: IVec2) -> f32 {
        self.tops[self.nearest(cell)]
    }

    fn nearest(&self, cell: IVec2) -> usize {
        let cell = cell
            .clamp(IVec2::ZERO, self.size.as_ivec2() - 1)
            .as_usizevec2();
        cell.y * self.size.x as usize + cell.x
    }

    /// The ground height at any position in cells, interpolated bilinearly between cell centers.
    pub fn ground_at(&self, at: Vec2) -> f32 {
        let at = at.clamp(Vec2::ZERO, self.size.as_vec2() - 1.0);
        let corner = at.floor();
        let (cell, part) = (corner.as_ivec2(), at - corner);
        let row = |y| {
            let [left, right] = [0, 1].map(|x| self.ground(cell + IVec2::new(x, y)));
            left + (right - left) * part.x
        };
        let [above, below] = [0, 1].map(row);
        above + (below - above) * part.y
    }

    /// The factor by which the orientation of the ground changes the light of a lamp at a cell.
    /// `lamp` is a position and a height in cells.
    fn caught(&self, cell: IVec2, lamp: Vec3) -> f32 {
        let across = |step: IVec2| {
            let [before, after] = [cell - step, cell + step]
                .map(|it| it.clamp(IVec2::ZERO, self.size.as_ivec2() - 1));
            // 2 inside, and 1 at the border, where the difference is one-sided. On a grid that is
            // one cell wide both cells are the same, and `max` avoids 0 / 0.
            let apart = (after - before).element_sum().max(1) as f32;
            (self.ground(after) - self.ground(before)) / apart
        };
        let rise = Vec2::new(across(IVec2::X), across(IVec2::Y));
        // Not only an optimization: for a lamp below the target the quotient is less than 1, but
        // flat terrain must keep its light.
        if rise == Vec2::ZERO {
            return 1.0;
        }
        let normal = (-rise).extend(1.0) / (1.0 + rise.length_squared()).sqrt();
        let height = self.ground(cell) + 0.5 * self.target_height;
        let to_lamp = lamp - cell.as_vec2().extend(height);
        // A lamp in the center of the target has no direction. The quotient is then 1.
        let distance = to_lamp.length().max(f32::MIN_POSITIVE);
        // A lamp below the target would give flat terrain a negative cosine, and the divisor could
        // be near 0.
        let [turned, flat] = [normal.dot(to_lamp), to_lamp.z.max(0.0)].map(|it| it / distance);
        (1.0 + self.slope_shading * turned) / (1.0 + self.slope_shading * flat)
    }
}

fn check_heights(what: &'static str, heights: &[f32]) -> Result<(), LightError> {
    heights
        .iter()
        .try_for_each(|&height| check_range(what, height, -FURTHEST, FURTHEST))
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Relief", deny_unknown_fields)]
struct SavedRelief {
    width: u32,
    height: u32,
    ground: Vec<f32>,
    tops: Vec<f32>,
    target_height: f32,
    slope_shading: f32,
}

impl From<Relief> for SavedRelief {
    fn from(relief: Relief) -> Self {
        Self {
            width: relief.size.x,
            height: relief.size.y,
            ground: relief.ground,
            tops: relief.tops,
            target_height: relief.target_height,
            slope_shading: relief.slope_shading,
        }
    }
}

impl TryFrom<SavedRelief> for Relief {
    type Error = LightError;

    fn try_from(saved: SavedRelief) -> Result<Self, LightError> {
        let size = UVec2::new(saved.width, saved.height);
        check_size(size)?;
        let expected = size.x as usize * size.y as usize;
        for (what, heights) in [("heights", &saved.ground), ("tops", &saved.tops)] {
            let found = heights.len();
            if found != expected {
                return Err(LightError::Length {
                    what,
                    found,
                    expected,
                });
            }
            check_heights(what, heights)?;
        }
        let tops = saved.tops.iter().zip(&saved.ground);
        let relief = Self {
            size,
            // A file may contain a top below the ground, which `with_obstacles` cannot create.
            tops: tops.map(|(&top, &ground)| top.max(ground)).collect(),
            ground: saved.ground,
            target_height: 0.5,
            slope_shading: 1.0,
        };
        relief
            .with_target_height(saved.target_height)?
            .with_slope_shading(saved.slope_shading)
    }
}
