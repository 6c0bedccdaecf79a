//! The direction that light comes from, in fine cells, for normal mapping.
//!
//! The light of a lamp comes from its position and height. Flowing light comes from where there is
//! more of it. The direction in a fine cell is the mean of all these directions, weighted by
//! luminance. Its length is 1 if all light comes from one side along the ground. It is shorter if
//! light comes from above or from several sides.

use glam::{IVec2, UVec2, Vec2, Vec3};

use super::{
    HighResLight,
    ground::{FineGround, is_solid},
    paint::{row, weights},
};
use crate::{area::Area, color::luminance};

/// Working memory for the directions in a tile.
#[derive(Debug, Clone, Default)]
pub(super) struct Toward {
    /// Straight light in the fine cells of a tile, and of one more cell on each side. x and y are
    /// the sum of the directions weighted by luminance, and z is the sum of the luminances.
    straight: Vec<Vec3>,
    /// The straight light of whole cells.
    whole: Vec<Vec3>,
    /// All light in the fine cells of the tile.
    sums: Vec<Vec3>,
}

impl Toward {
    /// Calls `put` with the direction in each fine cell of an area, row by row.
    pub(super) fn paint(
        &mut self,
        of: &HighResLight,
        first: UVec2,
        size: UVec2,
        mut put: impl FnMut(Vec2),
    ) {
        let ground = &of.ground;
        let Some((wanted, cells, around)) = ground.around(first, size) else {
            return;
        };
        self.shine(of, ground.fine(around));
        self.add_up(of, around);
        self.mix(of, (cells, around));
        let fine = ground.fine(cells);
        for y in wanted.first.y..wanted.end.y {
            let first = IVec2::new(wanted.first.x, y);
            let sums = &self.sums[row(fine, first, wanted.end.x)];
            for sum in sums {
                put(if sum.z > 0.0 {
                    sum.truncate() / sum.z
                } else {
                    Vec2::ZERO
                });
            }
        }
    }

    /// Combines straight light and flowing light.
    fn mix(&mut self, of: &HighResLight, (cells, around): (Area, Area)) {
        let ground = &of.ground;
        let (fine, fine_around) = (ground.fine(cells), ground.fine(around));
        let subdivisions = of.subdivisions() as i32;
        let mixes: Vec<Mix> = (0..subdivisions)
            .map(|n| Mix::new(n, subdivisions))
            .collect();
        self.sums.clear();
        self.sums.resize(fine.count(), Vec3::ZERO);
        for cell in cells.cells() {
            let flow = Flow::around(ground, cell);
            for (y, down) in (0..).zip(&mixes) {
                let first = cell * subdivisions + IVec2::new(0, y);
                let end = first.x + subdivisions;
                let blocked = ground.blocked_row(first, end);
                let straight = row(fine_around, first, end);
                let sums = row(fine, first, end);
                for (n, across) in mixes.iter().enumerate() {
                    let straight = match is_solid(blocked[n]) {
                        // An object here is lit like the cell that it stands on.
                        true => self.smooth(ground, around, cell, (across, down)),
                        false => self.straight[straight.start + n],
                    };
                    let flowing = flow.at(across, down);
                    self.sums[sums.start + n] = straight * of.share + flowing * (1.0 - of.share);
                }
            }
        }
    }

    /// Sums up the light of the lamps, and the ambient light.
    fn shine(&mut self, of: &HighResLight, area: Area) {
        self.straight.clear();
        self.straight.resize(area.count(), Vec3::ZERO);
        of.shine(area, |lamp, fine, place, light| {
            let way = lamp.source.at - of.ground.to_cells(fine);
            let way = way.extend(lamp.source.height.max(0.0));
            let toward = way.normalize_or_zero().truncate();
            self.straight[place] += toward.extend(1.0) * luminance(light);
        });
        if of.ground.has_ambient() {
            for fine in area.cells() {
                // Increases the luminance but not the direction, because ambient light comes from
                // all sides.
                let all = &mut self.straight[area.place(fine)].z;
                *all = all.max(luminance(of.ground.ambient(of.ground.cell_of(fine))));
            }
        }
    }

