//! Waits until the scene is complete, takes its picture, and ends the app.

use std::{io, path::Path};

use bevy::{
    image::{Image, ImageFormat},
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
};
use lanternfell_terrain::{Generating, TerrainFailed};

use super::{HeadlessArgs, OffScreen, eprint_line};

/// Takes the picture that the arguments ask for. Does nothing in an ordinary app.
pub(super) struct PicturePlugin(pub(super) HeadlessArgs);

impl Plugin for PicturePlugin {
    fn build(&self, app: &mut App) {
        if self.0.headless || self.0.screenshot.is_some() {
            app.insert_resource(Countdown {
                frames: self.0.frames,
                args: self.0.clone(),
                done: false,
            })
            .add_systems(Last, count_down)
            .add_observer(give_up);
        }
    }
}

#[derive(Resource)]
struct Countdown {
    /// Frames that are still to be drawn.
    frames: u32,
    args: HeadlessArgs,
    done: bool,
}

/// Counts only frames in which no terrain is being made.
fn count_down(
    mut countdown: ResMut<Countdown>,
    generating: Query<(), With<Generating>>,
    image: Option<Res<OffScreen>>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    if !generating.is_empty() || countdown.done {
        return;
    }
    if countdown.frames > 0 {
        countdown.frames -= 1;
        return;
    }
    countdown.done = true;
    if countdown.args.screenshot.is_none() {
        exit.write(AppExit::Success);
        return;
    }
    let screenshot = match image {
        Some(image) => Screenshot::image(image.0.clone()),
        None => Screenshot::primary_window(),
    };
    commands.spawn(screenshot).observe(save_and_end);
}

/// A picture without its land would pass for a good one.
fn give_up(failed: On<TerrainFailed>, mut exit: MessageWriter<AppExit>) {
    eprint_line(&format!("error: {}", failed.error));
    exit.write(AppExit::error());
}

fn save_and_end(
    captured: On<ScreenshotCaptured>,
    countdown: Res<Countdown>,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(path) = &countdown.args.screenshot else {
        return;
    };
    let end = match save_picture(&captured.image, path) {
        Ok(()) => AppExit::Success,
        Err(error) => {
            eprint_line(&format!(
                "error: {} was not written: {error}",
                path.display()
            ));
            AppExit::error()
        }
    };
    exit.write(end);
}

/// Writes an image as a PNG: into a file beside `path`, then renamed, so that no half
/// picture is ever found there.
pub fn save_picture(image: &Image, path: &Path) -> io::Result<()> {
    let picture = image.clone().try_into_dynamic().map_err(io::Error::other)?;
    let format = ImageFormat::Png
        .as_image_crate_format()
        .ok_or_else(|| io::Error::other("PNG is not built in"))?;
    let unfinished = path.with_extension("png.part");
    // Without alpha: on an HDR camera it holds something else.
    let written = picture
        .to_rgb8()
        .save_with_format(&unfinished, format)
        .map_err(io::Error::other)
        .and_then(|()| std::fs::rename(&unfinished, path));
    if written.is_err() {
        // Best effort: the error that matters is the first one.
        let _ = std::fs::remove_file(&unfinished);
    }
    written
}
