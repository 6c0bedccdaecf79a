//! What several of the tests need.

use lanternfell_heightmap::Heightmap;
use lanternfell_random::Fnv1a;

/// Fowler, Noll and Vo's hash (1a) of the heights' bits.
pub fn fnv(map: &Heightmap) -> u64 {
    Fnv1a::of_floats(map.heights())
}
