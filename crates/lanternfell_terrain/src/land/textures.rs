//! The textures of the layers: one set per distinct list of layers, built in the background, uploaded in parts each
//! frame.
//!
//! All layers of a terrain are stored in two array textures. One has color and height, the other normals, roughness and
//! occlusion. WebGL2 has room for only four textures in addition to Bevy's own, and a shader can sample any layer of an
//! array.
//!
//! ```text
//!   layers ─> set: color array, material array   first 64 x 64 texels each, for the average color;
//!             state of each layer                 then full size, one or two at a time -> mip levels -> Uploads
//! ```
//!
//! Memory: 16 layers of 512 x 512 texels with all mip levels take 43 MiB on the GPU.

mod made;
pub(crate) mod work;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use bevy::{
    asset::{LoadState, RenderAssetUsages},
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::{
        render_resource::{
            Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
        },
        renderer::RenderAdapterInfo,
    },
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_heightmap::Progress;
use lanternfell_tasks::pause;
use lanternfell_textures::array_layers;

use crate::{
    background::make,
    ground::{Terrain, TerrainProgress, TerrainSurface},
    layers::{EffectiveLayers, LayerTexture, TerrainLayers},
    systems::TerrainSystems,
    upload::{Piece, Uploads},
};

pub(crate) use made::{LoadedImages, MadeTexture, Source};
use work::TextureWork;

/// The textures of all terrain layers, and their loading states.
#[derive(Resource, Default)]
pub struct LayerTextures {
    sets: Vec<TextureSet>,
}

/// The textures of one list of layers.
pub(crate) struct TextureSet {
    key: Vec<LayerTexture>,
    pub(crate) color: Handle<Image>,
    pub(crate) material: Handle<Image>,
    pub(crate) layers: Vec<LayerState>,
}

/// The state of one layer's texture.
pub(crate) struct LayerState {
    progress: LayerProgress,
    /// Average color in linear RGB. Gray until it is known.
    pub(crate) average: Vec3,
    /// Whether an image of this layer is neither loaded nor loading. The layer stays gray until it is added.
    is_absent: bool,
}

enum LayerProgress {
    /// Not even the average color is known.
    Unknown,
    /// Only the average color is known.
    Known,
    Making(Task<MadeTexture>),
    Uploading(Arc<AtomicUsize>),
    Ready,
    /// The texture can not be made. The layer is drawn in its average color.
    Failed,
}

impl LayerState {
    /// Whether the texture is on the GPU.
    pub(crate) fn is_ready(&self) -> bool {
        matches!(self.progress, LayerProgress::Ready)
    }

    fn is_done(&self) -> bool {
        matches!(self.progress, LayerProgress::Ready | LayerProgress::Failed)
    }
}

/// Texels along a side of each texture.
#[cfg(not(target_arch = "wasm32"))]
const SIZE: u32 = 512;

/// Texels along a side. Smaller in a browser, where textures are built on the main thread between frames.
#[cfg(target_arch = "wasm32")]
const SIZE: u32 = 256;

impl LayerTextures {
    /// Returns whether the layer textures of all terrains are on the GPU. Textures whose image failed to load, or is
    /// not being loaded, do not count.
    pub fn are_ready(&self) -> bool {
        let mut layers = self.sets.iter().flat_map(|set| &set.layers);
        layers.all(|layer| layer.is_done() || layer.is_absent)
    }

    /// The texture set of these layers, if it exists.
    pub(crate) fn of(&self, layers: &TerrainLayers) -> Option<&TextureSet> {
        self.sets.iter().find(|set| set.is_of(layers))
    }
}

impl TextureSet {
    fn new(layers: &TerrainLayers, images: &mut Assets<Image>, anisotropy: u16) -> Self {
        let key: Vec<LayerTexture> = textures(layers).cloned().collect();
        let count = key.len() as u32;
        let states = key.iter().map(|_| LayerState {
            progress: LayerProgress::Unknown,
            average: GRAY,
            is_absent: false,
        });
        Self {
            layers: states.collect(),
            color: images.add(array(count, TextureFormat::Rgba8UnormSrgb, anisotropy)),
            material: images.add(array(count, TextureFormat::Rgba8Unorm, anisotropy)),
            key,
        }
    }

    fn is_of(&self, layers: &TerrainLayers) -> bool {
        self.key.iter().eq(textures(layers))
    }
}

const GRAY: Vec3 = Vec3::splat(0.18);

fn textures(layers: &TerrainLayers) -> impl Iterator<Item = &LayerTexture> {
    layers.layers.iter().map(|layer| &layer.texture)
}

/// An empty array of `layers` square textures with all mip levels. The texels are uploaded later.
fn array(layers: u32, format: TextureFormat, anisotropy: u16) -> Image {
    let mut image = Image::new_uninit(
        Extent3d {
            width: SIZE,
            height: SIZE,
            depth_or_array_layers: array_layers(layers),
        },
        TextureDimension::D2,
        format,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.texture_descriptor.mip_level_count = levels();
    image.texture_view_descriptor = Some(TextureViewDescriptor {
        dimension: Some(TextureViewDimension::D2Array),
        ..default()
    });
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        anisotropy_clamp: anisotropy,
        ..default()
    });
    image
}

