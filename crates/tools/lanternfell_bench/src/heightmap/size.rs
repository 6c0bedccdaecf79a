//! The sizes of generated maps, and their seed.

use lanternfell_heightmap::{GenerateError, Generator, Heightmap, MapSize, Progress};

use crate::race::Plan;

/// The seed of every map.
pub(super) const SEED: u64 = 7;

/// The side for which the design of the project defines budgets.
pub(super) const BUDGET_SIDE: usize = 1024;

/// The sides of generated maps.
pub(super) fn sides(plan: &Plan) -> &'static [usize] {
    if plan.quick {
        &[128]
    } else {
        &[512, BUDGET_SIDE, 4096]
    }
}

/// The side for which budgets are checked.
pub(super) fn budget_side(plan: &Plan) -> usize {
    if plan.quick { 128 } else { BUDGET_SIDE }
}

/// For example `1024 x 1024`.
pub(super) fn square(side: usize) -> String {
    format!("{side} x {side}")
}

pub(super) fn size(side: usize) -> MapSize {
    MapSize::new(side as u64, side as u64).expect("the sides of the benchmark are valid")
}

/// Generates a map with valid parameters.
pub(super) fn generate(generator: &Generator, side: usize) -> Heightmap {
    fine(generator.generate(size(side), SEED, &Progress::default()))
}

/// Unwraps a result that cannot fail: the work is not canceled, and the parameters are valid.
pub(super) fn fine<T>(result: Result<T, GenerateError>) -> T {
    result.expect("the parameters of the benchmark are valid")
}
