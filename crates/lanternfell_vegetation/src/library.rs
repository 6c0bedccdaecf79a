//! The meshes of all species, grown once for all terrains, and one array texture for all of them.
//!
//! ```text
//!   kinds of this crate, models of the app
//!     -> meshes of each individual; each part requests the layer of its skin
//!     -> layers, in the order of the first request:
//!          leaves, barks, stone | textures of models | impostors
//!     -> pictures.rs paints them
//! ```
//!
//! Layers are numbered before they are painted, because merged vertices only store the number. Kinds come before
//! models, so their layers are the same in every library. Meshes of kinds therefore stay valid when another library
//! replaces the one that they were merged with.
//!
//! The library is grown in the background when the first [`Vegetation`](crate::Vegetation) is added, and again when
//! models change. Cost: seconds on one core. Memory: 21 MiB on the GPU for the kinds, with all mip levels, and a few
//! MiB for the meshes.

mod pictures;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_plants::grow::{
    FarLevel, Frame, GroundKind, Level, PlantKind, PlantMesh, PlantSkin, Skin,
};
use lanternfell_tasks::pause;

use std::sync::Arc;

use crate::{
    model::{Models, PlantModel},
    species::Species,
};

/// The maximum number of layers. Every GPU supports 256; one is kept free for the layer that `array_layers` may add.
const MOST_LAYERS: u8 = 255;

/// An individual of a species.
#[derive(Debug)]
pub(crate) struct Grown {
    pub(crate) near: LayeredMesh,
    pub(crate) middle: LayeredMesh,
    pub(crate) far: FarLook,
    /// Height above the ground in meters.
    pub(crate) height: f32,
}

/// A mesh with its texture layers.
#[derive(Debug, PartialEq)]
pub(crate) struct LayeredMesh {
    pub(crate) mesh: PlantMesh,
    /// The layer of each part of the mesh.
    pub(crate) layers: Vec<u8>,
}

/// What is drawn beyond the middle level: a [`FarLevel`] with its mesh or impostor.
#[derive(Debug)]
pub(crate) enum FarLook {
    None,
    Mesh(LayeredMesh),
    /// Images of the near mesh on a card that faces the camera. `layer` is the side view, the next one the top view.
    Impostor {
        frame: Frame,
        layer: u8,
    },
}

/// The content of a layer of the array texture.
#[derive(Debug, Clone, PartialEq)]
enum Layer {
    /// A leaf card or bark.
    Plant(PlantSkin),
    /// The surface of a stone.
    Ground(GroundKind),
    /// A texture of a model, by index.
    Own(PlantModel, u8),
    /// A view for an impostor: the indices of the species and the individual.
    Impostor(usize, usize, View),
}

/// Where an image of a plant is seen from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum View {
    Side,
    Top,
}

/// All individuals of all species.
#[derive(Debug)]
pub(crate) struct Library {
    species: Vec<(Species, Vec<Grown>)>,
    layers: Vec<Layer>,
    /// The models that the library was grown with.
    pub(crate) models: Models,
}

impl Library {
    fn individuals(&self, species: &Species) -> Option<&[Grown]> {
        let mut all = self.species.iter();
        let (_, individuals) = all.find(|(other, _)| other == species)?;
        Some(individuals)
    }

    /// Returns an individual. `None` if the array texture had no room for the species.
    pub(crate) fn plant(&self, species: &Species, variant: u32) -> Option<&Grown> {
        self.individuals(species)?.get(variant as usize)
    }

    /// Height of the tallest individual in meters. 0 without individuals.
    pub(crate) fn height(&self, species: &Species) -> f32 {
        let individuals = self.individuals(species).unwrap_or_default();
        let heights = individuals.iter().map(|plant| plant.height);
        heights.fold(0.0, f32::max)
    }

    async fn grow(models: Models) -> Self {
        let mut library = Self {
            species: Vec::new(),
            layers: Vec::new(),
            models: models.clone(),
        };
        for kind in PlantKind::ALL {
            library.add(Species::Kind(kind)).await;
        }
        for model in models.iter() {
            library.add(Species::Model(model.clone())).await;
        }
        library
    }

