//! OpenEXR: the heights as `f32`, compressed without loss, out and in.
//!
//! ```text
//! magic, version ─▶ attributes: channels, compression, data window, ...
//!                ─▶ table: where each block begins
//!                ─▶ block: y, length, 16 rows by Deflate
//!                ─▶ block: ...
//! ```
//!
//! What film tools use for pictures with a large range, and terrain tools for heights.
//! Written is one channel `Y` (luminance: programs show it as gray). Read are scan lines
//! and tiles of `f32` or `f16`, plain or by RLE, ZIP, PIZ or PXR24; not by B44 or DWA,
//! which lose too much for heights.
//!
//! The table is known last but stands first: so the compressed file is kept in memory until
//! it is whole.
//!
//! Source: Kainz, Bogart, Stanczyk and Hillman, *Technical Introduction to OpenEXR*, 2013.

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
    ExportError, HEADER, ImportError, Sidecar,
    cells::{self, Cells, Decoded, Source},
    check_claim, finite,
    numbers::Rows,
    told::{FrameTold, Told},
};
use lanternfell_heightmap::{Heightmap, MapSize, Progress};

/// Writes `map` as an OpenEXR picture of one channel `Y`.
///
/// # Errors
/// [`ExportError::Cancelled`] when the work was cancelled.
pub fn write_exr(map: &Heightmap, out: impl Write, progress: &Progress) -> Result<(), ExportError> {
    write(&Rows::plain(map), None, out, progress)
}

/// Writes numbers, and a text about them.
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
    // The one that there is: several would come in any order.
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
        // Whether it was cancelled is seen at the next byte.
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

/// The attribute that holds what a sidecar would.
const ATTRIBUTE: &str = "lanternfell";

/// Bytes in memory that take no more once the work was cancelled.
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

