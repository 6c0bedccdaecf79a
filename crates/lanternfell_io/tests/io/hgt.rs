//! SRTM tiles: sizes, the place in the name, and voids.

use lanternfell_heightmap::{CoordinateSystem, Elevation, ElevationModel, MapSize, Progress};
use lanternfell_io::{
    self as io, ElevationSource, Fill, Format, ImportError, ReadOptions, WriteOptions,
};

/// A tile with the height `x + 2 y` in row `y`, and one void.
fn tile(width: usize, height: usize) -> Vec<u8> {
    let numbers = (0..width * height).map(|cell| (cell % width + 2 * (cell / width)) as i16);
    let mut bytes: Vec<u8> = numbers.flat_map(i16::to_be_bytes).collect();
    bytes[2 * (3 * width + 5)..][..2].copy_from_slice(&i16::MIN.to_be_bytes());
    bytes
}

fn read(bytes: &[u8], fill: Option<Fill>) -> Result<ElevationModel, ImportError> {
    let options = ReadOptions {
        fill,
        ..ReadOptions::default()
    };
    io::read(bytes, Format::Hgt, &options)
}

#[test]
fn length_determines_size() {
    for (width, height) in [(1201, 1201), (1801, 3601), (3601, 3601)] {
        let bytes = tile(width, height);
        let size = MapSize::new(width as u64, height as u64).unwrap();
        assert_eq!(io::size(&bytes, Format::Hgt), Ok(size));
        let gap = ImportError::Gap { column: 5, row: 3 };
        assert_eq!(read(&bytes, None), Err(gap));
        let map = read(&bytes, Some(Fill::Height(-7.0))).unwrap();
        assert_eq!(map.size(), size);
        assert_eq!(map.heights.get(5, 3), -7.0);
        let last = (width - 1 + 2 * (height - 1)) as f32;
        assert_eq!(map.heights.get(width - 1, height - 1), last);
        assert_eq!(map.frame.elevation, Elevation::METERS);
        assert!(map.frame.elevation_is_explicit && !map.frame.place_is_explicit);
        assert_eq!(map.frame.no_data, Some(-32_768.0));
    }
    let smallest = tile(1201, 1201);
    for wrong in [
        &[][..],
        &[0; 100],
        &smallest[1..],
        &smallest[..smallest.len() - 2],
    ] {
        for error in [
            read(wrong, None).unwrap_err(),
            io::size(wrong, Format::Hgt).unwrap_err(),
        ] {
            let error = error.to_string();
            assert!(error.contains("2884802 (1201x1201)"), "{error}");
        }
    }
}

#[test]
fn options_name_more_voids() {
    let bytes = tile(1201, 1201);
    let mut options = ReadOptions {
        fill: Some(Fill::Height(-7.0)),
        ..ReadOptions::default()
    };
    let map = io::import(&bytes, Format::Hgt, &options).unwrap();
    assert_eq!(map.meaning.source, ElevationSource::Format);
    assert_eq!(map.model.heights.get(1, 0), 1.0);
    options.no_data = vec![1.0];
    let map = io::import(&bytes, Format::Hgt, &options).unwrap();
    assert_eq!(map.model.heights.get(1, 0), -7.0);
    assert_eq!(map.model.heights.get(5, 3), -7.0);
}

/// The outermost cells are on whole degrees, so neighboring tiles share them.
#[test]
fn name_determines_place() {
    for (name, corner) in [
        ("N38W010.hgt", [-10.0, 38.0]),
        ("s01e009.SRTMGL1.hgt", [9.0, -1.0]),
    ] {
        for side in [1201, 3601] {
            let size = MapSize::new(side, side).unwrap();
            let place = Format::Hgt
                .georeference_from_file_name(name, size)
                .unwrap()
                .unwrap();
            assert_eq!(place.system, Some(CoordinateSystem::Geographic(4326)));
            let last = (side - 1) as f64;
            for (cell, degrees) in [([0.0, last], [0.0, 0.0]), ([last, 0.0], [1.0, 1.0])] {
                let found = place.position(cell, side as usize);
                for axis in 0..2 {
                    let off = found[axis] - corner[axis] - degrees[axis];
                    assert!(off.abs() < 1e-9, "{name}: {found:?}");
                }
            }
        }
    }
    let size = MapSize::new(1201, 1201).unwrap();
    for wrong in ["dem.hgt", "N91E000.hgt", ""] {
        let error = Format::Hgt
            .georeference_from_file_name(wrong, size)
            .unwrap_err()
            .to_string();
        assert!(error.contains("N38W010.hgt"), "{error}");
    }
    assert_eq!(
        Format::Tiff.georeference_from_file_name("N38W010.tif", size),
        Ok(None)
    );
}

#[test]
fn cannot_be_written() {
    let map = read(&tile(1201, 1201), Some(Fill::Interpolate)).unwrap();
    let (options, progress) = (WriteOptions::default(), Progress::default());
    for format in Format::ALL
        .into_iter()
        .filter(|format| !format.is_written())
    {
        let error = io::write(&map, format, &options, Vec::new(), &progress).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{format} can be read but not written")
        );
        assert!(format.is_read() && format.is_built_in());
    }
}
