//! Another cut, when the cameras have moved or the ground is new.
//!
//! A cut is a set of patches that cover the land without gaps. Two limits decide how fine it is: the error in pixels
//! that [`TerrainDetail`] allows, and the memory. Memory is counted in the weight of patches, and is divided so that a
//! swap never needs more than all of it:
//!
//! ```text
//!   |<------------------------- weight() ------------------------->|
//!   |<-------- shown_weight(): 3/4, what is shown -------->|<-1/4->|  for what replaces it
//! ```
//!
//! The new patches of a cut are made while the old cut is still shown, so what is new must fit into what is free. If a
//! camera jumps and nearly all patches are new, they do not: then a coarser cut comes first, which needs less. Once it is
//! shown, more is free, and the next cut gets closer to the final one. [`LandPatches::occasion`] is `None` on the way,
//! so the choice is made again.
//!
//! A terrain with a [`PendingCut`] chooses nothing. So a moving camera can not cancel what is being made for it, and each
//! cut that is begun is shown.

use std::sync::Arc;

use bevy::prelude::*;
use lanternfell_surface::detail::{Cut, Patch, Viewer};

use crate::{
    ground::{GeneratedTerrain, Terrain, with_terrain},
    land::{
        chunk::bytes_of_weight,
        detail::{DrawnDetail, TerrainDetail},
        patches::{Ground, LandPatches, Occasion, PendingCut},
    },
    viewers::Viewers,
};

