//! One hour of random changes, with one frame per second. Afterward nothing is left in the world or in memory.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_rapier3d::prelude::RigidBody;
use lanternfell_terrain::{
    DefaultTerrainMaterial, EditTerrain, TerrainChunk, TerrainEdit, TerrainPath, TerrainPlatform,
    WaterMaterial,
    edits::Brush,
    heightmap::{Heightmap, HoleMask, SeededRng},
    prelude::*,
};

use lanternfell_terrain_test_support::terrain::*;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const SECONDS: usize = 3600;
/// The number of frames after which the test waits until all terrain is complete. Otherwise none would ever be complete
/// on a slow machine.
const REST: usize = 20;
/// The number of times that everything is removed, and the remains are checked.
const PARTS: usize = 4;
/// The number of bytes that an app may allocate permanently after its first part, besides the tables. A single leaked
/// terrain has 50 KB, and there would be thousands.
const MORE: usize = 256 << 10;

/// The most bytes of a table, which the ECS adds for every new combination of components. In the hour, there are 80 to 140
/// of them: how many depends on the speed of the machine.
const TABLE: usize = 26 << 10;

/// The maximum number of terrains at a time, and also of cameras.
const MOST: usize = 4;

/// The contents of a world, which must be the same after everything has been removed.
#[derive(Debug, PartialEq)]
struct Stock {
    entities: u32,
    meshes: usize,
    images: usize,
    lands: usize,
    waters: usize,
}

impl Stock {
    fn of(app: &App) -> Self {
        fn assets<A: Asset>(app: &App) -> usize {
            app.world().resource::<Assets<A>>().len()
        }
        Self {
            entities: app.world().entities().count_spawned(),
            meshes: assets::<Mesh>(app),
            images: assets::<Image>(app),
            lands: assets::<DefaultTerrainMaterial>(app),
            waters: assets::<WaterMaterial>(app),
        }
    }
}

/// Makes random changes to the terrains, viewers and cameras of a world.
struct Chance {
    rng: SeededRng,
    terrains: Vec<Entity>,
    lookers: Vec<Entity>,
    is_editing: bool,
}

impl Chance {
    fn act(&mut self, app: &mut App) {
        if self.is_editing && self.rng.percent(60) {
            match self.rng.percent(50) {
                true => self.edit(app),
                false => self.modify(app),
            }
            return;
        }
        match self.rng.below(14) {
            0 | 1 => self.spawn(app),
            2 => self.despawn(app),
            3 => self.spawn_looker(app),
            4 => self.despawn_looker(app),
            5 | 6 => self.move_looker(app),
            _ => self.change(app),
        }
    }

    fn take_all_away(&mut self, app: &mut App) {
        for entity in self.terrains.drain(..).chain(self.lookers.drain(..)) {
            app.world_mut().despawn(entity);
        }
    }

    fn spawn(&mut self, app: &mut App) {
        if self.terrains.len() == MOST {
            return;
        }
        let place = Transform::from_translation(self.place(4000.0));
        let spawned = if self.rng.percent(30) {
            app.world_mut().spawn((self.endless(), place))
        } else {
            app.world_mut().spawn((self.terrain(), place))
        };
        self.terrains.push(spawned.id());
    }

    fn despawn(&mut self, app: &mut App) {
        if let Some(entity) = take(&mut self.rng, &mut self.terrains) {
            let mut entity = app.world_mut().entity_mut(entity);
            if self.rng.percent(30) {
                entity.remove::<(Terrain, EndlessTerrain)>();
            }
            entity.despawn();
        }
    }

    fn spawn_looker(&mut self, app: &mut App) {
        if self.lookers.len() == MOST {
            return;
        }
        let place = Transform::from_translation(self.place(3000.0));
        let looker = if self.rng.percent(50) {
            let body = RigidBody::KinematicPositionBased;
            app.world_mut().spawn((TerrainViewer, body, place))
        } else {
            app.world_mut().spawn((Camera3d::default(), place))
        };
        self.lookers.push(looker.id());
    }

