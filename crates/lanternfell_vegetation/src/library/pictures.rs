//! Paints the array texture: leaves, barks, stone and impostors.

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{
        Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
    },
};
use lanternfell_plants::{
    grow::{GroundKind, PlantMesh, PlantSkin, Skin},
    raster::{SkinImage, silhouette, top_view},
};
use lanternfell_tasks::pause;
use lanternfell_textures::{PlantTexture, array_layers, synthesize, synthesize_plant};

use super::{Layer, Library, View};
use crate::species::Species;

/// Texels per side of a layer.
#[cfg(not(target_arch = "wasm32"))]
const SIDE: u32 = 256;

/// Smaller in browsers, where each layer is painted between two frames.
#[cfg(target_arch = "wasm32")]
const SIDE: u32 = 128;

/// Seed of the textures.
const SEED: u64 = 1;

/// A layer with all its mip levels, largest first.
struct Texels(Vec<u8>);

impl Texels {
    fn of_skin(skin: PlantSkin) -> Self {
        let texture = synthesize_plant(skin, SIDE, SEED).expect("SIDE is a valid size");
        Self(texture.mip_chain().color_alpha)
    }

    fn of_ground(kind: GroundKind) -> Self {
        let texture = synthesize(kind, SIDE, SEED).expect("SIDE is a valid size");
        let mut texels = texture.mip_chain().color_height;
        // In ground textures the fourth byte is the height; here it is alpha, and stones are opaque.
        texels.chunks_exact_mut(4).for_each(|texel| texel[3] = 255);
        Self(texels)
    }

    /// A model's texture, scaled to the size of a layer.
    fn of_model(texture: &PlantTexture) -> Self {
        let enlarged = enlarged(texture);
        let texture = enlarged.as_ref().unwrap_or(texture);
        let texels = texture.mip_chain().color_alpha;
        // A larger texture ends with the mip levels of a layer.
        let bytes: usize = (0..=SIDE.ilog2()).map(|level| 4 << (2 * level)).sum();
        Self(texels[texels.len() - bytes..].to_vec())
    }

    /// An image of an individual.
    fn of_impostor(near: &PlantMesh, skins: &[SkinImage<'_>], view: View) -> Self {
        let side = SIDE as usize;
        let picture = match view {
            View::Side => silhouette(near, skins, side, side),
            View::Top => top_view(near, skins, side),
        };
        let card = PlantTexture::from_color_alpha(SIDE, picture.pixels).expect("the size matches");
        Self(card.mip_chain().color_alpha)
    }

    /// The largest mip level.
    fn picture(&self) -> &[u8] {
        &self.0[..(4 * SIDE * SIDE) as usize]
    }
}

/// Repeats each texel if the texture is smaller than a layer.
fn enlarged(texture: &PlantTexture) -> Option<PlantTexture> {
    let times = (SIDE / texture.size()) as usize;
    if times < 2 {
        return None;
    }
    let row = 4 * texture.size() as usize;
    let mut pixels = Vec::with_capacity((4 * SIDE * SIDE) as usize);
    for row in texture.color_alpha().chunks_exact(row) {
        for _ in 0..times {
            let texels = row.as_chunks::<4>().0.iter();
            pixels.extend(texels.flat_map(|texel| texel.repeat(times)));
        }
    }
    PlantTexture::from_color_alpha(SIDE, pixels).ok()
}

/// Paints all layers. Runs in the background.
pub(super) async fn paint(library: &Library) -> Image {
    let mut painted: Vec<Texels> = Vec::with_capacity(library.layers.len());
    for layer in &library.layers {
        pause().await;
        painted.push(match layer {
            Layer::Plant(skin) => Texels::of_skin(*skin),
            Layer::Ground(kind) => Texels::of_ground(*kind),
            Layer::Own(model, texture) => {
                Texels::of_model(&model.textures()[usize::from(*texture)])
            }
            Layer::Impostor(species, individual, view) => {
                let (species, individuals) = &library.species[*species];
                // Skins have lower layer numbers than impostors, so they are already painted.
                let skins = skins_of(species, &library.layers, &painted);
                Texels::of_impostor(&individuals[*individual].near.mesh, &skins, *view)
            }
        });
    }
    array(painted.into_iter().map(|texels| texels.0).collect())
}

/// The painted layers that a species can use as skins.
fn skins_of<'a>(species: &Species, layers: &[Layer], painted: &'a [Texels]) -> Vec<SkinImage<'a>> {
    let side = SIDE as usize;
    let skin = |layer: &Layer| match (layer, species) {
        (Layer::Plant(skin), _) => vec![Skin::Plant(*skin)],
        (Layer::Ground(kind), _) => vec![Skin::Ground(*kind)],
        (Layer::Own(of, texture), Species::Model(model)) if of == model => {
            let texture = *texture;
            // A model may use a texture both opaque and cut out.
            [false, true]
                .map(|cut_out| Skin::Own { texture, cut_out })
                .to_vec()
        }
        _ => Vec::new(),
    };
    let painted = layers.iter().zip(painted);
    painted
        .flat_map(|(layer, texels)| skin(layer).into_iter().map(move |skin| (skin, texels)))
        .filter_map(|(skin, texels)| SkinImage::new(skin, side, side, texels.picture()))
        .collect()
}

/// Builds an array texture from layers with all mip levels.
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
        // For barks and stone. Leaves and impostors stay within the texture.
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
    use crate::model::Models;

    #[test]
    fn model_textures_are_scaled_to_a_layer() {
        let levels: usize = (0..=SIDE.ilog2()).map(|level| 4 << (2 * level)).sum();
        for size in [16, SIDE / 2, SIDE, 2 * SIDE] {
            let half = |pixel: u32| if pixel % size < size / 2 { 200 } else { 40 };
            let pixels = (0..size * size).flat_map(|pixel| [half(pixel), 90, 10, 255]);
            let texture = PlantTexture::from_color_alpha(size, pixels.collect()).unwrap();
            let texels = Texels::of_model(&texture);
            assert_eq!(texels.0.len(), levels, "{size}");
            let row = &texels.picture()[..4 * SIDE as usize];
            assert_eq!(row[..4], [200, 90, 10, 255], "{size}");
            assert_eq!(row[row.len() - 4..], [40, 90, 10, 255], "{size}");
        }
    }

    #[test]
    fn every_layer_has_content_and_all_mip_levels() {
        let library = block_on(Library::grow(Models::default()));
        let image = block_on(paint(&library));
        let pictures = library.layers.len();
        let layers = image.texture_descriptor.size.depth_or_array_layers;
        // WebGL treats array textures with a multiple of six layers as cube maps.
        assert!(layers as usize >= pictures && layers % 6 != 0, "{layers}");
        let layers = layers as usize;
        let bytes = image.data.expect("the image keeps its data");
        let of_layer = bytes.len() / layers;
        // All mip levels take a third more than the first.
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
