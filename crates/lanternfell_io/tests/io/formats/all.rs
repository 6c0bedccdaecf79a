//! What holds for all formats: their names, metadata, headers, cancellation, and the same bytes everywhere.

use std::io::Cursor;

use lanternfell_heightmap::{Elevation, GeoReference, Progress, Scenery, SeededRng};
use lanternfell_io::{
    self as io, ExportError, Format, ImportError, RawFormat, ReadOptions, WriteOptions,
};
use lanternfell_random::Fnv1a;
use lanternfell_test_support::assert_golden;

use super::{
    files::{plain, ramp, written, written_model},
    known, map, read,
};

#[test]
fn detects_formats_by_extension_and_signature() {
    for format in Format::ALL {
        for extension in format.extensions() {
            assert_eq!(Format::from_extension(extension), Some(format));
            let capitals = extension.to_ascii_uppercase();
            assert_eq!(Format::from_extension(&capitals), Some(format));
        }
        assert_eq!(format.to_string(), format.name());
    }
    assert_eq!(Format::from_extension("jpg"), None);
    assert_eq!(Format::from_extension(""), None);
    assert_eq!(RawFormat::from_extension("R32"), Some(RawFormat::R32));
    assert_eq!(RawFormat::from_extension("r16"), Some(RawFormat::R16));
    assert_eq!(RawFormat::from_extension("raw"), None);
    for bytes in [
        &b""[..],
        b"P",
        b"P7\n",
        b"II*",
        b"solid",
        b"v 1 2 3",
        b"\0\0\0\0",
    ] {
        assert_eq!(Format::sniff(bytes), None, "{bytes:?}");
    }
    let map = ramp(3, 3);
    let glb = written(&map, Format::Glb, &WriteOptions::default());
    assert_eq!(Format::sniff(&glb), Some(Format::Glb));
    for format in Format::ALL {
        let read = read(b"", format).unwrap_err();
        assert_eq!(format.is_read(), read != ImportError::NotRead(format));
    }
    assert_eq!(read(b"", Format::Raw), Err(ImportError::NoSize));
    assert_eq!(io::size(b"", Format::Raw), Err(ImportError::NoSize));
    assert_eq!(
        io::size(b"", Format::Stl),
        Err(ImportError::NotRead(Format::Stl))
    );
}

#[test]
fn open_files_are_read_like_bytes() {
    let map = ramp(30, 20);
    for format in Format::ALL {
        let options = ReadOptions {
            size: (format == Format::Raw).then_some(map.size()),
            ..ReadOptions::default()
        };
        let bytes = match format.is_written() {
            true => written(&map, format, &WriteOptions::default()),
            false => vec![7; 100],
        };
        let from_file = io::import_file(Cursor::new(&bytes), format, &options);
        assert_eq!(from_file, io::import(&bytes, format, &options), "{format}");
        assert_eq!(
            from_file.is_ok(),
            format.is_read() && format.is_written(),
            "{format}"
        );
    }
}

#[test]
fn size_needs_only_the_header() {
    let mut rng = SeededRng::new(4, b"formats ");
    let heights: Vec<f32> = (0..90 * 70).map(|_| rng.unit() as f32).collect();
    let map = map(90, &heights);
    let options = WriteOptions::default();
    for format in [
        Format::Png,
        Format::Pgm,
        Format::Exr,
        Format::Ascii,
        Format::Tiff,
    ] {
        let bytes = written(&map, format, &options);
        assert!(bytes.len() > 4096);
        let beginning = if format == Format::Tiff {
            &bytes
        } else {
            &bytes[..2048]
        };
        assert_eq!(io::size(beginning, format), Ok(map.size()), "{format}");
    }
}

