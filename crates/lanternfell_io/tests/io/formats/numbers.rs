//! Numbers in every format: round trips, and rejected heights and sizes.

use exr::prelude::{Blocks, Compression};
use lanternfell_heightmap::{Elevation, Heightmap, Progress, SeededRng};
use lanternfell_io::{
    self as io, Format, ImportError, PngDepth, RawFormat, ReadOptions, Sample, WriteOptions,
};
use tiff::encoder::{Compression as TiffCompression, colortype};

use super::{
    any_heights,
    files::{self, plain, ramp, written, written_model},
    known, map, read, size,
};

fn bits(map: &Heightmap) -> Vec<u32> {
    map.heights().iter().map(|z| z.to_bits()).collect()
}

#[test]
fn floats_round_trip_bit_exactly() {
    let mut rng = SeededRng::new(1, b"formats ");
    for _ in 0..60 {
        let map = any_heights(&mut rng);
        let options = WriteOptions {
            raw: RawFormat::R32,
            ..WriteOptions::default()
        };
        for format in [
            Format::Tiff,
            Format::Exr,
            Format::Ascii,
            Format::Xyz,
            Format::Raw,
        ] {
            let bytes = written(&map, format, &options);
            let options = ReadOptions {
                size: Some(map.size()),
                raw: RawFormat::R32,
                ..ReadOptions::default()
            };
            let again = io::read(&bytes, format, &options).unwrap().heights;
            assert_eq!(again.size(), map.size());
            assert_eq!(bits(&again), bits(&map), "{format}");
        }
    }
}

#[test]
fn integers_are_nearest_and_round_trip() {
    let mut rng = SeededRng::new(2, b"formats ");
    for _ in 0..40 {
        let size = size(2 + rng.below(40), 2 + rng.below(40));
        let heights = (0..size.cells()).map(|_| rng.unit() as f32);
        let map = Heightmap::from_heights(size, heights.collect()).unwrap();
        for (depth, sample, most) in [
            (PngDepth::Eight, Sample::U8, 255.0),
            (PngDepth::Sixteen, Sample::U16, 65_535.0),
        ] {
            let mut options = WriteOptions::default();
            (options.depth, options.tiff) = (depth, sample);
            let mut all = Vec::new();
            for format in [Format::Png, Format::Pgm, Format::Tiff] {
                let bytes = written(&map, format, &options);
                let again = read(&bytes, format).unwrap();
                for (before, after) in map.heights().iter().zip(again.heights()) {
                    assert!((before - after).abs() <= 0.5 / most + 1e-7);
                }
                assert_eq!(written(&again, format, &options), bytes, "{format}");
                all.push(again);
            }
            assert!(
                all.iter().all(|map| *map == all[0]),
                "the same numbers in each"
            );
        }
    }
}

#[test]
fn rejects_out_of_range_heights_by_cell() {
    for wrong in [-0.001_f32, 1.001, f32::MAX] {
        let map = map(3, &[0.0, 0.5, 1.0, 0.0, wrong, 1.0]);
        let options = WriteOptions {
            tiff: Sample::U16,
            ..WriteOptions::default()
        };
        for format in [Format::Png, Format::Pgm, Format::Raw, Format::Tiff] {
            let mut out = Vec::new();
            let error = io::write(
                &plain(&map),
                format,
                &options,
                &mut out,
                &Progress::default(),
            );
            let error = error.unwrap_err().to_string();
            assert!(error.contains("column 1, row 1"), "{format}: {error}");
            assert!(out.is_empty(), "no output");
        }
    }
}

