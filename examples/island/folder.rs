//! The folder whose files the panel offers as terrain.
//!
//! It is read each time the list opens, in a background task because a network folder may be slow. In a browser there
//! is no folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use bevy::{
    prelude::*,
    tasks::{IoTaskPool, Task, futures::check_ready},
};
use lanternfell::io::Format;

/// The file name extension of terrain recipes.
pub const RECIPE: &str = "terrain.ron";

/// The folder and its files.
#[derive(Resource, Default)]
pub struct Folder {
    path: Option<PathBuf>,
    /// The recipes and heightmaps, sorted by name.
    pub files: Vec<PathBuf>,
    /// Why the folder could not be read.
    pub problem: Option<String>,
    reading: Option<Task<Result<Vec<PathBuf>, String>>>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Folder>().add_systems(Update, receive);
}

/// The folder with elevation models in the assets.
#[cfg(not(target_arch = "wasm32"))]
pub fn of_assets() -> Option<PathBuf> {
    let base = bevy::asset::io::file::FileAssetReader::get_base_path();
    Some(base.join("assets").join("elevation"))
}

/// In a browser there is no folder.
#[cfg(target_arch = "wasm32")]
pub fn of_assets() -> Option<PathBuf> {
    None
}

impl Folder {
    /// Creates the resource for a folder, without reading it.
    pub fn at(path: Option<PathBuf>) -> Self {
        Self { path, ..default() }
    }

    /// The path of the folder, or `None` in a browser.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Starts to read the folder in a background task.
    pub fn read(&mut self) {
        if let Some(path) = self.path.clone() {
            let reading = async move {
                grounds_in(&path).map_err(|error| format!("{}: {error}", path.display()))
            };
            self.reading = Some(IoTaskPool::get().spawn(reading));
        }
    }
}

fn receive(mut folder: ResMut<Folder>) {
    let Some(read) = folder.reading.as_mut().and_then(check_ready) else {
        return;
    };
    folder.reading = None;
    match read {
        Ok(files) => (folder.files, folder.problem) = (files, None),
        Err(problem) => (folder.files, folder.problem) = (Vec::new(), Some(problem)),
    }
}

/// Lists the recipes and heightmaps in a folder, sorted by name.
fn grounds_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        // Skip files that are deleted while the folder is read.
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_ground(path) && path.is_file())
        .collect();
    files.sort_by_cached_key(|path| name(path).to_lowercase());
    Ok(files)
}

/// The file name without the folder.
pub fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Whether the name is that of a recipe or of a heightmap in a supported format.
fn is_ground(path: &Path) -> bool {
    let name = name(path).to_lowercase();
    let ends_so = |ending| {
        let stem = name.strip_suffix(ending);
        stem.is_some_and(|stem| stem.len() > 1 && stem.ends_with('.'))
    };
    ends_so(RECIPE) || map_endings().any(ends_so)
}

/// The file extensions of all heightmap formats that this build can read.
pub fn map_endings() -> impl Iterator<Item = &'static str> {
    Format::ALL
        .into_iter()
        .filter(|format| format.is_read() && format.is_built_in())
        .flat_map(|format| format.extensions().iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let files = grounds_in(folder).unwrap();
        files.iter().map(|path| name(path)).collect()
    }

    #[test]
    fn lists_only_supported_files() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str| fs::write(folder.path().join(name), "").unwrap();
        let mut expected: Vec<String> = map_endings().map(|end| format!("land.{end}")).collect();
        assert!(expected.contains(&"land.tif".to_owned()));
        expected.push(format!("land.{RECIPE}"));
        expected.sort();
        expected.iter().for_each(|name| make(name));
        let others = [
            "land.obj",
            "land.tif.json",
            "tif",
            ".tif",
            "land.ron",
            "a.txt",
        ];
        others.into_iter().for_each(make);
        fs::create_dir(folder.path().join("folder.tif")).unwrap();
        assert_eq!(names_in(folder.path()), expected);
    }

    #[test]
    fn sorts_names_without_case() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.asc", "C.ASC", "a.Terrain.Ron"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(names_in(folder.path()), ["a.Terrain.Ron", "b.asc", "C.ASC"]);
    }

    #[test]
    fn missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(grounds_in(&folder.path().join("nowhere")).is_err());
    }
}
