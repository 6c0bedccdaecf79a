//! Round trips, known bytes, and rejected files of PNG and RAW.

use std::io::Cursor;

use image::{ColorType, ExtendedColorType, ImageDecoder, ImageEncoder};
use lanternfell_heightmap::{Heightmap, MapSize, Progress, SeededRng};
use lanternfell_io::{
    ByteOrder, ExportError, ImportError, PNG_HEADER, PngDepth, PngRows, RawFormat, Sample,
    png_size, read_png, read_raw, write_image, write_png, write_png_with, write_raw,
};
use lanternfell_render::PerspectiveView;
use proptest::prelude::*;

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map(width: u64, heights: &[f32]) -> Heightmap {
    let size = size(width, heights.len() as u64 / width);
    Heightmap::from_heights(size, heights.to_vec()).unwrap()
}

fn png(map: &Heightmap, depth: PngDepth) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_png(map, depth, &mut bytes).unwrap();
    bytes
}

fn raw(map: &Heightmap, format: RawFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_raw(map, format, &mut bytes).unwrap();
    bytes
}

const FORMATS: [RawFormat; 8] = {
    const fn both(sample: Sample) -> [RawFormat; 2] {
        let little = RawFormat {
            sample,
            order: ByteOrder::Little,
        };
        [
            little,
            RawFormat {
                order: ByteOrder::Big,
                ..little
            },
        ]
    }
    let ([a, b], [c, d]) = (both(Sample::U8), both(Sample::U16));
    let ([e, f], [g, h]) = (both(Sample::I16), both(Sample::F32));
    [a, b, c, d, e, f, g, h]
};

/// Small maps of any shape with heights from 0 to 1, including both ends.
fn maps() -> impl Strategy<Value = Heightmap> {
    let height = prop_oneof![Just(0.0_f32), Just(1.0), 0.0..=1.0_f32];
    let shape = (2..40_usize, 2..40_usize);
    let cells = shape.prop_flat_map(move |(width, rows)| {
        let heights = proptest::collection::vec(height.clone(), width * rows);
        (Just(width), heights)
    });
    cells.prop_map(|(width, heights)| map(width as u64, &heights))
}

/// Returns the largest difference between two maps of the same size.
fn difference(a: &Heightmap, b: &Heightmap) -> f32 {
    assert_eq!(a.size(), b.size());
    let pairs = a.heights().iter().zip(b.heights());
    pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

proptest! {
    #[test]
    fn written_maps_round_trip(map in maps()) {
        let step = |most: f32| 0.5 / most + 1e-7;
        prop_assert!(difference(&map, &read_png(&png(&map, PngDepth::Sixteen)).unwrap()) <= step(65_535.0));
        prop_assert!(difference(&map, &read_png(&png(&map, PngDepth::Eight)).unwrap()) <= step(255.0));
        for format in FORMATS {
            let bytes = raw(&map, format);
            prop_assert_eq!(bytes.len() as u64, format.bytes(map.size()));
            let again = read_raw(&bytes, map.size(), format).unwrap();
            let lost = match format.sample {
                Sample::U8 => step(255.0),
                Sample::U16 => step(65_535.0),
                Sample::I16 => 0.5,
                Sample::F32 => 0.0,
            };
            prop_assert!(difference(&map, &again) <= lost);
            // The second round trip is lossless.
            prop_assert_eq!(raw(&again, format), bytes);
        }
        let once = read_png(&png(&map, PngDepth::Sixteen)).unwrap();
        prop_assert_eq!(&read_png(&png(&once, PngDepth::Sixteen)).unwrap(), &once);
    }

    #[test]
    fn arbitrary_bytes_never_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        place in 0..400_usize,
    ) {
        let _ = read_png(&bytes);
        let mut damaged = png(&map(3, &[0.5; 9]), PngDepth::Sixteen);
        let place = place % damaged.len();
        damaged.splice(place..place, bytes);
        let _ = read_png(&damaged);
    }
}

#[test]
fn all_8_and_16_bit_values_round_trip() {
    let bytes: Vec<f32> = (0..=255).map(|v| v as f32 / 255.0).collect();
    let eight = map(16, &bytes);
    assert_eq!(read_png(&png(&eight, PngDepth::Eight)).unwrap(), eight);
    let words: Vec<f32> = (0..=65_535).map(|v| v as f32 / 65_535.0).collect();
    let sixteen = map(256, &words);
    assert_eq!(
        read_png(&png(&sixteen, PngDepth::Sixteen)).unwrap(),
        sixteen
    );
    let format = RawFormat::R16;
    assert_eq!(
        read_raw(&raw(&sixteen, format), sixteen.size(), format).unwrap(),
        sixteen
    );
}

