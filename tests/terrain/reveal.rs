//! What is seen first, drawn by a renderer that compiles its pipelines in the background.
//!
//! Needs a Vulkan driver; a software one is enough.

use std::time::{Duration, Instant};

use bevy::{
    app::PluginsState,
    camera::RenderTarget,
    log::LogPlugin,
    prelude::*,
    render::{
        pipelined_rendering::PipelinedRenderingPlugin,
        render_resource::TextureFormat,
        view::screenshot::{Screenshot, ScreenshotCaptured},
    },
    tasks::tick_global_task_pools_on_main_thread,
    window::ExitCondition,
    winit::WinitPlugin,
};
use lanternfell::{heightmap::Heightmap, prelude::*};

const SIZE: UVec2 = UVec2::new(64, 36);

/// As long as the driver of a slow and busy machine takes.
const PATIENCE: Duration = Duration::from_secs(240);

/// The shares of land and sea in every picture.
#[derive(Resource, Default)]
struct Pictures(Vec<[f32; 2]>);

#[derive(Resource)]
struct Canvas(Handle<Image>);

fn app_that_draws() -> App {
    let window = WindowPlugin {
        primary_window: None,
        exit_condition: ExitCondition::DontExit,
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(window)
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>()
            .disable::<PipelinedRenderingPlugin>(),
    )
    .add_plugins(TerrainPlugin)
    .insert_resource(ClearColor(Color::srgb(1.0, 0.0, 1.0)))
    .init_resource::<Pictures>();
    while app.plugins_state() == PluginsState::Adding {
        tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    let canvas = Image::new_target_texture(SIZE.x, SIZE.y, TextureFormat::Rgba8UnormSrgb, None);
    let canvas = app.world_mut().resource_mut::<Assets<Image>>().add(canvas);
    let above = Transform::from_xyz(0.0, 60.0, 0.0).looking_at(Vec3::ZERO, Vec3::NEG_Z);
    app.world_mut().spawn((
        Camera3d::default(),
        RenderTarget::Image(canvas.clone().into()),
        above,
    ));
    let down = Transform::default().looking_to(Vec3::NEG_Y, Vec3::X);
    app.world_mut().spawn((DirectionalLight::default(), down));
    app.insert_resource(Canvas(canvas));
    app
}

/// Land in the west, and water in the east.
fn half_and_half() -> impl Bundle {
    let size = MapSize::new(129, 129).unwrap();
    let heights = (0..size.cells()).map(|cell| if cell % 129 < 64 { 1.0 } else { 0.0 });
    let map = Heightmap::from_heights(size, heights.collect()).unwrap();
    let scale = Scale {
        spacing: 1.0,
        relief: 8.0,
    };
    // Snow is as blue as water.
    let layers = TerrainLayers::temperate(&LayerZones {
        snow_line: 2.0,
        ..default()
    });
    (Terrain::new(map).with_scale(scale), layers)
}

fn take_picture(app: &mut App) {
    let canvas = app.world().resource::<Canvas>().0.clone();
    app.world_mut().spawn(Screenshot::image(canvas)).observe(
        |captured: On<ScreenshotCaptured>, mut pictures: ResMut<Pictures>| {
            let picture = captured.image.clone().try_into_dynamic().unwrap().to_rgb8();
            let share = |is_meant: fn([u8; 3]) -> bool| {
                let meant = picture.pixels().filter(|pixel| is_meant(pixel.0)).count();
                meant as f32 / SIZE.element_product() as f32
            };
            let land = share(|[r, g, b]| g > b && g.saturating_add(40) > r);
            let sea = share(|[r, g, b]| b > r && g > r);
            pictures.0.push([land, sea]);
        },
    );
}

/// Takes a picture in every frame until one is as it should be, and two more.
fn watch(app: &mut App, is_complete: fn([f32; 2]) -> bool) -> Vec<[f32; 2]> {
    let start = Instant::now();
    loop {
        take_picture(app);
        app.update();
        let pictures = &app.world().resource::<Pictures>().0;
        let complete = pictures.iter().filter(|picture| is_complete(**picture));
        if complete.count() > 2 {
            return pictures.clone();
        }
        assert!(start.elapsed() < PATIENCE, "{pictures:?}");
    }
}

/// Which pipeline is there first is chance, so it is looked at three times.
#[test]
fn land_and_sea_are_first_seen_in_the_same_frame() {
    for _ in 0..3 {
        let mut app = app_that_draws();
        let wet = Water {
            level: Some(0.5),
            ..default()
        };
        app.world_mut().spawn((half_and_half(), wet));
        let pictures = watch(&mut app, |[land, sea]| land > 0.2 && sea > 0.2);
        let is_seen = |share: f32| share > 0.01;
        assert!(
            !pictures[0].into_iter().any(is_seen),
            "at first there is nothing: {pictures:?}"
        );
        for [land, sea] in &pictures {
            assert_eq!(is_seen(*land), is_seen(*sea), "{pictures:?}");
        }
    }
}

#[test]
fn land_without_a_sea_waits_for_none() {
    let mut app = app_that_draws();
    let dry = Water {
        shown: false,
        ..default()
    };
    app.world_mut().spawn((half_and_half(), dry));
    let pictures = watch(&mut app, |[land, _]| land > 0.6);
    assert!(pictures.iter().all(|[_, sea]| *sea < 0.01), "{pictures:?}");
}
