//! The natural view from above, row by row.
//!
//! It shows the land and water of `scene.rs` to an eye straight above every cell. So no rays are
//! needed. The material and the light of a cell depend on its row and the neighboring rows only,
//! and are computed by loops over whole rows that the compiler vectorizes.
//!
//! ```text
//!  once:    shadows (shadows.rs), openness (openness.rs), tables
//!  per row: heights --> slopes (relief) --+
//!           noise (row_noise.rs) ---------+--> materials, light (cells) --> water --> bytes
//! ```
//!
//! Differences from a ray-cast image: the noise is plane noise instead of solid noise, since steep
//! ground is never seen edge-on from above. Shadow edges are one step wide. Ripples are left out if
//! the sun is too low for any of them to glitter.
//!
//! Cost: about 100 operations per cell. On a large map a tenth of them are for the openness.
//! Memory: the image, and a quarter of the map for the shadows.

mod beds;
mod cells;
mod relief;
mod water;

use glam::{DVec3, Vec3};

use self::{beds::BedTable, cells::Cells, relief::Relief, water::Water};
use crate::{
    height_field::HeightField,
    look::{Look, Zones},
    material::{self, COARSE, GRAINS, NoiseSize},
    openness::Openness,
    row_noise::{BLOCK, GrainRow, NoiseSum, RowNoise, SumRow, Wanted},
    scene,
    shadows::Shadows,
    sky::Sky,
    tone::Screen,
    water::Depths,
};
use lanternfell_heightmap::{Canceled, Heightmap, Progress, RgbImage, rows};

/// How much brighter the sky is than in nature. A map must also show what is in the shadows.
const SKY_FILL: f32 = 2.4;

/// The strength of plane noise, as a share of the strength of solid noise that looks as rough.
/// Plane noise has no slope along the third axis and more along the two others.
const FLATTENED: f32 = 0.85;

/// `fractal` with two octaves, times 1.6, as in `material.rs`.
const COARSE_OCTAVES: [(NoiseSize, f32); 2] = [(COARSE[0], 0.8), (COARSE[1], 0.4)];

/// Terrain and water, seen from straight above.
pub(super) struct Above<'a> {
    ground: HeightField<'a>,
    zones: Zones,
    sky: Sky,
    openness: Openness,
    shadows: Shadows,
    relief: Relief,
    water: Water,
    coarse: NoiseSum,
    grains: [RowNoise; 4],
    beds: BedTable,
    screen: Screen,
}

/// The working memory of a thread: rows of values for all cells.
struct Scratch {
    relief: relief::Rows,
    /// Blocks that are not all plain bed, blocks that may show rock, and blocks that may have foam.
    rough: Wanted,
    rocky: Wanted,
    foamy: Wanted,
    lit: Vec<f32>,
    open: Vec<f32>,
    coarse: SumRow,
    grains: [GrainRow; 4],
    beds: [Vec<f32>; 2],
    foam: water::Rows,
}

impl<'a> Above<'a> {
    pub(super) fn new(
        map: &'a Heightmap,
        vertical_scale: f64,
        sea_level: f32,
        look: &Look,
        sun: DVec3,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let ground = HeightField::bare(map, vertical_scale);
        let depths = Depths::new(&ground, scene::sea(&ground, sea_level));
        let zones = scene::zones(&ground, look, sea_level);
        let steepness = scene::steepness(&ground, depths.sea);
        let (cell, half) = (ground.cell, ground.half());
        let x = (0..map.width()).map(|x| x as f64 * cell - half.x);
        let x: Vec<f64> = x.collect();
        let sky = Sky::new(sun).filled(SKY_FILL);
        let sea = ground.level(depths.sea);
        Ok(Self {
            openness: Openness::new(&ground, sea, &progress.span(0.0, 0.5))?,
            shadows: Shadows::new(&ground, sun, sea, &progress.span(0.5, 1.0))?,
            relief: Relief::new(&ground, &zones, depths.sea, steepness),
            water: Water::new(depths, &sky, &x, cell),
            coarse: NoiseSum::new(&COARSE_OCTAVES, &x, cell),
            grains: GRAINS.map(|size| RowNoise::new(size, &x, cell)),
            beds: BedTable::new(material::beds(zones.cover), cell),
            screen: Screen::new(),
            sky,
            zones,
            ground,
        })
    }

