//! `i16` in RAW and TIFF: whole meters.

use lanternfell_heightmap::{
    Elevation, ElevationModel, Heightmap, MapFrame, MapSize, Progress, Scale,
};
use lanternfell_io::{self as io, ByteOrder, Format, RawFormat, ReadOptions, Sample, WriteOptions};

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

fn raw(order: ByteOrder) -> RawFormat {
    RawFormat {
        sample: Sample::I16,
        order,
    }
}

/// A map in meters.
fn meters(heights: &[f32]) -> ElevationModel {
    let size = MapSize::new(2, heights.len() as u64 / 2).unwrap();
    let heights = Heightmap::from_heights(size, heights.to_vec()).unwrap();
    let frame = MapFrame {
        elevation: Elevation::METERS,
        elevation_is_explicit: true,
        ..MapFrame::of_size(size)
    };
    ElevationModel { heights, frame }
}

fn written(map: &ElevationModel, raw: RawFormat) -> Result<Vec<u8>, io::ExportError> {
    let options = WriteOptions {
        raw,
        tiff: raw.sample,
        ..WriteOptions::default()
    };
    let mut bytes = Vec::new();
    let found = io::write(map, Format::Raw, &options, &mut bytes, &Progress::default())?;
    assert_eq!(found, Elevation::METERS);
    Ok(bytes)
}

fn read(bytes: &[u8], raw: RawFormat) -> ElevationModel {
    let options = ReadOptions {
        size: MapSize::new(2, bytes.len() as u64 / 4).ok(),
        raw,
        ..ReadOptions::default()
    };
    io::read(bytes, Format::Raw, &options).unwrap()
}

#[test]
fn raw_rounds_to_whole_meters() {
    let map = meters(&[-32_768.0, 32_767.0, 0.5, -0.5, 1.49, -7.0]);
    let bytes = written(&map, raw(ByteOrder::Big)).unwrap();
    assert_eq!(
        bytes,
        [0x80, 0, 0x7f, 0xff, 0, 1, 0xff, 0xff, 0, 1, 0xff, 0xf9]
    );
    for order in ORDERS {
        let again = read(&written(&map, raw(order)).unwrap(), raw(order));
        let expected = [-32_768.0, 32_767.0, 1.0, -1.0, 1.0, -7.0];
        assert_eq!(again.heights.heights(), expected);
        assert_eq!(again.frame.elevation, Elevation::METERS);
    }
    // Low terrain is in meters too.
    let low = read(&[0, 0, 0, 1, 0, 0, 0, 1], raw(ByteOrder::Big));
    assert_eq!(
        (low.range(), low.frame.elevation_is_explicit),
        ((0.0, 1.0), true)
    );
    let options = ReadOptions {
        size: MapSize::new(2, 2).ok(),
        raw: raw(ByteOrder::Big),
        ..ReadOptions::default()
    };
    let low = io::import(&[0, 0, 0, 1, 0, 0, 0, 1], Format::Raw, &options).unwrap();
    assert_eq!(low.meaning.source, io::ElevationSource::NumberType);
}

#[test]
fn raw_converts_heights_to_meters() {
    let size = MapSize::new(2, 2).unwrap();
    let heights = Heightmap::from_heights(size, vec![0.0, 0.25, 0.5, 1.0]).unwrap();
    let scale = Scale {
        spacing: 1.0,
        relief: 400.0,
    };
    let frame = MapFrame::of_scale(scale, true);
    let bytes = written(
        &ElevationModel { heights, frame },
        RawFormat {
            ..raw(ByteOrder::Little)
        },
    );
    assert_eq!(
        read(&bytes.unwrap(), raw(ByteOrder::Little))
            .heights
            .heights(),
        [0.0, 100.0, 200.0, 400.0]
    );
}

#[test]
fn rejects_heights_beyond_i16() {
    for wrong in [32_768.0, -32_769.0, 1e30] {
        let error = written(&meters(&[0.0, 1.0, wrong, 2.0]), raw(ByteOrder::Little));
        let error = error.unwrap_err().to_string();
        let words =
            format!("column 0, row 1 is {wrong} m, but i16 holds heights from -32768 to 32767");
        assert!(error.contains(&words), "{error}");
    }
}

#[cfg(feature = "tiff")]
#[test]
fn tiff_holds_whole_meters() {
    let map = meters(&[-32_768.0, 32_767.0, 0.0, 17.0]);
    let options = WriteOptions {
        tiff: Sample::I16,
        ..WriteOptions::default()
    };
    let mut bytes = Vec::new();
    io::write(
        &map,
        Format::Tiff,
        &options,
        &mut bytes,
        &Progress::default(),
    )
    .unwrap();
    let again = io::read(&bytes, Format::Tiff, &ReadOptions::default()).unwrap();
    assert_eq!(again.heights, map.heights);
    assert_eq!(again.frame.elevation, Elevation::METERS);
}
