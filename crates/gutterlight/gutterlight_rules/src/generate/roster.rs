//! Who is on duty: the table's guards, of whom a few have changed with others.
//!
//! The number of guards stays as the table says, and of each kind there are at most `exchanges` more or
//! fewer. On the first floor only such change with whom it becomes no harder.

use lanternfell_random::SeededRng;

use crate::{GuardKind, Rules, rules::FloorRules};

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
        if *count(table, from) > 0 {
            *count(table, from) -= 1;
            *count(table, to) += 1;
        }
    }
}

fn count(table: &mut FloorRules, kind: GuardKind) -> &mut u32 {
    match kind {
        GuardKind::Watchman => &mut table.watchmen,
        GuardKind::Sentry => &mut table.sentries,
        GuardKind::Hound => &mut table.hounds,
        GuardKind::Listener => &mut table.listeners,
        GuardKind::Lamplighter => &mut table.lamplighters,
        GuardKind::Warden => &mut table.wardens,
    }
}
