//! `tiles.ron` in its folder: what every process that makes tiles there has to know.
//!
//! It stands before the first tile, and is never replaced: of several processes that begin a
//! folder at once, the system lets one give it its name, and the others compare. So all tiles
//! beside it are of one world and in one format.

use std::path::Path;

use lanternfell_files::AtomicFile;
use lanternfell_io::tiles::{TileLayout, TileManifest, TileManifestError, TilePosition};

use crate::{failure::Failure, job::Job, read::Input};

/// The one in the folder, which must be of what is asked for; if there is none yet, the prepass is
/// made and it is written.
pub(crate) fn open(folder: &Path, asked: TileLayout, job: &Job) -> Result<TileManifest, Failure> {
    let path = folder.join(TileManifest::FILE_NAME);
    if path.exists() {
        return own(&path, &asked);
    }
    // Looked for after the manifest; the first tile may have come with it in between.
    if holds_tiles(folder)? && !path.exists() {
        return Err(Failure::Usage(format!(
            "{}: there are tiles, but no {} that tells of which world they are: choose another folder",
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

/// Whether the manifest has got the name, which nobody had before.
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

/// A manifest; within, why it is none.
fn read(path: &Path) -> Result<Result<TileManifest, TileManifestError>, Failure> {
    let mut file = Input::open(path)?;
    if file.length > TileManifest::MAX_BYTES as u64 {
        return Ok(Err(TileManifestError::TooLong));
    }
    let text = String::from_utf8(file.read()?).map_err(|_| foreign(path, None))?;
    Ok(TileManifest::from_ron(&text))
}

/// The file is the user's own, or damaged; `None` if there is no more to be said of it.
fn foreign(path: &Path, error: Option<TileManifestError>) -> Failure {
    let error = error.filter(|error| *error != TileManifestError::TooLong);
    let why = error.map_or(String::new(), |error| format!(" ({error})"));
    Failure::Usage(format!(
        "{}: it is not what `lanternfell tile` writes there: choose another folder{why}",
        path.display()
    ))
}

/// The manifest of the tiles that are asked for.
fn own(path: &Path, asked: &TileLayout) -> Result<TileManifest, Failure> {
    let another = |what: &str| {
        Failure::Usage(format!(
            "{}: the tiles there have another {what}: choose another folder",
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

/// What is not the same of both.
fn difference(one: &TileLayout, other: &TileLayout) -> Option<&'static str> {
    let (recipe, other_recipe) = (one.recipe(), other.recipe());
    let (grid, other_grid) = (one.grid(), other.grid());
    [
        (recipe.size == other_recipe.size, "size"),
        (recipe.seed == other_recipe.seed, "seed"),
        (recipe == other_recipe, "recipe"),
        (grid.tile_size() == other_grid.tile_size(), "--tile"),
        (grid.overlap() == other_grid.overlap(), "--overlap"),
        (one.ending() == other.ending(), "--format"),
        (
            one.raw_format() == other.raw_format(),
            "--raw-format or --big-endian",
        ),
    ]
    .into_iter()
    .find_map(|(same, what)| (!same).then_some(what))
}

/// What the tiles in a folder are.
pub(crate) fn layout_in(folder: &Path) -> Result<TileLayout, Failure> {
    let path = folder.join(TileManifest::FILE_NAME);
    if !path.is_file() {
        return Err(Failure::Usage(format!(
            "{}: a folder is a map if `lanternfell tile` wrote it, and this has no {}",
            folder.display(),
            TileManifest::FILE_NAME
        )));
    }
    let manifest = read(&path)?.map_err(|error| match error {
        TileManifestError::Version { found } => Failure::Usage(format!(
            "{}: it is of version {found}, and this program reads {}",
            path.display(),
            TileManifest::VERSION
        )),
        error => foreign(&path, Some(error)),
    })?;
    Ok(manifest.into_layout())
}

fn holds_tiles(folder: &Path) -> Result<bool, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::Read {
        path: folder.to_owned(),
        error,
    })?;
    let mut names = entries.flatten().map(|entry| entry.file_name());
    let is_tile = |name: &str| TilePosition::from_file_name(name).is_some();
    Ok(names.any(|name| is_tile(&name.to_string_lossy())))
}
