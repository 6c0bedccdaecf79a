//! The window of the app. In a browser, it is the canvas of the page.

use bevy::{
    prelude::*,
    render::{Render, RenderApp, RenderSystems, render_resource::PipelineCache},
};

use crate::web_page;

/// Creates a window with this title.
///
/// In a browser, the window is the canvas of the page ([`web_page::CANVAS`]). It fills the parent
/// of the canvas, and prevents keys and touches from scrolling the page.
pub fn window(title: &str) -> Window {
    Window {
        title: title.into(),
        canvas: cfg!(target_arch = "wasm32").then(|| web_page::CANVAS.into()),
        fit_canvas_to_parent: true,
        prevent_default_event_handling: true,
        ..default()
    }
}

/// Hides the page's loading bar after the first complete frame.
pub(crate) fn plugin(app: &mut App) {
    if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
        renderer.add_systems(Render, detect_first_frame.in_set(RenderSystems::Cleanup));
    }
}

/// The scene counts as rendered after this many consecutive frames without a new pipeline. A
/// browser compiles shaders between frames. This can take seconds, during which nothing moves.
const FRAMES: u32 = 4;

fn detect_first_frame(cache: Res<PipelineCache>, mut known: Local<usize>, mut frames: Local<u32>) {
    if *frames == FRAMES {
        return;
    }
    let count = cache.pipelines().count();
    *frames = match count == *known && count > 0 {
        true => *frames + 1,
        false => 0,
    };
    *known = count;
    if *frames == FRAMES {
        web_page::first_frame_is_drawn();
    }
}
