//! Which layers lie where on a terrain: worked out in the background from their rules.
//!
//! ```text
//!   TerrainLayers ─┐                       ┌─> GroundCover     what rules of games and plants ask
//!   TerrainSurface ┼─ task ─> control map ─┤
//!   Water's level ─┤                       └─> two textures    what the land's shader reads
//!   TerrainPaint ──┘
//! ```
//!
//! New ground comes with its cover. Where only layers or the sea change, the old cover stays until the new one
//! is there; newest wins.

mod images;

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use bevy::{
    ecs::query::QueryData,
    prelude::*,
    tasks::{AsyncComputeTaskPool, BoxedFuture, Task, futures::check_ready},
};
use lanternfell_heightmap::{Heightmap, MapSize, Progress};
use lanternfell_surface::layers::{ControlMap, LayerError, LayerRules, LayerStroke};
use lanternfell_tasks::pause;

use images::CoverImages;
pub(crate) use images::CoverTextures;

use crate::{
    ground::{
        FreshSurface, Generating, MadePart, Part, Terrain, TerrainSurface, Wanted, add_part,
        ends_with_terrain, removed_with_terrain, with_terrain,
    },
    layers::LaidLayers,
    paint::{TerrainPaint, say_what_is_missing},
    systems::TerrainSystems,
    water::Water,
    window::{PlanePlace, TerrainWindow},
};

/// On a terrain's entity that is drawn, or has a [`KeepsCover`]: which of its
/// [`TerrainLayers`](crate::TerrainLayers) lie where. Cloning it is cheap.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{GroundCover, prelude::*};
///
/// fn is_on_sand(place: Vec2, cover: &GroundCover) -> bool {
///     let [(most, _), _] = cover.layers_at(place);
///     cover.name(most) == "sand"
/// }
/// ```
#[derive(Component, Debug, Clone)]
pub struct GroundCover {
    map: Arc<ControlMap>,
    extent: Vec2,
    key: CoverKey,
    /// A bit for each layer that lies anywhere.
    lying: u16,
    /// The layers whose masks are not there, by their numbers.
    unmasked: Vec<usize>,
}

impl GroundCover {
    /// The two layers that have most of a place, in the terrain's own frame along x and z, and each one's share.
    /// Beyond the land's border, what lies at it.
    pub fn layers_at(&self, place: Vec2) -> [(u8, f32); 2] {
        let share = place / self.extent + 0.5;
        self.map.layers_at(share.x, share.y)
    }

    /// All of it.
    pub fn map(&self) -> &ControlMap {
        &self.map
    }

    /// What a layer is called; nothing from the number of layers on.
    pub fn name(&self, layer: u8) -> &str {
        let name = self.key.names.get(usize::from(layer));
        name.map_or("", String::as_str)
    }

    /// Which layer is called so. The layers are those that the cover was made of, and not always the
    /// [`TerrainLayers`](crate::TerrainLayers) of this moment: another cover comes some frames after other layers.
    pub fn index(&self, name: &str) -> Option<u8> {
        let index = self.key.names.iter().position(|other| other == name)?;
        u8::try_from(index).ok()
    }

    /// Whether a layer lies anywhere on the land.
    pub fn lies(&self, layer: u8) -> bool {
        layer < 16 && self.lying >> layer & 1 == 1
    }
}

/// On a terrain's entity, or an [`EndlessTerrain`](crate::EndlessTerrain)'s: it has its [`GroundCover`] where nobody
/// draws, too. On a server nothing else needs it, and it takes up to 24 MiB; with a renderer it changes nothing.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct KeepsCover;

/// What a cover is made of besides the ground: as long as it is the same, the cover is.
#[derive(Debug, Clone, PartialEq)]
struct CoverKey {
    rules: LayerRules,
    /// Of the layers, as many as there are rules.
    names: Vec<String>,
    /// As a height of the map; `None` for what the ground says.
    level: Option<f32>,
    place: Vec2,
    strokes: Vec<LayerStroke>,
}

/// What a cover follows from besides the ground.
type Covering = (
    &'static LaidLayers,
    &'static Water,
    Option<&'static TerrainPaint>,
    Option<&'static PlanePlace>,
);

