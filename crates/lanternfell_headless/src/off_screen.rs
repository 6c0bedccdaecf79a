//! Renders to an image instead of a window.

use std::time::Duration;

use bevy::{
    camera::RenderTarget, prelude::*, render::render_resource::TextureFormat,
    time::TimeUpdateStrategy, window::WindowRef,
};

use crate::rest;

/// The clock advances by this much with each rendered frame.
const FRAME: Duration = Duration::from_nanos(16_666_666);

/// The image that replaces the window.
#[derive(Resource)]
pub(crate) struct OffScreen(pub(crate) Handle<Image>);

pub(crate) struct OffScreenPlugin {
    pub(crate) size: UVec2,
}

impl Plugin for OffScreenPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
            .add_plugins(rest::plugin)
            .add_observer(redirect_camera);
    }

    fn finish(&self, app: &mut App) {
        let image = Image::new_target_texture(
            self.size.x,
            self.size.y,
            TextureFormat::Rgba8UnormSrgb,
            None,
        );
        let handle = app.world_mut().resource_mut::<Assets<Image>>().add(image);
        app.insert_resource(OffScreen(handle));
    }
}

/// Redirects a camera from the primary window to the image.
fn redirect_camera(
    insert: On<Insert, RenderTarget>,
    targets: Query<&RenderTarget>,
    image: Res<OffScreen>,
    mut commands: Commands,
) {
    let to_window =
        |target: &RenderTarget| matches!(target, RenderTarget::Window(WindowRef::Primary));
    if targets.get(insert.entity).is_ok_and(to_window) {
        let target = RenderTarget::Image(image.0.clone().into());
        commands.entity(insert.entity).insert(target);
    }
}
