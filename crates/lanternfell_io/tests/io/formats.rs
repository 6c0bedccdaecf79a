//! PGM, TIFF, OpenEXR, ASCII grids, the sidecar, and the list of formats: round trips, known bytes, and rejected files.
//! (PNG and RAW: `png_and_raw.rs`; damaged files: `io_hostile.rs`.)

#[path = "../common/files.rs"]
mod files;

use exr::prelude::{Blocks, Compression, Vec2};
use files::{plain, ramp, written, written_model};
use lanternfell_heightmap::{
    CoordinateSystem, Elevation, ElevationModel, GeoReference, Heightmap, LandCover, LengthUnit,
    MapFrame, MapSize, Progress, Scale, Scenery, SeededRng,
};
use lanternfell_io::{
    self as io, ByteOrder, ExportError, Fill, Format, ImportError, PngDepth, RawFormat,
    ReadOptions, Sample, Sidecar, WriteOptions,
};
use lanternfell_random::Fnv1a;
use lanternfell_test_support::assert_golden;
use tiff::encoder::{Compression as TiffCompression, colortype};

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
fn pgm_is_header_and_big_endian_values() {
    let map = map(3, &[0.0, 1.0, 0.2, 0.4, 0.6, 0.8]);
    let mut bytes = Vec::new();
    io::write_pgm(&map, PngDepth::Eight, &mut bytes, &Progress::default()).unwrap();
    assert_eq!(bytes, b"P5\n3 2\n255\n\x00\xff\x33\x66\x99\xcc");
    let mut bytes = Vec::new();
    io::write_pgm(&map, PngDepth::Sixteen, &mut bytes, &Progress::default()).unwrap();
    assert_eq!(bytes[..20], *b"P5\n3 2\n65535\n\0\0\xff\xff\x33\x33f");
    assert_eq!(bytes.len(), 13 + 12);
}

#[test]
fn reads_pgms_of_other_programs() {
    let expected = map(2, &[0.0, 0.5, 1.0, 0.25]);
    let files: [&[u8]; 6] = [
        b"P2 2 2 100 0 50 100 25",
        b"P2\n# a comment\n2 # and one more\n2\n100\n0\t50\n# and here\n100 25\n\n",
        b"P5 2 2 100\n\x00\x32\x64\x19",
        b"P5\r2\r2\r100\r\x00\x32\x64\x19",
        b"P5#x\n2 2 4\n\x00\x02\x04\x01",
        b"P5 2 2 1000 \x00\x00\x01\xf4\x03\xe8\x00\xfa",
    ];
    for (number, file) in files.into_iter().enumerate() {
        assert_eq!(read(file, Format::Pgm).unwrap(), expected, "file {number}");
    }
}

#[test]
fn rejects_invalid_pgms() {
    let says = |bytes: &[u8]| read(bytes, Format::Pgm).unwrap_err().to_string();
    for bytes in [&b""[..], b"P", b"P6 2 2 255 ", b"P1 2 2", b"\x89PNG"] {
        assert_eq!(says(bytes), "this is not a PGM");
    }
    for header in [
        "P5",
        "P5 2",
        "P5 2 2",
        "P5 2 2 255",
        "P5 2 -2 255 ",
        "P5 2 2x 255 ",
    ] {
        assert!(says(header.as_bytes()).contains("header"), "{header}");
    }
    assert!(says(b"P5 99999999999999999999999 2 255 ").contains("header"));
    for most in ["0", "65536", "4294967296"] {
        let line = says(format!("P5 2 2 {most}\n").as_bytes());
        assert!(line.contains("largest"), "{line}");
    }
    assert!(says(b"P2 2 2 5 0 1 2 6").contains("column 1, row 1"));
    assert!(says(b"P2 2 2 5 0 1 x 5").contains("column 0, row 1"));
    assert!(says(b"P2 2 2 5 0 1 2 3 4").contains("more values"));
    assert!(says(b"P5 2 2 5 \x00\x01\x02\x06").contains("column 1, row 1"));
    for found in [3, 5] {
        let bytes = [b"P5 2 2 5 ".as_slice(), &vec![0; found as usize]].concat();
        let expected = ImportError::Length { expected: 4, found };
        assert_eq!(read(&bytes, Format::Pgm), Err(expected));
    }
}

