//! Arguments that are paths. The file or folder must exist.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::folder::map_endings;

/// Parses the path of a recipe or of a heightmap in a supported format.
pub fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(whole_file)
}

/// Parses the path of a folder.
pub fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(whole_folder)
}

/// Makes the path of a file absolute. Bevy would look for a relative path in the assets folder.
fn whole_file(path: PathBuf) -> Result<PathBuf, String> {
    if !path.is_file() {
        return Err("no such file".to_owned());
    }
    if !has_known_extension(&path) {
        let maps: Vec<String> = map_endings().map(|ending| format!(".{ending}")).collect();
        return Err(format!(
            "extension must be one of .ron, {}",
            maps.join(", ")
        ));
    }
    whole(path)
}

fn has_known_extension(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy());
    ending.is_some_and(|ending| {
        let is = |known: &str| ending.eq_ignore_ascii_case(known);
        is("ron") || map_endings().any(is)
    })
}

fn whole_folder(path: PathBuf) -> Result<PathBuf, String> {
    if !path.is_dir() {
        return Err("no such folder".to_owned());
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
    fn relative_path_becomes_absolute() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(whole("land.tif".into()), Ok(here.join("land.tif")));
    }
}
