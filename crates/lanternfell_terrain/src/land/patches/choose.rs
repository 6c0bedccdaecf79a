//! Chooses a new cut when the cameras have moved or the terrain is new.
//!
//! A cut is a set of patches that cover the terrain without gaps. Two limits decide how fine it is: the screen-space
//! error that [`TerrainDetail`] allows, and the memory. Memory is counted as the weight of patches, and is divided so
//! that a swap never needs more than all of it:
//!
//! ```text
//!   |<------------------------- weight() ------------------------->|
//!   |<-------- shown_weight(): 3/4, shown patches -------->|<-1/4->|  for replacements
//! ```
//!
//! The new patches of a cut are built while the old cut is still shown, so they must fit into the memory that is free.
//! If a camera jumps and nearly all patches are new, they do not fit. In this case an intermediate, coarser cut is
//! shown first. Once it is shown, more memory is free, and the next cut gets closer to the final one. While such
//! intermediate cuts are shown, [`LandPatches::occasion`] is `None`, so that the search continues.
//!
//! No cut is chosen for a terrain that has a [`PendingCut`]. A moving camera can therefore not cancel the cut that is
//! being built, and every cut that is started is shown.

use std::sync::Arc;

use bevy::{camera::visibility::RenderLayers, prelude::*};
use lanternfell_surface::detail::{Cut, Patch, Viewer};

use crate::{
    ground::{GeneratedTerrain, SurfaceChange, Terrain, with_terrain},
    land::{
        chunk::bytes_of_weight,
        detail::{DrawnDetail, TerrainDetail},
        patches::{Ground, LandPatches, Occasion, PendingCut},
    },
    viewers::Viewers,
};

/// Starts building the first cut of new terrain, for the current cameras.
pub(super) fn begin_swaps(
    mut commands: Commands,
    viewers: Viewers,
    mut terrains: Query<
        (
            Entity,
            &GlobalTransform,
            Option<&RenderLayers>,
            &TerrainDetail,
            &mut GeneratedTerrain,
            Option<&LandPatches>,
        ),
        With<Terrain>,
    >,
) {
    for (entity, transform, layers, detail, mut made, before) in &mut terrains {
        let Some(new_ground) = made.take() else {
            continue;
        };
        let detail = detail.cleaned();
        let pending = new_ground.surface.detail().map(|tree| {
            let (surface, tree) = (new_ground.surface.clone(), tree.clone());
            let ground = Arc::new(Ground { surface, tree });
            let viewers = viewers.of(transform, layers);
            let occasion = Occasion { viewers, detail };
            let edited = before.filter(|before| before.tangents == detail.tangents);
            let change = edited.and_then(|before| {
                let change = ground.surface.change_since(&before.ground.surface)?;
                Some((before, change))
            });
            match change {
                Some((before, change)) => PendingCut::update(ground, occasion, before, &change),
                None => {
                    // The patches of the old terrain are shown until the new ones are complete, so they count as used
                    // memory.
                    let shown = before.map_or(0, |before| before.cut.weight());
                    PendingCut::full_rebuild(ground, occasion, shown)
                }
            }
        });
        with_terrain(&mut commands, entity, |mut terrain| {
            terrain.remove::<GeneratedTerrain>();
            match pending {
                Some(mut pending) => {
                    pending.new_ground = Some(new_ground);
                    terrain.insert(pending);
                }
                None => new_ground.put_in_place(&mut terrain),
            }
        });
    }
}

type Resting = (With<Terrain>, Without<PendingCut>);

