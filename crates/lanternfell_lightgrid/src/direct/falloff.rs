//! How bright a source is at a distance over open ground, by a table.

use crate::{neighborhood::Neighborhood, reach::OpenGround, source::Source};

/// Light fainter than this is cut off: it can not be seen.
pub(crate) const FAINTEST: f32 = 1.0 / 1024.0;

/// A light's reach ends here, in cells, however slowly it fades.
const FURTHEST: u32 = 256;

/// The light around a source of strength 1 on open ground, cell by cell from its own on.
#[derive(Debug, Clone, Default)]
pub(crate) struct FalloffTable(Vec<f32>);

impl FalloffTable {
    /// As far as the brightest source there may be is seen.
    pub(crate) fn new(neighborhood: Neighborhood, decay: f32) -> Self {
        let ground = OpenGround::new(neighborhood, decay);
        let light = (0..=FURTHEST).map(|distance| ground.along(distance));
        let seen = light.take_while(|&light| light * Source::MAX_LIGHT >= FAINTEST);
        Self(seen.collect())
    }

    /// How far from its cell a source of this strength is bright enough to see; it stands less than a
    /// cell off the middle.
    pub(crate) fn radius(&self, strength: f32) -> u32 {
        let seen = |light: &&f32| **light * strength >= FAINTEST;
        match self.0.iter().take_while(seen).count() as u32 {
            0 => 0,
            cells => cells + 1,
        }
    }

    /// The light at any distance, from that at whole numbers of cells.
    pub(crate) fn at(&self, distance: f32) -> f32 {
        let near = distance as usize;
        let at = |n: usize| self.0.get(n).copied().unwrap_or(0.0);
        let part = distance - near as f32;
        at(near) * (1.0 - part) + at(near + 1) * part
    }
}
