//! Where a program of this platform keeps things: the one place that knows which it is.

use std::{path::PathBuf, sync::Arc};

use lanternfell_files::Storage;

/// The storages for settings and for all else. None if the platform tells none.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn standard() -> Option<[Arc<dyn Storage>; 2]> {
    let folders = directories::ProjectDirs::from("", "", "Gutterlight")?;
    Some([folders.config_dir(), folders.data_dir()].map(|folder| at(folder.to_owned())))
}

/// The storage in this folder.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn at(folder: PathBuf) -> Arc<dyn Storage> {
    Arc::new(lanternfell_files::Folder::new(folder))
}

/// The storage of the page, for both. None if the browser forbids it.
#[cfg(target_arch = "wasm32")]
pub(super) fn standard() -> Option<[Arc<dyn Storage>; 2]> {
    let storage = at("gutterlight".into());
    let is_allowed = storage.list("").is_ok();
    is_allowed.then(|| [Arc::clone(&storage), storage])
}

/// The part of the page's storage whose keys begin so.
#[cfg(target_arch = "wasm32")]
pub(super) fn at(folder: PathBuf) -> Arc<dyn Storage> {
    let folder = folder.to_string_lossy();
    Arc::new(lanternfell_files::LocalStorage::new(&folder))
}
