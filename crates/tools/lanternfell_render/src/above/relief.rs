//! Heights above the sea and slopes, along a row.

use fearless_simd::{Level, dispatch};

use super::BLOCK;
use crate::{
    height_field::HeightField,
    look::{HIGHEST_BEACH, Zones},
    material,
    scene::{LIE, LIE_SHARE},
};
use lanternfell_heightmap::Heightmap;

/// Converts heights to the values from which materials are chosen.
pub(super) struct Relief {
    /// World units per height, and the world height of the sea.
    rise: f32,
    sea: f32,
    /// Reciprocals of the height of full altitude, of the beach height, and of the steepness.
    per_full: f32,
    per_beach: f32,
    per_steepness: f32,
    /// Slope per height difference: between neighbors, and over the large-scale distance.
    near: f32,
    far: f32,
    /// The large-scale distance in cells: the integer part and the fraction.
    whole: usize,
    part: f32,
}

/// The values of a row, and the padded heights from which they are computed.
pub(super) struct Rows {
    /// World units above the sea.
    pub(super) above: Vec<f32>,
    /// See `SurfacePoint`.
    pub(super) altitude: Vec<f32>,
    pub(super) shore: Vec<f32>,
    pub(super) slope: Vec<f32>,
    pub(super) north: Vec<f32>,
    /// Rise per run, eastward and southward.
    pub(super) east: Vec<f32>,
    pub(super) south: Vec<f32>,
    /// The large-scale slope.
    pub(super) lie: Vec<f32>,
    /// The heights of the row, with its ends repeated over the large-scale distance.
    padded: Vec<f32>,
}

impl Relief {
    pub(super) fn new(ground: &HeightField, zones: &Zones, sea: f64, steepness: f64) -> Self {
        let reach = (LIE / ground.cell).max(1.0);
        let slope = |reach: f64| (ground.rise / (2.0 * reach * ground.cell)) as f32;
        Self {
            rise: ground.rise as f32,
            sea: sea as f32,
            per_full: (1.0 / zones.full) as f32,
            per_beach: (1.0 / (zones.beach * HIGHEST_BEACH).max(1e-9)) as f32,
            per_steepness: (1.0 / steepness) as f32,
            near: slope(1.0),
            far: slope(reach),
            whole: reach as usize,
            part: (reach - libm::floor(reach)) as f32,
        }
    }

    /// Rows for a map of `width` columns, with space for `space` values.
    pub(super) fn rows(&self, width: usize, space: usize) -> Rows {
        let row = || vec![0.0; space];
        Rows {
            above: row(),
            altitude: row(),
            shore: row(),
            slope: row(),
            north: row(),
            east: row(),
            south: row(),
            lie: row(),
            padded: vec![0.0; width + 2 * (self.whole + 1)],
        }
    }

    /// Computes the values of row `y`.
    pub(super) fn load(&self, map: &Heightmap, y: usize, rows: &mut Rows) {
        let (width, pad) = (map.width(), self.whole + 1);
        let center = map.row(y);
        rows.padded[..pad].fill(center[0]);
        rows.padded[pad..][..width].copy_from_slice(center);
        rows.padded[pad + width..].fill(center[width - 1]);
        let row = |down: isize| {
            let last = map.height() - 1;
            map.row(y.saturating_add_signed(down).min(last))
        };
        let whole = self.whole as isize;
        let near = [row(-1), row(1)];
        let far = [row(-whole - 1), row(-whole), row(whole), row(whole + 1)];
        dispatch!(Level::new(), _simd => {
            self.heights(center, rows);
            self.slopes(near, rows);
            self.lie(far, rows);
        });
    }

    /// Whether all cells of a block are plain bed below the sea.
    pub(super) fn is_plain_bed(rows: &Rows, block: usize) -> bool {
        let blocks = [&rows.shore, &rows.slope].map(|row| row.as_chunks::<BLOCK>().0);
        let [shore, slope] = blocks.map(|blocks| &blocks[block]);
        let cells = shore.iter().zip(slope);
        cells.fold(true, |all, (&shore, &slope)| {
            all & material::is_plain_bed(shore, slope)
        })
    }

    /// Whether any cell of a block can be rock for some noise value.
    pub(super) fn may_be_rock(rows: &Rows, block: usize) -> bool {
        let blocks = [&rows.altitude, &rows.slope].map(|row| row.as_chunks::<BLOCK>().0);
        let [altitude, slope] = blocks.map(|blocks| &blocks[block]);
        let cells = altitude.iter().zip(slope);
        cells.fold(false, |any, (&altitude, &slope)| {
            any | material::may_be_rock(altitude, slope)
        })
    }

