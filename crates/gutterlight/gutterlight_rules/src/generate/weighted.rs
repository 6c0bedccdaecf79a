//! Weighted random choice.

use lanternfell_random::SeededRng;

/// The index of a random element. `often` are the weights. `None` if their sum is 0.
pub(super) fn weighted(
    rng: &mut SeededRng,
    often: impl Iterator<Item = u64> + Clone,
) -> Option<usize> {
    let mut left = rng.below(often.clone().sum());
    for (place, often) in often.enumerate() {
        if left < often {
            return Some(place);
        }
        left -= often;
    }
    None
}
