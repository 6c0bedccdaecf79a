//! Regions that are too large for one map, reduced by means of rectangles of cells.

use lanternfell_heightmap::{GeoReference, Heightmap, MapFrame, MapRegion, MapSize};

use super::Mosaic;
use crate::{failure::Failure, memory, read::ReadMap};

/// Returns how many columns and rows become one, so that a region of this size is still about twice as large as the
/// wanted map. Returns `None` if it would still be too large for one map.
pub(super) fn ratios(from: MapSize, wanted: MapSize) -> Option<[usize; 2]> {
    let ratio = |from: usize, to: usize| (from / to / 2).max(1);
    let ratios = [
        ratio(from.width(), wanted.width()),
        ratio(from.height(), wanted.height()),
    ];
    reduced_size(from, ratios).is_ok().then_some(ratios)
}

fn reduced_size(from: MapSize, [across, down]: [usize; 2]) -> Result<MapSize, Failure> {
    let cells = |side: usize, ratio: usize| side.div_ceil(ratio) as u64;
    MapSize::new(cells(from.width(), across), cells(from.height(), down))
        .map_err(|error| Failure::Usage(error.to_string()))
}

impl Mosaic {
    /// Reads a region, of which each cell is the mean of as many columns and rows as `ratios`. Rectangles at the east and
    /// south edges may be incomplete.
    pub(super) fn reduced(&self, part: MapRegion, ratios: [usize; 2]) -> Result<ReadMap, Failure> {
        let (whole, size) = (part.size(), reduced_size(part.size(), ratios)?);
        let (width, height) = (size.width(), size.height());
        memory::check(
            memory::of_map(size),
            format_args!("a map of {width}x{height} cells"),
        )?;
        let [across, down] = ratios;
        let mut heights = Vec::with_capacity(size.cells());
        for row in 0..height {
            // A region has at least two rows.
            let first = (row * down).min(whole.height() - down.max(2).min(whole.height()));
            let rows = down.max(2).min(whole.height() - first);
            let band = MapSize::of_world(whole.width() as u64, rows as u64)
                .map_err(|error| Failure::Usage(error.to_string()))?;
            let region = MapRegion::new(part.x(), part.y() + first, band, self.size);
            let map = self.read(region.expect("rows of the region"))?;
            let own = row * down - first..(row * down - first + down).min(rows);
            for column in 0..width {
                let columns = column * across..((column + 1) * across).min(whole.width());
                heights.push(mean(&map, columns, own.clone()));
            }
        }
        let heights = Heightmap::from_heights(size, heights)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let place = self.frame.place.part(self.size, part);
        let north = place.corner[1] + whole.height() as f64 * place.cell[1];
        let cell = [0, 1].map(|axis| place.cell[axis] * ratios[axis] as f64);
        let place = GeoReference {
            corner: [place.corner[0], north - height as f64 * cell[1]],
            cell,
            ..place
        };
        let frame = MapFrame {
            place,
            ..self.frame
        };
        Ok(ReadMap::new(frame.of(heights), self.reason()))
    }
}

fn mean(map: &Heightmap, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> f32 {
    let count = columns.len() * rows.len();
    let cells = rows.flat_map(|row| map.row(row)[columns.clone()].iter());
    (cells.map(|&z| f64::from(z)).sum::<f64>() / count as f64) as f32
}
