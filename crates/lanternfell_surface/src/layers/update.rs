//! Updates a control map after a part of its map has changed.
//!
//! ```text
//!   changed rows of the map ─┬─> heights, slopes, curvature ─> layers of these rows
//!                            └─> visible sky ──────────────┬─> relief of these rows and of some around them
//!   map before edits ─> climate, coast, rivers ────────────┘   (kept)
//! ```
//!
//! The result has the same bits as the control map of the whole map.
//!
//! Cost: that of the changed rows, and of the visible sky near all edits.

use std::{ops::Range, sync::Arc};

use super::{
    control::{ControlMap, ControlMapBuilder, each_row},
    parts::{Land, Part, Parts, Texels, nth},
    relief::{relief, replace_sky},
    rule::LayerError,
    sky::Sky,
};
use crate::surface::SizeMismatch;
use lanternfell_heightmap::{Heightmap, MapSize, Progress, Scale};

/// The inputs of a [`ControlMap`] that depend on the whole map. With them, it can be
/// [updated](ControlMapBuilder::update_in_parts). Clones share what does not depend on edits.
#[derive(Debug, Clone)]
pub struct ControlInputs {
    pub(super) parts: Arc<Parts>,
    pub(super) sky: Part,
    pub(super) before_edits: Arc<Sky>,
    pub(super) texels: Texels,
    /// The size and the scale of the map.
    pub(super) cells: MapSize,
    pub(super) scale: Scale,
}

impl ControlInputs {
    fn land<'a>(&self, map: &'a Heightmap) -> Land<'a> {
        Land {
            map,
            scale: self.scale,
            sea_level: self.texels.sea_level,
        }
    }

    /// Fills rows of relief data.
    pub(super) fn relief<'a>(&'a self, map: &'a Heightmap) -> impl Fn(usize, &mut [[u8; 4]]) + 'a {
        let maps = (&self.sky, &self.parts.moisture);
        relief(self.texels.size, self.land(map), maps)
    }

    /// The rows of texels that depend on these rows of the map.
    fn texel_rows(&self, rows: &Range<usize>) -> Range<usize> {
        let (texels, cells) = (self.texels.size.height(), self.cells.height());
        let cell = |y: usize| nth(y, texels, cells);
        // Normals of the map need the rows before and after, and slopes need those of texels.
        let first = (0..texels).find(|&y| cell(y) + 1 >= rows.start);
        let last = (0..texels).rfind(|&y| cell(y) <= rows.end);
        match (first, last) {
            (Some(first), Some(last)) if !rows.is_empty() && first <= last => {
                first.saturating_sub(1)..(last + 2).min(texels)
            }
            _ => 0..0,
        }
    }
}

/// The same numbers as sorted ranges that do not touch.
pub(super) fn merged(ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut all: Vec<_> = ranges
        .into_iter()
        .filter(|range| !range.is_empty())
        .collect();
    all.sort_unstable_by_key(|range| range.start);
    all.dedup_by(|next, before| {
        let touches = next.start <= before.end;
        if touches {
            before.end = before.end.max(next.end);
        }
        touches
    });
    all
}

/// The rows of a [`ControlMap`] that an update has changed, as sorted ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedRows {
    /// Those of [`ControlMap::texels`].
    pub texels: Vec<Range<usize>>,
    /// Those of [`ControlMap::relief`], which include those of the texels.
    pub relief: Vec<Range<usize>>,
}

impl ControlMapBuilder<'_> {
    /// Updates a control map after heights in these rows of its map have changed. `inputs` are those
    /// of the control map, and everything else is as when it was computed.
    ///
    /// # Errors
    /// If the map has another size, or the work is canceled. The control map and its inputs must not
    /// be used after that.
    pub async fn update_in_parts<P: Future<Output = ()>>(
        &self,
        (control, inputs): (&mut ControlMap, &mut ControlInputs),
        map: &Heightmap,
        rows: impl IntoIterator<Item = Range<usize>>,
        progress: &Progress,
        pause: impl Fn() -> P,
    ) -> Result<ChangedRows, LayerError> {
        SizeMismatch::check("control map", inputs.cells, map.size())?;
        let sky = inputs.before_edits.on(map, &progress.span(0.0, 0.5))?;
        pause().await;
        let shadowed = inputs.sky.replace(sky);
        let texels = merged(rows.into_iter().map(|rows| inputs.texel_rows(&rows)));
        let relief = merged(texels.iter().cloned().chain(shadowed));
        let width = control.size.width();
        for (part, rows) in texels.iter().enumerate() {
            let progress = progress.span(0.5, 0.9).part(part, texels.len());
            self.fill_layers(control, inputs, map, rows.clone(), &progress, &pause)
                .await?;
        }
        let is_near = |y: usize| texels.iter().any(|rows| rows.contains(&y));
        let fill = inputs.relief(map);
        let fill = |y: usize, row: &mut [[u8; 4]]| match is_near(y) {
            true => fill(y, row),
            // Most rows around an edit only get another sky.
            false => replace_sky(row, inputs.sky.row(y)),
        };
        for (part, rows) in relief.iter().enumerate() {
            let progress = progress.span(0.9, 1.0).part(part, relief.len());
            each_row(
                &mut control.relief,
                rows.clone(),
                width,
                &progress,
                &pause,
                &fill,
            )
            .await?;
        }
        Ok(ChangedRows { texels, relief })
    }
}
