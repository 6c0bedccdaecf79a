//! A table of the brightness of a source by distance, on open ground.

use crate::{neighborhood::Neighborhood, reach::OpenGround, source::Source};

/// Light below this is invisible and cut off.
pub(crate) const FAINTEST: f32 = 1.0 / 1024.0;

/// The maximum reach of straight light in cells, even if it fades slowly.
const FURTHEST: u32 = 256;

/// The light of a source of strength 1 on open ground at whole distances in cells, from 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct FalloffTable(Vec<f32>);

impl FalloffTable {
    /// Computes the table up to the distance at which the brightest allowed source is visible.
    pub(crate) fn new(neighborhood: Neighborhood, decay: f32) -> Self {
        let ground = OpenGround::new(neighborhood, decay);
        let light = (0..=FURTHEST).map(|distance| ground.along(distance));
        let seen = light.take_while(|&light| light * Source::MAX_LIGHT >= FAINTEST);
        Self(seen.collect())
    }

    /// The distance up to which a source of this strength is visible, in cells. One more than in
    /// the table, because the source may be up to one cell away from the center of its cell.
    pub(crate) fn radius(&self, strength: f32) -> u32 {
        let seen = |light: &&f32| **light * strength >= FAINTEST;
        match self.0.iter().take_while(seen).count() as u32 {
            0 => 0,
            cells => cells + 1,
        }
    }

    /// The light at any distance, interpolated linearly.
    pub(crate) fn at(&self, distance: f32) -> f32 {
        let near = distance as usize;
        let at = |n: usize| self.0.get(n).copied().unwrap_or(0.0);
        let part = distance - near as f32;
        at(near) * (1.0 - part) + at(near + 1) * part
    }
}
