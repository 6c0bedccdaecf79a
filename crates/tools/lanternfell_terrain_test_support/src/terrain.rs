//! Apps with a terrain, and what the tests of several crates ask of them.

use std::{
    thread,
    time::{Duration, Instant},
};

use bevy::{
    app::{Plugins, SubApp},
    asset::{AssetApp, AssetPlugin},
    ecs::{query::QueryFilter, system::RunSystemOnce},
    image::ImagePlugin,
    mesh::MeshPlugin,
    prelude::*,
    render::RenderApp,
    shader::Shader,
};
use lanternfell_terrain::{
    TerrainChunk,
    heightmap::{Heightmap, Progress, SeededRng},
    prelude::*,
};

/// How long a test waits: longer than any terrain here takes on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The cells along the side of a chunk of the finest level, as the plugin has them.
pub const CHUNK_SIDE: usize = 64;

/// An app with everything that a terrain uses except a renderer.
pub fn app() -> App {
    app_with(TerrainPlugin)
}

/// Like [`app`], with the terrain's materials. The render world is empty, so no graphics driver is
/// needed.
pub fn drawing_app() -> App {
    app_with(|app: &mut App| {
        app.insert_sub_app(RenderApp, SubApp::new());
        app.init_asset::<Shader>()
            .init_asset::<StandardMaterial>()
            .add_plugins(TerrainPlugin);
    })
}

/// Draws every cell even without a camera, unless the test sets another detail.
fn draw_every_cell(add: On<Add, Terrain>, mut details: Query<&mut TerrainDetail>) {
    if let Ok(mut detail) = details.get_mut(add.entity)
        && *detail == TerrainDetail::default()
    {
        *detail = TerrainDetail {
            pixel_error: 0.0,
            memory: usize::MAX,
            ..default()
        };
    }
}

/// An app with Bevy's plugins for assets and meshes, and these plugins.
pub fn app_with<M>(plugins: impl Plugins<M>) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin::default(),
        MeshPlugin,
        ImagePlugin::default(),
    ))
    .add_plugins(plugins)
    .add_observer(draw_every_cell);
    started(app)
}

/// Makes an app ready to be updated, and records its [`Answers`].
pub fn started(mut app: App) -> App {
    app.init_resource::<Answers>()
        .add_observer(|ready: On<TerrainReady>, mut answers: ResMut<Answers>| {
            answers.ready.push(ready.entity);
        })
        .add_observer(|failed: On<TerrainFailed>, mut answers: ResMut<Answers>| {
            answers.failed.push(failed.event().clone());
        });
    app.finish();
    app.cleanup();
    app
}

/// The events that terrains have triggered so far.
#[derive(Resource, Default)]
pub struct Answers {
    /// The terrain of each `TerrainReady`.
    pub ready: Vec<Entity>,
    /// Each `TerrainFailed`.
    pub failed: Vec<TerrainFailed>,
}

/// The events that terrains have triggered so far.
pub fn answers(app: &App) -> &Answers {
    app.world().resource()
}

/// Hills that fit on the smallest map and take no time.
pub fn hills(width: u64, height: u64, seed: u64) -> Recipe {
    let size = MapSize::new(width, height).unwrap();
    let radius_max = 12.0;
    Recipe::new(
        size,
        seed,
        Hills {
            count: 60,
            radius_max,
            ..default()
        },
    )
}

/// Hills that take long enough for a test to change something meanwhile.
pub fn slow_hills(seed: u64) -> Recipe {
    let size = MapSize::new(1024, 1024).unwrap();
    Recipe::new(
        size,
        seed,
        Hills {
            count: 100_000,
            ..default()
        },
    )
}

/// The map of a recipe.
pub fn map_of(recipe: &Recipe) -> Heightmap {
    recipe.generate(&Progress::default()).unwrap()
}

/// Cells along a side of [`sunken`] terrain, which is one meter less wide.
const SUNKEN_SIDE: usize = 129;

/// The level of the sea over [`sunken`] terrain, in meters above its lowest point.
pub const SUNKEN_LEVEL: f32 = 40.0;

