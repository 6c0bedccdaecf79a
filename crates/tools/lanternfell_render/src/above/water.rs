//! The water over a block of cells, seen from straight above.
//!
//! Light goes straight down and comes straight back. So absorption and scattering depend on the depth only. Only 2% of
//! the light from the sky above is reflected. Ripples are visible only if the sun is so high that some of them reflect
//! it toward the eye.

use fearless_simd::{Level, dispatch};
use glam::{DVec2, DVec3, Vec3};

use super::{BLOCK, Light, cells::Cells, relief};
use crate::{
    material::NoiseSize,
    noise::LACUNARITY,
    row_noise::{NoiseSum, SumRow, Wanted},
    sky::Sky,
    water::{Depths, FoamNoise, MIRRORED, WaterSurface, deepest_foam, foam},
};

/// The water over a map.
pub(super) struct Water {
    pub(super) depths: Depths,
    /// The world coordinates of the columns, and the width of a column.
    x: Vec<f64>,
    cell: f64,
    /// The surf block of each column.
    surf: Vec<Option<usize>>,
    /// The reflected light from straight above.
    mirrored: Vec3,
    /// Whether any ripple can glitter visibly.
    glitters: bool,
    way: NoiseSum,
    bubbles: NoiseSum,
    gaps: NoiseSum,
}

/// The foam noises of a row.
pub(super) struct Rows {
    way: SumRow,
    bubbles: SumRow,
    gaps: SumRow,
}

/// As in `water.rs`. The first is `fractal` with two octaves.
const WAY: [(NoiseSize, f32); 2] = [((95.0, 60), 0.5), ((95.0 * LACUNARITY, 61), 0.25)];
const BUBBLES: [(NoiseSize, f32); 1] = [((520.0, 62), 1.0)];
const GAPS: [(NoiseSize, f32); 1] = [((42.0, 63), 1.0)];

/// The least glitter that can change a pixel.
const LEAST_GLITTER: f32 = 1e-4;

impl Water {
    pub(super) fn new(depths: Depths, sky: &Sky, x: &[f64], cell: f64) -> Self {
        Self {
            x: x.to_vec(),
            cell,
            surf: x.iter().map(|&x| depths.surf.column(x)).collect(),
            mirrored: sky.clear(DVec3::Y) * MIRRORED,
            glitters: WaterSurface::most_glitter(-DVec3::Y, sky.sun) > LEAST_GLITTER,
            way: NoiseSum::new(&WAY, x, cell),
            bubbles: NoiseSum::new(&BUBBLES, x, cell),
            gaps: NoiseSum::new(&GAPS, x, cell),
            depths,
        }
    }

    pub(super) fn rows(&self, space: usize) -> Rows {
        Rows {
            way: self.way.row(space),
            bubbles: self.bubbles.row(space),
            gaps: self.gaps.row(space),
        }
    }

    /// Computes the noises of the row at `z` in the blocks that may have foam.
    pub(super) fn load(&self, z: f64, foamy: &Wanted, rows: &mut Rows) {
        self.way.fill(z, foamy, &mut rows.way);
        self.bubbles.fill(z, foamy, &mut rows.bubbles);
        self.gaps.fill(z, foamy, &mut rows.gaps);
    }

    /// Puts water without foam over the cells below the sea, in the block that starts at column `first`.
    pub(super) fn cover(&self, first: usize, z: f64, cells: &Cells, sky: &Sky, light: &mut Light) {
        dispatch!(Level::new(), _simd => self.sink(cells, sky, light));
        if self.glitters {
            self.add_glitter(first, z, cells, sky, light);
        }
    }

