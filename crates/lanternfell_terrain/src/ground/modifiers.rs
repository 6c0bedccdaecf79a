//! Roads, platforms and stamps: children of a terrain that change the terrain below them.
//!
//! ```text
//!   child moved, changed, added or removed ──> TerrainModifiers of the terrain ──> as changed edits
//! ```
//!
//! The background task applies them over the tiles of all strokes, see [`ModifiedTiles`](lanternfell_edits::ModifiedTiles).
//! The rest of the plugin only sees the resulting tiles. This module keeps a list of the shapes on each terrain, and starts
//! the task when it changes.

mod path;
mod platform;
mod stamp;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use bevy::{ecs::query::QueryItem, prelude::*};
use lanternfell_edits::{Modifier, ModifierError, Placement};
use lanternfell_heightmap::Recipe;

pub use self::{
    path::TerrainPath,
    platform::TerrainPlatform,
    stamp::{StampSource, TerrainStamp},
};
use super::{
    edits::{TerrainEdits, follow},
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
            find_stale
                .pipe(collect)
                .after(take_up_changes)
                // It sees edits that are added here.
                .before(follow)
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

/// The modifiers of a terrain, on its entity.
#[derive(Component, Default)]
pub(crate) struct TerrainModifiers {
    /// In the order of the children.
    pub(super) shapes: Arc<[Shape]>,
    order: Vec<Entity>,
    /// What was made from each child, and the warning about it.
    made: BTreeMap<Entity, Made>,
}

/// The shapes of a child, and the errors of those that are not valid.
#[derive(Clone, Default, PartialEq)]
struct Made {
    shapes: Vec<Shape>,
    errors: Vec<(&'static str, ModifierError)>,
}

/// The terrains whose modifiers may have changed in this frame, and the modifiers that have.
#[derive(Default)]
struct Stale {
    terrains: BTreeSet<Entity>,
    modifiers: BTreeSet<Entity>,
}

type IsModifier = Or<(With<TerrainPath>, With<TerrainPlatform>, With<TerrainStamp>)>;

type HasChanged = Or<(
    Changed<TerrainPath>,
    Changed<TerrainPlatform>,
    Changed<TerrainStamp>,
    Changed<Transform>,
    Changed<ChildOf>,
)>;

/// Finds the terrains whose lists may have changed.
fn find_stale(
    changed: Query<(Entity, &ChildOf), (IsModifier, HasChanged)>,
    mut paths: RemovedComponents<TerrainPath>,
    mut platforms: RemovedComponents<TerrainPlatform>,
    mut stamps: RemovedComponents<TerrainStamp>,
    mut parents: RemovedComponents<ChildOf>,
    mut edits: RemovedComponents<TerrainEdits>,
    new: Query<Entity, (Added<Terrain>, With<Children>)>,
    // Children that were reordered.
    sorted: Query<Entity, (With<TerrainModifiers>, Changed<Children>)>,
    lists: Query<(Entity, &TerrainModifiers)>,
) -> Stale {
    let mut terrains: BTreeSet<Entity> = new.iter().chain(edits.read()).chain(&sorted).collect();
    let removed = paths.read().chain(platforms.read()).chain(stamps.read());
    let mut modifiers: BTreeSet<Entity> = removed.chain(parents.read()).collect();
    for (modifier, child_of) in &changed {
        terrains.insert(child_of.parent());
        modifiers.insert(modifier);
    }
    // Modifiers that left a terrain are only in its list.
    for (terrain, list) in lists.iter().filter(|_| !modifiers.is_empty()) {
        if modifiers
            .iter()
            .any(|modifier| list.made.contains_key(modifier))
        {
            terrains.insert(terrain);
        }
    }
    Stale {
        terrains,
        modifiers,
    }
}

type Shaped<'a> = (
    Entity,
    &'a Transform,
    Option<&'a TerrainPath>,
    Option<&'a TerrainPlatform>,
    Option<&'a TerrainStamp>,
);

/// Updates the lists of these terrains, and starts their work.
fn collect(
    In(stale): In<Stale>,
    mut commands: Commands,
    mut terrains: Query<
        (
            Option<&Children>,
            Option<&mut TerrainModifiers>,
            Has<TerrainEdits>,
        ),
        With<Terrain>,
    >,
    shaped: Query<Shaped<'_>, IsModifier>,
) {
    for terrain in stale.terrains {
        let Ok((children, list, is_edited)) = terrains.get_mut(terrain) else {
            continue;
        };
        let children = children.into_iter().flatten();
        let children: Vec<_> = shaped.iter_many(children).collect();
        let mut new = TerrainModifiers::default();
        let list = match list {
            Some(list) => list.into_inner(),
            None if children.is_empty() => continue,
            None => &mut new,
        };
        let is_changed = list.update(children, &stale.modifiers);
        let is_empty = list.order.is_empty();
        let new = (!new.order.is_empty()).then_some(new);
        with_terrain(&mut commands, terrain, move |mut terrain| {
            if let Some(new) = new {
                terrain.insert(new);
            } else if is_empty {
                terrain.remove::<TerrainModifiers>();
            }
            if !is_edited && !is_empty {
                terrain.insert(TerrainEdits::default());
            }
        });
        if is_changed {
            ask_again(&mut commands, terrain);
        }
    }
}

impl TerrainModifiers {
    /// Takes over the children with modifiers, of which these may have changed. Returns whether the shapes differ.
    fn update(
        &mut self,
        children: Vec<QueryItem<'_, '_, Shaped<'_>>>,
        changed: &BTreeSet<Entity>,
    ) -> bool {
        let before = std::mem::take(&mut self.order);
        let mut is_changed = false;
        for child in children {
            let entity = child.0;
            self.order.push(entity);
            if changed.contains(&entity) || !self.made.contains_key(&entity) {
                let made = Made::from(child);
                let old = self.made.insert(entity, made.clone()).unwrap_or_default();
                for (name, error) in &made.errors {
                    if !old.errors.iter().any(|(_, known)| known == error) {
                        warn!("the {name} of {entity} has no effect: {error}");
                    }
                }
                is_changed |= made.shapes != old.shapes;
            }
        }
        if self.order != before {
            let order: BTreeSet<Entity> = self.order.iter().copied().collect();
            self.made.retain(|entity, _| order.contains(entity));
            is_changed = true;
        }
        if is_changed {
            let shapes = self
                .order
                .iter()
                .flat_map(|entity| &self.made[entity].shapes);
            let shapes: Vec<Shape> = shapes.cloned().collect();
            is_changed = *shapes != *self.shapes;
            self.shapes = shapes.into();
        }
        is_changed
    }
}

impl Made {
    fn from((_, transform, path, platform, stamp): QueryItem<'_, '_, Shaped<'_>>) -> Self {
        let mut made = Self::default();
        let mut add = |name, shape: Option<Result<Shape, ModifierError>>| match shape {
            Some(Ok(shape)) => made.shapes.push(shape),
            Some(Err(error)) => made.errors.push((name, error)),
            None => {}
        };
        add("TerrainPath", path.map(|path| path.shape(transform)));
        add(
            "TerrainPlatform",
            platform.map(|platform| platform.shape(transform)),
        );
        add("TerrainStamp", stamp.map(|stamp| stamp.shape(transform)));
        made
    }
}

/// The position and the direction of a modifier, and its scale along both horizontal axes. A mirrored one has the scale
/// of its image in the mirror.
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
