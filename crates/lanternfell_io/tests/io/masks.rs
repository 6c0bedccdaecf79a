//! TIFFs with an internal mask: a second image with one bit per cell, which is 0 for cells without a height. The files
//! are built here byte by byte, like those of GDAL.
//!
//! ```text
//! header ─▶ directory 1: heights ─▶ directory 2: mask ─▶ 0
//! ```

use lanternfell_heightmap::SeededRng;
use lanternfell_io::{self as io, Fill, Format, ImportError, ReadOptions};
use tiff::encoder::{Compression, DeflateLevel};

use super::{
    pages::{File, Page, Values, packed, zstandard},
    unpacked::unpacked,
};

/// Heights, and which cells are valid.
struct Ground {
    size: [usize; 2],
    heights: Vec<f32>,
    is_there: Vec<bool>,
}

impl Ground {
    fn new(width: usize, height: usize) -> Self {
        let mut rng = SeededRng::new((width * height) as u64, b"masks   ");
        let cells = 0..width * height;
        Self {
            size: [width, height],
            heights: cells.clone().map(|_| rng.below(1000) as f32).collect(),
            is_there: cells.map(|_| rng.below(3) > 0).collect(),
        }
    }

    /// The heights in strips of `rows` rows.
    fn page(&self, rows: usize, big_endian: bool) -> Page {
        let strips = self.heights.chunks(rows * self.size[0]).map(|strip| {
            let bytes = |z: &f32| {
                if big_endian {
                    z.to_be_bytes()
                } else {
                    z.to_le_bytes()
                }
            };
            strip.iter().flat_map(bytes).collect()
        });
        let page = Page::new(0, self.size, 32).set(339, Values::Shorts(vec![3]));
        page.rows(rows, strips.collect())
    }

    /// The bits of the mask, each row padded to whole bytes, for a rectangle of cells.
    fn bits(&self, [left, top]: [usize; 2], [width, rows]: [usize; 2]) -> Vec<u8> {
        let mut bytes = vec![0; width.div_ceil(8) * rows];
        for (y, row) in bytes.chunks_exact_mut(width.div_ceil(8)).enumerate() {
            for x in 0..width {
                let (column, y) = (left + x, top + y);
                let is_inside = column < self.size[0] && y < self.size[1];
                if is_inside && self.is_there[y * self.size[0] + column] {
                    row[x / 8] |= 0x80 >> (x % 8);
                }
            }
        }
        bytes
    }

    /// The mask in strips of `rows` rows, each compressed by `pack`.
    fn mask(&self, rows: usize, pack: impl Fn(Vec<u8>) -> Vec<u8>) -> Page {
        let [width, height] = self.size;
        let tops = (0..height).step_by(rows);
        let strips = tops.map(|top| pack(self.bits([0, top], [width, rows.min(height - top)])));
        Page::new(4, self.size, 1).rows(rows, strips.collect())
    }

    /// The mask in tiles of 16 x 16 cells.
    fn tiled_mask(&self) -> Page {
        let [width, height] = self.size;
        let mut page = Page::new(4, self.size, 1)
            .set(322, Values::Shorts(vec![16]))
            .set(323, Values::Shorts(vec![16]));
        for top in (0..height).step_by(16) {
            let lefts = (0..width).step_by(16);
            page.strips
                .extend(lefts.map(|left| self.bits([left, top], [16, 16])));
        }
        page
    }

    /// The heights with gaps filled with 7, the northernmost row first.
    fn filled(&self) -> Vec<f32> {
        let cells = self.heights.iter().zip(&self.is_there);
        cells
            .map(|(&z, &is_there)| if is_there { z } else { 7.0 })
            .collect()
    }

    /// Checks that the file is read like this, in memory and with `unpack`, and that without a fill value the first gap
    /// is an error.
    #[track_caller]
    fn assert_is(&self, file: &[u8], what: &str) {
        self.assert_is_filled(file, self.filled(), what);
        let gap = self
            .is_there
            .iter()
            .position(|&is_there| !is_there)
            .unwrap();
        let (column, row) = (gap % self.size[0], gap / self.size[0]);
        assert_eq!(
            read(file, None),
            Err(ImportError::Gap { column, row }),
            "{what}"
        );
    }

    #[track_caller]
    fn assert_is_filled(&self, file: &[u8], expected: Vec<f32>, what: &str) {
        assert_eq!(read(file, Some(7.0)), Ok(expected.clone()), "{what}");
        let options = ReadOptions {
            fill: Some(Fill::Height(7.0)),
            ..ReadOptions::default()
        };
        let (_, heights) = unpacked(file, Format::Tiff, &options);
        assert_eq!(heights, expected, "{what}");
    }
}

fn read(file: &[u8], fill: Option<f32>) -> Result<Vec<f32>, ImportError> {
    let fill = fill.map(Fill::Height);
    let options = ReadOptions {
        fill,
        ..ReadOptions::default()
    };
    let model = io::read(file, Format::Tiff, &options)?;
    Ok(model.heights.heights().to_vec())
}

fn plain(bits: Vec<u8>) -> Vec<u8> {
    bits
}

