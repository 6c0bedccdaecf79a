//! Torchlight on terrain: hills, trunks and rocks block the light of a [`TorchlightMap`], and the terrain shows it.
//!
//! ```text
//!   terrain ──┐                      ┌─> LightLevel, bands, rules
//!   trunks  ──┴─ background task ─> relief ─> light of each cell
//!                                             └─> texture ─> TerrainLight
//! ```
//!
//! The terrain plugin and the torchlight plugin do not depend on each other. A torchlight map has a [`Relief`], and a
//! terrain has a [`TerrainLight`], which is any texture. This module fills the relief from the terrain, and the
//! texture from the map.
//!
//! Cost: a background task when the terrain, its plants or the transform of the map change, and a comparison for each
//! map in each frame. Measured on two shared cores: the relief of 256 x 256 cells takes 37 to 67 ms, of 1024 x 1024
//! cells 341 to 426 ms, and no frame of the main thread takes more than 2 ms meanwhile (without lamps and renderer).
//! The first step of a grid with 16 lamps of radius 40 takes 1.7 to 2.5 times as long as without a relief
//! (`tests/outdoors/terrain_torchlight_takes.rs`). The cost of rendering was within the noise of a software driver.

mod draw;
mod obstacles;
mod plane;
mod sample;

use bevy::{
    ecs::{change_detection::Tick, query::QueryItem, template::FromTemplate},
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_lightgrid::LightError;
use lanternfell_terrain::{TerrainRegion, prelude::*};
use lanternfell_torchlight::prelude::*;
use lanternfell_vegetation::VegetationLayout;

use plane::CellPlane;
use sample::{Land, Sample};

/// Makes each [`TorchlightMap`] with a [`TerrainTorchlight`] light its terrain.
///
/// Needs [`TorchlightPlugin`] and [`TerrainPlugin`]. Plants block light if the app has a
/// [`VegetationPlugin`](lanternfell_vegetation::VegetationPlugin).
#[derive(Debug, Default, Clone, Copy)]
pub struct TerrainTorchlightPlugin;

impl Plugin for TerrainTorchlightPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TerrainTorchlight>()
            .register_type::<TerrainTorchlightSettings>()
            .add_systems(
                PostUpdate,
                (receive, ask, draw::show)
                    .chain()
                    .after(TransformSystems::Propagate)
                    .in_set(TerrainTorchlightSystems),
            )
            .add_observer(lift);
    }
}

/// The set of this plugin's systems, in [`PostUpdate`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TerrainTorchlightSystems;

/// Makes a [`TorchlightMap`] light a terrain. Insert it on the map's entity. It contains the entity of the [`Terrain`]
/// or [`EndlessTerrain`].
///
/// The map must be horizontal ([`LightPlane::Xz`]). Its height and the size of its cells do not matter. Hills cast
/// shadows, slopes that face a lamp are brighter, and the trunks, logs and stones of the terrain's
/// [`Vegetation`](lanternfell_vegetation::Vegetation) block light. The height of a lamp is that of its transform.
/// All of this applies only to light in straight lines, so set [`LightSettings::direct`] to 1.
///
/// Light falls on the water surface where there is water. Holes count as closed, and beyond the border the terrain
/// counts as level. When the terrain or its plants change, a background task updates the light; until then the old
/// light stays.
///
/// The plugin warns once if it cannot use the map (no terrain, a vertical map, a map that does not overlap the
/// terrain, hexagons), and then lights it as if there were no terrain. There is no warning if an [`EndlessTerrain`]
/// has not generated the terrain under the map yet.
///
/// The rendered light fades out in the outermost cells of the map.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell::prelude::*;
///
/// fn setup(mut commands: Commands) -> Result {
///     let island = commands.spawn(Terrain::default()).id();
///     let straight = LightSettings { direct: 1.0, falloff: Falloff::Radius(40.0), ..default() };
///     let map = TorchlightMap::new(LightGrid::new(256, 256, straight)?).with_plane(LightPlane::Xz);
///     commands.spawn((map, LightFlow::SETTLED, TerrainTorchlight(island)));
///     commands.spawn((LightSource::default(), Transform::from_xyz(20.0, 35.0, -8.0)));
///     Ok(())
/// }
/// # App::new().add_systems(Startup, setup);
/// ```
#[derive(Component, Reflect, FromTemplate, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
#[require(TerrainTorchlightSettings)]
pub struct TerrainTorchlight(#[entities] pub Entity);

/// How a map lights its terrain. On the same entity as [`TerrainTorchlight`].
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct TerrainTorchlightSettings {
    /// The height above the terrain at which light is computed, in meters: the height of the characters that are lit
    /// or hidden. Larger values make shadows softer. Clamped to 0.01 to 100 cells. Default: 1.
    pub target_height: f32,
    /// How much the light depends on the slope of the terrain, from 0 to 1. Default: 1.
    pub slope_shading: f32,
    /// Whether trunks, logs and stones block light. Those thinner than a quarter of a cell never do. Default: `true`.
    pub plants: bool,
    /// The illuminance of full light on the terrain, in lux, multiplied by [`LightDisplay::exposure`]. At the default
    /// and Bevy's default exposure, fully lit terrain has the brightness of its textures. Default: 3000.
    pub illuminance: f32,
}

impl Default for TerrainTorchlightSettings {
    fn default() -> Self {
        Self {
            target_height: 1.0,
            slope_shading: 1.0,
            plants: true,
            illuminance: 3000.0,
        }
    }
}

/// On the entity of a map: the state of sampling its relief.
#[derive(Component, Default)]
struct Sampling {
    /// The inputs of the newest relief, or of the one that is being sampled.
    asked: Option<Asked>,
    task: Option<Task<Result<Relief, LightError>>>,
    /// Whether the relief of these inputs was rejected.
    failed: bool,
    /// The last warning, so that it is not repeated.
    said: Option<&'static str>,
}

/// The warning for a map that does not overlap the terrain.
const NO_OVERLAP: &str = "it does not overlap the terrain";

/// The inputs of a relief. Equal inputs give an equal relief.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    plane: CellPlane,
    target_height: f32,
    slope_shading: f32,
    plants: bool,
    lands: Vec<AskedLand>,
}

