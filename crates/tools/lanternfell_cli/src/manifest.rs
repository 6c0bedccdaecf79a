//! `tiles.ron`: the manifest that all processes that write tiles to a folder share.
//!
//! It is written before the first tile, and never replaced. If several processes start a folder at once, the system
//! lets only one of them create the file, and the others compare their settings with it. All tiles in the folder
//! therefore belong to one world and one format.

use std::path::Path;

use lanternfell_files::AtomicFile;
use lanternfell_io::tiles::{TileLayout, TileManifest, TileManifestError, TilePosition};

use crate::{failure::Failure, job::Job, read::Input};

/// Opens the manifest of a folder, which must match the requested layout. If there is none, this runs the prepass and
/// writes the manifest.
pub(crate) fn open(folder: &Path, asked: TileLayout, job: &Job) -> Result<TileManifest, Failure> {
    let path = folder.join(TileManifest::FILE_NAME);
    if path.exists() {
        return own(&path, &asked);
    }
    // Check again: another process may have written the manifest and the first tile in between.
    if holds_tiles(folder)? && !path.exists() {
        return Err(Failure::Usage(format!(
            "{}: the folder contains tiles but no {}, so their world is unknown; choose another folder",
            folder.display(),
            TileManifest::FILE_NAME
        )));
    }
    let progress = job.progress.span(0.0, 0.1);
    let made = job.with_bar("prepass", || TileManifest::new(asked, &progress))?;
    if write_new(&made, &path)? {
        return Ok(made);
    }
    // Another process was faster.
    own(&path, made.layout())
}

/// Writes the manifest, unless the file already exists. Returns whether it was written.
fn write_new(manifest: &TileManifest, path: &Path) -> Result<bool, Failure> {
    let text = manifest.to_ron();
    let written = AtomicFile::prepare(path).and_then(|draft| {
        std::io::Write::write_all(&mut draft.file(), text.as_bytes())?;
        draft.finish_new()
    });
    written.map_err(|error| Failure::Write {
        path: path.to_owned(),
        error,
    })
}

/// Reads a manifest. The inner result is an error if the file is not a manifest.
fn read(path: &Path) -> Result<Result<TileManifest, TileManifestError>, Failure> {
    let mut file = Input::open(path)?;
    if file.length > TileManifest::MAX_BYTES as u64 {
        return Ok(Err(TileManifestError::TooLong));
    }
    let text = String::from_utf8(file.read()?).map_err(|_| foreign(path, None))?;
    Ok(TileManifest::from_ron(&text))
}

/// Returns the error for a file that is not a manifest, or is damaged.
fn foreign(path: &Path, error: Option<TileManifestError>) -> Failure {
    let error = error.filter(|error| *error != TileManifestError::TooLong);
    let why = error.map_or(String::new(), |error| format!(" ({error})"));
    Failure::Usage(format!(
        "{}: not a manifest of `lanternfell tile`; choose another folder{why}",
        path.display()
    ))
}

/// Reads the manifest and compares it with the requested layout.
fn own(path: &Path, asked: &TileLayout) -> Result<TileManifest, Failure> {
    let another = |what: &str| {
        Failure::Usage(format!(
            "{}: the existing tiles have a different {what}; choose another folder",
            path.display()
        ))
    };
    let release = "version of this program";
    let found = read(path)?.map_err(|error| match error {
        TileManifestError::Version { .. } => another(release),
        error => foreign(path, Some(error)),
    })?;
    let of_release = (!found.is_of_this_release()).then_some(release);
    match of_release.or_else(|| difference(found.layout(), asked)) {
        None => Ok(found),
        Some(what) => Err(another(what)),
    }
}

/// Returns what differs between two layouts.
fn difference(one: &TileLayout, other: &TileLayout) -> Option<&'static str> {
    let (recipe, other_recipe) = (one.recipe(), other.recipe());
    let (grid, other_grid) = (one.grid(), other.grid());
    [
        (recipe.size == other_recipe.size, "size"),
        (recipe.seed == other_recipe.seed, "seed"),
        (recipe == other_recipe, "recipe"),
        (grid.tile_size() == other_grid.tile_size(), "--tile"),
        (grid.overlap() == other_grid.overlap(), "--overlap"),
        (one.extension() == other.extension(), "--format"),
        (
            one.raw_format() == other.raw_format(),
            "--raw-format or --big-endian",
        ),
        (one.range() == other.range(), "--range"),
        (one.texture() == other.texture(), "--texture"),
    ]
    .into_iter()
    .find_map(|(same, what)| (!same).then_some(what))
}

/// Reads the layout of a folder of tiles.
pub(crate) fn layout_in(folder: &Path) -> Result<TileLayout, Failure> {
    let path = folder.join(TileManifest::FILE_NAME);
    if !path.is_file() {
        return Err(Failure::Usage(format!(
            "{}: not a folder of `lanternfell tile`: it contains no {}",
            folder.display(),
            TileManifest::FILE_NAME
        )));
    }
    let manifest = read(&path)?.map_err(|error| match error {
        TileManifestError::Version { found } => Failure::Usage(format!(
            "{}: it has version {found}, but this program reads version {}",
            path.display(),
            TileManifest::VERSION
        )),
        error => foreign(&path, Some(error)),
    })?;
    Ok(manifest.into_layout())
}

pub(crate) fn holds_tiles(folder: &Path) -> Result<bool, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::Read {
        path: folder.to_owned(),
        error,
    })?;
    let mut names = entries.flatten().map(|entry| entry.file_name());
    let is_tile = |name: &str| TilePosition::from_file_name(name).is_some();
    Ok(names.any(|name| is_tile(&name.to_string_lossy())))
}