    /// Draws all rows.
    pub(super) fn draw(&self, picture: &mut RgbImage, progress: &Progress) -> Result<(), Canceled> {
        let width = self.ground.map.width();
        let scratch = || self.scratch(width.next_multiple_of(BLOCK));
        let bytes = picture.bytes_mut();
        rows::for_each_row_with(bytes, 3 * width, progress, scratch, |scratch, y, row| {
            self.load(y, scratch);
            let z = self.z(y);
            for (block, pixels) in row.as_chunks_mut().0.chunks_mut(BLOCK).enumerate() {
                self.block(block * BLOCK, z, scratch, pixels);
            }
        })
    }

    /// The southward world coordinate of row `y`.
    fn z(&self, y: usize) -> f64 {
        y as f64 * self.ground.cell - self.ground.half().y
    }

    fn scratch(&self, width: usize) -> Scratch {
        let row = || vec![0.0; width];
        Scratch {
            relief: self.relief.rows(self.ground.map.width(), width),
            rough: Wanted::all(width),
            rocky: Wanted::all(width),
            foamy: Wanted::all(width),
            lit: row(),
            open: row(),
            coarse: self.coarse.row(width),
            grains: core::array::from_fn(|_| GrainRow::new(width)),
            beds: core::array::from_fn(|_| row()),
            foam: self.water.rows(width),
        }
    }

    /// Computes the materials and the light of the cells of row `y`.
    fn load(&self, y: usize, scratch: &mut Scratch) {
        let width = self.ground.map.width();
        let z = self.z(y);
        let relief = &mut scratch.relief;
        self.relief.load(self.ground.map, y, relief);
        self.shadows.row(y, &mut scratch.lit[..width]);
        scratch
            .rough
            .set_each(|block| !Relief::is_plain_bed(relief, block));
        self.openness
            .row(y, &scratch.rough, &mut scratch.open[..width]);
        self.load_grain(z, scratch);
        let (foamy, relief) = (&mut scratch.foamy, &scratch.relief);
        foamy.set_each(|block| Water::may_foam(relief, block));
        self.water.load(z, foamy, &mut scratch.foam);
    }

    /// Computes the noise and the rock beds of the rough blocks of the row at `z`.
    fn load_grain(&self, z: f64, scratch: &mut Scratch) {
        let (rough, relief) = (&scratch.rough, &scratch.relief);
        self.coarse.fill(z, rough, &mut scratch.coarse);
        for (noise, row) in self.grains.iter().zip(&mut scratch.grains) {
            noise.fill(z, FLATTENED, rough, row);
        }
        let middle = &scratch.grains[0].value;
        let sea = self.water.depths.sea as f32;
        let bends = (&scratch.coarse.value[..], &middle[..]);
        let rocky = &mut scratch.rocky;
        rocky.set_each(|block| rough.block(block) && Relief::may_be_rock(relief, block));
        self.beds
            .load(&relief.above, sea, bends, rocky, &mut scratch.beds);
    }

    /// Computes the pixels of the block that starts at column `first`.
    fn block(&self, first: usize, z: f64, scratch: &Scratch, pixels: &mut [[u8; 3]]) {
        let (cells, sky) = (Cells::of(scratch, first), &self.sky);
        let mut light = if scratch.rough.block(first / BLOCK) {
            cells.light(self.zones.cover, sky)
        } else {
            cells.bed_light(sky)
        };
        if cells.above.iter().any(|&above| above < 0.0) {
            self.water.cover(first, z, &cells, sky, &mut light);
        }
        if scratch.foamy.block(first / BLOCK) {
            let noise = &scratch.foam;
            self.water
                .add_foam(first, z, &cells, noise, sky, &mut light);
        }
        light.show(self.sky.exposure, &self.screen, pixels);
    }
}

