//! ESRI BIL and float grids: number formats, layouts, places, and rejected headers.

use lanternfell_heightmap::{Elevation, ElevationModel, MapSize};
use lanternfell_io::{
    self as io, BilHeader, ElevationSource, Fill, Format, ImportError, ReadHeights, ReadOptions,
};

fn read(header: &str, format: Format, bytes: &[u8]) -> Result<ElevationModel, ImportError> {
    let header = BilHeader::parse(header.as_bytes(), format)?;
    header.read(bytes, &ReadOptions::default())
}

const SIZE: &str = "NROWS 2\r\nNCOLS 3\r\n";

#[test]
fn reads_every_kind_of_number_in_both_orders() {
    fn check<const N: usize>(kind: &str, heights: [f32; 6], number: impl Fn(f32) -> [u8; N]) {
        for order in ["I", "M", "LSBFIRST", "msbfirst"] {
            let bytes = heights.iter().flat_map(|&height| {
                let mut bytes = number(height);
                if order.to_ascii_uppercase().starts_with('M') {
                    bytes.reverse();
                }
                bytes
            });
            let bytes: Vec<u8> = bytes.collect();
            let header = format!("{SIZE}{kind}\nBYTEORDER {order}\nLAYOUT BIL\n");
            let map = read(&header, Format::Bil, &bytes).unwrap();
            assert_eq!(map.heights.heights(), heights, "{kind}, {order}");
            assert_eq!(map.frame.elevation, Elevation::METERS);
            assert!(map.frame.elevation_is_explicit);
        }
    }
    let (plus, signed) = (
        [0.0, 1.0, 2.0, 100.0, 127.0, 3.0],
        [0.0, -1.0, 2.0, -128.0, 127.0, 3.0],
    );
    check("PIXELTYPE UNSIGNEDINT\nNBITS 8", plus, |z| {
        (z as u8).to_le_bytes()
    });
    check("", plus, |z| (z as u8).to_le_bytes());
    check("PIXELTYPE SIGNEDINT\nNBITS 8", signed, |z| {
        (z as i8).to_le_bytes()
    });
    check("PIXELTYPE UNSIGNEDINT\nNBITS 16", plus, |z| {
        (z as u16).to_le_bytes()
    });
    check("NBITS 16", plus, |z| (z as u16).to_le_bytes());
    check("NBITS 16\nNODATA -9999", signed, |z| {
        (z as i16).to_le_bytes()
    });
    check("PIXELTYPE UNSIGNEDINT\nNBITS 32", plus, |z| {
        (z as u32).to_le_bytes()
    });
    check("pixeltype signedint\nnbits 32", signed, |z| {
        (z as i32).to_le_bytes()
    });
    check("PIXELTYPE FLOAT\nNBITS 32", signed, f32::to_le_bytes);
    check("PIXELTYPE FLOAT\nNBITS 64", signed, |z| {
        f64::from(z).to_le_bytes()
    });
}

#[test]
fn float_grid_has_header_of_ascii_grid() {
    let header = "ncols 3\nnrows 2\nxllcorner -10.5\nyllcorner 37\ncellsize 0.5\nNODATA_value -9999\nbyteorder LSBFIRST\n";
    let numbers = [1.0_f32, 0.5, -9999.0, 2.0, -3.0, 4.0];
    let bytes: Vec<u8> = numbers.iter().flat_map(|z| z.to_le_bytes()).collect();
    let gap = ImportError::Gap { column: 2, row: 0 };
    assert_eq!(read(header, Format::Flt, &bytes), Err(gap));
    let header = BilHeader::parse(header.as_bytes(), Format::Flt).unwrap();
    assert_eq!(
        (header.size(), header.bytes()),
        (MapSize::new(3, 2).unwrap(), 24)
    );
    let options = ReadOptions {
        fill: Some(Fill::Height(7.0)),
        ..ReadOptions::default()
    };
    let map = header.read(&bytes, &options).unwrap();
    assert_eq!(map.heights.heights(), [1.0, 0.5, 7.0, 2.0, -3.0, 4.0]);
    assert_eq!(
        (map.frame.place.corner, map.frame.place.cell),
        ([-10.5, 37.0], [0.5; 2])
    );
    assert_eq!(map.frame.no_data, Some(-9999.0));
}

