//! The species of a plant: a kind of this crate or a model of the app.

use lanternfell_plants::grow::{FarLevel, Level, PlantKind, PlantMesh, Solid, grow, solid};

use crate::model::PlantModel;

/// Individuals per [`PlantKind`].
const VARIANTS: usize = 4;

/// A kind of this crate, or a model of the app.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Species {
    Kind(PlantKind),
    Model(PlantModel),
}

impl Species {
    /// Number of individuals.
    pub(crate) fn variants(&self) -> usize {
        match self {
            Self::Kind(_) => VARIANTS,
            Self::Model(model) => model.variants().len(),
        }
    }

    pub(crate) fn far_level(&self) -> FarLevel {
        match self {
            Self::Kind(kind) => kind.far_level(),
            Self::Model(model) => model.far_level(),
        }
    }

    /// The mesh of an individual at a level of detail.
    pub(crate) fn mesh(&self, variant: usize, level: Level) -> PlantMesh {
        match self {
            Self::Kind(kind) => grow(*kind, seed(variant), level),
            Self::Model(model) => {
                let variant = &model.variants()[variant];
                match level {
                    Level::Near => variant.near.clone(),
                    Level::Middle => variant.middle.clone(),
                    Level::Far => variant.far.clone(),
                }
            }
        }
    }

    /// The collision shape of an individual.
    pub(crate) fn solid(&self, variant: u32) -> Option<Solid> {
        match self {
            Self::Kind(kind) => solid(*kind, seed(variant as usize)),
            Self::Model(model) => model.variants()[variant as usize].solid.clone(),
        }
    }
}

/// The seed of an individual of a [`PlantKind`].
fn seed(variant: usize) -> u64 {
    variant as u64 + 1
}