/// Linear light of a block of cells: red, green, blue.
struct Light([[f32; BLOCK]; 3]);

impl Light {
    fn get(&self, place: usize) -> Vec3 {
        // Not with `map`, which would copy the whole block first.
        let [red, green, blue] = &self.0;
        Vec3::new(red[place], green[place], blue[place])
    }

    fn set(&mut self, place: usize, light: Vec3) {
        for (channel, part) in self.0.iter_mut().zip(light.to_array()) {
            channel[place] = part;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{LandCover, MapSize};

    /// A level bed with a ridge and an island in it. Its rows end within a block.
    fn bay() -> Heightmap {
        let hill = |x: usize, y: usize, radius: f32| {
            let off = (x as f32 - 600.0).hypot(y as f32 - 50.0);
            (1.0 - off / radius).max(0.0)
        };
        let size = MapSize::new(700, 100).unwrap();
        Heightmap::from_fn(size, |x, y| {
            let ridge = 0.1 * (1.0 - (x as f32 - 300.0).abs() / 9.0).max(0.0);
            0.01 * libm::sinf(x as f32 * 0.02) + ridge + hill(x, y, 60.0)
        })
        .unwrap()
    }

    /// Calls `check` with each block of every row, loaded.
    fn each_block(cover: LandCover, mut check: impl FnMut(&Above, usize, usize, &mut Scratch)) {
        let map = bay();
        let look = Look {
            cover,
            ..Look::default()
        };
        let sun = DVec3::new(0.5, 0.6, 0.4).normalize();
        let above = Above::new(&map, 0.2, 0.3, &look, sun, &Progress::default()).unwrap();
        let mut scratch = above.scratch(map.width().next_multiple_of(BLOCK));
        for y in 0..map.height() {
            for first in (0..map.width()).step_by(BLOCK) {
                above.load(y, &mut scratch);
                check(&above, y, first, &mut scratch);
            }
        }
    }

    #[test]
    fn plain_bed_shortcut_matches_full_shading() {
        for cover in [LandCover::Temperate, LandCover::Desert] {
            let (mut plain, mut rough) = (0, 0);
            each_block(cover, |above, y, first, scratch| {
                if scratch.rough.block(first / BLOCK) {
                    rough += 1;
                    return;
                }
                plain += 1;
                let short = Cells::of(scratch, first).bed_light(&above.sky);
                scratch.rough.set_each(|_| true);
                above.load_grain(above.z(y), scratch);
                let long = Cells::of(scratch, first).light(cover, &above.sky);
                for place in 0..BLOCK {
                    let off = (short.get(place) - long.get(place)).abs();
                    assert!(off.max_element() < 1e-5, "{off} at {place} from {first}");
                }
            });
            assert!(plain > 300 && rough > 100, "{plain}, {rough}");
        }
    }

    #[test]
    fn skipped_blocks_have_no_foam() {
        let (mut foamy, mut clear) = (0, 0);
        each_block(LandCover::Temperate, |above, y, first, scratch| {
            let z = above.z(y);
            let draw = |scratch: &Scratch| {
                let mut pixels = [[0; 3]; BLOCK];
                above.block(first, z, scratch, &mut pixels);
                pixels
            };
            let short = draw(scratch);
            if scratch.foamy.block(first / BLOCK) {
                foamy += 1;
            } else {
                clear += 1;
            }
            scratch.foamy.set_each(|_| true);
            above.water.load(z, &scratch.foamy, &mut scratch.foam);
            assert_eq!(short, draw(scratch), "{first}, {y}");
        });
        assert!(foamy > 20 && clear > 500, "{foamy}, {clear}");
    }
}
