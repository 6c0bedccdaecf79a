//! Round trips, known bytes, and rejected files of PGM, TIFF, OpenEXR, ASCII grids and the sidecar, and what holds for
//! all formats. (PNG and RAW: `png_and_raw.rs`; damaged files: `io_hostile.rs`.)

mod all;
mod ascii;
#[path = "../common/files.rs"]
mod files;
mod geotiff;
mod numbers;
mod openexr;
mod pgm;
mod sidecar;

use lanternfell_heightmap::{
    CoordinateSystem, Elevation, ElevationModel, GeoReference, Heightmap, LandCover, MapFrame,
    MapSize, Scale, Scenery, SeededRng,
};
use lanternfell_io::{self as io, Format, ImportError, ReadOptions};

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map(width: u64, heights: &[f32]) -> Heightmap {
    let size = size(width, heights.len() as u64 / width);
    Heightmap::from_heights(size, heights.to_vec()).unwrap()
}

fn read(bytes: &[u8], format: Format) -> Result<Heightmap, ImportError> {
    io::read(bytes, format, &ReadOptions::default()).map(|model| model.heights)
}

/// Random finite numbers: every exponent, both signs, both zeros.
fn any_heights(rng: &mut SeededRng) -> Heightmap {
    let size = size(2 + rng.below(40), 2 + rng.below(40));
    let height = |_| loop {
        let height = f32::from_bits(rng.below(1 << 32) as u32);
        if height.is_finite() {
            break height;
        }
    };
    let mut heights: Vec<f32> = (0..size.cells()).map(height).collect();
    heights[..4].copy_from_slice(&[-0.0, 0.0, f32::MAX, f32::from_bits(1)]);
    Heightmap::from_heights(size, heights).unwrap()
}

/// A map with all metadata.
fn known() -> ElevationModel {
    let heights = map(3, &[-442.0, 0.25, 1301.0, 7.0, -9998.0, 3.5]);
    let frame = MapFrame {
        elevation: Elevation::METERS,
        no_data: Some(-9999.0),
        place: GeoReference {
            cell: [30.0, 20.0],
            system: Some(CoordinateSystem::Projected(32_633)),
            ..GeoReference::at([500_000.5, 4e6], 1.0)
        },
        scenery: Scenery {
            sea_level: Some(-12.34),
            snow_line: Some(1234.5),
            cover: Some(LandCover::Desert),
        },
        ..MapFrame::of_scale(Scale::of_size(heights.size()), true)
    };
    ElevationModel { heights, frame }
}
