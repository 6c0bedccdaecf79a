//! The heights of trunks, logs and stones above the terrain, for each cell.

use bevy::prelude::*;
use lanternfell_vegetation::{SolidPlant, plants::grow::Solid};

use super::plane::{CellPlane, ToCells};

/// Obstacles thinner than this fraction of a cell are ignored: their shadows would be several times too wide.
const THINNEST: f32 = 0.25;

/// The height of the obstacles above the terrain, for each cell.
pub(super) struct Obstacles<'a> {
    size: UVec2,
    /// The heights of the terrain, in cells.
    ground: &'a [f32],
    /// `None` until the first obstacle.
    above: Option<Vec<f32>>,
}

impl<'a> Obstacles<'a> {
    pub(super) fn new(size: UVec2, ground: &'a [f32]) -> Self {
        Self {
            size,
            ground,
            above: None,
        }
    }

    /// The heights in cells, row by row. `None` without obstacles.
    pub(super) fn into_heights(self) -> Option<Vec<f32>> {
        self.above
    }

    /// Adds a plant. `plane` has the cells in the frame of the plant's terrain.
    pub(super) fn put(&mut self, plant: &SolidPlant, plane: &CellPlane) {
        let to_cells = plane.to_cells();
        for pillar in pillars(plant) {
            self.put_pillar(&pillar, &to_cells, plane.per_unit());
        }
    }

    /// Fills the cells whose centers the pillar covers, and always the cell that contains its axis.
    fn put_pillar(&mut self, pillar: &Pillar, to_cells: &ToCells, per_unit: f32) {
        let radius = pillar.radius * per_unit;
        let at = to_cells.cell(pillar.top);
        if !(at.is_finite() && 2.0 * radius >= THINNEST) {
            return;
        }
        let top = to_cells.height(pillar.top);
        let last = self.size.as_ivec2() - 1;
        let [low, high] = [-radius, radius].map(|reach| (at + reach).round().as_ivec2());
        let home = at.round().as_ivec2();
        let (low, high) = (low.max(IVec2::ZERO), high.min(last));
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let cell = IVec2::new(x, y);
                if cell == home || cell.as_vec2().distance_squared(at) < radius * radius {
                    self.raise(cell, top);
                }
            }
        }
    }

    fn raise(&mut self, cell: IVec2, top: f32) {
        let place = cell.y as usize * self.size.x as usize + cell.x as usize;
        let above = top - self.ground[place];
        let heights = self
            .above
            .get_or_insert_with(|| vec![0.0; self.ground.len()]);
        heights[place] = heights[place].max(above);
    }
}

/// A vertical part of an obstacle, in the frame of the terrain, in meters.
struct Pillar {
    /// The center of its top.
    top: Vec3,
    radius: f32,
}

/// Approximates a plant by pillars: one for a trunk, a row of them for a log, and one of the mean width for a stone.
fn pillars(plant: &SolidPlant) -> Vec<Pillar> {
    let to_land = |point: &[f32; 3]| plant.place.transform_point(Vec3::from(*point));
    match &plant.shape {
        Solid::Cylinder { radius, height } => vec![Pillar {
            top: plant.place.translation + plant.place.up() * (0.5 * height),
            radius: *radius,
        }],
        Solid::Capsule { from, to, radius } => {
            let (from, to) = (to_land(from), to_land(to));
            let parts = (from.distance(to) / radius.max(0.05)).ceil().min(100.0);
            let part = |k| from.lerp(to, k as f32 / parts.max(1.0)) + Vec3::Y * *radius;
            let pillar = |k| Pillar {
                top: part(k),
                radius: *radius,
            };
            (0..=parts as u32).map(pillar).collect()
        }
        Solid::Hull { points } => {
            let points = points.iter().map(to_land);
            let around = points.fold(None, |around: Option<(Vec3, Vec3)>, point| {
                let (min, max) = around.unwrap_or((point, point));
                Some((min.min(point), max.max(point)))
            });
            let pillar = |(min, max): (Vec3, Vec3)| Pillar {
                top: (0.5 * (min + max)).with_y(max.y),
                radius: 0.25 * (max - min).xz().element_sum(),
            };
            around.map(pillar).into_iter().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_torchlight::prelude::*;
    use lanternfell_vegetation::{PlantLook, plants::grow::PlantKind};

    use super::*;

    const GROUND: [f32; 25] = [1.0; 25];

    fn heights(place: Vec3, shape: Solid) -> Option<Vec<f32>> {
        let grid = LightGrid::new(5, 5, LightSettings::default()).unwrap();
        let map = TorchlightMap::new(grid).with_plane(LightPlane::Xz);
        let map = map.with_cell_size(2.0);
        let plane = CellPlane::new(&map, &GlobalTransform::IDENTITY).unwrap();
        let mut obstacles = Obstacles::new(UVec2::splat(5), &GROUND);
        let plant = SolidPlant {
            look: PlantLook::Grown(PlantKind::Pine),
            place: Transform::from_translation(place),
            shape,
        };
        obstacles.put(&plant, &plane);
        obstacles.into_heights()
    }

    fn raised(heights: &[f32]) -> Vec<usize> {
        (0..25).filter(|&place| heights[place] > 0.0).collect()
    }

    #[test]
    fn trunks_fill_their_cell_and_twigs_none() {
        let trunk = |radius| Solid::Cylinder {
            radius,
            height: 6.0,
        };
        // The center is at 4 m, so the top is at 7 m, which is 3.5 cells.
        let high = heights(Vec3::new(2.3, 4.0, 0.0), trunk(0.3)).unwrap();
        assert_eq!(raised(&high), [13]);
        assert_eq!(high[13], 2.5);
        assert_eq!(heights(Vec3::new(2.3, 4.0, 0.0), trunk(0.2)), None);
        let thick = heights(Vec3::new(0.0, 4.0, 0.0), trunk(2.1)).unwrap();
        assert_eq!(raised(&thick), [7, 11, 12, 13, 17]);
    }

    #[test]
    fn logs_and_stones_fill_all_their_cells() {
        let log = Solid::Capsule {
            from: [-4.0, 3.0, 0.0],
            to: [4.0, 3.0, 0.0],
            radius: 0.4,
        };
        assert_eq!(
            raised(&heights(Vec3::ZERO, log).unwrap()),
            [10, 11, 12, 13, 14]
        );
        let corners = [[-3.0, 0.0, -3.0], [3.0, 0.0, 3.0], [0.0, 4.0, 0.0]];
        let stone = Solid::Hull {
            points: corners.to_vec(),
        };
        let high = heights(Vec3::ZERO, stone).unwrap();
        assert_eq!(raised(&high), [6, 7, 8, 11, 12, 13, 16, 17, 18]);
        assert_eq!(high[12], 1.0);
    }

    #[test]
    fn ignores_obstacles_outside_the_map() {
        let trunk = || Solid::Cylinder {
            radius: 1.0,
            height: 9.0,
        };
        assert_eq!(heights(Vec3::new(90.0, 0.0, 0.0), trunk()), None);
        assert_eq!(heights(Vec3::NAN, trunk()), None);
    }
}
