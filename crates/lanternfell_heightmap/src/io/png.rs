//! PNG: grayscale with 8 or 16 bits, out and in.

use std::io::{Cursor, Write};

use png::{BitDepth, ColorType, Decoder, DecodingError, Encoder, Limits, Transformations};

use super::{
    ExportError, ImportError, PngDepth, Sidecar, check_claim, numbers::Rows, sidecar, told::Told,
};
use crate::{ElevationModel, Heightmap, MapSize, Progress};

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

/// Writes rows of red, green and blue bytes as a PNG.
pub(crate) fn write_colors(
    pixels: &[u8],
    size: (u32, u32),
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let kind = (ColorType::Rgb, BitDepth::Eight);
    let width = 3 * size.0 as usize;
    encode(size, kind, None, out, progress, |y, bytes| {
        bytes.extend_from_slice(&pixels[y * width..][..width]);
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

/// The heights of a PNG with what its text chunk tells about them. One that tells of a picture of
/// another size came along from there, and is not believed.
pub(super) fn told(bytes: &[u8], heights: Heightmap) -> Result<ElevationModel, ImportError> {
    let sidecar = text(bytes).map(Sidecar::parse).transpose()?;
    let sidecar = sidecar.filter(|sidecar| sidecar.size == heights.size());
    Ok(match sidecar {
        Some(sidecar) => sidecar.frame.of(heights),
        None => Told::default().of(heights),
    })
}

/// The content of our text chunk, if it stands before the pixels, as it is written: nothing that
/// is compressed is unpacked here.
fn text(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.strip_prefix(&SIGNATURE)?;
    loop {
        let (length, after) = rest.split_first_chunk()?;
        let (kind, after) = after.split_first_chunk::<4>()?;
        let (content, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        match kind {
            b"IDAT" => return None,
            b"tEXt" if content.len() <= sidecar::LONGEST => {
                let content = content.strip_prefix(KEYWORD.as_bytes());
                if let Some(text) = content.and_then(|content| content.strip_prefix(&[0])) {
                    return Some(text);
                }
            }
            _ => {}
        }
        // Behind the content stands a checksum.
        rest = after.get(4..)?;
    }
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
    let size = png_size(bytes)?;
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits(size));
    // Gray of less than a byte becomes one; palettes become colors.
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (kind, bits) = reader.output_color_type();
    let channels = kind.samples();
    let length = reader.output_buffer_size().unwrap_or(usize::MAX);
    check_claim(length as u64, bytes.len())?;
    let mut samples = vec![0; length];
    reader.next_frame(&mut samples).map_err(damaged)?;
    let heights = match bits {
        BitDepth::Sixteen => grays(&samples, channels, size, |pair| {
            f32::from(u16::from_be_bytes(pair)) / 65_535.0
        })?,
        BitDepth::One | BitDepth::Two | BitDepth::Four | BitDepth::Eight => {
            grays(&samples, channels, size, |[byte]| f32::from(byte) / 255.0)?
        }
    };
    Ok(Heightmap::from_heights(size, heights).expect("whole numbers are finite"))
}

/// The decoder may take what the largest kind of pixel needs, and some for itself.
fn limits(size: MapSize) -> Limits {
    let bytes = 16 * size.cells() + (1 << 24);
    Limits { bytes }
}

/// The heights of pixels of `channels` samples of `N` bytes each, of which the first is
/// gray, or the first three are when there are so many.
fn grays<const N: usize>(
    samples: &[u8],
    channels: usize,
    size: MapSize,
    height: impl Fn([u8; N]) -> f32,
) -> Result<Vec<f32>, ImportError> {
    let (samples, _) = samples.as_chunks::<N>();
    let pixels = samples.chunks_exact(channels);
    let colored =
        |pixel: &[[u8; N]]| channels >= 3 && (pixel[0] != pixel[1] || pixel[0] != pixel[2]);
    if let Some(cell) = pixels.clone().position(colored) {
        let (column, row) = (cell % size.width(), cell / size.width());
        return Err(ImportError::Colored { column, row });
    }
    Ok(pixels.map(|pixel| height(pixel[0])).collect())
}

fn damaged(error: DecodingError) -> ImportError {
    ImportError::malformed(format_args!("the PNG is damaged: {error}"))
}
