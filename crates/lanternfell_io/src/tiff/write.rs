//! Writes TIFF files: a directory that is known in advance, then rows.

use std::io::Write;

use super::{
    super::{ByteOrder, ExportError, RawFormat, Sample, stream, written::Written},
    METADATA, geo_keys,
    metadata::Metadata,
};
use lanternfell_heightmap::{Elevation, MapFrame, MapSize, Progress};

/// Writes a map as a GeoTIFF.
pub(crate) fn write(
    written: &Written<'_>,
    sample: Sample,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let rows = &written.rows;
    rows.check_sample(sample, progress)?;
    let no_data = written.frame.no_data.map(|number| number as f32);
    // Integers have no spare value, and a valid height must not be taken for no data.
    let is_free =
        |number: &f32| sample == Sample::F32 && (written.keeps_no_data || !rows.contain(*number));
    let notes = Notes {
        no_data: no_data.filter(is_free),
        metadata: metadata(&written.frame, sample),
    };
    let directory = Directory::of(rows.size(), sample, &written.frame, notes);
    out.write_all(&directory.bytes())?;
    let format = RawFormat {
        sample,
        order: ByteOrder::Little,
    };
    let mut numbers = Vec::new();
    stream(rows.height(), &mut out, progress, |y, bytes| {
        format.push_row(rows.row(y, &mut numbers), bytes);
    })
}

/// Metadata for GDAL.
struct Notes {
    no_data: Option<f32>,
    metadata: Option<Metadata>,
}

/// Returns GDAL's metadata, or `None` if the frame has none.
fn metadata(frame: &MapFrame, sample: Sample) -> Option<Metadata> {
    let Elevation { offset, relief } = frame.elevation;
    let is_plain = frame.elevation == Elevation::METERS && !sample.is_fraction();
    let metadata = Metadata {
        offset: (!is_plain).then_some(offset),
        scale: (!is_plain).then_some(relief / sample.one()),
        // The numbers are written in meters, independent of their original unit.
        unit: frame.unit.map(|_| "m".to_owned()),
        scenery: frame.scenery,
        are_values: frame.unit.is_none(),
    };
    (metadata != Metadata::default()).then_some(metadata)
}

/// The approximate size of a strip in bytes. The specification suggests 8 KiB, but larger strips are usual today.
const STRIP: usize = 1 << 16;

/// The tags before the heights, in the order of their numbers.
struct Directory {
    entries: Vec<(u16, Values)>,
    /// The index in `entries` of the offsets of the strips, which are set last.
    strips: usize,
}

/// The values of a tag, by their type in the file.
enum Values {
    Shorts(Vec<u16>),
    Longs(Vec<u32>),
    Doubles(Vec<f64>),
    Text(String),
}

impl Directory {
    fn of(size: MapSize, sample: Sample, frame: &MapFrame, notes: Notes) -> Self {
        use Values::{Longs, Shorts, Text};
        let (width, height) = (size.width(), size.height());
        let bytes = sample.bytes();
        let row = width * bytes;
        let rows_per_strip = (STRIP / row).clamp(1, height);
        let strip_rows = (0..height)
            .step_by(rows_per_strip)
            .map(|first| rows_per_strip.min(height - first));
        // A map has at most 2^30 bytes of heights, so every number here fits.
        let lengths: Vec<u32> = strip_rows.map(|rows| (rows * row) as u32).collect();
        let kind = match sample {
            Sample::U8 | Sample::U16 => 1,
            Sample::I16 => 2,
            Sample::F32 => 3,
        };
        let mut entries = vec![
            (256, Longs(vec![width as u32])),
            (257, Longs(vec![height as u32])),
            (258, Shorts(vec![8 * bytes as u16])), // bits per sample
            (259, Shorts(vec![1])),                // uncompressed
            (262, Shorts(vec![1])),                // black is zero
            (273, Longs(vec![0; lengths.len()])),  // offsets of the strips, set below
            (277, Shorts(vec![1])),                // samples per pixel
            (278, Longs(vec![rows_per_strip as u32])),
            (279, Longs(lengths)),
            (339, Shorts(vec![kind])), // unsigned or signed integer, or floating point
        ];
        entries.extend(Self::place(size, frame));
        if let Some(metadata) = notes.metadata {
            entries.push((METADATA, Text(metadata.write())));
        }
        if let Some(number) = notes.no_data {
            entries.push((42_113, Text(number.to_string())));
        }
        let strips = 5;
        let mut directory = Self { entries, strips };
        directory.place_strips();
        directory
    }

    /// Returns the tags of the georeference.
    fn place(size: MapSize, frame: &MapFrame) -> [(u16, Values); 3] {
        let place = &frame.place;
        let ([west, south], [across, down]) = (place.corner, place.cell);
        let north = south + down * size.height() as f64;
        [
            (33_550, Values::Doubles(vec![across, down, 0.0])), // width and height of a pixel
            // The corner of pixel 0, 0.
            (
                33_922,
                Values::Doubles(vec![0.0, 0.0, 0.0, west, north, 0.0]),
            ),
            (34_735, Values::Shorts(geo_keys::keys(place))),
        ]
    }

    /// Sets the offsets of the strips: the first after the directory, each other after the one before.
    fn place_strips(&mut self) {
        let Values::Longs(lengths) = &self.entries[self.strips + 3].1 else {
            unreachable!("the lengths of the strips are three tags after their offsets");
        };
        let mut next = self.bytes().len() as u32;
        let mut places = Vec::with_capacity(lengths.len());
        for length in lengths {
            places.push(next);
            next += length;
        }
        self.entries[self.strips].1 = Values::Longs(places);
    }

    /// Returns the file up to its first height. Every part begins at an even offset.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"II\x2a\0\x08\0\0\0".to_vec();
        bytes.extend((self.entries.len() as u16).to_le_bytes());
        // Values of more than four bytes follow the directory and its end mark.
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
    /// Returns the number of the type, the number of values, and their bytes.
    fn content(&self) -> (u16, usize, Vec<u8>) {
        match self {
            Self::Shorts(list) => (3, list.len(), flat(list, u16::to_le_bytes)),
            Self::Longs(list) => (4, list.len(), flat(list, u32::to_le_bytes)),
            Self::Doubles(list) => (12, list.len(), flat(list, f64::to_le_bytes)),
            Self::Text(text) => {
                // The text ends with a zero byte. Another zero byte aligns the next value to an even offset.
                let bytes = [text.as_bytes(), &[0]].concat();
                let count = bytes.len();
                let padding = &[0][..count % 2];
                (2, count, [&bytes, padding].concat())
            }
        }
    }
}

fn flat<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| bytes(value)).collect()
}
