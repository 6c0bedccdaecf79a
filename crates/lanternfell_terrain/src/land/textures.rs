//! The textures of layers: made once for all terrains that have the same, in the background, and sent a little a frame.
//!
//! All layers of a terrain lie in two array textures, colors with heights, and normals with roughness and occlusion:
//! WebGL2 has room for four textures besides Bevy's own, and a shader can take any layer of an array.
//!
//! ```text
//!   layers ─> set: color array, material array   first 64 x 64 of each, for its color;
//!             state of each layer                 then in full, one or two at a time -> levels -> Uploads -> ready
//! ```
//!
//! Memory: 16 layers of 512 x 512 with all their levels are 43 MiB on the GPU.

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
    ground::{Generating, Terrain, TerrainSurface},
    layers::{LaidLayers, LayerTexture, TerrainLayers},
    systems::TerrainSystems,
    upload::{Piece, Uploads},
};

pub(crate) use made::{MadeTexture, Pictures, Source};
use work::TextureWork;

/// The textures of all terrains' layers, and how far they are.
#[derive(Resource, Default)]
pub struct LayerTextures {
    sets: Vec<TextureSet>,
}

/// The textures of some layers.
pub(crate) struct TextureSet {
    key: Vec<LayerTexture>,
    pub(crate) color: Handle<Image>,
    pub(crate) material: Handle<Image>,
    pub(crate) layers: Vec<LayerState>,
}

/// One layer's texture.
pub(crate) struct LayerState {
    progress: LayerProgress,
    /// Linear; gray until it is known.
    pub(crate) average: Vec3,
    /// Whether its pictures are neither there nor on their way: it is gray, until somebody adds them.
    is_absent: bool,
}

enum LayerProgress {
    /// Not even its color is known.
    Unknown,
    /// Only its color is.
    Known,
    Making(Task<MadeTexture>),
    Uploading(Arc<AtomicUsize>),
    Ready,
    /// It can not be had, and its color stands for it.
    Failed,
}

impl LayerState {
    /// Whether the GPU has it.
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

/// In a browser a texture is made between two frames.
#[cfg(target_arch = "wasm32")]
const SIZE: u32 = 256;

impl LayerTextures {
    /// Whether every texture is on the GPU that any terrain needs, or can not be had: its picture failed to load, or
    /// nobody loads it.
    pub fn are_ready(&self) -> bool {
        let mut layers = self.sets.iter().flat_map(|set| &set.layers);
        layers.all(|layer| layer.is_done() || layer.is_absent)
    }

    /// The set of these layers, once it is there.
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

/// An array of so many square textures with all levels, whose texels are to come.
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

/// In how many places along itself a texture that is seen flat is looked at, as ground mostly is. A processor that
/// draws takes minutes for what a graphics card does in passing.
fn anisotropy(adapter: Option<&RenderAdapterInfo>) -> u16 {
    if adapter.is_some_and(is_software) {
        1
    } else {
        8
    }
}

/// Whether a processor draws. The type of what is compared has no name in Bevy.
pub(crate) fn is_software(adapter: &RenderAdapterInfo) -> bool {
    format!("{:?}", adapter.device_type) == "Cpu"
}

fn levels() -> u32 {
    SIZE.ilog2() + 1
}

/// For an app with a renderer.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<LayerTextures>().add_systems(
        Update,
        (follow_layers, follow_pictures, go_on)
            .chain()
            .in_set(TerrainSystems::Present),
    );
}

type Asked = Or<(Changed<LaidLayers>, Added<Terrain>)>;

