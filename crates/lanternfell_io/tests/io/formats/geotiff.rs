//! TIFF: number formats, colors, and the georeference.

use lanternfell_heightmap::{CoordinateSystem, GeoReference, Progress};
use lanternfell_io::{self as io, Format, ImportError, Sample, WriteOptions};
use tiff::encoder::{Compression as TiffCompression, colortype};

use super::{
    files::{self, plain, ramp, written_model},
    known, map, read,
};

#[test]
fn reads_all_number_formats_of_tiff() {
    let bytes = [0_u8, 51, 102, 255];
    let square = map(2, &[0.0, 0.2, 0.4, 1.0]);
    let raw = TiffCompression::Uncompressed;
    use colortype::{Gray8, Gray16, Gray64Float, GrayI8, GrayI16, GrayI32, RGB8, RGB16, RGBA8};
    let words = bytes.map(|byte| u16::from(byte) * 257);
    let doubles = square.heights().iter().map(|&z| f64::from(z));
    let doubles: Vec<f64> = doubles.collect();
    let colors = |samples: usize| -> Vec<u8> {
        bytes
            .iter()
            .flat_map(|&byte| [byte; 4][..samples].to_vec())
            .collect()
    };
    let wide: Vec<u16> = words.iter().flat_map(|&word| [word; 3]).collect();
    for file in [
        files::tiff::<Gray8>(&square, raw, &bytes),
        files::tiff::<Gray16>(&square, raw, &words),
        files::tiff::<Gray64Float>(&square, raw, &doubles),
        files::tiff::<RGB8>(&square, raw, &colors(3)),
        files::tiff::<RGBA8>(&square, raw, &colors(4)),
        files::tiff::<RGB16>(&square, raw, &wide),
    ] {
        assert_eq!(read(&file, Format::Tiff).unwrap(), square);
    }
    // Signed numbers are elevations.
    let elevations = map(2, &[-120.0, 0.0, 1.0, 127.0]);
    let signed = [-120_i8, 0, 1, 127];
    for file in [
        files::tiff::<GrayI8>(&square, raw, &signed),
        files::tiff::<GrayI16>(&square, raw, &signed.map(i16::from)),
        files::tiff::<GrayI32>(&square, raw, &signed.map(i32::from)),
    ] {
        assert_eq!(read(&file, Format::Tiff).unwrap(), elevations);
    }
    let wide = files::tiff::<colortype::Gray32>(&square, raw, &[0, 1, 70_000, 3]);
    assert_eq!(
        read(&wide, Format::Tiff).unwrap(),
        map(2, &[0.0, 1.0, 70_000.0, 3.0])
    );
    let whole = files::tiff::<colortype::Gray64>(&square, raw, &[0, 1, 2, 3]);
    let line = read(&whole, Format::Tiff).unwrap_err().to_string();
    assert!(
        line.contains("not supported: unsigned integers of 64 bits"),
        "{line}"
    );
    let too_far = files::tiff::<Gray64Float>(&square, raw, &[0.0, 1e300, 2.0, 3.0]);
    let error = read(&too_far, Format::Tiff).unwrap_err();
    assert!(matches!(
        error,
        ImportError::NotFinite {
            column: 1,
            row: 0,
            ..
        }
    ));
}

#[test]
fn geotiff_has_its_georeference() {
    let mut model = plain(&ramp(5, 4));
    model.frame.place = GeoReference {
        cell: [2.5, 5.0],
        ..GeoReference::at([100.0, -20.0], 1.0)
    };
    let options = WriteOptions::default();
    let bytes = written_model(&model, Format::Tiff, &options);
    let mut decoder = tiff::decoder::Decoder::new(std::io::Cursor::new(&bytes)).unwrap();
    use tiff::tags::Tag;
    let doubles = |decoder: &mut tiff::decoder::Decoder<_>, tag| decoder.get_tag_f64_vec(tag);
    let scale = doubles(&mut decoder, Tag::ModelPixelScaleTag).unwrap();
    assert_eq!(scale, [2.5, 5.0, 0.0]);
    let place = doubles(&mut decoder, Tag::ModelTiepointTag).unwrap();
    assert_eq!(place, [0.0, 0.0, 0.0, 100.0, 0.0, 0.0]);
    // These numbers have no unit.
    assert!(decoder.find_tag(Tag::GdalNodata).unwrap().is_none());
    let notes = decoder.get_tag_ascii_string(Tag::Unknown(42_112)).unwrap();
    assert!(
        notes.contains("no heights") && !notes.contains("UNITTYPE"),
        "{notes}"
    );
    let again = io::read_tiff(&bytes, None).unwrap();
    assert_eq!(again.frame.place, model.frame.place);
    for wrong in [0.0, -1.0, f64::NAN] {
        model.frame.place = GeoReference::at_origin(wrong);
        let result = io::write(
            &model,
            Format::Tiff,
            &options,
            Vec::new(),
            &Progress::default(),
        );
        let line = result.unwrap_err().to_string();
        assert!(line.contains("cell"), "{wrong}: {line}");
    }
}

#[test]
fn tiff_integers_are_scaled_to_meters() {
    let mut model = known();
    model.frame.place.system = Some(CoordinateSystem::Geographic(4326));
    for sample in [Sample::U8, Sample::U16] {
        let options = WriteOptions {
            tiff: sample,
            stretch: true,
            ..WriteOptions::default()
        };
        let bytes = written_model(&model, Format::Tiff, &options);
        let again = io::read_tiff(&bytes, None).unwrap();
        assert_eq!(again.heights.range(), (0.0, 1.0), "{sample:?}");
        let (low, high) = again.range();
        let near = (low + 9998.0).abs() < 1e-6 && (high - 1301.0).abs() < 1e-6;
        assert!(near, "{sample:?}: {low} to {high}");
        assert_eq!(again.frame.place, model.frame.place, "{sample:?}");
        // Integers have no spare value for "no data".
        assert_eq!(again.frame.no_data, None, "{sample:?}");
    }
}