#[test]
fn ascii_grid_is_plain_text() {
    let mut model = plain(&map(3, &[0.0, 1.0, 0.1, -0.5, 1e-7, 2.5e20]));
    model.frame.place = GeoReference::at([-30.5, 4e6], 2.5);
    let bytes = written_model(&model, Format::Ascii, &WriteOptions::default());
    let again = io::read_ascii(&bytes, None).unwrap();
    assert_eq!(again.frame.place, model.frame.place);
    let expected = "ncols 3\nnrows 2\nxllcorner -30.5\nyllcorner 4000000\ncellsize 2.5\n\
                    0.0 1.0 0.1\n-0.5 1e-7 2.5e20\n";
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    for wrong in [0.0, -1.0, f64::NAN] {
        model.frame.place = GeoReference::at_origin(wrong);
        let (options, progress) = (WriteOptions::default(), Progress::default());
        let error = io::write(&model, Format::Ascii, &options, Vec::new(), &progress).unwrap_err();
        assert!(error.to_string().contains("cell"), "{error}");
    }
}

#[test]
fn reads_ascii_grids_of_other_programs() {
    let header = "NCOLS\t2\r\nNROWS 2\r\nXLLCENTER 100.5\r\nYLLCENTER -3\r\nCELLSIZE 3\r\n";
    let text = format!("{header}NODATA_value -9999\r\n 1 2.50\r\n\r\n +3 4e0\r\n");
    let expected = map(2, &[1.0, 2.5, 3.0, 4.0]);
    assert_eq!(read(text.as_bytes(), Format::Ascii).unwrap(), expected);
    let header = io::ascii_header(text.as_bytes()).unwrap();
    assert_eq!((header.corner, header.cell), ([99.0, -4.5], [3.0; 2]));
    assert_eq!((header.size, header.no_data), (size(2, 2), Some(-9999.0)));
    // Line breaks between heights are arbitrary.
    let one_line = b"nrows 2 ncols 2 cellsize 1 1 2.5 3 4";
    assert_eq!(read(one_line, Format::Ascii).unwrap(), expected);
}

#[test]
fn fills_gaps_or_names_the_cell() {
    let text = b"ncols 3\nnrows 2\ncellsize 1\nnodata_value -9999\n1 2 3\n4 -9999.0 6\n";
    let gap = ImportError::Gap { column: 1, row: 1 };
    assert_eq!(io::read_ascii(text, None), Err(gap.clone()));
    let fill = |height| Some(Fill::Height(height));
    let filled = io::read_ascii(text, fill(-1.0)).unwrap();
    assert_eq!(filled.frame.no_data, Some(-9999.0));
    assert_eq!(filled.heights, map(3, &[1.0, 2.0, 3.0, 4.0, -1.0, 6.0]));
    let wrong = io::read_ascii(text, fill(f32::NAN)).unwrap_err();
    assert!(matches!(
        wrong,
        ImportError::NotFinite {
            column: 1,
            row: 1,
            ..
        }
    ));
    let nan = b"ncols 2\nnrows 2\ncellsize 1\nnodata_value nan\n1 2 nan 4";
    assert_eq!(
        io::read_ascii(nan, fill(0.0)).unwrap().heights,
        map(2, &[1.0, 2.0, 0.0, 4.0])
    );

    let heights = [1.0, 2.0, -9999.0, 4.0];
    let tiff = gdal_tiff(&heights, "-9999");
    let gap = ImportError::Gap { column: 0, row: 1 };
    assert_eq!(io::read_tiff(&tiff, None), Err(gap));
    let filled = io::read_tiff(&tiff, fill(7.0)).unwrap();
    assert_eq!(filled.heights, map(2, &[1.0, 2.0, 7.0, 4.0]));
    let other = gdal_tiff(&heights, "-1");
    let found = io::read_tiff(&other, None).unwrap();
    assert_eq!(
        (found.heights, found.frame.no_data),
        (map(2, &heights), Some(-1.0))
    );
}

