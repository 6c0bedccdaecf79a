//! The allowed ranges of the numbers for the thief and for tools.

use super::{agree, chance, check, percent, row, time};
use crate::{
    limits::{MOST_EMBERS, MOST_HEALTH, MOST_NERVE, MOST_SLOTS},
    rules::{RulesError, ThiefRules, ToolRules},
};

impl ThiefRules {
    pub(super) fn check(&self) -> Result<(), RulesError> {
        let rows = [
            row("health", self.health, 1, MOST_HEALTH),
            row("nerve", self.nerve, 1, MOST_NERVE),
            row("nerve_falls", self.nerve_falls, 0, MOST_NERVE),
            row("nerve_returns", self.nerve_returns, 0, MOST_NERVE),
            row("nerve_reach", self.nerve_reach, 0, 100),
            row("nerve_rests", self.nerve_rests, 0, MOST_NERVE),
            row("nerve_rested", self.nerve_rested, 0, MOST_NERVE),
            percent("nerve_noise", self.nerve_noise),
            row("breath", self.breath, 0, MOST_NERVE),
            row("breath_returns", self.breath_returns, 0, MOST_NERVE),
            row("walk_ticks", self.walk_ticks, 1, 100),
            row("sneak_ticks", self.sneak_ticks, 1, 100),
            row("run_ticks", self.run_ticks, 1, 100),
            row("slots", self.slots, 1, MOST_SLOTS - 1),
            // At least 10, so that the minimum difficulty of 10 percent leaves some fuel.
            row("fuel", self.fuel, 10, 30_000),
            row("fuel_start", self.fuel_start, 10, 30_000),
            row("fuel_low", self.fuel_low, 0, 30_000),
            row("light_ticks", self.light_ticks, 1, 100),
            row("light_fuel", self.light_fuel, 0, 1000),
            row("embers", self.embers, 0, MOST_EMBERS),
            row("cloth", self.cloth, 0, 30_000),
            chance("hit", self.hit),
            row("damage", self.damage, 0, MOST_HEALTH),
            time("takedown_sleep", self.takedown_sleep),
            row("throw", self.throw, 1, 100),
        ];
        check("thief", &rows)?;
        agree(
            self.fuel_low < self.fuel && self.fuel_start <= self.fuel,
            "thief.fuel must be more than thief.fuel_low and at least thief.fuel_start",
        )?;
        agree(
            self.nerve_rested <= self.nerve,
            "thief.nerve_rested must be at most thief.nerve",
        )?;
        agree(
            self.light_fuel < self.fuel_start,
            "thief.light_fuel must be less than thief.fuel_start",
        )
    }
}

impl ToolRules {
    pub(super) fn check(&self) -> Result<(), RulesError> {
        let radius = |name, value: u32| row(name, value, 0, 12);
        let rows = [
            row("oil_fuel", self.oil_fuel, 1, 30_000),
            radius("oil_radius", self.oil_radius),
            time("oil_burns", self.oil_burns),
            row("fire_damage", self.fire_damage, 0, MOST_HEALTH),
            radius("water_radius", self.water_radius),
            row("water_cloth", self.water_cloth, 1, 10_000),
            radius("smoke_radius", self.smoke_radius),
            row("smoke_density", self.smoke_density, 1, 100),
            row("smoke_fades", self.smoke_fades, 1, 100),
            time("dart_sleep", self.dart_sleep),
            time("trumpet_ticks", self.trumpet_ticks),
            row("salve_heals", self.salve_heals, 0, MOST_HEALTH),
            row("salve_nerve", self.salve_nerve, 0, MOST_NERVE),
            row("blink_reach", self.blink_reach, 1, 40),
            row("picklock_beats", self.picklock_beats, 1, 100),
            row("pebbles", self.pebbles, 1, 99),
            row("stack", self.stack, 1, 99),
            time("lantern_out", self.lantern_out),
        ];
        check("tools", &rows)?;
        agree(
            self.pebbles <= self.stack,
            "tools.pebbles must be at most tools.stack",
        )
    }
}
