//! Dogs loose: hounds, for whom some of the watchmen have stayed at home.

use crate::{Rules, rules::FloorRules};

pub(super) fn change_table(rules: &Rules, table: &mut FloorRules) {
    let away = rules.twists.dogs_for.min(table.watchmen);
    table.hounds += rules.twists.dogs;
    table.watchmen -= away;
}
