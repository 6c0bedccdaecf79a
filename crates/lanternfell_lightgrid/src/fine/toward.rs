//! Where light comes from, in fine cells: for what has a shape of its own, by its normals.
//!
//! The light of a lamp comes from there, and from as high as the lamp hangs; what flows comes from where there is more of it.
//! What comes to a place from all of them is the mean of those directions by luminance: as long as 1 where all light comes from
//! one side, along the ground; short where it comes from above, or from all sides.

use glam::{IVec2, UVec2, Vec2, Vec3};

use super::{
    FineLight,
    ground::{FineGround, is_solid},
    paint::{row, weights},
};
use crate::{area::Area, color::luminance};

/// Working memory for the directions in a tile.
#[derive(Debug, Clone, Default)]
pub(super) struct Toward {
    /// Of what comes in straight lines to the fine cells of the tile, and of one more cell on each side: the sum of its
    /// directions by luminance, and of the luminances.
    straight: Vec<Vec3>,
    /// Of all of a cell.
    whole: Vec<Vec3>,
    /// Of all that comes to the fine cells of the tile.
    sums: Vec<Vec3>,
}

impl Toward {
    /// Gives the directions at some fine cells, row by row.
    pub(super) fn paint(
        &mut self,
        of: &FineLight,
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

    /// Puts together what comes in straight lines, and what flows.
    fn mix(&mut self, of: &FineLight, (cells, around): (Area, Area)) {
        let ground = &of.ground;
        let (fine, fine_around) = (ground.fine(cells), ground.fine(around));
        let finer = of.finer() as i32;
        let mixes: Vec<Mix> = (0..finer).map(|n| Mix::new(n, finer)).collect();
        self.sums.clear();
        self.sums.resize(fine.count(), Vec3::ZERO);
        for cell in cells.cells() {
            let flow = Flow::around(ground, cell);
            for (y, down) in (0..).zip(&mixes) {
                let first = cell * finer + IVec2::new(0, y);
                let end = first.x + finer;
                let blocked = ground.blocked_row(first, end);
                let straight = row(fine_around, first, end);
                let sums = row(fine, first, end);
                for (n, across) in mixes.iter().enumerate() {
                    let straight = match is_solid(blocked[n]) {
                        // What stands there is lit as what it stands on.
                        true => self.smooth(ground, around, cell, (across, down)),
                        false => self.straight[straight.start + n],
                    };
                    let flowing = flow.at(across, down);
                    self.sums[sums.start + n] = straight * of.share + flowing * (1.0 - of.share);
                }
            }
        }
    }

    /// Adds up what comes from the lamps, and from all sides.
    fn shine(&mut self, of: &FineLight, area: Area) {
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
                // More light without more direction: what it adds comes from all sides.
                let all = &mut self.straight[area.place(fine)].z;
                *all = all.max(luminance(of.ground.ambient(of.ground.cell_of(fine))));
            }
        }
    }

    /// Finds from where all that comes to each cell does, as bright as where it is brightest.
    fn add_up(&mut self, of: &FineLight, cells: Area) {
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

    /// What comes to whole cells, between those around one that are walls as it is, or open.
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

/// How much the cells before, at and behind a fine cell count in what flows there, and in how it rises.
struct Mix {
    weights: [f32; 3],
    rise: [f32; 3],
}

impl Mix {
    /// Of the n-th fine cell of a cell.
    fn new(n: i32, finer: i32) -> Self {
        let f = (n as f32 + 0.5) / finer as f32 - 0.5;
        Self {
            weights: weights(n, finer),
            // The slope of those.
            rise: [f - 0.5, -2.0 * f, f + 0.5],
        }
    }
}

/// The luminance of what flows around a cell, by row and column. Beside walls it is as far as there.
struct Flow([[f32; 3]; 3]);

impl Flow {
    fn around(ground: &FineGround, cell: IVec2) -> Self {
        let wall = ground.is_wall(cell);
        let light = |x, y| {
            let near = cell + IVec2::new(x, y);
            let alike = ground.contains(near) && ground.is_wall(near) == wall;
            // The cell's own light in place of a wall's has no slope towards it.
            luminance(ground.flow(if alike { near } else { cell }))
        };
        Self([-1, 0, 1].map(|y| [-1, 0, 1].map(|x| light(x, y))))
    }

    /// Where what flows at a fine cell comes from, by its luminance, and that. The faster it rises, from cell to cell, the
    /// more of it comes from there.
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
