//! Parsers of argument values, and their error messages.

use std::path::PathBuf;

use bevy::math::UVec2;
use clap::builder::{PathBufValueParser, TypedValueParser};

/// A path at which a screenshot can be written.
pub(super) fn picture() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(picture_path)
}

fn picture_path(path: PathBuf) -> Result<PathBuf, &'static str> {
    let png = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if !png {
        return Err("must be a .png file");
    }
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err("there is no such folder");
    }
    Ok(path)
}

pub(super) fn frames(value: &str) -> Result<u32, String> {
    let allowed = format!("must be a whole number up to {}", u32::MAX);
    value.parse().map_err(|_| allowed)
}

/// The largest texture size that every graphics driver supports.
const MAX_SIDE: u32 = 8192;

pub(super) fn size(value: &str) -> Result<UVec2, String> {
    let parse = || {
        let (width, height) = value.split_once('x')?;
        let size = UVec2::new(width.parse().ok()?, height.parse().ok()?);
        let allowed = 1..=MAX_SIDE;
        (allowed.contains(&size.x) && allowed.contains(&size.y)).then_some(size)
    };
    parse().ok_or_else(|| format!("must be like 1280x720, each side from 1 to {MAX_SIDE}"))
}