impl CoverKey {
    fn new((layers, water, paint, place): <Covering as QueryData>::Item<'_, '_>) -> Self {
        let place = place.copied().unwrap_or_default();
        Self {
            rules: layers.rules(),
            names: layers
                .layers
                .iter()
                .map(|layer| layer.name.clone())
                .collect(),
            level: water.level,
            place: place.turned,
            strokes: paint.map_or_else(Vec::new, |paint| paint.of_layers(layers, place.middle)),
        }
    }

    /// The strokes that another has more, if nothing else is different.
    fn strokes_since(&self, before: &Self) -> Option<&[LayerStroke]> {
        let is_same = self.rules == before.rules
            && self.names == before.names
            && self.level == before.level
            && self.place == before.place;
        let more = self.strokes.strip_prefix(before.strokes.as_slice());
        is_same.then_some(more).flatten()
    }
}

/// What one task makes: the cover, and its images where somebody draws.
type MadeCover = Result<(GroundCover, Option<CoverImages>), LayerError>;

/// In a browser a cover is made between two frames, where there are not many milliseconds.
const MOST_TEXELS: usize = if cfg!(target_arch = "wasm32") {
    256
} else {
    ControlMap::MOST_TEXELS
};

/// Works out the cover of some ground, of which another is known. In a background task.
async fn make_cover(
    ground: &TerrainSurface,
    key: CoverKey,
    known: Option<GroundCover>,
    is_drawn: bool,
    progress: &Progress,
) -> MadeCover {
    let extent = 2.0 * ground.surface().half_extent();
    let more = known
        .as_ref()
        .and_then(|known| Some((&known.map, key.strokes_since(&known.key)?)));
    let (mut map, unmasked, strokes) = match (more, &known) {
        (Some((map, more)), Some(known)) => (ControlMap::clone(map), known.unmasked.clone(), more),
        _ => {
            let (map, unmasked) = by_rules(ground, &key, progress).await?;
            (map, unmasked, &*key.strokes)
        }
    };
    for stroke in strokes {
        pause().await;
        map.stroke(stroke, extent);
    }
    pause().await;
    let images = is_drawn.then(|| match more {
        Some(_) => CoverImages::of_layers(&map),
        None => CoverImages::new(&map),
    });
    let cover = GroundCover {
        lying: lying(&map),
        map: Arc::new(map),
        extent,
        unmasked,
        key,
    };
    Ok((cover, images))
}

/// A bit for each layer that has any of any texel.
fn lying(map: &ControlMap) -> u16 {
    let of_texel = |&[layers, share]: &[u8; 2]| {
        let second = if share > 0 { 1 << (layers >> 4) } else { 0 };
        1 << (layers & 15) | second
    };
    map.texels()
        .iter()
        .map(of_texel)
        .fold(0, |all, one| all | one)
}

/// What the rules say, and the layers whose masks are not there: those lie nowhere.
async fn by_rules(
    ground: &TerrainSurface,
    key: &CoverKey,
    progress: &Progress,
) -> Result<(ControlMap, Vec<usize>), LayerError> {
    let surface = ground.surface();
    let level = key
        .level
        .unwrap_or(ground.water_level() / surface.scale().relief);
    let masks = masks(ground, &key.rules, &progress.span(0.0, 0.5)).await;
    let nothing = Heightmap::flat(MapSize::new(2, 2).expect("it is the smallest map"));
    let rules = key.rules.rules.iter().enumerate();
    let unmasked = rules.filter_map(|(layer, rule)| Some((layer, rule.mask.as_deref()?)));
    let unmasked: Vec<_> = unmasked
        .filter(|(_, mask)| masks.iter().all(|(name, _)| name != mask))
        .collect();
    let masks = masks.iter().map(|(name, map)| (*name, map));
    let masks: Vec<_> = masks
        .chain(unmasked.iter().map(|(_, mask)| (*mask, &nothing)))
        .collect();
    let builder = ControlMap::builder(&key.rules)
        .at(key.place.as_dvec2())
        .at_most(MOST_TEXELS)
        .masks(&masks);
    let builder = match ground.waters() {
        Some(waters) => builder.waters(waters),
        None => builder,
    };
    pause().await;
    let rest = progress.span(0.5, 1.0);
    let map = builder
        .of_in_parts(surface.map(), surface.scale(), level, &rest, pause)
        .await?;
    Ok((map, unmasked.iter().map(|(layer, _)| *layer).collect()))
}

