//! Safe file access: atomic writes, reads with a size limit, and no accidental overwriting.
//!
//! These functions prevent three common problems: a power cut during a write leaves half a file;
//! two programs check that a name is free and then both use it; a file made by another program is a
//! pipe, which blocks forever, or does not fit into memory.
//!
//! - [`AtomicFile`] replaces a file as a whole. It writes to a temporary file in the same folder,
//!   syncs it to the disk, and renames it at the end. An unwritable folder is reported before the
//!   work starts, and an interruption leaves the old file unchanged. [`write()`] does all of this
//!   in one call.
//! - [`write_new`] and [`quarantine`] never replace a file. They claim a free name by creating an
//!   empty file, which the system allows only one program to do.
//! - [`read_limited`] reads regular files only, up to a size limit.
//! - [`ScratchFile`] is a temporary file for data that does not fit into memory.
//! - [`remove_temporary_files`] deletes the temporary files of a program that ends early.
//! - [`BlockCache`] keeps generated blocks of bytes on disk, up to a size limit, and verifies each
//!   block that it reads.
//! - [`Storage`] keeps a program's files by name, either in a [`Folder`] or in a browser's
//!   `localStorage` (`LocalStorage`).
//! - `usage` (feature `usage`) reports wrong command-line arguments in one line.
//!
//! The temporary files are made with [`tempfile`]. It does not keep the permissions and the owner of
//! a replaced file, number names or limit reads, so this crate does.
//!
//! All functions return the system's error without the file's name. The caller knows the name and
//! can show it in the form that its users know.
//!
//! Limits: a file is replaced by a rename, so other hard links to the old file keep the old content, and extended
//! attributes are not copied. The folder itself is not synced, so after a power cut the old file may still be there,
//! complete. Another program can replace a file with a pipe between the check of [`read_limited`] and the opening of
//! the file.

mod atomic;
mod block_cache;
mod quarantine;
mod read;
mod scratch;
mod storage;
mod unfinished;
#[cfg(feature = "usage")]
pub mod usage;

pub use atomic::{AtomicFile, write};
pub use block_cache::{BlockCache, BlockCacheOptions};
pub use quarantine::{quarantine, write_new};
pub use read::read_limited;
pub use scratch::ScratchFile;
#[cfg(target_arch = "wasm32")]
pub use storage::LocalStorage;
pub use storage::{Folder, Storage};
pub use unfinished::remove_temporary_files;

/// Compiles the code of the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
