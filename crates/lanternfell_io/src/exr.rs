//! OpenEXR: heights as `f32` with lossless compression.
//!
//! ```text
//! magic, version ─▶ attributes: channels, compression, data window, ...
//!                ─▶ table: offset of each block
//!                ─▶ block: y, length, 16 rows by Deflate
//!                ─▶ block: ...
//! ```
//!
//! Film tools use OpenEXR for high dynamic range images, and terrain tools use it for heights. This crate writes one
//! channel `Y` (luminance, which programs show as gray). It reads scan lines and tiles of `f32` or `f16`, uncompressed
//! or with RLE, ZIP, PIZ or PXR24. It does not read B44 or DWA, which are too lossy for heights. (None of them compresses
//! better than 2000:1.)
//!
//! The table comes first in the file but is only known at the end. The writer therefore keeps the compressed file in
//! memory until it is complete.
//!
//! Source: Kainz, Bogart, Stanczyk and Hillman, *Technical Introduction to OpenEXR*, 2013.

mod choice;

use std::io::{Cursor, Seek, SeekFrom, Write};

use exr::{
    block::UncompressedBlock,
    meta::{
        BlockDescription,
        attribute::{AttributeValue, Text},
        header::Header,
    },
    prelude::{
        Blocks, Compression, Encoding, Image, Layer, LayerAttributes, LineOrder, SampleType,
        SpecificChannels, Vec2, WritableImage, f16,
    },
};

use crate::{
    ExportError, HEADER, ImportError, ReadOptions, Sidecar,
    cells::{self, Cells, Decoded, Source},
    check_claim,
    file_metadata::{FileMetadata, StoredFrame},
    finite,
    numbers::Rows,
};
use lanternfell_heightmap::{Heightmap, MapSize, Progress};

/// Writes `map` as an OpenEXR image with one channel `Y`.
///
/// # Errors
/// [`ExportError::Write`] and [`ExportError::Canceled`].
pub fn write_exr(map: &Heightmap, out: impl Write, progress: &Progress) -> Result<(), ExportError> {
    write(&Rows::plain(map), None, out, progress)
}

/// Writes numbers, and an attribute with metadata.
pub(super) fn write(
    rows: &Rows<'_>,
    text: Option<&str>,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let encoding = Encoding {
        compression: Compression::ZIP16,
        blocks: Blocks::ScanLines,
        line_order: LineOrder::Increasing,
    };
    let height = |Vec2(x, y)| (rows.get(x, y),);
    let channels = SpecificChannels::build()
        .with_channel::<f32>("Y")
        .with_pixel_fn(height);
    let size = Vec2(rows.width(), rows.height());
    let mut attributes = LayerAttributes::default();
    // Only one attribute: the library would write several in an arbitrary order.
    if let Some(text) = text.and_then(Text::new_or_none) {
        let name = Text::new_or_panic(ATTRIBUTE);
        attributes.other.insert(name, AttributeValue::Text(text));
    }
    let layer = Layer::new(size, attributes, encoding, channels);
    let mut file = Cancellable {
        file: Cursor::new(Vec::new()),
        progress,
    };
    let steps = |fraction: f64| {
        // Ignore a cancellation here: the next write returns it as an error.
        let _ = progress.step((fraction * 1e6) as usize, 1_000_000);
    };
    let written = Image::from_layer(layer)
        .write()
        .non_parallel()
        .on_progress(steps)
        .to_buffered(&mut file);
    progress.check()?;
    written.map_err(std::io::Error::other)?;
    out.write_all(file.file.get_ref())?;
    Ok(progress.step(1, 1)?)
}

/// The name of the attribute that holds the sidecar's JSON.
const ATTRIBUTE: &str = "lanternfell";

/// A buffer in memory whose writes fail after a cancellation.
struct Cancellable<'a> {
    file: Cursor<Vec<u8>>,
    progress: &'a Progress,
}

impl Write for Cancellable<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.progress.check().map_err(std::io::Error::other)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Seek for Cancellable<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(to)
    }
}