#[test]
fn raw_has_requested_byte_order() {
    let map = map(2, &[0.0, 1.0, 0.5, 0.2]);
    let bytes = |sample, order| raw(&map, RawFormat { sample, order });
    use {ByteOrder::*, Sample::*};
    assert_eq!(bytes(U8, Little), [0, 255, 128, 51]);
    assert_eq!(bytes(U8, Big), [0, 255, 128, 51]);
    // 65535 / 2 = 32767.5, rounded to 0x8000; 65535 / 5 = 13107 = 0x3333.
    assert_eq!(
        bytes(U16, Little),
        [0, 0, 0xff, 0xff, 0x00, 0x80, 0x33, 0x33]
    );
    assert_eq!(bytes(U16, Big), [0, 0, 0xff, 0xff, 0x80, 0x00, 0x33, 0x33]);
    assert_eq!(bytes(F32, Little)[4..8], 1.0_f32.to_le_bytes());
    assert_eq!(bytes(F32, Big)[12..16], 0.2_f32.to_be_bytes());
}

#[test]
fn pngs_are_grayscale_with_requested_depth() {
    let map = map(3, &[0.0, 0.25, 1.0, 0.5, 0.75, 0.1]);
    for (depth, kind) in [
        (PngDepth::Eight, ColorType::L8),
        (PngDepth::Sixteen, ColorType::L16),
    ] {
        let bytes = png(&map, depth);
        let decoder = image::codecs::png::PngDecoder::new(Cursor::new(&bytes)).unwrap();
        assert_eq!(decoder.color_type(), kind);
        assert_eq!(decoder.dimensions(), (3, 2));
    }
}

#[test]
fn rejects_out_of_range_heights_by_cell() {
    for wrong in [-0.001_f32, 1.001, f32::MAX] {
        let map = map(3, &[0.0, 0.5, 1.0, 0.0, wrong, 1.0]);
        let mut out = Vec::new();
        let png = write_png(&map, PngDepth::Eight, &mut out).unwrap_err();
        let raw = write_raw(&map, RawFormat::R16, &mut out).unwrap_err();
        assert!(out.is_empty(), "no output");
        for error in [png, raw] {
            assert!(
                matches!(
                    error,
                    ExportError::Height {
                        column: 1,
                        row: 1,
                        ..
                    }
                ),
                "{error}"
            );
            assert!(error.to_string().contains("column 1, row 1"), "{error}");
        }
        let bytes = self::raw(&map, RawFormat::R32);
        assert_eq!(read_raw(&bytes, map.size(), RawFormat::R32).unwrap(), map);
    }
}

#[test]
fn rejects_raw_of_wrong_length() {
    let size = size(7, 5);
    for format in FORMATS {
        let expected = format.bytes(size);
        for found in [0, expected - 1, expected + 1] {
            let error = read_raw(&vec![0; found as usize], size, format).unwrap_err();
            assert_eq!(error, ImportError::Length { expected, found });
            let text = error.to_string();
            assert!(text.contains(&expected.to_string()) && text.contains(&found.to_string()));
        }
    }
}

#[test]
fn rejects_non_finite_raw_heights_by_cell() {
    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let numbers = [0.0, 1.0, 2.0, wrong, 4.0, f32::NAN];
        let bytes: Vec<u8> = numbers.iter().flat_map(|v| v.to_le_bytes()).collect();
        let error = read_raw(&bytes, size(2, 3), RawFormat::R32).unwrap_err();
        assert!(
            matches!(
                error,
                ImportError::NotFinite {
                    column: 1,
                    row: 1,
                    ..
                }
            ),
            "{error}"
        );
    }
}

#[test]
fn rejects_truncated_png_in_one_line() {
    let heights: Vec<f32> = (0..600)
        .map(|cell| (cell * 37 % 101) as f32 / 100.0)
        .collect();
    let whole = png(&map(30, &heights), PngDepth::Sixteen);
    // Without its last chunk (12 bytes that only mark the end) all heights are present.
    for length in 0..whole.len() - 12 {
        let error = read_png(&whole[..length]).unwrap_err().to_string();
        assert!(
            error.contains("PNG") && !error.contains('\n'),
            "{length} bytes: {error}"
        );
    }
}

#[test]
fn rejects_other_files_as_png() {
    for bytes in [&b""[..], b"\x89PN", b"GIF89a", b"Recipe(version: 1)"] {
        let error = read_png(bytes).unwrap_err();
        assert_eq!(error.to_string(), "this is not a PNG");
    }
}

