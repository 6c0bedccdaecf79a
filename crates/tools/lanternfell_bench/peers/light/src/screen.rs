//! An app without a window that is driven manually: the main schedule, then the renderer, then the GPU, one after the
//! other.
//!
//! Nothing overlaps, so the times can be separated. In a game the renderer and the GPU work in parallel with the next
//! frame. The clock advances by 1/60 s per frame, however long the frame took, so all variants render the same motion.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use bevy::{
    app::SubApps,
    asset::RenderAssetUsages,
    log::{DEFAULT_FILTER, LogPlugin},
    prelude::*,
    render::{
        RenderPlugin,
        pipelined_rendering::PipelinedRenderingPlugin,
        render_resource::{PollType, TextureFormat, TextureUsages},
        renderer::RenderDevice,
        view::screenshot::{Screenshot, save_to_disk},
    },
    time::TimeUpdateStrategy,
    window::ExitCondition,
    winit::WinitPlugin,
};

use crate::{
    args::{Args, Lights},
    firefly, lit,
    map::Map,
    ours,
    scene::{self, Plan},
    software_gpu,
};

/// The maximum number of frames until a screenshot must be saved.
const PATIENCE: u32 = 60;

/// The app, and the image that it renders to.
pub struct Screen {
    apps: SubApps,
    image: Handle<Image>,
}

/// The times of a frame.
#[derive(Debug, Clone, Copy, Default)]
pub struct FrameTimes {
    /// The main schedule, from `First` to `Last`.
    pub main: Duration,
    /// Extraction, and the whole schedule of the renderer.
    pub render: Duration,
    /// The wait for the GPU.
    pub gpu: Duration,
}

impl FrameTimes {
    pub fn whole(self) -> Duration {
        self.main + self.render + self.gpu
    }
}

impl Screen {
    pub fn new(args: &Args) -> Self {
        let mut app = App::new();
        software_gpu::known_while(|| _ = app.add_plugins(bevys_plugins()));
        let image = app
            .world_mut()
            .resource_mut::<Assets<Image>>()
            .add(target(args.size));
        let frame = Duration::from_secs(1) / 60;
        app.insert_resource(TimeUpdateStrategy::ManualDuration(frame))
            .insert_resource(Map::new(args.load.cells))
            .insert_resource(Plan {
                load: args.load,
                target: image.clone(),
            })
            .add_plugins(scene::plugin);
        match args.lights {
            Lights::Ours => app.add_plugins(ours::plugin),
            Lights::Firefly => app.add_plugins(firefly::plugin),
            Lights::Lit => app.add_plugins(lit::plugin),
            Lights::None => &mut app,
        };
        app.finish();
        app.cleanup();
        let apps = core::mem::take(app.sub_apps_mut());
        Self { apps, image }
    }

    pub fn world(&mut self) -> &mut World {
        self.apps.main.world_mut()
    }

    /// Runs one frame like `SubApps::update`, and waits until it is rendered.
    pub fn frame(&mut self) -> Result<FrameTimes> {
        let start = Instant::now();
        self.apps.main.run_default_schedule();
        let main = start.elapsed();
        for renderer in self.apps.sub_apps.values_mut() {
            renderer.extract(self.apps.main.world_mut());
            renderer.update();
        }
        self.world().clear_trackers();
        let render = start.elapsed() - main;
        let device = self.world().resource::<RenderDevice>();
        device.poll(PollType::wait_indefinitely())?;
        let gpu = start.elapsed() - main - render;
        Ok(FrameTimes { main, render, gpu })
    }

    /// Saves the next frame.
    pub fn save(&mut self, path: &Path) -> Result {
        let picture = Screenshot::image(self.image.clone());
        let save = save_to_disk(path.to_path_buf());
        let picture = self.world().spawn(picture).observe(save).id();
        for _ in 0..PATIENCE {
            self.frame()?;
            if self.world().get_entity(picture).is_err() {
                return Ok(());
            }
        }
        Err(format!("no screenshot was saved within {PATIENCE} frames").into())
    }
}

fn bevys_plugins() -> impl PluginGroup {
    let window = WindowPlugin {
        primary_window: None,
        exit_condition: ExitCondition::DontExit,
        ..default()
    };
    let render = RenderPlugin {
        synchronous_pipeline_compilation: true,
        ..default()
    };
    let log = LogPlugin {
        filter: format!("{DEFAULT_FILTER},warn"),
        ..default()
    };
    DefaultPlugins
        .set(window)
        .set(render)
        .set(log)
        .disable::<WinitPlugin>()
        .disable::<PipelinedRenderingPlugin>()
}

fn target([width, height]: [u32; 2]) -> Image {
    let mut image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    image.asset_usage = RenderAssetUsages::RENDER_WORLD;
    image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    image
}
