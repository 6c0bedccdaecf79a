//! TIFFs in strips of many rows, which are read in pieces.

use lanternfell_io::{self as io, Format, ImportError, ReadOptions};

use super::{
    pages::{File, Page, Values},
    unpacked::unpacked,
};

fn height(cell: usize) -> f32 {
    (cell * cell % 977) as f32 * 0.25 + (cell / 1000) as f32
}

/// Rows of heights in strips of `strip` rows, each followed by `more` unused bytes.
fn page([width, rows]: [usize; 2], strip: usize, big_endian: bool, more: usize) -> Page {
    let heights: Vec<f32> = (0..width * rows).map(height).collect();
    let bytes = |z: &f32| {
        if big_endian {
            z.to_be_bytes()
        } else {
            z.to_le_bytes()
        }
    };
    let strips = heights.chunks(strip * width).map(|strip| {
        let bytes = strip.iter().flat_map(bytes);
        bytes.chain(vec![255; more]).collect()
    });
    let page = Page::new(0, [width, rows], 32).set(339, Values::Shorts(vec![3]));
    page.rows(strip, strips.collect())
}

fn read(file: &[u8]) -> Result<Vec<f32>, ImportError> {
    let model = io::read(file, Format::Tiff, &ReadOptions::default())?;
    Ok(model.heights.heights().to_vec())
}

#[test]
fn reads_long_strips() {
    // Strips of 1, 2 and 3 MiB. The last width has rows of more than 1 MiB.
    for (width, rows, strip) in [
        (512, 512, 512),
        (512, 1024, 1024),
        (600, 1311, 1311),
        (600, 1311, 1310),
        (600, 1311, 521),
        (600, 1311, 600),
        (16_384, 70, 33),
    ] {
        let expected: Vec<f32> = (0..width * rows).map(height).collect();
        for (big_endian, more) in [(false, 0), (true, 0), (false, 3)] {
            let page = page([width, rows], strip, big_endian, more);
            let file = File::of(vec![page], big_endian, false);
            let what = format!("{width} x {rows}, {strip}, {big_endian}, {more}");
            assert!(read(&file).unwrap() == expected, "{what}");
            let (_, heights) = unpacked(&file, Format::Tiff, &ReadOptions::default());
            assert!(heights == expected, "{what}");
        }
    }
}

/// Some programs declare the maximum number of rows per strip.
#[test]
fn accepts_too_large_rows_per_strip() {
    let page = page([600, 1311], 1311, false, 0).set(278, Values::Longs(vec![u32::MAX]));
    let file = File::of(vec![page], false, false);
    let expected: Vec<f32> = (0..600 * 1311).map(height).collect();
    assert!(read(&file).unwrap() == expected);
}

#[test]
fn rejects_truncated_long_strips() {
    for strip in [521, 1311] {
        let page = page([600, 1311], strip, false, 0);
        let file = File::of(vec![page], false, false);
        for less in [1, 5000, 2_000_000] {
            let line = read(&file[..file.len() - less]).err().unwrap().to_string();
            assert!(line.contains("damaged"), "{line}");
        }
    }
}
