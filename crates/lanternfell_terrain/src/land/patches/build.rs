//! From meshes to entities: so many bytes a frame, hidden, and then all shown at once.
//!
//! How many bytes a frame hands over is bounded for all terrains together: meshes, and textures. How many
//! bytes of meshes a terrain has at once is bounded by its own memory: where a whole cut was replaced, the next one
//! waits for what is still being cleared away.

use std::collections::{HashMap, HashSet};

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

/// Bytes of meshes and textures that one frame hands to the renderer, of all terrains together.
const UPLOAD_PER_FRAME: usize = 2 << 20;

/// Where textures of new ground go; nowhere in an app without a renderer.
#[derive(SystemParam)]
pub(super) struct Textures<'w> {
    images: Option<ResMut<'w, Assets<Image>>>,
    strips: Option<ResMut<'w, Strips>>,
}

/// Builds on at every cut that is being made; when one is complete, it takes the place of the old one.
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
    mut meshes: Option<ResMut<Assets<Mesh>>>,
    mut textures: Textures,
) {
    let Some(meshes) = &mut meshes else {
        return;
    };
    if let Some(strips) = &mut textures.strips {
        strips.forget();
    }
    let mut left = UPLOAD_PER_FRAME;
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
            // With nothing to wait for, a patch is as large as it is.
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

/// What of a terrain's memory is free.
struct Room {
    bytes: usize,
    /// Whether there will be more of it without doing anything.
    is_waited_for: bool,
}

impl Room {
    /// Takes so many bytes of it. Returns whether that can be done now.
    fn take(&mut self, bytes: usize) -> bool {
        if bytes > self.bytes && self.is_waited_for {
            return false;
        }
        self.bytes = self.bytes.saturating_sub(bytes);
        true
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
                // At the border of the map nothing but holes may be left of a patch.
                if made.triangles > 0 {
                    self.fresh
                        .insert(made.patch, spawn_chunk(commands, meshes, terrain, made));
                }
            }
        }
        true
    }

    /// Hands over the textures of new ground. Returns whether all of them are.
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
        let new_ground = self.new_ground.take();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_waits_for_memory_where_some_is_being_given_back() {
        let mut room = Room {
            bytes: 100,
            is_waited_for: true,
        };
        assert!(room.take(60) && !room.take(60) && room.take(40) && !room.take(1));
        // Nothing would come of waiting.
        room.is_waited_for = false;
        assert!(room.take(60));
    }
}
