//! Writes parts of images directly into GPU textures.
//!
//! When an image asset changes, Bevy uploads all of it, and may replace its texture and everything
//! that binds it. That is too slow for light that changes a little in each frame. For example, a
//! moving lamp on a map of 1024 x 1024 cells changes some tens of kilobytes of a texture of four
//! megabytes. Therefore the main world sends changed parts to the render world as patches, and the
//! render queue writes them into the existing texture.

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

/// Texels for a part of an image.
#[derive(Debug)]
pub(crate) struct TexturePatch {
    pub(crate) image: AssetId<Image>,
    pub(crate) first: UVec2,
    pub(crate) size: UVec2,
    /// Row by row.
    pub(crate) texels: Vec<u8>,
}

/// The patches that the render world has not taken yet, in the order in which they were created.
#[derive(Resource, Default)]
pub(crate) struct TexturePatches(Vec<TexturePatch>);

impl TexturePatches {
    /// Whether the render world has taken all patches.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there are patches for this image that the render world has not taken.
    pub(crate) fn has(&self, image: AssetId<Image>) -> bool {
        self.0.iter().any(|patch| patch.image == image)
    }

    pub(crate) fn push(&mut self, patch: TexturePatch) {
        self.0.push(patch);
    }

    /// Adds a patch that covers its whole image, and drops earlier patches of this image.
    pub(crate) fn push_whole(&mut self, patch: TexturePatch) {
        self.0.retain(|before| before.image != patch.image);
        self.0.push(patch);
    }
}

/// The image that shows the light of the map, except for the grid's dirty tiles. `None` before
/// there is an image.
#[derive(Debug, Default)]
pub(crate) struct ShownBy(pub(crate) Option<AssetId<Image>>);

impl Clone for ShownBy {
    /// No image shows the light of a clone.
    fn clone(&self) -> Self {
        Self(None)
    }
}

/// In the render world: patches whose GPU image may not be ready yet.
#[derive(Resource, Default)]
struct Waiting(Vec<TexturePatch>);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<TexturePatches>();
    if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
        render_app
            .init_resource::<Waiting>()
            .add_systems(ExtractSchedule, take_patches)
            .add_systems(
                Render,
                write_patches.in_set(RenderSystems::PrepareResources),
            );
    }
}

fn take_patches(mut main: ResMut<MainWorld>, mut waiting: ResMut<Waiting>) {
    if !waiting.0.is_empty() {
        let images = main.resource::<Assets<Image>>();
        waiting.0.retain(|patch| images.contains(patch.image));
    }
    // Otherwise the main world keeps its patches, and creates no more.
    if waiting.0.is_empty() {
        waiting.0 = mem::take(&mut main.resource_mut::<TexturePatches>().0);
    }
}

fn write_patches(
    mut waiting: ResMut<Waiting>,
    images: Res<RenderAssets<GpuImage>>,
    queue: Res<RenderQueue>,
) {
    waiting.0.retain(|patch| {
        let Some(image) = images.get(patch.image) else {
            return true;
        };
        write(patch, image, &queue);
        false
    });
}

fn write(patch: &TexturePatch, image: &GpuImage, queue: &RenderQueue) {
    // The image may have been replaced by a smaller one.
    if (patch.first + patch.size).cmpgt(image.size_2d()).any() {
        return;
    }
    let mut target = image.texture.as_image_copy();
    target.origin = Origin3d {
        x: patch.first.x,
        y: patch.first.y,
        z: 0,
    };
    let rows = TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(patch.texels.len() as u32 / patch.size.y),
        rows_per_image: None,
    };
    let size = Extent3d {
        width: patch.size.x,
        height: patch.size.y,
        depth_or_array_layers: 1,
    };
    queue.write_texture(target, &patch.texels, rows, size);
}
