//! PNG: grayscale with 8 or 16 bits, out and in.

mod rows;

use std::io::{Cursor, Write};

use png::{BitDepth, ColorType, Encoder};

use crate::{ExportError, ImportError, PngDepth, Sidecar, numbers::Rows, told::Told};
use lanternfell_heightmap::{ElevationModel, Heightmap, MapSize, Picture, Progress};

pub use rows::PngRows;

/// Writes `map` as a grayscale PNG; black is height 0, white height 1.
///
/// # Errors
/// [`ExportError::Height`] when a height is outside 0 to 1.
pub fn write_png(map: &Heightmap, depth: PngDepth, out: impl Write) -> Result<(), ExportError> {
    write_png_with(map, depth, out, &Progress::default())
}

/// [`write_png`], row by row, so that a huge map's writing can be watched and cancelled.
///
/// # Errors
/// As [`write_png`], and [`ExportError::Cancelled`]; what was written by then is no
/// whole PNG.
pub fn write_png_with(
    map: &Heightmap,
    depth: PngDepth,
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    write(&Rows::plain(map), depth, None, out, progress)
}

/// Writes numbers from 0 to 1, and a text about them.
pub(super) fn write(
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

/// Writes a picture as a PNG, row by row.
///
/// # Errors
/// When the bytes could not be written, or the work was cancelled; what was written
/// by then is no whole PNG.
pub fn write_picture(
    picture: &Picture,
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

/// Writes a PNG whose rows `fill(y, bytes)` appends to the bytes it is given.
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

/// Bytes of compressed rows that are written together, as one chunk of the file.
const CHUNK: usize = 1 << 16;

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// So many bytes of a PNG tell its size: the signature, and the first chunk up to there.
pub const PNG_HEADER: usize = 24;

/// The size of a PNG, from its first [`PNG_HEADER`] bytes; more may follow. So whoever
/// reads from a file finds out how long it may be at all before it is read.
///
/// # Errors
/// [`ImportError::Malformed`] when the bytes do not begin a PNG or are fewer, and
/// [`ImportError::Size`] when a map can not be that large or small.
pub fn png_size(header: &[u8]) -> Result<MapSize, ImportError> {
    let after = header
        .strip_prefix(&SIGNATURE)
        .ok_or_else(|| ImportError::Malformed("this is not a PNG".to_owned()))?;
    let cut_off = || ImportError::Malformed("the PNG is damaged: it has no header".to_owned());
    // The header chunk comes first: its length and name, then the width and the height.
    let chunk = after.get(4..16).ok_or_else(cut_off)?;
    let (words, _) = chunk.as_chunks::<4>();
    if words[0] != *b"IHDR" {
        return Err(cut_off());
    }
    let [width, height] = [words[1], words[2]].map(u32::from_be_bytes);
    Ok(MapSize::new(width.into(), height.into())?)
}

/// What the text chunk is called that holds what a sidecar would.
const KEYWORD: &str = "lanternfell";

/// The map in a PNG, with what its text chunk tells about it. One that tells of a picture of another
/// size came along from there, and is not believed.
pub(super) fn read(bytes: &[u8]) -> Result<ElevationModel, ImportError> {
    let rows = PngRows::open(Cursor::new(bytes), bytes.len() as u64)?;
    let told = rows.sidecar().map(Sidecar::parse).transpose()?;
    let heights = heights(rows)?;
    let told = told.filter(|sidecar| sidecar.size == heights.size());
    Ok(match told {
        Some(sidecar) => sidecar.frame.of(heights),
        None => Told::default().of(heights),
    })
}

/// Reads a heightmap from a PNG: black is height 0, white height 1.
///
/// Grayscale of any depth; an alpha channel is ignored. Colors are taken only when
/// every pixel is gray, as some programs write it.
///
/// # Errors
/// [`ImportError::Malformed`] when the bytes are no PNG or are cut off, [`ImportError::Size`]
/// when a map can not be that large or small (found out before memory is taken), and
/// [`ImportError::Colored`] for a picture in colors.
pub fn read_png(bytes: &[u8]) -> Result<Heightmap, ImportError> {
    heights(PngRows::open(Cursor::new(bytes), bytes.len() as u64)?)
}

fn heights(mut rows: PngRows<Cursor<&[u8]>>) -> Result<Heightmap, ImportError> {
    let (size, numbers) = (rows.size(), rows.numbers());
    let mut heights = Vec::with_capacity(size.cells());
    while let Some(row) = rows.next_row()? {
        numbers.read_row(row, &mut heights);
    }
    Ok(Heightmap::from_heights(size, heights).expect("whole numbers are finite"))
}
