//! The array texture: leaves, barks, stone, and whole plants from the side.

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{
        Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
    },
};
use lanternfell_plants::{
    grow::Skin,
    raster::{SkinPicture, silhouette},
};
use lanternfell_terrain::{GroundKind, pause};
use lanternfell_textures::{
    PlantKind as Painted, PlantTexture, array_layers, synthesize, synthesize_plant,
};

use super::{FarLook, Grown, Library};

/// Texels along a side of each picture.
#[cfg(not(target_arch = "wasm32"))]
const SIDE: u32 = 256;

/// In a browser a picture is made between two frames.
#[cfg(target_arch = "wasm32")]
const SIDE: u32 = 128;

/// Other numbers, other leaves.
const SEED: u64 = 1;

/// What covers a part.
enum Cover {
    Plant(Painted),
    Ground(GroundKind),
}

fn cover(skin: Skin) -> Option<Cover> {
    Some(Cover::Plant(match skin {
        Skin::Bark => Painted::Bark,
        Skin::BirchBark => Painted::BirchBark,
        Skin::DeadBark => Painted::DeadBark,
        Skin::Rock => return Some(Cover::Ground(GroundKind::Granite)),
        Skin::PineBranch => Painted::PineBranch,
        Skin::BroadLeaves => Painted::BroadLeaves,
        Skin::BirchLeaves => Painted::BirchLeaves,
        Skin::PalmFrond => Painted::PalmFrond,
        Skin::Fern => Painted::Fern,
        Skin::GrassTuft => Painted::GrassTuft,
        Skin::Flowers => Painted::Flowers,
        Skin::Bush => Painted::Bush,
        Skin::Picture => return None,
    }))
}

/// All levels of one layer, the first first.
struct Layer {
    texels: Vec<u8>,
}

impl Layer {
    fn of(cover: &Cover) -> Self {
        let texels = match cover {
            Cover::Plant(kind) => {
                let texture = synthesize_plant(*kind, SIDE, SEED).expect("the side is a size");
                texture.mip_chain().color_alpha
            }
            Cover::Ground(kind) => {
                let texture = synthesize(*kind, SIDE, SEED).expect("the side is a size");
                let mut texels = texture.mip_chain().color_height;
                // Of ground it is the height; a stone has no holes.
                texels.chunks_exact_mut(4).for_each(|texel| texel[3] = 255);
                texels
            }
        };
        Self { texels }
    }

    /// The first level.
    fn picture(&self) -> &[u8] {
        &self.texels[..(4 * SIDE * SIDE) as usize]
    }
}

/// The texture of all plants. In the background.
pub(super) async fn paint(library: &Library) -> Image {
    let mut layers: Vec<(Skin, Layer)> = Vec::new();
    for skin in Skin::ALL {
        let Some(cover) = cover(skin) else { continue };
        pause().await;
        layers.push((skin, Layer::of(&cover)));
    }
    let side = SIDE as usize;
    let skins: Vec<SkinPicture<'_>> = layers
        .iter()
        .filter_map(|(skin, layer)| SkinPicture::new(*skin, side, side, layer.picture()))
        .collect();
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for plant in pictured(library) {
        pause().await;
        let picture = silhouette(&plant.near, &skins, side, side);
        let card = PlantTexture::from_color_alpha(SIDE, picture.pixels).expect("it has that size");
        seen.push(card.mip_chain().color_alpha);
    }
    drop(skins);
    let covers = layers.into_iter().map(|(_, layer)| layer.texels);
    array(covers.chain(seen).collect())
}

/// Those of which there is a picture from the side.
fn pictured(library: &Library) -> impl Iterator<Item = &Grown> {
    let plants = library.plants.iter();
    plants.filter(|plant| matches!(plant.far, FarLook::Picture { .. }))
}

/// One texture of layers, each with all its levels.
fn array(mut layers: Vec<Vec<u8>>) -> Image {
    let count = array_layers(layers.len() as u32);
    layers.resize(count as usize, vec![0; layers[0].len()]);
    let mut image = Image::new_uninit(
        Extent3d {
            width: SIDE,
            height: SIDE,
            depth_or_array_layers: count,
        },
        TextureDimension::D2,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.data = Some(layers.concat());
    image.texture_descriptor.mip_level_count = SIDE.ilog2() + 1;
    image.texture_view_descriptor = Some(TextureViewDescriptor {
        dimension: Some(TextureViewDimension::D2Array),
        ..default()
    });
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        // For barks and stone; leaves and whole plants end within.
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}

#[cfg(test)]
mod tests {
    use bevy::tasks::block_on;

    use super::*;

    #[test]
    fn every_layer_is_painted_with_all_its_levels() {
        let library = block_on(Library::grow());
        let image = block_on(paint(&library));
        let pictures = pictured(&library).count() + Skin::ALL.len() - 1;
        let layers = image.texture_descriptor.size.depth_or_array_layers;
        // In a browser a multiple of six would be cube maps.
        assert!(layers as usize >= pictures && layers % 6 != 0, "{layers}");
        let layers = layers as usize;
        let bytes = image.data.expect("nobody took it");
        let of_layer = bytes.len() / layers;
        // A third more than the first level alone.
        let levels: usize = (0..=SIDE.ilog2()).map(|level| 4 << (2 * level)).sum();
        assert_eq!(of_layer, levels);
        for (index, layer) in bytes.chunks_exact(of_layer).take(pictures).enumerate() {
            let first = &layer[..(4 * SIDE * SIDE) as usize];
            let covered = first.chunks_exact(4).filter(|texel| texel[3] > 127).count();
            let share = covered as f32 / (SIDE * SIDE) as f32;
            assert!(share > 0.01, "layer {index} has {share}");
        }
    }
}
