//! The lowest and the highest height of a map whose rows come in any order.
//!
//! Idea: a row's own extremes in lanes that do not wait for each other, which are then
//! merged under a lock, once per row. Neither order matters: the lowest of all is the
//! lowest of all, but that 0 and -0 are equal and either may be found.

use std::sync::{Mutex, PoisonError};

/// The extremes of all rows so far.
pub(crate) struct Range(Mutex<(f32, f32)>);

impl Default for Range {
    fn default() -> Self {
        Self(Mutex::new((f32::INFINITY, f32::NEG_INFINITY)))
    }
}

impl Range {
    /// Takes in a row of at least one finite height.
    pub(crate) fn note(&self, row: &[f32]) {
        let (low, high) = (pick(row, lower), pick(row, higher));
        let mut range = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *range = (lower(range.0, low), higher(range.1, high));
    }

    /// The lowest and the highest height.
    pub(crate) fn extremes(self) -> (f32, f32) {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The lowest or highest of a row.
fn pick(row: &[f32], better: impl Fn(f32, f32) -> f32) -> f32 {
    const LANES: usize = 16;
    let mut lanes = [row[0]; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, &height) in lanes.iter_mut().zip(chunk) {
            *lane = better(height, *lane);
        }
    }
    lanes.iter().chain(rest).copied().fold(row[0], better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draws;

    #[test]
    fn the_extremes_are_those_of_all_cells() {
        let mut draws = Draws::new(4, b"range   ");
        for width in (1..70).chain([500]) {
            let range = Range::default();
            let mut all = Vec::new();
            for _ in 0..5 {
                let row: Vec<f32> = (0..width)
                    .map(|_| draws.between(-9.0, 9.0) as f32)
                    .collect();
                range.note(&row);
                all.extend(row);
            }
            all.sort_by(f32::total_cmp);
            assert_eq!(range.extremes(), (all[0], all[all.len() - 1]));
        }
    }
}
