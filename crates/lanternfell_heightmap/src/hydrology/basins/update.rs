//! Water levels of a map that changes.
//!
//! Idea: the survey of a strip depends only on the heights of that strip, so only strips with changed cells are
//! surveyed again. Where a basin spills can change anywhere, because a dam may turn its water to another valley. So
//! the passes of all strips are merged again. There are few of them: about as many as there are pits.
//!
//! A strip without changed cells, whose basins all spill at the same levels as before, keeps its levels.
//!
//! Cost: the survey of the changed strips, and a sort of all passes. Memory: 4 bytes per cell, and 16 to 40 bytes per
//! pit.

use super::{Basins, Outlets, level, number};
use crate::{Canceled, Progress, rows};

impl Basins {
    /// Finds the basins and the water level of each cell. Returns `None` in the same cases as
    /// [`levels`](super::levels).
    pub(in super::super) fn keep(
        outlets: &Outlets,
        strip_rows: usize,
        progress: &Progress,
    ) -> Result<Option<(Self, Vec<f32>)>, Canceled> {
        let mut basins = Self::find(outlets, strip_rows, &progress.span(0.0, 0.7))?;
        basins.spills = basins.spills_again(outlets, progress)?;
        if basins.lose_sign(outlets.ground) {
            return Ok(None);
        }
        let strip = outlets.grid.width * strip_rows;
        let mut levels = outlets.ground.to_vec();
        let last = progress.span(0.8, 1.0);
        rows::for_each_row(&mut levels, strip, &last, |index, levels| {
            for (level, &label) in levels.iter_mut().zip(&basins.labels[index * strip..]) {
                *level = basins.level(index, label, *level);
            }
        })?;
        Ok(Some((basins, levels)))
    }

    /// Updates the levels after the heights of some cells have changed, and calls `changed` for each cell whose level
    /// has changed. Returns `false` in the cases in which [`keep`](Self::keep) returns `None`. The levels are then
    /// wrong.
    pub(in super::super) fn update(
        &mut self,
        outlets: &Outlets,
        cells: &[u32],
        levels: &mut [f32],
        progress: &Progress,
        mut changed: impl FnMut(usize),
    ) -> Result<bool, Canceled> {
        let strip = outlets.grid.width * self.strip_rows;
        let mut strips = vec![false; self.surveys.len()];
        for &cell in cells {
            strips[cell as usize / strip] = true;
        }
        let before: Vec<Vec<u32>> = (0..strips.len())
            .map(|index| self.spill_bits(index))
            .collect();
        self.survey(outlets, &strips, &progress.span(0.0, 0.5))?;
        self.spills = self.spills_again(outlets, progress)?;
        if self.lose_sign(outlets.ground) {
            return Ok(false);
        }
        for (index, levels) in levels.chunks_mut(strip).enumerate() {
            progress.span(0.5, 1.0).step(index, strips.len())?;
            if !strips[index] && self.spill_bits(index) == before[index] {
                continue;
            }
            let first = index * strip;
            let cells = self.labels[first..].iter().zip(&outlets.ground[first..]);
            for ((cell, before), (&label, &land)) in (first..).zip(levels).zip(cells) {
                let level = self.level(index, label, land);
                if level.to_bits() != before.to_bits() {
                    *before = level;
                    changed(cell);
                }
            }
        }
        Ok(true)
    }

    fn spills_again(&self, outlets: &Outlets, progress: &Progress) -> Result<Vec<f32>, Canceled> {
        let passes = self
            .surveys
            .iter()
            .map(|survey| survey.passes.iter().copied());
        self.spills(outlets, passes, progress)
    }

    /// The levels at which the basins of a strip spill.
    fn spill_bits(&self, strip: usize) -> Vec<u32> {
        let [first, end] = [strip, strip + 1].map(|strip| self.firsts[strip] as usize);
        let spills = self.spills[first + 1..=end].iter();
        spills.map(|spill| spill.to_bits()).collect()
    }

    /// The level of a cell of this strip, label and height.
    fn level(&self, strip: usize, label: u32, land: f32) -> f32 {
        level(
            land,
            self.spills[number(self.firsts[strip], label) as usize],
        )
    }
}
