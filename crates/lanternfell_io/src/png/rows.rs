//! Reads a PNG row by row.
//!
//! Problem: the heights of a large image may not fit into memory, but a single row always does.
//!
//! Idea: the gray samples of a PNG are the numbers of a RAW file. The caller can write the rows to such a file or
//! convert them to heights.
//!
//! Limits: an interlaced image only has complete rows at its end, so all its samples are kept in memory.
//!
//! Gray of 1 bit takes 8 times more memory than in the file, where Deflate compresses it up to 1032 times. If such a
//! file declares more than 4096 times its length, it is read once without keeping its rows, to check that it is
//! complete.

use std::io::{BufRead, Read, Seek, SeekFrom};

use png::{BitDepth, Decoder, DecodingError, Limits, Reader, Transformations};

use super::{
    super::{
        ByteOrder, ElevationSource, ImportError, Meaning, PngEncoding, RawFormat, ReadOptions,
        Sample, Sidecar, check_claim,
        error::read_words,
        file_metadata::{FileMetadata, StoredFrame},
        sidecar,
    },
    KEYWORD, PNG_HEADER, SIGNATURE,
    encoding::Guess,
    png_size,
};
use lanternfell_heightmap::{Elevation, MapFrame, MapSize};

/// Reads a PNG row by row. The numbers are those that [`read_png`](super::read_png) reads.
///
/// ```
/// use std::io::Cursor;
/// use lanternfell_heightmap::{Heightmap, MapSize};
/// use lanternfell_io::{self as io, PngDepth, PngRows};
///
/// let map = Heightmap::from_fn(MapSize::new(3, 2)?, |x, _| x as f32 / 2.0)?;
/// let mut file = Vec::new();
/// io::write_png(&map, PngDepth::Eight, &mut file)?;
/// let length = file.len() as u64;
/// let mut rows = PngRows::open(Cursor::new(file), length)?;
/// assert_eq!(rows.next_row()?, Some(&[0, 128, 255][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PngRows<R: BufRead + Seek> {
    reader: Reader<R>,
    size: MapSize,
    sidecar: Option<Vec<u8>>,
    /// The index of the next row.
    y: usize,
    /// All samples of an interlaced image.
    whole: Option<Vec<u8>>,
    /// The numbers of the current row.
    row: Vec<u8>,
    encoding: Option<PngEncoding>,
}

impl<R: BufRead + Seek> PngRows<R> {
    /// Opens a PNG of `length` bytes.
    ///
    /// # Errors
    /// [`ImportError::Malformed`] when the file is not a PNG or is damaged, [`ImportError::Size`] when the size is not
    /// one that a map can have.
    pub fn open(mut file: R, length: u64) -> Result<Self, ImportError> {
        let mut header = Vec::new();
        let mut start = file.by_ref().take(PNG_HEADER as u64);
        start.read_to_end(&mut header).map_err(unread)?;
        let size = png_size(&header)?;
        let sidecar = text(&mut file);
        file.rewind().map_err(unread)?;
        check_size(&mut file, size, length)?;
        file.rewind().map_err(unread)?;
        let mut reader = decoder(file, size)?;
        let samples = reader.output_buffer_size().unwrap_or(usize::MAX);
        let whole = if reader.info().interlaced {
            let mut whole = vec![0; samples];
            reader.next_frame(&mut whole).map_err(damaged)?;
            Some(whole)
        } else {
            None
        };
        Ok(Self {
            reader,
            size,
            sidecar,
            y: 0,
            whole,
            row: Vec::new(),
            encoding: None,
        })
    }

    /// Reads the colors as heights in meters. With `None`, all pixels must be gray.
    pub fn with_encoding(self, encoding: Option<PngEncoding>) -> Self {
        Self { encoding, ..self }
    }

    /// The width and height in cells.
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// Returns the number format of the rows: `u8`, or `u16` with the most significant byte first. Encoded heights have
    /// [`RawFormat::R32`].
    pub fn numbers(&self) -> RawFormat {
        if self.encoding.is_some() {
            return RawFormat::R32;
        }
        let sample = match self.reader.output_color_type().1 {
            BitDepth::Sixteen => Sample::U16,
            BitDepth::One | BitDepth::Two | BitDepth::Four | BitDepth::Eight => Sample::U8,
        };
        RawFormat {
            sample,
            order: ByteOrder::Big,
        }
    }

