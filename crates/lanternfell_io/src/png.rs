//! PNG: reads and writes grayscale heightmaps with 8 or 16 bits, and heights that are [encoded](encoding) as colors.

mod encoding;
mod rows;

use std::io::{Cursor, Write};

use png::{BitDepth, ColorType, Encoder};

use crate::{
    ExportError, ImportError, ImportedMap, PngDepth, ReadOptions, WriteOptions, cells::Decoded,
    numbers::Rows, written::Written,
};
use lanternfell_heightmap::{Heightmap, MapSize, Progress, RgbImage};

pub use rows::PngRows;

/// Writes `map` as a grayscale PNG. Black is height 0, white is height 1.
///
/// # Errors
/// [`ExportError::Height`] when a height is outside 0 to 1.
pub fn write_png(map: &Heightmap, depth: PngDepth, out: impl Write) -> Result<(), ExportError> {
    write_png_with(map, depth, out, &Progress::default())
}

/// Writes `map` as a grayscale PNG, row by row, with progress and cancellation.
///
/// # Errors
/// The errors of [`write_png`], and [`ExportError::Canceled`]. After an error the output is incomplete.
pub fn write_png_with(
    map: &Heightmap,
    depth: PngDepth,
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    write(&Rows::plain(map), depth, None, out, progress)
}

/// Writes a map with its metadata in a text chunk.
pub(super) fn write_model(
    written: &Written<'_>,
    options: &WriteOptions<'_>,
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let (rows, text) = (&written.rows, written.text()?);
    match options.encoding {
        Some(encoding) => encoding::write(rows, encoding, text.as_deref(), out, progress),
        None => write(rows, options.depth, text.as_deref(), out, progress),
    }
}

/// Writes numbers from 0 to 1, and a text chunk with metadata.
fn write(
    rows: &Rows<'_>,
    depth: PngDepth,
    text: Option<&str>,
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    rows.check_whole(progress)?;
    let size = (rows.width() as u32, rows.height() as u32);
    let kind = (ColorType::Grayscale, depth.bits());
    let format = depth.numbers();
    let mut numbers = Vec::new();
    encode(size, kind, text, out, progress, |y, bytes| {
        format.push_row(rows.row(y, &mut numbers), bytes);
    })
}

impl PngDepth {
    fn bits(self) -> BitDepth {
        match self {
            Self::Eight => BitDepth::Eight,
            Self::Sixteen => BitDepth::Sixteen,
        }
    }
}

/// Writes a color image as a PNG, row by row.
///
/// # Errors
/// [`ExportError::Write`] and [`ExportError::Canceled`]. After an error the output is incomplete.
pub fn write_image(
    picture: &RgbImage,
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let size = (picture.width(), picture.height());
    let kind = (ColorType::Rgb, BitDepth::Eight);
    let width = 3 * size.0 as usize;
    encode(size, kind, None, out, progress, |y, bytes| {
        bytes.extend_from_slice(&picture.bytes()[y * width..][..width]);
    })
}

/// Writes a PNG. `fill(y, bytes)` appends the samples of row `y`.
fn encode(
    (width, height): (u32, u32),
    (kind, bits): (ColorType, BitDepth),
    text: Option<&str>,
    out: impl Write,
    progress: &Progress,
    mut fill: impl FnMut(usize, &mut Vec<u8>),
) -> Result<(), ExportError> {
    let mut encoder = Encoder::new(out, width, height);
    encoder.set_color(kind);
    encoder.set_depth(bits);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::Adaptive);
    if let Some(text) = text {
        let added = encoder.add_text_chunk(KEYWORD.to_owned(), text.to_owned());
        added.map_err(std::io::Error::from)?;
    }
    let mut writer = encoder.write_header().map_err(std::io::Error::from)?;
    let mut stream = writer
        .stream_writer_with_size(CHUNK)
        .map_err(std::io::Error::from)?;
    let mut bytes = Vec::new();
    for y in 0..height as usize {
        progress.step(y, height as usize)?;
        bytes.clear();
        fill(y, &mut bytes);
        stream.write_all(&bytes)?;
    }
    stream.finish().map_err(std::io::Error::from)?;
    writer.finish().map_err(std::io::Error::from)?;
    Ok(progress.step(1, 1)?)
}

/// The size in bytes of a chunk of compressed rows.
const CHUNK: usize = 1 << 16;

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The number of leading bytes that [`png_size`] needs: the signature, and the header chunk up to the height.
pub const PNG_HEADER: usize = 24;

/// Returns the size of a PNG from its first [`PNG_HEADER`] bytes. More bytes are allowed.
///
/// Use it to check the size of a map before you read the whole file.
///
/// # Errors
/// [`ImportError::Malformed`] when the bytes are not the start of a PNG or are too few, and [`ImportError::Size`] when
/// the size is not one that a map can have.
pub fn png_size(header: &[u8]) -> Result<MapSize, ImportError> {
    let after = header
        .strip_prefix(&SIGNATURE)
        .ok_or_else(|| ImportError::Malformed("this is not a PNG".to_owned()))?;
    let cut_off =
        || ImportError::Malformed("the PNG is damaged: it has no header chunk".to_owned());
    // The header chunk comes first: its length, its name, the width and the height.
    let chunk = after.get(4..16).ok_or_else(cut_off)?;
    let (words, _) = chunk.as_chunks::<4>();
    if words[0] != *b"IHDR" {
        return Err(cut_off());
    }
    let [width, height] = [words[1], words[2]].map(u32::from_be_bytes);
    Ok(MapSize::new(width.into(), height.into())?)
}

/// The keyword of the text chunk that holds the sidecar's JSON.
const KEYWORD: &str = "lanternfell";

/// Reads the map in a PNG, with its metadata.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<ImportedMap, ImportError> {
    let rows = PngRows::open(Cursor::new(bytes), bytes.len() as u64)?;
    let mut rows = rows.with_encoding(options.encoding);
    let (size, format, frame) = (rows.size(), rows.numbers(), rows.stored_frame()?);
    let mut numbers = Vec::with_capacity(size.cells());
    while let Some(row) = rows.next_row()? {
        format.read_numbers(row, &mut numbers);
    }
    let decoded = Decoded {
        size,
        frame,
        gap: None,
        largest: format.sample.largest(),
    };
    decoded.map(numbers, options)
}

/// Reads a heightmap from a PNG. Black is height 0, white is height 1.
///
/// Accepts grayscale of any bit depth, and color images in which every pixel is gray, as some programs write them. An
/// alpha channel is ignored.
///
/// # Errors
/// - [`ImportError::Malformed`] when the bytes are not a PNG or are truncated.
/// - [`ImportError::Size`] when the size is not one that a map can have. It is checked before memory is allocated.
/// - [`ImportError::Colored`] or [`ImportError::Encoded`] when a pixel is not gray.
pub fn read_png(bytes: &[u8]) -> Result<Heightmap, ImportError> {
    heights(PngRows::open(Cursor::new(bytes), bytes.len() as u64)?)
}

fn heights(mut rows: PngRows<Cursor<&[u8]>>) -> Result<Heightmap, ImportError> {
    let (size, numbers) = (rows.size(), rows.numbers());
    let mut heights = Vec::with_capacity(size.cells());
    while let Some(row) = rows.next_row()? {
        numbers.read_row(row, &mut heights);
    }
    Ok(Heightmap::from_heights(size, heights).expect("integers and encoded heights are finite"))
}