#[test]
fn metadata_round_trips_where_supported() {
    let model = known();
    let options = WriteOptions {
        stretch: true,
        ..WriteOptions::default()
    };
    for format in [Format::Tiff, Format::Exr, Format::Ascii, Format::Png] {
        let bytes = written_model(&model, format, &options);
        let again = io::read(&bytes, format, &ReadOptions::default()).unwrap();
        let mut expected = model.frame;
        if format == Format::Ascii {
            expected.place.system = None;
            expected.scenery = Scenery::default();
        }
        if format == Format::Png {
            assert_eq!(again.heights.range(), (0.0, 1.0), "{format}");
            expected.elevation = Elevation {
                offset: -9998.0,
                relief: 11_299.0,
            };
        } else {
            assert_eq!(again.heights, model.heights, "{format}");
        }
        assert_eq!(again.frame, expected, "{format}");
        assert_eq!(again.range(), (-9998.0, 1301.0), "{format}");
    }
}

/// Cancels the operation after a number of bytes.
struct Impatient(Progress, usize);

impl std::io::Write for Impatient {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.1 += bytes.len();
        if self.1 > 20_000 {
            self.0.cancel();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn all_formats_stream_and_can_be_canceled() {
    let mut rng = SeededRng::new(3, b"formats ");
    let heights: Vec<f32> = (0..512 * 500).map(|_| rng.unit() as f32).collect();
    let map = plain(&map(512, &heights));
    let options = WriteOptions::default();
    for format in Format::ALL.into_iter().filter(|format| format.is_written()) {
        let progress = Progress::default();
        let mut bytes = Vec::new();
        io::write(&map, format, &options, &mut bytes, &progress).unwrap();
        assert_eq!(progress.fraction(), 1.0, "{format}");

        let progress = Progress::default();
        progress.cancel();
        let mut out = Vec::new();
        let result = io::write(&map, format, &options, &mut out, &progress);
        assert!(matches!(result, Err(ExportError::Canceled(_))), "{format}");
        assert!(
            out.len() < 1000,
            "{format}: {} bytes although canceled",
            out.len()
        );

        if format == Format::Exr {
            continue; // written in one piece
        }
        let progress = Progress::default();
        let mut out = Impatient(progress.clone(), 0);
        let result = io::write(&map, format, &options, &mut out, &progress);
        assert!(matches!(result, Err(ExportError::Canceled(_))), "{format}");
        assert!(
            out.1 < bytes.len() / 2 + 70_000,
            "{format}: {} of {}",
            out.1,
            bytes.len()
        );
        assert!(progress.fraction() < 0.9, "{format}");
    }
}

#[test]
fn returns_write_errors() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("no room"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let map = plain(&ramp(5, 5));
    let options = WriteOptions::default();
    for format in Format::ALL.into_iter().filter(|format| format.is_written()) {
        let result = io::write(&map, format, &options, Full, &Progress::default());
        let line = result.unwrap_err().to_string();
        assert!(line.contains("no room"), "{format}: {line}");
    }
}

#[test]
fn written_bytes_are_the_same_on_all_machines() {
    let map = ramp(23, 17);
    let options = WriteOptions::default();
    let mut wide = plain(&map);
    wide.frame.place = GeoReference::at_origin(2.0);
    let hashes = [
        Format::Raw,
        Format::Pgm,
        Format::Tiff,
        Format::Ascii,
        Format::Obj,
        Format::Stl,
    ]
    .map(|format| {
        let bytes = if format == Format::Tiff {
            written_model(&wide, format, &options)
        } else {
            written(&map, format, &options)
        };
        (format.name(), Fnv1a::of_bytes(bytes))
    });
    let expected = [
        ("RAW", 0x3963_7b0b_c71f_899f),
        ("PGM", 0x0a7c_c46e_9fb4_434d),
        ("TIFF", 0xc90d_41e7_cd89_68fb),
        ("ESRI ASCII grid", 0x37a4_a143_587f_9d9d),
        ("OBJ", 0xcd61_8e18_9bcf_1d3c),
        ("STL", 0xa886_dc53_ab91_02a9),
    ];
    assert_golden(hashes, &expected);
}
