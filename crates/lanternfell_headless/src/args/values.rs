//! What arguments can be, and what is said of those that can not.

use std::path::PathBuf;

use bevy::math::UVec2;
use clap::builder::{PathBufValueParser, TypedValueParser};

/// Where a picture can be written.
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
        return Err("must be a file that ends in .png");
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

/// The widest image that every graphics driver can draw to.
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