/// A TIFF of two columns with a no-data value, like those of GDAL.
fn gdal_tiff(heights: &[f32], no_data: &str) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    let mut encoder = tiff::encoder::TiffEncoder::new(&mut file).unwrap();
    let rows = heights.len() as u32 / 2;
    let image = encoder.new_image::<colortype::Gray32Float>(2, rows);
    let mut image = image.unwrap();
    let tag = tiff::tags::Tag::GdalNodata;
    image.encoder().write_tag(tag, no_data).unwrap();
    image.write_data(heights).unwrap();
    file.into_inner()
}

#[test]
fn rejects_invalid_ascii_grids() {
    let says = |text: &str| {
        read(text.as_bytes(), Format::Ascii)
            .unwrap_err()
            .to_string()
    };
    for text in ["", "  \n", "0 1 2 3", "colors 3", "ncolsnrows"] {
        assert_eq!(says(text), "this is not an ASCII grid", "{text}");
    }
    let good = "ncols 2\nnrows 2\ncellsize 1\n";
    for (text, words) in [
        ("ncols 2\nnrows 2\n1 2 3 4", "has no cellsize"),
        ("ncols 2\ncellsize 1\n1 2 3 4", "has no nrows"),
        (
            "ncols 2.5\nnrows 2\ncellsize 1\n1 2 3 4",
            "value of ncols in the header of the grid is not a valid number",
        ),
        (
            "ncols -2\nnrows 2\ncellsize 1\n1 2 3 4",
            "value of ncols in the header of the grid is not a valid number",
        ),
        ("ncols 2\nncols 2\nnrows 2\ncellsize 1\n1 2 3 4", "twice"),
        ("ncols 2\nnrows 2\ncellsize 0\n1 2 3 4", "cellsize is 0"),
        ("ncols 2\nnrows 2\ncellsize nan\n1 2 3 4", "cellsize is NaN"),
        (
            "ncols 2\nnrows 2\nxllcorner inf\ncellsize 1\n1 2 3 4",
            "xllcorner is inf",
        ),
        ("ncols 2\nnrows 2\ndx 1\n1 2 3 4", "has no cellsize"),
        ("ncols 2\nnrows 2\ndx 1\ndy 0\n1 2 3 4", "dy is 0"),
        ("ncols 2\nnrows 2\nsize 1\n1 2 3 4", "unknown name `size`"),
        ("ncols 2\nnrows", "incomplete"),
        ("ncols 2\nnrows 2", "incomplete"),
        (&format!("{good}1 2 3"), "fewer heights"),
        (&format!("{good}1 2 3    "), "fewer heights"),
        (&format!("{good}1 2 3 4 5"), "more heights"),
        (&format!("{good}1 2,5,1 3 4"), "column 1, row 0"),
        (&format!("{good}1 2 3 \u{fe}"), "column 1, row 1"),
    ] {
        let line = says(text);
        assert!(line.contains(words), "{text}: {line}");
    }
}

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
fn reads_all_kinds_of_exr() {
    // Halves can represent these heights exactly.
    let heights: Vec<f32> = (0..70 * 50)
        .map(|cell| (cell / 90 % 33) as f32 / 32.0)
        .collect();
    let map = map(70, &heights);
    for compression in [
        Compression::Uncompressed,
        Compression::RLE,
        Compression::ZIP1,
        Compression::ZIP16,
        Compression::PIZ,
        Compression::PXR24,
    ] {
        for blocks in [Blocks::ScanLines, Blocks::Tiles(Vec2(32, 16))] {
            for half in [false, true] {
                let file = files::exr(&map, compression, blocks, half);
                assert_eq!(
                    read(&file, Format::Exr).unwrap(),
                    map,
                    "{compression}, {blocks:?}"
                );
            }
        }
    }
    // Tiles in two parts.
    for (part, sign) in [("first", 1.0), ("second", -1.0)] {
        let options = ReadOptions {
            part: Some(part.to_owned()),
            ..ReadOptions::default()
        };
        let found = io::read(&files::exr_layers(&map), Format::Exr, &options).unwrap();
        let expected = map.heights().iter().map(|z| sign * z);
        assert!(
            found.heights.heights().iter().copied().eq(expected),
            "{part}"
        );
    }
    let lossy = files::exr(&map, Compression::B44, Blocks::ScanLines, true);
    let line = read(&lossy, Format::Exr).unwrap_err().to_string();
    assert!(line.contains("not supported: b44"), "{line}");
}

