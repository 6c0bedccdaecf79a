//! The roster: the guards of the rules, with a few kinds exchanged for others.
//!
//! The number of guards stays as in the rules. The count of each kind changes by at most
//! `exchanges`. On the first floor, only exchanges that do not make it harder are allowed.

use lanternfell_random::SeededRng;

use crate::{Rules, rules::FloorRules};

/// Exchanges the kinds of a few guards.
pub(super) fn change_table(
    rules: &Rules,
    depth: usize,
    rng: &mut SeededRng,
    table: &mut FloorRules,
) {
    let posts = &rules.generation.posts;
    let kinds = match depth {
        0 => &posts.opening_exchanged,
        _ => &posts.exchanged,
    };
    let (least, most) = posts.exchanges;
    for _ in 0..rng.within(least, most) {
        let Some(&(from, to)) = rng.pick(kinds) else {
            return;
        };
        if table.count(from) > 0 {
            *table.count_mut(from) -= 1;
            *table.count_mut(to) += 1;
        }
    }
}