    #[inline(always)]
    fn heights(&self, center: &[f32], rows: &mut Rows) {
        for (above, height) in rows.above.iter_mut().zip(center) {
            *above = height * self.rise - self.sea;
        }
        for (altitude, above) in rows.altitude.iter_mut().zip(&rows.above) {
            *altitude = above * self.per_full;
        }
        for (shore, above) in rows.shore.iter_mut().zip(&rows.above) {
            *shore = above * self.per_beach;
        }
    }

    /// Slopes between neighbors.
    #[inline(always)]
    fn slopes(&self, [north, south]: [&[f32]; 2], rows: &mut Rows) {
        let (west, east) = (&rows.padded[self.whole..], &rows.padded[self.whole + 2..]);
        for ((slope, west), east) in rows.east[..north.len()].iter_mut().zip(west).zip(east) {
            *slope = (east - west) * self.near;
        }
        for ((slope, north), south) in rows.south.iter_mut().zip(north).zip(south) {
            *slope = (south - north) * self.near;
        }
    }

    /// The large-scale slope, and its part in the slope from which the material is chosen.
    #[inline(always)]
    fn lie(&self, [n1, n0, s0, s1]: [&[f32]; 4], rows: &mut Rows) {
        let (width, pad, part) = (n0.len(), self.whole + 1, self.part);
        let padded = |offset: usize| &rows.padded[offset..][..width];
        let (w1, w0) = (padded(0), padded(1));
        let (e0, e1) = (padded(pad + self.whole), padded(pad + self.whole + 1));
        let (n1, n0, s0, s1) = (&n1[..width], &n0[..width], &s0[..width], &s1[..width]);
        let (east, south) = (&rows.east[..width], &rows.south[..width]);
        let slope = &mut rows.slope[..width];
        let north = &mut rows.north[..width];
        let lie = &mut rows.lie[..width];
        let share = LIE_SHARE as f32;
        for x in 0..width {
            let far_east = e0[x] + (e1[x] - e0[x]) * part - (w0[x] + (w1[x] - w0[x]) * part);
            let far_south = s0[x] + (s1[x] - s0[x]) * part - (n0[x] + (n1[x] - n0[x]) * part);
            let (far_east, far_south) = (far_east * self.far, far_south * self.far);
            lie[x] = (far_east * far_east + far_south * far_south).sqrt();
            let mixed_east = share * far_east + (1.0 - share) * east[x];
            let mixed_south = share * far_south + (1.0 - share) * south[x];
            let length = (mixed_east * mixed_east + mixed_south * mixed_south).sqrt();
            slope[x] = length * self.per_steepness;
            north[x] = material::north(mixed_south, length);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::{look::Look, scene};
    use lanternfell_heightmap::{MapSize, SeededRng};

    #[test]
    fn slopes_match_height_field() {
        let mut rng = SeededRng::new(3, b"relief  ");
        for (width, height) in [(2, 2), (3, 70), (70, 3), (400, 350)] {
            let size = MapSize::new(width, height).unwrap();
            let map = Heightmap::from_fn(size, |_, _| rng.unit() as f32).unwrap();
            let ground = HeightField::bare(&map, 0.3);
            let zones = scene::zones(&ground, &Look::default(), 0.4);
            let sea = scene::sea(&ground, 0.4);
            let relief = Relief::new(&ground, &zones, sea, 1.7);
            let mut rows = relief.rows(map.width(), map.width());
            for y in [0, 1, map.height() / 2, map.height() - 1] {
                relief.load(&map, y, &mut rows);
                for x in 0..map.width() {
                    let cell = DVec2::new(x as f64, y as f64);
                    let near = ground.slope(cell, ground.cell);
                    let far = ground.slope(cell, LIE);
                    let lie = LIE_SHARE * far + (1.0 - LIE_SHARE) * near;
                    let above = ground.height(cell) - sea;
                    let pairs = [
                        (rows.above[x], above),
                        (rows.altitude[x], above / zones.full),
                        (rows.east[x], near.x),
                        (rows.south[x], near.y),
                        (rows.lie[x], far.length()),
                        (rows.slope[x], lie.length() / 1.7),
                        (rows.north[x], lie.y / (lie.length() + 0.3)),
                    ];
                    for (number, (found, expected)) in pairs.into_iter().enumerate() {
                        let off = (f64::from(found) - expected).abs();
                        assert!(off < 1e-4 * (1.0 + expected.abs()), "{number} at {cell}");
                    }
                }
            }
        }
    }
}
