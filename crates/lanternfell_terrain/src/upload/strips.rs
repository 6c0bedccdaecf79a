//! Uploads whole rows of a texture that is filled over several frames before it is used.

use std::mem;

use bevy::{
    prelude::*,
    render::{
        ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems,
        render_asset::RenderAssets,
        render_resource::{Extent3d, Origin3d, TexelCopyBufferLayout},
        renderer::RenderQueue,
        texture::GpuImage,
    },
};

/// The same for all formats that are written.
const TEXEL_BYTES: u32 = 4;

/// Some whole rows of an image.
pub(crate) struct Strip {
    pub(crate) image: AssetId<Image>,
    pub(crate) first_row: u32,
    pub(crate) width: u32,
    pub(crate) texels: Vec<u8>,
}

impl Strip {
    fn row_bytes(&self) -> u32 {
        self.width * TEXEL_BYTES
    }

    pub(crate) fn rows(&self) -> u32 {
        self.texels.len() as u32 / self.row_bytes()
    }

    fn write(&self, image: &GpuImage, queue: &RenderQueue) {
        let mut target = image.texture.as_image_copy();
        target.origin = Origin3d {
            x: 0,
            y: self.first_row,
            z: 0,
        };
        let layout = TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(self.row_bytes()),
            rows_per_image: None,
        };
        let size = Extent3d {
            width: self.width,
            height: self.rows(),
            depth_or_array_layers: 1,
        };
        queue.write_texture(target, &self.texels, layout, size);
    }
}

/// The strips that this frame uploads.
#[derive(Resource, Default)]
pub(crate) struct Strips(pub(crate) Vec<Strip>);

impl Strips {
    /// Drops strips that were not extracted, because the app does not render.
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }
}

/// The queue in the render world: strips whose image may not be prepared yet.
#[derive(Resource, Default)]
struct Waiting(Vec<Strip>);

/// Systems that need a renderer.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Strips>();
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .init_resource::<Waiting>()
            .add_systems(ExtractSchedule, take_strips)
            .add_systems(Render, write_strips.in_set(RenderSystems::PrepareResources));
    }
}

fn take_strips(mut main: ResMut<MainWorld>, mut waiting: ResMut<Waiting>) {
    let strips = mem::take(&mut main.resource_mut::<Strips>().0);
    waiting.0.extend(strips);
    if !waiting.0.is_empty() {
        let images = main.resource::<Assets<Image>>();
        waiting.0.retain(|strip| images.contains(strip.image));
    }
}

fn write_strips(
    mut waiting: ResMut<Waiting>,
    images: Res<RenderAssets<GpuImage>>,
    queue: Res<RenderQueue>,
) {
    waiting.0.retain(|strip| {
        let Some(image) = images.get(strip.image) else {
            return true;
        };
        strip.write(image, &queue);
        false
    });
}
