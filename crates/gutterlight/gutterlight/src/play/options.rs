//! The current settings as a resource.

use crate::settings::Settings;
use bevy::{
    input::common_conditions::input_just_pressed,
    prelude::*,
    window::{MonitorSelection, WindowMode},
};

/// The current settings.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Options(pub Settings);

/// The key that toggles full screen. It cannot be rebound.
pub const FULL_SCREEN: KeyCode = KeyCode::F11;

pub fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        (
            toggle.run_if(input_just_pressed(FULL_SCREEN)),
            fill_screen.run_if(resource_exists_and_changed::<Options>),
        )
            .chain(),
    );
}

fn toggle(mut options: ResMut<Options>) {
    options.full_screen = !options.full_screen;
}

fn fill_screen(options: Res<Options>, mut windows: Query<&mut Window>) {
    let mode = match options.full_screen {
        true => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
        false => WindowMode::Windowed,
    };
    for mut window in &mut windows {
        if window.mode != mode {
            window.mode = mode;
        }
    }
}