/// The size of an OpenEXR picture, from its first bytes; more may follow.
///
/// # Errors
/// [`ImportError::Malformed`] when the bytes do not begin such a picture or end before its
/// size, [`ImportError::Size`] when a map can not be that large or small.
pub fn exr_size(header: &[u8]) -> Result<MapSize, ImportError> {
    let mut rest = header
        .strip_prefix(&crate::format::EXR_MAGIC)
        .and_then(|rest| rest.get(4..))
        .ok_or_else(|| ImportError::Malformed("this is not an OpenEXR picture".to_owned()))?;
    let no_size = || damaged("it has no size");
    // Attributes: a name, the name of a kind, a length, and so many bytes.
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

/// The bytes before the next zero, and what follows it. Empty ones end the attributes.
fn text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes
        .iter()
        .position(|&byte| byte == 0)
        .filter(|&end| end > 0)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// Reads a heightmap from an OpenEXR picture: of its first layer the channel `Y`, or the
/// only one there is beside `A`, or red, green and blue where they are equal. Its numbers
/// are the heights.
///
/// # Errors
/// [`ImportError::Malformed`] when the bytes are no such picture, cut off, or of a kind
/// that is not read; [`ImportError::Size`] when a map can not be that large or small (found
/// out before memory is taken), [`ImportError::Colored`] for a picture in colors, and
/// [`ImportError::NotFinite`] when a height is NaN or infinite, or missing in the file.
pub fn read_exr(bytes: &[u8]) -> Result<Heightmap, ImportError> {
    let mut heights = Vec::new();
    let (size, _) = put_heights(&mut Cursor::new(bytes), &mut heights)?;
    finite(size, heights)
}

/// Reads the heights, block by block, and what the picture tells about them. What it tells of one of another
/// size came along from there, and is not believed.
pub(super) fn decode(file: &mut dyn Source, cells: &mut dyn Cells) -> Result<Decoded, ImportError> {
    let (size, text) = put_heights(file, cells)?;
    let sidecar = text.map(|text| Sidecar::parse(&text)).transpose()?;
    let sidecar = sidecar.filter(|sidecar| sidecar.size == size);
    let frame = match sidecar {
        Some(sidecar) => FrameTold::Whole(sidecar.frame),
        None => FrameTold::Parts(Told::default()),
    };
    let gap = None;
    Ok(Decoded { size, frame, gap })
}

/// Puts the heights where they belong. Returns the text about them.
fn put_heights(
    file: &mut dyn Source,
    cells: &mut dyn Cells,
) -> Result<(MapSize, Option<Vec<u8>>), ImportError> {
    // The decoder reserves what the file claims: so look first.
    let found = usize::try_from(cells::length(file)?).unwrap_or(usize::MAX);
    let size = exr_size(&cells::beginning(file, HEADER)?)?;
    let reader = exr::block::read(file, false).map_err(damaged)?;
    let header = reader
        .headers()
        .first()
        .ok_or_else(|| damaged("no layer"))?;
    if header.layer_size != Vec2(size.width(), size.height()) {
        return Err(damaged("it says two sizes"));
    }
    // Of every layer: a block of the file may say that it belongs to any.
    for layer in reader.headers() {
        check_claim(claim(layer), found)?;
    }
    check_compression(header.compression)?;
    let channels = Channels::of(header)?;
    let text = match header.own_attributes.other.get(ATTRIBUTE.as_bytes()) {
        Some(AttributeValue::Text(text)) => Some(text.bytes().to_vec()),
        _ => None,
    };
    let meta = reader.meta_data().clone();
    let chunks = reader
        .filter_chunks(false, |_, tile, block| {
            block.layer == 0 && tile.is_largest_resolution_level()
        })
        .map_err(damaged)?;
    // What no block of the file covers stays NaN, and is found at the end.
    cells.begin(size, Some(f32::NAN))?;
    for chunk in chunks {
        let chunk = chunk.map_err(damaged)?;
        let wrong = || damaged("its table of blocks is wrong");
        // Before it is unpacked: another layer may be packed in a way that is not read.
        if chunk.layer_index != 0 {
            return Err(wrong());
        }
        let block = UncompressedBlock::decompress_chunk(chunk, &meta, false).map_err(damaged)?;
        if block.index.level != Vec2(0, 0) {
            return Err(wrong());
        }
        channels.place(&block, &meta.headers[0], size, cells)?;
    }
    Ok((size, text))
}

/// How many bytes a layer says that it has, or one of its tiles, if that is larger.
fn claim(layer: &Header) -> u64 {
    let cells = |Vec2(width, height): Vec2<usize>| (width as u64).saturating_mul(height as u64);
    let tile = match layer.blocks {
        BlockDescription::ScanLines => 0,
        BlockDescription::Tiles(tiles) => cells(tiles.tile_size),
    };
    let most = cells(layer.layer_size).max(tile);
    most.saturating_mul(layer.channels.bytes_per_pixel as u64)
}

/// An error for compressions that are not read. (The decoder of B44 also panics on some
/// damaged files.)
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

/// The channels that heights come from.
struct Channels {
    /// One, or three that must be equal, by their number in the file.
    chosen: Vec<usize>,
}

impl Channels {
    fn of(header: &Header) -> Result<Self, ImportError> {
        let list = &header.channels.list;
        let named = |name: &str| list.iter().position(|channel| channel.name.eq(name));
        let mut others = (0..list.len()).filter(|&index| !list[index].name.eq("A"));
        let chosen = if let Some(luminance) = named("Y") {
            vec![luminance]
        } else if let (Some(only), None) = (others.next(), others.next()) {
            vec![only]
        } else {
            let colors: Option<Vec<usize>> = ["B", "G", "R"].into_iter().map(named).collect();
            colors.ok_or_else(|| not_read("which of its channels is the height?"))?
        };
        let whole = |&index: &usize| list[index].sample_type == SampleType::U32;
        if chosen.iter().any(whole) {
            return Err(not_read("its numbers are whole"));
        }
        Ok(Self { chosen })
    }

    /// Puts a block's heights where they belong.
    fn place(
        &self,
        block: &UncompressedBlock,
        header: &Header,
        size: MapSize,
        cells: &mut dyn Cells,
    ) -> Result<(), ImportError> {
        let outside = || damaged("a block lies outside of it");
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

/// Fills the cells by the first channel (of order 0), and finds the first of them in which
/// a later channel is different.
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
    ImportError::malformed(format_args!("the OpenEXR picture is damaged: {error}"))
}

fn not_read(what: &str) -> ImportError {
    ImportError::malformed(format_args!(
        "an OpenEXR picture of this kind is not read: {what}"
    ))
}