    fn despawn_looker(&mut self, app: &mut App) {
        if let Some(entity) = take(&mut self.rng, &mut self.lookers) {
            app.world_mut().despawn(entity);
        }
    }

    fn move_looker(&mut self, app: &mut App) {
        let far = if self.rng.percent(10) {
            f32::MAX
        } else {
            900.0
        };
        let step = self.place(far);
        if let Some(&entity) = self.rng.pick(&self.lookers) {
            let mut transform = app.world_mut().get_mut::<Transform>(entity).unwrap();
            let place = transform.translation + step;
            transform.translation = if place.length() < 1e5 {
                place
            } else {
                Vec3::ZERO
            };
        }
    }

    /// Changes one of the terrains.
    fn change(&mut self, app: &mut App) {
        let Some(&entity) = self.rng.pick(&self.terrains) else {
            return;
        };
        let (place, number) = (self.place(4000.0), self.rng.unit() as f32);
        let (terrain, endless) = (self.terrain(), self.endless());
        let what = self.rng.below(8);
        let mut entity = app.world_mut().entity_mut(entity);
        match what {
            0 => entity.get_mut::<Transform>().unwrap().translation = place,
            1 => {
                let mut detail = entity.get_mut::<TerrainDetail>().unwrap();
                detail.pixel_error = [0.0, 0.5, 1.0, 8.0, f32::NAN][(number * 5.0) as usize];
                detail.memory = [0, 1 << 20, 64 << 20][(number * 3.0) as usize];
                detail.tangents = number < 0.3;
            }
            2 => entity.get_mut::<Water>().unwrap().level = (number > 0.5).then_some(number),
            3 => {
                let snow_line = number;
                *entity.get_mut::<TerrainLayers>().unwrap() = match number < 0.3 {
                    true => TerrainLayers::desert(&LayerZones::default()),
                    false => TerrainLayers::temperate(&LayerZones {
                        snow_line,
                        ..default()
                    }),
                };
            }
            7 => {
                let colliders = [
                    TerrainCollider::Automatic,
                    TerrainCollider::Whole,
                    TerrainCollider::AroundBodies(300.0 * number),
                ];
                entity.insert(colliders[(number * 3.0) as usize]);
            }
            4 if entity.contains::<Terrain>() => {
                entity.get_mut::<Terrain>().unwrap().scale = terrain.scale;
            }
            _ if entity.contains::<Terrain>() => *entity.get_mut::<Terrain>().unwrap() = terrain,
            4 => {
                let mut whole = entity.get_mut::<EndlessTerrain>().unwrap();
                whole.origin += (100.0 * place).as_i64vec3().xz();
            }
            _ => *entity.get_mut::<EndlessTerrain>().unwrap() = endless,
        }
    }

    /// Edits one of the terrains, or undoes something.
    fn edit(&mut self, app: &mut App) {
        let Some(&entity) = self.rng.pick(&self.terrains) else {
            return;
        };
        let at = [self.place(300.0), self.place(300.0)].map(Vec3::xz);
        let brush = match self.rng.below(6) {
            0 => Brush::Flatten { mm: None },
            1 => Brush::Smooth { reach: 2 },
            2 => Brush::Hole,
            3 => Brush::Paint { layer: 3 },
            4 => Brush::Lower { mm: 9000 },
            _ => Brush::Raise { mm: i32::MAX },
        };
        let edit = match self.rng.below(5) {
            0 => TerrainEdit::Undo,
            1 => TerrainEdit::Redo,
            _ => TerrainEdit::stroke(brush, self.rng.between(-1.0, 40.0) as f32, at),
        };
        let author = 1;
        app.world_mut().trigger(EditTerrain {
            entity,
            author,
            edit,
        });
        if self.rng.percent(5) {
            app.world_mut().entity_mut(entity).remove::<TerrainEdits>();
        }
    }

