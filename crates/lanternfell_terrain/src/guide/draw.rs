// Renders the programs of the guides off-screen, seen from above the terrain. The doctests include this file. It needs
// a Vulkan driver; a software driver is enough.
mod draw {
    use std::{
        thread::sleep,
        time::{Duration, Instant},
    };

    use bevy::{
        app::PluginsState,
        camera::RenderTarget,
        prelude::*,
        render::{
            RenderApp, RenderPlugin,
            pipelined_rendering::PipelinedRenderingPlugin,
            render_resource::{CachedPipelineState, PipelineCache, TextureFormat},
            view::screenshot::{Screenshot, ScreenshotCaptured},
        },
        shader::ShaderCacheError,
        tasks::tick_global_task_pools_on_main_thread,
        window::ExitCondition,
        winit::WinitPlugin,
    };
    use lanternfell_terrain::prelude::*;

    /// Longer than any step takes on a slow and busy machine without a GPU.
    const PATIENCE: Duration = Duration::from_secs(120);

    #[derive(Resource)]
    struct Screen(Handle<Image>);

    #[derive(Resource, Default)]
    struct Pixels(Vec<[u8; 3]>);

    /// Builds an app with the guide's plugin. The asset folder is `src/guide`.
    pub fn app(plugin: fn(&mut App)) -> App {
        let mut app = App::new();
        let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide");
        let bevy = DefaultPlugins
            .build()
            .disable::<PipelinedRenderingPlugin>()
            .disable::<WinitPlugin>()
            .set(WindowPlugin {
                primary_window: None,
                exit_condition: ExitCondition::DontExit,
                ..default()
            })
            .set(RenderPlugin {
                synchronous_pipeline_compilation: true,
                ..default()
            })
            .set(AssetPlugin {
                file_path: assets.to_owned(),
                ..default()
            });
        app.add_plugins((bevy, TerrainPlugin))
            .init_resource::<Pixels>()
            .add_systems(Startup, look)
            .add_plugins(plugin);
        while app.plugins_state() == PluginsState::Adding {
            tick_global_task_pools_on_main_thread();
        }
        app.finish();
        app.cleanup();
        app
    }

    fn look(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
        let image = Image::new_target_texture(160, 90, TextureFormat::Rgba8UnormSrgb, None);
        let image = images.add(image);
        commands.spawn((
            Camera3d::default(),
            RenderTarget::Image(image.clone().into()),
            Transform::from_xyz(0.0, 220.0, 150.0).looking_at(Vec3::ZERO, Vec3::Y),
        ));
        commands.spawn((
            DirectionalLight::default(),
            Transform::from_xyz(1.0, 3.0, 1.0).looking_at(Vec3::ZERO, Vec3::Y),
        ));
        commands.insert_resource(Screen(image));
    }

    /// Updates the app until every terrain is complete.
    pub fn until_ready(app: &mut App) {
        let start = Instant::now();
        app.update();
        let is_busy = |app: &mut App| {
            let mut busy = app.world_mut().query_filtered::<(), With<TerrainProgress>>();
            busy.iter(app.world()).next().is_some()
        };
        while is_busy(app) {
            assert!(start.elapsed() < PATIENCE, "the terrain is not complete");
            sleep(Duration::from_millis(1));
            app.update();
        }
    }

    /// Renders frames until at least this share of all pixels matches the predicate.
    pub fn until(app: &mut App, least: f32, is_so: fn([u8; 3]) -> bool) {
        until_ready(app);
        let start = Instant::now();
        loop {
            let pixels = picture(app);
            let found =
                pixels.iter().filter(|pixel| is_so(**pixel)).count() as f32 / pixels.len() as f32;
            if found >= least {
                return;
            }
            check_shaders(app);
            assert!(
                start.elapsed() < PATIENCE,
                "only a share of {found} of the pixels matches"
            );
        }
    }

    fn picture(app: &mut App) -> Vec<[u8; 3]> {
        let image = app.world().resource::<Screen>().0.clone();
        let keep = |captured: On<ScreenshotCaptured>, mut pixels: ResMut<Pixels>| {
            let picture = captured.image.clone().try_into_dynamic();
            let picture = picture.expect("a color image").to_rgb8().into_raw();
            pixels.0 = picture.as_chunks().0.to_vec();
        };
        app.world_mut()
            .spawn(Screenshot::image(image))
            .observe(keep);
        let start = Instant::now();
        while app.world().resource::<Pixels>().0.is_empty() {
            assert!(start.elapsed() < PATIENCE, "no screenshot was captured");
            app.update();
        }
        std::mem::take(&mut app.world_mut().resource_mut::<Pixels>().0)
    }

    /// A pipeline with an invalid shader never becomes ready, so the test fails at once instead of waiting.
    fn check_shaders(app: &App) {
        let pipelines = app.sub_app(RenderApp).world().resource::<PipelineCache>();
        for pipeline in pipelines.pipelines() {
            if let CachedPipelineState::Err(
                error @ (ShaderCacheError::ProcessShaderError(_)
                | ShaderCacheError::CreateShaderModule(_)),
            ) = &pipeline.state
            {
                panic!("{error}");
            }
        }
    }
}
