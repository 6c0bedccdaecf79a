//! Viewers without terrain first get a small region.

use bevy::prelude::*;
use lanternfell_terrain::prelude::*;

use lanternfell_terrain_test_support::terrain::*;

/// Half of a region's extent, in meters: the distance and a margin.
const HALF: f32 = 1280.0;

struct Endless {
    app: App,
    terrain: Entity,
    /// How often `TerrainReady` was triggered on the endless terrain.
    ready: usize,
}

impl Endless {
    /// An endless terrain up to a distance of 1000 m, with cells of 2 m.
    fn new(viewers: &[Vec3]) -> Self {
        let scale = Scale {
            spacing: 2.0,
            relief: 80.0,
        };
        let recipe = Recipe {
            scale: Some(scale),
            ..Recipe::new(MapSize::default(), 3, FractalNoise::default())
        };
        // Unlike the default, for which the tests render every cell.
        let detail = TerrainDetail {
            memory: 63 << 20,
            ..default()
        };
        let mut app = app();
        let terrain = (EndlessTerrain::new(recipe), detail);
        let terrain = app.world_mut().spawn(terrain).id();
        for at in viewers {
            let viewer = (TerrainViewer, Transform::from_translation(*at));
            app.world_mut().spawn(viewer);
        }
        Self {
            app,
            terrain,
            ready: 0,
        }
    }

    fn is_there(&mut self, at: Vec3) -> bool {
        is_there(&mut self.app, at)
    }

    fn wait_until_ready(&mut self) {
        self.ready += 1;
        let (terrain, ready) = (self.terrain, self.ready);
        update_until(&mut self.app, |app| ready_count(app, terrain) == ready);
    }

    /// The viewer at `at` gets terrain, and only later all terrain up to the distance.
    fn gets_near_terrain_first(&mut self, at: Vec3) {
        update_until(&mut self.app, |app| is_there(app, at));
        let far = at + Vec3::X * 990.0;
        assert_eq!(ready_count(&self.app, self.terrain), self.ready);
        assert!(!self.is_there(far));
        assert!(self.is_there(at + Vec3::X * 240.0));
        self.wait_until_ready();
        assert!(self.is_there(far));
    }

    fn move_viewer(&mut self, from: Vec3, to: Vec3) {
        let world = self.app.world_mut();
        let mut viewers = world.query_filtered::<&mut Transform, With<TerrainViewer>>();
        let mut all = viewers.iter_mut(world);
        let viewer = all.find(|viewer| viewer.translation == from);
        viewer.unwrap().translation = to;
        // Viewers are looked at after transforms are propagated.
        self.app.update();
    }
}

fn is_there(app: &mut App, at: Vec3) -> bool {
    ask(app, move |terrains| terrains.height(at)).is_some()
}

/// How often `TerrainReady` was triggered on a terrain.
fn ready_count(app: &App, terrain: Entity) -> usize {
    let ready = answers(app).ready.iter();
    ready.filter(|entity| **entity == terrain).count()
}

#[test]
fn teleported_viewer_gets_near_terrain_first() {
    let [home, away] = [Vec3::ZERO, Vec3::X * 50_000.0];
    let mut endless = Endless::new(&[home]);
    endless.gets_near_terrain_first(home);
    endless.move_viewer(home, away);
    endless.gets_near_terrain_first(away);
    assert!(!endless.is_there(home));
}

#[test]
fn viewers_who_stay_keep_their_terrain() {
    let [home, other, away] = [0.0, 20_000.0, 50_000.0].map(|x| Vec3::X * x);
    let mut endless = Endless::new(&[home, other]);
    endless.gets_near_terrain_first(home);
    endless.move_viewer(other, away);
    endless.gets_near_terrain_first(away);
    assert!(endless.is_there(home + Vec3::X * 990.0));
}

/// A small region would touch the region of the other viewer, so one large region is generated.
#[test]
fn terrain_beside_a_region_is_ready_when_it_is_whole() {
    let [home, other] = [Vec3::ZERO, Vec3::X * 20_000.0];
    let mut endless = Endless::new(&[home, other]);
    endless.wait_until_ready();
    let beside = Vec3::X * (HALF + 30.0);
    assert!(!endless.is_there(beside));
    endless.move_viewer(other, beside);
    endless.wait_until_ready();
    assert!(endless.is_there(beside + Vec3::X * 990.0) && endless.is_there(home));
}
