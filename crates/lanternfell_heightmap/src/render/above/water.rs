//! The water over a block of cells, seen from straight above.
//!
//! Light goes straight down and comes straight back: what is left of it, and what the water adds,
//! follow from the depth alone, by a table. Hardly anything is mirrored (two hundredths, of the
//! sky above), and the ripples are seen only where the sun stands so high that some of them turn
//! it towards the eye.

use fearless_simd::{Level, dispatch};
use glam::{DVec2, DVec3, Vec3};

use super::{BLOCK, Light, cells::Cells};
use crate::render::{
    material::NoiseSize,
    noise::LACUNARITY,
    row_noise::RowNoise,
    sky::Sky,
    water::{DEEPEST_FOAM, Depths, FoamNoise, MIRRORED, WaterSurface, foam},
};

/// The water over a map.
pub(super) struct Water {
    pub(super) depths: Depths,
    /// By the depth: red, green and blue of the share of light that comes back from the bed, and of
    /// the water's own.
    left: [Table; 3],
    body: [Table; 3],
    /// Entries per world unit of depth.
    per_depth: f32,
    /// The columns, in world units, and their width.
    x: Vec<f64>,
    cell: f64,
    /// The blocks of the surf that they are in.
    surf: Vec<Option<usize>>,
    /// The light that comes from straight above, mirrored.
    mirrored: Vec3,
    /// Whether any ripple could be seen to glitter.
    glitters: bool,
    way: [RowNoise; 2],
    bubbles: RowNoise,
    gaps: RowNoise,
}

/// The noises of the foam along a row.
pub(super) struct Rows {
    way: Vec<f32>,
    bubbles: Vec<f32>,
    gaps: Vec<f32>,
}

type Table = [f32; ENTRIES];

/// Entries of the tables, a power of two, so that no number of one is out of range; and the depth in the
/// water's reach at their end: there all is dark.
const ENTRIES: usize = 1024;
const DARK: f64 = 6.0;

/// As in `water.rs`.
const WAY: [NoiseSize; 2] = [(95.0, 60), (95.0 * LACUNARITY, 61)];
const BUBBLES: NoiseSize = (520.0, 62);
const GAPS: NoiseSize = (42.0, 63);

/// From above light goes through the water twice as far as it is deep.
const TWICE: f64 = 2.0;

/// The least glitter that could change a pixel.
const LEAST_GLITTER: f32 = 1e-4;

impl Water {
    pub(super) fn new(depths: Depths, sky: &Sky, x: &[f64], cell: f64) -> Self {
        let deepest = DARK * depths.reach;
        let way = |number: usize| TWICE * deepest * number as f64 / (ENTRIES - 1) as f64;
        let noise = |size| RowNoise::new(size, x, cell);
        Self {
            left: tables(|number| depths.left_after(way(number))),
            body: tables(|number| depths.body(way(number), Vec3::ONE)),
            per_depth: ((ENTRIES - 1) as f64 / deepest) as f32,
            x: x.to_vec(),
            cell,
            surf: x.iter().map(|&x| depths.surf.column(x)).collect(),
            mirrored: sky.clear(DVec3::Y) * MIRRORED,
            glitters: WaterSurface::most_glitter(-DVec3::Y, sky.sun) > LEAST_GLITTER,
            way: WAY.map(noise),
            bubbles: noise(BUBBLES),
            gaps: noise(GAPS),
            depths,
        }
    }

    pub(super) fn rows(&self, space: usize) -> Rows {
        let row = || vec![0.0; space];
        Rows {
            way: row(),
            bubbles: row(),
            gaps: row(),
        }
    }

