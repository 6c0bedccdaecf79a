//! Starts the work for a changed [`Terrain`], after its files have been loaded.
//!
//! ```text
//! Terrain changed ──┐
//!                   ├──> Awaiting ── all files loaded ─> background task
//! a file changed ───┘       └─────── one failed ───────> TerrainFailed
//! ```
//!
//! While files are loading, they are checked in each frame, with one lookup per file. After that, messages of the
//! `AssetServer` report changed files.
//!
//! A change cancels the work for the old value, so that the new one appears soon. Without an exception, a terrain that
//! changes in every frame, for instance while a slider is dragged, would never be shown: all work would be canceled. So
//! after [`PATIENCE`], running work is finished and shown first, and then the newest value follows. Slow work is no
//! exception: the newest value must not wait for minutes of work that nobody needs. Work that only follows edits is
//! always finished before that for newer edits.

use std::time::Duration;

use bevy::{
    asset::{AssetLoadFailedEvent, LoadState},
    ecs::system::SystemParam,
    platform::time::Instant,
    prelude::*,
};
use lanternfell_heightmap::Recipe;

use super::{
    edits::{EditWork, RegionEdits, TerrainEdits},
    generation::{Plan, TerrainProgress, fail},
    input::GroundInput,
    modifiers::TerrainModifiers,
    part::begin_parts,
    retire::removed_with_terrain,
    source::TerrainSource,
    surface::TerrainSurface,
    terrain::{Terrain, with_terrain},
};
use crate::{
    error::{TerrainError, TerrainFileError},
    file::{TerrainFile, image_path},
    map::TerrainMap,
    systems::TerrainSystems,
};

pub(crate) fn plugin(app: &mut App) {
    let with_files = resource_exists::<Assets<TerrainFile>>;
    app.add_systems(
        PostUpdate,
        (
            follow_files.run_if(with_files),
            take_up_changes,
            await_files,
        )
            .chain()
            .in_set(TerrainSystems::Generate),
    );
    removed_with_terrain::<(Requested, Awaiting)>(app);
}

/// The last request of a terrain, on its entity. It detects changes that have no effect.
#[derive(Component)]
pub(crate) struct Requested {
    terrain: Terrain,
    /// The handles of the files that the terrain itself names. They keep the files loaded, and identify the files whose
    /// changes matter.
    files: Vec<Handle<TerrainFile>>,
    /// The input of the started work, once all files are loaded.
    input: Option<GroundInput>,
    /// The error that was reported since the last change.
    error: Option<TerrainError>,
    /// When a change canceled work for the first time since something was shown.
    late_since: Option<Instant>,
}

/// From this time after the first cancellation on, running work is finished before that for a newer value starts.
const PATIENCE: Duration = Duration::from_millis(50);

/// Work that runs longer than this and is not half done is canceled nevertheless.
const LONGEST_DELAY: Duration = Duration::from_millis(300);

impl Requested {
    /// Whether running work must be finished first.
    fn must_wait(&self, running: &TerrainProgress) -> bool {
        let is_late = |since: Instant| since.elapsed() >= PATIENCE;
        let is_short = running.fraction() >= 0.5 || running.elapsed() < LONGEST_DELAY;
        self.late_since.is_some_and(is_late) && is_short
    }

    /// Reports an error, but only once in a row: the `AssetServer` can load a changed file several times.
    fn fail(&mut self, commands: &mut Commands, entity: Entity, error: TerrainError) {
        if self.error.as_ref() != Some(&error) {
            fail(commands, entity, error.clone());
            self.error = Some(error);
        }
    }
}

/// On a terrain's entity until all its files are loaded.
#[derive(Component)]
pub(crate) struct Awaiting;

/// Access to files. Both resources are missing without an `AssetServer`.
#[derive(SystemParam)]
pub(crate) struct Files<'w> {
    server: Option<Res<'w, AssetServer>>,
    files: Option<Res<'w, Assets<TerrainFile>>>,
}