/// Returns the size of an OpenEXR image from its first bytes. More bytes are allowed.
///
/// # Errors
/// [`ImportError::Malformed`] when the bytes are not the start of an OpenEXR image or end before its size,
/// [`ImportError::Size`] when the size is not one that a map can have.
pub fn exr_size(header: &[u8]) -> Result<MapSize, ImportError> {
    let mut rest = header
        .strip_prefix(&crate::format::EXR_MAGIC)
        .and_then(|rest| rest.get(4..))
        .ok_or_else(|| ImportError::Malformed("this is not an OpenEXR image".to_owned()))?;
    let no_size = || damaged("it has no size");
    // An attribute is a name, a type name, a length, and that number of bytes.
    loop {
        let (name, kind, content);
        (name, rest) = text(rest).ok_or_else(no_size)?;
        (kind, rest) = text(rest).ok_or_else(no_size)?;
        let (length, after) = rest.split_first_chunk().ok_or_else(no_size)?;
        let length = usize::try_from(i32::from_le_bytes(*length)).map_err(|_| no_size())?;
        (content, rest) = after.split_at_checked(length).ok_or_else(no_size)?;
        if name == b"dataWindow" && kind == b"box2i" {
            let (numbers, _) = content.as_chunks::<4>();
            let [west, north, east, south] = numbers else {
                return Err(no_size());
            };
            let side = |first: &[u8; 4], last: &[u8; 4]| {
                let cells = i64::from(i32::from_le_bytes(*last)) + 1;
                u64::try_from(cells - i64::from(i32::from_le_bytes(*first))).unwrap_or(0)
            };
            return Ok(MapSize::new(side(west, east), side(north, south))?);
        }
    }
}

/// Returns the bytes before the next zero byte and the bytes after it, or `None` for an empty string, which ends the
/// attributes.
fn text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes
        .iter()
        .position(|&byte| byte == 0)
        .filter(|&end| end > 0)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// Reads a heightmap from an OpenEXR image. The numbers are the heights.
///
/// The image must have a single part. The heights come from its only channel, or from `R`, `G` and `B` if they are
/// equal. Alpha (`A`) is ignored, and so are the chroma channels `RY` and `BY` if there is a channel `Y`.
/// [`read`](crate::read) can select one of several parts and channels.
///
/// # Errors
/// - [`ImportError::Malformed`] when the bytes are not an OpenEXR image, are truncated, or use an unsupported variant.
/// - [`ImportError::Size`] when the size is not one that a map can have. It is checked before memory is allocated.
/// - [`ImportError::Several`] when the image has several parts or channels.
/// - [`ImportError::Colored`] when a pixel is not gray.
/// - [`ImportError::NotFinite`] when a height is NaN, infinite, or missing in the file.
pub fn read_exr(bytes: &[u8]) -> Result<Heightmap, ImportError> {
    let mut heights = Vec::new();
    let options = ReadOptions::default();
    let (size, _) = put_heights(&mut Cursor::new(bytes), &options, &mut heights)?;
    finite(size, heights)
}

/// Decodes the heights, block by block, and the metadata. Metadata for another size is ignored: an image editor kept it
/// when it resized the image.
pub(super) fn decode(
    file: &mut dyn Source,
    options: &ReadOptions,
    cells: &mut dyn Cells,
) -> Result<Decoded, ImportError> {
    let (size, text) = put_heights(file, options, cells)?;
    let sidecar = text.map(|text| Sidecar::parse(&text)).transpose()?;
    let sidecar = sidecar.filter(|sidecar| sidecar.size == size);
    let frame = match sidecar {
        Some(sidecar) => StoredFrame::Whole(sidecar.frame),
        None => StoredFrame::Parts(FileMetadata::default()),
    };
    Ok(Decoded {
        size,
        frame,
        gap: None,
        largest: None,
    })
}

/// Puts the heights into the cells. Returns the text of the metadata.
fn put_heights(
    file: &mut dyn Source,
    options: &ReadOptions,
    cells: &mut dyn Cells,
) -> Result<(MapSize, Option<Vec<u8>>), ImportError> {
    // The decoder reserves the size that the file declares, so check it first.
    let found = usize::try_from(cells::length(file)?).unwrap_or(usize::MAX);
    let size = exr_size(&cells::beginning(file, HEADER)?)?;
    let reader = exr::block::read(file, false).map_err(damaged)?;
    let first = reader.headers().first().map(|header| header.layer_size);
    if first != Some(Vec2(size.width(), size.height())) {
        return Err(damaged("it has two different sizes"));
    }
    // Check all parts, because a block of the file may declare that it belongs to any of them.
    for part in reader.headers() {
        check_claim(claim(part), found)?;
    }
    let meta = reader.meta_data().clone();
    let part = choice::part(&meta.headers, options)?;
    let header = &meta.headers[part];
    let Vec2(width, height) = header.layer_size;
    let size = MapSize::new(width as u64, height as u64)?;
    check_compression(header.compression)?;
    let channels = Channels::of(header, options)?;
    let text = match header.own_attributes.other.get(ATTRIBUTE.as_bytes()) {
        Some(AttributeValue::Text(text)) => Some(text.bytes().to_vec()),
        _ => None,
    };
    let chunks = reader
        .filter_chunks(false, |_, tile, block| {
            block.layer == part && tile.is_largest_resolution_level()
        })
        .map_err(damaged)?;
    // Cells that no block covers stay NaN, and are reported at the end.
    cells.begin(size, Some(f32::NAN))?;
    for chunk in chunks {
        let chunk = chunk.map_err(damaged)?;
        let wrong = || damaged("its block table is invalid");
        // Check before decompression: another part may use an unsupported compression.
        if chunk.layer_index != part {
            return Err(wrong());
        }
        let block = UncompressedBlock::decompress_chunk(chunk, &meta, false).map_err(damaged)?;
        if block.index.level != Vec2(0, 0) {
            return Err(wrong());
        }
        channels.place(&block, header, size, cells)?;
    }
    Ok((size, text))
}

