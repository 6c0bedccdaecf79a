//! Samples the terrain under a map, in a background task.

use bevy::prelude::*;
use lanternfell_lightgrid::{LightError, Relief};
use lanternfell_tasks::pause;
use lanternfell_terrain::{TerrainSurface, surface::Surface};
use lanternfell_vegetation::VegetationLayout;

use super::{obstacles::Obstacles, plane::CellPlane};

/// The inputs of a relief.
pub(super) struct Sample {
    pub(super) size: UVec2,
    /// In cells.
    pub(super) target_height: f32,
    pub(super) slope_shading: f32,
    pub(super) lands: Vec<Land>,
}

/// A terrain under a map.
pub(super) struct Land {
    pub(super) surface: TerrainSurface,
    /// The cells of the map in the frame of the terrain.
    pub(super) plane: CellPlane,
    /// The height of the sea, if there is one.
    pub(super) sea: Option<f32>,
    /// The plants on it.
    pub(super) layout: Option<VegetationLayout>,
}

impl Sample {
    /// Computes the relief.
    ///
    /// # Errors
    ///
    /// If the terrain is too high or too low for a relief, in cells.
    pub(super) async fn relief(self) -> Result<Relief, LightError> {
        let mut heights = Vec::with_capacity(self.size.element_product() as usize);
        for row in 0..self.size.y {
            pause().await;
            self.sample_row(row, &mut heights);
        }
        let mut obstacles = Obstacles::new(self.size, &heights);
        for land in &self.lands {
            if let Some(layout) = &land.layout {
                let solids = layout.solids(land.plane.area().inflate(REACH)).await;
                for solid in &solids {
                    obstacles.put(solid, &land.plane);
                }
            }
        }
        let above = obstacles.into_heights();
        let place = |cell: IVec2| cell.y as usize * self.size.x as usize + cell.x as usize;
        let relief = Relief::new(self.size.x, self.size.y, |cell| heights[place(cell)])?;
        let relief = match above {
            Some(above) => relief.with_obstacles(|cell| above[place(cell)])?,
            None => relief,
        };
        // NaN becomes the default.
        let target_height = if self.target_height.is_nan() {
            0.5
        } else {
            self.target_height
        };
        let slope_shading = if self.slope_shading.is_nan() {
            1.0
        } else {
            self.slope_shading
        };
        relief
            .with_target_height(target_height.clamp(0.01, 100.0))?
            .with_slope_shading(slope_shading.clamp(0.0, 1.0))
    }

    /// The heights of a row of cells above the plane of the map, in cells. Where terrains overlap, the highest counts; where
    /// there is none, the sea level of the first one, or its lowest height.
    fn sample_row(&self, row: u32, heights: &mut Vec<f32>) {
        let lands: Vec<_> = self.lands.iter().map(Land::to_be_asked).collect();
        for column in 0..self.size.x {
            let cell = UVec2::new(column, row).as_vec2();
            let found = lands.iter().filter_map(|ask| ask(cell).0);
            let highest = found.reduce(f32::max);
            heights.push(highest.unwrap_or_else(|| lands[0](cell).1));
        }
    }
}

impl Land {
    /// A function from a cell to the height of the surface, if the terrain is there, and to the height beyond its border.
    fn to_be_asked(&self) -> impl Fn(Vec2) -> (Option<f32>, f32) {
        // Without holes, because they count as closed.
        let surface = Surface::new(self.surface.map(), self.surface.surface().scale());
        let (plane, to_cells) = (self.plane, self.plane.to_cells());
        let (waters, sea) = (self.surface.waters(), self.sea);
        move |cell| {
            let at = plane.place(cell).xz();
            let height = |y: f32| to_cells.height(Vec3::new(at.x, y, at.y));
            let ground = surface.height(at).map(|ground| {
                let water = waters.and_then(|waters| waters.at(at.x, at.y));
                let top = water.map_or(ground, |water| water.height.max(ground));
                height(sea.map_or(top, |sea| sea.max(top)))
            });
            (ground, height(sea.unwrap_or(0.0)))
        }
    }
}

/// Plants this close to the border of the map may reach into it, in meters.
const REACH: f32 = 4.0;
