// Renders the programs of the guide off screen: 160 x 90 units around the origin. Doc-tests include this file. It needs
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
    use lanternfell_torchlight::prelude::*;

    /// Longer than any test needs on a slow and busy machine without a GPU.
    const PATIENCE: Duration = Duration::from_secs(120);

    #[derive(Resource)]
    struct Screen(Handle<Image>);

    #[derive(Resource, Default)]
    struct Pixels(Vec<[u8; 3]>);

    /// An app with the plugin of a guide page. Its assets are in the folder of the guide.
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
        app.add_plugins((bevy, TorchlightPlugin::default()))
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
            Camera2d,
            Msaa::Off,
            RenderTarget::Image(image.clone().into()),
        ));
        commands.insert_resource(Screen(image));
    }

    /// Renders until at least the fraction `least` of all pixels satisfies `is_so`.
    pub fn until(app: &mut App, least: f32, is_so: fn([u8; 3]) -> bool) {
        let start = Instant::now();
        app.update();
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
                "only {found} of the pixels match"
            );
            sleep(Duration::from_millis(1));
        }
    }

    fn picture(app: &mut App) -> Vec<[u8; 3]> {
        let image = app.world().resource::<Screen>().0.clone();
        let keep = |captured: On<ScreenshotCaptured>, mut pixels: ResMut<Pixels>| {
            let picture = captured.image.clone().try_into_dynamic();
            let picture = picture.expect("valid pixels").to_rgb8().into_raw();
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

    /// Panics if a shader does not compile: it would never be drawn, so waiting does not help.
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