    /// Grows all individuals of a species, or none if there are not enough layers.
    async fn add(&mut self, species: Species) {
        // On failure, release the layers that this species requested.
        let before = self.layers.len();
        let mut individuals = Vec::with_capacity(species.variants());
        for variant in 0..species.variants() {
            pause().await;
            match self.grow_one(&species, variant) {
                Some(individual) => individuals.push(individual),
                None => {
                    self.layers.truncate(before);
                    warn!(
                        "a plant model is not drawn, because all plant textures together would \
                         need more than the {MOST_LAYERS} layers of the array texture"
                    );
                    return;
                }
            }
        }
        self.species.push((species, individuals));
    }

    fn grow_one(&mut self, species: &Species, variant: usize) -> Option<Grown> {
        let near = self.layered(species, species.mesh(variant, Level::Near))?;
        let middle = self.layered(species, species.mesh(variant, Level::Middle))?;
        let far = match species.far_level() {
            FarLevel::None => FarLook::None,
            FarLevel::Mesh => {
                FarLook::Mesh(self.layered(species, species.mesh(variant, Level::Far))?)
            }
            FarLevel::Impostor => {
                // Both layers are new, so their numbers are consecutive.
                let species = self.species.len();
                let layer = self.layer(Layer::Impostor(species, variant, View::Side))?;
                self.layer(Layer::Impostor(species, variant, View::Top))?;
                FarLook::Impostor {
                    frame: Frame::of(&near.mesh),
                    layer,
                }
            }
        };
        Some(Grown {
            height: near.mesh.bounds().1[1],
            near,
            middle,
            far,
        })
    }

    fn layered(&mut self, species: &Species, mesh: PlantMesh) -> Option<LayeredMesh> {
        let layers = mesh.parts.iter().map(|part| {
            self.layer(match (part.skin, species) {
                (Skin::Plant(skin), _) => Layer::Plant(skin),
                (Skin::Ground(kind), _) => Layer::Ground(kind),
                (Skin::Own { texture, .. }, Species::Model(model)) => {
                    Layer::Own(model.clone(), texture)
                }
                // `PlantModel::new` rejects these for near and middle meshes.
                (Skin::Own { .. }, Species::Kind(_)) | (Skin::Impostor, _) => return None,
            })
        });
        let layers = layers.collect::<Option<_>>()?;
        Some(LayeredMesh { mesh, layers })
    }

    /// Returns the number of a layer, which is added if it is new. `None` if all numbers are used.
    fn layer(&mut self, layer: Layer) -> Option<u8> {
        let known = self.layers.iter().position(|other| *other == layer);
        let number = known.unwrap_or(self.layers.len());
        if number == self.layers.len() {
            self.layers.push(layer);
        }
        u8::try_from(number)
            .ok()
            .filter(|number| *number < MOST_LAYERS)
    }
}

/// The library of all terrains. It stays in use while a new one is grown.
#[derive(Resource, Default)]
pub(crate) struct PlantLibrary {
    grown: Option<(Arc<Library>, Handle<Image>)>,
    growing: Option<Task<(Library, Image)>>,
}

impl PlantLibrary {
    pub(crate) fn get(&self) -> Option<&Arc<Library>> {
        self.grown.as_ref().map(|(library, _)| library)
    }

    /// The array texture.
    pub(crate) fn pictures(&self) -> Option<&Handle<Image>> {
        self.grown.as_ref().map(|(_, pictures)| pictures)
    }

    /// Starts to grow a library with these models, unless it exists. A running task is finished first: otherwise, if
    /// models changed all the time, nothing would ever be drawn.
    pub(crate) fn ask(&mut self, models: &Models) {
        let is_there = self.get().is_some_and(|library| library.models == *models);
        if self.growing.is_some() || is_there {
            return;
        }
        let models = models.clone();
        let task = AsyncComputeTaskPool::get().spawn(async {
            let library = Library::grow(models).await;
            let pictures = pictures::paint(&library).await;
            (library, pictures)
        });
        self.growing = Some(task);
    }

