//! Runs a Bevy app off screen: without a window, a display or a GPU. It renders into an image, saves a screenshot and
//! exits.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use lanternfell_headless::OrHeadless;
//!
//! App::new().add_plugins(DefaultPlugins.or_headless()).run();
//! ```
//!
//! This is an ordinary app. Started as `my_app --headless --screenshot view.png`, it needs no display, renders some
//! frames, saves the screenshot and exits. Cameras that target the primary window render to the image instead. To wait
//! for something that is still loading, add a run condition to [`ScreenshotSystems`]. The features `terrain` and
//! `vegetation` add such conditions for terrain and plants.
//!
//! A software Vulkan driver is enough. Without a driver, the app prints one line and exits with code 2.
//!
//! # Time
//!
//! The clock advances by 1/60 s per rendered frame, no matter how long it takes, so a screenshot is reproducible. If
//! frames are slow, few of them are rendered while the screenshot waits. At least three are rendered before it is
//! taken.
//!
//! # In a browser
//!
//! In a browser, the same app renders to the page, and reads its arguments from the address (`#seed=7`). Nothing is off
//! screen. [`window()`] creates a window on the canvas of the page. [`web_page`] connects the app to the page: address,
//! messages, downloads and uploads.

mod args;
mod off_screen;
mod picture;
mod rest;
mod systems;
#[cfg(feature = "terrain")]
mod terrain;
#[cfg(feature = "vegetation")]
mod vegetation;
pub mod web_page;
mod window;

use std::{panic, process, time::Duration};

use bevy::{
    app::{PluginGroupBuilder, ScheduleRunnerPlugin},
    log::{DEFAULT_FILTER, LogPlugin},
    prelude::*,
    render::RenderPlugin,
    window::ExitCondition,
    winit::WinitPlugin,
};

use lanternfell_files::usage::print_error;

pub use args::{EXIT_USAGE, HeadlessArgs, exit_with_usage_error, parse_or_exit};
pub use picture::save_screenshot;
pub use systems::ScreenshotSystems;
pub use window::window;

/// Adds [`or_headless`](OrHeadless::or_headless) to plugin groups.
pub trait OrHeadless: PluginGroup + Sized {
    /// Returns these plugins, modified to run off screen if the command line contains `--headless`.
    ///
    /// Parses the arguments of the process. An invalid or unknown argument exits the process with one line that lists
    /// what is allowed. If your app has its own arguments, use [`HeadlessArgs`] instead.
    fn or_headless(self) -> PluginGroupBuilder {
        let args: args::OnlyHeadless = parse_or_exit();
        args.headless.plugins(self)
    }
}

impl<Group: PluginGroup> OrHeadless for Group {}

impl HeadlessArgs {
    /// Returns the plugins of the group, modified according to these arguments. In a browser, the app runs in the page.
    pub fn plugins(&self, group: impl PluginGroup) -> PluginGroupBuilder {
        let mut group = group.build();
        if cfg!(target_arch = "wasm32") {
            return group.add(window::plugin);
        }
        explain_missing_hardware();
        if self.headless || self.screenshot.is_some() {
            group = group.add(picture::PicturePlugin(self.clone()));
            #[cfg(feature = "terrain")]
            {
                group = group.add(terrain::plugin);
            }
            #[cfg(feature = "vegetation")]
            {
                group = group.add(vegetation::plugin);
            }
        }
        if !self.headless {
            return group;
        }
        // `PipelinedRenderingPlugin` does not exist in a browser.
        #[cfg(not(target_arch = "wasm32"))]
        let group = group.disable::<bevy::render::pipelined_rendering::PipelinedRenderingPlugin>();
        group
            .set(WindowPlugin {
                primary_window: None,
                exit_condition: ExitCondition::DontExit,
                ..default()
            })
            .set(LogPlugin {
                // Hides a long message, because `explain_missing_hardware` prints one line instead.
                filter: format!("{DEFAULT_FILTER},wgpu_hal=off"),
                ..default()
            })
            .set(RenderPlugin {
                // The screenshot must not miss anything whose pipeline is still being compiled.
                synchronous_pipeline_compilation: true,
                ..default()
            })
            .disable::<WinitPlugin>()
            .add(ScheduleRunnerPlugin::run_loop(Duration::ZERO))
            .add(off_screen::OffScreenPlugin { size: self.size })
    }
}

/// Panic messages of Bevy and winit on machines that cannot render, and the messages for the user.
const UNUSABLE: [(&str, &str); 2] = [
    (
        "Unable to find a GPU",
        "no graphics driver found; a software driver is enough \
         (on Debian and Ubuntu: apt-get install mesa-vulkan-drivers)",
    ),
    (
        "Failed to build event loop",
        "no display found; --headless --screenshot FILE draws without one",
    ),
];

/// Replaces a panic about a missing driver or display, with its backtrace, by one line.
fn explain_missing_hardware() {
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = info.payload_as_str().unwrap_or_default();
        for (cause, answer) in UNUSABLE {
            if message.contains(cause) {
                print_error(answer);
                process::exit(EXIT_USAGE);
            }
        }
        others(info);
    }));
}

/// Compiles the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
