//! Measures the memory of writing, and of reading truncated files with a large declared size. This is a separate
//! program that runs one test at a time, because the allocator counts the memory of all threads.

#[path = "io/pages.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod pages;

use std::{
    io::{Cursor, sink},
    sync::Mutex,
};

use lanternfell_heightmap::{ElevationModel, Heightmap, MapSize, Progress, SeededRng};
use lanternfell_io::{self as io, Format, ReadOptions, WriteOptions};
use pages::{File, Page, Values, flat_zstandard, packed};
use peak_alloc::PeakAlloc;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tiff::encoder::{Compression, DeflateLevel, TiffEncoder, colortype::Gray32Float};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Returns the result of `work` and its peak memory in bytes.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (result, MEMORY.peak_usage().saturating_sub(before))
}

fn written(map: &ElevationModel, format: Format, options: &WriteOptions<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    io::write(map, format, options, &mut bytes, &Progress::default()).unwrap();
    bytes
}

fn noise(side: u64) -> ElevationModel {
    let size = MapSize::new(side, side).unwrap();
    let mut rng = SeededRng::new(side, b"memory  ");
    let heights = (0..size.cells()).map(|_| rng.unit() as f32);
    ElevationModel::of_heights(Heightmap::from_heights(size, heights.collect()).unwrap())
}

#[test]
fn writers_need_a_few_rows() {
    let _one = ONE_AT_A_TIME.lock();
    let map = noise(512);
    let bytes = 4 * map.size().cells();
    let options = WriteOptions::default();
    for format in Format::ALL.into_iter().filter(|format| format.is_written()) {
        let work = || io::write(&map, format, &options, sink(), &Progress::default());
        let (result, memory) = measured(work);
        result.unwrap();
        let share = memory as f64 / bytes as f64;
        // OBJ has the longest rows, a tenth of this map. Deflate has its own tables. OpenEXR keeps the compressed file
        // in memory, in a buffer that doubles in size.
        let most = if format == Format::Exr { 3.5 } else { 0.6 };
        assert!(share < most, "{format}: {share} of the map");
    }
}

#[test]
fn readers_need_little_more_than_the_map() {
    let _one = ONE_AT_A_TIME.lock();
    let map = noise(512);
    let bytes = 4 * map.size().cells();
    let options = WriteOptions::default();
    let size = Some(map.size());
    let read_options = ReadOptions {
        size,
        ..ReadOptions::default()
    };
    let both = |format: &Format| format.is_read() && format.is_written();
    for format in Format::ALL.into_iter().filter(both) {
        let file = written(&map, format, &options);
        let (result, memory) = measured(|| io::read(&file, format, &read_options));
        assert_eq!(result.unwrap().size(), map.size());
        let share = memory as f64 / bytes as f64;
        assert!(share < 2.0, "{format}: {share} of the map");
    }
}

/// The map is many times larger than a strip or a block of 16 rows.
#[test]
fn unpack_needs_a_few_rows() {
    let _one = ONE_AT_A_TIME.lock();
    let map = noise(1024);
    let bytes = 4 * map.size().cells();
    for format in [
        Format::Tiff,
        Format::Exr,
        Format::Pgm,
        Format::Ascii,
        Format::Xyz,
    ] {
        let file = Cursor::new(written(&map, format, &WriteOptions::default()));
        let mut scratch = Cursor::new(vec![0; bytes]);
        let (quiet, options) = (Progress::default(), ReadOptions::default());
        let work = || io::unpack(file, format, &options, &mut scratch, &quiet);
        let (result, memory) = measured(work);
        assert_eq!(result.unwrap().size, map.size());
        let share = memory as f64 / bytes as f64;
        assert!(share < 0.15, "{format}: {share} of the map");
    }
}

/// A TIFF that is a single uncompressed strip, as many programs write it.
#[test]
fn unpack_needs_part_of_a_single_strip() {
    let _one = ONE_AT_A_TIME.lock();
    let map = noise(1536);
    let side = map.size().width() as u32;
    let mut file = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut file).unwrap();
    let mut image = encoder.new_image::<Gray32Float>(side, side).unwrap();
    image.rows_per_strip(side).unwrap();
    image.write_data(map.heights.heights()).unwrap();
    let bytes = 4 * map.size().cells();
    let mut scratch = Cursor::new(vec![0; bytes]);
    let (quiet, options) = (Progress::default(), ReadOptions::default());
    let work = || io::unpack(file, Format::Tiff, &options, &mut scratch, &quiet);
    let (result, memory) = measured(work);
    assert_eq!(result.unwrap().size, map.size());
    let share = memory as f64 / bytes as f64;
    assert!(share < 0.3, "{share} of the map");
}

/// A TIFF that is a single compressed strip or tile.
#[test]
fn unpack_needs_part_of_a_single_compressed_block() {
    let _one = ONE_AT_A_TIME.lock();
    let side = 1536;
    let map = noise(side as u64);
    let numbers = map.heights.heights().iter();
    let numbers: Vec<u8> = numbers.flat_map(|z| z.to_le_bytes()).collect();
    for (method, strip) in [
        (1, numbers.clone()),
        (5, packed(&numbers, Compression::Lzw)),
        (
            8,
            packed(&numbers, Compression::Deflate(DeflateLevel::Fast)),
        ),
        (32_773, packed(&numbers, Compression::Packbits)),
        (
            50_000,
            compress_to_vec(&numbers[..], CompressionLevel::Fastest),
        ),
    ] {
        for is_tiled in [false, true] {
            let page = Page::new(0, [side; 2], 32)
                .set(259, Values::Shorts(vec![method]))
                .set(339, Values::Shorts(vec![3]));
            let mut page = if is_tiled {
                let page = page.set(322, Values::Longs(vec![side as u32]));
                page.set(323, Values::Longs(vec![side as u32]))
            } else {
                page.set(278, Values::Longs(vec![side as u32]))
            };
            page.strips = vec![strip.clone()];
            let file = Cursor::new(File::of(vec![page], false, false));
            let mut scratch = Cursor::new(vec![0; numbers.len()]);
            let (quiet, options) = (Progress::default(), ReadOptions::default());
            let work = || io::unpack(file, Format::Tiff, &options, &mut scratch, &quiet);
            let (result, memory) = measured(work);
            assert_eq!(result.unwrap().size, map.size());
            assert!(scratch.get_ref() == &numbers, "{method}, {is_tiled}");
            // A piece of 1 MiB. Zstandard also keeps 1 MiB before the next one.
            let most = if method == 50_000 { 6 << 20 } else { 3 << 19 };
            assert!(memory < most, "{method}, {is_tiled}: {memory} bytes");
        }
    }
}