    /// Takes over a finished library.
    pub(crate) fn go_on(&mut self, images: &mut Assets<Image>) {
        let Some(task) = &mut self.growing else {
            return;
        };
        if let Some((library, pictures)) = check_ready(task) {
            self.grown = Some((Arc::new(library), images.add(pictures)));
            self.growing = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::tasks::block_on;
    use lanternfell_plants::grow::grow;
    use lanternfell_textures::PlantTexture;

    use super::*;
    use crate::model::{PlantVariant, plant_mesh};

    #[test]
    fn all_variants_exist_and_impostors_have_their_own_layers() {
        let library = block_on(Library::grow(Models::default()));
        let mut layers = Vec::new();
        for kind in PlantKind::ALL {
            let species = Species::Kind(kind);
            for variant in 0..species.variants() as u32 {
                let plant = library.plant(&species, variant).unwrap();
                assert!(plant.height > 0.0 && plant.height <= library.height(&species));
                let near = grow(kind, u64::from(variant) + 1, Level::Near);
                assert_eq!(plant.near.mesh, near, "{kind:?} {variant}");
                match &plant.far {
                    FarLook::Impostor { layer, .. } => layers.push(*layer),
                    FarLook::Mesh(mesh) => assert!(mesh.mesh.triangle_count() > 0),
                    FarLook::None => assert_eq!(kind.far_level(), FarLevel::None),
                }
            }
        }
        let impostors = |kind: &&PlantKind| kind.far_level() == FarLevel::Impostor;
        assert_eq!(
            layers.len(),
            4 * PlantKind::ALL.iter().filter(impostors).count()
        );
        for layer in &layers {
            let painted = &library.layers[usize::from(*layer)..][..2];
            assert!(
                matches!(painted, [Layer::Impostor(a, b, View::Side), Layer::Impostor(c, d, View::Top)] if (a, b) == (c, d)),
                "{painted:?}"
            );
        }
        layers.dedup();
        assert_eq!(layers.len(), 24);
        assert!(layers.is_sorted());
    }

    #[test]
    fn skins_come_before_impostors() {
        let library = block_on(Library::grow(Models::default()));
        for (_, individuals) in &library.species {
            for plant in individuals {
                let FarLook::Impostor { layer, .. } = plant.far else {
                    continue;
                };
                assert!(plant.near.layers.iter().all(|skin| *skin < layer));
            }
        }
        let skins = library
            .layers
            .iter()
            .filter(|layer| matches!(layer, Layer::Plant(_) | Layer::Ground(_)));
        assert_eq!(skins.count(), 12);
    }

    fn model(textures: usize) -> PlantModel {
        let skin = |texture| Skin::Own {
            texture,
            cut_out: false,
        };
        let cube = Cuboid::from_length(1.0).into();
        let variants = (0..textures).map(|texture| {
            let cube = plant_mesh(&cube, skin(texture as u8)).unwrap();
            PlantVariant {
                near: cube.clone(),
                middle: cube,
                ..default()
            }
        });
        let texture = PlantTexture::from_color_alpha(16, vec![255; 1024]).unwrap();
        let textures = vec![texture; textures];
        PlantModel::new(variants.collect(), FarLevel::Impostor, textures).unwrap()
    }

    #[test]
    fn models_come_after_kinds_and_are_dropped_without_free_layers() {
        let kinds = block_on(Library::grow(Models::default())).layers;
        let models = [model(2), model(50), model(60)];
        let library = block_on(Library::grow(Models::of(models.clone())));
        assert_eq!(library.layers[..kinds.len()], kinds);
        let is_there = models.map(|model| library.plant(&Species::Model(model), 0).is_some());
        assert_eq!(is_there, [true, true, false]);
        assert_eq!(library.layers.len(), kinds.len() + 3 * 2 + 3 * 50);
    }
}
