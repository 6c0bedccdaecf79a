//! Uploads whole rows of a texture: of one that is filled over several frames before it is used, or of one in use that
//! an edit has changed.

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

/// Some whole rows of a mip level of an image.
pub(crate) struct Strip {
    pub(crate) image: AssetId<Image>,
    pub(crate) rows: Rows,
}

/// Whole rows of texels.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The mip level.
    pub(crate) level: u32,
    pub(crate) first: u32,
    /// The number of texels in a row.
    pub(crate) width: u32,
    pub(crate) texel_bytes: u32,
    pub(crate) texels: Vec<u8>,
}

impl Rows {
    fn row_bytes(&self) -> u32 {
        self.width * self.texel_bytes
    }

    pub(crate) fn count(&self) -> u32 {
        self.texels.len() as u32 / self.row_bytes()
    }
}

impl Strip {
    fn write(&self, image: &GpuImage, queue: &RenderQueue) {
        let rows = &self.rows;
        let mut target = image.texture.as_image_copy();
        target.mip_level = rows.level;
        target.origin = Origin3d {
            x: 0,
            y: rows.first,
            z: 0,
        };
        let layout = TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(rows.row_bytes()),
            rows_per_image: None,
        };
        let size = Extent3d {
            width: rows.width,
            height: rows.count(),
            depth_or_array_layers: 1,
        };
        queue.write_texture(target, &rows.texels, layout, size);
    }
}

/// The strips that this frame uploads.
#[derive(Resource, Default)]
pub(crate) struct Strips(pub(crate) Vec<Strip>);

impl Strips {
    /// Adds rows of an image of `world`. Does nothing in an app without a renderer.
    pub(crate) fn write(
        world: &mut World,
        image: AssetId<Image>,
        rows: impl IntoIterator<Item = Rows>,
    ) {
        if let Some(mut strips) = world.get_resource_mut::<Self>() {
            let rows = rows.into_iter();
            strips.0.extend(rows.map(|rows| Strip { image, rows }));
        }
    }

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