impl Files<'_> {
    /// Starts loading the files that the terrain names.
    fn request(&self, terrain: &Terrain) -> Result<Vec<Handle<TerrainFile>>, TerrainError> {
        match &terrain.source {
            TerrainSource::Map(_) => Ok(Vec::new()),
            TerrainSource::File(file) => Ok(vec![file.clone()]),
            TerrainSource::Recipe(recipe) => {
                let load = |name| {
                    let path = image_path(None, name).map_err(TerrainError::image)?;
                    let server = self.server.as_ref().ok_or(TerrainError::NoAssetServer)?;
                    Ok(server.load(path))
                };
                recipe.images().into_iter().map(load).collect()
            }
        }
    }

    /// Returns the input for generation, or `None` while a file is still loading.
    fn input(
        &self,
        terrain: &Terrain,
        files: &[Handle<TerrainFile>],
    ) -> Result<Option<GroundInput>, TerrainError> {
        match (&terrain.source, files) {
            (TerrainSource::Recipe(recipe), images) => self.recipe(terrain, recipe, images),
            (TerrainSource::Map(map), _) => Ok(Some(terrain.map_input(map))),
            (TerrainSource::File(_), files) => {
                let Some(file) = files.first() else {
                    return Ok(None);
                };
                match self.file(file)? {
                    None => Ok(None),
                    Some(TerrainFile::Map(map)) => Ok(Some(terrain.map_input(map))),
                    Some(TerrainFile::Recipe { recipe, images }) => {
                        self.recipe(terrain, recipe, images)
                    }
                }
            }
        }
    }

    fn recipe(
        &self,
        terrain: &Terrain,
        recipe: &Recipe,
        images: &[Handle<TerrainFile>],
    ) -> Result<Option<GroundInput>, TerrainError> {
        let mut maps: Vec<TerrainMap> = Vec::with_capacity(images.len());
        for image in images {
            match self.file(image)? {
                None => return Ok(None),
                Some(TerrainFile::Map(map)) => maps.push(map.clone()),
                Some(TerrainFile::Recipe { .. }) => {
                    let error = TerrainFileError::NotAMap;
                    return Err(failure(image, error));
                }
            }
        }
        Ok(Some(terrain.recipe_input(recipe, maps)))
    }

    /// Returns the file if it is loaded. If loading a newer version failed, this is the last version that could be
    /// read.
    fn file(&self, file: &Handle<TerrainFile>) -> Result<Option<&TerrainFile>, TerrainError> {
        let (Some(server), Some(files)) = (&self.server, &self.files) else {
            return Err(TerrainError::NoAssetServer);
        };
        if let Some(found) = files.get(file) {
            return Ok(Some(found));
        }
        match server.get_load_state(file) {
            Some(LoadState::Failed(error)) => Err(failure(file, error.as_ref().into())),
            // A UUID handle without an asset will never be loaded.
            None if file.is_uuid() => Err(failure(file, TerrainFileError::Missing)),
            _ => Ok(None),
        }
    }

    /// Whether this terrain uses one of the matching files.
    fn uses(&self, requested: &Requested, is_meant: impl Fn(AssetId<TerrainFile>) -> bool) -> bool {
        requested.files.iter().any(|file| {
            is_meant(file.id())
                || match self.files.as_ref().and_then(|files| files.get(file)) {
                    Some(TerrainFile::Recipe { images, .. }) => {
                        images.iter().any(|image| is_meant(image.id()))
                    }
                    Some(TerrainFile::Map(_)) | None => false,
                }
        })
    }
}

fn failure(file: &Handle<TerrainFile>, error: TerrainFileError) -> TerrainError {
    let path = match file.path() {
        Some(path) => path.to_string(),
        None => "a file without a path".to_owned(),
    };
    TerrainError::File { path, error }
}

/// Regenerates terrains whose files have changed. If a changed file cannot be read, reports the error once and keeps
/// the terrain.
fn follow_files(
    mut commands: Commands,
    mut changes: MessageReader<AssetEvent<TerrainFile>>,
    mut failures: MessageReader<AssetLoadFailedEvent<TerrainFile>>,
    files: Files,
    mut terrains: Query<(Entity, &mut Requested), Without<Awaiting>>,
) {
    let changed: Vec<AssetId<TerrainFile>> = changes
        .read()
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    let failed: Vec<(AssetId<TerrainFile>, TerrainError)> = failures
        .read()
        .map(|failed| {
            let (path, error) = (failed.path.to_string(), (&failed.error).into());
            (failed.id, TerrainError::File { path, error })
        })
        .collect();
    if changed.is_empty() && failed.is_empty() {
        return;
    }
    for (entity, mut requested) in &mut terrains {
        if files.uses(&requested, |id| changed.contains(&id)) {
            with_terrain(&mut commands, entity, |mut terrain| {
                terrain.insert(Awaiting);
            });
        }
        // For a terrain with `Awaiting`, `await_files` also sees the change.
        for (id, error) in &failed {
            if files.uses(&requested, |used| used == *id) {
                requested.fail(&mut commands, entity, error.clone());
            }
        }
    }
}

