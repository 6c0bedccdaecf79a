//! Sparse TIFFs: strips and tiles without data are not stored, and their offset and length are 0. GDAL writes such
//! files with `SPARSE_OK=TRUE`, and cloud-optimized TIFFs often are. The reported case was
//! `Create('s.tif', 64, 64, 1, GDT_Float32, ['SPARSE_OK=TRUE', 'BLOCKYSIZE=16'])` with only the upper half written.

use lanternfell_io::{self as io, Fill, Format, ImportError, ReadOptions};
use lerc::Precision;
use tiff::encoder::{Compression, DeflateLevel};

use super::{
    pages::{File, Page, Values, packed, zstandard},
    unpacked,
};

const SIZE: [usize; 2] = [40, 37];

/// A way to compress a strip: the number of the method, and the compression of a block of this width.
type Pack = (u16, fn(&[u8], Numbers, usize) -> Vec<u8>);

const PACKS: [Pack; 6] = [
    (1, |bytes, _, _| bytes.to_vec()),
    (5, |bytes, _, _| packed(bytes, Compression::Lzw)),
    (8, |bytes, _, _| {
        packed(bytes, Compression::Deflate(DeflateLevel::Fast))
    }),
    (32_773, |bytes, _, _| packed(bytes, Compression::Packbits)),
    (50_000, |bytes, _, _| zstandard(bytes)),
    (34_887, |bytes, numbers, width| numbers.lerc(bytes, width)),
];

/// A number format.
#[derive(Debug, Clone, Copy)]
enum Numbers {
    U8,
    I16,
    F32,
}

impl Numbers {
    fn format_and_bits(self) -> (u16, u16) {
        match self {
            Self::U8 => (1, 8),
            Self::I16 => (2, 16),
            Self::F32 => (3, 32),
        }
    }

    fn bytes(self, cell: usize) -> Vec<u8> {
        let number = cell * 7 % 200 + 1;
        match self {
            Self::U8 => vec![number as u8],
            Self::I16 => (number as i16).to_le_bytes().to_vec(),
            Self::F32 => (number as f32).to_le_bytes().to_vec(),
        }
    }

    /// The height that is read for a number.
    fn height(self, number: f32) -> f32 {
        match self {
            Self::U8 => number / 255.0,
            Self::I16 | Self::F32 => number,
        }
    }

    fn lerc(self, bytes: &[u8], width: usize) -> Vec<u8> {
        fn encoded<const N: usize, T: lerc::Sample>(
            bytes: &[u8],
            width: usize,
            of: impl Fn([u8; N]) -> T,
        ) -> Vec<u8> {
            let numbers: Vec<T> = bytes.as_chunks().0.iter().map(|&bytes| of(bytes)).collect();
            let height = numbers.len() / width;
            lerc::encode_slice(width as u32, height as u32, &numbers, Precision::Lossless).unwrap()
        }
        match self {
            Self::U8 => encoded(bytes, width, u8::from_le_bytes),
            Self::I16 => encoded(bytes, width, i16::from_le_bytes),
            Self::F32 => encoded(bytes, width, f32::from_le_bytes),
        }
    }
}

/// A map in strips of 7 rows or in tiles of 16 x 16 cells. Every third block is missing.
fn page(numbers: Numbers, (method, pack): Pack, is_tiled: bool) -> Page {
    let [width, height] = SIZE;
    let (format, bits) = numbers.format_and_bits();
    let page = Page::new(0, SIZE, bits)
        .set(339, Values::Shorts(vec![format]))
        .set(259, Values::Shorts(vec![method]));
    let block = |left: usize, top: usize, wide: usize, tall: usize| {
        let cells = (top..top + tall).flat_map(|y| (left..left + wide).map(move |x| (x, y)));
        let bytes = cells.flat_map(|(x, y)| numbers.bytes(y * width + x));
        pack(&bytes.collect::<Vec<_>>(), numbers, wide)
    };
    let mut page = if is_tiled {
        let tops = (0..height).step_by(16);
        let corners = tops.flat_map(|top| (0..width).step_by(16).map(move |left| (left, top)));
        let tile = || Values::Shorts(vec![16]);
        let mut page = page.set(322, tile()).set(323, tile());
        page.strips = corners
            .map(|(left, top)| block(left, top, 16, 16))
            .collect();
        page
    } else {
        let tops = (0..height).step_by(7);
        page.rows(
            7,
            tops.map(|top| block(0, top, width, 7.min(height - top)))
                .collect(),
        )
    };
    page.missing = (0..page.strips.len())
        .filter(|index| index % 3 == 1)
        .collect();
    page
}

