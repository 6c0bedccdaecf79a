//! F12 saves a screenshot in the current folder.

use std::path::PathBuf;

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
};
use lanternfell::headless::save_screenshot;

use crate::save::LastSaved;

pub fn plugin(app: &mut App) {
    app.init_resource::<LastSaved>()
        .add_systems(Update, take_picture);
}

fn take_picture(keys: Res<ButtonInput<KeyCode>>, mut commands: Commands) {
    if keys.just_pressed(KeyCode::F12) {
        commands.spawn(Screenshot::primary_window()).observe(save);
    }
}

fn save(captured: On<ScreenshotCaptured>, mut last: ResMut<LastSaved>) {
    let path = free_name();
    last.0 = match save_screenshot(&captured.image, &path) {
        Ok(()) => format!("saved {}", path.display()),
        Err(error) => format!("cannot save {}: {error}", path.display()),
    };
    info!("{}", last.0);
}

/// The first name among island-1.png, island-2.png, ... that does not exist.
fn free_name() -> PathBuf {
    (1..)
        .map(|number| PathBuf::from(format!("island-{number}.png")))
        .find(|path| !path.exists())
        .unwrap_or_else(|| "island.png".into())
}
