//! The mesh of one plot.

use std::collections::BTreeMap;

use bevy::{camera::primitives::Aabb, prelude::*};
use lanternfell_plants::grow::PlantKind;
use lanternfell_terrain::pause;

use crate::{
    library::Library,
    merge::{Look, Merged, Standing},
    plan::{Plot, PlotKind},
    sowing::Sowing,
};

/// A plot's mesh, before it becomes an asset.
pub(crate) struct Chunk {
    /// None where nothing grows.
    pub(crate) mesh: Option<Mesh>,
    pub(crate) aabb: Aabb,
    /// The mesh's own, in the terrain's frame.
    pub(crate) origin: Vec3,
    /// What it takes on the GPU.
    pub(crate) bytes: usize,
    pub(crate) triangles: usize,
    pub(crate) plants: usize,
    /// How many of the bytes are of which kind.
    pub(crate) kinds: Vec<(PlantKind, usize)>,
    /// Whether more stands there than a mesh may have.
    pub(crate) is_cut: bool,
}

/// So many plants are merged between two pauses.
const BETWEEN_PAUSES: usize = 256;

/// A mesh with more than that would not be taken by many a graphics card.
const MOST_BYTES: usize = 64 << 20;

impl Chunk {
    /// In a background task.
    pub(crate) async fn make(plot: Plot, sowing: &Sowing, library: &Library) -> Self {
        let corner = sowing.ground.local(plot.corner());
        let mut origin = None;
        let mut merged = Merged::default();
        let (mut kinds, mut is_cut) = (BTreeMap::new(), false);
        for cell in plot.cells() {
            pause().await;
            for (count, (kind, instance)) in sowing.stands(plot.kind, cell).enumerate() {
                if count % BETWEEN_PAUSES == BETWEEN_PAUSES - 1 {
                    pause().await;
                }
                if merged.bytes() > MOST_BYTES {
                    is_cut = true;
                    break;
                }
                let root = sowing.root(&instance);
                // Heights are told from that of the first that stands there: 500 m up and down.
                let origin = *origin.get_or_insert(Vec3::new(corner.x, root.y, corner.y));
                let standing = Standing {
                    kind,
                    plant: library.plant(kind, instance.variant),
                    instance: &instance,
                    root: root - origin,
                    limits: sowing.limits,
                };
                let before = merged.bytes();
                merged.add(&standing, plot.kind.look());
                *kinds.entry(kind).or_insert(0) += merged.bytes() - before;
            }
        }
        pause().await;
        let chunk = Self::new(merged, origin.unwrap_or_default());
        Self {
            kinds: kinds.into_iter().collect(),
            is_cut,
            ..chunk
        }
    }

    fn new(merged: Merged, origin: Vec3) -> Self {
        Self {
            aabb: merged.aabb(),
            origin,
            bytes: merged.bytes(),
            triangles: merged.triangles(),
            plants: merged.count(),
            kinds: Vec::new(),
            is_cut: false,
            mesh: (!merged.is_empty()).then(|| merged.into_mesh()),
        }
    }
}

impl PlotKind {
    fn look(self) -> Look {
        match self {
            Self::Far => Look::Far,
            Self::Middle | Self::Herbs => Look::Middle,
            Self::Near | Self::NearHerbs => Look::Near,
        }
    }
}
