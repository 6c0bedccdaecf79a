//! Computes the light of a tile of fine cells.

use core::ops::Range;

use glam::{IVec2, UVec2, Vec3, Vec4};

use super::{
    HighResLight,
    ground::{FineGround, is_solid},
};
use crate::area::Area;

/// Working memory for a tile.
#[derive(Debug, Clone, Default)]
pub(super) struct Tile {
    /// Straight light in the fine cells of the tile, and of one more cell on each side.
    straight: Vec<Vec3>,
    /// The brightest straight light in each cell.
    faces: Vec<Vec3>,
    /// All light, in the fine cells of the tile.
    light: Vec<Vec3>,
}

impl Tile {
    /// The number of cells of the grid along the side of a tile.
    pub(super) const SIDE: u32 = 8;

    /// Calls `put` with the light of each fine cell of an area, row by row, and whether light
    /// passes there.
    pub(super) fn paint(
        &mut self,
        of: &HighResLight,
        first: UVec2,
        size: UVec2,
        put: &mut impl FnMut(Vec3, bool),
    ) {
        let ground = &of.ground;
        let Some((wanted, cells, around)) = ground.around(first, size) else {
            return;
        };
        self.shine(of, around);
        self.find_faces(of, around);
        self.mix(of, (cells, around));
        let fine = ground.fine(cells);
        for y in wanted.first.y..wanted.end.y {
            let first = IVec2::new(wanted.first.x, y);
            let blocked = ground.blocked_row(first, wanted.end.x);
            for (light, blocked) in self.light[row(fine, first, wanted.end.x)]
                .iter()
                .zip(blocked)
            {
                put(*light, !is_solid(*blocked));
            }
        }
    }

    /// Sums up the straight light in these cells.
    fn shine(&mut self, of: &HighResLight, cells: Area) {
        let area = of.ground.fine(cells);
        self.straight.clear();
        self.straight.resize(area.count(), Vec3::ZERO);
        // The same sum as in `direct`.
        let most = Vec3::splat(of.most);
        let share = of.most.recip();
        of.shine(area, |_, _, place, more| {
            let light = &mut self.straight[place];
            *light = (*light + more - *light * more * share).min(most);
        });
        let ground = &of.ground;
        if ground.has_ambient() {
            for fine in area.cells() {
                let light = &mut self.straight[area.place(fine)];
                *light = light.max(ground.ambient(ground.cell_of(fine)));
            }
        }
        self.darken(of, area);
    }

    /// Subtracts the light that darknesses take, around the center of each.
    fn darken(&mut self, of: &HighResLight, area: Area) {
        let dark = of.lamps.iter().map(|lamp| lamp.source);
        for source in dark.filter(|source| source.light.min_element() < 0.0) {
            let taken = (-of.tinted(source.light)).max(Vec3::ZERO);
            let at = of.ground.to_fine(source.at).round().as_ivec2();
            let around = Area::around(at, of.subdivisions() + 1, of.size());
            for fine in around.within(area).cells() {
                // The full amount in the center, decreasing to zero one cell away.
                let away = of.ground.to_cells(fine).distance(source.at);
                let light = &mut self.straight[area.place(fine)];
                *light = (*light - taken * (1.0 - away).max(0.0)).max(Vec3::ZERO);
            }
        }
    }

    /// Finds the brightest straight light in each of these cells.
    fn find_faces(&mut self, of: &HighResLight, cells: Area) {
        let area = of.ground.fine(cells);
        let subdivisions = of.subdivisions() as usize;
        self.faces.clear();
        self.faces.resize(cells.count(), Vec3::ZERO);
        for y in area.first.y..area.end.y {
            let first = IVec2::new(area.first.x, y);
            let straight = &self.straight[row(area, first, area.end.x)];
            let cell = of.ground.cell_of(first);
            // Each of the `subdivisions` rows of a cell updates the maximum.
            let faces = &mut self.faces[row(cells, cell, cells.end.x)];
            for (face, straight) in faces.iter_mut().zip(straight.chunks_exact(subdivisions)) {
                *face = straight.iter().fold(*face, |face, &light| face.max(light));
            }
        }
    }