/// The anisotropic filtering level. Terrain is mostly seen at a grazing angle, so it uses 8; a software renderer, which
/// would take minutes, uses 1.
fn anisotropy(adapter: Option<&RenderAdapterInfo>) -> u16 {
    if adapter.is_some_and(is_software) {
        1
    } else {
        8
    }
}

/// Whether the adapter is a software renderer.
pub(crate) fn is_software(adapter: &RenderAdapterInfo) -> bool {
    adapter.device_type == wgpu_types::DeviceType::Cpu
}

fn levels() -> u32 {
    SIZE.ilog2() + 1
}

/// Systems that need a renderer.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<LayerTextures>().add_systems(
        PostUpdate,
        (follow_layers, follow_images, go_on)
            .chain()
            .in_set(TerrainSystems::Present),
    );
}

type Asked = Or<(Changed<EffectiveLayers>, Added<Terrain>)>;

/// Creates a set for the layers of each terrain, and removes the sets that no terrain uses.
fn follow_layers(
    mut sets: ResMut<LayerTextures>,
    mut images: ResMut<Assets<Image>>,
    mut uploads: ResMut<Uploads>,
    adapter: Option<Res<RenderAdapterInfo>>,
    changed: Query<&EffectiveLayers, (With<Terrain>, Asked)>,
    mut gone: RemovedComponents<Terrain>,
    all: Query<&EffectiveLayers, With<Terrain>>,
) {
    let any_gone = gone.read().count() > 0;
    if changed.is_empty() && !any_gone {
        return;
    }
    for layers in &changed {
        if sets.of(layers).is_none() {
            let set = TextureSet::new(layers, &mut images, anisotropy(adapter.as_deref()));
            sets.sets.push(set);
        }
    }
    sets.sets
        .retain(|set| all.iter().any(|layers| set.is_of(layers)));
    uploads.0.retain(|piece| {
        let mut sets = sets.sets.iter();
        sets.any(|set| [set.color.id(), set.material.id()].contains(&piece.image))
    });
}

/// Rebuilds a layer when one of its images has changed.
fn follow_images(mut changes: MessageReader<AssetEvent<Image>>, mut sets: ResMut<LayerTextures>) {
    let changed = changes.read().filter_map(|change| match change {
        AssetEvent::Modified { id } => Some(*id),
        _ => None,
    });
    // Other images may change in every frame. Change detection is bypassed so that the sets do not count as changed
    // then.
    let now = sets.bypass_change_detection();
    let is_of = |texture: &LayerTexture, id| match texture {
        LayerTexture::Procedural(_) => false,
        LayerTexture::Images(images) => images.handles().any(|handle| handle.id() == id),
    };
    for id in changed {
        for set in &mut now.sets {
            for (layer, texture) in set.layers.iter_mut().zip(&set.key) {
                if is_of(texture, id) {
                    layer.progress = LayerProgress::Unknown;
                }
            }
        }
    }
}

/// Builds the textures. The average colors of all layers come first.
pub(crate) fn go_on(
    mut sets: ResMut<LayerTextures>,
    images: Res<Assets<Image>>,
    server: Res<AssetServer>,
    mut uploads: ResMut<Uploads>,
    new_land: Query<&TerrainProgress>,
    land: Query<(), With<TerrainSurface>>,
) {
    // The materials of all terrains update when the sets change, so the sets are only marked as changed if a layer
    // changed.
    let now = sets.bypass_change_detection();
    let mut making = 0;
    let mut is_changed = false;
    for set in &mut now.sets {
        let images = [set.color.id(), set.material.id()];
        for (layer, index) in set.layers.iter_mut().zip(0..) {
            is_changed |= layer.go_on(images, index, &mut uploads);
            making += usize::from(matches!(layer.progress, LayerProgress::Making(_)));
        }
    }
    let most = match land.is_empty() && new_land.iter().any(TerrainProgress::is_at_work) {
        true => 0,
        false => most_at_once(),
    };
    for set in &mut now.sets {
        for (layer, texture) in set.layers.iter_mut().zip(&set.key) {
            let due = match layer.progress {
                LayerProgress::Unknown => true,
                LayerProgress::Known => making < most,
                _ => false,
            };
            if due && layer.begin(texture, &images, &server) {
                making += 1;
            }
        }
    }
    if is_changed {
        sets.set_changed();
    }
}

/// The maximum number of textures that are built at the same time, so that other work finds free threads.
///
/// While the first terrain of a world is being generated, no texture is built (see the caller): each pause of that work
/// would be as long as one texture takes. This does not apply to later terrain, or an endless terrain would never get
/// textures.
fn most_at_once() -> usize {
    (AsyncComputeTaskPool::get().thread_num() / 2).clamp(1, 2)
}

/// Texels along a side of the preview texture, from which the average color of a layer is computed.
const SMALL: u32 = 64;

