//! Heights in the colors of a PNG: known colors, round trips, and images that look like them.

use lanternfell_heightmap::{
    Elevation, ElevationModel, Heightmap, MapFrame, MapSize, Progress, RgbImage, SeededRng,
};
use lanternfell_io::{
    self as io, ElevationSource, Fill, Format, ImportError, PngEncoding, ReadHeights, ReadOptions,
    WriteOptions,
};

const BOTH: [PngEncoding; 2] = [PngEncoding::Terrarium, PngEncoding::Mapbox];

fn meters(size: MapSize, heights: Vec<f32>) -> ElevationModel {
    let heights = Heightmap::from_heights(size, heights).unwrap();
    let frame = MapFrame {
        elevation: Elevation::METERS,
        elevation_is_explicit: true,
        ..MapFrame::of_size(size)
    };
    ElevationModel { heights, frame }
}

fn written(map: &ElevationModel, encoding: PngEncoding) -> Result<Vec<u8>, io::ExportError> {
    let options = WriteOptions {
        encoding: Some(encoding),
        ..WriteOptions::default()
    };
    let mut bytes = Vec::new();
    let found = io::write(map, Format::Png, &options, &mut bytes, &Progress::default())?;
    assert_eq!(found, Elevation::METERS);
    Ok(bytes)
}

fn read(
    bytes: &[u8],
    encoding: impl Into<Option<PngEncoding>>,
) -> Result<ElevationModel, ImportError> {
    let options = ReadOptions {
        encoding: encoding.into(),
        ..ReadOptions::default()
    };
    io::read(bytes, Format::Png, &options)
}

fn image(colors: &[[u8; 3]]) -> Vec<u8> {
    let mut image = RgbImage::black(2, colors.len() as u32 / 2);
    image.bytes_mut().copy_from_slice(colors.as_flattened());
    let mut bytes = Vec::new();
    io::write_image(&image, &mut bytes, &Progress::default()).unwrap();
    bytes
}

/// The colors are computed by hand from the formulas of the encodings.
#[test]
fn reads_known_colors() {
    let bytes = image(&[[128, 0, 0], [162, 144, 128], [0, 0, 0], [255, 255, 255]]);
    let map = read(&bytes, PngEncoding::Terrarium).unwrap();
    assert_eq!(map.heights.heights(), [0.0, 8848.5, -32_768.0, 32_767.996]);
    assert_eq!(
        (map.frame.elevation, map.frame.elevation_is_explicit),
        (Elevation::METERS, true)
    );
    let bytes = image(&[[1, 134, 160], [2, 224, 21], [0, 0, 0], [1, 134, 165]]);
    let map = read(&bytes, PngEncoding::Mapbox).unwrap();
    assert_eq!(map.heights.heights(), [0.0, 8843.7, -10_000.0, 0.5]);
}

#[test]
fn round_trips_within_half_a_step() {
    let mut rng = SeededRng::new(5, b"encoding");
    for (encoding, step) in BOTH.into_iter().zip([1.0 / 256.0, 0.1]) {
        for _ in 0..20 {
            let size = MapSize::new(2 + rng.below(40), 2 + rng.below(40)).unwrap();
            let heights = (0..size.cells()).map(|_| (rng.unit() * 18_000.0 - 9500.0) as f32);
            let map = meters(size, heights.collect());
            let bytes = written(&map, encoding).unwrap();
            let again = read(&bytes, encoding).unwrap();
            for (before, after) in map.heights.heights().iter().zip(again.heights.heights()) {
                assert!(
                    (before - after).abs() <= 0.5 * step + 1e-3,
                    "{before} became {after}"
                );
            }
            // The second round trip is lossless.
            let third = read(&written(&again, encoding).unwrap(), encoding).unwrap();
            assert_eq!(third, again);
        }
    }
}

#[test]
fn rejects_heights_beyond_the_encoding() {
    let size = MapSize::new(2, 2).unwrap();
    for (encoding, wrong) in [
        (PngEncoding::Terrarium, -32_769.0),
        (PngEncoding::Terrarium, 32_768.0),
        (PngEncoding::Mapbox, -10_001.0),
        (PngEncoding::Mapbox, 2e6),
    ] {
        let error = written(&meters(size, vec![0.0, wrong, 1.0, 2.0]), encoding);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("column 1, row 0"), "{error}");
        assert!(
            error.contains(&format!("the {encoding} encoding holds")),
            "{error}"
        );
    }
}

#[test]
fn recognizes_encoded_heights() {
    let size = MapSize::new(64, 48).unwrap();
    let land = |x: usize, y: usize| 900.0 + 700.0 * (x as f32 / 9.0).sin() * (y as f32 / 7.0).cos();
    let heights = (0..size.cells()).map(|cell| land(cell % 64, cell / 64));
    let map = meters(size, heights.collect());
    for encoding in BOTH {
        let bytes = written(&map, encoding).unwrap();
        assert_eq!(read(&bytes, None), Err(ImportError::Encoded { encoding }));
    }
    // A photo has the same range of colors, but noise.
    let mut rng = SeededRng::new(6, b"encoding");
    let colors: Vec<[u8; 3]> = (0..400)
        .map(|_| [0; 3].map(|_: u8| 90 + rng.below(60) as u8))
        .collect();
    let error = read(&image(&colors), None).unwrap_err();
    assert!(matches!(error, ImportError::Colored { .. }), "{error}");
    // Smooth colors that are no heights of the Earth.
    let colors: Vec<[u8; 3]> = (0..400).map(|_| [200, 20, 20]).collect();
    let error = read(&image(&colors), None).unwrap_err();
    assert_eq!(error, ImportError::Colored { column: 0, row: 0 });
}

#[test]
fn encoding_needs_colors() {
    let size = MapSize::new(3, 2).unwrap();
    let mut gray = Vec::new();
    io::write_png(&Heightmap::flat(size), io::PngDepth::Eight, &mut gray).unwrap();
    let error = read(&gray, PngEncoding::Mapbox).unwrap_err().to_string();
    assert_eq!(error, "the Mapbox encoding needs a PNG with 8-bit colors");
}

#[test]
fn encoded_heights_are_meters_and_may_be_gaps() {
    let size = MapSize::new(2, 2).unwrap();
    let map = meters(size, vec![0.0, 0.5, 1.0, 0.0]);
    let bytes = written(&map, PngEncoding::Terrarium).unwrap();
    let mut options = ReadOptions {
        encoding: Some(PngEncoding::Terrarium),
        ..ReadOptions::default()
    };
    let found = io::import(&bytes, Format::Png, &options).unwrap();
    assert_eq!(found.model, map);
    assert_eq!(found.meaning.one, 1.0);
    // The file contains the frame of the map. Other programs do not write it.
    assert_eq!(found.meaning.source, ElevationSource::Sidecar);
    let foreign = image(&[[128, 0, 0], [128, 0, 128], [128, 1, 0], [128, 0, 0]]);
    let found = io::import(&foreign, Format::Png, &options).unwrap();
    assert_eq!(found.model.heights, map.heights);
    assert_eq!(found.meaning.source, ElevationSource::Format);
    options.no_data = vec![0.0];
    options.fill = Some(Fill::Height(7.0));
    let found = io::read(&foreign, Format::Png, &options).unwrap();
    assert_eq!(found.heights.heights(), [7.0, 0.5, 1.0, 7.0]);
    options.heights = Some(ReadHeights::Unit);
    let found = io::import(&image(&[[128, 0, 0]; 4]), Format::Png, &options);
    assert!(found.unwrap_err().to_string().contains("from 0 to 1"));
}
