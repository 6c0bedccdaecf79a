//! Names in a storage: parts separated by slashes.

use std::{
    io::{Error, ErrorKind, Result},
    path::{Component, Path},
};

/// Rejects names that lead out of the storage or are a second name for the same file.
pub(super) fn check(name: &str) -> Result<()> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let names_a_part = |part| matches!(part, Component::Normal(_));
    if name.split('/').all(plain) && Path::new(name).components().all(names_a_part) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidInput,
        "its name must be relative, without empty, '.' or '..' parts",
    ))
}

/// Splits a name into its folder, including the slash at the end, and its file name.
pub(super) fn split(name: &str) -> (&str, &str) {
    name.split_at(name.rfind('/').map_or(0, |slash| slash + 1))
}
