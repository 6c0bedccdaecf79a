//! From meshes to entities: so many bytes a frame, hidden, and then all shown at once.

use std::collections::HashSet;

use bevy::{camera::visibility::NoAutoAabb, prelude::*, tasks::futures::check_ready};

use lanternfell_heightmap::detail::Patch;

use crate::{
    chunk::{PatchMesh, TerrainChunk},
    detail::DrawnDetail,
    patches::{LandPatches, PendingCut, Retired, Shown},
    swap::replace,
    terrain::{Terrain, with_terrain},
};

/// Bytes of meshes that one frame hands to the renderer, of all terrains together.
const UPLOAD_PER_FRAME: usize = 2 << 20;

/// Builds on at every cut that is being made; when one is complete, it takes the place of the old one.
pub(super) fn build_patches(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut PendingCut, Option<&mut LandPatches>), With<Terrain>>,
    mut meshes: Option<ResMut<Assets<Mesh>>>,
) {
    let Some(meshes) = &mut meshes else {
        return;
    };
    let mut left = UPLOAD_PER_FRAME;
    for (entity, mut pending, before) in &mut terrains {
        if pending.receive() && pending.upload(&mut commands, meshes, entity, &mut left) {
            pending.take_place(&mut commands, entity, before);
        }
    }
}

impl PendingCut {
    /// Takes in what the task made. Returns whether it has ended.
    fn receive(&mut self) -> bool {
        if let Some(made) = self.task.as_mut().and_then(check_ready) {
            self.made = made.into_iter();
            self.task = None;
        }
        self.task.is_none()
    }

    /// Spawns some of the new patches, hidden, for as many bytes as are left. Returns whether all of them are there.
    fn upload(
        &mut self,
        commands: &mut Commands,
        meshes: &mut Assets<Mesh>,
        terrain: Entity,
        left: &mut usize,
    ) -> bool {
        while let Some(next) = self.made.as_slice().first() {
            let Some(rest) = left.checked_sub(next.bytes) else {
                return false;
            };
            *left = rest;
            for made in self.made.by_ref().take(1) {
                // At the border of the map nothing but holes may be left of a patch.
                if made.triangles > 0 {
                    self.fresh
                        .insert(made.patch, spawn_chunk(commands, meshes, terrain, made));
                }
            }
        }
        true
    }

    /// Shows the new patches, hides what they replace, and puts new ground in place.
    fn take_place(
        &mut self,
        commands: &mut Commands,
        terrain: Entity,
        before: Option<Mut<LandPatches>>,
    ) {
        let mut shown = std::mem::take(&mut self.fresh);
        for new in shown.values() {
            commands.entity(new.chunk).try_insert(Visibility::Inherited);
        }
        let wanted: HashSet<Patch> = self.cut.patches.iter().copied().collect();
        for (patch, old) in before
            .map(|mut before| std::mem::take(&mut before.shown))
            .into_iter()
            .flatten()
        {
            if !self.is_anew && wanted.contains(&patch) {
                shown.insert(patch, old);
            } else {
                commands
                    .entity(old.chunk)
                    .try_insert((Retired, Visibility::Hidden));
            }
        }
        let drawn = DrawnDetail {
            pixel_error: self.cut.error,
            patches: shown.len(),
            triangles: shown.values().map(|patch| patch.triangles).sum(),
            bytes: shown.values().map(|patch| patch.bytes).sum(),
            // Until it is found that nothing is missing.
            refining: true,
        };
        let patches = LandPatches {
            ground: self.ground.clone(),
            cut: std::mem::take(&mut self.cut),
            occasion: self.occasion.clone(),
            shown,
            tangents: self.tangents,
        };
        let finish = self.finish.take();
        with_terrain(commands, terrain, move |mut terrain| {
            // Another terrain may have taken the place of the one whose patches these are.
            if !terrain.contains::<PendingCut>() {
                let chunks: Vec<Entity> = patches.shown.values().map(|patch| patch.chunk).collect();
                return terrain.world_scope(|world| {
                    for chunk in chunks {
                        world.try_despawn(chunk).ok();
                    }
                });
            }
            terrain.remove::<PendingCut>().insert(drawn);
            replace(&mut terrain, patches);
            if let Some(finish) = finish {
                finish.put_in_place(&mut terrain);
            }
        });
    }
}

fn spawn_chunk(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    terrain: Entity,
    made: PatchMesh,
) -> Shown {
    let level = made.patch.level();
    let chunk = commands.spawn((
        TerrainChunk { terrain, level },
        Mesh3d(meshes.add(made.mesh)),
        // Given, not computed: the mesh leaves the main world for the GPU.
        made.bounds,
        NoAutoAabb,
        Transform::from_translation(made.origin),
        Visibility::Hidden,
        ChildOf(terrain),
    ));
    Shown {
        chunk: chunk.id(),
        triangles: made.triangles,
        bytes: made.bytes,
    }
}
