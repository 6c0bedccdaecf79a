//! PNG: greyscale with 8 or 16 bits, out and in.

use std::io::{Cursor, Write};

use image::{
    ColorType, ExtendedColorType, ImageDecoder, ImageEncoder, ImageError, Limits,
    codecs::png::{CompressionType, FilterType, PngDecoder, PngEncoder},
};

use super::{ExportError, ImportError, whole_numbers};
use crate::{Heightmap, MapSize};

/// How many bits a PNG keeps of each height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PngDepth {
    /// `round(255 z)`: any picture program shows it, but gentle slopes become terraces.
    Eight,
    /// `round(65535 z)`: what terrain tools expect. The default.
    #[default]
    Sixteen,
}

/// Writes `map` as a greyscale PNG; black is height 0, white height 1.
///
/// # Errors
/// [`ExportError::Height`] when a height is outside 0 to 1.
pub fn write_png(map: &Heightmap, depth: PngDepth, out: impl Write) -> Result<(), ExportError> {
    let (bytes, kind): (Vec<u8>, _) = match depth {
        PngDepth::Eight => {
            let values = whole_numbers(map, 255.0)?;
            (
                values.iter().map(|&v| v as u8).collect(),
                ExtendedColorType::L8,
            )
        }
        PngDepth::Sixteen => {
            let values = whole_numbers(map, 65_535.0)?;
            // The encoder takes the machine's own byte order.
            let bytes = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
            (bytes, ExtendedColorType::L16)
        }
    };
    let size = (map.width() as u32, map.height() as u32);
    Ok(encode(&bytes, size, kind, out)?)
}

/// Writes rows of red, green and blue bytes as a PNG.
pub(crate) fn write_colours(
    bytes: &[u8],
    size: (u32, u32),
    out: impl Write,
) -> std::io::Result<()> {
    encode(bytes, size, ExtendedColorType::Rgb8, out)
}

fn encode(
    bytes: &[u8],
    (width, height): (u32, u32),
    kind: ExtendedColorType,
    out: impl Write,
) -> std::io::Result<()> {
    PngEncoder::new_with_quality(out, CompressionType::Default, FilterType::Adaptive)
        .write_image(bytes, width, height, kind)
        .map_err(|error| match error {
            ImageError::IoError(error) => error,
            other => std::io::Error::other(other),
        })
}

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Reads a heightmap from a PNG: black is height 0, white height 1.
///
/// Greyscale of any depth; an alpha channel is ignored. Colours are taken only when
/// every pixel is grey, as some programs write it.
///
/// # Errors
/// [`ImportError::Png`] when the bytes are no PNG or are cut off, [`ImportError::Size`]
/// when a map can not be that large or small (found out before memory is taken), and
/// [`ImportError::Coloured`] for a picture in colours.
pub fn read_png(bytes: &[u8]) -> Result<Heightmap, ImportError> {
    if !bytes.starts_with(&SIGNATURE) {
        return Err(ImportError::Png("this is not a PNG".to_owned()));
    }
    let mut decoder = PngDecoder::new(Cursor::new(bytes)).map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let size = MapSize::new(u64::from(width), u64::from(height))?;
    decoder.set_limits(limits(size)).map_err(damaged)?;
    let kind = decoder.color_type();
    let channels = usize::from(kind.channel_count());
    let mut samples = vec![0; size.cells() * usize::from(kind.bytes_per_pixel())];
    decoder.read_image(&mut samples).map_err(damaged)?;
    let heights = match kind {
        ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8 => {
            greys(&samples, channels, size, |[byte]| f32::from(byte) / 255.0)?
        }
        ColorType::L16 | ColorType::La16 | ColorType::Rgb16 | ColorType::Rgba16 => {
            let height = |pair| f32::from(u16::from_ne_bytes(pair)) / 65_535.0;
            greys(&samples, channels, size, height)?
        }
        other => return Err(ImportError::Png(format!("{other:?} is not read"))),
    };
    Ok(Heightmap::from_heights(size, heights).expect("whole numbers are finite"))
}

/// The decoder may take what the largest kind of pixel needs, and some for itself.
fn limits(size: MapSize) -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MapSize::MAX_SIDE);
    limits.max_image_height = Some(MapSize::MAX_SIDE);
    limits.max_alloc = Some(16 * size.cells() as u64 + (1 << 20));
    limits
}

/// The heights of pixels of `channels` samples of `N` bytes each, of which the first is
/// grey, or the first three are when there are so many.
fn greys<const N: usize>(
    samples: &[u8],
    channels: usize,
    size: MapSize,
    height: impl Fn([u8; N]) -> f32,
) -> Result<Vec<f32>, ImportError> {
    let (samples, _) = samples.as_chunks::<N>();
    let pixels = samples.chunks_exact(channels);
    let coloured =
        |pixel: &[[u8; N]]| channels >= 3 && (pixel[0] != pixel[1] || pixel[0] != pixel[2]);
    if let Some(cell) = pixels.clone().position(coloured) {
        let (column, row) = (cell % size.width(), cell / size.width());
        return Err(ImportError::Coloured { column, row });
    }
    Ok(pixels.map(|pixel| height(pixel[0])).collect())
}

fn damaged(error: ImageError) -> ImportError {
    // Some of the decoder's messages have several lines; an error here has one.
    let message = error.to_string();
    let message: Vec<&str> = message.split_whitespace().collect();
    ImportError::Png(format!("the PNG is damaged: {}", message.join(" ")))
}