/// Returns whether a cell of [`page`] is missing.
fn is_missing(cell: usize, is_tiled: bool) -> bool {
    let (x, y) = (cell % SIZE[0], cell / SIZE[0]);
    let block = if is_tiled { y / 16 * 3 + x / 16 } else { y / 7 };
    block % 3 == 1
}

fn options(fill: Option<Fill>) -> ReadOptions {
    ReadOptions {
        fill,
        ..ReadOptions::default()
    }
}

fn read(file: &[u8], fill: Option<Fill>) -> Result<Vec<f32>, ImportError> {
    let model = io::read(file, Format::Tiff, &options(fill))?;
    Ok(model.heights.heights().to_vec())
}

fn unpacked(file: &[u8], fill: Option<Fill>) -> Vec<f32> {
    unpacked::unpacked(file, Format::Tiff, &options(fill)).1
}

#[test]
fn missing_blocks_are_no_data_or_0() {
    for numbers in [Numbers::U8, Numbers::I16, Numbers::F32] {
        for pack in PACKS {
            for is_tiled in [false, true] {
                let what = format!("{numbers:?}, {}, tiled: {is_tiled}", pack.0);
                let expected = |missing: f32, height: &dyn Fn(f32) -> f32| -> Vec<f32> {
                    let height = |cell: usize| {
                        if is_missing(cell, is_tiled) {
                            missing
                        } else {
                            height((cell * 7 % 200 + 1) as f32)
                        }
                    };
                    (0..SIZE[0] * SIZE[1]).map(height).collect()
                };
                let zero = File::of(vec![page(numbers, pack, is_tiled)], false, false);
                let zeros = expected(0.0, &|number| numbers.height(number));
                assert_eq!(read(&zero, None).unwrap(), zeros, "{what}");
                assert_eq!(unpacked(&zero, None), zeros, "{what}");

                let page = page(numbers, pack, is_tiled).set(42_113, Values::Text("250"));
                let gaps = File::of(vec![page], false, true);
                let first = (0..).find(|&cell| is_missing(cell, is_tiled)).unwrap();
                let (column, row) = (first % SIZE[0], first / SIZE[0]);
                assert_eq!(
                    read(&gaps, None),
                    Err(ImportError::Gap { column, row }),
                    "{what}"
                );
                // With a no-data value, all numbers are meters.
                let fill = Some(Fill::Height(-3.0));
                let filled = expected(-3.0, &|number| number);
                assert_eq!(read(&gaps, fill).unwrap(), filled, "{what}");
                assert_eq!(unpacked(&gaps, fill), filled, "{what}");
                let smooth = read(&gaps, Some(Fill::Interpolate)).unwrap();
                assert!(smooth.iter().all(|z| (1.0..=200.0).contains(z)), "{what}");
            }
        }
    }
}

/// The upper half as in the report, in strips of more than 1 MiB, which are otherwise read in pieces.
#[test]
fn long_strips_may_be_missing() {
    let (width, rows) = (1024, 300);
    let heights: Vec<f32> = (0..2 * rows * width)
        .map(|cell| (cell % 999) as f32)
        .collect();
    let strips = heights.chunks(rows * width).map(|strip| {
        let bytes = strip.iter().flat_map(|z| z.to_le_bytes());
        bytes.collect()
    });
    let page = Page::new(0, [width, 2 * rows], 32).set(339, Values::Shorts(vec![3]));
    let mut page = page.rows(rows, strips.collect());
    page.missing = vec![1];
    let found = read(&File::of(vec![page], false, false), None).unwrap();
    let (upper, lower) = found.split_at(rows * width);
    assert!(upper == &heights[..rows * width] && lower.iter().all(|&z| z == 0.0));
}