/// A PNG that declares this size and has no pixels.
fn empty_png(width: u32, height: u32) -> Vec<u8> {
    // 16 bits, gray, default compression and filter, not interlaced.
    chunks([width, height], [16, 0, 0, 0, 0], &[])
}

/// A PNG with these chunks.
fn chunks(sides: [u32; 2], kind: [u8; 5], packed: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], content: &[u8]| {
        bytes.extend((content.len() as u32).to_be_bytes());
        let start = bytes.len();
        bytes.extend(kind);
        bytes.extend(content);
        let sum = crc(&bytes[start..]);
        bytes.extend(sum.to_be_bytes());
    };
    let mut header = sides.map(u32::to_be_bytes).concat();
    header.extend(kind);
    chunk(b"IHDR", &header);
    chunk(b"IDAT", packed);
    chunk(b"IEND", &[]);
    bytes
}

/// The checksum of PNG chunks, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 * (sum & 1));
        }
    }
    !sum
}

#[test]
fn checks_size_before_allocating() {
    for (width, height) in [
        (1, 8),
        (8, 1),
        (16_385, 2),
        (2, 0x7fff_ffff),
        (0x7fff_ffff, 0x7fff_ffff),
    ] {
        let error = read_png(&empty_png(width, height)).unwrap_err();
        assert!(matches!(error, ImportError::Size(_)), "{error}");
        assert!(error.to_string().contains("from 2 to 16384"), "{error}");
    }
    let error = read_png(&empty_png(40, 40)).unwrap_err();
    assert!(matches!(error, ImportError::Malformed(_)), "{error}");
}

/// A PNG with any pixel format.
fn encode(bytes: &[u8], width: u32, height: u32, kind: ExtendedColorType) -> Vec<u8> {
    let mut file = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut file);
    encoder.write_image(bytes, width, height, kind).unwrap();
    file
}

#[test]
fn reads_all_gray_pixel_formats() {
    let expected = map(2, &[0.0, 0.2, 0.4, 1.0]);
    let grays = [0_u8, 51, 102, 255];
    let eight = |pixel: &dyn Fn(u8) -> Vec<u8>| -> Vec<u8> {
        grays.iter().flat_map(|&v| pixel(v)).collect()
    };
    let wide = |v: u8| (u16::from(v) * 257).to_ne_bytes();
    let files = [
        encode(&eight(&|v| vec![v]), 2, 2, ExtendedColorType::L8),
        encode(&eight(&|v| vec![v, 9]), 2, 2, ExtendedColorType::La8),
        encode(&eight(&|v| vec![v, v, v]), 2, 2, ExtendedColorType::Rgb8),
        encode(
            &eight(&|v| vec![v, v, v, 77]),
            2,
            2,
            ExtendedColorType::Rgba8,
        ),
        encode(&eight(&|v| wide(v).to_vec()), 2, 2, ExtendedColorType::L16),
        encode(
            &eight(&|v| [wide(v), wide(3)].concat()),
            2,
            2,
            ExtendedColorType::La16,
        ),
        encode(
            &eight(&|v| [wide(v); 3].concat()),
            2,
            2,
            ExtendedColorType::Rgb16,
        ),
        encode(
            &eight(&|v| [wide(v), wide(v), wide(v), wide(1)].concat()),
            2,
            2,
            ExtendedColorType::Rgba16,
        ),
    ];
    for (number, file) in files.iter().enumerate() {
        assert_eq!(read_png(file).unwrap(), expected, "file {number}");
    }
}

/// Its pixels are in the order of Adam7. The second, third and fifth pass are empty for this size.
#[test]
fn reads_interlaced_png_row_by_row() {
    let passes = [0, 10, 0, 12, 0, 11, 0, 20, 21, 22];
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in passes {
        a += u32::from(byte);
        b += a;
    }
    // Zlib: an uncompressed last block, its length and the inverted length, and the Adler checksum.
    let length = passes.len() as u8;
    let start = [0x78, 1, 1, length, 0, !length, 0xff];
    let packed = [&start[..], &passes, &(b << 16 | a).to_be_bytes()].concat();
    let file = chunks([3, 2], [8, 0, 0, 0, 1], &packed);
    let mut rows = PngRows::open(Cursor::new(&file), file.len() as u64).unwrap();
    assert_eq!(rows.next_row().unwrap(), Some(&[10, 11, 12][..]));
    assert_eq!(rows.next_row().unwrap(), Some(&[20, 21, 22][..]));
    assert_eq!(rows.next_row().unwrap(), None);
    assert_eq!(read_png(&file).unwrap().get(2, 1), 22.0 / 255.0);
}