/// What rules name as their masks: steps of the ground's recipe.
async fn masks<'a>(
    ground: &TerrainSurface,
    rules: &'a LayerRules,
    progress: &Progress,
) -> Vec<(&'a str, Heightmap)> {
    let named = rules.rules.iter().filter_map(|rule| rule.mask.as_deref());
    let names: BTreeSet<&str> = named.collect();
    let mut masks = Vec::new();
    for name in names {
        match ground.step(name, progress).await {
            Ok(mask) => masks.extend(mask.map(|mask| (name, mask))),
            // Then the mask is not there, which is told with the layer's name.
            Err(error) => debug!("the mask {name:?} was not made: {error}"),
        }
    }
    masks
}

/// On a terrain's entity while its cover is being made anew.
#[derive(Component)]
pub(crate) struct MakingCover {
    key: CoverKey,
    progress: Progress,
    task: Option<Task<MadeCover>>,
}

impl MakingCover {
    /// Whether only strokes are missing in what is being made: then it is waited for. A brush paints every frame, and
    /// would else never see anything.
    fn leads_to(&self, key: &CoverKey) -> bool {
        self.task.is_some() && key.strokes_since(&self.key).is_some()
    }
}

impl Drop for MakingCover {
    /// Replaced by newer work, or its terrain is gone.
    fn drop(&mut self) {
        self.progress.cancel();
        if let Some(task) = self.task.take() {
            task.detach();
        }
    }
}

/// The cover of new ground.
struct CoverPart {
    key: CoverKey,
    is_drawn: bool,
}

impl CoverPart {
    fn begin(_: &World, terrain: EntityRef, wanted: &mut Wanted) -> Option<Box<dyn Part>> {
        let is_drawn = wanted.is_drawn;
        if !is_drawn && !terrain.contains::<KeepsCover>() {
            return None;
        }
        let key = CoverKey::new(terrain.get_components::<Covering>().ok()?);
        Some(Box::new(Self { key, is_drawn }))
    }
}

impl Part for CoverPart {
    fn make<'a>(
        self: Box<Self>,
        ground: &'a mut FreshSurface,
    ) -> BoxedFuture<'a, Box<dyn MadePart>> {
        Box::pin(async move {
            let Self { key, is_drawn } = *self;
            let unstoppable = Progress::default();
            let cover = make_cover(&ground.surface, key, None, is_drawn, &unstoppable).await;
            let made: Box<dyn MadePart> = Box::new(cover);
            made
        })
    }
}

impl MadePart for MadeCover {
    /// The old cover is of other ground, so it goes in any case. If the layers can not be laid as they should, there is
    /// none: the next try, which follows at once, says why.
    fn put_in_place(self: Box<Self>, terrain: &mut EntityWorldMut) {
        terrain.remove::<(GroundCover, CoverTextures, MakingCover)>();
        let Ok((cover, images)) = *self else {
            return;
        };
        terrain.insert(cover);
        let Some(images) = images else { return };
        let add = |world: &mut World| {
            let mut assets = world.get_resource_mut::<Assets<Image>>()?;
            images.add_to(&mut assets, None)
        };
        if let Some(textures) = terrain.world_scope(add) {
            terrain.insert(textures);
        }
    }
}

pub(crate) fn plugin(app: &mut App) {
    ends_with_terrain::<GroundCover>(app);
    ends_with_terrain::<MakingCover>(app);
    removed_with_terrain::<CoverTextures>(app);
    add_part(app, CoverPart::begin);
    app.register_type::<KeepsCover>().add_systems(
        Update,
        (
            say_what_is_missing,
            ask_for_covers,
            receive_covers,
            say_what_lies_nowhere,
        )
            .chain()
            .in_set(TerrainSystems::Present),
    );
}

type Asked = (
    Covering,
    &'static TerrainSurface,
    Option<&'static GroundCover>,
    Option<&'static MakingCover>,
    Has<KeepsCover>,
);

type AskedAgain = (
    Or<(
        Changed<LaidLayers>,
        Changed<TerrainSurface>,
        Changed<TerrainPaint>,
        Changed<GroundCover>,
        Added<KeepsCover>,
    )>,
    // New ground brings its own, of what there was when it was begun: asked again when it is there, or was not made.
    Without<Generating>,
);

type Seas = (
    Entity,
    &'static Water,
    Option<&'static GroundCover>,
    Option<&'static MakingCover>,
);

