//! Relief data for shading: the normal, the visible sky and the moisture of each texel.

use fearless_simd::{Level, dispatch};

use super::parts::{Land, Part, nth};
use lanternfell_heightmap::MapSize;

/// The inputs along a row of texels.
struct Row {
    /// The slopes to the east and to the south, in meters per meter.
    slopes: [Vec<f32>; 2],
    sky: Vec<f32>,
    moisture: Vec<f32>,
}

/// Fills rows of relief data: the normal of a texel's cell in the whole map, the visible sky and
/// the moisture.
pub(super) fn relief<'a>(
    size: MapSize,
    whole: Land<'a>,
    (sky, moisture): (&'a Part, &'a Part),
) -> impl Fn(usize, &mut [[u8; 4]]) + 'a {
    let column = |x| nth(x, size.width(), whole.map.width());
    let columns: Vec<usize> = (0..size.width()).map(column).collect();
    move |y, row| {
        let of_row = Row {
            slopes: slopes(whole, &columns, nth(y, size.height(), whole.map.height())),
            sky: sky.row(y).collect(),
            moisture: moisture.row(y).collect(),
        };
        dispatch!(Level::new(), _simd => of_row.pack(row));
    }
}

/// Replaces the visible sky of a row.
pub(super) fn replace_sky(row: &mut [[u8; 4]], sky: impl Iterator<Item = f32>) {
    for (texel, sky) in row.iter_mut().zip(sky) {
        texel[2] = packed_sky(sky) as u8;
    }
}

#[inline(always)]
fn packed_sky(sky: f32) -> f32 {
    sky.clamp(0.0, 1.0) * 255.0 + 0.5
}

/// The slopes at these columns of a row, from the same central differences as
/// [`normal_in`](crate::surface::normal_in).
fn slopes(Land { map, scale, .. }: Land<'_>, columns: &[usize], y: usize) -> [Vec<f32>; 2] {
    let (last_column, last_row) = (map.width() - 1, map.height() - 1);
    let (above, below) = (y.saturating_sub(1), (y + 1).min(last_row));
    let [north, here, south] = [above, y, below].map(|row| map.row(row));
    let (per_meter, apart) = (scale.relief / scale.spacing, (below - above) as f32);
    let east = |&x: &usize| {
        let (west, east) = (x.saturating_sub(1), (x + 1).min(last_column));
        (here[east] - here[west]) / (east - west) as f32 * per_meter
    };
    let south = |&x: &usize| (south[x] - north[x]) / apart * per_meter;
    [
        columns.iter().map(east).collect(),
        columns.iter().map(south).collect(),
    ]
}

impl Row {
    /// Inlined, so that it is compiled once for each vector width.
    #[inline(always)]
    fn pack(&self, texels: &mut [[u8; 4]]) {
        let count = texels.len();
        let [east, south] = self.slopes.each_ref().map(|slopes| &slopes[..count]);
        let (sky, moisture) = (&self.sky[..count], &self.moisture[..count]);
        for x in 0..count {
            let (east, south) = (-east[x], -south[x]);
            let per_length = 1.0 / (east * east + 1.0 + south * south).sqrt();
            texels[x] = [
                east * per_length * 127.0 + 128.5,
                south * per_length * 127.0 + 128.5,
                packed_sky(sky[x]),
                (moisture[x] * 0.1).clamp(0.0, 255.0),
            ]
            // Through `i32`, because the compiler does not vectorize the conversion to `u8`.
            .map(|part| part as i32 as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Surface;
    use lanternfell_heightmap::{FractalNoise, Progress, Scale};

    #[test]
    fn slopes_are_those_of_vertex_normals() {
        let size = MapSize::new(40, 23).unwrap();
        let noise = FractalNoise::default();
        let map = noise.generate(size, 3, &Progress::default()).unwrap();
        let scale = Scale {
            spacing: 3.0,
            relief: 200.0,
        };
        let land = Land {
            map: &map,
            scale,
            sea_level: 0.0,
        };
        let surface = Surface::new(&map, scale);
        let columns = [0, 1, 7, 38, 39];
        for y in [0, 1, 11, 22] {
            let row = Row {
                slopes: slopes(land, &columns, y),
                sky: vec![-1.0, 0.0, 0.5, 1.0, 2.0],
                moisture: vec![0.0, 9.9, 1000.0, 2550.0, 9000.0],
            };
            let mut texels = [[0; 4]; 5];
            row.pack(&mut texels);
            let rest = [[0, 0], [0, 0], [128, 100], [255, 255], [255, 255]];
            for ((texel, column), rest) in texels.into_iter().zip(columns).zip(rest) {
                let normal = surface.vertex_normal(column, y);
                let [x, z] = [normal.x, normal.z].map(|part| (part * 127.0 + 128.5) as u8);
                assert_eq!(texel, [x, z, rest[0], rest[1]], "{column}, {y}");
            }
        }
    }
}
