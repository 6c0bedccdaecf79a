//! Waits until the scene is complete, takes the screenshot and exits.

use std::{
    io::{self, Cursor},
    path::Path,
};

use bevy::{
    image::{Image, ImageFormat},
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
};

use lanternfell_files::usage::print_error;

use crate::{args::HeadlessArgs, off_screen::OffScreen, rest::Rest, systems::ScreenshotSystems};

/// The minimum number of frames to render after a wait in which frames were skipped: the pipelines of new content still
/// have to be compiled.
const AFTER_REST: u32 = 3;

/// Takes the screenshot that the arguments request.
pub(crate) struct PicturePlugin(pub(crate) HeadlessArgs);

impl Plugin for PicturePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Countdown {
            frames: self.0.frames,
            args: self.0.clone(),
            begun: false,
            done: false,
        })
        .add_systems(Last, count_down.in_set(ScreenshotSystems));
    }
}

#[derive(Resource)]
struct Countdown {
    /// Frames that remain to be rendered.
    frames: u32,
    args: HeadlessArgs,
    begun: bool,
    done: bool,
}

fn count_down(
    mut countdown: ResMut<Countdown>,
    image: Option<Res<OffScreen>>,
    rest: Option<ResMut<Rest>>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    if countdown.done {
        return;
    }
    if let Some(mut rest) = rest {
        if !countdown.begun && rest.is_taken() {
            countdown.frames = countdown.frames.max(AFTER_REST);
        }
        let drawn = countdown.args.draw_last;
        rest.is_skipped = drawn.is_some_and(|last| countdown.frames > last);
    }
    countdown.begun = true;
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

fn save_and_end(
    captured: On<ScreenshotCaptured>,
    countdown: Res<Countdown>,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(path) = &countdown.args.screenshot else {
        return;
    };
    let end = match save_screenshot(&captured.image, path) {
        Ok(()) => AppExit::Success,
        Err(error) => {
            let path = path.display();
            print_error(&format!("cannot write {path}: {error}"));
            AppExit::error()
        }
    };
    exit.write(end);
}

/// Saves an image as a PNG file. The file is written atomically, so `path` never contains a partial image. In a
/// browser, it becomes a download with this file name.
///
/// # Errors
///
/// If the pixel format of the image is not supported by PNG, or if the file cannot be written.
pub fn save_screenshot(image: &Image, path: &Path) -> io::Result<()> {
    let picture = image.clone().try_into_dynamic().map_err(io::Error::other)?;
    let format = ImageFormat::Png
        .as_image_crate_format()
        .ok_or_else(|| io::Error::other("PNG support is not compiled in"))?;
    let mut file = Cursor::new(Vec::new());
    // Without alpha, which is not opacity on an HDR camera.
    let written = picture.to_rgb8().write_to(&mut file, format);
    written.map_err(io::Error::other)?;
    if cfg!(target_arch = "wasm32") {
        return download(path, file.get_ref());
    }
    lanternfell_files::write(path, file.get_ref())
}

fn download(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match crate::web_page::offer_file(&name, bytes) {
        true => Ok(()),
        false => Err(io::Error::other("the page does not accept downloads")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draw_last_renders_only_the_last_frames() {
        let args = HeadlessArgs {
            headless: true,
            frames: 3,
            draw_last: Some(1),
            ..default()
        };
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, crate::rest::plugin, PicturePlugin(args)));
        let camera = app.world_mut().spawn(Camera::default()).id();
        let drawn = [(); 4].map(|()| {
            app.update();
            app.world().get::<Camera>(camera).unwrap().is_active
        });
        assert_eq!(drawn, [false, false, true, true]);
    }
}
