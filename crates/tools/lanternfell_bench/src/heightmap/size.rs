//! The maps that are made: their sizes and their seed.

use lanternfell_heightmap::{GenerateError, Generator, Heightmap, MapSize, Progress};

use crate::race::Plan;

/// The seed of every map.
pub(super) const SEED: u64 = 7;

/// The side for which the project's design sets budgets.
pub(super) const BUDGET_SIDE: usize = 1024;

/// The sides of the maps that are made.
pub(super) fn sides(plan: &Plan) -> &'static [usize] {
    if plan.quick {
        &[128]
    } else {
        &[512, BUDGET_SIDE, 4096]
    }
}

/// The side whose times the budgets are judged by.
pub(super) fn budget_side(plan: &Plan) -> usize {
    if plan.quick { 128 } else { BUDGET_SIDE }
}

/// As in `1024 x 1024`.
pub(super) fn square(side: usize) -> String {
    format!("{side} x {side}")
}

pub(super) fn size(side: usize) -> MapSize {
    MapSize::new(side as u64, side as u64).expect("the benchmark's sides are all allowed")
}

/// The map of a generator with parameters that are known to be sound.
pub(super) fn generate(generator: &Generator, side: usize) -> Heightmap {
    fine(generator.generate(size(side), SEED, &Progress::default()))
}

/// What nobody cancels and no parameter forbids.
pub(super) fn fine<T>(result: Result<T, GenerateError>) -> T {
    result.expect("the benchmark's parameters are in their ranges")
}
