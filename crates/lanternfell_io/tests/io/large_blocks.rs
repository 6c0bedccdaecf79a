//! TIFFs whose strips or tiles are so large that they are decompressed in pieces.

use std::io::{BufReader, Cursor, Read, Result as IoResult, Seek, SeekFrom};

use lanternfell_heightmap::Progress;
use lanternfell_io::{self as io, Format, ReadOptions};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tiff::encoder::{Compression, DeflateLevel};

use super::{
    pages::{File, Page, Values, packed},
    unpacked::unpacked,
};

const WIDTH: usize = 530;
const HEIGHT: usize = 610;

/// The numbers of the compression methods.
const METHODS: [u16; 5] = [1, 5, 8, 32_773, 50_000];

fn compressed(method: u16, bytes: &[u8]) -> Vec<u8> {
    match method {
        1 => bytes.to_vec(),
        5 => packed(bytes, Compression::Lzw),
        8 => packed(bytes, Compression::Deflate(DeflateLevel::Fast)),
        32_773 => packed(bytes, Compression::Packbits),
        _ => compress_to_vec(bytes, CompressionLevel::Fastest),
    }
}

/// A number format: the number of its `SampleFormat`, and its bytes.
#[derive(Debug, Clone, Copy)]
enum Number {
    I16,
    I32,
    F32,
    F64,
}

impl Number {
    fn format(self) -> u16 {
        match self {
            Self::I16 | Self::I32 => 2,
            Self::F32 | Self::F64 => 3,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::I16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Returns the bits of a number.
    fn bits(self, height: f32) -> u64 {
        match self {
            Self::I16 => u64::from(height as i16 as u16),
            Self::I32 => u64::from(height as i32 as u32),
            Self::F32 => u64::from(height.to_bits()),
            Self::F64 => f64::from(height).to_bits(),
        }
    }
}

/// Integers, which all number formats can hold. Half of the rows are flat.
fn height(x: usize, y: usize) -> f32 {
    let cell = (y * WIDTH + x) * (y / 7 % 2);
    ((cell * cell) % 977) as f32 - (y % 50) as f32
}

/// A kind of file.
#[derive(Debug, Clone, Copy)]
struct Kind {
    method: u16,
    number: Number,
    predictor: u16,
    big_endian: bool,
    /// The width and height of tiles, or 0 and the rows of strips.
    block: [usize; 2],
}

impl Kind {
    /// Returns the bytes of a row of numbers, as the predictor changes them.
    fn row(self, heights: impl Iterator<Item = f32>) -> Vec<u8> {
        let bits: Vec<u64> = heights.map(|z| self.number.bits(z)).collect();
        let bytes = self.number.bytes();
        let big = |bits: u64| bits.to_be_bytes()[8 - bytes..].to_vec();
        if self.predictor == 3 {
            // All first bytes of the numbers, all second bytes, and so on, as differences from byte to byte.
            let numbers: Vec<Vec<u8>> = bits.iter().map(|&bits| big(bits)).collect();
            let plane = |at: usize| numbers.iter().map(move |number| number[at]);
            let planes: Vec<u8> = (0..bytes).flat_map(plane).collect();
            let before = [0].into_iter().chain(planes.iter().copied());
            let pairs = planes.iter().zip(before);
            return pairs
                .map(|(byte, before)| byte.wrapping_sub(before))
                .collect();
        }
        let before = [0].into_iter().chain(bits.iter().copied());
        let numbers = bits.iter().zip(before).map(|(&bits, before)| {
            let is_difference = self.predictor == 2;
            bits.wrapping_sub(if is_difference { before } else { 0 })
        });
        let ordered = |bits| {
            let mut number = big(bits);
            if !self.big_endian {
                number.reverse();
            }
            number
        };
        numbers.flat_map(ordered).collect()
    }

    fn file(self) -> Vec<u8> {
        let [wide, tall] = self.block;
        let is_tiled = wide > 0;
        let wide = if is_tiled { wide } else { WIDTH };
        let mut blocks = Vec::new();
        for top in (0..HEIGHT).step_by(tall) {
            for left in (0..WIDTH).step_by(wide) {
                let end = if is_tiled {
                    top + tall
                } else {
                    HEIGHT.min(top + tall)
                };
                let row = |y| self.row((left..left + wide).map(move |x| height(x, y)));
                let bytes: Vec<u8> = (top..end).flat_map(row).collect();
                blocks.push(compressed(self.method, &bytes));
            }
        }
        let page = Page::new(0, [WIDTH, HEIGHT], 8 * self.number.bytes() as u16)
            .set(259, Values::Shorts(vec![self.method]))
            .set(317, Values::Shorts(vec![self.predictor]))
            .set(339, Values::Shorts(vec![self.number.format()]));
        let page = if is_tiled {
            let mut page = page
                .set(322, Values::Longs(vec![wide as u32]))
                .set(323, Values::Longs(vec![tall as u32]));
            page.strips = blocks;
            page
        } else {
            page.rows(tall, blocks)
        };
        File::of(vec![page], self.big_endian, false)
    }
}

/// One strip, two strips, one tile that is larger than the map, and two rows of two tiles.
const BLOCKS: [[usize; 2]; 4] = [[0, HEIGHT], [0, 560], [1024, 1024], [496, 560]];

fn kinds() -> impl Iterator<Item = Kind> {
    use Number::{F32, F64, I16, I32};
    let numbers = [
        (F32, 3),
        (F32, 1),
        (I32, 2),
        (F64, 3),
        (I16, 2),
        (I16, 1),
        (F32, 2),
    ];
    let all = METHODS
        .into_iter()
        .flat_map(move |method| numbers.map(|number| (method, number)));
    all.enumerate()
        .map(|(index, (method, (number, predictor)))| Kind {
            method,
            number,
            predictor,
            big_endian: (index / 4 + index) % 2 == 1,
            block: BLOCKS[index % 4],
        })
}

#[test]
fn reads_large_strips_and_tiles() {
    let cells = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| height(x, y)));
    let expected: Vec<f32> = cells.collect();
    for kind in kinds() {
        let file = kind.file();
        let found = io::read(&file, Format::Tiff, &ReadOptions::default());
        let found = found.unwrap_or_else(|error| panic!("{kind:?}: {error}"));
        assert!(found.heights.heights() == expected, "{kind:?}");
        let (_, heights) = unpacked(&file, Format::Tiff, &ReadOptions::default());
        assert!(heights == expected, "{kind:?}");
        let from_file = io::import_file(Cursor::new(&file), Format::Tiff, &ReadOptions::default());
        assert!(from_file.unwrap().model == found, "{kind:?}");
        let piece = io::largest_part(Cursor::new(&file), Format::Tiff);
        assert!(piece <= 1 << 20, "{kind:?}: {piece}");
    }
}