    /// Fills in the noises of the row at `z`, if any of its cells may have foam.
    pub(super) fn load(&self, z: f64, above: &[f32], rows: &mut Rows) {
        if !above.iter().any(|&above| has_foam(above)) {
            return;
        }
        for row in [&mut rows.way, &mut rows.bubbles, &mut rows.gaps] {
            row.fill(0.0);
        }
        // `fractal` of two octaves.
        self.way[0].add(z, 0.5, &mut rows.way);
        self.way[1].add(z, 0.25, &mut rows.way);
        self.bubbles.add(z, 1.0, &mut rows.bubbles);
        self.gaps.add(z, 1.0, &mut rows.gaps);
    }

    /// Puts water over the cells of a block that are below the sea.
    pub(super) fn cover(
        &self,
        first: usize,
        z: f64,
        cells: &Cells,
        rows: &Rows,
        sky: &Sky,
        light: &mut Light,
    ) {
        dispatch!(Level::new(), _simd => self.sink(cells, sky, light));
        if self.glitters {
            self.add_glitter(first, z, cells, sky, light);
        }
        self.add_foam(first, z, cells, rows, sky, light);
    }

    /// The light that comes back through clear water, of the cells below the sea.
    #[inline(always)]
    fn sink(&self, cells: &Cells, sky: &Sky, light: &mut Light) {
        let [red, green, blue] = &mut light.0;
        for i in 0..BLOCK {
            let above = cells.above[i];
            let ground = Vec3::new(red[i], green[i], blue[i]);
            let (left, body) = self.through(-above);
            let under = ground * left * 0.9 + body * sky.downwelling(cells.lit[i]);
            let water = under * (1.0 - MIRRORED) + self.mirrored;
            let is_wet = above < 0.0;
            red[i] = if is_wet { water.x } else { ground.x };
            green[i] = if is_wet { water.y } else { ground.y };
            blue[i] = if is_wet { water.z } else { ground.z };
        }
    }

    /// What is left of the light from the bed, and what light of 1 becomes in the water.
    #[inline(always)]
    fn through(&self, depth: f32) -> (Vec3, Vec3) {
        let at = (depth * self.per_depth).clamp(0.0, (ENTRIES - 1) as f32);
        let number = (at as usize).min(ENTRIES - 2);
        let part = at - number as f32;
        let entry = |[red, green, blue]: &[Table; 3], number: usize| {
            let number = number % ENTRIES;
            Vec3::new(red[number], green[number], blue[number])
        };
        let between = |tables| entry(tables, number).lerp(entry(tables, number + 1), part);
        (between(&self.left), between(&self.body))
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

    fn add_foam(
        &self,
        first: usize,
        z: f64,
        cells: &Cells,
        rows: &Rows,
        sky: &Sky,
        light: &mut Light,
    ) {
        let blocks = self.depths.surf.row(z);
        for (place, block) in self.surf[first..].iter().enumerate().take(BLOCK) {
            let (above, column) = (cells.above[place], first + place);
            // Beyond the map waves break.
            let has_surf = || {
                blocks
                    .zip(*block)
                    .is_none_or(|(blocks, block)| blocks[block])
            };
            if has_foam(above) && has_surf() {
                let noise = FoamNoise {
                    way: rows.way[column],
                    bubbles: rows.bubbles[column],
                    gaps: rows.gaps[column],
                };
                let foam = foam(-above, cells.lie[place], noise) * 0.8;
                let downwelling = sky.on(1.0, sky.sun.y as f32 * cells.lit[place], 1.0);
                let water = light.get(place).lerp(downwelling * 0.75, foam);
                light.set(place, water);
            }
        }
    }

    fn glitter(&self, at: DVec2, depth: f32, sky: &Sky) -> f32 {
        let calm = self.depths.calm(depth.into());
        WaterSurface::new(at, self.cell, calm).glitter(-DVec3::Y, sky.sun)
    }
}

/// Tables of red, green and blue.
fn tables(entry: impl Fn(usize) -> Vec3) -> [Table; 3] {
    core::array::from_fn(|channel| core::array::from_fn(|number| entry(number)[channel]))
}

fn has_foam(above: f32) -> bool {
    above < 0.0 && above >= -DEEPEST_FOAM as f32
}
