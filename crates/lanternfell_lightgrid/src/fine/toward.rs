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
    /// The sums of these over each cell.
    whole: Vec<Vec3>,
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
        let wanted = ground.inside(first, size, of.finer());
        if wanted.is_empty() {
            return;
        }
        let cells = ground.cells_around(wanted);
        let around = cells.grown(1).within(Area::whole(ground.size()));
        self.shine(of, ground.fine(around));
        self.add_up(of, around);
        let finer = of.finer() as i32;
        let mixes: Vec<Mix> = (0..finer).map(|n| Mix::new(n, finer)).collect();
        for fine in wanted.cells() {
            let cell = ground.cell_of(fine);
            let inside = (fine - cell * finer).as_usizevec2();
            let mix = (&mixes[inside.x], &mixes[inside.y]);
            let solid = is_solid(ground.blocked_row(fine, fine.x + 1)[0]);
            let straight = match solid {
                // What stands there is lit as what it stands on.
                true => self.smooth(around, cell, mix) / (finer * finer) as f32,
                false => self.straight[ground.fine(around).place(fine)],
            };
            let flowing = flowing(ground, cell, mix);
            let sum = straight * of.share + flowing * (1.0 - of.share);
            put(if sum.z > 0.0 {
                sum.truncate() / sum.z
            } else {
                Vec2::ZERO
            });
        }
    }

    /// Adds up what comes from the lamps, and from all sides.
    fn shine(&mut self, of: &FineLight, area: Area) {
        self.straight.clear();
        self.straight.resize(area.count(), Vec3::ZERO);
        for (lamp, stamp) in of.lamps.iter().zip(&of.stamps) {
            let both = stamp.area().within(area);
            if both.is_empty() {
                continue;
            }
            for y in both.first.y..both.end.y {
                let first = IVec2::new(both.first.x, y);
                let sums = &mut self.straight[row(area, first, both.end.x)];
                stamp.shine(row(stamp.area(), first, both.end.x), |place, light| {
                    let there = of.ground.to_cells(first + IVec2::new(place as i32, 0));
                    let way = (lamp.source.at - there).extend(lamp.source.height.max(0.0));
                    let toward = way.normalize_or_zero().truncate();
                    sums[place] += toward.extend(1.0) * luminance(light);
                });
            }
        }
        if of.ground.has_ambient() {
            for fine in area.cells() {
                let all = &mut self.straight[area.place(fine)].z;
                *all = all.max(luminance(of.ground.ambient(of.ground.cell_of(fine))));
            }
        }
    }

    fn add_up(&mut self, of: &FineLight, cells: Area) {
        let area = of.ground.fine(cells);
        self.whole.clear();
        self.whole.resize(cells.count(), Vec3::ZERO);
        for fine in area.cells() {
            let sum = &mut self.whole[cells.place(of.ground.cell_of(fine))];
            *sum += self.straight[area.place(fine)];
        }
    }

    /// What comes to whole cells, between them.
    fn smooth(&self, area: Area, cell: IVec2, (across, down): (&Mix, &Mix)) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (y, down) in (-1..).zip(down.weights) {
            for (x, across) in (-1..).zip(across.weights) {
                let at = cell + IVec2::new(x, y);
                if area.contains(at) {
                    sum += self.whole[area.place(at)] * (across * down);
                }
            }
        }
        sum
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

/// What flows at a fine cell: where it comes from, by its luminance, and that. The faster it rises, from cell to cell, the
/// more of it comes from there. Beside walls it is as far as there.
fn flowing(ground: &FineGround, cell: IVec2, (across, down): (&Mix, &Mix)) -> Vec3 {
    let wall = ground.is_wall(cell);
    let (mut all, mut rise) = (0.0, Vec2::ZERO);
    for y in 0..3 {
        for x in 0..3 {
            let near = cell + IVec2::new(x as i32 - 1, y as i32 - 1);
            let alike = ground.contains(near) && ground.is_wall(near) == wall;
            let light = luminance(ground.flow(if alike { near } else { cell }));
            all += light * across.weights[x] * down.weights[y];
            rise.x += light * across.rise[x] * down.weights[y];
            rise.y += light * across.weights[x] * down.rise[y];
        }
    }
    let steep = rise.length();
    if steep > 0.0 {
        rise *= all / (all + steep);
    }
    rise.extend(all)
}