#[test]
fn rejects_non_finite_heights_by_cell() {
    let asc = |word: &str| {
        let text = format!("ncols 2\nnrows 3\ncellsize 1\n1 2\n3 {word}\n5 6\n");
        read(text.as_bytes(), Format::Ascii)
    };
    let cell = |error: ImportError| match error {
        ImportError::NotFinite { column, row, .. } => (column, row),
        other => panic!("{other}"),
    };
    for word in ["nan", "NaN", "inf", "-Infinity", "1e39"] {
        assert_eq!(cell(asc(word).unwrap_err()), (1, 1), "{word}");
    }
    for wrong in [f32::NAN, f32::INFINITY] {
        let heights = [0.0, 1.0, 2.0, wrong, 4.0, f32::NAN];
        // A map cannot contain NaN, so patch it into files of the number 3.
        let right = map(2, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let three = 3.0_f32.to_le_bytes();
        let mut tiff = written(&right, Format::Tiff, &WriteOptions::default());
        let at = tiff.windows(4).position(|bytes| bytes == three).unwrap();
        tiff[at..at + 4].copy_from_slice(&wrong.to_le_bytes());
        assert_eq!(cell(read(&tiff, Format::Tiff).unwrap_err()), (1, 1));
        let mut exr = files::exr(&right, Compression::Uncompressed, Blocks::ScanLines, false);
        let at = exr.windows(4).position(|bytes| bytes == three).unwrap();
        exr[at..at + 4].copy_from_slice(&wrong.to_le_bytes());
        assert_eq!(cell(read(&exr, Format::Exr).unwrap_err()), (1, 1));
        let raw: Vec<u8> = heights.iter().flat_map(|z| z.to_le_bytes()).collect();
        let options = ReadOptions {
            size: Some(right.size()),
            raw: RawFormat::R32,
            ..ReadOptions::default()
        };
        assert_eq!(
            cell(io::read(&raw, Format::Raw, &options).unwrap_err()),
            (1, 1)
        );
    }
}

#[test]
fn rejects_invalid_sizes_from_header() {
    for (width, height) in [(1_u32, 8_u32), (8, 1), (16_385, 2), (2, u32::MAX), (0, 0)] {
        let pgm = format!("P5\n{width} {height}\n255\n").into_bytes();
        let asc = format!("ncols {width}\nnrows {height}\ncellsize 1\n0 ").into_bytes();
        let mut tiff = written(&ramp(3, 3), Format::Tiff, &WriteOptions::default());
        tiff[18..22].copy_from_slice(&width.to_le_bytes());
        tiff[30..34].copy_from_slice(&height.to_le_bytes());
        let mut exr = written(&ramp(3, 3), Format::Exr, &WriteOptions::default());
        let window = exr
            .windows(10)
            .position(|name| name == b"dataWindow")
            .unwrap();
        let window = window + b"dataWindow\0box2i\0....".len();
        let ends = [width.wrapping_sub(1), height.wrapping_sub(1)].map(u32::to_le_bytes);
        exr[window + 8..window + 16].copy_from_slice(ends.as_flattened());
        for (format, bytes) in [
            (Format::Pgm, pgm),
            (Format::Ascii, asc),
            (Format::Tiff, tiff),
            (Format::Exr, exr),
        ] {
            for error in [
                read(&bytes, format).unwrap_err(),
                io::size(&bytes, format).unwrap_err(),
            ] {
                let line = error.to_string();
                assert!(line.contains("from 2 to 16384"), "{format}: {line}");
            }
        }
    }
}

#[test]
fn rejects_colored_pixels_by_position() {
    let map = ramp(3, 2);
    let mut colors = [120_u8; 18];
    colors[3 * 4 + 2] = 121;
    let raw = TiffCompression::Uncompressed;
    let tiff = files::tiff::<colortype::RGB8>(&map, raw, &colors);
    let place = ImportError::Colored { column: 1, row: 1 };
    assert_eq!(read(&tiff, Format::Tiff), Err(place));
    assert_eq!(
        read(&files::exr_colors(&map, 0.0), Format::Exr).unwrap(),
        map
    );
    let place = ImportError::Colored { column: 2, row: 1 };
    assert_eq!(
        read(&files::exr_colors(&map, 0.25), Format::Exr),
        Err(place)
    );
}

#[test]
fn heights_option_selects_unit() {
    let mut model = known();
    model.frame.elevation = Elevation {
        offset: 10.0,
        relief: 0.5,
    };
    let write = |heights| {
        let options = WriteOptions {
            heights,
            ..WriteOptions::default()
        };
        let bytes = written_model(&model, Format::Tiff, &options);
        io::read_tiff(&bytes, None).unwrap()
    };
    let meters = write(None);
    assert_eq!(meters.frame.elevation, Elevation::METERS);
    assert_eq!(meters.heights.row(0), [-211.0, 10.125, 660.5]);
    let unit = write(Some(io::WrittenHeights::Unit));
    assert_eq!(unit.heights.range(), (0.0, 1.0));
    let own = write(Some(io::WrittenHeights::Unchanged));
    assert_eq!(
        (&own.heights, own.frame.elevation),
        (&model.heights, model.frame.elevation)
    );
    for (name, other) in [("metres", meters), ("unit", unit), ("own", own)] {
        assert_eq!(other.range(), model.range(), "{name}");
    }
    // A number that is a valid height cannot be the no-data value.
    model.frame.no_data = Some(-211.0);
    let bytes = written_model(&model, Format::Ascii, &WriteOptions::default());
    assert_eq!(io::ascii_header(&bytes).unwrap().no_data, None);
    model.frame.elevation.relief = 1e37;
    let result = io::write(
        &model,
        Format::Exr,
        &WriteOptions::default(),
        Vec::new(),
        &Progress::default(),
    );
    assert!(
        result
            .unwrap_err()
            .to_string()
            .contains("meters that f32 can hold")
    );
}
