//! Compares settled light with the state in which the oracle comes to rest.

use lanternfell_lightgrid::{LightGrid, Vec3};

use super::{apart, lights, oracle::Oracle};

/// The brightest light that sources and ambient light demand, and at least 1.
pub fn brightest(grid: &LightGrid) -> f32 {
    let sources = grid
        .sources()
        .iter()
        .map(|source| source.light.abs().max_element());
    let ambient = (0..=255).map(|region| grid.ambient(region).max_element());
    sources.chain(ambient).fold(1.0, f32::max)
}

/// A bound on the rounding errors of the averages: some last bits, accumulated over the lifetime of
/// light.
pub fn rounding(grid: &LightGrid) -> f32 {
    8.0 * f32::EPSILON * brightest(grid) / grid.decay()
}

/// Settles the grid. Fails unless it reports success and matches the oracle.
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