/// Returns a file of a few hundred bytes whose header declares a map of the maximum size.
fn liar(format: Format) -> Vec<u8> {
    let small = noise(3);
    let mut file = written(&small, format, &WriteOptions::default());
    let largest = 16_384_u32;
    match format {
        Format::Png => {
            file[16..20].copy_from_slice(&largest.to_be_bytes());
            file[20..24].copy_from_slice(&largest.to_be_bytes());
            let sum = crc32(&file[12..29]);
            file[29..33].copy_from_slice(&sum.to_be_bytes());
        }
        Format::Pgm => file = b"P5 16384 16384 65535\n0123456789".to_vec(),
        Format::Ascii => file = b"ncols 16384 nrows 16384 cellsize 1 0 1 2 3".to_vec(),
        Format::Tiff => {
            // // The width, the height, the rows per strip, and the strip length.
            for (entry, value) in [(0, largest), (1, largest), (7, largest), (8, 1 << 30)] {
                let at = 10 + 12 * entry + 8;
                file[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
        }
        Format::Exr => {
            let end = (largest - 1).to_le_bytes();
            for name in [&b"dataWindow\0box2i\0"[..], b"displayWindow\0box2i\0"] {
                let at = file.windows(name.len()).position(|part| part == name);
                let at = at.unwrap() + name.len() + 4 + 8;
                file[at..at + 8].copy_from_slice(&[end, end].concat());
            }
        }
        other => panic!("{other} declares no size"),
    }
    file
}

fn crc32(bytes: &[u8]) -> u32 {
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
fn false_sizes_allocate_nothing() {
    let _one = ONE_AT_A_TIME.lock();
    let formats = [
        Format::Png,
        Format::Pgm,
        Format::Ascii,
        Format::Tiff,
        Format::Exr,
    ];
    for format in formats {
        let file = liar(format);
        assert!(file.len() < 700);
        let claimed = io::size(&file, format).unwrap();
        assert_eq!(claimed.cells(), 1 << 28, "{format}");
        let (result, memory) = measured(|| io::read(&file, format, &ReadOptions::default()));
        let error = result.unwrap_err();
        // The PNG decoder allocates a row or two before its limits apply.
        assert!(memory < 1 << 18, "{format}: {memory} bytes, {error}");
    }
    // Three points that would be on the largest grid.
    let points = b"0 0 1\n1 1 1\n16383 16383 1\n";
    let (result, memory) = measured(|| io::read(points, Format::Xyz, &ReadOptions::default()));
    assert!(result.is_err() && memory < 1 << 12);
    let options = ReadOptions {
        size: MapSize::new(16_384, 16_384).ok(),
        ..ReadOptions::default()
    };
    let (result, memory) = measured(|| io::read(&[0; 100], Format::Raw, &options));
    assert!(result.is_err() && memory < 1 << 10);
}

/// A flat map of 16384 x 16384 cells takes 1 GiB. Damaged files of that kind must not.
#[test]
fn damaged_flat_files_allocate_nothing() {
    let _one = ONE_AT_A_TIME.lock();
    const SIDE: usize = 16_384;
    let page = |method: u16| {
        Page::new(0, [SIDE; 2], 32)
            .set(259, Values::Shorts(vec![method]))
            .set(339, Values::Shorts(vec![3]))
    };
    let refused = |file: &[u8], most: usize| {
        let (result, memory) = measured(|| io::read(file, Format::Tiff, &ReadOptions::default()));
        let line = result.unwrap_err().to_string();
        assert!(memory < most, "{memory} bytes for {}: {line}", file.len());
        assert!(line.contains("damaged"), "{line}");
    };
    for rows in [512, SIDE] {
        let mut strips = vec![flat_zstandard(0, 4 * rows * SIDE); SIDE / rows];
        let last = strips.last_mut().unwrap();
        // One block is missing at the end.
        last.truncate(last.len() - 4);
        let file = File::of(vec![page(50_000).rows(rows, strips)], false, false);
        assert!(file.len() < 40_000);
        refused(&file, 8 << 20);
    }
    #[cfg(feature = "lerc")]
    {
        // The checksum is at 10, and the rows, columns and valid cells are at 14, 18 and 26.
        let numbers = [7.0_f32; 16];
        let mut blob = lerc::encode_slice(4, 4, &numbers, lerc::Precision::Lossless).unwrap();
        for (at, number) in [(14, SIDE), (18, SIDE), (26, SIDE * SIDE)] {
            blob[at..at + 4].copy_from_slice(&(number as u32).to_le_bytes());
        }
        let sum = lerc::checksum::fletcher32(&blob[14..]) ^ 1;
        blob[10..14].copy_from_slice(&sum.to_le_bytes());
        let file = File::of(vec![page(34_887).rows(SIDE, vec![blob])], false, false);
        refused(&file, 1 << 18);
    }
}
