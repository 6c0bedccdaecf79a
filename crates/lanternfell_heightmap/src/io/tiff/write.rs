//! TIFF out: a directory that is known beforehand, then rows.

use std::io::Write;

use super::{
    super::{
        ByteOrder, ExportError, GeoReference, RawFormat, Sample, TiffOptions, check_whole, stream,
    },
    geo_keys,
};
use crate::{Heightmap, MapSize, Progress};

/// Writes `map` as a TIFF.
///
/// # Errors
/// [`ExportError::Param`] when the place is none, [`ExportError::Height`]
/// when the numbers are whole and a height is outside 0 to 1, and
/// [`ExportError::Cancelled`] when the work was cancelled.
pub fn write_tiff(
    map: &Heightmap,
    options: TiffOptions,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    if let Some(place) = options.geo_reference {
        place.validate()?;
    }
    if options.sample != Sample::F32 {
        check_whole(map, progress)?;
    }
    out.write_all(&Directory::of(map.size(), options).bytes())?;
    let format = RawFormat {
        sample: options.sample,
        order: ByteOrder::Little,
    };
    stream(map.height(), &mut out, progress, |y, bytes| {
        format.push_row(map.row(y), bytes);
    })
}

/// Bytes in a strip, about: what the specification's 8 KiB have become.
const STRIP: usize = 1 << 16;

/// The tags in front of the heights, in the order of their numbers.
struct Directory {
    entries: Vec<(u16, Values)>,
    /// Where in `entries` the places of the strips stand, to be known last.
    strips: usize,
}

/// The values of a tag, by their kind in the file.
enum Values {
    Shorts(Vec<u16>),
    Longs(Vec<u32>),
    Doubles(Vec<f64>),
}

impl Directory {
    fn of(size: MapSize, options: TiffOptions) -> Self {
        use Values::{Doubles, Longs, Shorts};
        let (width, height) = (size.width(), size.height());
        let bytes = options.sample.bytes();
        let row = width * bytes;
        let rows_per_strip = (STRIP / row).clamp(1, height);
        let strip_rows = (0..height)
            .step_by(rows_per_strip)
            .map(|first| rows_per_strip.min(height - first));
        // A map has at most 2^30 bytes of heights, so every number here fits.
        let lengths: Vec<u32> = strip_rows.map(|rows| (rows * row) as u32).collect();
        let kind = if options.sample == Sample::F32 { 3 } else { 1 };
        let mut entries = vec![
            (256, Longs(vec![width as u32])),
            (257, Longs(vec![height as u32])),
            (258, Shorts(vec![8 * bytes as u16])), // bits per sample
            (259, Shorts(vec![1])),                // not compressed
            (262, Shorts(vec![1])),                // black is zero
            (273, Longs(vec![0; lengths.len()])),  // the strips' places, below
            (277, Shorts(vec![1])),                // samples per pixel
            (278, Longs(vec![rows_per_strip as u32])),
            (279, Longs(lengths)),
            (339, Shorts(vec![kind])), // unsigned whole numbers, or with a fraction
        ];
        if let Some(GeoReference {
            corner: [west, south],
            cell,
            system,
        }) = options.geo_reference
        {
            let north = south + cell * height as f64;
            entries.extend([
                (33_550, Doubles(vec![cell, cell, 0.0])), // width and height of a pixel
                (33_922, Doubles(vec![0.0, 0.0, 0.0, west, north, 0.0])), // pixel 0, 0 is there
                (34_735, Shorts(geo_keys::keys(system))),
            ]);
        }
        let strips = 5;
        let mut directory = Self { entries, strips };
        directory.place_strips();
        directory
    }

    /// Finds out where the strips begin: each after the one before, the first after this.
    fn place_strips(&mut self) {
        let Values::Longs(lengths) = &self.entries[self.strips + 3].1 else {
            unreachable!("the strips' lengths are three tags after their places");
        };
        let mut next = self.bytes().len() as u32;
        let mut places = Vec::with_capacity(lengths.len());
        for length in lengths {
            places.push(next);
            next += length;
        }
        self.entries[self.strips].1 = Values::Longs(places);
    }

    /// The file up to its first height. Every part begins on an even byte.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"II\x2a\0\x08\0\0\0".to_vec();
        bytes.extend((self.entries.len() as u16).to_le_bytes());
        // Values of more than four bytes stand after the directory and its end mark.
        let after = bytes.len() + 12 * self.entries.len() + 4;
        let mut values = Vec::new();
        for (tag, list) in &self.entries {
            let (kind, count, mut content) = list.content();
            bytes.extend(tag.to_le_bytes());
            bytes.extend(u16::to_le_bytes(kind));
            bytes.extend((count as u32).to_le_bytes());
            if content.len() <= 4 {
                content.resize(4, 0);
                bytes.extend(content);
            } else {
                bytes.extend(((after + values.len()) as u32).to_le_bytes());
                values.extend(content);
            }
        }
        bytes.extend([0; 4]);
        bytes.extend(values);
        bytes
    }
}

impl Values {
    /// The number of the kind, how many there are, and their bytes.
    fn content(&self) -> (u16, usize, Vec<u8>) {
        match self {
            Self::Shorts(list) => (3, list.len(), flat(list, u16::to_le_bytes)),
            Self::Longs(list) => (4, list.len(), flat(list, u32::to_le_bytes)),
            Self::Doubles(list) => (12, list.len(), flat(list, f64::to_le_bytes)),
        }
    }
}

fn flat<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| bytes(value)).collect()
}
