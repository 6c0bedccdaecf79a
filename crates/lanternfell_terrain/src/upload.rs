//! Uploads large textures over several frames.
//!
//! Bevy uploads an image asset with data in the frame in which it is added, and 16 terrain layers have 43 MiB. So these
//! images are created without data, and their texels follow in pieces, about [`BYTES`] per frame.

mod strips;

use std::{
    collections::VecDeque,
    mem,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

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

pub(crate) use strips::{Rows, Strip, Strips};

/// The upload budget of one frame and the destinations of uploads, besides meshes.
pub(crate) struct FrameUploads<'a> {
    /// `None` without a renderer. The same applies to `strips`.
    pub(crate) images: Option<&'a mut Assets<Image>>,
    pub(crate) strips: Option<&'a mut Strips>,
    /// Bytes left in this frame's budget.
    pub(crate) left: &'a mut usize,
}

/// The maximum number of bytes per frame. A larger piece is written alone.
const BYTES: usize = 2 << 20;

/// The texels of one mip level of one layer of an image with four bytes per texel.
pub(crate) struct Piece {
    pub(crate) image: AssetId<Image>,
    pub(crate) level: u32,
    pub(crate) layer: u32,
    pub(crate) size: u32,
    pub(crate) texels: Vec<u8>,
    /// Decremented when the piece has been written.
    pub(crate) left: Arc<AtomicUsize>,
}

/// Pieces of the main world to upload, in order of creation.
#[derive(Resource, Default)]
pub(crate) struct Uploads(pub(crate) Vec<Piece>);

/// The queue in the render world.
#[derive(Resource, Default)]
struct Waiting(VecDeque<Piece>);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Uploads>().add_plugins(strips::plugin);
    if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
        render_app
            .init_resource::<Waiting>()
            .add_systems(ExtractSchedule, take_pieces)
            .add_systems(Render, write_pieces.in_set(RenderSystems::PrepareResources));
    }
}

fn take_pieces(mut main: ResMut<MainWorld>, mut waiting: ResMut<Waiting>) {
    if !waiting.0.is_empty() {
        let images = main.resource::<Assets<Image>>();
        waiting.0.retain(|piece| images.contains(piece.image));
    }
    let new = mem::take(&mut main.resource_mut::<Uploads>().0);
    waiting.0.extend(new);
}

fn write_pieces(
    mut waiting: ResMut<Waiting>,
    images: Res<RenderAssets<GpuImage>>,
    queue: Res<RenderQueue>,
) {
    let mut room = BYTES;
    while let Some(piece) = waiting.0.front() {
        // In order, because images are prepared in the order in which they were added.
        let Some(image) = images.get(piece.image) else {
            return;
        };
        if piece.texels.len() > room && room < BYTES {
            return;
        }
        room = room.saturating_sub(piece.texels.len());
        write(piece, image, &queue);
        piece.left.fetch_sub(1, Ordering::Relaxed);
        waiting.0.pop_front();
    }
}

fn write(piece: &Piece, image: &GpuImage, queue: &RenderQueue) {
    let mut target = image.texture.as_image_copy();
    target.mip_level = piece.level;
    target.origin = Origin3d {
        x: 0,
        y: 0,
        z: piece.layer,
    };
    let rows = TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(piece.size * 4),
        rows_per_image: None,
    };
    let size = Extent3d {
        width: piece.size,
        height: piece.size,
        depth_or_array_layers: 1,
    };
    queue.write_texture(target, &piece.texels, rows, size);
}