    /// The light that comes back through clear water, for the cells below the sea.
    #[inline(always)]
    fn sink(&self, cells: &Cells, sky: &Sky, light: &mut Light) {
        let [red, green, blue] = &mut light.0;
        // Local copies let the compiler vectorize the loop: fields that are read for wet cells only would be read one
        // by one.
        let (sky, murk, mirrored) = (*sky, self.depths.murk(), self.mirrored);
        let (above, lit) = (cells.above, cells.lit);
        for i in 0..BLOCK {
            let above = above[i];
            let ground = Vec3::new(red[i], green[i], blue[i]);
            // From above, the path of light through the water is twice the depth.
            let way = -2.0 * above;
            let body = murk.body(way, sky.downwelling(lit[i]));
            let under = ground * murk.left_after(way) * 0.9 + body;
            let water = under * (1.0 - MIRRORED) + mirrored;
            let is_wet = above < 0.0;
            red[i] = if is_wet { water.x } else { ground.x };
            green[i] = if is_wet { water.y } else { ground.y };
            blue[i] = if is_wet { water.z } else { ground.z };
        }
    }

    fn add_glitter(&self, first: usize, z: f64, cells: &Cells, sky: &Sky, light: &mut Light) {
        for (place, &x) in self.x[first..].iter().enumerate().take(BLOCK) {
            let above = cells.above[place];
            if above < 0.0 {
                let glitter = self.glitter(DVec2::new(x, z), -above, sky);
                let more = sky.sunlight * (glitter * cells.lit[place]);
                light.set(place, light.get(place) + more);
            }
        }
    }

    /// Whether any cell of a block can have foam for some noise value.
    pub(super) fn may_foam(relief: &relief::Rows, block: usize) -> bool {
        let blocks = [&relief.above, &relief.lie].map(|row| row.as_chunks::<BLOCK>().0);
        let [above, lie] = blocks.map(|blocks| &blocks[block]);
        let cells = above.iter().zip(lie);
        cells.fold(false, |any, (&above, &lie)| any | has_foam(above, lie))
    }

    /// Puts foam on the water of the block that starts at column `first`.
    pub(super) fn add_foam(
        &self,
        first: usize,
        z: f64,
        cells: &Cells,
        rows: &Rows,
        sky: &Sky,
        light: &mut Light,
    ) {
        let surf = self.surf(first, z);
        let noise = [&rows.way, &rows.bubbles, &rows.gaps];
        let noise = noise.map(|row| &row.value.as_chunks().0[first / BLOCK]);
        dispatch!(Level::new(), _simd => self.foam(cells, &surf, noise, sky, light));
    }

    /// The cells of a block in which waves break. Beyond the map they do.
    fn surf(&self, first: usize, z: f64) -> [bool; BLOCK] {
        let mut surf = [true; BLOCK];
        if let Some(blocks) = self.depths.surf.row(z) {
            for (surf, block) in surf.iter_mut().zip(&self.surf[first..]) {
                *surf = block.is_none_or(|block| blocks[block]);
            }
        }
        surf
    }

    #[inline(always)]
    fn foam(
        &self,
        cells: &Cells,
        surf: &[bool; BLOCK],
        [way, bubbles, gaps]: [&[f32; BLOCK]; 3],
        sky: &Sky,
        light: &mut Light,
    ) {
        let [red, green, blue] = &mut light.0;
        for i in 0..BLOCK {
            let (above, lie) = (cells.above[i], cells.lie[i]);
            let noise = FoamNoise {
                way: way[i],
                bubbles: bubbles[i],
                gaps: gaps[i],
            };
            let found = foam(-above, lie, noise) * 0.8;
            let foam = if surf[i] & has_foam(above, lie) {
                found
            } else {
                0.0
            };
            let downwelling = sky.on(1.0, sky.sun.y as f32 * cells.lit[i], 1.0);
            let water = Vec3::new(red[i], green[i], blue[i]);
            let water = water.lerp(downwelling * 0.75, foam);
            red[i] = water.x;
            green[i] = water.y;
            blue[i] = water.z;
        }
    }

    fn glitter(&self, at: DVec2, depth: f32, sky: &Sky) -> f32 {
        let calm = self.depths.calm(depth.into());
        WaterSurface::new(at, self.cell, calm).glitter(-DVec3::Y, sky.sun)
    }
}

#[inline(always)]
fn has_foam(above: f32, lie: f32) -> bool {
    (above < 0.0) & (-above <= deepest_foam(lie))
}
