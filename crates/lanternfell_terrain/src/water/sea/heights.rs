//! The height texture of a terrain, from which the sea computes its depth. The lowest bit of a
//! height marks the [mouths](super::mouths) of rivers.
//!
//! Problem: the texture of a large map has 16 MB. A frame should not upload more than a few
//! megabytes, or it is late.
//!
//! Idea: the image asset has a size but no data. The texels are built in the background in strips
//! of a few rows, and the render queue writes them into the existing texture. The texture is not
//! used before the last strip is written: new terrain replaces the old one as soon as its meshes
//! and its texture are complete.
//!
//! ```text
//! background    HeightTexels: strips ─┐
//! main world      as many as fit into the frame ── Strips ───────┐
//! render world                                                   └──> queue: into the texture
//! ```
//!
//! The water's depth and foam come from this texture, so they need no depth prepass. The shader
//! interpolates the texels itself, because WebGL2 does not filter 32-bit floats.

use std::{ops::Range, vec};

use bevy::{
    asset::RenderAssetUsages,
    prelude::*,
    render::render_resource::{
        Extent3d, TextureDescriptor, TextureDimension, TextureFormat, TextureUsages,
    },
};
use lanternfell_tasks::pause;

use super::mouths::Mouths;

use crate::{
    cells::texel_cell,
    ground::{SurfaceChange, TerrainSurface},
    upload::{Rows, Strip, Strips},
    water::texels,
};

const TEXEL_BYTES: u32 = 4;
/// Rows per strip, which has at most 256 KiB. The task yields between two strips.
const STRIP_ROWS: u32 = 32;

/// Heights in meters, for a texture that is filled over several frames.
pub(crate) struct HeightTexels {
    size: UVec2,
    /// The remaining strips, in order.
    strips: vec::IntoIter<Rows>,
    /// Created with the first strip.
    image: Option<Handle<Image>>,
}

impl HeightTexels {
    pub(crate) async fn of(ground: &TerrainSurface) -> Self {
        let size = texels(ground);
        let all = 0..size.y;
        Self {
            size,
            strips: strips(ground, &Mouths::of(ground), all).await.into_iter(),
            image: None,
        }
    }

    /// Uploads strips until the budget `left` (in bytes) is used up. Returns whether all strips
    /// have been uploaded.
    pub(crate) fn upload(
        &mut self,
        images: &mut Assets<Image>,
        strips: &mut Strips,
        left: &mut usize,
    ) -> bool {
        let size = self.size;
        let image = self.image.get_or_insert_with(|| images.add(empty(size)));
        while let Some(next) = self.strips.as_slice().first() {
            // A strip is never split. The budget of a frame must therefore exceed one strip, or the
            // upload would never end.
            let Some(rest) = left.checked_sub(next.texels.len()) else {
                return false;
            };
            *left = rest;
            let image = image.id();
            let next = self.strips.by_ref().take(1);
            strips.0.extend(next.map(|rows| Strip { image, rows }));
        }
        true
    }

    /// The image, or `None` if strips remain.
    pub(crate) fn into_image(self) -> Option<Handle<Image>> {
        self.image.filter(|_| self.strips.as_slice().is_empty())
    }
}

/// The texels that show rows of the map in which edits have changed the terrain.
pub(crate) async fn changed_rows(ground: &TerrainSurface, change: &SurfaceChange) -> Vec<Rows> {
    let (texels, cells) = (texels(ground).y, ground.map().height());
    let shows = |y: &u32| {
        let cell = texel_cell(*y, texels, cells);
        change.ranges().any(|[_, rows]| rows.contains(&cell))
    };
    let mouths = Mouths::of(ground);
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(first) = (next..texels).find(|y| shows(y)) {
        next = (first..texels).find(|y| !shows(y)).unwrap_or(texels);
        found.extend(strips(ground, &mouths, first..next).await);
    }
    found
}