/// Changes the offset or the length of the second of four strips to 0.
fn half_missing(tag: u16) -> Vec<u8> {
    let strips = vec![vec![7; 8]; 4];
    let mut file = File::of(vec![Page::new(0, [8, 4], 8).rows(1, strips)], false, false);
    let entry = [&tag.to_le_bytes()[..], &[4, 0, 4, 0, 0, 0]].concat();
    let at = file.windows(8).position(|bytes| bytes == entry).unwrap() + 8;
    let list = u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    file[list + 4..list + 8].fill(0);
    file
}

#[test]
fn offset_or_length_of_0_is_missing() {
    for tag in [273, 279] {
        let found = read(&half_missing(tag), None).unwrap();
        assert!(found[8..16].iter().all(|&z| z == 0.0));
        assert!(
            found[16..]
                .iter()
                .chain(&found[..8])
                .all(|&z| z == 7.0 / 255.0)
        );
    }
}

/// Some programs write a single strip with a length of 0. `libtiff` computes the length.
#[test]
fn single_strip_of_length_0_is_read() {
    let page = Page::new(0, [8, 4], 8).rows(4, vec![vec![7; 32]]);
    let mut file = File::of(vec![page], false, false);
    let entry = [&279_u16.to_le_bytes()[..], &[4, 0, 1, 0, 0, 0]].concat();
    let at = file.windows(8).position(|bytes| bytes == entry).unwrap() + 8;
    file[at..at + 4].fill(0);
    assert_eq!(read(&file, None).unwrap(), vec![7.0 / 255.0; 32]);
}

#[test]
fn missing_strips_of_mask_are_excluded() {
    let heights = Page::new(0, [8, 4], 8).rows(4, vec![vec![51; 32]]);
    let mut mask = Page::new(4, [8, 4], 1).rows(2, vec![vec![255; 2]; 2]);
    mask.missing = vec![0];
    let file = File::of(vec![heights, mask], false, false);
    let found = read(&file, Some(Fill::Height(9.0))).unwrap();
    assert!(found[..16].iter().all(|&z| z == 9.0) && found[16..].iter().all(|&z| z == 0.2));
}

/// GDAL 3.6, `SPARSE_OK=TRUE`, `BIGTIFF=YES`, `BLOCKYSIZE=2`: the first of two strips was written.
#[test]
fn reads_sparse_bigtiff_of_gdal() {
    let found = read(BIG, None).unwrap();
    let expected: Vec<f32> = (1..=8).map(|z| z as f32).chain([0.0; 8]).collect();
    assert_eq!(found, expected);
}

/// Most of a large map is missing, so the file is far smaller than the map: 1 KB for 16 MiB.
#[test]
fn large_maps_may_be_mostly_missing() {
    let tile = packed(
        &vec![51; 512 * 512],
        Compression::Deflate(DeflateLevel::Best),
    );
    let mut page = Page::new(0, [4096; 2], 8)
        .set(259, Values::Shorts(vec![8]))
        .set(322, Values::Shorts(vec![512]))
        .set(323, Values::Shorts(vec![512]));
    page.strips = vec![tile];
    page.strips.resize(64, Vec::new());
    page.missing = (1..64).collect();
    let small = File::of(vec![page], false, false);
    assert!(small.len() < 2000, "{}", small.len());
    let found = read(&small, None).unwrap();
    assert!(found[..512].iter().all(|&z| z == 0.2) && found[512..4096].iter().all(|&z| z == 0.0));

    // A single missing tile of 16384 x 16384 cells would take 1 GiB.
    let mut page = Page::new(0, [16_384; 2], 8).rows(16_384, vec![Vec::new()]);
    page.missing = vec![0];
    let line = read(&File::of(vec![page], false, false), None)
        .unwrap_err()
        .to_string();
    assert!(line.contains("damaged"), "{line}");
}

#[rustfmt::skip]
const BIG: &[u8] = &[
    73, 73, 43, 0, 8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0,
    0, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 1, 3, 0,
    1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 2, 1, 3, 0, 1, 0, 0, 0,
    0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 3, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0,
    1, 0, 0, 0, 0, 0, 0, 0, 6, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
    0, 0, 0, 0, 17, 1, 16, 0, 2, 0, 0, 0, 0, 0, 0, 0, 252, 0, 0, 0, 0, 0, 0, 0,
    21, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 22, 1, 3, 0,
    1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 23, 1, 3, 0, 2, 0, 0, 0,
    0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 28, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0,
    1, 0, 0, 0, 0, 0, 0, 0, 83, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0,
];