/// Begins to make the cover of every terrain whose layers, sea or paint are not those that its cover is of.
fn ask_for_covers(
    mut commands: Commands,
    asked_again: Query<Entity, AskedAgain>,
    seas: Query<Seas, (Changed<Water>, Without<Generating>)>,
    mut unpainted: RemovedComponents<TerrainPaint>,
    mut settled: RemovedComponents<Generating>,
    terrains: Query<Asked, Without<Generating>>,
    meshes: Option<Res<Assets<Mesh>>>,
) {
    let is_drawn = meshes.is_some();
    let removals = unpainted.read().chain(settled.read());
    // A sea that mirrors the sky changes in each frame, and a key holds all strokes: so only one that rose or fell.
    let seas = seas.iter().filter(|(_, water, cover, making)| {
        let of_making = making.map(|making| making.key.level);
        of_making.or(cover.map(|cover| cover.key.level)) != Some(water.level)
    });
    let seas = seas.map(|(entity, ..)| entity);
    for entity in asked_again.iter().chain(seas).chain(removals) {
        let Ok((covering, ground, cover, making, is_asked)) = terrains.get(entity) else {
            continue;
        };
        if !(is_drawn || is_asked) {
            continue;
        }
        let key = CoverKey::new(covering);
        if making.is_some_and(|making| making.key == key || making.leads_to(&key)) {
            continue;
        }
        if cover.is_some_and(|cover| cover.key == key) {
            with_terrain(&mut commands, entity, |mut terrain| {
                terrain.remove::<MakingCover>();
            });
            continue;
        }
        let progress = Progress::default();
        let (ground, known) = (ground.clone(), cover.cloned());
        let (wanted, going_on) = (key.clone(), progress.clone());
        let task = AsyncComputeTaskPool::get()
            .spawn(async move { make_cover(&ground, wanted, known, is_drawn, &going_on).await });
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

/// Takes in what finished tasks made. What can not be is said once, and the old cover stays.
pub(crate) fn receive_covers(
    mut commands: Commands,
    mut assets: Option<ResMut<Assets<Image>>>,
    mut making: Query<(Entity, &mut MakingCover, Option<&CoverTextures>), With<Terrain>>,
) {
    for (entity, mut making, before) in &mut making {
        let Some(answer) = making.task.as_mut().and_then(check_ready) else {
            continue;
        };
        making.task = None;
        match answer {
            Ok((cover, images)) => {
                let textures = images
                    .zip(assets.as_mut())
                    .map(|(images, assets)| images.add_to(assets, before));
                // Where there were none yet to go on from.
                if textures == Some(None) {
                    continue;
                }
                with_terrain(&mut commands, entity, |mut terrain| {
                    terrain.insert(cover).remove::<MakingCover>();
                    if let Some(textures) = textures.flatten() {
                        terrain.insert(textures);
                    }
                });
            }
            Err(error) => {
                // Kept with its key, so that it is not said again.
                warn!("the layers of {entity} are not laid: {error}");
            }
        }
    }
}

/// Says once which layers ask for masks that are not there, and which lie nowhere on a land though they might.
fn say_what_lies_nowhere(
    covers: Query<(Entity, &GroundCover, Option<&TerrainWindow>), Changed<GroundCover>>,
    mut said: Local<HashSet<(Entity, String)>>,
) {
    for (entity, cover, window) in &covers {
        let CoverKey { rules, names, .. } = &cover.key;
        let terrain = window.map_or(entity, |window| window.terrain);
        let layers = || rules.rules.iter().zip(names).enumerate();
        for (layer, (rule, name)) in layers() {
            let is_new = cover.unmasked.contains(&layer) && said.insert((terrain, name.clone()));
            if let Some(mask) = rule.mask.as_ref().filter(|_| is_new) {
                warn!(
                    "the ground of {terrain} has no step {mask:?} to be the mask of its layer {name:?}"
                );
            }
        }
        // Of an endless land a window is but a part.
        if window.is_some() {
            continue;
        }
        // What wants nothing is for those who paint.
        let nowhere = layers().filter(|(layer, (rule, _))| {
            let may_lie = rule.weight > 0.0 && !cover.unmasked.contains(layer);
            may_lie && !cover.lies(*layer as u8)
        });
        let nowhere = nowhere.map(|(_, (_, name))| name.as_str());
        let new = nowhere.filter(|name| said.insert((terrain, (*name).to_owned())));
        let new: Vec<&str> = new.collect();
        if !new.is_empty() {
            info!(
                "no place on {terrain} is as the rules of these layers ask: {}",
                new.join(", ")
            );
        }
    }
}
