//! Festival: lamps in more rooms, and more sleeping watchmen.

use crate::{Rules, rules::FloorRules};

pub(super) fn change_table(rules: &Rules, table: &mut FloorRules) {
    table.sconces = (table.sconces + rules.twists.festival_sconces).min(100);
    table.asleep = (table.asleep + rules.twists.festival_asleep).min(100);
}
