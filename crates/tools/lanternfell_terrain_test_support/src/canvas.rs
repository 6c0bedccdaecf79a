//! An app with a renderer and no window, which renders to an image.
//!
//! It needs a Vulkan driver; a software driver is sufficient. A software driver renders on the same
//! cores that generate the terrain, so only frames with a screenshot are rendered, and the app
//! sleeps while shaders compile.

use std::{
    thread,
    time::{Duration, Instant},
};

use bevy::{
    app::PluginsState,
    camera::RenderTarget,
    log::LogPlugin,
    prelude::*,
    render::{
        Render, RenderApp, RenderSystems,
        pipelined_rendering::PipelinedRenderingPlugin,
        render_resource::{PipelineCache, TextureFormat},
        view::screenshot::{Captured, Screenshot, ScreenshotCaptured},
    },
    tasks::tick_global_task_pools_on_main_thread,
    window::ExitCondition,
    winit::WinitPlugin,
};
use image::RgbImage;
use lanternfell_terrain::prelude::*;

/// The maximum time a test waits for an image.
pub const PATIENCE: Duration = Duration::from_secs(240);

/// The pause between two frames while shaders compile.
const PAUSE: Duration = Duration::from_millis(30);

/// While this resource exists, frames without a screenshot are rendered too.
#[derive(Resource)]
pub struct EveryFrame;

/// A camera that renders to the canvas.
#[derive(Component)]
struct OnCanvas {
    is_closed: bool,
}

/// The image that cameras render to.
#[derive(Resource)]
pub struct Canvas {
    /// The render target.
    pub image: Handle<Image>,
    /// The screenshots taken so far.
    pub pictures: Vec<RgbImage>,
}

/// Creates an app with `DefaultPlugins` and `TerrainPlugin`. `change` runs before the app is
/// finished.
pub fn app_that_draws(size: UVec2, change: impl FnOnce(&mut App)) -> App {
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
    .add_systems(First, open)
    .add_systems(Last, close.run_if(not(resource_exists::<EveryFrame>)));
    app.sub_app_mut(RenderApp)
        .add_systems(Render, wait_for_shaders.in_set(RenderSystems::Cleanup));
    change(&mut app);
    while app.plugins_state() == PluginsState::Adding {
        tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    let canvas = Image::new_target_texture(size.x, size.y, TextureFormat::Rgba8UnormSrgb, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(canvas);
    app.insert_resource(Canvas {
        image,
        pictures: Vec::new(),
    });
    app
}

/// Spawns a camera that renders to the canvas.
pub fn spawn_camera(app: &mut App, place: Transform) -> Entity {
    let canvas = app.world().resource::<Canvas>().image.clone();
    let target = RenderTarget::Image(canvas.into());
    app.world_mut()
        .spawn((
            Camera3d::default(),
            target,
            place,
            OnCanvas { is_closed: false },
        ))
        .id()
}

/// Spawns a camera at a position, looking at the origin.
pub fn spawn_eye(app: &mut App, at: Vec3) -> Entity {
    spawn_camera(
        app,
        Transform::from_translation(at).looking_at(Vec3::ZERO, Vec3::Y),
    )
}

/// Activates the cameras before other systems run.
fn open(mut cameras: Query<(&mut Camera, &mut OnCanvas)>) {
    for (mut camera, mut canvas) in &mut cameras {
        if std::mem::take(&mut canvas.is_closed) {
            camera.bypass_change_detection().is_active = true;
        }
    }
}

fn close(
    mut cameras: Query<(&mut Camera, &mut OnCanvas)>,
    pictures: Query<(), (With<Screenshot>, Without<Captured>)>,
) {
    if !pictures.is_empty() {
        return;
    }
    for (mut camera, mut canvas) in &mut cameras {
        if camera.is_active {
            canvas.is_closed = true;
            camera.bypass_change_detection().is_active = false;
        }
    }
}

fn wait_for_shaders(pipelines: Res<PipelineCache>) {
    if pipelines.waiting_pipelines().next().is_some() {
        thread::sleep(PAUSE);
    }
}

/// Takes a screenshot of the next frame. It is added to [`Canvas::pictures`] some frames later.
pub fn take_picture(app: &mut App) {
    let canvas = app.world().resource::<Canvas>().image.clone();
    app.world_mut().spawn(Screenshot::image(canvas)).observe(
        |captured: On<ScreenshotCaptured>, mut canvas: ResMut<Canvas>| {
            let picture = captured.image.clone().try_into_dynamic().unwrap();
            canvas.pictures.push(picture.to_rgb8());
        },
    );
}

/// Takes a screenshot of the current state of the app.
pub fn next_picture(app: &mut App) -> RgbImage {
    for _ in 0..2 {
        app.update();
    }
    app.world_mut().resource_mut::<Canvas>().pictures.clear();
    take_picture(app);
    let start = Instant::now();
    loop {
        app.update();
        if let Some(picture) = app.world_mut().resource_mut::<Canvas>().pictures.pop() {
            return picture;
        }
        assert!(start.elapsed() < PATIENCE, "no picture came");
    }
}

/// Returns the fractions of pixels with the colors of terrain and of sea, for the default colors
/// without snow.
pub fn land_and_sea(picture: &RgbImage) -> [f32; 2] {
    let share = |is_meant: fn([u8; 3]) -> bool| {
        let meant = picture.pixels().filter(|pixel| is_meant(pixel.0)).count();
        meant as f32 / (picture.width() * picture.height()) as f32
    };
    let land = share(|[r, g, b]| g > b && g.saturating_add(40) > r);
    let sea = share(|[r, g, b]| b > r && g > r);
    [land, sea]
}

/// Returns the mean difference of two images of the same size, over all channels, from 0 to 255.
pub fn mean_difference(a: &RgbImage, b: &RgbImage) -> f32 {
    let pairs = a.as_raw().iter().zip(b.as_raw());
    let sum: u32 = pairs.map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
    sum as f32 / a.as_raw().len() as f32
}