/// Checks where the cameras are, and starts building another cut if it would differ.
pub(super) fn choose_cuts(
    mut commands: Commands,
    viewers: Viewers,
    mut terrains: Query<
        (
            Entity,
            &GlobalTransform,
            Option<&RenderLayers>,
            &TerrainDetail,
            &mut LandPatches,
            &mut DrawnDetail,
        ),
        Resting,
    >,
) {
    for (entity, transform, layers, detail, mut patches, mut drawn) in &mut terrains {
        let occasion = Occasion {
            viewers: viewers.of(transform, layers),
            detail: detail.cleaned(),
        };
        let fits = patches.cut.weight() <= occasion.detail.shown_weight();
        let has_tangents = occasion.detail.tangents;
        // If the vertex layout changes, no patch that is shown can be kept.
        if has_tangents != patches.tangents {
            let shown = patches.cut.weight();
            let pending = PendingCut::full_rebuild(patches.ground.clone(), occasion, shown);
            with_terrain(&mut commands, entity, |mut terrain| {
                terrain.insert(pending);
            });
            continue;
        }
        // Without a camera the current cut is kept, because it fits again when the camera comes back. There are two
        // exceptions: the memory limit was lowered below the weight of this cut, or the error is 0, which requests
        // every cell even without a camera.
        let keeps_cut = occasion.viewers.is_empty() && occasion.detail.pixel_error > 0.0 && fits;
        if keeps_cut || patches.are_for(&occasion) {
            let updated = DrawnDetail {
                refining: false,
                ..*drawn
            };
            drawn.set_if_neq(updated);
            continue;
        }
        // `is_last` is false for an intermediate cut. In this case no occasion is stored, and the search continues in a
        // later frame.
        let is_kept = |patch: &Patch| patches.shown.contains_key(patch);
        let (cut, is_last) = patches.next_cut(&patches.ground, &occasion, is_kept);
        let occasion = is_last.then_some(occasion);
        // The patches are the same, so nothing has to be built, but the error seen by the new cameras may be different.
        if cut.patches == patches.cut.patches {
            let pixel_error = cut.error;
            let updated = DrawnDetail {
                pixel_error,
                refining: false,
                ..*drawn
            };
            drawn.set_if_neq(updated);
            (patches.cut, patches.occasion) = (cut, occasion);
            continue;
        }
        let updated = DrawnDetail {
            refining: true,
            ..*drawn
        };
        drawn.set_if_neq(updated);
        let ground = patches.ground.clone();
        let pending = PendingCut::new(ground, cut, occasion, is_kept, has_tangents);
        with_terrain(&mut commands, entity, |mut terrain| {
            terrain.insert(pending);
        });
    }
}

impl Ground {
    fn cut(&self, viewers: &[Viewer], detail: &TerrainDetail, weight: usize, before: &Cut) -> Cut {
        self.tree.cut(
            viewers,
            self.scale(),
            AHEAD * detail.pixel_error,
            weight,
            before,
        )
    }
}

impl PendingCut {
    /// Starts building a cut that shares no patch with the one that is shown.
    fn full_rebuild(ground: Arc<Ground>, occasion: Occasion, shown_weight: usize) -> Self {
        let Occasion { viewers, detail } = &occasion;
        let weight = detail.free_weight(shown_weight);
        let cut = ground.cut(viewers, detail, weight, &Cut::default());
        let (tangents, is_last) = (detail.tangents, weight == detail.shown_weight());
        Self::new(
            ground,
            cut,
            is_last.then_some(occasion),
            |_| false,
            tangents,
        )
    }

    /// Starts building the patches that an edit has changed, and those that are new in the cut.
    fn update(
        ground: Arc<Ground>,
        occasion: Occasion,
        before: &LandPatches,
        change: &SurfaceChange,
    ) -> Self {
        let areas: Vec<_> = change.ranges().collect();
        let is_kept = |patch: &Patch| {
            let mut areas = areas.iter();
            before.shown.contains_key(patch)
                && !areas.any(|[columns, rows]| ground.tree.depends_on(*patch, columns, rows))
        };
        let (cut, is_last) = before.next_cut(&ground, &occasion, is_kept);
        let tangents = occasion.detail.tangents;
        let occasion = is_last.then_some(occasion);
        Self::new(ground.clone(), cut, occasion, is_kept, tangents)
    }
}

