//! The standard storage of the platform.

use std::{path::PathBuf, sync::Arc};

use lanternfell_files::Storage;

/// The storages for settings and for everything else. `None` if the platform has no such folders.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn standard() -> Option<[Arc<dyn Storage>; 2]> {
    let folders = directories::ProjectDirs::from("", "", "Gutterlight")?;
    Some([folders.config_dir(), folders.data_dir()].map(|folder| at(folder.to_owned())))
}

/// The storage in `folder`.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn at(folder: PathBuf) -> Arc<dyn Storage> {
    Arc::new(lanternfell_files::Folder::new(folder))
}

/// The page's storage, for both. `None` if the browser forbids it.
#[cfg(target_arch = "wasm32")]
pub(super) fn standard() -> Option<[Arc<dyn Storage>; 2]> {
    let storage = at("gutterlight".into());
    let is_allowed = storage.list("").is_ok();
    is_allowed.then(|| [Arc::clone(&storage), storage])
}

/// The part of the page's storage whose keys start with `folder`.
#[cfg(target_arch = "wasm32")]
pub(super) fn at(folder: PathBuf) -> Arc<dyn Storage> {
    let folder = folder.to_string_lossy();
    Arc::new(lanternfell_files::LocalStorage::new(&folder))
}
