//! The allowed ranges of the numbers for twists.

use super::{cells, chance, check, percent, reach, row, time};
use crate::rules::{RulesError, TwistRules};

/// The maximum number of hounds that a twist adds.
const MOST_DOGS: u32 = 8;

impl TwistRules {
    pub(super) fn check(&self) -> Result<(), RulesError> {
        for (name, table) in [("opening", &self.opening), ("often", &self.often)] {
            for (place, &(often, _)) in table.iter().enumerate() {
                check(
                    "twists",
                    &[row(&format!("{name}[{place}][0]"), often, 0, 1000)],
                )?;
            }
        }
        let rows = [
            chance("flooded_rooms", self.flooded_rooms),
            chance("flooded_corridors", self.flooded_corridors),
            time("relief_ticks", self.relief_ticks),
            chance("festival_sconces", self.festival_sconces),
            chance("festival_asleep", self.festival_asleep),
            time("rival_ticks", self.rival_ticks),
            reach("rival_noise", self.rival_noise),
            cells("rival_shuns", self.rival_shuns),
            row("fog_sight", self.fog_sight, 1, 200),
            percent("fog_hearing", self.fog_hearing),
            row("dogs", self.dogs, 0, MOST_DOGS),
            row("dogs_for", self.dogs_for, 0, MOST_DOGS),
        ];
        check("twists", &rows)
    }
}