impl LandPatches {
    /// Whether the current cut was chosen for these inputs, or has all cells and can not be improved for any camera.
    fn are_for(&self, occasion: &Occasion) -> bool {
        let Some(chosen) = &self.occasion else {
            return false;
        };
        let is_whole = chosen.detail.pixel_error == 0.0 && self.cut.error == 0.0;
        chosen == occasion || (is_whole && chosen.detail == occasion.detail)
    }

    /// Returns the cut of `ground` for these viewers and `true`, or an intermediate cut and `false` if the memory does
    /// not suffice for the current patches and all the new ones.
    fn next_cut(
        &self,
        ground: &Ground,
        occasion: &Occasion,
        is_kept: impl Fn(&Patch) -> bool,
    ) -> (Cut, bool) {
        let Occasion { viewers, detail } = occasion;
        let free = detail.free_weight(self.cut.weight());
        let is_new = |patch: &&Patch| !is_kept(patch);
        let new_weight = |cut: &Cut| -> usize {
            let new = cut.patches.iter().filter(is_new);
            new.map(|patch| patch.weight()).sum()
        };
        // Halving ends after a few rounds: at `free` any cut is accepted, because even a cut of all new patches fits
        // then.
        let mut weight = detail.shown_weight();
        loop {
            let cut = ground.cut(viewers, detail, weight, &self.cut);
            if new_weight(&cut) <= free || weight <= free {
                return (cut, weight == detail.shown_weight());
            }
            weight = (weight / 2).max(free);
        }
    }
}

/// Cuts are chosen for this fraction of the allowed error. The rest is a margin for the time until the cut is shown, in
/// which the cameras keep moving.
const AHEAD: f32 = 0.75;
/// One part in this many of the memory is reserved for the patches that will replace those that are shown.
const PART_FOR_CHANGE: usize = 4;

impl TerrainDetail {
    /// Replaces a `NaN` pixel error by the default, and a negative one by 0.
    fn cleaned(self) -> Self {
        let pixel_error = if self.pixel_error.is_nan() {
            Self::default().pixel_error
        } else {
            self.pixel_error.max(0.0)
        };
        Self {
            pixel_error,
            ..self
        }
    }

    /// The whole memory budget, in units of a patch with weight 1.
    fn weight(&self) -> usize {
        // With less, the quarter for changes would not hold two patches, the minimum for any terrain.
        (self.memory / bytes_of_weight(self.tangents)).max(2 * PART_FOR_CHANGE)
    }

    /// The whole memory budget in bytes, which has a minimum.
    pub(super) fn all_memory(&self) -> usize {
        let least = 2 * PART_FOR_CHANGE * bytes_of_weight(self.tangents);
        self.memory.max(least)
    }

    fn shown_weight(&self) -> usize {
        self.weight() - self.weight() / PART_FOR_CHANGE
    }

    /// The weight of new patches that may be built while patches of weight `shown` are shown.
    fn free_weight(&self, shown: usize) -> usize {
        // At least the part reserved for changes: after the memory limit was lowered, more than `shown_weight` may be
        // shown.
        let free = self.weight().saturating_sub(shown).min(self.shown_weight());
        free.max(self.weight() / PART_FOR_CHANGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_and_replacement_patches_fit_into_memory() {
        for memory in [0, 1 << 20, 64 << 20, usize::MAX] {
            let detail = TerrainDetail {
                memory,
                ..default()
            };
            let shown = detail.shown_weight();
            assert!(
                shown + detail.free_weight(shown) <= detail.weight(),
                "{memory}"
            );
            assert_eq!(detail.free_weight(0), shown, "{memory}");
        }
    }

    #[test]
    fn default_memory_shows_all_of_1024_cells_per_side() {
        assert!(TerrainDetail::default().shown_weight() >= 2 * 16 * 16);
    }
}