    /// Returns what heights and cells mean, from the metadata in the text chunk, and how it was determined. Metadata for
    /// another size is ignored: an image editor kept it when it resized the image. Encoded heights are always meters.
    ///
    /// # Errors
    /// [`ImportError::Malformed`] and [`ImportError::Param`] when the metadata is invalid.
    pub fn frame(&self) -> Result<(MapFrame, Meaning), ImportError> {
        let stored = self.stored_frame()?;
        let meaning = Meaning {
            source: stored
                .elevation_source()
                .unwrap_or(ElevationSource::Default),
            one: self.numbers().sample.one() as f32,
        };
        let frame = stored.frame(self.size, meaning, &ReadOptions::default());
        Ok((frame, meaning))
    }

    pub(super) fn stored_frame(&self) -> Result<StoredFrame, ImportError> {
        let sidecar = self.sidecar.as_deref().map(Sidecar::parse).transpose()?;
        let meters = self.encoding.map(|_| Elevation::METERS);
        Ok(match sidecar.filter(|sidecar| sidecar.size == self.size) {
            Some(Sidecar { frame, .. }) => StoredFrame::Whole(MapFrame {
                elevation: meters.unwrap_or(frame.elevation),
                elevation_is_explicit: frame.elevation_is_explicit || meters.is_some(),
                ..frame
            }),
            None => StoredFrame::Parts(FileMetadata {
                elevation: meters,
                source: meters.map(|_| ElevationSource::Format),
                ..FileMetadata::default()
            }),
        })
    }

    /// Returns the numbers of the next row, or `None` after the last row.
    ///
    /// # Errors
    /// [`ImportError::Malformed`] when the file is damaged or truncated, or has no colors although there is an encoding.
    /// [`ImportError::Colored`] or [`ImportError::Encoded`] when a pixel is not gray and there is no encoding.
    pub fn next_row(&mut self) -> Result<Option<&[u8]>, ImportError> {
        let numbers = self.numbers();
        let (color, depth) = self.reader.output_color_type();
        let channels = color.samples();
        let (whole, row_bytes) = (self.whole.as_deref(), self.row_bytes());
        let Some(pixels) = pixels(&mut self.reader, whole, row_bytes, self.y)? else {
            return Ok(None);
        };
        let row = self.y;
        self.y += 1;
        if let Some(encoding) = self.encoding {
            if channels < 3 || depth != BitDepth::Eight {
                return Err(ImportError::malformed(format_args!(
                    "the {encoding} encoding needs a PNG with 8-bit colors"
                )));
            }
            self.row.clear();
            let heights = colors(pixels, channels).map(|color| encoding.height(color));
            self.row.extend(heights.flat_map(f32::to_le_bytes));
            return Ok(Some(&self.row));
        }
        let colored = match numbers.sample.bytes() {
            1 => grays::<1>(pixels, channels, &mut self.row),
            _ => grays::<2>(pixels, channels, &mut self.row),
        };
        match colored {
            Some(column) => {
                let mut guesses = [PngEncoding::Terrarium, PngEncoding::Mapbox].map(Guess::of);
                let look = |guess: &mut Guess| guess.look(colors(pixels, channels));
                guesses.iter_mut().for_each(look);
                Err(match self.guess(guesses) {
                    Some(encoding) => ImportError::Encoded { encoding },
                    None => ImportError::Colored { column, row },
                })
            }
            None => Ok(Some(&self.row)),
        }
    }

    fn row_bytes(&self) -> usize {
        let (color, depth) = self.reader.output_color_type();
        let bytes = if depth == BitDepth::Sixteen { 2 } else { 1 };
        color.samples() * bytes * self.size.width()
    }

    /// Returns the encoding that the current row and the rows after it look like. A damaged image does not look like any.
    fn guess(&mut self, mut guesses: [Guess; 2]) -> Option<PngEncoding> {
        let (color, depth) = self.reader.output_color_type();
        if depth != BitDepth::Eight {
            return None;
        }
        let channels = color.samples();
        let (whole, row_bytes) = (self.whole.as_deref(), self.row_bytes());
        for y in self.y..self.size.height() {
            let pixels = pixels(&mut self.reader, whole, row_bytes, y).ok()??;
            for guess in &mut guesses {
                guess.look(colors(pixels, channels));
            }
        }
        guesses.iter().find_map(Guess::result)
    }
}