impl LayerState {
    /// Starts the next step. Returns `false` if its images are not loaded yet; the caller tries again in the next
    /// frame.
    fn begin(
        &mut self,
        texture: &LayerTexture,
        images: &Assets<Image>,
        server: &AssetServer,
    ) -> bool {
        let Some(source) = self.source(texture, images, server) else {
            return false;
        };
        let size = match self.progress {
            LayerProgress::Unknown => SMALL,
            _ => SIZE,
        };
        let task = AsyncComputeTaskPool::get().spawn(make_texture(source, size));
        self.progress = LayerProgress::Making(task);
        true
    }

    /// The source of the texture, if everything that it needs is loaded.
    fn source(
        &mut self,
        texture: &LayerTexture,
        images: &Assets<Image>,
        server: &AssetServer,
    ) -> Option<Source> {
        let layer = match texture {
            LayerTexture::Procedural(kind) => return Some(Source::Procedural(*kind)),
            LayerTexture::Images(layer) => layer,
        };
        // This runs every frame until all images are loaded. Images are large, so they are copied only then.
        let mut find = |handle: &Handle<Image>| {
            let found = find(handle, images, server);
            self.is_absent = matches!(found, Found::Absent);
            found
        };
        let color = match find(&layer.color) {
            Found::Loaded(image) => image,
            Found::Loading | Found::Absent => return None,
            Found::Failed(error) => {
                warn!("the color image of a layer failed to load, so the layer is gray: {error}");
                self.progress = LayerProgress::Failed;
                return None;
            }
        };
        let mut maps = [None; 4];
        let mut failed = Vec::new();
        for ((what, handle), map) in layer.maps().into_iter().zip(&mut maps) {
            match handle.map(&mut find) {
                None => {}
                Some(Found::Loaded(image)) => *map = Some(image),
                Some(Found::Loading | Found::Absent) => return None,
                Some(Found::Failed(error)) => failed.push((what, error)),
            }
        }
        // Each layer is built twice (preview and full size), but the warning is only logged once.
        if matches!(self.progress, LayerProgress::Unknown) {
            for (what, error) in failed {
                warn!("the {what} of a layer failed to load and is not used: {error}");
            }
        }
        Some(Source::Images(LoadedImages {
            color: Box::new(color.clone()),
            maps: maps.map(|map| Some(Box::new(map?.clone()))),
            roughness: layer.roughness,
        }))
    }

    /// Takes finished or uploaded results. Returns whether there were any.
    fn go_on(&mut self, images: [AssetId<Image>; 2], layer: u32, uploads: &mut Uploads) -> bool {
        match &mut self.progress {
            LayerProgress::Making(task) => {
                let Some(made) = check_ready(task) else {
                    return false;
                };
                self.average = made.average;
                if made.left_out && made.size != SMALL {
                    warn!(
                        "layer {layer}: a map has no readable pixels (compressed or empty) and is not used"
                    );
                }
                self.progress = match made.size {
                    0 => {
                        warn!(
                            "layer {layer}: the color image has no readable pixels (compressed or empty), so the layer is gray"
                        );
                        LayerProgress::Failed
                    }
                    SIZE => LayerProgress::Uploading(send(made, images, layer, uploads)),
                    _ => LayerProgress::Known,
                };
                true
            }
            LayerProgress::Uploading(left) if left.load(Ordering::Relaxed) == 0 => {
                self.progress = LayerProgress::Ready;
                true
            }
            _ => false,
        }
    }
}

/// Builds a texture in a background task. In a browser, the full-size texture is built by the worker if there is one.
async fn make_texture(source: Source, size: u32) -> MadeTexture {
    pause().await;
    if size > SMALL
        && let Source::Procedural(kind) = source
        && let Ok(made) = make(TextureWork { kind, size }, &Progress::default()).await
    {
        return made;
    }
    MadeTexture::of(&source, size)
}

/// The loading state of an image.
enum Found<'a> {
    Loaded(&'a Image),
    Loading,
    Absent,
    Failed(String),
}

fn find<'a>(handle: &Handle<Image>, images: &'a Assets<Image>, server: &AssetServer) -> Found<'a> {
    if let Some(image) = images.get(handle) {
        return Found::Loaded(image);
    }
    match server.get_load_state(handle) {
        Some(LoadState::Failed(error)) => Found::Failed(error.to_string()),
        Some(LoadState::Loading | LoadState::Loaded) => Found::Loading,
        Some(LoadState::NotLoaded) | None => Found::Absent,
    }
}

/// Splits a texture into its mip levels and queues them for upload.
fn send(
    made: MadeTexture,
    images: [AssetId<Image>; 2],
    layer: u32,
    uploads: &mut Uploads,
) -> Arc<AtomicUsize> {
    let left = Arc::new(AtomicUsize::new(2 * levels() as usize));
    for (image, texels) in images.into_iter().zip([made.color, made.material]) {
        let mut rest = texels.as_slice();
        for level in 0..levels() {
            let size = SIZE >> level;
            let (texels, after) = rest.split_at((4 * size * size) as usize);
            rest = after;
            uploads.0.push(Piece {
                image,
                level,
                layer,
                size,
                texels: texels.to_vec(),
                left: left.clone(),
            });
        }
    }
    left
}
