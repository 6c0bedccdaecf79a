//! The file of a block: its name, its header, and how invalid files are detected.
//!
//! The complete header follows from what is known before the block is read (the owner, the key, the
//! file's size) and the checksum stored in it. So a single comparison, before any memory is
//! allocated for the block, rejects files of other programs, versions, owners and keys, and files
//! with a wrong length. The checksum then rejects all other damage.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{ErrorKind, Read, Result, Write},
    path::Path,
    time::SystemTime,
};

use super::BlockCache;
use crate::atomic::{new_file, temporary_file};

/// The first bytes of a block file.
const MAGIC: &[u8; 8] = b"lfblocks";
/// The version of the header. The format of the block itself is up to its owner.
const VERSION: u32 = 1;
const HEADER: usize = 48;

/// The prefix of this module's temporary files. It differs from other temporary files, which the
/// cache must not delete.
pub(super) const TEMPORARY: &str = ".lanternfell-block-";

/// The owner and the key of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockName {
    pub(super) owner: u64,
    pub(super) key: [i64; 2],
}

impl BlockName {
    /// The name of the block's file.
    pub(super) fn file_name(self) -> String {
        let [x, y] = self.key;
        format!("{:016x}_{x}_{y}.block", self.owner)
    }

    /// The block whose file has this name, or `None` if it is not the name of a block file.
    pub(super) fn of_file(file: &OsStr) -> Option<Self> {
        let file = file.to_str()?;
        let mut words = file.strip_suffix(".block")?.splitn(3, '_');
        let owner = u64::from_str_radix(words.next()?, 16).ok()?;
        let x = words.next()?.parse().ok()?;
        let y = words.next()?.parse().ok()?;
        let name = Self { owner, key: [x, y] };
        // `+7` and `007` parse as numbers too, but are not written by `file_name`.
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

    /// The checksum of everything that follows it in the file: the rest of the header, and the
    /// block.
    fn checksum(self, bytes: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.header(bytes.len() as u64, 0)[16..]);
        hasher.update(bytes);
        hasher.finalize()
    }
}

/// The size of the block's file in bytes.
pub(super) fn size(bytes: &[u8]) -> u64 {
    (HEADER + bytes.len()) as u64
}

/// Reads a block. Also returns its file, whose modification time the caller sets.
///
/// Returns `None` if the file is not a valid file of this block.
///
/// # Errors
/// If the file does not exist or it cannot be read.
pub(super) fn read(path: &Path, name: BlockName) -> Result<Option<(File, Vec<u8>)>> {
    let about = fs::symlink_metadata(path)?;
    let Some(length) = about.len().checked_sub(HEADER as u64) else {
        return Ok(None);
    };
    if !about.is_file() || length > BlockCache::MAX_BLOCK as u64 {
        return Ok(None);
    }
    // Some systems only allow setting the modification time on a file that is open for writing.
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

/// Writes a complete block and sets its modification time to `used`.
///
/// # Errors
/// If the system cannot write or rename the file. The folder then has no new file.
pub(super) fn write(folder: &Path, name: BlockName, bytes: &[u8], used: SystemTime) -> Result<()> {
    let temporary = temporary_file(folder, TEMPORARY, new_file())?;
    let mut file = temporary.as_file();
    file.write_all(&name.header(bytes.len() as u64, name.checksum(bytes)))?;
    file.write_all(bytes)?;
    // If this fails, the file has the current time, which is close enough.
    let _ = file.set_modified(used);
    let place = folder.join(name.file_name());
    let Err(failed) = temporary.persist(&place) else {
        return Ok(());
    };
    // `place` may be a folder, or a file that the system does not replace while it is open.
    let _ = discard(&place);
    match failed.file.persist(&place) {
        Ok(_) => Ok(()),
        Err(failed) => Err(failed.error),
    }
}

/// Deletes what has the name of a block file: a file, a link or an empty folder. A folder with
/// content was not made by this cache and stays.
///
/// # Errors
/// If the system cannot delete it. A missing file is not an error.
pub(super) fn discard(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => fs::remove_dir(path).map_err(|_| error),
    }
}
