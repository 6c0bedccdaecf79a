//! What a file of this game begins with, so that it can be told from other files, from those
//! of later releases, and from its own remains.
//!
//! ```text
//!    0        8      10      14      18
//!    | magic  | ver  | length| crc32 | body ...        numbers are little-endian
//! ```
//!
//! The length is that of the body. The checksum (CRC-32 of IEEE 802.3) is that of version,
//! length and body: one wrong bit anywhere is found.

/// What is before the body.
const HEADER: usize = 18;

/// No file is larger, in bytes. What is, was not written here, and no memory is taken for it.
pub const MAX_BYTES: usize = 8 << 20;

/// No body is larger.
pub(crate) const MAX_BODY: usize = MAX_BYTES - HEADER;

/// What a kind of file begins with.
#[derive(Debug, Clone)]
pub(crate) struct Seal {
    pub(crate) magic: [u8; 8],
    /// The version that is written, and the only one that is read.
    pub(crate) version: u16,
}

/// Why bytes are no whole file of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BrokenSeal {
    Foreign,
    Newer { version: u16 },
    TooOld { version: u16 },
    Truncated,
    Damaged,
}

impl Seal {
    /// The body with its header.
    pub(crate) fn close(&self, body: &[u8]) -> Vec<u8> {
        let version = self.version.to_le_bytes();
        let length = (body.len() as u32).to_le_bytes();
        let checksum = checksum(version, length, body).to_le_bytes();
        [&self.magic[..], &version, &length, &checksum, body].concat()
    }

    /// The body of a whole, undamaged file of this version.
    pub(crate) fn open<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], BrokenSeal> {
        let start = &bytes[..bytes.len().min(self.magic.len())];
        if start != &self.magic[..start.len()] {
            return Err(BrokenSeal::Foreign);
        }
        let (version, rest) = word(&bytes[start.len()..])?;
        let number = u16::from_le_bytes(version);
        if number > self.version {
            return Err(BrokenSeal::Newer { version: number });
        }
        if number < self.version {
            return Err(BrokenSeal::TooOld { version: number });
        }
        let (length, rest) = word(rest)?;
        let (expected, body) = word(rest)?;
        let whole = u32::from_le_bytes(length) as usize;
        if whole > MAX_BODY {
            return Err(BrokenSeal::Damaged);
        }
        if body.len() < whole {
            return Err(BrokenSeal::Truncated);
        }
        let sound = checksum(version, length, body) == u32::from_le_bytes(expected);
        if body.len() > whole || !sound {
            return Err(BrokenSeal::Damaged);
        }
        Ok(body)
    }
}

fn checksum(version: [u8; 2], length: [u8; 4], body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&version);
    hasher.update(&length);
    hasher.update(body);
    hasher.finalize()
}

/// The next bytes, and what follows them.
fn word<const N: usize>(bytes: &[u8]) -> Result<([u8; N], &[u8]), BrokenSeal> {
    let (word, rest) = bytes.split_first_chunk().ok_or(BrokenSeal::Truncated)?;
    Ok((*word, rest))
}
