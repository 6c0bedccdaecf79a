//! TIFFs with LERC compression: three files of GDAL, and others of every number format, compressed with the encoder of
//! the same library.

use lanternfell_heightmap::SeededRng;
use lanternfell_io::{self as io, Fill, Format, ImportError, ReadOptions};
use lerc::{Precision, Sample, bitmask::BitMask};
use tiff::encoder::{Compression, DeflateLevel};

use super::{
    gdal_lerc,
    pages::{File, Page, Values, packed, zstandard},
};

const PARAMETERS: u16 = 50_674;

fn read(file: &[u8], fill: Option<f32>) -> Result<Vec<f32>, ImportError> {
    let fill = fill.map(Fill::Height);
    let options = ReadOptions {
        fill,
        ..ReadOptions::default()
    };
    let model = io::read(file, Format::Tiff, &options)?;
    Ok(model.heights.heights().to_vec())
}

/// A page of numbers in a sample format, compressed with LERC and an outer compression.
fn page(size: [usize; 2], (format, bits): (u16, u16), around: u32) -> Page {
    Page::new(0, size, bits)
        .set(259, Values::Shorts(vec![34_887]))
        .set(339, Values::Shorts(vec![format]))
        .set(PARAMETERS, Values::Longs(vec![4, around]))
}

/// Applies the outer compression.
fn wrapped(blob: Vec<u8>, around: u32) -> Vec<u8> {
    match around {
        0 => blob,
        1 => packed(&blob, Compression::Deflate(DeflateLevel::Balanced)),
        _ => zstandard(&blob),
    }
}

fn blob<T: Sample>([width, height]: [usize; 2], numbers: &[T]) -> Vec<u8> {
    lerc::encode_slice(width as u32, height as u32, numbers, Precision::Lossless).unwrap()
}

/// Tests one number format in strips and in tiles of 16 x 16, with each outer compression.
fn assert_kind<T: Sample>(kind: (u16, u16), height: impl Fn(T) -> f32) {
    let (width, rows) = (35, 20);
    let mut rng = SeededRng::new(kind.1.into(), b"lerc    ");
    let mut slope = 0.0;
    let numbers = (0..width * rows).map(|_| {
        slope += rng.unit();
        T::from_f64((slope * 0.2).floor() % 100.0)
    });
    let numbers: Vec<T> = numbers.collect();
    let expected: Vec<f32> = numbers.iter().map(|&number| height(number)).collect();
    for around in 0..3 {
        for strip in [1, 7, rows] {
            let strips = numbers.chunks(strip * width).map(|numbers| {
                let blob = blob([width, numbers.len() / width], numbers);
                wrapped(blob, around)
            });
            let page = page([width, rows], kind, around).rows(strip, strips.collect());
            let file = File::of(vec![page], false, false);
            let what = format!("{kind:?}, {around}, strips of {strip}");
            assert_eq!(read(&file, None), Ok(expected.clone()), "{what}");
            assert_eq!(unpacked(&file), expected, "{what}");
        }
        let mut page = page([width, rows], kind, around)
            .set(322, Values::Shorts(vec![16]))
            .set(323, Values::Shorts(vec![16]));
        for (top, left) in [(0, 0), (0, 16), (0, 32), (16, 0), (16, 16), (16, 32)] {
            let cell = |k: usize| {
                let (x, y) = (left + k % 16, top + k / 16);
                let is_inside = x < width && y < rows;
                if is_inside {
                    numbers[y * width + x]
                } else {
                    T::default()
                }
            };
            let tile: Vec<T> = (0..256).map(cell).collect();
            page.strips.push(wrapped(blob([16, 16], &tile), around));
        }
        let file = File::of(vec![page], false, true);
        assert_eq!(read(&file, None), Ok(expected.clone()), "{kind:?}, tiles");
    }
}

/// Reads the same file with `unpack`.
fn unpacked(file: &[u8]) -> Vec<f32> {
    super::unpacked::unpacked(file, Format::Tiff, &ReadOptions::default()).1
}