/// A terrain that is all under opaque water: this many meters deep in the west and in the east.
pub fn sunken(west: f32, east: f32) -> (Terrain, Water) {
    let relief = 2.0 * SUNKEN_LEVEL;
    let last = (SUNKEN_SIDE - 1) as f32;
    let depth = |x: usize| west + (east - west) * x as f32 / last;
    let heights = (0..SUNKEN_SIDE * SUNKEN_SIDE)
        .map(|cell| (SUNKEN_LEVEL - depth(cell % SUNKEN_SIDE)) / relief);
    let size = MapSize::new(SUNKEN_SIDE as u64, SUNKEN_SIDE as u64).unwrap();
    let ground = Heightmap::from_heights(size, heights.collect()).unwrap();
    let scale = Scale {
        spacing: 1.0,
        relief,
    };
    let water = Water {
        level: Some(0.5),
        ripples: 0.0,
        // Opaque at any depth.
        attenuation_distance: 0.01,
        waves: Waves {
            height: 1.2,
            whitecaps: 0.0,
            ..default()
        },
        ..default()
    };
    (Terrain::new(ground).with_scale(scale), water)
}

/// Whether two maps are equal bit for bit. (`==` takes -0 for 0.)
pub fn same_bits(a: &Heightmap, b: &Heightmap) -> bool {
    let bits =
        |map: &Heightmap| -> Vec<u32> { map.heights().iter().map(|z| z.to_bits()).collect() };
    a.size() == b.size() && bits(a) == bits(b)
}

/// The scale of a terrain that has a recipe.
pub fn scale_of(terrain: &Terrain) -> Scale {
    let own = terrain.recipe().map(Recipe::scale);
    terrain
        .scale
        .or(own)
        .expect("these tests are about recipes")
}

/// Sets the recipe of a terrain.
pub fn set_recipe(app: &mut App, terrain: Entity, recipe: Recipe) {
    app.world_mut().get_mut::<Terrain>(terrain).unwrap().source = recipe.into();
}

/// Changes the recipe of a terrain.
pub fn change_recipe(app: &mut App, terrain: Entity, change: impl FnOnce(&mut Recipe)) {
    let mut terrain = app.world_mut().get_mut::<Terrain>(terrain).unwrap();
    change(terrain.recipe_mut().expect("these tests are about recipes"));
}

/// A description of a terrain for failure messages.
pub fn case(terrain: &Terrain) -> String {
    let recipe = terrain.recipe().expect("these tests are about recipes");
    let Scale { spacing, relief } = scale_of(terrain);
    let (width, height) = (recipe.size.width(), recipe.size.height());
    format!(
        "{width} x {height} cells of {spacing} m, {relief} m high, seed {}",
        recipe.seed
    )
}

/// Spawns a terrain and waits until it is complete.
pub fn spawn_ready(app: &mut App, terrain: impl Bundle) -> Entity {
    let entity = app.world_mut().spawn(terrain).id();
    wait_until_ready(app);
    entity
}

/// Updates the app until no terrain is being generated.
pub fn wait_until_ready(app: &mut App) {
    // Before the first update nothing has begun yet.
    app.update();
    update_until(app, |app| count::<With<Generating>>(app) == 0);
}

/// Updates the app until the patches for the cameras' current places are shown.
pub fn wait_until_settled(app: &mut App) {
    // Transforms reach the patches one frame later.
    app.update();
    app.update();
    update_until(app, |app| {
        let world = app.world_mut();
        let mut drawn = world.query::<&DrawnDetail>();
        drawn.iter(world).all(|drawn| !drawn.refining)
    });
}

/// Updates the app until `done`, or fails the test.
#[track_caller]
pub fn update_until(app: &mut App, mut done: impl FnMut(&mut App) -> bool) {
    let start = Instant::now();
    while !done(app) {
        assert!(
            start.elapsed() < PATIENCE,
            "still not done after {PATIENCE:?}"
        );
        thread::sleep(Duration::from_millis(1));
        app.update();
    }
}