#[test]
fn png_rows_match_whole_image() {
    let cells: Vec<f32> = (0..37 * 21)
        .map(|k| ((k * k) % 777) as f32 / 776.0)
        .collect();
    let map = map(37, &cells);
    for (depth, numbers) in [
        (PngDepth::Eight, Sample::U8),
        (PngDepth::Sixteen, Sample::U16),
    ] {
        let file = png(&map, depth);
        let mut rows = PngRows::open(Cursor::new(&file), file.len() as u64).unwrap();
        assert_eq!((rows.size(), rows.numbers().sample), (map.size(), numbers));
        let mut bytes = Vec::new();
        while let Some(row) = rows.next_row().unwrap() {
            bytes.extend_from_slice(row);
        }
        let found = read_raw(&bytes, map.size(), rows.numbers()).unwrap();
        assert_eq!(found, read_png(&file).unwrap());
        for length in [file.len() - 30, file.len() / 2, 60, 10] {
            let read = || -> Result<(), ImportError> {
                let cut = &file[..length];
                let mut rows = PngRows::open(Cursor::new(cut), length as u64)?;
                while rows.next_row()?.is_some() {}
                Ok(())
            };
            assert!(read().is_err(), "{length} of {} bytes", file.len());
        }
    }
}

#[test]
fn rejects_colored_pixels_by_position() {
    let mut pixels = [120_u8; 3 * 6];
    pixels[3 * 4 + 2] = 121;
    let error = read_png(&encode(&pixels, 3, 2, ExtendedColorType::Rgb8)).unwrap_err();
    assert_eq!(error, ImportError::Colored { column: 1, row: 1 });
    let mut pixels = [7_u8; 8 * 4];
    pixels[8 * 2 + 1] = 8; // one of the two bytes of the third pixel's red sample
    let error = read_png(&encode(&pixels, 2, 2, ExtendedColorType::Rgba16)).unwrap_err();
    assert_eq!(error, ImportError::Colored { column: 0, row: 1 });
}

/// Cancels the operation after a number of bytes.
struct Impatient(Progress, usize);

impl std::io::Write for Impatient {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.1 += bytes.len();
        if self.1 > 100_000 {
            self.0.cancel();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn png_streams_and_can_be_canceled() {
    let mut rng = SeededRng::new(1, b"test    ");
    let heights: Vec<f32> = (0..1 << 20).map(|_| rng.unit() as f32).collect();
    let noise = map(1 << 10, &heights);
    let progress = Progress::default();
    let mut out = Impatient(progress.clone(), 0);
    let result = write_png_with(&noise, PngDepth::Sixteen, &mut out, &progress);
    assert!(matches!(result, Err(ExportError::Canceled(_))));
    assert!(out.1 < 500_000, "{} of 2 MB", out.1);
    assert!((0.01..0.3).contains(&progress.fraction()));

    let progress = Progress::default();
    let mut bytes = Vec::new();
    write_png_with(&noise, PngDepth::Sixteen, &mut bytes, &progress).unwrap();
    assert_eq!(progress.fraction(), 1.0);
    assert_eq!(png_size(&bytes[..PNG_HEADER]).unwrap(), noise.size());
}

#[test]
fn header_gives_size_or_error() {
    let whole = png(&map(3, &[0.5; 6]), PngDepth::Eight);
    assert_eq!(png_size(&whole).unwrap(), size(3, 2));
    let says = |bytes: &[u8]| png_size(bytes).unwrap_err().to_string();
    assert!(says(b"").contains("not a PNG"));
    assert!(says(b"GIF89a and more of it, 24").contains("not a PNG"));
    for length in 8..PNG_HEADER {
        assert!(says(&whole[..length]).contains("damaged"), "{length}");
    }
    let mut other = whole.clone();
    other[12] = b'J';
    assert!(says(&other).contains("damaged"));
    other = whole;
    other[16] = 1;
    assert!(says(&other).contains("16777219x2"), "{}", says(&other));
}

#[test]
fn image_round_trips_through_png() {
    let cone = |x: usize, y: usize| {
        let (x, y) = (x as f32 - 9.5, y as f32 - 9.5);
        (1.0 - (x * x + y * y).sqrt() / 8.4).max(0.0)
    };
    let view = PerspectiveView {
        width: 96,
        height: 54,
        ..PerspectiveView::default()
    };
    let map = Heightmap::from_fn(size(20, 20), cone).unwrap();
    let picture = view.draw(&map, &Progress::default()).unwrap();
    let mut file = Vec::new();
    write_image(&picture, &mut file, &Progress::default()).unwrap();
    let read = image::load_from_memory(&file).unwrap().into_rgb8();
    assert_eq!(read.dimensions(), (96, 54));
    assert_eq!(read.as_raw(), picture.bytes());
}
