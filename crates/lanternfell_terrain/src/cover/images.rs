//! A control map as textures.

use std::{iter, ops::Range};

use bevy::{
    asset::RenderAssetUsages,
    image::{Image, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use lanternfell_surface::layers::{ChangedRows, ControlMap};

use crate::upload::{Rows, Strips};

/// The images of a control map before they are assets.
pub(crate) enum CoverImages {
    New {
        layers: Box<Image>,
        relief: Box<Image>,
    },
    /// Some rows of textures in use.
    Rows {
        of: CoverTextureIds,
        layers: Vec<Rows>,
        relief: Vec<Rows>,
    },
}

/// The textures of a terrain's cover that the terrain shader reads. On the terrain's entity.
#[derive(Component, Debug, Clone, PartialEq, Eq)]
pub(crate) struct CoverTextures {
    pub(crate) layers: Handle<Image>,
    pub(crate) relief: Handle<Image>,
}

/// The textures in use, which a background task must not keep alive.
pub(crate) type CoverTextureIds = [AssetId<Image>; 2];

impl CoverTextures {
    pub(crate) fn ids(&self) -> CoverTextureIds {
        [self.layers.id(), self.relief.id()]
    }
}

impl CoverImages {
    pub(crate) fn new(map: &ControlMap, levels: &ReliefLevels) -> Self {
        let mut bytes = map.relief().as_flattened().to_vec();
        for (_, texels) in &levels.0 {
            bytes.extend_from_slice(texels.as_flattened());
        }
        let mut relief = image(size(map), bytes, TextureFormat::Rgba8Unorm);
        relief.texture_descriptor.mip_level_count = 1 + levels.0.len() as u32;
        relief.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor::linear());
        Self::New {
            layers: Box::new(layers(map)),
            relief: Box::new(relief),
        }
    }

    /// Builds rows for textures of a map in which some rows have changed.
    pub(crate) fn of_rows(
        of: CoverTextureIds,
        map: &ControlMap,
        levels: &ReliefLevels,
        changed: &ChangedRows,
    ) -> Self {
        let (texels, size) = (map.texels().as_flattened(), size(map));
        let layers = changed.texels.iter();
        let layers = layers.map(|rows| part(texels, 0, size, 2, rows.clone()));
        let first = (size, map.relief());
        let further = levels.0.iter().map(|(size, texels)| (*size, &texels[..]));
        let mut relief = Vec::new();
        for (level, (size, texels)) in iter::once(first).chain(further).enumerate() {
            for rows in &changed.relief {
                let rows = rows_of_level(rows, level, size);
                relief.push(part(texels.as_flattened(), level as u32, size, 4, rows));
            }
        }
        Self::Rows {
            of,
            layers: layers.collect(),
            relief,
        }
    }

    /// Adds or updates the textures. `before` are the current ones. Where they do not suffice, the textures of `map` are
    /// built as a whole. Returns `None` without `Assets<Image>`.
    pub(crate) fn show(
        self,
        world: &mut World,
        map: &ControlMap,
        before: Option<CoverTextures>,
    ) -> Option<CoverTextures> {
        match (self, before) {
            (Self::Rows { of, layers, relief }, Some(before)) if of == before.ids() => {
                Strips::write(world, before.layers.id(), layers);
                Strips::write(world, before.relief.id(), relief);
                Some(before)
            }
            (Self::New { layers, relief }, _) => {
                let mut images = world.get_resource_mut::<Assets<Image>>()?;
                Some(CoverTextures {
                    layers: images.add(*layers),
                    relief: images.add(*relief),
                })
            }
            (Self::Rows { .. }, _) => Self::new(map, &ReliefLevels::of(map)).show(world, map, None),
        }
    }
}

fn layers(map: &ControlMap) -> Image {
    let bytes = map.texels().as_flattened().to_vec();
    image(size(map), bytes, TextureFormat::Rg8Unorm)
}

/// Some rows of a mip level.
fn part(texels: &[u8], level: u32, size: UVec2, texel_bytes: u32, rows: Range<usize>) -> Rows {
    let row_bytes = (size.x * texel_bytes) as usize;
    Rows {
        level,
        first: rows.start as u32,
        width: size.x,
        texel_bytes,
        texels: texels[rows.start * row_bytes..rows.end * row_bytes].to_vec(),
    }
}

fn size(map: &ControlMap) -> UVec2 {
    UVec2::new(map.size().width() as u32, map.size().height() as u32)
}

/// An image whose first mip level has this size. `bytes` may include more levels.
fn image(size: UVec2, bytes: Vec<u8>, format: TextureFormat) -> Image {
    let mut image = Image::new_uninit(
        Extent3d {
            width: size.x,
            height: size.y,
            depth_or_array_layers: 1,
        },
        TextureDimension::D2,
        format,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.data = Some(bytes);
    image
}

/// The smaller mip levels of the relief of a control map, with their sizes. Each texel is the mean of four texels of the
/// level before.
#[derive(Debug, Clone)]
pub(crate) struct ReliefLevels(Vec<(UVec2, Vec<[u8; 4]>)>);

impl ReliefLevels {
    pub(crate) fn of(map: &ControlMap) -> Self {
        let all = 0..map.size().height();
        Self::new(size(map), map.relief(), all)
    }

    fn new(mut size: UVec2, texels: &[[u8; 4]], all: Range<usize>) -> Self {
        let mut levels = Self(Vec::new());
        let whole = size;
        while size.max_element() > 1 {
            size = (size / 2).max(UVec2::ONE);
            levels
                .0
                .push((size, vec![[0; 4]; (size.x * size.y) as usize]));
        }
        levels.update_rows(whole, texels, &[all]);
        levels
    }

    /// Follows changed rows of the map.
    pub(crate) fn update(&mut self, map: &ControlMap, rows: &[Range<usize>]) {
        self.update_rows(size(map), map.relief(), rows);
    }

    fn update_rows(&mut self, size: UVec2, texels: &[[u8; 4]], rows: &[Range<usize>]) {
        let mut before = (size, texels);
        for (level, (size, texels)) in self.0.iter_mut().enumerate() {
            for rows in rows {
                for y in rows_of_level(rows, level + 1, *size) {
                    let width = size.x as usize;
                    halve(before, y as u32, &mut texels[y * width..][..width]);
                }
            }
            before = (*size, &texels[..]);
        }
    }
}

/// The rows of a mip level that depend on these rows of the first level.
fn rows_of_level(rows: &Range<usize>, level: usize, size: UVec2) -> Range<usize> {
    let end = (((rows.end - 1) >> level) + 1).min(size.y as usize);
    (rows.start >> level).min(end - 1)..end
}

/// Computes row `y` of the next mip level.
fn halve((size, texels): (UVec2, &[[u8; 4]]), y: u32, row: &mut [[u8; 4]]) {
    let last = size - 1;
    let texel = |x: u32, y: u32| texels[(y.min(last.y) * size.x + x.min(last.x)) as usize];
    for (x, out) in (0..).zip(row) {
        let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| texel(2 * x + dx, 2 * y + dy));
        let mean = |part: usize| {
            let sum: u32 = four.iter().map(|texel| u32::from(texel[part])).sum();
            ((sum + 2) / 4) as u8
        };
        *out = [0, 1, 2, 3].map(mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mip_levels_are_means_down_to_one_texel() {
        let texels: Vec<[u8; 4]> = (0..12).map(|k| [k * 20, 100, 0, 255]).collect();
        let levels = ReliefLevels::new(UVec2::new(4, 3), &texels, 0..3);
        let sizes: Vec<UVec2> = levels.0.iter().map(|(size, _)| *size).collect();
        assert_eq!(sizes, [UVec2::new(2, 1), UVec2::ONE]);
        assert_eq!(levels.0[0].1[0], [50, 100, 0, 255]);
        assert_eq!(levels.0[1].1[0], [70, 100, 0, 255]);
    }

    /// Writes rows into the data of an image, as the GPU does.
    fn write(image: &mut Image, texel_bytes: u32, all: Vec<Rows>) {
        let size = image.texture_descriptor.size;
        let data = image.data.as_mut().unwrap();
        for rows in all {
            let before = (0..rows.level).map(|level| {
                ((size.width >> level).max(1) * (size.height >> level).max(1) * texel_bytes)
                    as usize
            });
            assert_eq!(rows.width, (size.width >> rows.level).max(1));
            let start = before.sum::<usize>() + (rows.first * rows.width * texel_bytes) as usize;
            data[start..start + rows.texels.len()].copy_from_slice(&rows.texels);
        }
    }

    #[test]
    fn rows_turn_old_images_into_those_of_the_edited_map() {
        use lanternfell_heightmap::{Heightmap, MapSize, Progress, Scale};
        use lanternfell_surface::layers::{LayerRule, LayerRules};

        let scale = Scale {
            spacing: 1.0,
            relief: 30.0,
        };
        let steep = LayerRule {
            weight: 2.0,
            slope: lanternfell_heightmap::Band {
                from: Some(20.0),
                ..default()
            },
            ..default()
        };
        let rules = LayerRules {
            rules: vec![LayerRule::default(), steep],
            ..default()
        };
        for (width, height, edited) in [(70, 90, 40..55), (33, 200, 0..9), (64, 64, 63..64)] {
            let size = MapSize::new(width, height).unwrap();
            let map = Heightmap::from_fn(size, |x, y| (x * y % 7) as f32 / 30.0).unwrap();
            let mut new = map.clone();
            for y in edited.clone() {
                new.set(20, y, 0.9).unwrap();
            }
            let progress = Progress::default();
            let builder = ControlMap::builder(&rules).unedited(&map);
            let made = builder.with_inputs_in_parts(&map, scale, 0.0, &progress, || async {});
            let (mut control, mut inputs) = bevy::tasks::block_on(made).unwrap();
            let mut levels = ReliefLevels::of(&control);
            let CoverImages::New {
                mut layers,
                mut relief,
            } = CoverImages::new(&control, &levels)
            else {
                unreachable!();
            };
            let maps = (&mut control, &mut inputs);
            let updating = builder.update_in_parts(maps, &new, [edited], &progress, || async {});
            let changed = bevy::tasks::block_on(updating).unwrap();
            let ids = [AssetId::default(); 2];
            levels.update(&control, &changed.relief);
            let CoverImages::Rows {
                layers: l,
                relief: r,
                ..
            } = CoverImages::of_rows(ids, &control, &levels, &changed)
            else {
                unreachable!();
            };
            write(&mut layers, 2, l);
            write(&mut relief, 4, r);
            let CoverImages::New {
                layers: expected,
                relief: all,
            } = CoverImages::new(&control, &ReliefLevels::of(&control))
            else {
                unreachable!();
            };
            assert!(layers.data == expected.data);
            assert!(relief.data == all.data);
        }
    }
}