    /// Adds, moves or removes a road or a platform.
    fn modify(&mut self, app: &mut App) {
        let Some(&terrain) = self.rng.pick(&self.terrains) else {
            return;
        };
        let place = Transform::from_translation(self.place(200.0));
        let line = [self.place(200.0), self.place(200.0), self.place(1e5)];
        let world = app.world_mut();
        let mut known =
            world.query_filtered::<Entity, Or<(With<TerrainPath>, With<TerrainPlatform>)>>();
        let known: Vec<Entity> = known.iter(world).collect();
        match (self.rng.below(4), self.rng.pick(&known)) {
            (0, Some(&known)) => {
                world.despawn(known);
            }
            (1, Some(&known)) => *world.get_mut(known).unwrap() = place,
            (2, Some(&known)) => {
                world.entity_mut(known).insert(ChildOf(terrain));
            }
            _ if known.len() > 12 => {}
            _ if self.rng.percent(50) => {
                world.spawn((TerrainPath::new(8.0, line), place, ChildOf(terrain)));
            }
            _ => {
                world.spawn((TerrainPlatform::default(), place, ChildOf(terrain)));
            }
        }
    }

    /// Compares the surfaces of all terrains with those of the same terrains that load their saved edits. Returns the
    /// number of terrains with edits.
    fn compare_with_fresh(&self, app: &mut App) -> usize {
        let mut pairs = Vec::new();
        for &entity in &self.terrains {
            let world = app.world_mut();
            let Some(terrain) = world.get::<Terrain>(entity).cloned() else {
                continue;
            };
            let fresh = world.spawn(terrain).id();
            if let Some(edits) = world.get::<TerrainEdits>(entity) {
                let loaded = TerrainEdits::from_bytes(&edits.to_bytes()).unwrap();
                world.entity_mut(fresh).insert(loaded);
            }
            let mut modifiers = world.query::<(
                &ChildOf,
                &Transform,
                Option<&TerrainPath>,
                Option<&TerrainPlatform>,
            )>();
            let modifiers = modifiers
                .iter(world)
                .filter(|(of, ..)| of.parent() == entity);
            let modifiers: Vec<_> = modifiers
                .map(|(_, place, path, platform)| (*place, path.cloned(), platform.cloned()))
                .collect();
            for (place, path, platform) in modifiers {
                let mut modifier = world.spawn((place, ChildOf(fresh)));
                if let Some(path) = path {
                    modifier.insert(path);
                }
                if let Some(platform) = platform {
                    modifier.insert(platform);
                }
            }
            pairs.push((entity, fresh));
        }
        wait_until_ready(app);
        let mut compared = 0;
        for (entity, fresh) in pairs {
            // Invalid terrains have none, or keep an older one.
            if let Some(expected) = app.world().get::<TerrainSurface>(fresh) {
                let shown = app.world().get::<TerrainSurface>(entity).unwrap();
                assert!(shown.map().heights() == expected.map().heights(), "heights");
                assert_eq!(shown.holes(), expected.holes());
                compared += usize::from(app.world().get::<TerrainEdits>(entity).is_some());
            }
            app.world_mut().despawn(fresh);
        }
        compared
    }

    fn place(&mut self, far: f32) -> Vec3 {
        let mut along = || self.rng.between(-1.0, 1.0) as f32 * far;
        Vec3::new(along(), along() / 100.0, along())
    }

    /// A terrain from any source. One in six is invalid.
    fn terrain(&mut self) -> Terrain {
        let (width, height) = (2 + self.rng.below(150), 2 + self.rng.below(150));
        let size = MapSize::new(width, height).unwrap();
        let seed = self.rng.word();
        let source: TerrainSource = match self.rng.below(6) {
            0 => Recipe::new(size, seed, Hills::default()).into(),
            1 => Recipe::new(size, seed, Faults::default()).into(),
            2 => Recipe::new(
                size,
                seed,
                FractalNoise {
                    octaves: 400,
                    ..default()
                },
            )
            .into(),
            3 => hills(width.max(30), height.max(30), seed).into(),
            _ => self.map(size).into(),
        };
        let scale = self.rng.percent(60).then(|| Scale {
            spacing: [0.0, 0.01, 1.0, 300.0, f32::NAN][self.rng.below(5) as usize],
            relief: self.rng.between(0.1, 500.0) as f32,
        });
        Terrain {
            scale,
            ..Terrain::new(source)
        }
    }