#[derive(Debug, Clone, PartialEq)]
struct AskedLand {
    entity: Entity,
    /// The cells of the map in the frame of the terrain.
    plane: CellPlane,
    /// Half of the terrain's extent, in its frame.
    half: Vec2,
    ground: Tick,
    sea: Option<f32>,
    plants: Option<Tick>,
}

type Maps = (
    Entity,
    &'static TorchlightMap,
    &'static GlobalTransform,
    &'static TerrainTorchlight,
    &'static TerrainTorchlightSettings,
    Option<&'static mut Sampling>,
);

type Lands = (
    Entity,
    Ref<'static, TerrainSurface>,
    &'static GlobalTransform,
    Option<&'static Water>,
    &'static Visibility,
    Option<&'static TerrainRegion>,
    Option<Ref<'static, VegetationLayout>>,
);

/// Starts to sample the terrain under each map when the map or the terrain has changed.
///
/// A map has one task at a time, and a running task is not canceled: a terrain that changes in every frame still gets
/// new light.
fn ask(
    mut commands: Commands,
    mut maps: Query<Maps>,
    lands: Query<Lands>,
    terrains: Query<Has<EndlessTerrain>, Or<(With<Terrain>, With<EndlessTerrain>)>>,
) {
    for (entity, map, transform, over, light, sampling) in &mut maps {
        let Some(mut sampling) = sampling else {
            commands.entity(entity).try_insert(Sampling::default());
            continue;
        };
        if sampling.task.is_some() {
            continue;
        }
        let terrain = terrains.get(over.0);
        let plane = match usable(map, transform, terrain.is_ok()) {
            Ok(plane) => plane,
            Err(wrong) => {
                sampling.give_up(&mut commands, entity, wrong);
                continue;
            }
        };
        let under = lands.iter().filter(|land| is_part_of(land, over.0));
        let under: Vec<QueryItem<'_, '_, Lands>> = under.collect();
        let look_at = |land: &QueryItem<'_, '_, Lands>| AskedLand::new(land, &plane, light.plants);
        let asked = Asked {
            plane,
            target_height: light.target_height,
            slope_shading: light.slope_shading,
            plants: light.plants,
            lands: under.iter().filter_map(look_at).collect(),
        };
        // A `TorchlightMap` that replaced another one has no relief yet, although its inputs are the same.
        let is_done = map.grid().relief().is_some() || sampling.failed;
        let is_like = sampling.asked.as_ref().is_some_and(|it| it.is_like(&asked));
        if asked.lands.is_empty() || (is_done && is_like) {
            continue;
        }
        match asked.wrong() {
            // Endless terrain is generated where the viewers are, so it may get here later.
            Some(NO_OVERLAP) if terrain == Ok(true) => {
                sampling.asked = None;
                if map.grid().relief().is_some() {
                    commands.queue(move |world: &mut World| set_relief(world, entity, None));
                }
                continue;
            }
            Some(wrong) => {
                sampling.give_up(&mut commands, entity, wrong);
                continue;
            }
            None => {}
        }
        let lands = asked.lands.iter().filter_map(|asked| {
            let land = under.iter().find(|land| land.0 == asked.entity)?;
            Some(asked.land(land))
        });
        let sample = Sample {
            size: map.grid().size(),
            target_height: light.target_height * plane.per_unit(),
            slope_shading: light.slope_shading,
            lands: lands.collect(),
        };
        sampling.asked = Some(asked);
        sampling.failed = false;
        sampling.task = Some(AsyncComputeTaskPool::get().spawn(sample.relief()));
    }
}

/// The cells of a map, or why it cannot be on a terrain.
fn usable(
    map: &TorchlightMap,
    transform: &GlobalTransform,
    is_land: bool,
) -> Result<CellPlane, &'static str> {
    if !is_land {
        return Err("the entity of its TerrainTorchlight is not a terrain");
    }
    let settings = map.grid().settings();
    if settings.neighborhood.is_hexagonal() {
        return Err("hexagons are not supported on terrain");
    }
    CellPlane::new(map, transform).ok_or("its transform has no size or is not finite")
}

