//! Where light and land meet: hills, trunks and rocks stand in the way of a [`LightMap`]'s light, and the land shows it.
//!
//! ```text
//!   ground ──┐                               ┌──> LightLevel, bands, rules
//!   trunks ──┴─ sampled in the background ─> relief ─> light of each cell
//!                                            └──> texture ─> GroundLight of the land
//! ```
//!
//! Neither plugin knows the other: a light map has a [`Relief`], whoever makes it, and land a [`GroundLight`], whatever
//! image it is. Here the one is filled from the other.
//!
//! Cost: a background task when land, plants or the map's place have changed, and each frame a comparison for each map. On two
//! cores that others used too a relief of 256 x 256 cells was there after 37 to 67 ms, one of 1024 x 1024 after 341 to
//! 426; without lamps and without a renderer no frame of the main thread took more than 2 ms meanwhile. A grid's first step with 16
//! lamps of radius 40 took 1.7 to 2.5 times as long over land as without (`tests/outdoors/light_over_land_takes.rs`).
//! What the picture costs could not be told from the spread of a software driver's frames.

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
use lanternfell_terrain::{TerrainWindow, prelude::*};
use lanternfell_torchlight::prelude::*;
use lanternfell_vegetation::Sowing;

use plane::CellPlane;
use sample::{Land, Sample};

/// Lays every [`LightMap`] with a [`LightOverLand`] over its terrain. Beside [`TorchlightPlugin`] and [`TerrainPlugin`];
/// plants take part if there is a [`VegetationPlugin`](lanternfell_vegetation::VegetationPlugin).
#[derive(Debug, Default, Clone, Copy)]
pub struct LightOverLandPlugin;

impl Plugin for LightOverLandPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<LightOverLand>()
            .register_type::<LandLight>()
            .add_systems(
                PostUpdate,
                (receive, ask, draw::show)
                    .chain()
                    .after(TransformSystems::Propagate)
                    .in_set(LightOverLandSystems),
            )
            .add_observer(lift);
    }
}

/// Where the plugin's systems run, in [`PostUpdate`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LightOverLandSystems;

/// On a [`LightMap`]'s entity: it lies over the land of this entity, a [`Terrain`] or an [`EndlessTerrain`].
///
/// The map lies flat ([`LightPlane::Xz`]) anywhere over or under the land, however large its cells are. Hills then hide
/// what lies behind them, slopes catch light, and trunks, logs and stones of the terrain's
/// [`Vegetation`](lanternfell_vegetation::Vegetation) stand in its way. A lamp is as high as its transform says. All that
/// is for light in straight lines: [`LightSettings::direct`] says how much of the light that is, and is best 1 here.
///
/// The land's surface is its ground, and where there is water its surface; holes count as closed, and beyond the land's
/// border it is level. Where the ground or the plants change, the light does, as soon as that is worked out in
/// the background; until then it falls over the land that was there before.
///
/// What can not be (no terrain there, a map that stands upright or lies beside the land, hexagons) is said once, by a
/// warning, and light is then as without land. So it is beside an [`EndlessTerrain`], until the land has come, without a warning.
///
/// What is drawn of the light fades in the outermost cells of the map, so that it does not end in a line.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell::prelude::*;
///
/// fn setup(mut commands: Commands) -> Result {
///     let island = commands.spawn(Terrain::default()).id();
///     let straight = LightSettings { direct: 1.0, falloff: Falloff::Radius(40.0), ..default() };
///     let map = LightMap::new(LightGrid::new(256, 256, straight)?).with_plane(LightPlane::Xz);
///     commands.spawn((map, LightFlow::SETTLED, LightOverLand(island)));
///     commands.spawn((LightSource::default(), Transform::from_xyz(20.0, 35.0, -8.0)));
///     Ok(())
/// }
/// # App::new().add_systems(Startup, setup);
/// ```
#[derive(Component, Reflect, FromTemplate, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
#[require(LandLight)]
pub struct LightOverLand(#[entities] pub Entity);

/// Beside a [`LightOverLand`]: what is lit, and how brightly it is drawn.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct LandLight {
    /// How high a figure on the ground is that is lit or hidden, in metres; 1 by default. The higher, the softer are
    /// shadows. Brought into a hundredth to a hundred cells.
    pub figure: f32,
    /// How much it matters which way the ground is turned, from 0, not at all, to 1, which is the default.
    pub catch: f32,
    /// Whether trunks, logs and stones stand in the way; true by default. What is thinner than a quarter of a cell
    /// does not.
    pub plants: bool,
    /// The illuminance of full light on the land, in lux; 3000 by default, by which, at Bevy's usual exposure, land in
    /// full light looks as it is painted. [`LightDisplay::exposure`] multiplies it, and it is 0 where
    /// [`LightDisplay::shown`] is false.
    pub illuminance: f32,
}

