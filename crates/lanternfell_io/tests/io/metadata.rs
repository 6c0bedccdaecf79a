//! `read_metadata`: the header of a file without its heights.

use std::io::Cursor;

use lanternfell_heightmap::{Heightmap, MapSize};
use lanternfell_io::{self as io, Fill, Format, ReadOptions, WriteOptions};

fn model() -> lanternfell_heightmap::ElevationModel {
    let size = MapSize::new(40, 30).unwrap();
    let heights = (0..1200).map(|cell| cell as f32).collect();
    let mut model = lanternfell_heightmap::ElevationModel::of_heights(
        Heightmap::from_heights(size, heights).unwrap(),
    );
    model.frame.place = lanternfell_heightmap::GeoReference::at([500.0, 700.0], 25.0);
    (
        model.frame.place_is_explicit,
        model.frame.elevation_is_explicit,
    ) = (true, true);
    model
}

#[test]
fn metadata_matches_the_whole_map() {
    for format in [Format::Tiff, Format::Ascii] {
        let mut bytes = Vec::new();
        let options = WriteOptions::default();
        io::write(&model(), format, &options, &mut bytes, &Default::default()).unwrap();
        let whole = io::import(&bytes, format, &ReadOptions::default()).unwrap();
        let read =
            |bytes: &[u8]| io::read_metadata(Cursor::new(bytes), format, &ReadOptions::default());
        let found = read(&bytes).unwrap();
        assert_eq!(
            (found.size, found.frame),
            (whole.model.size(), whole.model.frame)
        );
        assert_eq!(found.meaning, whole.meaning);
        // Damaged heights are not noticed, because they are not read.
        if format == Format::Ascii {
            let text = String::from_utf8(bytes).unwrap().replace("7.0", "x.x");
            assert_eq!(read(text.as_bytes()).unwrap(), found);
        }
        assert!(read(b"").is_err());
    }
}

#[test]
fn fill_gaps_fills_cells_without_height() {
    let size = MapSize::new(3, 2).unwrap();
    let heights = || vec![1.0, f32::NAN, 3.0, 1.0, 2.0, 3.0];
    let filled = |fill| io::fill_gaps(size, heights(), fill);
    assert_eq!(filled(Some(Fill::Height(9.0))).unwrap().get(1, 0), 9.0);
    let between = filled(Some(Fill::Interpolate)).unwrap().get(1, 0);
    assert!((1.0..=3.0).contains(&between), "{between}");
    assert!(filled(None).is_err());
    assert!(io::fill_gaps(size, vec![1.0; 5], None).is_err());
}

#[test]
fn damaged_headers_never_panic() {
    for format in [Format::Tiff, Format::Ascii, Format::Hgt] {
        let mut bytes = Vec::new();
        let options = WriteOptions::default();
        if format == Format::Hgt {
            bytes = vec![0; 1000];
        } else {
            io::write(&model(), format, &options, &mut bytes, &Default::default()).unwrap();
        }
        for at in 0..bytes.len().min(600) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x5a;
            let options = ReadOptions::default();
            let _ = io::read_metadata(Cursor::new(&damaged), format, &options);
            let _ = io::read_metadata(Cursor::new(&bytes[..at]), format, &options);
        }
    }
}
