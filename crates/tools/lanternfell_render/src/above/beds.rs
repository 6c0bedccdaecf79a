//! Rock beds: noise that depends on the height only, with a lookup table.

use fearless_simd::{Level, dispatch};

use crate::{
    material::{Beds, visible},
    row_noise::{BLOCK, Wanted, between, side},
};

/// The rock beds of one cover.
pub(super) struct BedTable {
    beds: [Bed; 2],
    bend: [f32; 2],
}

/// One size of beds.
struct Bed {
    per_unit: f32,
    shown: f32,
    /// The noise at each integer, and its slope there.
    corner: [f32; PERIOD],
    slope: [f32; PERIOD],
}

/// The number of integers before the beds repeat. That is more than any cliff shows, and a power of two, so that
/// indices need no bounds check.
const PERIOD: usize = 256;

impl BedTable {
    pub(super) fn new(beds: &Beds, footprint: f64) -> Self {
        Self {
            bend: beds.bend.map(|bend| bend as f32),
            beds: beds.sizes.map(|(per_unit, seed)| {
                let value = |number| side(number as i32, 0, beds.other as f32, seed).value;
                Bed {
                    per_unit: per_unit.min(1e6) as f32,
                    shown: visible(1.0 / per_unit, footprint),
                    corner: core::array::from_fn(|number| value(number).0),
                    slope: core::array::from_fn(|number| value(number).1),
                }
            }),
        }
    }

    /// Computes the beds in the wanted blocks, for cells `above` world units above the `sea`. The coarse and the middle
    /// noise bend the beds.
    pub(super) fn load(
        &self,
        above: &[f32],
        sea: f32,
        bends: (&[f32], &[f32]),
        wanted: &Wanted,
        rows: &mut [Vec<f32>; 2],
    ) {
        for (bed, row) in self.beds.iter().zip(rows) {
            if bed.shown > 0.0 {
                dispatch!(Level::new(), _simd => self.fill(bed, above, sea, bends, wanted, row));
            }
        }
    }

    #[inline(always)]
    fn fill(
        &self,
        bed: &Bed,
        above: &[f32],
        sea: f32,
        (coarse, middle): (&[f32], &[f32]),
        wanted: &Wanted,
        row: &mut [f32],
    ) {
        let bends = coarse.chunks(BLOCK).zip(middle.chunks(BLOCK));
        let cells = above.chunks(BLOCK).zip(bends);
        for (block, (cells, values)) in cells.zip(row.chunks_mut(BLOCK)).enumerate() {
            if wanted.block(block) {
                self.fill_block(bed, sea, cells, values);
            }
        }
    }

    #[inline(always)]
    fn fill_block(
        &self,
        bed: &Bed,
        sea: f32,
        (above, (coarse, middle)): (&[f32], (&[f32], &[f32])),
        values: &mut [f32],
    ) {
        let cells = above.iter().zip(coarse).zip(middle);
        for (((above, coarse), middle), value) in cells.zip(values) {
            let bent = self.bend[0] * coarse + self.bend[1] * middle;
            *value = bed.at(above + sea + bent);
        }
    }
}

impl Bed {
    #[inline(always)]
    fn at(&self, height: f32) -> f32 {
        let at = height * self.per_unit;
        let corner = at.floor();
        // Casts saturate, and the integers wrap around.
        let number = corner as i32 as usize;
        let value = |number: usize| (self.corner[number % PERIOD], self.slope[number % PERIOD]);
        between(at - corner, value(number), value(number.wrapping_add(1))) * self.shown
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::{material, noise};
    use lanternfell_heightmap::LandCover;

    #[test]
    fn beds_match_noise() {
        for cover in [LandCover::Temperate, LandCover::Desert] {
            let beds = material::beds(cover);
            let table = BedTable::new(beds, 1e-6);
            let heights: Vec<f32> = (0..500).map(|step| step as f32 * 0.0019).collect();
            let (coarse, middle) = (vec![0.7; 500], vec![-0.3; 500]);
            let mut rows = [vec![0.0; 500], vec![0.0; 500]];
            let bends = (&coarse[..], &middle[..]);
            table.load(&heights, 0.1, bends, &Wanted::all(500), &mut rows);
            for (row, (per_unit, seed)) in rows.iter().zip(beds.sizes) {
                if per_unit.is_infinite() {
                    assert_eq!(*row, vec![0.0; 500]);
                    continue;
                }
                for (value, &height) in row.iter().zip(&heights) {
                    let bent = f64::from(height) + 0.1 + 0.7 * beds.bend[0] - 0.3 * beds.bend[1];
                    let point = DVec2::new(bent * per_unit, beds.other);
                    assert!((value - noise::value(point, seed)).abs() < 1e-3, "{height}");
                }
            }
        }
    }
}
