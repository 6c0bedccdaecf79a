//! Apps with a terrain but no renderer, and helpers for the tests of several crates.

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
    edits::{Brush, Stroke},
    heightmap::{Heightmap, Progress, SeededRng},
    prelude::*,
};

/// The maximum time a test waits. Longer than any terrain here takes on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The number of cells along the side of a chunk at the finest level. The same as in the plugin.
pub const CHUNK_SIDE: usize = 64;

/// Creates an app with everything that a terrain needs except a renderer.
pub fn app() -> App {
    app_with(TerrainPlugin)
}

/// Like [`app`], with the terrain's materials. The render world is empty, so no graphics driver is needed.
pub fn drawing_app() -> App {
    app_with(|app: &mut App| {
        app.insert_sub_app(RenderApp, SubApp::new());
        app.init_asset::<Shader>()
            .init_asset::<StandardMaterial>()
            .add_plugins(TerrainPlugin);
    })
}

/// Renders every cell even without a camera, unless the test sets another level of detail.
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

/// Creates an app with Bevy's plugins for assets and meshes, and the given plugins.
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

/// Finishes an app so that it can be updated, and records its [`Answers`].
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

/// Returns the events that terrains have triggered so far.
pub fn answers(app: &App) -> &Answers {
    app.world().resource()
}

/// A recipe for hills that fit onto the smallest map and are generated quickly.
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

/// Edits in a map of at least 64 x 64 cells. They reach 30 m below its lowest and above its highest point.
pub fn deep_and_high() -> TerrainEdits {
    let mut edits = TerrainEdits::default();
    for (brush, line) in [
        (Brush::Raise { mm: 700 }, [[8, 20], [60, 9]]),
        (Brush::Flatten { mm: None }, [[20, 40], [50, 15]]),
        (Brush::Lower { mm: 30_000 }, [[20, 30], [21, 30]]),
        (Brush::Raise { mm: 30_000 }, [[45, 30], [45, 31]]),
        (Brush::Smooth { reach: 2 }, [[15, 30], [30, 45]]),
        (
            Brush::Noise {
                mm: 800,
                cells: 4,
                seed: 3,
            },
            [[40, 50], [50, 50]],
        ),
    ] {
        let line = line.map(|cell: [i64; 2]| cell.map(|index| 256 * index));
        edits
            .stroke(1, Stroke::along(brush, 6 * 256, line))
            .unwrap();
    }
    edits
}

/// A recipe for hills that take long enough for a test to change something in the meantime.
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

/// Generates the map of a recipe.
pub fn map_of(recipe: &Recipe) -> Heightmap {
    recipe.generate(&Progress::default()).unwrap()
}

/// Cells along a side of [`sunken`] terrain, which is one meter less wide.
const SUNKEN_SIDE: usize = 129;

/// The level of the sea over [`sunken`] terrain, in meters above the terrain's origin.
pub const SUNKEN_LEVEL: f32 = 40.0;

/// Returns a terrain that is completely under opaque water, with the given depths in meters in the west and in the
/// east.
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

/// Whether two maps are bit-identical. (`==` considers -0 and 0 equal.)
pub fn same_bits(a: &Heightmap, b: &Heightmap) -> bool {
    let bits =
        |map: &Heightmap| -> Vec<u32> { map.heights().iter().map(|z| z.to_bits()).collect() };
    a.size() == b.size() && bits(a) == bits(b)
}

/// Returns the scale of a terrain with a recipe.
pub fn scale_of(terrain: &Terrain) -> Scale {
    let own = terrain.recipe().map(Recipe::scale);
    terrain
        .scale
        .or(own)
        .expect("the terrain of this test has a recipe")
}

/// Sets the recipe of a terrain.
pub fn set_recipe(app: &mut App, terrain: Entity, recipe: Recipe) {
    app.world_mut().get_mut::<Terrain>(terrain).unwrap().source = recipe.into();
}

/// Changes the recipe of a terrain.
pub fn change_recipe(app: &mut App, terrain: Entity, change: impl FnOnce(&mut Recipe)) {
    let mut terrain = app.world_mut().get_mut::<Terrain>(terrain).unwrap();
    change(
        terrain
            .recipe_mut()
            .expect("the terrain of this test has a recipe"),
    );
}

/// Describes a terrain for failure messages.
pub fn case(terrain: &Terrain) -> String {
    let recipe = terrain
        .recipe()
        .expect("the terrain of this test has a recipe");
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
    // Generation starts in the first update.
    app.update();
    update_until(app, |app| count::<With<TerrainProgress>>(app) == 0);
}

/// Updates the app until the patches for the current positions of the cameras are shown.
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

/// Updates the app until `done` returns true. Panics after two minutes.
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

/// Changes a terrain and updates the app until some, but not all, of its new chunks exist. They are hidden. Returns the
/// new recipe.
///
/// The number of chunks that are built per frame depends on the machine. If all appear at once, this tries again with
/// more.
pub fn change_until_parts_arrive(app: &mut App, entity: Entity) -> Recipe {
    for rows in [130, 258, 514, 1024] {
        let recipe = hills(16_384, rows, rows);
        set_recipe(app, entity, recipe.clone());
        app.update();
        update_until(app, |app| {
            parts_arrive(app) || !has::<TerrainProgress>(app, entity)
        });
        if has::<TerrainProgress>(app, entity) {
            return recipe;
        }
    }
    panic!("thousands of chunks arrived in one frame");
}

/// Whether there are hidden chunks, which wait for others of their terrain.
fn parts_arrive(app: &mut App) -> bool {
    let world = app.world_mut();
    let mut chunks = world.query_filtered::<&Visibility, With<TerrainChunk>>();
    chunks
        .iter(world)
        .any(|visibility| *visibility == Visibility::Hidden)
}

/// Returns the number of entities that match.
pub fn count<Filter: QueryFilter>(app: &mut App) -> usize {
    app.world_mut()
        .query_filtered::<(), Filter>()
        .iter(app.world())
        .count()
}

/// Returns the chunks that would be rendered: neither they nor their ancestors are hidden.
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

/// Returns the surface of a terrain that is complete.
pub fn ground(app: &App, terrain: Entity) -> &TerrainSurface {
    app.world()
        .get(terrain)
        .expect("a complete terrain has a TerrainSurface")
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

/// Returns `count` random points over a terrain in its local space, with y = 0. Half of them are anywhere, and a
/// quarter on each side of the diagonal of a cell.
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

/// Whether a point is within rounding error of an edge between two triangles, where a vertical ray of `parry` may miss
/// both. [`TerrainQuery`] never misses them.
pub fn is_on_edge(ground: &TerrainSurface, at: Vec3) -> bool {
    let surface = ground.surface();
    let on_square = (at.xz() + surface.half_extent()) / surface.scale().spacing;
    let to_line = (on_square - on_square.round()).abs().min_element();
    let to_diagonal = (on_square.fract().element_sum() - 1.0).abs();
    to_line.min(to_diagonal) < 1e-4
}
