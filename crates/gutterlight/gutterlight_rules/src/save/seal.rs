//! The header of the game's files: it detects foreign files, other versions, and damage.
//!
//! ```text
//!    0        8      10      14      18
//!    | magic  | ver  | length| crc32 | body ...        numbers are little-endian
//! ```
//!
//! The length is the length of the body. The checksum (CRC-32 of IEEE 802.3) covers the version,
//! the length and the body, so it detects every single-bit error.

/// The length of the header, in bytes.
const HEADER: usize = 18;

/// The maximum size of a file, in bytes. Larger files are rejected before memory is allocated for
/// them.
pub const MAX_BYTES: usize = 8 << 20;

/// The maximum size of a body, in bytes.
pub(crate) const MAX_BODY: usize = MAX_BYTES - HEADER;

/// The identity of a kind of file.
#[derive(Debug, Clone)]
pub(crate) struct Seal {
    pub(crate) magic: [u8; 8],
    /// The version that is written. Only this version is read.
    pub(crate) version: u16,
}

/// The reason why bytes are not a complete file of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BrokenSeal {
    Foreign,
    Newer { version: u16 },
    TooOld { version: u16 },
    Truncated,
    Damaged,
}

impl Seal {
    /// Adds the header to a body.
    pub(crate) fn close(&self, body: &[u8]) -> Vec<u8> {
        let version = self.version.to_le_bytes();
        let length = (body.len() as u32).to_le_bytes();
        let checksum = checksum(version, length, body).to_le_bytes();
        [&self.magic[..], &version, &length, &checksum, body].concat()
    }

    /// Checks the header, and returns the body.
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

/// Splits off the next `N` bytes.
fn word<const N: usize>(bytes: &[u8]) -> Result<([u8; N], &[u8]), BrokenSeal> {
    let (word, rest) = bytes.split_first_chunk().ok_or(BrokenSeal::Truncated)?;
    Ok((*word, rest))
}
