//! The baseline: a straightforward implementation of the automaton.
//!
//! Every cell takes the average over itself and its neighbors by indexing, for all colors and all
//! cells, in every step. Only values that depend on the walls alone are precomputed. The rule is
//! that of `lanternfell_lightgrid` with isotropic weights. A test checks that the results agree.

use lanternfell_lightgrid::{IVec2, LUMINANCE, LightGrid, Source, Vec3};

/// The offsets of a cell itself and its neighbors, and their weights.
const NEIGHBORS: [(i32, i32, f32); 9] = [
    (-1, -1, 1.0),
    (0, -1, 4.0),
    (1, -1, 1.0),
    (-1, 0, 4.0),
    (0, 0, 4.0),
    (1, 0, 4.0),
    (-1, 1, 1.0),
    (0, 1, 4.0),
    (1, 1, 1.0),
];

/// Light below this is set to 0.
const DARK: f32 = 1.0 / 65536.0;

/// Light in one color or three.
pub struct PlainLight<const COLORS: usize> {
    width: i32,
    height: i32,
    transparency: Vec<[f32; COLORS]>,
    /// The share of light that remains after a step, divided by the denominator of the average.
    gain: Vec<[f32; COLORS]>,
    /// A bit for each of [`NEIGHBORS`] from which light comes.
    ways: Vec<u16>,
    sources: Vec<(usize, [f32; COLORS])>,
    light: Vec<[f32; COLORS]>,
    next: Vec<[f32; COLORS]>,
}

impl<const COLORS: usize> PlainLight<COLORS> {
    /// Darkness on the same cells, with the same sources and the same rule.
    pub fn new(grid: &LightGrid) -> Self {
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        let places = || (0..height).flat_map(|y| (0..width).map(move |x| IVec2::new(x, y)));
        let index = |cell: IVec2| (cell.y * width + cell.x) as usize;
        let dark = vec![[0.0; COLORS]; (width * height) as usize];
        let cells = grid.cells().iter();
        let on_grid = |source: &&Source| grid.contains(source.cell());
        Self {
            width,
            height,
            transparency: cells.map(|cell| in_colors(cell.transparency)).collect(),
            gain: places().map(|cell| gain(grid, cell)).collect(),
            ways: places().map(|cell| ways(grid, cell)).collect(),
            sources: grid
                .sources()
                .iter()
                .filter(on_grid)
                .map(|source| (index(source.cell()), in_colors(source.light)))
                .collect(),
            light: dark.clone(),
            next: dark,
        }
    }

    /// Takes one step.
    #[expect(
        clippy::needless_range_loop,
        reason = "plain indexing is the purpose of the baseline"
    )]
    pub fn step(&mut self) {
        let (light, transparency) = (&self.light, &self.transparency);
        for y in 0..self.height {
            for x in 0..self.width {
                let here = (y * self.width + x) as usize;
                let ways = self.ways[here];
                let mut sum = [0.0; COLORS];
                for (way, (dx, dy, weight)) in NEIGHBORS.into_iter().enumerate() {
                    if ways >> way & 1 == 1 {
                        let there = ((y + dy) * self.width + x + dx) as usize;
                        for color in 0..COLORS {
                            sum[color] += weight * transparency[there][color] * light[there][color];
                        }
                    }
                }
                for color in 0..COLORS {
                    let light = sum[color] * self.gain[here][color];
                    self.next[here][color] = if light < DARK { 0.0 } else { light };
                }
            }
        }
        for &(here, held) in &self.sources {
            for color in 0..COLORS {
                self.next[here][color] = self.next[here][color].max(held[color]);
            }
        }
        std::mem::swap(&mut self.light, &mut self.next);
    }

    /// The light of every cell, row by row.
    #[cfg(test)]
    fn light(&self) -> &[[f32; COLORS]] {
        &self.light
    }
}

/// Red, green and blue. The luminance if there is only one color.
fn in_colors<const COLORS: usize>(color: Vec3) -> [f32; COLORS] {
    std::array::from_fn(|n| {
        if COLORS == 1 {
            color.dot(LUMINANCE)
        } else {
            color[n]
        }
    })
}

fn gain<const COLORS: usize>(grid: &LightGrid, cell: IVec2) -> [f32; COLORS] {
    let ways = ways(grid, cell);
    std::array::from_fn(|color| {
        let mut below = 0.0;
        for (way, (dx, dy, weight)) in NEIGHBORS.into_iter().enumerate() {
            if ways >> way & 1 == 1 {
                let there = grid.cell(cell + IVec2::new(dx, dy));
                below += weight * (1.0 - (1.0 - there.transparency[color]) * there.albedo[color]);
            }
        }
        let keep = 1.0 - grid.decay();
        if below > 0.0 { keep / below } else { 0.0 }
    })
}

/// The neighbors from which light comes: those on the grid, except diagonal ones between two walls.
fn ways(grid: &LightGrid, cell: IVec2) -> u16 {
    let mut ways = 0;
    for (way, (dx, dy, _)) in NEIGHBORS.into_iter().enumerate() {
        let opaque = |dx, dy| grid.is_opaque(cell + IVec2::new(dx, dy));
        let squeezed = dx != 0 && dy != 0 && opaque(dx, 0) && opaque(0, dy);
        if grid.contains(cell + IVec2::new(dx, dy)) && (!squeezed || grid.is_opaque(cell)) {
            ways |= 1 << way;
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use lanternfell_lightgrid::{Cell, LightError};

    use super::*;
    use crate::{
        light::scene::{Colors, Scene},
        map::{Kind, Map},
    };

    /// Steps both automata and compares them after each step.
    fn compare<const COLORS: usize>(map: &Map, mut grid: LightGrid) {
        let mut plain = PlainLight::<COLORS>::new(&grid);
        for step in 0..60 {
            grid.step(1);
            plain.step();
            for (index, light) in plain.light().iter().enumerate() {
                let cell = IVec2::new((index % map.side()) as i32, (index / map.side()) as i32);
                let ours = grid.light(cell).to_array();
                let off = ours
                    .iter()
                    .zip(light)
                    .map(|(ours, plain)| (ours - plain).abs());
                let off = off.fold(0.0, f32::max);
                assert!(off < 1e-5, "{}, step {step}, {cell}: {off}", map.name());
            }
        }
        assert!(
            plain.light().iter().any(|light| light[0] > 0.5),
            "{}: no cell is bright",
            map.name()
        );
    }

    #[test]
    fn baseline_matches_the_grid() -> Result<(), LightError> {
        for kind in Kind::ALL {
            let map = Map::new(kind, 48);
            let scene = Scene::new(&map, 5);
            compare::<1>(&map, scene.grid(Colors::Gray));
            let mut grid = scene.grid(Colors::Rgb);
            for (n, place) in map.places(30, 9).into_iter().enumerate() {
                let glass = Vec3::new(0.1, 0.6, 1.0) * (n as f32 / 30.0);
                grid.set_cell(place, Cell::glass(glass))?;
            }
            compare::<3>(&map, grid);
        }
        Ok(())
    }
}