/// The texels of some rows.
async fn strips(ground: &TerrainSurface, mouths: &Mouths, rows: Range<u32>) -> Vec<Rows> {
    let (map, relief) = (ground.map(), ground.surface().scale().relief);
    let size = texels(ground);
    let mut strips = Vec::new();
    let mut heights = vec![0.0; size.x as usize];
    for first in rows.clone().step_by(STRIP_ROWS as usize) {
        // Yields before the work of a strip, so that a canceled task ends without it.
        pause().await;
        let rows = first..rows.end.min(first + STRIP_ROWS);
        let mut texels = Vec::with_capacity(rows.len() * (size.x * TEXEL_BYTES) as usize);
        for y in rows {
            let row = map.row(texel_cell(y, size.y, map.height()));
            for (x, height) in (0..).zip(&mut heights) {
                *height = row[texel_cell(x, size.x, map.width())] * relief;
            }
            // Marks are set after all heights of the row are computed. They are in the lowest
            // bits, and a later multiplication would destroy them.
            mouths.mark(y, &mut heights);
            // wgpu expects little-endian texels on every platform.
            texels.extend(heights.iter().flat_map(|height| height.to_le_bytes()));
        }
        strips.push(Rows {
            level: 0,
            first,
            width: size.x,
            texel_bytes: TEXEL_BYTES,
            texels,
        });
    }
    strips
}

/// An image without data. On the GPU it is an ordinary texture with undefined contents.
fn empty(size: UVec2) -> Image {
    Image {
        data: None,
        texture_descriptor: TextureDescriptor {
            label: Some("terrain_heights"),
            size: Extent3d {
                width: size.x,
                height: size.y,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            format: TextureFormat::R32Float,
            // `COPY_DST` for the writes of the queue.
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        },
        asset_usage: RenderAssetUsages::RENDER_WORLD,
        ..default()
    }
}

#[cfg(test)]
mod tests {
    use std::mem;

    use bevy::tasks::block_on;
    use lanternfell_heightmap::{Heightmap, MapSize, Progress, Scale};
    use lanternfell_surface::HeightPyramid;

    use super::*;
    use crate::{ground::input::GroundInput, map::TerrainMap};

    fn texels(width: u64, height: u64) -> (HeightTexels, Heightmap) {
        let size = MapSize::new(width, height).unwrap();
        let heights = (0..size.cells()).map(|cell| (cell * 7 % 1013) as f32 / 1012.0);
        let map = Heightmap::from_heights(size, heights.collect()).unwrap();
        let pyramid = HeightPyramid::of(&map, &Progress::default()).unwrap();
        let scale = Scale {
            spacing: 1.0,
            relief: 50.0,
        };
        let source = TerrainMap::from(map.clone());
        let input = GroundInput::Map {
            map: source.clone(),
            scale: Some(scale),
            inland: None,
        };
        let ground = TerrainSurface::new(input, source, scale, pyramid);
        (block_on(HeightTexels::of(&ground)), map)
    }

    /// Uploads with a budget of `a_frame` bytes per frame. Returns the strips of each frame.
    fn frames(mut texels: HeightTexels, a_frame: usize) -> (Vec<Vec<Strip>>, Handle<Image>) {
        let (mut images, mut strips) = (Assets::default(), Strips::default());
        let mut frames = Vec::new();
        loop {
            let mut left = a_frame;
            let is_done = texels.upload(&mut images, &mut strips, &mut left);
            frames.push(mem::take(&mut strips.0));
            if is_done {
                let image = texels.into_image().unwrap();
                assert!(images.get(&image).unwrap().data.is_none());
                return (frames, image);
            }
        }
    }

    #[test]
    fn uploads_whole_map_within_frame_budget() {
        for (width, height) in [(2, 2), (33, 65), (300, 31), (2048, 700)] {
            for a_frame in [300 << 10, 2 << 20] {
                let (texels, map) = texels(width, height);
                let (frames, image) = frames(texels, a_frame);
                let mut all = Vec::new();
                for frame in frames {
                    let bytes: usize = frame.iter().map(|strip| strip.rows.texels.len()).sum();
                    assert!(bytes <= a_frame, "{bytes} of {a_frame}");
                    for strip in frame {
                        assert_eq!(strip.image, image.id());
                        let row = all.len() / (4 * width as usize);
                        let rows = strip.rows;
                        assert_eq!((rows.first as usize, rows.width as u64), (row, width));
                        all.extend(rows.texels);
                    }
                }
                let meters = all
                    .as_chunks::<4>()
                    .0
                    .iter()
                    .map(|bytes| f32::from_le_bytes(*bytes));
                // Without rivers no height is marked.
                let unmarked = |meters: f32| f32::from_bits(meters.to_bits() & !1);
                assert!(meters.eq(map.heights().iter().map(|z| unmarked(z * 50.0))));
            }
        }
    }

    #[test]
    fn large_map_is_downsampled_to_2048_texels() {
        let (texels, _) = texels(5000, 40);
        assert_eq!(texels.size, UVec2::new(2048, 40));
        let (frames, _) = frames(texels, 2 << 20);
        assert_eq!(frames.len(), 1);
    }
}