/// Returns the pixels of the next row, which is row `y`.
fn pixels<'a, R: BufRead + Seek>(
    reader: &'a mut Reader<R>,
    whole: Option<&'a [u8]>,
    row_bytes: usize,
    y: usize,
) -> Result<Option<&'a [u8]>, ImportError> {
    match whole {
        Some(whole) => Ok(whole.chunks_exact(row_bytes).nth(y)),
        // After the last row this checks that the file is complete.
        None => Ok(reader.next_row().map_err(damaged)?.map(|row| row.data())),
    }
}

/// Returns the red, green and blue of pixels with 8 bits.
fn colors(pixels: &[u8], channels: usize) -> impl Iterator<Item = [u8; 3]> {
    let pixels = pixels.chunks_exact(channels);
    pixels.filter_map(|pixel| pixel.first_chunk().copied())
}

/// Returns a decoder that expands gray of less than 8 bits to a byte, and palettes to colors.
fn decoder<R: BufRead + Seek>(file: R, size: MapSize) -> Result<Reader<R>, ImportError> {
    let mut decoder = Decoder::new_with_limits(file, limits(size));
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.read_info().map_err(damaged)
}

/// Returns an error if a file of `length` bytes does not contain the samples that it declares.
fn check_size(
    file: &mut (impl BufRead + Seek),
    size: MapSize,
    length: u64,
) -> Result<(), ImportError> {
    let found = usize::try_from(length).unwrap_or(usize::MAX);
    let mut reader = decoder(file, size)?;
    let (bits, samples) = (reader.info().bits_per_pixel(), reader.output_buffer_size());
    check_claim((size.cells() * bits / 8) as u64, found)?;
    if check_claim(samples.unwrap_or(usize::MAX) as u64, found).is_err() {
        while reader.next_row().map_err(damaged)?.is_some() {}
    }
    Ok(())
}

/// Collects the first sample of each pixel, which has `channels` samples of `N` bytes. Returns the first pixel whose
/// first three samples differ, if there are three or more.
fn grays<const N: usize>(pixels: &[u8], channels: usize, row: &mut Vec<u8>) -> Option<usize> {
    row.clear();
    let pixels = pixels.as_chunks::<N>().0.chunks_exact(channels);
    if channels >= 3 {
        let mut colored = pixels
            .clone()
            .map(|pixel| pixel[0] != pixel[1] || pixel[0] != pixel[2]);
        if let Some(column) = colored.position(|colored| colored) {
            return Some(column);
        }
    }
    pixels.for_each(|pixel| row.extend(pixel[0]));
    None
}

/// Returns the content of our text chunk if it comes before the pixels. Compressed text chunks are ignored. Read errors
/// are ignored too, because the decoder reports them.
fn text(file: &mut (impl BufRead + Seek)) -> Option<Vec<u8>> {
    file.seek(SeekFrom::Start(SIGNATURE.len() as u64)).ok()?;
    let mut begin = [0; 8];
    loop {
        file.read_exact(&mut begin).ok()?;
        let (words, _) = begin.as_chunks::<4>();
        let length = u32::from_be_bytes(words[0]);
        // The content is followed by a checksum.
        let mut left = i64::from(length) + 4;
        match &words[1] {
            b"IDAT" => return None,
            b"tEXt" if length as usize <= sidecar::LONGEST => {
                let mut content = vec![0; length as usize];
                file.read_exact(&mut content).ok()?;
                let content = content.strip_prefix(KEYWORD.as_bytes());
                if let Some(text) = content.and_then(|content| content.strip_prefix(&[0])) {
                    return Some(text.to_vec());
                }
                left -= i64::from(length);
            }
            _ => {}
        }
        file.seek_relative(left).ok()?;
    }
}

/// Lets the decoder allocate what the largest pixel format needs, and 16 MiB for itself.
fn limits(size: MapSize) -> Limits {
    let bytes = 16 * size.cells() + (1 << 24);
    Limits { bytes }
}

fn damaged(error: DecodingError) -> ImportError {
    let words = match &error {
        DecodingError::IoError(error) => read_words(error),
        DecodingError::LimitsExceeded => {
            "its chunks need more memory than an image of its size".to_owned()
        }
        DecodingError::Format(_) | DecodingError::Parameter(_) => error.to_string(),
    };
    ImportError::malformed(format_args!("the PNG is damaged: {words}"))
}

fn unread(error: std::io::Error) -> ImportError {
    ImportError::malformed(format_args!("cannot read the PNG: {}", read_words(&error)))
}
