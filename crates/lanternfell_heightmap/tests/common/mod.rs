//! Helpers that several tests share.

use lanternfell_heightmap::Heightmap;
use lanternfell_random::Fnv1a;

/// The FNV-1a hash of the bits of the heights.
pub fn fnv(map: &Heightmap) -> u64 {
    Fnv1a::of_floats(map.heights())
}
