//! ESRI ASCII grids: known text, files of other programs, gaps, and rejected files.

use lanternfell_heightmap::{GeoReference, Progress};
use lanternfell_io::{self as io, Fill, Format, ImportError, WriteOptions};
use tiff::encoder::colortype;

use super::{
    files::{plain, written_model},
    map, read, size,
};

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