    /// Combines straight light with flowing light, which is interpolated between cell centers.
    fn mix(&mut self, of: &HighResLight, (cells, around): (Area, Area)) {
        let ground = &of.ground;
        let (fine, fine_around) = (ground.fine(cells), ground.fine(around));
        let subdivisions = of.subdivisions() as i32;
        let weights: Vec<[f32; 3]> = (0..subdivisions)
            .map(|n| weights(n, subdivisions))
            .collect();
        self.light.clear();
        self.light.resize(fine.count(), Vec3::ZERO);
        for cell in cells.cells() {
            let first = cell * subdivisions;
            let rows = (0..subdivisions).map(|y| first + IVec2::new(0, y));
            let row_of = |first: IVec2| ground.blocked_row(first, first.x + subdivisions);
            let any_solid = rows
                .clone()
                .any(|first| row_of(first).iter().any(|&b| is_solid(b)));
            let flow = Near::of(ground, cell, |at| ground.flow(at));
            // Walls and discs show the light that falls on their faces.
            let faces =
                any_solid.then(|| Near::of(ground, cell, |at| self.faces[around.place(at)]));
            for (first, down) in rows.zip(&weights) {
                let flow = flow.row(down);
                let faces = faces.as_ref().map(|faces| faces.row(down));
                let straight = &self.straight[row(fine_around, first, first.x + subdivisions)];
                let lights = &mut self.light[row(fine, first, first.x + subdivisions)];
                let blocked = row_of(first);
                for (n, across) in weights.iter().enumerate() {
                    let straight = match &faces {
                        Some(faces) if is_solid(blocked[n]) => between(faces, across),
                        _ => straight[n],
                    };
                    lights[n] = between(&flow, across) * (1.0 - of.share) + straight * of.share;
                }
            }
        }
    }
}

/// The indices of the cells of a row, from `first` to before column `end`, in a list of the cells
/// of an area.
pub(super) fn row(area: Area, first: IVec2, end: i32) -> Range<usize> {
    let place = area.place(first);
    place..place + (end - first.x) as usize
}

/// The weights of the previous, the present and the next cell for fine cell number `n` of a cell,
/// of a quadratic B-spline over the cell centers. They are the same along both axes.
pub(super) fn weights(n: i32, subdivisions: i32) -> [f32; 3] {
    let f = (n as f32 + 0.5) / subdivisions as f32 - 0.5;
    let (before, after) = (0.5 * (0.5 - f) * (0.5 - f), 0.5 * (0.5 + f) * (0.5 + f));
    [before, 1.0 - before - after, after]
}

/// The light of the nine cells around a cell, by column and row. The last component is 1 for cells
/// that count: those that are walls like the center, or open like it.
struct Near([[Vec4; 3]; 3]);

impl Near {
    fn of(ground: &FineGround, cell: IVec2, light: impl Fn(IVec2) -> Vec3) -> Self {
        let wall = ground.is_wall(cell);
        let near = |x: i32, y: i32| {
            let at = cell + IVec2::new(x, y);
            if ground.contains(at) && ground.is_wall(at) == wall {
                light(at).extend(1.0)
            } else {
                Vec4::ZERO
            }
        };
        Self([-1, 0, 1].map(|x| [-1, 0, 1].map(|y| near(x, y))))
    }

    /// The light of each column at the height of a row of fine cells.
    fn row(&self, down: &[f32; 3]) -> [Vec4; 3] {
        self.0
            .map(|[before, here, after]| before * down[0] + here * down[1] + after * down[2])
    }
}

/// The light of a fine cell, given that of the columns.
fn between(columns: &[Vec4; 3], across: &[f32; 3]) -> Vec3 {
    let sum = columns[0] * across[0] + columns[1] * across[1] + columns[2] * across[2];
    // The weights of walls that were left out go to the other cells. The sum is not 0, because the
    // cell itself counts.
    sum.truncate() / sum.w
}
