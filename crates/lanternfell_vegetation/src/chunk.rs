//! Builds the mesh of one plot.

use std::collections::BTreeMap;

use bevy::{camera::primitives::Aabb, prelude::*};
use lanternfell_tasks::pause;

use crate::{
    layout::VegetationLayout,
    library::Library,
    merge::{Look, Merged, Standing},
    plan::{Plot, PlotKind},
};

/// The mesh of a plot, before it becomes an asset.
pub(crate) struct Chunk {
    /// `None` if nothing grows there.
    pub(crate) mesh: Option<Mesh>,
    pub(crate) aabb: Aabb,
    /// Origin of the mesh in the terrain's local space.
    pub(crate) origin: Vec3,
    /// GPU memory in bytes.
    pub(crate) bytes: usize,
    pub(crate) triangles: usize,
    pub(crate) plants: usize,
    /// Bytes per rule name.
    pub(crate) rules: Vec<(String, usize)>,
    /// Whether plants were left out because the mesh reached its size limit.
    pub(crate) is_cut: bool,
}

/// Plants merged between two pauses.
const BETWEEN_PAUSES: usize = 256;

/// Size limit of a mesh in bytes. Many graphics cards reject larger buffers.
const MOST_BYTES: usize = 64 << 20;

impl Chunk {
    /// Scatters and merges the plants of a plot. Runs in a background task.
    pub(crate) async fn make(plot: Plot, layout: &VegetationLayout, library: &Library) -> Self {
        let corner = layout.ground.local(plot.corner());
        let mut origin = None;
        let mut merged = Merged::default();
        let (mut rules, mut is_cut) = (BTreeMap::new(), false);
        for cell in plot.cells() {
            pause().await;
            for (count, (plant, instance)) in layout.stands(plot.kind, cell).enumerate() {
                if count % BETWEEN_PAUSES == BETWEEN_PAUSES - 1 {
                    pause().await;
                }
                if merged.bytes() > MOST_BYTES {
                    is_cut = true;
                    break;
                }
                let Some(grown) = library.plant(plant.species, instance.variant) else {
                    continue;
                };
                let root = layout.root(&instance);
                // The y origin is the first plant's root, because quantized roots only reach 500 m up and down.
                let origin = *origin.get_or_insert(Vec3::new(corner.x, root.y, corner.y));
                let standing = Standing {
                    far: plant.species.far_level(),
                    plant: grown,
                    instance: &instance,
                    root: root - origin,
                    limits: layout.limits,
                };
                let before = merged.bytes();
                merged.add(&standing, plot.kind.look());
                *rules.entry(plant.rule).or_insert(0) += merged.bytes() - before;
            }
        }
        pause().await;
        let chunk = Self::new(merged, origin.unwrap_or_default());
        Self {
            rules: rules
                .into_iter()
                .map(|(rule, bytes): (&str, usize)| (rule.to_owned(), bytes))
                .collect(),
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
            rules: Vec::new(),
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
