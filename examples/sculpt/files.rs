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
    app.init_resource::<Message>()
        .init_resource::<Export>()
        .add_message::<File>()
        .add_systems(
            Update,
            (press.run_if(has_keys), (save, load, export), finish_export).chain(),
        );
}

/// What to do with the files.
#[derive(bevy::ecs::message::Message, Clone, Copy, PartialEq, Eq)]
pub enum File {
    Save,
    Load,
    Export,
}

/// The result of the last action, which the panel shows.
#[derive(Resource, Default)]
pub struct Message(pub String);

impl Message {
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

fn press(keys: Res<ButtonInput<KeyCode>>, mut files: MessageWriter<File>) {
    if keys.just_pressed(KeyCode::KeyO) {
        files.write(File::Save);
    }
    if keys.just_pressed(KeyCode::KeyL) {
        files.write(File::Load);
    }
}

type Shaped<'a> = (
    &'a Transform,
    Option<&'a TerrainPath>,
    Option<&'a TerrainPlatform>,
    Option<&'a TerrainStamp>,
);

fn save(
    mut files: MessageReader<File>,
    edits: Single<&TerrainEdits>,
    things: Query<Shaped<'_>, With<ChildOf>>,
    mut message: ResMut<Message>,
) {
    if !files.read().any(|file| *file == File::Save) {
        return;
    }
    let things: Vec<Thing> = things.iter().filter_map(Thing::of).collect();
    let write = || -> Result<String> {
        let text = ron::ser::to_string_pretty(&things, default())?;
        lanternfell_files::write(EDITS.as_ref(), &edits.to_bytes())?;
        lanternfell_files::write(THINGS.as_ref(), text.as_bytes())?;
        Ok(format!("saved {EDITS} and {THINGS}"))
    };
    message.say(write().map_err(|error| format!("cannot save: {error}").into()));
}

fn load(
    mut commands: Commands,
    mut files: MessageReader<File>,
    terrain: Single<(Entity, &mut TerrainEdits)>,
    things: Query<Entity, Or<(With<TerrainPath>, With<House>, With<TerrainStamp>)>>,
    mut message: ResMut<Message>,
) {
    if !files.read().any(|file| *file == File::Load) {
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
        Err(error) => return message.say(Err(format!("cannot load: {error}").into())),
    };
    *edits = new;
    for thing in &things {
        commands.entity(thing).despawn();
    }
    for thing in new_things {
        thing.spawn(&mut commands, terrain);
    }
    message.say(Ok(format!("loaded {EDITS} and {THINGS}")));
}

/// Writes the map in the background.
fn export(
    mut files: MessageReader<File>,
    surface: Option<Single<&TerrainSurface>>,
    mut running: ResMut<Export>,
) {
    let is_asked = files.read().any(|file| *file == File::Export);
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

fn finish_export(mut running: ResMut<Export>, mut message: ResMut<Message>) {
    if let Some(result) = running.task.as_mut().and_then(check_ready) {
        running.task = None;
        message.say(result);
    }
}