#[test]
fn sidecar_json_has_all_fields() {
    let map = map(3, &[0.1, 0.25, 1.0, 0.5, 0.75, 0.2]);
    let format = RawFormat {
        sample: Sample::F32,
        order: ByteOrder::Big,
    };
    let scale = Scale {
        spacing: 0.3,
        relief: 120.0,
    };
    let mut model = ElevationModel {
        heights: map.clone(),
        frame: MapFrame::of_scale(scale, true),
    };
    model.frame.scenery = Scenery {
        sea_level: Some(30.5),
        snow_line: None,
        cover: Some(LandCover::Desert),
    };
    let sidecar = Sidecar::of(&model, Some(format), model.frame.elevation);
    let mut json = Vec::new();
    sidecar.write(&mut json).unwrap();
    let expected = r#"{
  "version": 1,
  "width": 3,
  "height": 2,
  "sample": "f32",
  "byte_order": "big",
  "lowest": 12.000000178813934,
  "highest": 120.0,
  "offset": 0.0,
  "relief": 120.0,
  "unit": "m",
  "no_data": null,
  "spacing": [
    0.3,
    0.3
  ],
  "corner": [
    0.0,
    0.0
  ],
  "cell": [
    0.3,
    0.3
  ],
  "cell_unit": "m",
  "system": null,
  "sea_level": 30.5,
  "snow_line": null,
  "cover": "desert",
  "elevation_is_explicit": true,
  "place_is_explicit": true
}
"#;
    assert_eq!(String::from_utf8(json.clone()).unwrap(), expected);
    assert_eq!(Sidecar::parse(&json).unwrap(), sidecar);
    let mut raw = Vec::new();
    io::write_raw(&map, format, &mut raw).unwrap();
    assert_eq!(sidecar.read(&raw).unwrap(), model);
    assert!(matches!(
        sidecar.read(&raw[1..]),
        Err(ImportError::Length { .. })
    ));
}

#[test]
fn sidecar_round_trips_bit_exactly() {
    let mut rng = SeededRng::new(5, b"formats ");
    for _ in 0..60 {
        let map = any_heights(&mut rng);
        let scale = Scale {
            spacing: (rng.unit() * 100.0) as f32 + 1e-30,
            relief: (rng.unit() * 1e5) as f32 + 1e-30,
        };
        let mut model = ElevationModel {
            heights: map,
            frame: MapFrame::of_scale(scale, true),
        };
        model.frame.unit = [None, Some(LengthUnit::Foot)][rng.below(2) as usize];
        model.frame.no_data = [None, Some(-9999.5)][rng.below(2) as usize];
        model.frame.place.corner = [
            rng.below(1 << 30) as f64 / 1e3,
            -(rng.below(99) as f64) / 8.0,
        ];
        let systems = [
            None,
            Some(CoordinateSystem::Projected(2193)),
            Some(CoordinateSystem::Geographic(4326)),
        ];
        model.frame.place.system = systems[rng.below(3) as usize];
        if matches!(
            model.frame.place.system,
            Some(CoordinateSystem::Geographic(_))
        ) {
            model.frame.place.cell = [(1 + rng.below(999)) as f64 / 8192.0; 2];
        }
        let sidecar = Sidecar::of(&model, Some(RawFormat::R32), model.frame.elevation);
        let mut json = Vec::new();
        sidecar.write(&mut json).unwrap();
        let again = Sidecar::parse(&json).unwrap();
        assert_eq!(again.frame, sidecar.frame);
        assert_eq!((again.size, again.format), (sidecar.size, sidecar.format));
        // Numbers with 17 digits may be parsed as their neighbor.
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-15 * b.abs();
        assert!(near(again.range.0, sidecar.range.0) && near(again.range.1, sidecar.range.1));
    }
}