/// There is a set for every terrain, and none that no terrain has.
fn follow_layers(
    mut sets: ResMut<LayerTextures>,
    mut images: ResMut<Assets<Image>>,
    mut uploads: ResMut<Uploads>,
    adapter: Option<Res<RenderAdapterInfo>>,
    changed: Query<&LaidLayers, (With<Terrain>, Asked)>,
    mut gone: RemovedComponents<Terrain>,
    all: Query<&LaidLayers, With<Terrain>>,
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

/// A picture that has changed is taken anew.
fn follow_pictures(mut changes: MessageReader<AssetEvent<Image>>, mut sets: ResMut<LayerTextures>) {
    let changed = changes.read().filter_map(|change| match change {
        AssetEvent::Modified { id } => Some(*id),
        _ => None,
    });
    // Other images change in every frame, and none of these: then the sets are as they were.
    let now = sets.bypass_change_detection();
    let is_of = |texture: &LayerTexture, id| match texture {
        LayerTexture::Made(_) => false,
        LayerTexture::Pictures(pictures) => pictures.handles().any(|handle| handle.id() == id),
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

/// Makes the textures, colors first.
pub(crate) fn go_on(
    mut sets: ResMut<LayerTextures>,
    images: Res<Assets<Image>>,
    server: Res<AssetServer>,
    mut uploads: ResMut<Uploads>,
    new_land: Query<&Generating>,
    land: Query<(), With<TerrainSurface>>,
) {
    // Every land's material follows the sets: they are changed only where a layer is.
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
    let most = match land.is_empty() && new_land.iter().any(Generating::is_at_work) {
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

/// So many textures are made at a time: others need the threads, too. The first land of a world needs all of them,
/// since each of its pauses would be as long as a texture; later land does not, or endless ground would never have any.
fn most_at_once() -> usize {
    (AsyncComputeTaskPool::get().thread_num() / 2).clamp(1, 2)
}

/// A side of the texture of which a layer's color is known soon.
const SMALL: u32 = 64;

impl LayerState {
    /// Begins the next step, unless what it needs is not there: then it is asked again.
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

    /// What it is made of, if that is there.
    fn source(
        &mut self,
        texture: &LayerTexture,
        images: &Assets<Image>,
        server: &AssetServer,
    ) -> Option<Source> {
        let pictures = match texture {
            LayerTexture::Made(kind) => return Some(Source::Made(*kind)),
            LayerTexture::Pictures(pictures) => pictures,
        };
        // Asked every frame until all is there, and copied but then: pictures are large.
        let mut find = |handle: &Handle<Image>| {
            let found = find(handle, images, server);
            self.is_absent = matches!(found, Found::Absent);
            found
        };
        let color = match find(&pictures.color) {
            Found::Loaded(image) => image,
            Found::Loading | Found::Absent => return None,
            Found::Failed(error) => {
                warn!("a layer's picture is not there, and the layer gray: {error}");
                self.progress = LayerProgress::Failed;
                return None;
            }
        };
        let mut maps = [None; 4];
        let mut failed = Vec::new();
        for ((what, handle), map) in pictures.maps().into_iter().zip(&mut maps) {
            match handle.map(&mut find) {
                None => {}
                Some(Found::Loaded(image)) => *map = Some(image),
                Some(Found::Loading | Found::Absent) => return None,
                Some(Found::Failed(error)) => failed.push((what, error)),
            }
        }
        // They are looked for twice, and missed once.
        if matches!(self.progress, LayerProgress::Unknown) {
            for (what, error) in failed {
                warn!("the {what} of a layer is not there, and it goes without: {error}");
            }
        }
        Some(Source::Pictures(Pictures {
            color: Box::new(color.clone()),
            maps: maps.map(|map| Some(Box::new(map?.clone()))),
            roughness: pictures.roughness,
        }))
    }

    /// Takes in what was made or sent, and says whether there was anything.
    fn go_on(&mut self, images: [AssetId<Image>; 2], layer: u32, uploads: &mut Uploads) -> bool {
        match &mut self.progress {
            LayerProgress::Making(task) => {
                let Some(made) = check_ready(task) else {
                    return false;
                };
                self.average = made.average;
                if made.left_out && made.size != SMALL {
                    warn!("layer {layer} goes without a map that has no pixels that can be read");
                }
                self.progress = match made.size {
                    0 => {
                        warn!("layer {layer}: its picture has no pixels that can be read");
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

/// In a background task; what is large, in a browser, by the worker if there is one.
async fn make_texture(source: Source, size: u32) -> MadeTexture {
    pause().await;
    if size > SMALL
        && let Source::Made(kind) = source
        && let Ok(made) = make(TextureWork { kind, size }, &Progress::default()).await
    {
        return made;
    }
    MadeTexture::of(&source, size)
}

/// A picture, and what is known of it where it is not there.
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

/// Cuts a texture into levels for the renderer to write.
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
