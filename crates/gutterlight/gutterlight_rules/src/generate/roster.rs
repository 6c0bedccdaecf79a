//! Who is on duty: the table's guards, of whom a few have changed with others.
//!
//! The number of guards stays as the table says, and of each kind there are at most `exchanges` more or
//! fewer. On the first floor only such change with whom it becomes no harder.

use lanternfell_random::SeededRng;

use crate::{Rules, rules::FloorRules};

/// Lets a few guards change with others.
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