/// Handles every changed terrain: starts loading its files, and cancels the work for its old value.
pub(crate) fn take_up_changes(
    mut commands: Commands,
    files: Files,
    terrains: Query<
        (
            Entity,
            &Terrain,
            Option<&Requested>,
            Option<&TerrainProgress>,
            Has<Awaiting>,
        ),
        Changed<Terrain>,
    >,
) {
    for (entity, terrain, before, progress, is_awaiting) in &terrains {
        if before.is_some_and(|before| before.terrain == *terrain) {
            continue;
        }
        let running = progress.filter(|progress| progress.is_at_work());
        let is_unfinished = is_awaiting || progress.is_some();
        let late_since = before
            .filter(|_| is_unfinished)
            .and_then(|before| before.late_since)
            .or_else(|| running.map(|_| Instant::now()));
        let asked = files.request(terrain);
        let (files, error) = match asked {
            Ok(files) => (files, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let requested = Requested {
            terrain: terrain.clone(),
            files,
            input: None,
            error: error.clone(),
            late_since,
        };
        let must_wait = running.is_some_and(|running| requested.must_wait(running));
        match error {
            None => with_terrain(&mut commands, entity, move |mut terrain| {
                terrain.insert((requested, Awaiting));
                if !must_wait {
                    terrain.insert(TerrainProgress::awaiting());
                }
            }),
            Some(error) => {
                with_terrain(&mut commands, entity, |mut terrain| {
                    terrain
                        .insert(requested)
                        .remove::<(Awaiting, TerrainProgress)>();
                });
                fail(&mut commands, entity, error);
            }
        }
    }
}

/// Ends the work of a terrain that failed. It is not tried again before the terrain or one of its files changes.
pub(super) fn remember_failure(commands: &mut Commands, terrain: Entity, error: &TerrainError) {
    let error = error.clone();
    with_terrain(commands, terrain, |mut terrain| {
        terrain.remove::<TerrainProgress>();
        if let Some(mut requested) = terrain.get_mut::<Requested>() {
            requested.error = Some(error);
        }
    });
}

/// Regenerates a terrain from the same input, because one of its parts has to change. Does nothing if that input failed.
/// Call this between [`take_up_changes`] and [`await_files`], so that the work starts in the same frame.
pub(crate) fn ask_again(commands: &mut Commands, terrain: Entity) {
    with_terrain(commands, terrain, |mut terrain| {
        let is_generating = terrain.contains::<TerrainProgress>();
        let requested = terrain.get_mut::<Requested>();
        if let Some(mut requested) = requested.filter(|requested| requested.error.is_none()) {
            requested.input = None;
            if !is_generating {
                requested.late_since = None;
            }
            terrain.insert(Awaiting);
        }
    });
}

/// Starts the work for every terrain whose files are loaded. It replaces work in progress, or waits for it.
pub(crate) fn await_files(
    mut commands: Commands,
    files: Files,
    meshes: Option<Res<Assets<Mesh>>>,
    mut terrains: Query<
        (
            Entity,
            &Terrain,
            &mut Requested,
            Option<&TerrainSurface>,
            (
                Option<&TerrainEdits>,
                Option<&TerrainModifiers>,
                Option<&RegionEdits>,
            ),
            Option<&TerrainProgress>,
        ),
        With<Awaiting>,
    >,
) {
    let is_drawn = meshes.is_some();
    for (entity, terrain, mut requested, ground, (edits, modifiers, region), progress) in
        &mut terrains
    {
        if let Some(running) = progress.filter(|progress| progress.is_at_work()) {
            requested.late_since.get_or_insert_with(Instant::now);
            // A change of the terrain itself has ended an update already.
            if running.is_update() || requested.must_wait(running) {
                continue;
            }
        }
        let found = match files.input(terrain, &requested.files) {
            Ok(Some(input)) => check_at_once(&input).map(|()| input),
            // A file has changed, and its new version needs other files that are not loaded yet.
            Ok(None) if progress.is_none() => {
                // Without this, changing the file back would find an equal input, so nothing would start and the
                // `TerrainProgress` would stay.
                requested.input = None;
                with_terrain(&mut commands, entity, |mut terrain| {
                    terrain.insert(TerrainProgress::awaiting());
                });
                continue;
            }
            Ok(None) => continue,
            Err(error) => Err(error),
        };
        match found {
            Ok(input) if requested.input.as_ref() == Some(&input) => {
                with_terrain(&mut commands, entity, |mut terrain| {
                    terrain.remove::<Awaiting>();
                });
            }
            Ok(input) => {
                requested.input = Some(input.clone());
                requested.error = None;
                let is_edited = edits.is_some() || region.is_some();
                let known = ground.and_then(|ground| ground.map_for(&input, is_edited));
                let edits = edits.map(|edits| {
                    let scaled = |map| Some((map, input.scale(map).ok()?));
                    let shapes = modifiers.map(|modifiers| modifiers.shapes.clone());
                    let known = known.as_ref().and_then(scaled);
                    let shown = ground.map(TerrainSurface::edits);
                    EditWork::new(edits, shapes.unwrap_or_default(), known, shown)
                });
                let edits = edits.or_else(|| region.map(RegionEdits::work));
                let mut plan = Plan {
                    input,
                    known,
                    edits,
                    before: ground.cloned(),
                    older: None,
                };
                with_terrain(&mut commands, entity, move |mut terrain| {
                    plan.older = terrain.take();
                    let (wanted, parts) = begin_parts(terrain.world(), entity, is_drawn);
                    let generating = TerrainProgress::start(plan, wanted, parts);
                    terrain.insert(generating).remove::<Awaiting>();
                });
            }
            Err(error) => {
                requested.input = None;
                with_terrain(&mut commands, entity, |mut terrain| {
                    terrain.remove::<(Awaiting, TerrainProgress)>();
                });
                requested.fail(&mut commands, entity, error);
            }
        }
    }
}

/// Runs the checks that are fast enough for the main thread. Those of a map read every height, so the background task
/// runs them.
fn check_at_once(input: &GroundInput) -> Result<(), TerrainError> {
    match input {
        GroundInput::Recipe { .. } => input.validate(),
        GroundInput::Map { .. } => Ok(()),
    }
}