#[test]
fn rejects_damaged_large_strips_and_tiles() {
    for kind in kinds().step_by(3) {
        let file = kind.file();
        // The rest may be below the map.
        for part in [2, 5, 20] {
            let short = &file[..file.len() / part];
            let error = io::read(short, Format::Tiff, &ReadOptions::default()).err();
            let line = error.unwrap().to_string();
            assert!(line.contains("damaged"), "{kind:?}: {line}");
        }
        let mut damaged = file.clone();
        for at in (1000..file.len()).step_by(997) {
            damaged[at] ^= 0x55;
        }
        // Not all methods notice it.
        let _ = io::read(&damaged, Format::Tiff, &ReadOptions::default());
    }
}

/// A reader that counts the bytes it reads.
struct Counter<'a> {
    file: Cursor<&'a [u8]>,
    count: &'a mut usize,
}

impl Read for Counter<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> IoResult<usize> {
        let count = self.file.read(bytes)?;
        *self.count += count;
        Ok(count)
    }
}

impl Seek for Counter<'_> {
    fn seek(&mut self, to: SeekFrom) -> IoResult<u64> {
        self.file.seek(to)
    }
}

/// The pieces of tiles side by side must not be read in turns, which would decompress each tile once per piece.
#[test]
fn decompresses_each_tile_once() {
    for kind in kinds().filter(|kind| kind.block == BLOCKS[3]) {
        let file = kind.file();
        let mut count = 0;
        let counter = Counter {
            file: Cursor::new(&file[..]),
            count: &mut count,
        };
        let reader = BufReader::with_capacity(1 << 12, counter);
        let (scratch, quiet) = (Cursor::new(Vec::new()), Progress::default());
        io::unpack(
            reader,
            Format::Tiff,
            &ReadOptions::default(),
            scratch,
            &quiet,
        )
        .unwrap();
        let most = file.len() * 5 / 4 + (1 << 17);
        assert!(count <= most, "{kind:?}: {count} of {} bytes", file.len());
    }
}
