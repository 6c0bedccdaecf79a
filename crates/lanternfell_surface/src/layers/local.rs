//! The inputs of layer rules that depend on the cells around a texel: heights, slopes and curvature.
//!
//! They are computed for a band of rows, so that after a small change of the map few of them are needed.

use std::{borrow::Cow, ops::Range};

use super::{
    parts::{Texels, nth},
    rule::LayerRules,
};
use lanternfell_heightmap::{
    GenerateError, Heightmap, MapSize, Progress,
    analysis::{Curvature, Slope},
};

/// Some rows of values with one value per texel.
pub(super) struct SomeRows<'a> {
    first: usize,
    map: Cow<'a, Heightmap>,
}

/// The inputs of a band of rows.
pub(super) struct LocalParts<'a> {
    pub(super) heights: SomeRows<'a>,
    pub(super) slope: SomeRows<'a>,
    /// `None` if no rule uses it.
    pub(super) curvature: Option<SomeRows<'a>>,
}

impl SomeRows<'_> {
    /// Row `y` of all texels.
    pub(super) fn row(&self, y: usize) -> &[f32] {
        self.map.row(y - self.first)
    }
}

impl<'a> LocalParts<'a> {
    /// The inputs for these rows of texels over a map.
    pub(super) fn of(
        rules: &LayerRules,
        texels: Texels,
        map: &'a Heightmap,
        rows: Range<usize>,
        progress: &Progress,
    ) -> Result<Self, GenerateError> {
        // Slopes and curvature depend on the rows before and after.
        let first = rows.start.saturating_sub(1);
        let end = (rows.end + 1).min(texels.size.height());
        let heights = band(map, texels.size, first..end);
        let slope = Slope::default().of(&heights, texels.scale, &progress.span(0.0, 0.5))?;
        let curvature = match rules.ask_for(|rule| &rule.curvature) {
            true => {
                let rest = progress.span(0.5, 1.0);
                Some(Curvature::default().of(&heights, texels.scale, &rest)?)
            }
            false => None,
        };
        let rows = |map| SomeRows { first, map };
        Ok(Self {
            heights: rows(heights),
            slope: rows(Cow::Owned(slope)),
            curvature: curvature.map(|map| rows(Cow::Owned(map))),
        })
    }
}

/// The heights of at least two rows of texels.
fn band(map: &Heightmap, texels: MapSize, rows: Range<usize>) -> Cow<'_, Heightmap> {
    if texels == map.size() && rows.len() == map.height() {
        return Cow::Borrowed(map);
    }
    let columns: Vec<usize> = (0..texels.width())
        .map(|x| nth(x, texels.width(), map.width()))
        .collect();
    let mut heights = Vec::with_capacity(rows.len() * columns.len());
    for y in rows.clone() {
        let row = map.row(nth(y, texels.height(), map.height()));
        heights.extend(columns.iter().map(|&x| row[x]));
    }
    let size = MapSize::new(texels.width() as u64, rows.len() as u64);
    let size = size.expect("a map has at least two rows, and so has each band");
    let band = Heightmap::from_heights(size, heights);
    Cow::Owned(band.expect("heights of a valid map are valid"))
}
