//! Decompresses a strip or tile piece by piece.
//!
//! Problem: a strip or tile may hold the whole map. The decoders of the `tiff` crate need it in one piece, so its bytes
//! would be in memory next to the heights.
//!
//! Idea: keep the state of the decompressor, and decompress as many bytes as are read.
//!
//! Memory: the tables of the decompressor, and what it refers back to: 32 KiB for Deflate, 16 KiB for LZW, and for
//! Zstandard what the level of the compressor needs (8 MiB for level 19).
//!
//! Source: Adobe, *TIFF revision 6.0*, 1992, "LZW compression" and "PackBits compression"; RFC 1950; RFC 8878.

use std::io::{BufRead, Error, ErrorKind, Read, Result, Take, copy, sink};

use flate2::{Decompress, FlushDecompress, Status};
use ruzstd::decoding::{
    BlockDecodingStrategy, FrameDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};
use weezl::{BitOrder, LzwStatus, decode};

use super::super::cells::Source;

/// The compressed bytes that have not been read yet.
pub(super) type Input<'a> = Take<&'a mut dyn Source>;

/// A compression method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Deflate,
    Lzw,
    PackBits,
    Zstandard,
}

/// A strip or tile of which some bytes have been decompressed.
pub(super) enum Stream {
    Deflate(Decompress),
    Lzw(Box<Lzw>),
    PackBits(Run),
    Zstandard(Box<Zstandard>),
}

impl Stream {
    /// Creates a stream of at most `most` bytes.
    pub(super) fn new(method: Method, most: u64) -> Self {
        match method {
            Method::Deflate => Self::Deflate(Decompress::new(true)),
            Method::Lzw => Self::Lzw(Box::new(Lzw::new())),
            Method::PackBits => Self::PackBits(Run::Literal(0)),
            Method::Zstandard => Self::Zstandard(Box::new(Zstandard::new(most))),
        }
    }

    /// Fills the start of `bytes`, which must not be empty. Returns the number of bytes, which is 0 only at the end.
    pub(super) fn read(&mut self, input: &mut Input<'_>, bytes: &mut [u8]) -> Result<usize> {
        match self {
            Self::Deflate(decoder) => inflate(decoder, input, bytes),
            Self::Lzw(lzw) => lzw.read(input, bytes),
            Self::PackBits(run) => run.read(input, bytes),
            Self::Zstandard(zstandard) => zstandard.read(input, bytes),
        }
    }
}

fn inflate(decoder: &mut Decompress, input: &mut Input<'_>, bytes: &mut [u8]) -> Result<usize> {
    loop {
        let packed = input.fill_buf()?;
        let is_end = packed.is_empty();
        let flush = if is_end {
            FlushDecompress::Finish
        } else {
            FlushDecompress::None
        };
        let before = (decoder.total_in(), decoder.total_out());
        let status = decoder.decompress(packed, bytes, flush);
        let consumed = decoder.total_in() - before.0;
        let count = (decoder.total_out() - before.1) as usize;
        input.consume(consumed as usize);
        let status = status.map_err(|_| Error::other("corrupt deflate stream"))?;
        if count > 0 || is_end || status == Status::StreamEnd {
            return Ok(count);
        }
    }
}

/// The state of LZW.
///
/// weezl 0.1.12 reads ahead: it reports a missing end code when the end code is in the last bytes of its input. GDAL's
/// files contain such strips now and then. Unused bytes therefore follow the strip.
pub(super) struct Lzw {
    decoder: decode::Decoder,
    /// How many of the unused bytes are left.
    unused: usize,
}

impl Lzw {
    /// The maximum number of bytes that the decoder reads ahead.
    const AHEAD: [u8; 8] = [0; 8];

    fn new() -> Self {
        let decoder = decode::Configuration::with_tiff_size_switch(BitOrder::Msb, 8);
        Self {
            decoder: decoder.with_yield_on_full_buffer(true).build(),
            unused: Self::AHEAD.len(),
        }
    }