#[test]
fn rejects_invalid_sidecars_by_reason() {
    let good = String::from_utf8(files::sidecar()).unwrap();
    assert!(Sidecar::parse(good.as_bytes()).is_ok());
    for (from, to, words) in [
        ("\"version\": 1", "\"version\": 2", "version is 2"),
        ("\"version\": 1,", "", "missing field `version`"),
        ("\"unit\"", "\"units\"", "unknown field `units`"),
        (
            "\"sea_level\": null",
            "\"sea_level\": \"low\"",
            "invalid type",
        ),
        (
            "\"sea_level\": null",
            "\"sea_level\": 1e999",
            "invalid sidecar",
        ),
        (
            "\"snow_line\": null",
            "\"snow_line\": -3.5",
            "snow_line is -3.5",
        ),
        (
            "\"cover\": null",
            "\"cover\": \"moss\"",
            "unknown variant `moss`",
        ),
        (
            "\"place_is_explicit\": false",
            "\"place_is_explicit\": 0",
            "invalid type",
        ),
        (
            "\"width\": 7",
            "\"width\": 7, \"depth\": 1",
            "unknown field `depth`",
        ),
        (
            "\"width\": 7",
            "\"width\": 7, \"width\": 7",
            "duplicate field `width`",
        ),
        ("\"width\": 7", "\"width\": 16385", "from 2 to 16384"),
        ("\"width\": 7", "\"width\": -7", "invalid value"),
        ("\"width\": 7", "\"width\": 1e99", "invalid sidecar"),
        ("\"u16\"", "\"u24\"", "unknown variant `u24`"),
        ("\"little\"", "\"middle\"", "unknown variant `middle`"),
        ("\"highest\": 1.12", "\"highest\": -1.0", "highest is -1"),
        ("\"highest\": 1.12", "\"highest\": 1e999", "invalid sidecar"),
        ("\"relief\": 1.12", "\"relief\": 0", "relief is 0"),
        (
            "\"unit\": \"m\"",
            "\"unit\": \"ell\"",
            "unknown variant `ell`",
        ),
        (
            "\"byte_order\": \"little\"",
            "\"byte_order\": null",
            "both be null",
        ),
        ("\"cell\": [\n    1.0", "\"cell\": [\n    0", "cell is 0"),
        (
            "\"cell\": [\n    1.0",
            "\"cell\": [\n    1.0,\n    1.0",
            "invalid sidecar",
        ),
        ("\"lowest\": 0.0", "\"lowest\": null", "invalid sidecar"),
    ] {
        let bad = good.replace(from, to);
        assert_ne!(bad, good, "{from} does not occur");
        let line = Sidecar::parse(bad.as_bytes()).unwrap_err().to_string();
        assert!(line.contains(words), "{to}: {line}");
    }
    let model = ElevationModel::of_heights(ramp(3, 3));
    let mut sidecar = Sidecar::of(&model, None, model.frame.elevation);
    sidecar.frame.elevation.relief = f64::NAN;
    assert!(matches!(
        sidecar.write(Vec::new()),
        Err(ExportError::Param(_))
    ));
}

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

#[test]
fn ignores_sidecar_for_another_size() {
    let png = written_model(
        &ElevationModel {
            heights: ramp(4, 3),
            ..known()
        },
        Format::Png,
        &WriteOptions::default(),
    );
    let other = String::from_utf8_lossy(&png).contains("\"width\":4");
    assert!(other);
    let at = png
        .windows(9)
        .position(|part| part == b"\"width\":4")
        .unwrap();
    let mut changed = png.clone();
    changed[at + 8] = b'5';
    // The decoder does not verify the checksum of a text chunk.
    let found = io::read(&changed, Format::Png, &ReadOptions::default()).unwrap();
    assert!(!found.frame.place_is_explicit && !found.frame.elevation_is_explicit);
    changed[at + 8] = b'x';
    let line = io::read(&changed, Format::Png, &ReadOptions::default()).unwrap_err();
    assert!(line.to_string().contains("invalid sidecar"), "{line}");
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