/// Returns the declared size in bytes of a layer, or of one of its tiles if that is larger.
fn claim(layer: &Header) -> u64 {
    let cells = |Vec2(width, height): Vec2<usize>| (width as u64).saturating_mul(height as u64);
    let tile = match layer.blocks {
        BlockDescription::ScanLines => 0,
        BlockDescription::Tiles(tiles) => cells(tiles.tile_size),
    };
    let most = cells(layer.layer_size).max(tile);
    most.saturating_mul(layer.channels.bytes_per_pixel as u64)
}

/// Returns an error for unsupported compressions. (The B44 decoder also panics on some damaged files.)
fn check_compression(compression: Compression) -> Result<(), ImportError> {
    match compression {
        Compression::Uncompressed
        | Compression::RLE
        | Compression::ZIP1
        | Compression::ZIP16
        | Compression::PIZ
        | Compression::PXR24 => Ok(()),
        other => Err(not_read(&other.to_string())),
    }
}

/// The channels that contain the heights.
struct Channels {
    /// The index of one channel in the file, or of three that must be equal.
    chosen: Vec<usize>,
}

impl Channels {
    fn of(header: &Header, options: &ReadOptions) -> Result<Self, ImportError> {
        let chosen = choice::channels(header, options)?;
        let list = &header.channels.list;
        let whole = |&index: &usize| list[index].sample_type == SampleType::U32;
        if chosen.iter().any(whole) {
            return Err(not_read("its samples are integers"));
        }
        Ok(Self { chosen })
    }

    /// Puts the heights of a block into the cells.
    fn place(
        &self,
        block: &UncompressedBlock,
        header: &Header,
        size: MapSize,
        cells: &mut dyn Cells,
    ) -> Result<(), ImportError> {
        let outside = || damaged("a block is outside of the image");
        for line in block.lines(&header.channels) {
            let Some(order) = self.chosen.iter().position(|&c| c == line.location.channel) else {
                continue;
            };
            let (Vec2(x, y), count) = (line.location.position, line.location.sample_count);
            let ends_within = x.checked_add(count).is_some_and(|end| end <= size.width());
            if y >= size.height() || !ends_within {
                return Err(outside());
            }
            let is_half =
                header.channels.list[line.location.channel].sample_type == SampleType::F16;
            let mut different = None;
            let mut set = |cells: &mut [f32]| {
                different = if is_half {
                    let number = |half| f16::from_ne_bytes(half).to_f32();
                    fill(cells, line.value, order, number)
                } else {
                    fill(cells, line.value, order, f32::from_ne_bytes)
                };
            };
            let first = y * size.width() + x;
            if order == 0 {
                cells.put(first, count, &mut set)?;
            } else {
                cells.change(first, count, &mut set)?;
            }
            if let Some(column) = different {
                let column = x + column;
                return Err(ImportError::Colored { column, row: y });
            }
        }
        Ok(())
    }
}

/// Fills the cells from the first channel (order 0). For later channels, returns the first cell in which they differ
/// from it.
fn fill<const N: usize>(
    cells: &mut [f32],
    bytes: &[u8],
    order: usize,
    number: impl Fn([u8; N]) -> f32,
) -> Option<usize> {
    let values = bytes.as_chunks().0.iter().map(|&bytes| number(bytes));
    if order > 0 {
        let same = |(a, b): (&f32, f32)| *a == b || (a.is_nan() && b.is_nan());
        return cells.iter().zip(values).position(|pair| !same(pair));
    }
    for (cell, value) in cells.iter_mut().zip(values) {
        *cell = value;
    }
    None
}

fn damaged(error: impl std::fmt::Display) -> ImportError {
    let words = error.to_string();
    // The words of the `exr` crate for a truncated file.
    let words = words.replace("reference to missing bytes", "the file ends too early");
    ImportError::malformed(format_args!("the OpenEXR image is damaged: {words}"))
}

fn not_read(what: &str) -> ImportError {
    ImportError::malformed(format_args!(
        "this kind of OpenEXR image is not supported: {what}"
    ))
}