#[test]
fn reads_all_number_formats() {
    assert_kind::<u8>((1, 8), |number| f32::from(number) / 255.0);
    assert_kind::<u16>((1, 16), |number| f32::from(number) / 65_535.0);
    assert_kind::<u32>((1, 32), |number| number as f32);
    assert_kind::<i8>((2, 8), f32::from);
    assert_kind::<i16>((2, 16), f32::from);
    assert_kind::<i32>((2, 32), |number| number as f32);
    assert_kind::<f32>((3, 32), |number| number);
    assert_kind::<f64>((3, 64), |number| number as f32);
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks_exact(2);
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

/// Heights must be within the error that GDAL was given. Excluded cells have no height.
#[test]
fn reads_files_of_gdal() {
    let height = |cell: usize| {
        let (x, y) = ((cell % 17) as f64, (cell / 17) as f64);
        let z = 40.0 * (0.7 * x).sin() * (0.5 * y).cos() + 3.0 * x - 7.0 * y;
        (100.0 * z).round() / 100.0
    };
    let off = |found: &[f32], expected: &dyn Fn(usize) -> Option<f64>| {
        assert_eq!(found.len(), 170);
        let off = found.iter().enumerate().map(|(cell, &z)| {
            let expected = expected(cell).unwrap_or(1e6);
            (f64::from(z) - expected).abs()
        });
        off.fold(0.0, f64::max)
    };
    let floats = bytes(gdal_lerc::FLOATS);
    let is_gap = |cell: usize| (2..5).contains(&(cell / 17)) && (3..9).contains(&(cell % 17));
    let found = read(&floats, Some(1e6)).unwrap();
    let most = off(&found, &|cell| (!is_gap(cell)).then(|| height(cell)));
    assert!(most > 0.1 && most < 0.2501, "{most}");
    let gap = read(&floats, None).unwrap_err().to_string();
    assert!(gap.contains("column 3, row 2"), "{gap}");

    let words = read(&bytes(gdal_lerc::WORDS), None).unwrap();
    assert_eq!(off(&words, &|cell| Some(height(cell).trunc())), 0.0);
    let big = read(&bytes(gdal_lerc::BIG), None).unwrap();
    let most = off(&big, &|cell| Some(height(cell)));
    assert!(most > 0.5 && most < 1.0001, "{most}");
}

#[test]
fn reads_each_band() {
    let numbers: Vec<i16> = (0..300).collect();
    let all = [BitMask::all_valid(100)];
    let blob = lerc::encode_borrowed(10, 10, 3, 1, &numbers, &all, None, Precision::Lossless);
    let page = page([10, 10], (2, 16), 0)
        .set(277, Values::Shorts(vec![3]))
        .set(258, Values::Shorts(vec![16; 3]))
        .set(339, Values::Shorts(vec![2; 3]))
        .rows(10, vec![blob.unwrap()]);
    let file = File::of(vec![page], false, false);
    for band in 1..=3 {
        let options = ReadOptions {
            band: Some(band),
            ..ReadOptions::default()
        };
        let found = io::read(&file, Format::Tiff, &options).unwrap().heights;
        let expected = (0..100).map(|cell| 3.0 * cell as f32 + band as f32 - 1.0);
        assert_eq!(found.heights(), expected.collect::<Vec<_>>());
    }
    let line = read(&file, None).unwrap_err().to_string();
    assert!(line.contains("3 bands"), "{line}");
}

#[test]
fn masked_cells_have_no_height() {
    let mut mask = BitMask::all_valid(80);
    for cell in [3, 40, 79] {
        mask.set_invalid(cell);
    }
    let numbers: Vec<f32> = (0..80).map(|cell| cell as f32).collect();
    let file = |kind, blob: Vec<u8>| {
        let page = page([10, 8], kind, 0).rows(8, vec![blob]);
        File::of(vec![page], false, false)
    };
    let floats = lerc::encode_slice_masked(10, 8, &numbers, &mask, Precision::Lossless).unwrap();
    let floats = file((3, 32), floats);
    let line = read(&floats, None).unwrap_err().to_string();
    assert!(line.contains("column 3, row 0"), "{line}");
    let mut expected = numbers;
    for cell in [3, 40, 79] {
        expected[cell] = -1.0;
    }
    assert_eq!(read(&floats, Some(-1.0)), Ok(expected));
    // Integers have no value for "no height".
    let words: Vec<i16> = (0..80).collect();
    let words = lerc::encode_slice_masked(10, 8, &words, &mask, Precision::Lossless).unwrap();
    let line = read(&file((2, 16), words), Some(-1.0))
        .unwrap_err()
        .to_string();
    assert!(line.contains("not supported: no-data cells"), "{line}");
}

/// Flat terrain takes about a hundred bytes, independent of its size.
#[test]
fn accepts_flat_terrain() {
    let blob = blob([2000, 2000], &vec![7.0_f32; 4_000_000]);
    assert!(blob.len() < 150);
    let page = page([2000, 2000], (3, 32), 0).rows(2000, vec![blob]);
    let found = read(&File::of(vec![page], false, false), None).unwrap();
    assert!(found.iter().all(|&z| z == 7.0));
}

#[test]
fn rejects_mismatched_strips_by_name() {
    let numbers: Vec<f32> = (0..4000).map(|cell| (cell % 37) as f32).collect();
    let of = |[width, height]: [usize; 2]| blob([width, height], &numbers[..width * height]);
    let refused = |around: u32, kind, strip: Vec<u8>, word: &str| {
        let page = page([40, 50], kind, around).rows(50, vec![strip]);
        let file = File::of(vec![page], false, false);
        let line = read(&file, Some(0.0)).unwrap_err().to_string();
        assert!(line.contains(word) && !line.contains('\n'), "{line}");
    };
    let floats = (3, 32);
    refused(0, floats, of([39, 50]), "39 x 50 cells of 1 numbers");
    refused(0, floats, of([40, 51]), "40 x 51 cells");
    // Fewer rows than the strip should have.
    refused(0, floats, of([40, 49]), "damaged");
    refused(0, (2, 32), of([40, 50]), "damaged: a LERC strip");
    refused(0, (3, 16), of([40, 50]), "with LERC compression");
    refused(3, floats, of([40, 50]), "with LERC compression");
    refused(1, floats, of([40, 50]), "damaged");
    refused(2, floats, of([40, 50]), "damaged");
    refused(0, floats, Vec::new(), "damaged");
    let mut short = of([40, 50]);
    short.truncate(short.len() / 2);
    refused(0, floats, short, "damaged");
    let big_endian = page([40, 50], floats, 0).rows(50, vec![of([40, 50])]);
    let line = read(&File::of(vec![big_endian], true, false), None)
        .unwrap_err()
        .to_string();
    assert!(line.contains("big-endian with LERC compression"), "{line}");
    // Without the outer compression, the strip has more bytes than its numbers need.
    refused(1, floats, wrapped(vec![0; 20_000], 1), "damaged");
    refused(2, floats, wrapped(vec![0; 20_000], 2), "damaged");
}

#[test]
fn rejects_damaged_strips() {
    let numbers: Vec<f32> = (0..2000)
        .map(|cell| (cell * cell % 997) as f32 * 0.3)
        .collect();
    let precisions = [Precision::Lossless, Precision::Tolerance(0.5)];
    for precision in precisions {
        let blob = lerc::encode_slice(40, 50, &numbers, precision).unwrap();
        let page = page([40, 50], (3, 32), 0).rows(50, vec![blob.clone()]);
        let file = File::of(vec![page], false, false);
        assert!(read(&file, None).is_ok());
        let at = file.len() - blob.len();
        for place in at..file.len() {
            let mut damaged = file.clone();
            damaged[place] ^= 1 << (place % 8);
            // The checksum covers everything after it, and each byte before it matters.
            let line = read(&damaged, None).unwrap_err().to_string();
            assert!(line.contains("damaged"), "{line}");
            let _ = read(&file[..place], None);
        }
    }
}
