//! Names in a storage: parts between slashes.

use std::{
    io::{Error, ErrorKind, Result},
    path::{Component, Path},
};

/// Refuses what would lead out of the storage, or be another name for the same file.
pub(super) fn check(name: &str) -> Result<()> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let names_a_part = |part| matches!(part, Component::Normal(_));
    if name.split('/').all(plain) && Path::new(name).components().all(names_a_part) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::InvalidInput, "it has no proper name"))
}

/// The folder of a name with the slash at its end, and what is behind it.
pub(super) fn split(name: &str) -> (&str, &str) {
    name.split_at(name.rfind('/').map_or(0, |slash| slash + 1))
}
