//! Things of which some are drawn more often than others.

use lanternfell_random::SeededRng;

/// The place of one of several things, of which some are drawn more often than others; none
/// if none ever is.
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
