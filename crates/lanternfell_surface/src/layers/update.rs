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
//! Cost: that of the changed rows, and of the visible sky, which is computed for the whole map.

use std::ops::Range;

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
/// [updated](ControlMapBuilder::update_in_parts).
#[derive(Debug, Clone)]
pub struct ControlInputs {
    pub(super) parts: Parts,
    pub(super) sky: Part,
    pub(super) before_edits: Sky,
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
    fn texel_rows(&self, map: &Heightmap, rows: &Range<usize>) -> Range<usize> {
        let texels = self.texels.size.height();
        let cell = |y: usize| nth(y, texels, map.height());
        // Normals of the map need the rows before and after, and slopes need those of texels.
        let first = (0..texels).find(|&y| cell(y) + 1 >= rows.start);
        let end = (0..texels).rfind(|&y| cell(y) <= rows.end);
        match (first, end) {
            (Some(first), Some(last)) if !rows.is_empty() && first <= last => {
                first.saturating_sub(1)..(last + 2).min(texels)
            }
            _ => 0..0,
        }
    }
}

impl ControlMapBuilder<'_> {
    /// Updates a control map after heights in these rows of its map have changed. `inputs` are those
    /// of the control map, and everything else is as when it was computed.
    ///
    /// Returns the rows of [`texels`](ControlMap::texels), and then those of
    /// [`relief`](ControlMap::relief), that may have changed.
    ///
    /// # Errors
    /// If the map has another size, or the work is canceled. The control map and its inputs must not
    /// be used after that.
    pub async fn update_in_parts<P: Future<Output = ()>>(
        &self,
        control: &mut ControlMap,
        inputs: &mut ControlInputs,
        map: &Heightmap,
        rows: Range<usize>,
        progress: &Progress,
        pause: impl Fn() -> P,
    ) -> Result<[Range<usize>; 2], LayerError> {
        SizeMismatch::check("control map", inputs.cells, map.size())?;
        let texels = inputs.texel_rows(map, &rows);
        let sky = inputs.before_edits.on(map, &progress.span(0.0, 0.5))?;
        pause().await;
        let shadowed = inputs.sky.replace(sky);
        let rest = progress.span(0.5, 0.8);
        self.fill_layers(control, inputs, map, texels.clone(), &rest, &pause)
            .await?;
        let (width, rest) = (control.size.width(), progress.span(0.8, 0.9));
        let fill = inputs.relief(map);
        each_row(
            &mut control.relief,
            texels.clone(),
            width,
            &rest,
            &pause,
            fill,
        )
        .await?;
        // Most rows around an edit only get another sky.
        let fill = |y: usize, row: &mut [[u8; 4]]| {
            if !texels.contains(&y) {
                replace_sky(row, inputs.sky.row(y));
            }
        };
        let rest = progress.span(0.9, 1.0);
        each_row(
            &mut control.relief,
            shadowed.clone(),
            width,
            &rest,
            &pause,
            fill,
        )
        .await?;
        let shaded = match (shadowed.is_empty(), texels.is_empty()) {
            (true, _) => texels.clone(),
            (false, true) => shadowed,
            (false, false) => texels.start.min(shadowed.start)..texels.end.max(shadowed.end),
        };
        Ok([texels, shaded])
    }
}
