//! Arguments that are files and folders: each must be there.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::folder::map_endings;

/// A recipe, or a map in any format that is read.
pub fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(whole_file)
}

/// A folder, whatever is in it.
pub fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(whole_folder)
}

/// The file's whole path: of another it would be looked for among the assets.
fn whole_file(path: PathBuf) -> Result<PathBuf, String> {
    if !path.is_file() {
        return Err("there is no such file".to_owned());
    }
    if !is_told_by_ending(&path) {
        let maps: Vec<String> = map_endings().map(|ending| format!(".{ending}")).collect();
        return Err(format!("must end in .ron or {}", maps.join(", ")));
    }
    whole(path)
}

fn is_told_by_ending(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy());
    ending.is_some_and(|ending| {
        let is = |known: &str| ending.eq_ignore_ascii_case(known);
        is("ron") || map_endings().any(is)
    })
}

fn whole_folder(path: PathBuf) -> Result<PathBuf, String> {
    if !path.is_dir() {
        return Err("there is no such folder".to_owned());
    }
    whole(path)
}

fn whole(path: PathBuf) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_from_here_becomes_whole() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(whole("land.tif".into()), Ok(here.join("land.tif")));
    }
}
