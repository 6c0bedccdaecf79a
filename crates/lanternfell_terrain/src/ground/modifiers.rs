//! Roads, platforms and stamps: children of a terrain that change the terrain below them.
//!
//! ```text
//!   child moved, changed, added or removed ──> TerrainModifiers of the terrain ──> as changed edits
//! ```
//!
//! The background task applies them over the tiles of all strokes, see [`ModifiedTiles`](lanternfell_edits::ModifiedTiles).
//! Everything after that only sees tiles. So this module collects the shapes, and asks for the work.

mod path;
mod platform;
mod stamp;

use std::{collections::BTreeSet, sync::Arc};

use bevy::{ecs::query::QueryItem, prelude::*};
use lanternfell_edits::{Modifier, ModifierError, Placement};
use lanternfell_heightmap::Recipe;

pub use self::{
    path::TerrainPath,
    platform::TerrainPlatform,
    stamp::{StampSource, TerrainStamp},
};
use super::{
    edits::TerrainEdits,
    request::{ask_again, await_files, take_up_changes},
    retire::removed_with_terrain,
    terrain::{Terrain, with_terrain},
};
use crate::systems::TerrainSystems;

pub(super) fn plugin(app: &mut App) {
    removed_with_terrain::<TerrainModifiers>(app);
    app.register_type::<TerrainPath>()
        .register_type::<TerrainPlatform>()
        .register_type::<TerrainStamp>()
        .add_systems(
            PostUpdate,
            collect
                .after(take_up_changes)
                .before(await_files)
                .in_set(TerrainSystems::Generate),
        );
}

/// A modifier, or what it is made from in the background.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Ready(Modifier),
    /// A stamp without heights, and the recipe of its image.
    Recipe(Modifier, Box<Recipe>),
}

/// The modifiers of a terrain in the order of its children, on its entity.
#[derive(Component, Default)]
pub(crate) struct TerrainModifiers {
    pub(super) shapes: Arc<[Shape]>,
    /// The entities that they are from.
    entities: BTreeSet<Entity>,
}

type IsModifier = Or<(With<TerrainPath>, With<TerrainPlatform>, With<TerrainStamp>)>;

type HasChanged = Or<(
    Changed<TerrainPath>,
    Changed<TerrainPlatform>,
    Changed<TerrainStamp>,
    Changed<Transform>,
    Changed<ChildOf>,
)>;

type Shaped<'a> = (
    Entity,
    &'a Transform,
    Option<Ref<'a, TerrainPath>>,
    Option<Ref<'a, TerrainPlatform>>,
    Option<Ref<'a, TerrainStamp>>,
);

/// Updates the lists of terrains whose modifiers have changed, and starts their work.
fn collect(
    mut commands: Commands,
    changed: Query<(Entity, &ChildOf), (IsModifier, HasChanged)>,
    mut gone: (
        RemovedComponents<TerrainPath>,
        RemovedComponents<TerrainPlatform>,
        RemovedComponents<TerrainStamp>,
        RemovedComponents<ChildOf>,
    ),
    mut unedited: RemovedComponents<TerrainEdits>,
    new: Query<Entity, (Added<Terrain>, With<Children>)>,
    terrains: Query<(Option<&Children>, Option<&TerrainModifiers>), With<Terrain>>,
    lists: Query<(Entity, &TerrainModifiers)>,
    shaped: Query<Shaped<'_>, IsModifier>,
) {
    let mut stale: BTreeSet<Entity> = new.iter().chain(unedited.read()).collect();
    let mut moved: Vec<Entity> = gone.0.read().collect();
    moved.extend(gone.1.read().chain(gone.2.read()).chain(gone.3.read()));
    for (modifier, child_of) in &changed {
        stale.insert(child_of.parent());
        moved.push(modifier);
    }
    // Modifiers that left a terrain are only in its list.
    for (terrain, list) in lists.iter().filter(|_| !moved.is_empty()) {
        if moved
            .iter()
            .any(|modifier| list.entities.contains(modifier))
        {
            stale.insert(terrain);
        }
    }
    for terrain in stale {
        let Ok((children, before)) = terrains.get(terrain) else {
            continue;
        };
        let children = children.into_iter().flatten();
        let mut list = TerrainModifiers::default();
        let mut shapes = Vec::new();
        for child in shaped.iter_many(children) {
            list.entities.insert(child.0);
            shapes.extend(shapes_of(child));
        }
        if before.is_none() && list.entities.is_empty() {
            continue;
        }
        let is_same = before.is_some_and(|before| *before.shapes == *shapes);
        list.shapes = shapes.into();
        with_terrain(&mut commands, terrain, move |mut terrain| {
            if !terrain.contains::<TerrainEdits>() {
                terrain.insert(TerrainEdits::default());
            }
            terrain.insert(list);
        });
        if !is_same {
            ask_again(&mut commands, terrain);
        }
    }
}

/// The modifiers of an entity. Warns about those that are not valid, once per change.
fn shapes_of(
    (entity, transform, path, platform, stamp): QueryItem<'_, '_, Shaped<'_>>,
) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let mut add = |shape: Result<Shape, ModifierError>, name: &str, is_changed: bool| match shape {
        Ok(shape) => shapes.push(shape),
        Err(error) if is_changed => warn!("{entity}: its {name} has no effect: {error}"),
        Err(_) => {}
    };
    if let Some(path) = path {
        add(path.shape(transform), "TerrainPath", path.is_changed());
    }
    if let Some(platform) = platform {
        add(
            platform.shape(transform),
            "TerrainPlatform",
            platform.is_changed(),
        );
    }
    if let Some(stamp) = stamp {
        add(stamp.shape(transform), "TerrainStamp", stamp.is_changed());
    }
    shapes
}

/// The position and the direction of a modifier, and its scale along both horizontal axes.
fn placed(transform: &Transform) -> (Placement, Vec2) {
    let east = (transform.rotation * Vec3::X).xz().normalize_or(Vec2::X);
    let placement = Placement {
        at: transform.translation.into(),
        direction: east.into(),
    };
    (placement, transform.scale.xz().abs())
}

fn valid(modifier: Modifier) -> Result<Shape, ModifierError> {
    modifier.validate()?;
    Ok(Shape::Ready(modifier))
}
