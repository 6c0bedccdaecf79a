//! The folder whose files are offered as ground, read anew whenever the list is opened.
//!
//! It is read in the background: a folder on a network may take its time. In a browser there is none.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use bevy::{
    prelude::*,
    tasks::{IoTaskPool, Task, futures::check_ready},
};
use lanternfell::io::Format;

/// What recipes of ground are called.
pub const RECIPE: &str = "terrain.ron";

/// The folder, and what was found in it.
#[derive(Resource, Default)]
pub struct Folder {
    path: Option<PathBuf>,
    /// Files that ground is made of, by their names.
    pub files: Vec<PathBuf>,
    /// Why there are none.
    pub problem: Option<String>,
    reading: Option<Task<Result<Vec<PathBuf>, String>>>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Folder>().add_systems(Update, receive);
}

/// The folder of the assets that has maps.
#[cfg(not(target_arch = "wasm32"))]
pub fn of_assets() -> Option<PathBuf> {
    let base = bevy::asset::io::file::FileAssetReader::get_base_path();
    Some(base.join("assets").join("elevation"))
}

/// A browser has no folders.
#[cfg(target_arch = "wasm32")]
pub fn of_assets() -> Option<PathBuf> {
    None
}

impl Folder {
    /// This folder, not read yet.
    pub fn at(path: Option<PathBuf>) -> Self {
        Self { path, ..default() }
    }

    /// Where it is; `None` where there are no folders.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Begins to read what is in it now.
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

/// The files of the folder that ground is made of, in the order of their names.
fn grounds_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        // A file that goes while the folder is read is not in it.
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_ground(path) && path.is_file())
        .collect();
    files.sort_by_cached_key(|path| name(path).to_lowercase());
    Ok(files)
}

/// The name of a file without its folder.
pub fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Whether a file of this name is a recipe of ground, or a map in a format that is read.
fn is_ground(path: &Path) -> bool {
    let name = name(path).to_lowercase();
    let ends_so = |ending| {
        let stem = name.strip_suffix(ending);
        stem.is_some_and(|stem| stem.len() > 1 && stem.ends_with('.'))
    };
    ends_so(RECIPE) || map_endings().any(ends_so)
}

/// What maps end in that this build reads.
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
    fn every_format_that_is_read_is_listed_and_nothing_else() {
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
    fn names_stand_in_the_order_of_the_alphabet_whatever_their_case() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.asc", "C.ASC", "a.Terrain.Ron"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(names_in(folder.path()), ["a.Terrain.Ron", "b.asc", "C.ASC"]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(grounds_in(&folder.path().join("nowhere")).is_err());
    }
}