/// New ground begins with the cut for where the cameras are now.
pub(super) fn begin_swaps(
    mut commands: Commands,
    viewers: Viewers,
    mut terrains: Query<
        (
            Entity,
            &GlobalTransform,
            &TerrainDetail,
            &mut GeneratedTerrain,
            Option<&LandPatches>,
        ),
        With<Terrain>,
    >,
) {
    for (entity, transform, detail, mut made, before) in &mut terrains {
        let Some((tree, new_ground)) = made.take() else {
            continue;
        };
        let detail = detail.cleaned();
        let pending = tree.map(|tree| {
            let surface = new_ground.surface.clone();
            let ground = Arc::new(Ground { surface, tree });
            let viewers = viewers.of(transform);
            let occasion = Occasion { viewers, detail };
            // The old ground's patches are shown until the new ones are complete, so they count.
            let shown = before.map_or(0, |before| before.cut.weight());
            PendingCut::anew(ground, occasion, shown)
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

/// Looks where the cameras are now, and begins another cut where that makes a difference.
pub(super) fn choose_cuts(
    mut commands: Commands,
    viewers: Viewers,
    mut terrains: Query<
        (
            Entity,
            &GlobalTransform,
            &TerrainDetail,
            &mut LandPatches,
            &mut DrawnDetail,
        ),
        Resting,
    >,
) {
    for (entity, transform, detail, mut patches, mut drawn) in &mut terrains {
        let occasion = Occasion {
            viewers: viewers.of(transform),
            detail: detail.cleaned(),
        };
        let fits = patches.cut.weight() <= occasion.detail.shown_weight();
        let has_tangents = occasion.detail.tangents;
        // No shown patch can stay if all vertices change their layout.
        if has_tangents != patches.tangents {
            let shown = patches.cut.weight();
            let pending = PendingCut::anew(patches.ground.clone(), occasion, shown);
            with_terrain(&mut commands, entity, |mut terrain| {
                terrain.insert(pending);
            });
            continue;
        }
        // Without any camera what is shown stays: it is right again when the camera is back. But not if the memory was
        // reduced below it, or if the error is 0, which asks for every cell without a camera too.
        let nobody = occasion.viewers.is_empty() && occasion.detail.pixel_error > 0.0 && fits;
        if nobody || patches.are_for(&occasion) {
            let told = DrawnDetail {
                refining: false,
                ..*drawn
            };
            drawn.set_if_neq(told);
            continue;
        }
        // `is_last` is false on the way to the cut that is wanted; then no occasion is stored, and the search goes on.
        let (cut, is_last) = patches.next_cut(&occasion);
        let occasion = is_last.then_some(occasion);
        // The same patches for other cameras: nothing is made, but the error that they see may be another.
        if cut.patches == patches.cut.patches {
            let pixel_error = cut.error;
            let told = DrawnDetail {
                pixel_error,
                refining: false,
                ..*drawn
            };
            drawn.set_if_neq(told);
            (patches.cut, patches.occasion) = (cut, occasion);
            continue;
        }
        let told = DrawnDetail {
            refining: true,
            ..*drawn
        };
        drawn.set_if_neq(told);
        let ground = patches.ground.clone();
        let pending = PendingCut::new(ground, cut, occasion, Some(&patches), has_tangents);
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
    /// Begins to make a cut of which nothing is shown yet, beside what is.
    fn anew(ground: Arc<Ground>, occasion: Occasion, shown_weight: usize) -> Self {
        let Occasion { viewers, detail } = &occasion;
        let weight = detail.weight_beside(shown_weight);
        let cut = ground.cut(viewers, detail, weight, &Cut::default());
        let (tangents, is_last) = (detail.tangents, weight == detail.shown_weight());
        Self::new(ground, cut, is_last.then_some(occasion), None, tangents)
    }
}

impl LandPatches {
    /// Whether they were chosen for this, or are as good as can be wherever one looks from.
    fn are_for(&self, occasion: &Occasion) -> bool {
        let Some(chosen) = &self.occasion else {
            return false;
        };
        let is_whole = chosen.detail.pixel_error == 0.0 && self.cut.error == 0.0;
        chosen == occasion || (is_whole && chosen.detail == occasion.detail)
    }

    /// The cut for these viewers, and true; or one on the way to it, where so much would be new that there is
    /// not the memory for both.
    fn next_cut(&self, occasion: &Occasion) -> (Cut, bool) {
        let Occasion { viewers, detail } = occasion;
        let free = detail.weight_beside(self.cut.weight());
        let is_new = |patch: &&Patch| !self.shown.contains_key(patch);
        let new_weight = |cut: &Cut| -> usize {
            let new = cut.patches.iter().filter(is_new);
            new.map(|patch| patch.weight()).sum()
        };
        // Halving ends after a few rounds: at `free` any cut is taken, since all of it may be new then.
        let mut weight = detail.shown_weight();
        loop {
            let cut = self.ground.cut(viewers, detail, weight, &self.cut);
            if new_weight(&cut) <= free || weight <= free {
                return (cut, weight == detail.shown_weight());
            }
            weight = (weight / 2).max(free);
        }
    }
}

/// What is asked of a cut, as a part of what is allowed: the rest is for the time until it is shown, in which the
/// cameras go on.
const AHEAD: f32 = 0.75;
/// The part of the memory that what is shown may take is all but this; it is for what takes its place.
const PART_FOR_CHANGE: usize = 4;

impl TerrainDetail {
    /// With an error that is one: no number is as the default, and less than none is none.
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

    /// All memory, in patches of one triangle.
    fn weight(&self) -> usize {
        // With less, the quarter for changes would be less than the two patches that every land has.
        (self.memory / bytes_of_weight(self.tangents)).max(2 * PART_FOR_CHANGE)
    }

    /// All memory in bytes: so little of it is taken at least.
    pub(super) fn all_memory(&self) -> usize {
        let least = 2 * PART_FOR_CHANGE * bytes_of_weight(self.tangents);
        self.memory.max(least)
    }

    fn shown_weight(&self) -> usize {
        self.weight() - self.weight() / PART_FOR_CHANGE
    }

    /// What may be made while patches of this weight are shown.
    fn weight_beside(&self, shown: usize) -> usize {
        // At least the part for changes: more than `shown_weight` may be shown for a while, after the memory was reduced.
        let free = self.weight().saturating_sub(shown).min(self.shown_weight());
        free.max(self.weight() / PART_FOR_CHANGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_and_what_takes_its_place_fit_into_the_memory() {
        for memory in [0, 1 << 20, 64 << 20, usize::MAX] {
            let detail = TerrainDetail {
                memory,
                ..default()
            };
            let shown = detail.shown_weight();
            assert!(
                shown + detail.weight_beside(shown) <= detail.weight(),
                "{memory}"
            );
            assert_eq!(detail.weight_beside(0), shown, "{memory}");
        }
    }

    #[test]
    fn a_map_of_1024_cells_a_side_can_be_shown_whole() {
        assert!(TerrainDetail::default().shown_weight() >= 2 * 16 * 16);
    }
}