    fn map(&mut self, size: MapSize) -> TerrainMap {
        let mut heights = vec![0.0; size.cells()];
        self.rng.fill_between(-200.0, 900.0, &mut heights);
        let map = TerrainMap::from(Heightmap::from_heights(size, heights).unwrap());
        if self.rng.percent(50) {
            return map;
        }
        let mut holes = HoleMask::none(size);
        holes.set_rect(0..size.width() / 2, 0..size.height() / 3, true);
        map.with_holes(holes)
    }

    fn endless(&mut self) -> EndlessTerrain {
        let recipe = Recipe {
            scale: Some(Scale {
                spacing: 16.0,
                relief: 200.0,
            }),
            ..Recipe::new(MapSize::default(), self.rng.word(), FractalNoise::default())
        };
        let recipe = if self.rng.percent(10) {
            hills(64, 64, 1)
        } else {
            recipe
        };
        EndlessTerrain {
            distance: self.rng.between(100.0, 700.0) as f32,
            ..EndlessTerrain::new(recipe)
        }
    }
}

fn take(rng: &mut SeededRng, from: &mut Vec<Entity>) -> Option<Entity> {
    let place = rng.below(from.len().max(1) as u64) as usize;
    (place < from.len()).then(|| from.swap_remove(place))
}

#[test]
fn hour_of_random_changes_leaves_nothing_behind() {
    let mut app = drawing_app();
    app.update();
    let before = Stock::of(&app);
    let mut chance = Chance {
        rng: SeededRng::new(1, b"soak    "),
        terrains: Vec::new(),
        lookers: Vec::new(),
        is_editing: false,
    };
    let (mut most, mut ready, mut failed) = (0, 0, 0);
    let mut left = Vec::new();
    for second in 1..=SECONDS {
        chance.act(&mut app);
        app.update();
        if second % REST == 0 {
            wait_until_ready(&mut app);
            ask_at_random(&mut app, &mut chance.rng);
        }
        most = most.max(count::<With<TerrainChunk>>(&mut app));
        if second % (SECONDS / PARTS) == 0 {
            chance.take_all_away(&mut app);
            update_until(&mut app, |app| Stock::of(app) == before);
            let answers = std::mem::take(&mut *app.world_mut().resource_mut::<Answers>());
            ready += answers.ready.len();
            failed += answers.failed.len();
            drop(answers);
            left.push(memory_at_rest(&mut app, left.last()));
        }
    }
    assert!(most > 20, "too few chunks: {most}");
    assert!(ready > SECONDS / 20, "{ready}");
    assert!(failed > SECONDS / 100, "{failed}");
    check_memory(&left);
    presence_leaves_nothing_behind(&mut app);
    edits_leave_nothing_behind(&mut app, &mut chance);
}

/// Returns the number of tables and of bytes, after the results of the last tasks were dropped on other threads.
fn memory_at_rest(app: &mut App, known: Option<&(usize, usize)>) -> (usize, usize) {
    let tables = app.world().storages().tables.len();
    let enough = known.map_or(0, |(known, bytes)| bytes + (tables - known) * TABLE);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2) && MEMORY.current_usage() > enough {
        app.update();
    }
    (tables, MEMORY.current_usage())
}

/// Checks that only tables were added from part to part.
fn check_memory(left: &[(usize, usize)]) {
    for pair in left.windows(2) {
        let [(tables, bytes), (more_tables, more_bytes)] = [pair[0], pair[1]];
        assert!(
            more_bytes <= bytes + (more_tables - tables) * TABLE + MORE,
            "tables and bytes after each part: {left:?}"
        );
    }
}

