//! Light that is settled, held against where the automaton, as it is defined, comes to rest.

use lanternfell_lightgrid::{LightGrid, Vec3};

use super::{apart, lights, oracle::Oracle};

/// The brightest that anything asks for, and 1 at least.
pub fn brightest(grid: &LightGrid) -> f32 {
    let sources = grid
        .sources()
        .iter()
        .map(|source| source.light.abs().max_element());
    let ambient = (0..=255).map(|region| grid.ambient(region).max_element());
    sources.chain(ambient).fold(1.0, f32::max)
}

/// What rounding of the averages can amount to: some last bits, each over again for as long
/// as light lives.
pub fn rounding(grid: &LightGrid) -> f32 {
    8.0 * f32::EPSILON * brightest(grid) / grid.decay()
}

/// Settles the grid, and fails unless it says that it did and is then as the oracle is.
pub fn assert_settles(grid: &mut LightGrid, tolerance: f32, what: &str) {
    let settled = grid.settle(tolerance);
    assert!(settled.at_rest, "{what}: {settled:?}");
    let mut oracle = Oracle::of(grid);
    oracle.rest(1e-7);
    let wanted: Vec<Vec3> = oracle.light.iter().map(|light| light.as_vec3()).collect();
    let apart = apart(&lights(grid), &wanted);
    let allowed = tolerance + rounding(grid);
    assert!(
        apart <= allowed && apart <= settled.error + 1e-7,
        "{what}: {apart} apart, {settled:?}; {:?}",
        grid.settings()
    );
}
