//! Tests of the game's rules on level terrain without a renderer. The tests set the player's light level.

use std::time::{Duration, Instant};

use bevy::{image::ImagePlugin, mesh::MeshPlugin, prelude::*, time::TimeUpdateStrategy};
use lanternfell::{heightmap::Heightmap, prelude::*};

use crate::{
    figure,
    guard::{self, Guard, SEEN_FROM},
    walker::{self, Torch, Walker},
};

/// Frames per second.
const RATE: u32 = 20;

fn app() -> App {
    let mut app = App::new();
    let frame = Duration::from_secs(1) / RATE;
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin::default(),
        MeshPlugin,
        ImagePlugin::default(),
        TerrainPlugin,
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
    .init_resource::<ButtonInput<KeyCode>>()
    .init_asset::<StandardMaterial>()
    .add_observer(guard::take_post)
    .add_observer(walker::come_ashore)
    .add_systems(Update, (walker::light_torch, guard::watch).chain());
    let size = MapSize::new(257, 257).unwrap();
    let level = Heightmap::from_heights(size, vec![0.5; size.cells()]).unwrap();
    app.world_mut().spawn(Terrain::new(level)).remove::<Water>();
    let begin = Instant::now();
    while app
        .world_mut()
        .query::<&Walker>()
        .single(app.world())
        .is_err()
    {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "the terrain is not ready after 60 s"
        );
        app.update();
        std::thread::sleep(Duration::from_millis(1));
    }
    app
}

fn place<C: Component>(app: &mut App) -> Transform {
    let mut found = app.world_mut().query_filtered::<&Transform, With<C>>();
    *found.single(app.world()).unwrap()
}

/// Places the player `ahead` meters in front of the guard (behind him if negative), with a light level.
fn stand(app: &mut App, ahead: f32, luminance: f32) {
    let guard = place::<Guard>(app);
    let mut walker = app
        .world_mut()
        .query_filtered::<(&mut Transform, &mut LightLevel), With<Walker>>();
    let (mut at, mut level) = walker.single_mut(app.world_mut()).unwrap();
    at.translation = guard.translation + ahead * guard.forward();
    level.luminance = luminance;
}

fn says(app: &mut App) -> String {
    let mut guards = app.world_mut().query::<&Guard>();
    guards.single(app.world()).unwrap().says()
}

fn wait(app: &mut App, seconds: u32) {
    for _ in 0..seconds * RATE {
        app.update();
    }
}

#[test]
fn guard_chases_lit_player_and_gives_up_in_the_dark() {
    let mut app = app();
    stand(&mut app, 20.0, 2.0 * SEEN_FROM);
    app.update();
    assert_eq!(says(&mut app), "The guard sees you!");
    let before = place::<Guard>(&mut app).translation;
    let hunted = place::<Walker>(&mut app).translation;
    wait(&mut app, 2);
    let now = place::<Guard>(&mut app).translation;
    assert!(
        now.distance(hunted) < before.distance(hunted) - 5.0,
        "{now}"
    );
    stand(&mut app, 20.0, 0.5 * SEEN_FROM);
    app.update();
    assert_eq!(says(&mut app), "The guard looks for you");
    wait(&mut app, 7);
    assert_eq!(says(&mut app), "The guard walks his rounds");
}

#[test]
fn caught_player_returns_to_start() {
    let mut app = app();
    let start = place::<Walker>(&mut app);
    stand(&mut app, 10.0, 1.0);
    wait(&mut app, 5);
    assert_eq!(says(&mut app), "The guard walks his rounds (caught once)");
    assert_eq!(place::<Walker>(&mut app), start);
}

#[test]
fn guard_sees_lit_player_ahead_and_hears_nearby() {
    for (ahead, luminance, noticed) in [
        (-10.0, 1.0, false),
        (10.0, 0.5 * SEEN_FROM, false),
        (100.0, 1.0, false),
        (10.0, SEEN_FROM, true),
        (-1.5, 0.0, true),
    ] {
        let mut app = app();
        stand(&mut app, ahead, luminance);
        app.update();
        let is_seen = says(&mut app) == "The guard sees you!";
        assert_eq!(is_seen, noticed, "{ahead} m ahead, luminance {luminance}");
    }
}

#[test]
fn torch_toggles() {
    let mut app = app();
    for burns in [true, false, true] {
        let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        keys.press(KeyCode::KeyF);
        app.update();
        let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        keys.clear();
        keys.release(KeyCode::KeyF);
        app.update();
        let mut torches = app
            .world_mut()
            .query_filtered::<(&LightSource, &Visibility), With<Torch>>();
        let (light, visible) = torches.single(app.world()).unwrap();
        assert_eq!(light.strength > 0.0, burns);
        assert_eq!(*visible != Visibility::Hidden, burns);
    }
}

#[test]
fn emission_follows_light_level() {
    let mut app = app();
    app.add_systems(Update, figure::show_light);
    let shines = |app: &mut App| {
        let materials = app.world().resource::<Assets<StandardMaterial>>();
        let all = materials.iter().map(|(_, look)| look.emissive.blue);
        all.fold(0.0_f32, f32::max)
    };
    app.update();
    let dark = shines(&mut app);
    let mut walker = app
        .world_mut()
        .query_filtered::<&mut LightLevel, With<Walker>>();
    let mut level = walker.single_mut(app.world_mut()).unwrap();
    level.light = Vec3::ONE;
    app.update();
    assert!(shines(&mut app) > dark + 10.0);
}
