//! The cover of a terrain: the layer at each place, computed in the background from the rules of the layers.
//!
//! ```text
//!   TerrainLayers ─┐                       ┌─> TerrainCover     for game rules and vegetation
//!   TerrainSurface ┼─ task ─> control map ─┤
//!   Water's level ─┘                       └─> two textures    for the terrain shader
//! ```
//!
//! New terrain comes with its cover, and so does edited terrain. If only the layers or the sea change, the old cover stays
//! until the new one is complete. A newer change replaces work in progress.

mod images;
mod work;

use std::{collections::HashSet, sync::Arc};

use bevy::{
    ecs::{entity::Entities, query::QueryData},
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_heightmap::Progress;
use lanternfell_surface::layers::{ControlInputs, ControlMap, LayerRules};

pub(crate) use images::CoverTextures;
use images::ReliefLevels;
use work::{CoverWork, MadeCover, Masks};

use crate::{
    ground::{
        RegionEdits, Terrain, TerrainEdits, TerrainProgress, TerrainSurface, add_part,
        ends_with_terrain, removed_with_terrain, with_terrain,
    },
    layers::EffectiveLayers,
    region::{PlanePlace, TerrainRegion},
    systems::TerrainSystems,
    water::Water,
};

/// The cover of a terrain: which of its [`TerrainLayers`](crate::TerrainLayers) is at each place.
///
/// The plugin inserts it on the entity of each terrain that is rendered or has [`NeedsTerrainCover`]. Cloning it is
/// cheap.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{TerrainCover, prelude::*};
///
/// fn is_on_sand(place: Vec2, cover: &TerrainCover) -> bool {
///     let [(most, _), _] = cover.layers_at(place);
///     cover.name(most) == "sand"
/// }
/// ```
#[derive(Component, Debug, Clone)]
pub struct TerrainCover {
    map: Arc<ControlMap>,
    /// For updates of the map. Only kept for terrains that can be edited.
    inputs: Option<Arc<CoverInputs>>,
    extent: Vec2,
    key: CoverKey,
    /// One bit for each layer that occurs anywhere.
    lying: u16,
    /// The indices of the layers whose masks do not exist.
    unmasked: Vec<usize>,
}

/// What is needed to update a control map and its textures after edits, besides the rules and the heights.
#[derive(Debug, Clone)]
struct CoverInputs {
    control: ControlInputs,
    masks: Arc<Masks>,
    /// `None` if the cover has no textures.
    levels: Option<ReliefLevels>,
}

impl TerrainCover {
    /// Returns the two layers with the largest shares of a place, and their shares. `place` is along x and z in the
    /// terrain's local space. Outside the terrain, it is clamped to the border.
    pub fn layers_at(&self, place: Vec2) -> [(u8, f32); 2] {
        let share = place / self.extent + 0.5;
        self.map.layers_at(share.x, share.y)
    }

    /// Returns the control map with the cover of the whole terrain.
    pub fn map(&self) -> &ControlMap {
        &self.map
    }

    /// Returns the name of a layer, or an empty string if the layer does not exist.
    pub fn name(&self, layer: u8) -> &str {
        let name = self.key.names.get(usize::from(layer));
        name.map_or("", String::as_str)
    }

    /// Returns the index of the layer with this name.
    ///
    /// The index refers to the layers that this cover was computed from. They can differ from the current
    /// [`TerrainLayers`](crate::TerrainLayers) for some frames, because a new cover is computed in the background.
    pub fn index(&self, name: &str) -> Option<u8> {
        let index = self.key.names.iter().position(|other| other == name)?;
        u8::try_from(index).ok()
    }

    /// Returns whether both covers were computed from the same layers and [`Water::level`]. If both
    /// terrains also have the same sea level, the covers can only differ where the
    /// [terrain differs](TerrainSurface::changes_since), and a few texels around it.
    pub fn is_by_rules_of(&self, other: &Self) -> bool {
        self.key == other.key
    }

    /// Returns whether a layer occurs anywhere on the terrain.
    pub fn occurs(&self, layer: u8) -> bool {
        layer < 16 && self.lying >> layer & 1 == 1
    }
}

/// Requests a [`TerrainCover`] for a terrain that is not rendered, for example on a server.
///
/// Insert it on the entity of a terrain or an [`EndlessTerrain`](crate::EndlessTerrain). Cost: up to 24 MiB. It has no
/// effect in apps with a renderer, where each terrain has a cover.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct NeedsTerrainCover;

/// The inputs of a cover besides the terrain. Equal inputs give an equal cover.
#[derive(Debug, Clone, PartialEq)]
struct CoverKey {
    rules: LayerRules,
    /// The names of the layers, in the order of their rules.
    names: Vec<String>,
    /// The sea level as a height of the map, or `None` for that of the terrain.
    level: Option<f32>,
    place: Vec2,
}

/// The components that a cover depends on, besides the terrain.
type Covering = (
    &'static EffectiveLayers,
    Option<&'static Water>,
    Option<&'static PlanePlace>,
);

impl CoverKey {
    fn new((layers, water, place): <Covering as QueryData>::Item<'_, '_>) -> Self {
        Self {
            rules: layers.rules(),
            names: layers
                .layers
                .iter()
                .map(|layer| layer.name.clone())
                .collect(),
            level: water.and_then(|water| water.level),
            place: place.copied().unwrap_or_default().turned,
        }
    }
}

/// Present on a terrain's entity while its cover is being recomputed.
#[derive(Component)]
pub(crate) struct MakingCover {
    key: CoverKey,
    progress: Progress,
    task: Option<Task<MadeCover>>,
}

impl Drop for MakingCover {
    /// Cancels the task, because newer work replaces it or its terrain is gone.
    fn drop(&mut self) {
        self.progress.cancel();
        if let Some(task) = self.task.take() {
            task.detach();
        }
    }
}

pub(crate) fn plugin(app: &mut App) {
    ends_with_terrain::<TerrainCover>(app);
    ends_with_terrain::<MakingCover>(app);
    removed_with_terrain::<CoverTextures>(app);
    add_part(app, CoverWork::begin);
    app.register_type::<NeedsTerrainCover>().add_systems(
        PostUpdate,
        (ask_for_covers, receive_covers, say_what_lies_nowhere)
            .chain()
            .in_set(TerrainSystems::Present),
    );
}

type Asked = (
    Covering,
    &'static TerrainSurface,
    Option<&'static TerrainCover>,
    Option<&'static MakingCover>,
    Has<NeedsTerrainCover>,
    (Has<TerrainEdits>, Has<RegionEdits>),
);

type AskedAgain = (
    Or<(
        Changed<EffectiveLayers>,
        Changed<TerrainSurface>,
        Changed<TerrainCover>,
        Added<NeedsTerrainCover>,
    )>,
    // New terrain comes with a cover for the layers at its start. The check runs again when it is complete or has
    // failed.
    Without<TerrainProgress>,
);

type Seas = (
    Entity,
    &'static Water,
    Option<&'static TerrainCover>,
    Option<&'static MakingCover>,
);

/// Starts computing the cover of each terrain whose layers or sea level have changed since its cover was computed.
fn ask_for_covers(
    mut commands: Commands,
    asked_again: Query<Entity, AskedAgain>,
    seas: Query<Seas, (Changed<Water>, Without<TerrainProgress>)>,
    mut drained: RemovedComponents<Water>,
    mut settled: RemovedComponents<TerrainProgress>,
    terrains: Query<Asked, Without<TerrainProgress>>,
    meshes: Option<Res<Assets<Mesh>>>,
) {
    let is_drawn = meshes.is_some();
    let removals = settled.read().chain(drained.read());
    // The `Water` component of a sea that mirrors the sky changes every frame. So only seas whose level has changed are
    // considered.
    let seas = seas.iter().filter(|(_, water, cover, making)| {
        let of_making = making.map(|making| making.key.level);
        of_making.or(cover.map(|cover| cover.key.level)) != Some(water.level)
    });
    let seas = seas.map(|(entity, ..)| entity);
    for entity in asked_again.iter().chain(seas).chain(removals) {
        let Ok((covering, ground, cover, making, is_asked, (is_edited, is_edited_region))) =
            terrains.get(entity)
        else {
            continue;
        };
        if !(is_drawn || is_asked) {
            continue;
        }
        let key = CoverKey::new(covering);
        if making.is_some_and(|making| making.key == key) {
            continue;
        }
        if cover.is_some_and(|cover| cover.key == key) {
            with_terrain(&mut commands, entity, |mut terrain| {
                terrain.remove::<MakingCover>();
            });
            continue;
        }
        let progress = Progress::default();
        let (ground, going_on) = (ground.clone(), progress.clone());
        let work = CoverWork {
            key: key.clone(),
            is_drawn,
            is_editable: is_edited || is_edited_region,
        };
        let task =
            AsyncComputeTaskPool::get().spawn(async move { work.of(&ground, &going_on).await });
        let making = MakingCover {
            key,
            progress,
            task: Some(task),
        };
        with_terrain(&mut commands, entity, |mut terrain| {
            terrain.insert(making);
        });
    }
}

/// Takes the results of finished tasks. An error is logged once, and the old cover stays.
pub(crate) fn receive_covers(
    mut commands: Commands,
    mut making: Query<(Entity, &mut MakingCover), With<Terrain>>,
) {
    for (entity, mut making) in &mut making {
        let Some(answer) = making.task.as_mut().and_then(check_ready) else {
            continue;
        };
        making.task = None;
        match answer {
            Ok((cover, images)) => {
                with_terrain(&mut commands, entity, |mut terrain| {
                    cover.put_in_place(images, &mut terrain);
                });
            }
            Err(error) => {
                // The component is kept with its key, so that the same error is not logged again.
                warn!("failed to compute the cover of {entity}: {error}");
            }
        }
    }
}

/// Logs once which layers refer to masks that do not exist, and which layers occur nowhere on a terrain.
fn say_what_lies_nowhere(
    covers: Query<(Entity, &TerrainCover, Option<&TerrainRegion>), Changed<TerrainCover>>,
    entities: &Entities,
    mut said: Local<HashSet<(Entity, String)>>,
) {
    if !covers.is_empty() {
        // Forgets terrains that were despawned.
        said.retain(|(terrain, _)| entities.contains(*terrain));
    }
    for (entity, cover, region) in &covers {
        let CoverKey { rules, names, .. } = &cover.key;
        let terrain = region.map_or(entity, |region| region.terrain);
        let layers = || rules.rules.iter().zip(names).enumerate();
        for (layer, (rule, name)) in layers() {
            let is_new = cover.unmasked.contains(&layer) && said.insert((terrain, name.clone()));
            if let Some(mask) = rule.mask.as_ref().filter(|_| is_new) {
                warn!(
                    "layer {name:?} of {terrain} is not used: the recipe has no step {mask:?} for its mask"
                );
            }
        }
        // A region is only a part of an endless terrain, so a missing layer means nothing.
        if region.is_some() {
            continue;
        }
        // Layers with a weight of 0 are for painting only.
        let nowhere = layers().filter(|(layer, (rule, _))| {
            let may_lie = rule.weight > 0.0 && !cover.unmasked.contains(layer);
            may_lie && !cover.occurs(*layer as u8)
        });
        let nowhere = nowhere.map(|(_, (_, name))| name.as_str());
        let new = nowhere.filter(|name| said.insert((terrain, (*name).to_owned())));
        let new: Vec<&str> = new.collect();
        if !new.is_empty() {
            info!(
                "these layers match no location on {terrain}: {}",
                new.join(", ")
            );
        }
    }
}