impl Default for LandLight {
    fn default() -> Self {
        Self {
            figure: 1.0,
            catch: 1.0,
            plants: true,
            illuminance: 3000.0,
        }
    }
}

/// On a map's entity: how its relief comes about.
#[derive(Component, Default)]
struct Sampling {
    /// What the newest relief is of, or what is being sampled.
    asked: Option<Asked>,
    task: Option<Task<Result<Relief, LightError>>>,
    /// Whether what was asked can not be, so that there is no relief.
    failed: bool,
    /// What was said to be wrong.
    said: Option<&'static str>,
}

/// What is wrong with a map that none of the land lies under.
const BESIDE: &str = "it lies beside its terrain";

/// What a relief follows from. One of equal things is equal.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    plane: CellPlane,
    figure: f32,
    catch: f32,
    plants: bool,
    lands: Vec<AskedLand>,
}

#[derive(Debug, Clone, PartialEq)]
struct AskedLand {
    entity: Entity,
    /// The map's cells in its frame.
    plane: CellPlane,
    /// Half of its extent, in its frame.
    half: Vec2,
    ground: Tick,
    sea: Option<f32>,
    plants: Option<Tick>,
}

type Maps = (
    Entity,
    &'static LightMap,
    &'static GlobalTransform,
    &'static LightOverLand,
    &'static LandLight,
    Option<&'static mut Sampling>,
);

type Lands = (
    Entity,
    Ref<'static, TerrainSurface>,
    &'static GlobalTransform,
    &'static Water,
    &'static Visibility,
    Option<&'static TerrainWindow>,
    Option<Ref<'static, Sowing>>,
);

/// Begins to sample the land under each map that has changed, or whose land has. One task at a time: where all changes
/// all the time the last but one still comes.
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
            figure: light.figure,
            catch: light.catch,
            plants: light.plants,
            lands: under.iter().filter_map(look_at).collect(),
        };
        // While it is being made there is no land yet.
        // A map that was put in another's place has no land yet.
        let is_done = map.grid().relief().is_some() || sampling.failed;
        let is_like = sampling.asked.as_ref().is_some_and(|it| it.is_like(&asked));
        if asked.lands.is_empty() || (is_done && is_like) {
            continue;
        }
        match asked.wrong() {
            // Land without end comes after those who look at it.
            Some(BESIDE) if terrain == Ok(true) => {
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
            figure: light.figure * plane.per_unit(),
            catch: light.catch,
            lands: lands.collect(),
        };
        sampling.asked = Some(asked);
        sampling.failed = false;
        sampling.task = Some(AsyncComputeTaskPool::get().spawn(sample.relief()));
    }
}

/// The cells of a map that can lie over land, or what is wrong.
fn usable(
    map: &LightMap,
    transform: &GlobalTransform,
    is_land: bool,
) -> Result<CellPlane, &'static str> {
    if !is_land {
        return Err("there is no terrain under it: LightOverLand names an entity that is none");
    }
    let settings = map.grid().settings();
    if settings.neighborhood.is_hexagonal() {
        return Err("its cells are hexagons, over which there is no relief");
    }
    CellPlane::new(map, transform).ok_or("it is flattened to nothing, or nowhere")
}

fn is_part_of(land: &QueryItem<'_, '_, Lands>, whole: Entity) -> bool {
    let (entity, _, _, _, visibility, window, _) = land;
    match window {
        // Those that will take the place of others are hidden until then.
        Some(window) => window.terrain == whole && **visibility != Visibility::Hidden,
        None => *entity == whole,
    }
}

