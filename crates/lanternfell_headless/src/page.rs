//! An app in the page of a browser.

use bevy::{
    prelude::*,
    render::{Render, RenderApp, RenderSystems, render_resource::PipelineCache},
};

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
    if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
        renderer.add_systems(Render, tell_when_drawn.in_set(RenderSystems::Cleanup));
    }
}

/// So many frames in a row without another pipeline: what is seen first is drawn then. A browser compiles shaders
/// between frames, for seconds, and until they are through nothing moves.
const FRAMES: u32 = 4;

fn tell_when_drawn(cache: Res<PipelineCache>, mut known: Local<usize>, mut frames: Local<u32>) {
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
        lanternfell_page::first_frame_is_drawn();
    }
}
