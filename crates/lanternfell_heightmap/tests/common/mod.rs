//! What several of the tests need.

use lanternfell_heightmap::Heightmap;

/// Fowler, Noll and Vo's hash (1a) of the heights' bits.
pub fn fnv(map: &Heightmap) -> u64 {
    let bytes = map.heights().iter().flat_map(|z| z.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