/// The same with strokes, undos, roads and platforms. Now and then, the terrain is compared with one that loads the saved
/// edits.
fn edits_leave_nothing_behind(app: &mut App, chance: &mut Chance) {
    const SECONDS_OF_PART: usize = 160;
    chance.is_editing = true;
    let before = Stock::of(app);
    let mut left = Vec::new();
    let (mut ready, mut compared) = (0, 0);
    for _ in 0..PARTS {
        for second in 1..=SECONDS_OF_PART {
            chance.act(app);
            app.update();
            if second % REST == 0 {
                wait_until_ready(app);
                ask_at_random(app, &mut chance.rng);
            }
            if second % (2 * REST) == 0 {
                compared += chance.compare_with_fresh(app);
            }
        }
        chance.take_all_away(app);
        update_until(app, |app| Stock::of(app) == before);
        ready += std::mem::take(&mut *app.world_mut().resource_mut::<Answers>())
            .ready
            .len();
        left.push(memory_at_rest(app, left.last()));
    }
    assert!(ready > SECONDS_OF_PART / 5, "{ready}");
    assert!(compared > 10, "{compared}");
    check_memory(&left);
}

/// Removes and inserts the sea and the colliders of terrains many times. Apart from the hour, because Bevy keeps about 20
/// KB for each new combination of components. Here there are few, so the limit is small.
fn presence_leaves_nothing_behind(app: &mut App) {
    let world = app.world_mut();
    world.spawn((
        Camera3d::default(),
        TerrainViewer,
        RigidBody::KinematicPositionBased,
    ));
    let near = TerrainCollider::AroundBodies(30.0);
    let endless = EndlessTerrain {
        distance: 100.0,
        ..EndlessTerrain::new(Recipe::new(MapSize::default(), 1, FractalNoise::default()))
    };
    // Procedural textures would take tens of megabytes as soon as they are finished, at some time during the test.
    let without_texture = TerrainLayer {
        texture: LayerTexture::Images(LayerImages::of(Handle::default())),
        ..TerrainLayer::procedural(GroundKind::Grass, default())
    };
    let layers = TerrainLayers::single(without_texture);
    let island = (Terrain::new(hills(65, 65, 1)), near, layers.clone());
    let island = world.spawn(island).id();
    let endless = world.spawn((endless, near, layers)).id();
    wait_until_ready(app);
    let toggle = |app: &mut App| {
        for entity in [island, endless] {
            let mut terrain = app.world_mut().entity_mut(entity);
            terrain.remove::<(Water, TerrainCollider)>();
        }
        for _ in 0..3 {
            app.update();
        }
        for entity in [island, endless] {
            let mut terrain = app.world_mut().entity_mut(entity);
            terrain.insert((Water::default(), near));
        }
        wait_until_ready(app);
        for _ in 0..3 {
            app.update();
        }
    };
    for _ in 0..20 {
        toggle(app);
    }
    let (stock, bytes) = (Stock::of(app), MEMORY.current_usage());
    for _ in 0..200 {
        toggle(app);
    }
    update_until(app, |app| Stock::of(app) == stock);
    let more = MEMORY.current_usage().saturating_sub(bytes);
    assert!(more < MORE, "{more} bytes after 200 times");
}

/// Queries must not panic, in any state of the world.
fn ask_at_random(app: &mut App, rng: &mut SeededRng) {
    for far in [1000.0, f64::from(f32::MAX)] {
        let at = Vec3::new(
            rng.between(-far, far) as f32,
            50.0,
            rng.between(-far, far) as f32,
        );
        ask(app, move |terrains| {
            let ray = Ray3d::new(at, Dir3::NEG_Y);
            let height = terrains.height(at);
            assert!(height.is_none_or(f32::is_finite));
            assert!(
                terrains
                    .cast_ray(ray, 1e9)
                    .is_none_or(|hit| hit.distance.is_finite())
            );
            assert!(terrains.water_depth(at).is_none_or(|depth| depth >= 0.0));
            terrains.line_of_sight(at, Vec3::ZERO);
            terrains.cast_sphere(ray, 2.0, 1e9);
        });
    }
}