    fn read(&mut self, input: &mut Input<'_>, bytes: &mut [u8]) -> Result<usize> {
        loop {
            let is_complete = input.limit() == 0;
            let packed = input.fill_buf()?;
            let result = if is_complete {
                let unused = &Self::AHEAD[..self.unused];
                let result = self.decoder.decode_bytes(unused, bytes);
                self.unused -= result.consumed_in;
                result
            } else {
                let result = self.decoder.decode_bytes(packed, bytes);
                input.consume(result.consumed_in);
                result
            };
            match result.status.map_err(Error::other)? {
                LzwStatus::Ok if result.consumed_out == 0 => {}
                LzwStatus::Ok | LzwStatus::Done => return Ok(result.consumed_out),
                LzwStatus::NoProgress => return Err(ErrorKind::UnexpectedEof.into()),
            }
        }
    }
}

/// The state of PackBits: how many bytes are left of a run.
pub(super) enum Run {
    Literal(usize),
    /// A repeated byte.
    Repeat(usize, u8),
}

impl Run {
    fn read(&mut self, input: &mut Input<'_>, bytes: &mut [u8]) -> Result<usize> {
        while let Self::Literal(0) | Self::Repeat(0, _) = self {
            let mut header = [0];
            if input.read(&mut header)? == 0 {
                return Ok(0);
            }
            match header[0] {
                // No run.
                128 => {}
                header @ 0..128 => *self = Self::Literal(usize::from(header) + 1),
                header => {
                    let mut value = [0];
                    input.read_exact(&mut value)?;
                    *self = Self::Repeat(257 - usize::from(header), value[0]);
                }
            }
        }
        match self {
            Self::Literal(left) => {
                let count = bytes.len().min(*left);
                let count = input.read(&mut bytes[..count])?;
                *left -= count;
                Ok(count)
            }
            Self::Repeat(left, value) => {
                let count = bytes.len().min(*left);
                bytes[..count].fill(*value);
                *left -= count;
                Ok(count)
            }
        }
    }
}

/// The state of Zstandard: a sequence of frames, of which each is a sequence of blocks.
pub(super) struct Zstandard {
    frame: FrameDecoder,
    /// The number of bytes that were read.
    length: u64,
    /// At least how many bytes were decompressed. The decoder keeps those that later blocks may refer to.
    unpacked: u64,
    most: u64,
}

impl Zstandard {
    /// The number of bytes to decompress at a time.
    const STEP: u64 = 1 << 20;

    /// How many bytes the decoder may keep. Level 22 of the compressor refers back to at most this many bytes.
    const MOST_KEPT: u64 = 1 << 27;

    fn new(most: u64) -> Self {
        Self {
            frame: FrameDecoder::new(),
            length: 0,
            unpacked: 0,
            most,
        }
    }

    fn read(&mut self, input: &mut Input<'_>, bytes: &mut [u8]) -> Result<usize> {
        let failed = |error: FrameDecoderError| Error::other(error.to_string());
        while self.frame.can_collect() == 0 {
            if self.frame.is_finished() {
                if input.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.start_frame(input)?;
                continue;
            }
            let step = BlockDecodingStrategy::UptoBytes(Self::STEP as usize);
            let decoded = self.frame.decode_blocks(&mut *input, step);
            decoded.map_err(failed)?;
            self.unpacked = if self.frame.is_finished() {
                self.length + self.frame.can_collect() as u64
            } else {
                // All steps but the last decompress at least this much.
                self.unpacked + Self::STEP
            };
            let kept = self.unpacked.saturating_sub(self.length);
            if self.unpacked > self.most || !self.frame.is_finished() && kept > Self::MOST_KEPT {
                return Err(Error::other("it is too long when decompressed"));
            }
        }
        let count = self.frame.read(bytes)?;
        self.length += count as u64;
        Ok(count)
    }

    /// Reads the header of a frame, or skips a frame of other data.
    fn start_frame(&mut self, input: &mut Input<'_>) -> Result<()> {
        // A decoder that is used again reserves all memory that a frame declares.
        self.frame = FrameDecoder::new();
        match self.frame.init(&mut *input) {
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let skipped = copy(&mut input.take(length.into()), &mut sink())?;
                if skipped < u64::from(length) {
                    return Err(Error::other(
                        FrameDecoderError::FailedToSkipFrame.to_string(),
                    ));
                }
                Ok(())
            }
            result => result.map_err(|error| Error::other(error.to_string())),
        }
    }
}
