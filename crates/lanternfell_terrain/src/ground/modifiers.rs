//! Roads, platforms and stamps: children of a terrain that change the terrain below them.
//!
//! ```text
//!   child moved, changed, added or removed ──> TerrainModifiers of the terrain ──> as changed edits
//! ```
//!
//! The background task applies them over the tiles of all strokes, see [`ModifiedTiles`](lanternfell_edits::ModifiedTiles).
//! The rest of the plugin only sees the resulting tiles. This module keeps a list of the shapes on each terrain, and starts
//! the task when it changes. An endless terrain starts its own.
//!
//! The origin of an endless terrain can move. Its children are then moved back, so that they stay at their places. Their
//! shapes keep the origin at which the app placed them. Otherwise each move of the origin would round their positions.

mod path;
mod platform;
mod stamp;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use bevy::{
    ecs::query::QueryItem,
    math::{DVec3, I64Vec2},
    prelude::*,
};
use lanternfell_edits::{Modifier, ModifierError, Placement};
use lanternfell_heightmap::Recipe;

pub use self::{
    path::TerrainPath,
    platform::TerrainPlatform,
    stamp::{StampSource, TerrainStamp},
};
use super::{
    edits::{EditablePlane, TerrainEdits, follow},
    request::{ask_again, await_files, take_up_changes},
    retire::removed_with_terrain,
    terrain::Terrain,
};
use crate::systems::TerrainSystems;

pub(super) fn plugin(app: &mut App) {
    removed_with_terrain::<TerrainModifiers>(app);
    app.register_type::<TerrainPath>()
        .register_type::<TerrainPlatform>()
        .register_type::<TerrainStamp>()
        .configure_sets(
            PostUpdate,
            CollectModifiers
                .after(take_up_changes)
                // It sees edits that are added here.
                .before(follow)
                .before(await_files)
                .in_set(TerrainSystems::Generate),
        )
        .add_systems(
            PostUpdate,
            (keep_places, find_stale.pipe(collect))
                .chain()
                .in_set(CollectModifiers),
        );
}

/// Collects the modifiers of all terrains. The origins of endless terrains must be known before.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CollectModifiers;

/// A modifier, or what it is made from in the background.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Ready(Modifier),
    /// A stamp without heights, and the recipe of its image.
    Recipe(Modifier, Box<Recipe>),
}

/// A shape, and the cell of an endless terrain at 0 in its local space.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlacedShape {
    pub(super) shape: Shape,
    pub(super) origin: I64Vec2,
}

/// The modifiers of a terrain, on its entity.
#[derive(Component, Default)]
pub(crate) struct TerrainModifiers {
    /// In the order of the children.
    pub(super) shapes: Arc<[PlacedShape]>,
    order: Vec<Entity>,
    /// What was made from each child, and the warning about it.
    made: BTreeMap<Entity, Made>,
    /// The distance between two cells of an endless terrain.
    spacing: f32,
}