#[test]
fn masked_cells_have_no_height() {
    for (width, height) in [(3, 2), (8, 5), (11, 7), (33, 20), (64, 3)] {
        let ground = Ground::new(width, height);
        for rows in [1, 2, height] {
            for kind in 0..4 {
                let (big_endian, strips_last) = (kind % 2 == 1, kind / 2 == 1);
                let pages = vec![ground.page(rows, big_endian), ground.mask(height, plain)];
                let file = File::of(pages, big_endian, strips_last);
                ground.assert_is(&file, &format!("{width} x {height}, {rows}, {kind}"));
                let pages = vec![ground.page(height, big_endian), ground.mask(rows, plain)];
                let file = File::of(pages, big_endian, strips_last);
                ground.assert_is(&file, &format!("mask: {width} x {height}, {rows}, {kind}"));
            }
        }
    }
}

#[test]
fn reads_tiled_masks() {
    for (width, height) in [(16, 16), (20, 18), (50, 33)] {
        let ground = Ground::new(width, height);
        let file = File::of(
            vec![ground.page(5, false), ground.tiled_mask()],
            false,
            true,
        );
        ground.assert_is(&file, &format!("{width} x {height}"));
    }
}

#[test]
fn reads_compressed_masks() {
    let ground = Ground::new(35, 40);
    type Pack = fn(Vec<u8>) -> Vec<u8>;
    let ways: [(u16, Pack); 5] = [
        (5, |bits| packed(&bits, Compression::Lzw)),
        (8, |bits| {
            packed(&bits, Compression::Deflate(DeflateLevel::Balanced))
        }),
        (32_946, |bits| {
            packed(&bits, Compression::Deflate(DeflateLevel::Best))
        }),
        (32_773, |bits| packed(&bits, Compression::Packbits)),
        (50_000, |bits| zstandard(&bits)),
    ];
    for (number, pack) in ways {
        for rows in [1, 7, 40] {
            let mask = ground.mask(rows, pack);
            let mask = mask.set(259, Values::Shorts(vec![number]));
            let pages = vec![ground.page(9, false), mask];
            let file = File::of(pages, false, false);
            ground.assert_is(&file, &format!("compression {number}, {rows} rows"));
        }
    }
}

#[test]
fn combines_no_data_and_mask() {
    let mut ground = Ground::new(13, 6);
    ground.heights[5] = -9999.0;
    ground.is_there[5] = true;
    let page = ground.page(6, false).set(42_113, Values::Text("-9999"));
    let file = File::of(vec![page, ground.mask(6, plain)], false, false);
    let mut expected = ground.filled();
    expected[5] = 7.0;
    ground.assert_is_filled(&file, expected, "no data and a mask");
}

#[test]
fn mask_is_flipped_with_its_map() {
    let ground = Ground::new(13, 6);
    let mut matrix = vec![0.0; 16];
    (matrix[0], matrix[5], matrix[15]) = (10.0, 10.0, 1.0);
    let page = ground.page(2, false).set(34_264, Values::Doubles(matrix));
    let file = File::of(vec![page, ground.mask(4, plain)], false, false);
    let filled = ground.filled();
    let rows = filled.chunks(13).rev();
    ground.assert_is_filled(&file, rows.flatten().copied().collect(), "south-up");
}

/// A reduced copy and its mask come between the map and its mask.
#[test]
fn ignores_mask_of_reduced_copy() {
    let (ground, small) = (Ground::new(24, 10), Ground::new(12, 5));
    let copy = small.page(5, false).set(254, Values::Longs(vec![1]));
    let copy_mask = small.mask(5, plain).set(254, Values::Longs(vec![5]));
    let pages = vec![
        ground.page(10, false),
        copy,
        copy_mask,
        ground.mask(10, plain),
    ];
    ground.assert_is(&File::of(pages, false, true), "all pages");
    let copy = small.page(5, false).set(254, Values::Longs(vec![1]));
    let copy_mask = small.mask(5, plain).set(254, Values::Longs(vec![5]));
    let pages = vec![ground.page(10, false), copy, copy_mask];
    let file = File::of(pages, false, true);
    assert_eq!(read(&file, None), Ok(ground.heights));
}

#[test]
fn rejects_invalid_masks_by_name() {
    let ground = Ground::new(24, 10);
    let refused = |mask: Page, word: &str| {
        let file = File::of(vec![ground.page(10, false), mask], false, false);
        for fill in [None, Some(7.0)] {
            let line = read(&file, fill).unwrap_err().to_string();
            assert!(line.contains(word) && !line.contains('\n'), "{line}");
        }
    };
    for (width, height) in [(23, 10), (24, 9), (48, 20), (10, 24)] {
        let other = Ground::new(width, height);
        refused(other.mask(height, plain), "different sizes");
    }
    let bytes = Page::new(4, [24, 10], 8).rows(10, vec![vec![255; 240]]);
    refused(bytes, "one bit per cell");
    let packed = ground
        .mask(10, plain)
        .set(259, Values::Shorts(vec![34_925]));
    refused(packed, "compression with LZMA");
    let short = Page::new(4, [24, 10], 1).rows(10, vec![vec![255; 20]]);
    refused(short, "damaged");
}
