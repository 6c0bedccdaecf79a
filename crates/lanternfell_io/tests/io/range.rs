//! `WriteOptions::range`: the same height has the same number in all files.

use lanternfell_heightmap::{Elevation, ElevationModel, Heightmap, MapFrame, MapSize, Progress};
use lanternfell_io::{
    ExportError, Format, HeightRange, PngDepth, RawFormat, ReadOptions, Sample, WriteOptions,
    WrittenHeights, read, read_raw, write,
};

/// A map in meters.
fn meters(heights: &[f32]) -> ElevationModel {
    let size = MapSize::new(heights.len() as u64 / 2, 2).unwrap();
    let frame = MapFrame {
        elevation: Elevation::METERS,
        elevation_is_explicit: true,
        ..MapFrame::of_size(size)
    };
    frame.of(Heightmap::from_heights(size, heights.to_vec()).unwrap())
}

fn options(low: f64, high: f64, clamp: bool) -> WriteOptions<'static> {
    WriteOptions {
        range: Some(HeightRange { low, high, clamp }),
        stretch: true,
        ..WriteOptions::default()
    }
}

fn written(
    map: &ElevationModel,
    format: Format,
    options: &WriteOptions<'_>,
) -> Result<(Vec<u8>, Elevation), ExportError> {
    let mut bytes = Vec::new();
    let elevation = write(map, format, options, &mut bytes, &Progress::default())?;
    Ok((bytes, elevation))
}

/// Reported: two crops of one map had different scales as integers, because each was stretched to its own range.
#[test]
fn same_height_has_same_number_in_all_maps() {
    let maps = [
        meters(&[0.0, 250.0, 500.0, 1000.0]),
        meters(&[500.0, 500.0, 750.0, 600.0]),
    ];
    let numbers = maps.map(|map| {
        let (bytes, elevation) = written(&map, Format::Raw, &options(0.0, 1000.0, false)).unwrap();
        assert_eq!(elevation.meters(0.0), 0.0);
        assert_eq!(elevation.meters(1.0), 1000.0);
        let words = bytes.as_chunks().0.iter();
        words
            .map(|&word| u16::from_le_bytes(word))
            .collect::<Vec<_>>()
    });
    assert_eq!(numbers[0], [0, 16_384, 32_768, 65_535]);
    assert_eq!(numbers[1], [32_768, 32_768, 49_151, 39_321]);
}

#[test]
fn files_contain_the_range() {
    let map = meters(&[100.0, 250.0, 500.0, 900.0]);
    for (format, tiff) in [
        (Format::Png, Sample::F32),
        (Format::Tiff, Sample::U16),
        (Format::Tiff, Sample::U8),
    ] {
        let options = WriteOptions {
            tiff,
            ..options(0.0, 1000.0, false)
        };
        let (bytes, _) = written(&map, format, &options).unwrap();
        let again = read(&bytes, format, &ReadOptions::default()).unwrap();
        let step = if tiff == Sample::U8 {
            1000.0 / 255.0
        } else {
            1000.0 / 65_535.0
        };
        for (&found, &meters) in again.heights.heights().iter().zip(map.heights.heights()) {
            let found = again.frame.elevation.meters(found);
            assert!(
                (found - f64::from(meters)).abs() <= step,
                "{format}: {found}, {meters}"
            );
        }
    }
}

/// A recipe's heights are from 0 to 1, but the range is in meters.
#[test]
fn range_is_in_meters_for_every_map() {
    let mut map = meters(&[0.0, 0.25, 0.5, 1.0]);
    map.frame.elevation = Elevation {
        offset: -100.0,
        relief: 400.0,
    };
    for (sample, most) in [(Sample::U8, 255.0), (Sample::U16, 65_535.0)] {
        let raw = RawFormat {
            sample,
            ..RawFormat::default()
        };
        let options = WriteOptions {
            raw,
            ..options(-100.0, 700.0, false)
        };
        let (bytes, _) = written(&map, Format::Raw, &options).unwrap();
        let found = read_raw(&bytes, map.size(), raw).unwrap();
        let found: Vec<f32> = found.heights().iter().map(|z| (z * most).round()).collect();
        let expected = [0.0, 0.125, 0.25, 0.5].map(|share: f32| (share * most).round());
        assert_eq!(found, expected);
    }
    let unit = WriteOptions {
        heights: Some(WrittenHeights::Unit),
        raw: RawFormat::R32,
        ..options(-100.0, 700.0, false)
    };
    let (bytes, _) = written(&map, Format::Raw, &unit).unwrap();
    let found = read_raw(&bytes, map.size(), RawFormat::R32).unwrap();
    assert_eq!(found.heights(), [0.0, 0.125, 0.25, 0.5]);
}

#[test]
fn heights_outside_are_an_error_or_clamped() {
    let map = meters(&[100.0, -5.5, 500.0, 2000.0]);
    let error = written(&map, Format::Png, &options(0.0, 1000.0, false)).unwrap_err();
    let text = error.to_string();
    for part in ["column 1, row 0", "-5.5 m", "from 0 to 1000 m"] {
        assert!(text.contains(part), "{text}");
    }
    let options = WriteOptions {
        depth: PngDepth::Eight,
        ..options(0.0, 1000.0, true)
    };
    let (bytes, _) = written(&map, Format::Pgm, &options).unwrap();
    assert_eq!(bytes[bytes.len() - 4..], [26, 0, 128, 255]);
    // Formats that store meters have no use for a range.
    let (bytes, elevation) = written(&map, Format::Tiff, &options).unwrap();
    assert_eq!(elevation, Elevation::METERS);
    let again = read(&bytes, Format::Tiff, &ReadOptions::default()).unwrap();
    assert_eq!(again.heights, map.heights);
}

/// The ends are inside, although 0.1 has other digits in `f32`.
#[test]
fn ends_of_the_range_are_inside() {
    let map = meters(&[0.1, 0.5, 0.7, 1000.1]);
    let (bytes, _) = written(&map, Format::Raw, &options(0.1, 1000.1, false)).unwrap();
    assert_eq!(bytes[..2], [0, 0]);
    assert_eq!(bytes[6..], [255, 255]);
}

#[test]
fn rejects_invalid_ranges() {
    let map = meters(&[0.1, 0.5, 0.7, 1.0]);
    let nan = f64::NAN;
    for (low, high, part) in [
        (5.0, 5.0, "high is 5"),
        (5.0, -5.0, "high is -5"),
        (nan, 5.0, "low is NaN"),
        (0.0, nan, "high is NaN"),
        (f64::NEG_INFINITY, 0.0, "low is -inf"),
        (f64::MIN, f64::MAX, "high is"),
    ] {
        let error = written(&map, Format::Png, &options(low, high, true)).unwrap_err();
        assert!(matches!(error, ExportError::Param(_)));
        assert!(error.to_string().contains(part), "{error}");
    }
}