#[test]
fn numbers_are_meters_unless_an_option_says_otherwise() {
    let header = BilHeader::parse(SIZE.as_bytes(), Format::Bil).unwrap();
    let import = |options: &ReadOptions| header.import(&[0, 51, 102, 153, 204, 255], options);
    let map = import(&ReadOptions::default()).unwrap();
    assert_eq!(map.meaning.source, ElevationSource::Format);
    assert_eq!((map.meaning.one, map.model.range()), (1.0, (0.0, 255.0)));
    let unit = ReadOptions {
        heights: Some(ReadHeights::Unit),
        ..ReadOptions::default()
    };
    let map = import(&unit).unwrap();
    assert_eq!(map.meaning.source, ElevationSource::Option);
    assert_eq!(map.meaning.one, 255.0);
    assert_eq!(map.model.heights.heights(), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
    assert!(!map.model.frame.elevation_is_explicit);
    let mut gaps = ReadOptions {
        no_data: vec![51.0, 255.0],
        ..ReadOptions::default()
    };
    let gap = ImportError::Gap { column: 1, row: 0 };
    assert_eq!(import(&gaps), Err(gap));
    gaps.fill = Some(Fill::Height(-1.0));
    let map = import(&gaps).unwrap();
    let expected = [0.0, -1.0, 102.0, 153.0, 204.0, -1.0];
    assert_eq!(map.model.heights.heights(), expected);
}

#[test]
fn place_is_center_of_northwest_cell() {
    let header = format!("{SIZE}ULXMAP 15\nULYMAP 45\nXDIM 30\nYDIM 10\n");
    let place = read(&header, Format::Bil, &[0; 6]).unwrap().frame.place;
    assert_eq!((place.corner, place.cell), ([0.0, 30.0], [30.0, 10.0]));
    assert_eq!(place.position([0.0, 0.0], 2), [15.0, 45.0]);
    let map = read(SIZE, Format::Bil, &[0; 6]).unwrap();
    assert!(!map.frame.place_is_explicit);
}

#[test]
fn rows_may_have_padding() {
    let bytes = [9, 9, 1, 2, 3, 9, 4, 5, 6];
    let header = format!("{SIZE}SKIPBYTES 2\nTOTALROWBYTES 4\n");
    let map = read(&header, Format::Bil, &bytes).unwrap();
    assert_eq!(map.heights.heights(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let expected = ImportError::Length {
        expected: 9,
        found: 8,
    };
    assert_eq!(read(&header, Format::Bil, &bytes[..8]), Err(expected));
}

#[test]
fn rejects_invalid_headers() {
    for (text, words) in [
        ("", "has no NCOLS"),
        ("NCOLS 3\n", "has no NROWS"),
        ("NCOLS x\nNROWS 2\n", "NCOLS is `x`"),
        ("NCOLS 1\nNROWS 2\n", "from 2 to 16384"),
        ("NCOLS 99999\nNROWS 2\n", "from 2 to 16384"),
        ("ENVI\nsamples = 3\nlines = 2\n", "has no NCOLS"),
        (&format!("{SIZE}NBANDS 3"), "several bands"),
        (&format!("{SIZE}NBITS 12"), "NBITS 12 is not supported"),
        (&format!("{SIZE}PIXELTYPE \u{1b}[1m"), "`\\u{1b}[1"),
        (&format!("{SIZE}BYTEORDER X"), "BYTEORDER is `X`"),
        (
            &format!("{SIZE}TOTALROWBYTES 2"),
            "a row has 2 bytes, but 3 are needed",
        ),
        (&format!("{SIZE}XDIM 0\nYDIM 1"), "XDIM is 0"),
        (&format!("{SIZE}XDIM 1\nYDIM nan"), "YDIM is NaN"),
        (
            &format!("{SIZE}XDIM 1\nYDIM 1\nULXMAP inf"),
            "corner is inf",
        ),
        (&" ".repeat(1 << 17), "longer than"),
    ] {
        let error = read(text, Format::Bil, &[0; 6]).unwrap_err().to_string();
        assert!(error.contains(words), "{text:.40}: {error}");
    }
    let huge = format!("{SIZE}SKIPBYTES {0}\nTOTALROWBYTES {0}", u64::MAX);
    let expected = u64::MAX;
    assert_eq!(
        read(&huge, Format::Bil, &[0; 6]),
        Err(ImportError::Length { expected, found: 6 })
    );
    assert!(BilHeader::parse(b"NCOLS 3\nNROWS 2\xff", Format::Bil).is_err());
    for format in [Format::Bil, Format::Flt] {
        let error = io::read(&[0; 24], format, &ReadOptions::default());
        assert_eq!(error, Err(ImportError::NoHeader));
        assert_eq!(io::size(&[0; 24], format), Err(ImportError::NoHeader));
    }
}

#[test]
fn header_has_name_of_map() {
    assert_eq!(
        BilHeader::names("a.b.bil", Format::Bil),
        ["a.b.hdr", "a.b.HDR"]
    );
    assert_eq!(BilHeader::names("dem", Format::Flt), ["dem.hdr", "dem.HDR"]);
    assert!(BilHeader::names("a.asc", Format::Ascii).is_empty());
}
