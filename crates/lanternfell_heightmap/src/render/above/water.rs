//! The water over a block of cells, seen from straight above.
//!
//! Light goes straight down and comes straight back: what is left of it, and what the water adds,
//! follow from the depth alone, by a table. Hardly anything is mirrored (two hundredths, of the
//! sky above), and the ripples are seen only where the sun stands so high that some of them turn
//! it towards the eye.

use glam::{DVec2, DVec3, Vec3};

use super::{Light, cells::Cells};
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
    /// By the depth: the share of light that comes back from the bed, and the water's own.
    table: Vec<(Vec3, Vec3)>,
    /// Entries per world unit of depth.
    per_depth: f32,
    /// The columns, in world units, and their width.
    x: Vec<f64>,
    cell: f64,
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

/// Entries of the table, and the depth in the water's reach at its end: there all is dark.
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
        let entry = |number: usize| {
            let way = TWICE * deepest * number as f64 / (ENTRIES - 1) as f64;
            (depths.left_after(way), depths.body(way, Vec3::ONE))
        };
        let noise = |size| RowNoise::new(size, x, cell);
        Self {
            table: (0..ENTRIES).map(entry).collect(),
            per_depth: ((ENTRIES - 1) as f64 / deepest) as f32,
            x: x.to_vec(),
            cell,
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
        for (place, &above) in cells.above.iter().enumerate() {
            if above >= 0.0 {
                continue;
            }
            let (depth, lit, column) = (-above, cells.lit[place], first + place);
            let (left, body) = self.through(depth);
            let downwelling = sky.on(1.0, sky.sun.y as f32 * lit, 1.0);
            let under = light.get(place) * left * 0.9 + body * sky.downwelling(lit);
            let mut water = under * (1.0 - MIRRORED) + self.mirrored;
            if self.glitters && column < self.x.len() {
                water +=
                    sky.sunlight * (self.glitter(DVec2::new(self.x[column], z), depth, sky) * lit);
            }
            let surf =
                || column < self.x.len() && self.depths.has_surf(DVec2::new(self.x[column], z));
            if has_foam(above) && surf() {
                let noise = FoamNoise {
                    way: rows.way[column],
                    bubbles: rows.bubbles[column],
                    gaps: rows.gaps[column],
                };
                let foam = foam(depth, cells.lie[place], noise) * 0.8;
                water = water.lerp(downwelling * 0.75, foam);
            }
            light.set(place, water);
        }
    }

    /// What is left of the light from the bed, and what light of 1 becomes in the water.
    fn through(&self, depth: f32) -> (Vec3, Vec3) {
        let at = (depth * self.per_depth).clamp(0.0, (ENTRIES - 1) as f32);
        let number = (at as usize).min(ENTRIES - 2);
        let part = at - number as f32;
        let (a, b) = (self.table[number], self.table[number + 1]);
        (a.0.lerp(b.0, part), a.1.lerp(b.1, part))
    }

    fn glitter(&self, at: DVec2, depth: f32, sky: &Sky) -> f32 {
        let calm = self.depths.calm(depth.into());
        WaterSurface::new(at, self.cell, calm).glitter(-DVec3::Y, sky.sun)
    }
}

fn has_foam(above: f32) -> bool {
    above < 0.0 && above >= -DEEPEST_FOAM as f32
}