/// Changes a terrain and updates the app until some of its new chunks exist, hidden, and others do
/// not. Returns the new recipe.
///
/// How many chunks one frame builds depends on the machine. If all come at once, this tries again
/// with more.
pub fn change_until_parts_arrive(app: &mut App, entity: Entity) -> Recipe {
    for rows in [130, 258, 514, 1024] {
        let recipe = hills(16_384, rows, rows);
        set_recipe(app, entity, recipe.clone());
        app.update();
        update_until(app, |app| {
            parts_arrive(app) || !has::<Generating>(app, entity)
        });
        if has::<Generating>(app, entity) {
            return recipe;
        }
    }
    panic!("thousands of chunks arrived in one frame");
}

/// Whether there are chunks that wait for others of their terrain.
fn parts_arrive(app: &mut App) -> bool {
    let world = app.world_mut();
    let mut chunks = world.query_filtered::<&Visibility, With<TerrainChunk>>();
    chunks
        .iter(world)
        .any(|visibility| *visibility == Visibility::Hidden)
}

/// How many entities match.
pub fn count<Filter: QueryFilter>(app: &mut App) -> usize {
    app.world_mut()
        .query_filtered::<(), Filter>()
        .iter(app.world())
        .count()
}

/// The chunks that would be drawn: neither they nor their ancestors are hidden.
pub fn shown_chunks(app: &mut App) -> Vec<Entity> {
    let chunks = |chunks: Query<Entity, With<TerrainChunk>>,
                  visibilities: Query<&Visibility>,
                  parents: Query<&ChildOf>| {
        let hidden = |entity| visibilities.get(entity) == Ok(&Visibility::Hidden);
        let shown = |&chunk: &Entity| !hidden(chunk) && !parents.iter_ancestors(chunk).any(hidden);
        chunks.iter().filter(shown).collect::<Vec<_>>()
    };
    app.world_mut().run_system_once(chunks).unwrap()
}

/// The surface of a terrain that is ready.
pub fn ground(app: &App, terrain: Entity) -> &TerrainSurface {
    app.world()
        .get(terrain)
        .expect("a terrain that is ready has a TerrainSurface")
}

/// Whether an entity has this component.
pub fn has<C: Component>(app: &App, entity: Entity) -> bool {
    app.world().get::<C>(entity).is_some()
}

/// Runs `question` with a [`TerrainQuery`].
pub fn ask<Answer: 'static>(
    app: &mut App,
    question: impl Fn(TerrainQuery) -> Answer + Send + Sync + 'static,
) -> Answer {
    app.world_mut()
        .run_system_once(move |terrains: TerrainQuery| question(terrains))
        .unwrap()
}

/// `count` random points over a terrain, in its local frame, with y = 0: half of them anywhere, and a
/// quarter on each side of the diagonal of some cell.
pub fn points_over(ground: &TerrainSurface, seed: u64, count: usize) -> Vec<Vec3> {
    let mut rng = SeededRng::new(seed, b"points  ");
    let (half, spacing) = (
        ground.surface().half_extent(),
        ground.surface().scale().spacing,
    );
    let point = |index: usize| {
        let anywhere = Vec2::new(rng.unit() as f32, rng.unit() as f32);
        let (column, row) = (
            rng.below(ground.map().width() as u64 - 1) as f32,
            rng.below(ground.map().height() as u64 - 1) as f32,
        );
        let flat = match index % 4 {
            0 => (Vec2::new(column, row) + anywhere / 3.0 + 0.1) * spacing - half,
            1 => (Vec2::new(column, row) - anywhere / 3.0 + 0.9) * spacing - half,
            _ => (anywhere * 2.0 - 1.0) * half * 0.9999,
        };
        Vec3::new(flat.x, 0.0, flat.y)
    };
    (0..count).map(point).collect()
}

/// Whether a point is within rounding error of an edge between two triangles, where a vertical ray of parry may
/// miss both. Ours never does.
pub fn is_on_edge(ground: &TerrainSurface, at: Vec3) -> bool {
    let surface = ground.surface();
    let on_square = (at.xz() + surface.half_extent()) / surface.scale().spacing;
    let to_line = (on_square - on_square.round()).abs().min_element();
    let to_diagonal = (on_square.fract().element_sum() - 1.0).abs();
    to_line.min(to_diagonal) < 1e-4
}