impl AskedLand {
    /// None of land that is nowhere.
    fn new(
        (entity, surface, transform, water, _, _, sowing): &QueryItem<'_, '_, Lands>,
        plane: &CellPlane,
        plants: bool,
    ) -> Option<Self> {
        let sowing = sowing.as_ref().filter(|_| plants);
        Some(Self {
            entity: *entity,
            plane: plane.seen_from(transform)?,
            half: surface.surface().half_extent(),
            ground: surface.last_changed(),
            sea: water.shown.then(|| water.surface_y(surface)),
            plants: sowing.map(DetectChanges::last_changed),
        })
    }

    /// What a task needs of it.
    fn land(&self, (_, surface, _, _, _, _, sowing): &QueryItem<'_, '_, Lands>) -> Land {
        let sowing = sowing.as_deref().filter(|_| self.plants.is_some());
        Land {
            surface: (**surface).clone(),
            plane: self.plane,
            sea: self.sea,
            sowing: sowing.cloned(),
        }
    }
}

impl Asked {
    /// Why none of the land lies under the map, if none does.
    fn wrong(&self) -> Option<&'static str> {
        if !self.lands.iter().any(|land| land.plane.lies()) {
            return Some("it stands upright: lay it down, with LightPlane::Xz");
        }
        let is_under = |land: &AskedLand| {
            let ground = Rect::from_center_half_size(Vec2::ZERO, land.half);
            !land.plane.area().intersect(ground).is_empty()
        };
        (!self.lands.iter().any(is_under)).then_some(BESIDE)
    }

    /// Whether nothing is different; where all is moved together numbers are rounded.
    fn is_like(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&AskedLand, &AskedLand)| {
            let moved = AskedLand {
                plane: b.plane,
                ..a.clone()
            };
            moved == *b && a.plane.is_like(&b.plane)
        };
        (self.figure, self.catch, self.plants) == (other.figure, other.catch, other.plants)
            && self.plane.size() == other.plane.size()
            && self.lands.len() == other.lands.len()
            && self.lands.iter().zip(&other.lands).all(is_same)
    }
}

impl Sampling {
    /// Says what is wrong if it has not just been said, and takes the land away.
    fn give_up(&mut self, commands: &mut Commands, map: Entity, wrong: &'static str) {
        self.asked = None;
        if self.said == Some(wrong) {
            return;
        }
        warn!("light map {map} lies over no land: {wrong}");
        self.said = Some(wrong);
        commands.queue(move |world: &mut World| set_relief(world, map, None));
    }
}

/// Gives maps the reliefs that were sampled.
fn receive(mut maps: Query<(Entity, &mut LightMap, &mut Sampling)>) {
    for (entity, mut map, mut sampling) in &mut maps {
        let Some(made) = sampling.task.as_mut().and_then(check_ready) else {
            continue;
        };
        sampling.task = None;
        let size = map.grid().size();
        let relief = match made {
            // It has become another map meanwhile, and the next task is of that.
            Ok(relief) if relief.size() != size => continue,
            Ok(relief) => relief,
            Err(error) => {
                warn!("light map {entity} lies over no land: {error}");
                sampling.failed = map.set_relief(None).is_ok();
                continue;
            }
        };
        // Other land, as on the next window, may be the same under the map.
        let is_same = map.grid().relief().is_some_and(|old| **old == relief);
        if is_same || map.set_relief(Some(relief.into())).is_ok() {
            sampling.said = None;
        }
        if map.grid().settings().direct == 0.0 {
            warn_once!(
                "light map {entity} lies over land, but none of its light goes in straight lines, \
                 which alone land hides: set LightSettings::direct"
            );
        }
    }
}

/// The component is taken away: the map lies over no land any more.
fn lift(remove: On<Remove, LightOverLand>, mut commands: Commands) {
    let map = remove.entity;
    commands.queue(move |world: &mut World| {
        if let Ok(mut entity) = world.get_entity_mut(map) {
            entity.remove::<Sampling>();
        }
        set_relief(world, map, None);
    });
}

fn set_relief(world: &mut World, map: Entity, relief: Option<Relief>) {
    if let Some(mut map) = world.get_mut::<LightMap>(map)
        && (relief.is_some() || map.grid().relief().is_some())
    {
        let taken = map.set_relief(relief.map(Into::into));
        debug_assert!(taken.is_ok(), "{taken:?}");
    }
}
