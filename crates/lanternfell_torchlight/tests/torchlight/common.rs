//! Apps and helpers for the tests.

use std::time::Duration;

use bevy::{
    app::{Plugins, SubApp},
    asset::AssetPlugin,
    ecs::query::QueryFilter,
    image::ImagePlugin,
    prelude::*,
    render::RenderApp,
    time::TimeUpdateStrategy,
};
use lanternfell_torchlight::{lightgrid::LUMINANCE, prelude::*};

/// The duration of one fixed tick.
pub const TICK: Duration = Duration::from_nanos(15_625_000);

/// An app with the minimum that light needs. Each update is one tick.
pub fn app() -> App {
    app_with(TorchlightPlugin::default())
}

/// Like [`app`], with an empty render world. It needs no graphics driver.
pub fn drawing_app() -> App {
    app_with(drawing)
}

/// Adds the plugin to an app that looks like one with a renderer.
pub fn drawing(app: &mut App) {
    app.add_plugins((AssetPlugin::default(), ImagePlugin::default()))
        .insert_sub_app(RenderApp, SubApp::new());
    app.add_plugins(TorchlightPlugin::default());
}

/// An app with these plugins, after its first update, which has a delta time of zero.
pub fn app_with<M>(plugins: impl Plugins<M>) -> App {
    let mut app = new_app_with(plugins);
    app.update();
    app
}

/// An app with these plugins, ready to be updated.
pub fn new_app_with<M>(plugins: impl Plugins<M>) -> App {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins)
        .insert_resource(TimeUpdateStrategy::ManualDuration(TICK))
        .add_plugins(plugins)
        .add_observer(in_step);
    app.finish();
    app.cleanup();
    app
}

/// Most tests use the current light. Tests of the budget set another timing.
pub fn in_step(add: On<Add, TorchlightMap>, mut commands: Commands) {
    commands.entity(add.entity).insert(LightTiming::InStep);
}

pub fn updates(app: &mut App, count: usize) {
    for _ in 0..count {
        app.update();
    }
}

/// A dark grid of open cells.
pub fn grid(width: u32, height: u32) -> LightGrid {
    LightGrid::new(width, height, LightSettings::default()).unwrap()
}

/// A map of open cells whose light is always settled.
pub fn settled(width: u32, height: u32) -> (TorchlightMap, LightFlow) {
    (TorchlightMap::new(grid(width, height)), LightFlow::SETTLED)
}

/// A white lamp with strength 1.
pub fn lamp() -> LightSource {
    LightSource::new(Color::WHITE)
}

pub fn map(app: &App, entity: Entity) -> &TorchlightMap {
    app.world().get(entity).expect("a light map")
}

pub fn status(app: &App, entity: Entity) -> &TorchlightStatus {
    app.world().get(entity).expect("a light map")
}

pub fn map_mut(app: &mut App, entity: Entity) -> Mut<'_, TorchlightMap> {
    app.world_mut().get_mut(entity).expect("a light map")
}

pub fn level(app: &App, entity: Entity) -> LightLevel {
    *app.world().get(entity).expect("a light level")
}

/// The bits of all light of a map.
pub fn bits(app: &App, entity: Entity) -> Vec<[u32; 3]> {
    let grid = map(app, entity).grid();
    cells(grid)
        .map(|cell| grid.light(cell).to_array().map(f32::to_bits))
        .collect()
}

/// The sum of the luminance of all cells.
pub fn sum(app: &App, entity: Entity) -> f32 {
    let grid = map(app, entity).grid();
    cells(grid)
        .map(|cell| grid.light(cell).dot(LUMINANCE))
        .sum()
}

pub fn cells(grid: &LightGrid) -> impl Iterator<Item = IVec2> {
    let size = grid.size().as_ivec2();
    (0..size.y).flat_map(move |y| (0..size.x).map(move |x| IVec2::new(x, y)))
}

/// The number of entities that match.
pub fn count<Filter: QueryFilter>(app: &mut App) -> usize {
    let world = app.world_mut();
    world.query_filtered::<(), Filter>().iter(world).count()
}

pub fn has<C: Component>(app: &App, entity: Entity) -> bool {
    app.world().get::<C>(entity).is_some()
}
