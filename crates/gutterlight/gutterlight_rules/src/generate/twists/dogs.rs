//! Dogs loose: hounds replace some of the watchmen.

use crate::{GuardKind, Rules, rules::FloorRules};

pub(super) fn change_table(rules: &Rules, table: &mut FloorRules) {
    let away = rules.twists.dogs_for.min(table.count(GuardKind::Watchman));
    *table.count_mut(GuardKind::Hound) += rules.twists.dogs;
    *table.count_mut(GuardKind::Watchman) -= away;
}
