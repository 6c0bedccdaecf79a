//! Spawns chunks for finished meshes: hidden at first and a limited number of bytes per frame, then all shown at once.
//!
//! Meshes and textures of all terrains share one limit on the bytes that are uploaded per frame. In addition, each
//! terrain has a limit for its meshes, [`TerrainDetail::memory`]: after a whole cut has been replaced, the next one
//! waits until enough of the old chunks have been despawned.

use std::collections::HashMap;

use bevy::{
    camera::visibility::NoAutoAabb, ecs::system::SystemParam, prelude::*,
    tasks::futures::check_ready,
};
use lanternfell_surface::detail::Patch;

use crate::{
    ground::{Terrain, replace, with_terrain},
    land::{
        chunk::{PatchMesh, TerrainChunk},
        detail::{DrawnDetail, TerrainDetail},
        patches::{LandPatches, PendingCut, Retired, Shown},
    },
    upload::{FrameUploads, Strips},
};

/// The maximum number of bytes of meshes and textures that one frame uploads, for all terrains together.
const UPLOAD_PER_FRAME: usize = 2 << 20;

/// The same while no terrain is shown yet: then a short wait matters more than an even frame rate.
const FIRST_UPLOAD_PER_FRAME: usize = 8 << 20;

/// The destination of the textures of new terrain. Both are `None` in an app without a renderer.
#[derive(SystemParam)]
pub(super) struct Textures<'w> {
    images: Option<ResMut<'w, Assets<Image>>>,
    strips: Option<ResMut<'w, Strips>>,
}

/// Continues to build each pending cut. A complete cut replaces the one that is shown.
pub(super) fn build_patches(
    mut commands: Commands,
    mut terrains: Query<
        (
            Entity,
            &mut PendingCut,
            &TerrainDetail,
            Option<&mut LandPatches>,
        ),
        With<Terrain>,
    >,
    retired: Query<(&TerrainChunk, &Retired)>,
    shown: Query<(), With<LandPatches>>,
    mut meshes: Option<ResMut<Assets<Mesh>>>,
    mut textures: Textures,
) {
    let Some(meshes) = &mut meshes else {
        return;
    };
    if let Some(strips) = &mut textures.strips {
        strips.forget();
    }
    let mut left = match shown.is_empty() {
        true => FIRST_UPLOAD_PER_FRAME,
        false => UPLOAD_PER_FRAME,
    };
    for (entity, mut pending, detail, before) in &mut terrains {
        if !pending.receive() {
            continue;
        }
        let going = retired.iter().filter(|(chunk, _)| chunk.terrain == entity);
        let (is_any_going, going) = going.fold((false, 0), |(_, bytes), (_, retired)| {
            (true, bytes + retired.bytes)
        });
        let shown = before.as_ref().map_or(0, |before| bytes_of(&before.shown));
        let taken = shown + bytes_of(&pending.fresh) + going;
        let mut room = Room {
            bytes: detail.all_memory().saturating_sub(taken),
            // If no chunk is being despawned, waiting would free no memory, so even a patch that is too large is
            // accepted.
            is_waited_for: is_any_going,
        };
        if pending.upload(&mut commands, meshes, entity, &mut room, &mut left)
            && pending.upload_textures(&mut textures, &mut left)
        {
            pending.take_place(&mut commands, entity, before);
        }
    }
}

fn bytes_of(patches: &HashMap<Patch, Shown>) -> usize {
    patches.values().map(|patch| patch.bytes).sum()
}

/// The free part of a terrain's memory.
struct Room {
    bytes: usize,
    /// Whether more memory will become free without further action, because chunks are being despawned.
    is_waited_for: bool,
}

impl Room {
    /// Reserves `bytes`. Returns `false` if the caller has to wait.
    fn take(&mut self, bytes: usize) -> bool {
        if bytes > self.bytes && self.is_waited_for {
            return false;
        }
        self.bytes = self.bytes.saturating_sub(bytes);
        true
    }
}

impl PendingCut {
    /// Takes the result of the task if it is there. Returns whether the task has finished.
    fn receive(&mut self) -> bool {
        if let Some(made) = self.task.as_mut().and_then(check_ready) {
            self.made = made.into_iter();
            self.task = None;
        }
        self.task.is_none()
    }

    /// Spawns new patches, hidden, within the bytes left in this frame. Returns whether all of them have been spawned.
    fn upload(
        &mut self,
        commands: &mut Commands,
        meshes: &mut Assets<Mesh>,
        terrain: Entity,
        room: &mut Room,
        left: &mut usize,
    ) -> bool {
        while let Some(next) = self.made.as_slice().first() {
            let Some(rest) = left.checked_sub(next.bytes) else {
                return false;
            };
            if !room.take(next.bytes) {
                return false;
            }
            *left = rest;
            for made in self.made.by_ref().take(1) {
                // At the border of the map a patch can consist of nothing but holes.
                if made.triangles > 0 {
                    self.fresh
                        .insert(made.patch, spawn_chunk(commands, meshes, terrain, made));
                }
            }
        }
        true
    }

    /// Uploads the textures of new terrain. Returns whether all of them have been uploaded.
    fn upload_textures(&mut self, textures: &mut Textures, left: &mut usize) -> bool {
        let Some(ground) = &mut self.new_ground else {
            return true;
        };
        ground.upload(&mut FrameUploads {
            images: textures.images.as_deref_mut(),
            strips: textures.strips.as_deref_mut(),
            left,
        })
    }

    /// Shows the new patches, retires those that they replace, and puts new terrain in place.
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
        for (patch, old) in before
            .map(|mut before| std::mem::take(&mut before.shown))
            .into_iter()
            .flatten()
        {
            if self.kept.contains(&patch) {
                shown.insert(patch, old);
            } else {
                let retired = Retired { bytes: old.bytes };
                commands
                    .entity(old.chunk)
                    .try_insert((retired, Visibility::Hidden));
            }
        }
        let drawn = DrawnDetail {
            pixel_error: self.cut.error,
            patches: shown.len(),
            triangles: shown.values().map(|patch| patch.triangles).sum(),
            bytes: shown.values().map(|patch| patch.bytes).sum(),
            // Until the next check finds that no patch is missing.
            refining: true,
        };
        let patches = LandPatches {
            ground: self.ground.clone(),
            cut: std::mem::take(&mut self.cut),
            occasion: self.occasion.clone(),
            shown,
            tangents: self.tangents,
        };
        let new_ground = self.new_ground.take();
        with_terrain(commands, terrain, move |mut terrain| {
            // Another terrain may have replaced the one that these patches belong to.
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
            if let Some(new_ground) = new_ground {
                new_ground.put_in_place(&mut terrain);
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
        // Set explicitly, because Bevy can not compute them after the mesh has moved to the GPU.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patch_waits_only_while_memory_is_being_freed() {
        let mut room = Room {
            bytes: 100,
            is_waited_for: true,
        };
        assert!(room.take(60) && !room.take(60) && room.take(40) && !room.take(1));
        // Waiting would free no memory.
        room.is_waited_for = false;
        assert!(room.take(60));
    }
}
