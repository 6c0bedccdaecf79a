//! Saves, loads and exports.
//!
//! | file | contents |
//! |---|---|
//! | `sculpt.edits` | the strokes; `lanternfell edit list sculpt.edits` lists them |
//! | `sculpt.things.ron` | roads, houses and craters |
//! | `sculpt.tif` | the terrain with everything, as a GeoTIFF in meters |

use std::fs;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell::{
    prelude::*,
    terrain::{
        TerrainPath, TerrainPlatform, TerrainStamp,
        heightmap::Progress,
        io::{self, Format, WriteOptions},
    },
};

use crate::{
    has_keys,
    things::{House, Thing},
};

const EDITS: &str = "sculpt.edits";
const THINGS: &str = "sculpt.things.ron";
const MAP: &str = "sculpt.tif";

pub fn plugin(app: &mut App) {
    app.init_resource::<Status>()
        .init_resource::<Export>()
        .add_message::<FileAction>()
        .add_systems(
            Update,
            (press.run_if(has_keys), (save, load, export), finish_export).chain(),
        );
}

/// What to do with the files.
#[derive(Message, Clone, Copy, PartialEq, Eq)]
pub enum FileAction {
    Save,
    Load,
    Export,
}

/// The result of the last action, which the panel shows.
#[derive(Resource, Default)]
pub struct Status(pub String);

impl Status {
    fn say(&mut self, result: Result<String>) {
        self.0 = result.unwrap_or_else(|error| error.to_string().trim().to_owned());
        info!("{}", self.0);
    }
}

/// An export in the background.
#[derive(Resource, Default)]
pub struct Export {
    task: Option<Task<Result<String>>>,
    progress: Progress,
}

impl Export {
    /// How much is done, from 0 to 1.
    pub fn fraction(&self) -> Option<f32> {
        self.task.as_ref().map(|_| self.progress.fraction())
    }
}

fn press(keys: Res<ButtonInput<KeyCode>>, mut files: MessageWriter<FileAction>) {
    if keys.just_pressed(KeyCode::KeyO) {
        files.write(FileAction::Save);
    }
    if keys.just_pressed(KeyCode::KeyL) {
        files.write(FileAction::Load);
    }
}

type Shaped<'a> = (
    &'a Transform,
    Option<&'a TerrainPath>,
    Option<&'a TerrainPlatform>,
    Option<&'a TerrainStamp>,
);

fn save(
    mut files: MessageReader<FileAction>,
    edits: Single<&TerrainEdits>,
    children: Single<&Children, With<TerrainEdits>>,
    things: Query<Shaped<'_>>,
    mut status: ResMut<Status>,
) {
    if !files.read().any(|file| *file == FileAction::Save) {
        return;
    }
    // In the order of the children, in which they are applied.
    let things = things.iter_many(children.iter()).filter_map(Thing::of);
    let things: Vec<Thing> = things.collect();
    let write = || -> Result<String> {
        let text = ron::ser::to_string_pretty(&things, default())?;
        lanternfell_files::write(EDITS.as_ref(), &edits.to_bytes())?;
        lanternfell_files::write(THINGS.as_ref(), text.as_bytes())?;
        Ok(format!("saved {EDITS} and {THINGS}"))
    };
    status.say(write().map_err(|error| format!("cannot save: {error}").into()));
}

fn load(
    mut commands: Commands,
    mut files: MessageReader<FileAction>,
    terrain: Single<(Entity, &mut TerrainEdits)>,
    things: Query<Entity, Or<(With<TerrainPath>, With<House>, With<TerrainStamp>)>>,
    mut status: ResMut<Status>,
) {
    if !files.read().any(|file| *file == FileAction::Load) {
        return;
    }
    let (terrain, mut edits) = terrain.into_inner();
    let read = || -> Result<(TerrainEdits, Vec<Thing>)> {
        let edits = TerrainEdits::from_bytes(&fs::read(EDITS)?)?;
        let things = ron::from_str(&fs::read_to_string(THINGS)?)?;
        Ok((edits, things))
    };
    let (new, new_things) = match read() {
        Ok(new) => new,
        Err(error) => return status.say(Err(format!("cannot load: {error}").into())),
    };
    *edits = new;
    for thing in &things {
        commands.entity(thing).despawn();
    }
    for thing in new_things {
        thing.spawn(&mut commands, terrain);
    }
    status.say(Ok(format!("loaded {EDITS} and {THINGS}")));
}

/// Writes the map in the background.
fn export(
    mut files: MessageReader<FileAction>,
    surface: Option<Single<&TerrainSurface>>,
    mut running: ResMut<Export>,
) {
    let is_asked = files.read().any(|file| *file == FileAction::Export);
    let Some(surface) = surface.filter(|_| is_asked && running.task.is_none()) else {
        return;
    };
    let (surface, progress) = (surface.clone(), Progress::default());
    running.progress = progress.clone();
    running.task = Some(AsyncComputeTaskPool::get().spawn(async move {
        let (mut bytes, options) = (Vec::new(), WriteOptions::default());
        io::write(
            &surface.elevation_model(),
            Format::Tiff,
            &options,
            &mut bytes,
            &progress,
        )?;
        lanternfell_files::write(MAP.as_ref(), &bytes)?;
        Ok(format!("exported {MAP}"))
    }));
}

fn finish_export(mut running: ResMut<Export>, mut status: ResMut<Status>) {
    if let Some(result) = running.task.as_mut().and_then(check_ready) {
        running.task = None;
        status.say(result);
    }
}