/// The shapes of a child, and the errors of those that are not valid.
#[derive(Clone, Default, PartialEq)]
struct Made {
    shapes: Vec<PlacedShape>,
    errors: Vec<(&'static str, ModifierError)>,
    place: Place,
}

/// Where the app has placed a child.
#[derive(Clone, Copy, Default, PartialEq)]
struct Place {
    /// The position when the app set it, and the origin of the terrain then.
    set: Vec3,
    origin: I64Vec2,
    /// The position now.
    now: Vec3,
}

impl Place {
    /// The position at another origin.
    fn at(self, plane: EditablePlane) -> Vec3 {
        let cells = (self.origin - plane.origin).as_dvec2();
        let by = cells * f64::from(plane.spacing);
        (self.set.as_dvec3() + DVec3::new(by.x, 0.0, by.y)).as_vec3()
    }
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

/// Moves the modifiers of endless terrains whose origin has moved. Those that the app has moved at the same time are where
/// they should be.
fn keep_places(
    mut planes: Query<(&EditablePlane, &mut TerrainModifiers), Changed<EditablePlane>>,
    mut transforms: Query<&mut Transform, IsModifier>,
) {
    for (plane, mut list) in &mut planes {
        let list = list.bypass_change_detection();
        if list.spacing != plane.spacing {
            // On another source, they stay in the local space.
            list.spacing = plane.spacing;
            list.made.clear();
        }
        for (child, Made { place, .. }) in &mut list.made {
            if let Ok(mut transform) = transforms.get_mut(*child)
                && transform.translation == place.now
            {
                place.now = place.at(*plane);
                transform.translation = place.now;
            }
        }
    }
}

/// Finds the terrains whose lists may have changed.
fn find_stale(
    changed: Query<(Entity, &ChildOf), (IsModifier, HasChanged)>,
    mut paths: RemovedComponents<TerrainPath>,
    mut platforms: RemovedComponents<TerrainPlatform>,
    mut stamps: RemovedComponents<TerrainStamp>,
    mut parents: RemovedComponents<ChildOf>,
    mut edits: RemovedComponents<TerrainEdits>,
    new: Query<Entity, (Or<(Added<Terrain>, Changed<EditablePlane>)>, With<Children>)>,
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
            Option<&EditablePlane>,
        ),
        Or<(With<Terrain>, With<EditablePlane>)>,
    >,
    shaped: Query<Shaped<'_>, IsModifier>,
) {
    for terrain in stale.terrains {
        let Ok((children, list, is_edited, plane)) = terrains.get_mut(terrain) else {
            continue;
        };
        let children = children.into_iter().flatten();
        let children: Vec<_> = shaped.iter_many(children).collect();
        let is_empty = children.is_empty();
        let mut new = TerrainModifiers {
            spacing: plane.map_or(0.0, |plane| plane.spacing),
            ..default()
        };
        let changes = (
            &stale.modifiers,
            plane.map_or(I64Vec2::ZERO, |plane| plane.origin),
        );
        let is_changed = match list {
            Some(mut list) => {
                let is_changed = list.bypass_change_detection().update(children, changes);
                if is_changed {
                    list.set_changed();
                }
                is_changed
            }
            None if is_empty => continue,
            None => new.update(children, changes),
        };
        let new = (!new.order.is_empty()).then_some(new);
        with_editable(&mut commands, terrain, move |mut terrain| {
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

/// As [`with_terrain`](super::terrain::with_terrain), also for endless terrains.
fn with_editable(
    commands: &mut Commands,
    terrain: Entity,
    work: impl FnOnce(EntityWorldMut) + Send + 'static,
) {
    commands.queue(move |world: &mut World| {
        if let Ok(entity) = world.get_entity_mut(terrain)
            && (entity.contains::<Terrain>() || entity.contains::<EditablePlane>())
        {
            work(entity);
        }
    });
}

impl TerrainModifiers {
    /// Takes over the children with modifiers, of which these may have changed, at the origin of the terrain. Returns whether
    /// the shapes differ.
    fn update(
        &mut self,
        children: Vec<QueryItem<'_, '_, Shaped<'_>>>,
        (changed, origin): (&BTreeSet<Entity>, I64Vec2),
    ) -> bool {
        let before = std::mem::take(&mut self.order);
        let mut is_changed = false;
        for child in children {
            let entity = child.0;
            self.order.push(entity);
            if changed.contains(&entity) || !self.made.contains_key(&entity) {
                let old = self.made.remove(&entity);
                let place = old.as_ref().map(|old| old.place);
                let (made, old) = (Made::from(child, place, origin), old.unwrap_or_default());
                for (name, error) in &made.errors {
                    if !old.errors.iter().any(|(_, known)| known == error) {
                        warn!("the {name} of {entity} has no effect: {error}");
                    }
                }
                is_changed |= made.shapes != old.shapes;
                self.made.insert(entity, made);
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
            let shapes: Vec<PlacedShape> = shapes.cloned().collect();
            is_changed = *shapes != *self.shapes;
            self.shapes = shapes.into();
        }
        is_changed
    }
}

impl Made {
    fn from(
        (_, transform, path, platform, stamp): QueryItem<'_, '_, Shaped<'_>>,
        known: Option<Place>,
        origin: I64Vec2,
    ) -> Self {
        let now = transform.translation;
        let place = known.filter(|known| known.now == now);
        let place = place.unwrap_or(Place {
            set: now,
            origin,
            now,
        });
        let mut made = Self { place, ..default() };
        let mut add = |name, shape: Option<Result<Shape, ModifierError>>| match shape {
            Some(Ok(shape)) => {
                let origin = place.origin;
                made.shapes.push(PlacedShape { shape, origin });
            }
            Some(Err(error)) => made.errors.push((name, error)),
            None => {}
        };
        let transform = &Transform {
            translation: place.set,
            ..*transform
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
