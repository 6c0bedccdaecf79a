//! An app without a window: it draws into an image, saves a picture, and ends.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use lanternfell_headless::OrHeadless;
//!
//! App::new().add_plugins(DefaultPlugins.or_headless()).run();
//! ```
//!
//! is an ordinary app; but started as `my_app --headless --screenshot view.png` it needs no
//! display, draws some frames, saves the picture and ends. Every camera that would draw to the
//! window draws to the image. What is still being loaded is waited for by a condition on
//! [`PictureSystems`]; terrain has one (feature `terrain`), and so have plants (feature `vegetation`).
//!
//! In a browser the same app draws into its page and reads its arguments from the address
//! (`#seed=7`); nothing is off screen. [`window()`] creates a window that finds its canvas there, and
//! [`web_page`] connects the app to the page: address, messages, downloads and uploads.
//!
//! A software Vulkan driver is enough. Without any driver the app says so in one line and
//! ends with exit code 2. The clock goes on by a sixtieth of a second with each frame that is
//! drawn, however long it took, so that a picture can be taken again. Where that is long, few are
//! drawn while the picture waits, and at least three before it is taken.

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

use lanternfell_files::usage::say_wrong;

pub use args::{EXIT_UNUSABLE, HeadlessArgs, parse_or_exit, refuse};
pub use picture::save_picture;
pub use systems::PictureSystems;
pub use window::window;

/// Adds [`or_headless`](OrHeadless::or_headless) to plugin groups.
pub trait OrHeadless: PluginGroup + Sized {
    /// These plugins, made to run off screen when the command line says `--headless`.
    ///
    /// Reads the process's arguments; a wrong one, or one that is not known, ends the
    /// process with a line that says what is allowed. For an app with arguments of its own
    /// there is [`HeadlessArgs`].
    fn or_headless(self) -> PluginGroupBuilder {
        let args: args::OnlyHeadless = parse_or_exit();
        args.headless.plugins(self)
    }
}

impl<Group: PluginGroup> OrHeadless for Group {}

impl HeadlessArgs {
    /// The group's plugins, made to run as these arguments say; in a browser in the page.
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
        // A browser has none.
        #[cfg(not(target_arch = "wasm32"))]
        let group = group.disable::<bevy::render::pipelined_rendering::PipelinedRenderingPlugin>();
        group
            .set(WindowPlugin {
                primary_window: None,
                exit_condition: ExitCondition::DontExit,
                ..default()
            })
            .set(LogPlugin {
                // Says at length what is said above in one line.
                filter: format!("{DEFAULT_FILTER},wgpu_hal=off"),
                ..default()
            })
            .set(RenderPlugin {
                // The picture must not miss what is still being compiled.
                synchronous_pipeline_compilation: true,
                ..default()
            })
            .disable::<WinitPlugin>()
            .add(ScheduleRunnerPlugin::run_loop(Duration::ZERO))
            .add(off_screen::OffScreenPlugin { size: self.size })
    }
}

/// What Bevy and winit panic with when the machine can not draw, and what the user is told.
const UNUSABLE: [(&str, &str); 2] = [
    (
        "Unable to find a GPU",
        "no graphics driver found; a software one is enough \
         (on Debian and Ubuntu: apt-get install mesa-vulkan-drivers)",
    ),
    (
        "Failed to build event loop",
        "no display found; --headless --screenshot FILE draws without one",
    ),
];

/// Turns a panic about a missing driver or display, with its backtrace, into one line.
fn explain_missing_hardware() {
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = info.payload_as_str().unwrap_or_default();
        for (cause, answer) in UNUSABLE {
            if message.contains(cause) {
                say_wrong(answer);
                process::exit(EXIT_UNUSABLE);
            }
        }
        others(info);
    }));
}

/// The README's code is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