fn is_part_of(land: &QueryItem<'_, '_, Lands>, whole: Entity) -> bool {
    let (entity, _, _, _, visibility, region, _) = land;
    match region {
        // Regions that will replace others are hidden until they are complete.
        Some(region) => region.terrain == whole && **visibility != Visibility::Hidden,
        None => *entity == whole,
    }
}

impl AskedLand {
    /// `None` if the terrain's transform has no size.
    fn new(
        (entity, surface, transform, water, _, _, layout): &QueryItem<'_, '_, Lands>,
        plane: &CellPlane,
        plants: bool,
    ) -> Option<Self> {
        let layout = layout.as_ref().filter(|_| plants);
        Some(Self {
            entity: *entity,
            plane: plane.seen_from(transform)?,
            half: surface.surface().half_extent(),
            ground: surface.last_changed(),
            sea: water.map(|water| water.surface_y(surface)),
            plants: layout.map(DetectChanges::last_changed),
        })
    }

    /// The data that the task needs.
    fn land(&self, (_, surface, _, _, _, _, layout): &QueryItem<'_, '_, Lands>) -> Land {
        let layout = layout.as_deref().filter(|_| self.plants.is_some());
        Land {
            surface: (**surface).clone(),
            plane: self.plane,
            sea: self.sea,
            layout: layout.cloned(),
        }
    }
}

impl Asked {
    /// The reason why no terrain is under the map.
    fn wrong(&self) -> Option<&'static str> {
        if !self.lands.iter().any(|land| land.plane.is_horizontal()) {
            return Some("it is vertical: use LightPlane::Xz");
        }
        let is_under = |land: &AskedLand| {
            let ground = Rect::from_center_half_size(Vec2::ZERO, land.half);
            !land.plane.area().intersect(ground).is_empty()
        };
        (!self.lands.iter().any(is_under)).then_some(NO_OVERLAP)
    }

    /// Whether the inputs are the same, up to rounding when map and terrain move together.
    fn is_like(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&AskedLand, &AskedLand)| {
            let moved = AskedLand {
                plane: b.plane,
                ..a.clone()
            };
            moved == *b && a.plane.is_like(&b.plane)
        };
        (self.target_height, self.slope_shading, self.plants)
            == (other.target_height, other.slope_shading, other.plants)
            && self.plane.size() == other.plane.size()
            && self.lands.len() == other.lands.len()
            && self.lands.iter().zip(&other.lands).all(is_same)
    }
}

impl Sampling {
    /// Warns, unless the last warning was the same, and removes the relief.
    fn give_up(&mut self, commands: &mut Commands, map: Entity, wrong: &'static str) {
        self.asked = None;
        if self.said == Some(wrong) {
            return;
        }
        warn!("torchlight map {map} cannot light its terrain: {wrong}");
        self.said = Some(wrong);
        commands.queue(move |world: &mut World| set_relief(world, map, None));
    }
}

/// Moves finished reliefs into their maps.
fn receive(mut maps: Query<(Entity, &mut TorchlightMap, &mut Sampling)>) {
    for (entity, mut map, mut sampling) in &mut maps {
        let Some(made) = sampling.task.as_mut().and_then(check_ready) else {
            continue;
        };
        sampling.task = None;
        let size = map.grid().size();
        let relief = match made {
            // The map has a new size since the task started. The next task samples that size.
            Ok(relief) if relief.size() != size => continue,
            Ok(relief) => relief,
            Err(error) => {
                warn!("torchlight map {entity} cannot light its terrain: {error}");
                sampling.failed = map.set_relief(None).is_ok();
                continue;
            }
        };
        // A new region of endless terrain may have the same heights under the map.
        let is_same = map.grid().relief().is_some_and(|old| **old == relief);
        if is_same || map.set_relief(Some(relief.into())).is_ok() {
            sampling.said = None;
        }
        if map.grid().settings().direct == 0.0 {
            warn_once!(
                "torchlight map {entity} is on a terrain, but LightSettings::direct is 0: terrain blocks direct light only"
            );
        }
    }
}

/// Removes the relief when the component is removed.
fn lift(remove: On<Remove, TerrainTorchlight>, mut commands: Commands) {
    let map = remove.entity;
    commands.queue(move |world: &mut World| {
        if let Ok(mut entity) = world.get_entity_mut(map) {
            entity.remove::<Sampling>();
        }
        set_relief(world, map, None);
    });
}

fn set_relief(world: &mut World, map: Entity, relief: Option<Relief>) {
    if let Some(mut map) = world.get_mut::<TorchlightMap>(map)
        && (relief.is_some() || map.grid().relief().is_some())
    {
        let taken = map.set_relief(relief.map(Into::into));
        debug_assert!(taken.is_ok(), "{taken:?}");
    }
}
