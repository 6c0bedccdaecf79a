//! The surface before it settles.

use crate::{Canceled, Heightmap, MapSize, Progress, SeededRng, rows::for_each_row};

/// The surface that will settle. Its ring is 0.
#[derive(Debug, Clone)]
pub(super) enum Start {
    Map(Heightmap),
    Drawn(Drawn),
}

impl Start {
    pub(super) fn size(&self) -> MapSize {
        match self {
            Self::Map(map) => map.size(),
            Self::Drawn(drawn) => drawn.size,
        }
    }

    /// Converts it into a map.
    pub(super) fn into_map(self, progress: &Progress) -> Result<Heightmap, Canceled> {
        match self {
            Self::Map(map) => Ok(map),
            Self::Drawn(drawn) => drawn.map(progress),
        }
    }
}

/// A surface that is drawn on demand, without storing a map. Any row can be drawn independently and repeatedly.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn {
    pub(super) size: MapSize,
    pub(super) seed: u64,
    /// Inner cells are uniform from `-amplitude` to below `amplitude`.
    pub(super) amplitude: f64,
}

impl Drawn {
    /// Draws row `y`, including its part of the ring.
    ///
    /// Inlined, so that it is compiled for the vector width of the caller.
    #[inline(always)]
    pub(super) fn row(&self, y: usize, row: &mut [f32]) {
        row.fill(0.0);
        if y == 0 || y + 1 == self.size.height() || row.len() < 3 {
            return;
        }
        let inner = 1..row.len() - 1;
        // Each inner cell uses one word, so the position of any row in the stream is known.
        let mut rng = SeededRng::new(self.seed, b"fluid   ");
        rng.seek(((y - 1) * inner.len()) as u64);
        rng.fill_between(-self.amplitude, self.amplitude, &mut row[inner]);
    }

    pub(super) fn map(&self, progress: &Progress) -> Result<Heightmap, Canceled> {
        let mut map = Heightmap::flat(self.size);
        let width = map.width();
        for_each_row(map.heights_mut(), width, progress, |y, row| {
            self.row(y, row);
        })?;
        Ok(map)
    }
}
