//! What every kind looks like: a few individuals of each, grown once for all terrains, and their pictures.
//!
//! ```text
//!   layers of the array texture
//!   0 ... 11      leaves, barks, stone: a skin each
//!   12 ... 35     each variant of each kind that is seen from afar, from the side
//! ```
//!
//! Made in the background when the first [`Vegetation`](crate::Vegetation) comes: seconds of one core. Memory: 12 MiB
//! on the GPU, with all levels of the pictures; the meshes some MiB.

mod pictures;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_plants::grow::{Frame, Level, PlantKind, PlantMesh, Skin, grow};
use lanternfell_terrain::pause;

use std::sync::Arc;

use crate::level::is_seen_from_afar;

/// How many individuals there are of each kind.
pub(crate) const VARIANTS: usize = 4;

/// One individual.
#[derive(Debug)]
pub(crate) struct Grown {
    pub(crate) near: PlantMesh,
    pub(crate) middle: PlantMesh,
    pub(crate) far: FarLook,
    /// From the ground to its highest point, in metres.
    pub(crate) height: f32,
}

/// What is seen of it from afar.
#[derive(Debug)]
pub(crate) enum FarLook {
    /// Nothing.
    None,
    /// A few triangles.
    Mesh(PlantMesh),
    /// A picture of it that faces the eye.
    Picture {
        frame: Frame,
        /// In the array texture.
        layer: u8,
    },
}

/// All individuals, the variants of a kind one after the other.
#[derive(Debug)]
pub(crate) struct Library {
    plants: Vec<Grown>,
}

impl Library {
    pub(crate) fn plant(&self, kind: PlantKind, variant: u32) -> &Grown {
        let index = kind as usize * VARIANTS + variant as usize % VARIANTS;
        &self.plants[index]
    }

    /// The highest individual of a kind.
    pub(crate) fn height(&self, kind: PlantKind) -> f32 {
        let first = kind as usize * VARIANTS;
        let variants = &self.plants[first..first + VARIANTS];
        variants
            .iter()
            .map(|plant| plant.height)
            .fold(0.0, f32::max)
    }

    async fn grow() -> Self {
        let mut plants = Vec::with_capacity(PlantKind::ALL.len() * VARIANTS);
        let mut layer = first_picture();
        for kind in PlantKind::ALL {
            for variant in 0..VARIANTS {
                pause().await;
                let plant = Grown::new(kind, seed(variant), layer);
                layer += u8::from(matches!(plant.far, FarLook::Picture { .. }));
                plants.push(plant);
            }
        }
        Self { plants }
    }
}

impl Grown {
    fn new(kind: PlantKind, seed: u64, layer: u8) -> Self {
        let near = grow(kind, seed, Level::Near);
        let far = if kind.has_silhouette() {
            let frame = Frame::of(&near);
            FarLook::Picture { frame, layer }
        } else if is_seen_from_afar(kind) {
            FarLook::Mesh(grow(kind, seed, Level::Far))
        } else {
            FarLook::None
        };
        Self {
            height: near.bounds().1[1],
            middle: grow(kind, seed, Level::Middle),
            near,
            far,
        }
    }
}

/// Which individual of its kind a variant is.
pub(crate) fn seed(variant: usize) -> u64 {
    variant as u64 + 1
}

/// The layer of a skin in the array texture.
pub(crate) fn skin_layer(skin: Skin) -> u8 {
    let index = Skin::ALL.iter().position(|other| *other == skin);
    index.unwrap_or_default() as u8
}

/// The first layer with a picture of a whole plant: after all skins but the last, which stands for it.
const fn first_picture() -> u8 {
    Skin::ALL.len() as u8 - 1
}

/// The library of all terrains, and how far it is.
#[derive(Resource, Default)]
pub(crate) enum PlantLibrary {
    /// Nobody needed it yet.
    #[default]
    Unasked,
    Growing(Task<(Library, Image)>),
    Grown {
        library: Arc<Library>,
        pictures: Handle<Image>,
    },
}

impl PlantLibrary {
    pub(crate) fn get(&self) -> Option<&Arc<Library>> {
        match self {
            Self::Grown { library, .. } => Some(library),
            _ => None,
        }
    }

    pub(crate) fn pictures(&self) -> Option<&Handle<Image>> {
        match self {
            Self::Grown { pictures, .. } => Some(pictures),
            _ => None,
        }
    }

    /// Begins to grow it, if nobody has.
    pub(crate) fn ask(&mut self) {
        if matches!(self, Self::Unasked) {
            let task = AsyncComputeTaskPool::get().spawn(async {
                let library = Library::grow().await;
                let pictures = pictures::paint(&library).await;
                (library, pictures)
            });
            *self = Self::Growing(task);
        }
    }

    /// Takes in what the background has made.
    pub(crate) fn go_on(&mut self, images: &mut Assets<Image>) {
        let Self::Growing(task) = self else { return };
        if let Some((library, pictures)) = check_ready(task) {
            *self = Self::Grown {
                library: Arc::new(library),
                pictures: images.add(pictures),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::tasks::block_on;

    use super::*;

    #[test]
    fn every_variant_of_every_kind_is_there_and_no_two_pictures_share_a_layer() {
        let library = block_on(Library::grow());
        let mut layers = Vec::new();
        for kind in PlantKind::ALL {
            for variant in 0..VARIANTS as u32 {
                let plant = library.plant(kind, variant);
                assert!(plant.height > 0.0 && plant.height <= library.height(kind));
                let near = grow(kind, seed(variant as usize), Level::Near);
                assert_eq!(plant.near, near, "{kind:?} {variant}");
                match &plant.far {
                    FarLook::Picture { layer, .. } => layers.push(*layer),
                    FarLook::Mesh(mesh) => assert!(mesh.triangle_count() > 0),
                    FarLook::None => assert!(!is_seen_from_afar(kind)),
                }
            }
        }
        let pictured = PlantKind::ALL.iter().filter(|kind| kind.has_silhouette());
        let end = first_picture() + (pictured.count() * VARIANTS) as u8;
        assert_eq!(layers, (first_picture()..end).collect::<Vec<_>>());
    }

    #[test]
    fn skins_have_the_layers_before_the_pictures() {
        for (index, skin) in Skin::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(skin_layer(skin)), index);
        }
        assert_eq!(skin_layer(Skin::Picture), first_picture());
    }
}
