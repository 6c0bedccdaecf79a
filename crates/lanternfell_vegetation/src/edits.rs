//! Tracks which plants are affected by edits of the terrain.
//!
//! Problem: an edit makes a new revision of the layout, but most plants are far away from it.
//!
//! Idea: keep the edited areas of the last revisions. Plants of an older revision are up to date if none of the areas
//! since then is near them.

use bevy::{math::DVec2, prelude::*};

/// The maximum number of areas. Older ones are forgotten.
const MOST: usize = 512;

/// The edited areas of a terrain since some revision.
#[derive(Debug, Clone, Default)]
pub(crate) struct EditedAreas {
    /// Everything of an older revision is out of date.
    since: u64,
    /// The revisions of edits, and their areas on the plane in meters, from the north-west to the south-east corner.
    areas: Vec<(u64, [DVec2; 2])>,
}

impl EditedAreas {
    /// After a revision in which everything may have changed.
    pub(crate) fn none_since(revision: u64) -> Self {
        Self {
            since: revision,
            areas: Vec::new(),
        }
    }

    /// Adds the areas of a revision that only differs from the one before by edits.
    pub(crate) fn add(&mut self, revision: u64, areas: impl IntoIterator<Item = [DVec2; 2]>) {
        self.areas
            .extend(areas.into_iter().map(|area| (revision, area)));
        let forgotten = self.areas.len().saturating_sub(MOST);
        for (revision, _) in self.areas.drain(..forgotten) {
            self.since = self.since.max(revision);
        }
    }

    /// Whether plants of this revision in a square on the plane are up to date.
    pub(crate) fn is_current(&self, revision: u64, corner: DVec2, side: f64) -> bool {
        let touches =
            |[min, max]: &[DVec2; 2]| corner.cmple(*max).all() && (corner + side).cmpge(*min).all();
        let mut later = self.areas.iter().filter(|(of, _)| *of > revision);
        revision >= self.since && !later.any(|(_, area)| touches(area))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(west: f64, east: f64) -> [DVec2; 2] {
        [DVec2::new(west, 0.0), DVec2::new(east, 10.0)]
    }

    #[test]
    fn plants_are_current_unless_edited_later() {
        let mut edits = EditedAreas::none_since(3);
        edits.add(4, [area(0.0, 10.0)]);
        edits.add(5, [area(50.0, 60.0), area(90.0, 95.0)]);
        let is_current = |revision, x| edits.is_current(revision, DVec2::new(x, 5.0), 8.0);
        for (revision, x, expected) in [
            (2, 500.0, false),
            (3, 500.0, true),
            (3, 2.0, false),
            (4, 2.0, true),
            (4, 45.0, false),
            (3, 88.0, false),
            (5, 45.0, true),
        ] {
            assert_eq!(is_current(revision, x), expected, "{revision} at {x}");
        }
    }

    #[test]
    fn everything_before_forgotten_edits_is_out_of_date() {
        let mut edits = EditedAreas::none_since(0);
        for revision in 1..=MOST as u64 + 2 {
            edits.add(revision, [area(0.0, 1.0)]);
        }
        assert!(!edits.is_current(1, DVec2::splat(900.0), 8.0));
        assert!(edits.is_current(2, DVec2::splat(900.0), 8.0));
        assert_eq!(edits.areas.len(), MOST);
    }
}
