//! A block's file: its name, its header, and what does not fit.
//!
//! A header can be made from what is known before reading (owner, key, the file's size) and the
//! checksum that stands in it. So one comparison refuses other programs' files, other versions,
//! other owners, files under each other's names and wrong lengths, before memory is taken; and
//! another one, of checksums, all the rest.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{ErrorKind, Read, Result, Write},
    path::Path,
    time::SystemTime,
};

use super::BlockCache;
use crate::atomic::{new_file, temporary_file};

/// What the file of a block begins with.
const MAGIC: &[u8; 8] = b"lfblocks";
/// Of the header. What blocks hold is their owner's matter.
const VERSION: u32 = 1;
const HEADER: usize = 48;

/// Its own, so that nobody else's temporary file is taken for an abandoned one.
pub(super) const TEMPORARY: &str = ".lanternfell-block-";

/// Whose block, and which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockName {
    pub(super) owner: u64,
    pub(super) key: [i64; 2],
}

impl BlockName {
    /// The name of its file.
    pub(super) fn file_name(self) -> String {
        let [x, y] = self.key;
        format!("{:016x}_{x}_{y}.block", self.owner)
    }

    /// The block in a file of this name, if it is one's name.
    pub(super) fn of_file(file: &OsStr) -> Option<Self> {
        let file = file.to_str()?;
        let mut words = file.strip_suffix(".block")?.splitn(3, '_');
        let owner = u64::from_str_radix(words.next()?, 16).ok()?;
        let x = words.next()?.parse().ok()?;
        let y = words.next()?.parse().ok()?;
        let name = Self { owner, key: [x, y] };
        // `+7` and `007` are numbers too, but no names.
        (name.file_name() == file).then_some(name)
    }

    fn header(self, length: u64, checksum: u32) -> [u8; HEADER] {
        let [x, y] = self.key;
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&checksum.to_le_bytes());
        header[16..24].copy_from_slice(&self.owner.to_le_bytes());
        header[24..32].copy_from_slice(&x.to_le_bytes());
        header[32..40].copy_from_slice(&y.to_le_bytes());
        header[40..].copy_from_slice(&length.to_le_bytes());
        header
    }

    /// Of what follows it in the header, and of the block.
    fn checksum(self, bytes: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.header(bytes.len() as u64, 0)[16..]);
        hasher.update(bytes);
        hasher.finalize()
    }
}

/// How large the file of such a block is.
pub(super) fn size(bytes: &[u8]) -> u64 {
    (HEADER + bytes.len()) as u64
}

/// A block, and its file to be marked as used. `None` if what lies there is no such block.
///
/// # Errors
/// If nothing lies there, or it can not be read.
pub(super) fn read(path: &Path, name: BlockName) -> Result<Option<(File, Vec<u8>)>> {
    let about = fs::symlink_metadata(path)?;
    let Some(length) = about.len().checked_sub(HEADER as u64) else {
        return Ok(None);
    };
    if !about.is_file() || length > BlockCache::MAX_BLOCK as u64 {
        return Ok(None);
    }
    // Some systems set no times for those who can only read.
    let file = File::options().read(true).write(true).open(path);
    let mut file = file.or_else(|_| File::open(path))?;
    let mut header = [0; HEADER];
    file.read_exact(&mut header)?;
    let checksum = u32::from_le_bytes([header[12], header[13], header[14], header[15]]);
    if header != name.header(length, checksum) {
        return Ok(None);
    }
    let mut bytes = vec![0; length as usize];
    file.read_exact(&mut bytes)?;
    Ok((name.checksum(&bytes) == checksum).then_some((file, bytes)))
}

/// Writes a block whole, with the time of its use, or not at all.
///
/// # Errors
/// If the system can not do so.
pub(super) fn write(folder: &Path, name: BlockName, bytes: &[u8], used: SystemTime) -> Result<()> {
    let temporary = temporary_file(folder, TEMPORARY, new_file())?;
    let mut file = temporary.as_file();
    file.write_all(&name.header(bytes.len() as u64, name.checksum(bytes)))?;
    file.write_all(bytes)?;
    // Where that is refused, it has the time of now anyway.
    let _ = file.set_modified(used);
    let place = folder.join(name.file_name());
    let Err(failed) = temporary.persist(&place) else {
        return Ok(());
    };
    // It may be a folder, or what the system replaces only if nobody reads it.
    let _ = discard(&place);
    match failed.file.persist(&place) {
        Ok(_) => Ok(()),
        Err(failed) => Err(failed.error),
    }
}

/// Deletes what has the name of a block: a file, a link, an empty folder. A folder with something in it
/// is not of our making, and stays.
///
/// # Errors
/// If the system can not do so. That nothing is there is none.
pub(super) fn discard(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => fs::remove_dir(path).map_err(|_| error),
    }
}
