//! Apps to test in, and what all tests ask of them.

use std::time::Duration;

use bevy::{
    app::{Plugins, SubApp},
    asset::AssetPlugin,
    ecs::{message::MessageCursor, query::QueryFilter},
    image::ImagePlugin,
    prelude::*,
    render::RenderApp,
    time::TimeUpdateStrategy,
};
use lanternfell_torchlight::{lightgrid::LUMINANCE, prelude::*};

/// One run of the fixed schedules: a sixty-fourth of a second.
pub const TICK: Duration = Duration::from_nanos(15_625_000);

/// An app with nothing but what light needs. Each update is one tick.
pub fn app() -> App {
    app_with(TorchlightPlugin::default())
}

/// As [`app`], with a render world, but an empty one: no graphics driver is needed.
pub fn drawing_app() -> App {
    app_with(drawing)
}

/// The plugin, and what it takes to be for an app that draws.
pub fn drawing(app: &mut App) {
    app.add_plugins((AssetPlugin::default(), ImagePlugin::default()))
        .insert_sub_app(RenderApp, SubApp::new());
    app.add_plugins(TorchlightPlugin::default());
}

/// An app with these plugins; its first update, which takes no time, is done.
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

/// Light is that of this very moment in most tests. (Those of the budget say so.)
pub fn in_step(add: On<Add, LightMap>, mut commands: Commands) {
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
pub fn settled(width: u32, height: u32) -> (LightMap, LightFlow) {
    (LightMap::new(grid(width, height)), LightFlow::SETTLED)
}

/// A white lamp of strength 1.
pub fn lamp() -> LightSource {
    LightSource::new(Color::WHITE)
}

pub fn map(app: &App, entity: Entity) -> &LightMap {
    app.world().get(entity).expect("a light map")
}

pub fn map_mut(app: &mut App, entity: Entity) -> Mut<'_, LightMap> {
    app.world_mut().get_mut(entity).expect("a light map")
}

pub fn level(app: &App, entity: Entity) -> LightLevel {
    *app.world().get(entity).expect("a light level")
}

/// All light of a map, bit by bit.
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

/// The messages since the cursor's last call.
pub fn changes(app: &App, cursor: &mut MessageCursor<LightBandChanged>) -> Vec<LightBandChanged> {
    let messages = app.world().resource::<Messages<LightBandChanged>>();
    cursor.read(messages).copied().collect()
}

/// How many entities match.
pub fn count<Filter: QueryFilter>(app: &mut App) -> usize {
    let world = app.world_mut();
    world.query_filtered::<(), Filter>().iter(world).count()
}

pub fn has<C: Component>(app: &App, entity: Entity) -> bool {
    app.world().get::<C>(entity).is_some()
}