    /// Computes the straight light of each cell: the mean direction, with the brightness of its
    /// brightest fine cell.
    fn add_up(&mut self, of: &HighResLight, cells: Area) {
        let ground = &of.ground;
        let area = ground.fine(cells);
        self.whole.clear();
        for cell in cells.cells() {
            let own = Area {
                first: cell,
                end: cell + 1,
            };
            let own = ground.fine(own).cells();
            let (mut sum, mut most) = (Vec3::ZERO, 0.0);
            for straight in own.map(|fine| self.straight[area.place(fine)]) {
                sum += straight;
                most = f32::max(most, straight.z);
            }
            // As in `Tile`, a wall is as bright as the brightest part of its faces.
            let share = if sum.z > 0.0 { most / sum.z } else { 0.0 };
            self.whole.push(sum * share);
        }
    }

    /// The light of whole cells, interpolated between those around a cell that are walls like it,
    /// or open like it.
    fn smooth(
        &self,
        ground: &FineGround,
        area: Area,
        cell: IVec2,
        (across, down): (&Mix, &Mix),
    ) -> Vec3 {
        let (mut sum, mut all) = (Vec3::ZERO, 0.0);
        for (y, down) in (-1..).zip(down.weights) {
            for (x, across) in (-1..).zip(across.weights) {
                let at = cell + IVec2::new(x, y);
                if area.contains(at) && ground.is_wall(at) == ground.is_wall(cell) {
                    sum += self.whole[area.place(at)] * (across * down);
                    all += across * down;
                }
            }
        }
        sum / all
    }
}

/// The weights of the previous, the present and the next cell for the flowing light in a fine cell,
/// and for its slope.
struct Mix {
    weights: [f32; 3],
    rise: [f32; 3],
}

impl Mix {
    /// The weights for fine cell number `n` of a cell.
    fn new(n: i32, subdivisions: i32) -> Self {
        let f = (n as f32 + 0.5) / subdivisions as f32 - 0.5;
        Self {
            weights: weights(n, subdivisions),
            // The derivatives of the weights.
            rise: [f - 0.5, -2.0 * f, f + 0.5],
        }
    }
}

/// The luminance of flowing light around a cell, by row and column. Walls are replaced by the cell
/// itself.
struct Flow([[f32; 3]; 3]);

impl Flow {
    fn around(ground: &FineGround, cell: IVec2) -> Self {
        let wall = ground.is_wall(cell);
        let light = |x, y| {
            let near = cell + IVec2::new(x, y);
            let alike = ground.contains(near) && ground.is_wall(near) == wall;
            // With the cell's own light instead of a wall's, there is no slope towards the wall.
            luminance(ground.flow(if alike { near } else { cell }))
        };
        Self([-1, 0, 1].map(|y| [-1, 0, 1].map(|x| light(x, y))))
    }

    /// The direction of the flowing light in a fine cell, weighted by its luminance, and its
    /// luminance. The steeper the light increases from cell to cell, the more of it comes from
    /// there.
    fn at(&self, across: &Mix, down: &Mix) -> Vec3 {
        let Self(rows) = self;
        let along = |weights: &[f32; 3]| {
            let sum =
                |row: &[f32; 3]| row[0] * weights[0] + row[1] * weights[1] + row[2] * weights[2];
            Vec3::new(sum(&rows[0]), sum(&rows[1]), sum(&rows[2]))
        };
        let here = along(&across.weights);
        let all = here.dot(Vec3::from(down.weights));
        let rise = Vec2::new(
            along(&across.rise).dot(Vec3::from(down.weights)),
            here.dot(Vec3::from(down.rise)),
        );
        let steep = rise.length();
        let part = if steep > 0.0 {
            all / (all + steep)
        } else {
            0.0
        };
        (rise * part).extend(all)
    }
}
