//! Files that are written whole or not at all, read only up to a limit, and never replaced by
//! accident.
//!
//! A power cut in the middle of a write leaves half a file; two programs that look whether a
//! name is free, and then take it, take it both; a file that someone else made may be a pipe,
//! which waits for ever, or larger than the memory.
//!
//! - [`AtomicFile`]: a temporary file in the same folder takes the bytes, is forced to the disk,
//!   and is renamed at the end. So an unwritable folder is found out before the work, an
//!   existing file is replaced only by a complete one, and an interruption leaves nothing
//!   behind. [`write()`] does it in one call.
//! - [`write_new`] and [`quarantine`] never replace anything: they take a free name by making
//!   an empty file, which the system lets only one program do.
//! - [`read_limited`] reads files, nothing else, and no more than it was allowed.
//! - [`ScratchFile`] holds what the memory should not, until it is dropped.
//! - [`BlockCache`] keeps blocks of bytes that can be made anew, within a bound, and believes
//!   nothing that it finds.
//! - [`Storage`] is what a program keeps under names, wherever that is: in a [`Folder`], or, as a
//!   page of a browser, in `LocalStorage`.
//! - `usage` (feature `usage`) reports wrong command-line arguments in one line.
//!
//! It is ours because no library does all of it: [`tempfile`] is underneath, and knows neither
//! the permissions of the file that is replaced, nor names with numbers, nor limits.
//!
//! Every function fails with the system's own error, without the name of the file: callers know
//! it, and say it as their users know it.
//!
//! Limits: the folder itself is not forced to the disk, so that after a power cut the old file
//! may still be there, whole. Between the look at a file and its opening another program can
//! put a pipe in its place.

mod atomic;
mod block_cache;
mod quarantine;
mod read;
mod scratch;
mod storage;
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

/// The README's code is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
