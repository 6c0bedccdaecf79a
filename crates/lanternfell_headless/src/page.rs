//! An app in the page of a browser.

use bevy::prelude::*;

/// A window of this title. In a browser it is the page's canvas (`lanternfell_page::CANVAS`), as
/// large as what the canvas lies in, and keys and touches do not scroll the page.
pub fn window(title: &str) -> Window {
    Window {
        title: title.into(),
        canvas: cfg!(target_arch = "wasm32").then(|| lanternfell_page::CANVAS.into()),
        fit_canvas_to_parent: true,
        prevent_default_event_handling: true,
        ..default()
    }
}

/// Tells the page when there is something to see.
pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Last, tell_when_drawn);
}

/// What is spawned in the first frame is drawn in the second, or later where shaders are compiled.
const FRAMES: u32 = 3;

fn tell_when_drawn(mut frames: Local<u32>) {
    if *frames < FRAMES {
        *frames += 1;
        if *frames == FRAMES {
            lanternfell_page::first_frame_is_drawn();
        }
    }
}
