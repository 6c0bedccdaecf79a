//! The allowed ranges of the numbers for guards: perception, behavior and fighting.

use super::senses::check_colors;
use super::{agree, cells, chance, check, percent, reach, row, time};
use crate::{
    GuardKind,
    guard::SURE,
    limits::MOST_HEALTH,
    rules::{GuardRules, Rules, RulesError},
};

impl Rules {
    pub(super) fn check_awareness(&self) -> Result<(), RulesError> {
        let it = &self.awareness;
        let part = |name, value: u16| row(name, value, 0, SURE);
        let rows = [
            row("suspicious", it.suspicious, 1, SURE - 2),
            row("investigating", it.investigating, 2, SURE - 1),
            part("beside", it.beside),
            part("dim", it.dim),
            part("lit", it.lit),
            part("blazing", it.blazing),
            row("corner_of_eye", it.corner_of_eye, 0, 100),
            row("far", it.far, 0, 100),
            part("heard", it.heard),
            part("fades", it.fades),
            row("vigilant", it.vigilant, 0, 100),
            time("suspicious_ticks", it.suspicious_ticks),
            time("searching_ticks", it.searching_ticks),
            time("alarmed_search_ticks", it.alarmed_search_ticks),
            time("lost_ticks", it.lost_ticks),
            row("search_radius", it.search_radius, 1, 50),
            cells("glance", it.glance),
            cells("lamplighter", it.lamplighter),
            time("glance_ticks", it.glance_ticks),
            cells("miss_reach", it.miss_reach),
            cells("smell_reach", it.smell_reach),
            row("trail_ticks", it.trail_ticks, 0, 1_000_000),
            row("follow_ticks", it.follow_ticks, 0, 10_000),
        ];
        check("awareness", &rows)?;
        agree(
            it.suspicious < it.investigating,
            "awareness.suspicious must be less than awareness.investigating",
        )
    }

    pub(super) fn check_guards(&self) -> Result<(), RulesError> {
        let check = |kind: GuardKind| self.guard(kind).check(&format!("guards.{kind:?}"));
        GuardKind::ALL.into_iter().try_for_each(check)
    }

    pub(super) fn check_behavior(&self) -> Result<(), RulesError> {
        let it = &self.behavior;
        let rows = [
            reach("deep_sleep", it.deep_sleep),
            reach("unmistakable", it.unmistakable),
            row("smelt", it.smelt, 0, SURE),
            row("most_vigilance", it.most_vigilance, 0, 100),
            row("alarm_vigilance", it.alarm_vigilance, 0, 100),
            row("alert_cone", it.alert_cone, 0, 4),
            row("calmed", it.calmed, 0, 100),
            percent("lost_way", it.lost_way),
            percent("lost_chase", it.lost_chase),
            row("search_tries", it.search_tries, 1, 50),
            row("walk_round", it.walk_round, 0, 1000),
            row("door", it.door, 0, 1000),
            row("detour", it.detour as u32, 0, 1000),
        ];
        check("behavior", &rows)
    }

    pub(super) fn check_alarm(&self) -> Result<(), RulesError> {
        let it = &self.alarm;
        let rows = [
            row("bell_ticks", it.bell_ticks, 1, 100_000),
            row("seen", it.seen, 0, 1_000_000),
            row("found", it.found, 0, 1_000_000),
            row("sharper", it.sharper, 0, 200),
            chance("spare_sconces", it.spare_sconces),
            row("hunter_ticks", it.hunter_ticks, 0, 10_000),
            time("told_ticks", it.told_ticks),
            row("stairs_ticks", it.stairs_ticks, 0, 10_000),
        ];
        check("alarm", &rows)
    }

    pub(super) fn check_night(&self) -> Result<(), RulesError> {
        let it = &self.night;
        let rows = [
            row("dawn", it.dawn, 1, 1_000_000),
            row("late", it.late, 1, 1_000_000),
            row("hunters", it.hunters, 1, 1_000_000),
            row("daylight", it.daylight, 1, 1_000_000),
        ];
        check("night", &rows)?;
        agree(it.late < it.dawn, "night.late must be less than night.dawn")
    }

    pub(super) fn check_combat(&self) -> Result<(), RulesError> {
        let it = &self.combat;
        let rows = [
            row("behind", it.behind, 0, 5),
            row("shove_ticks", it.shove_ticks, 0, 100),
            row("warden_sleep", it.warden_sleep, 0, 100),
            row("aware_sleep", it.aware_sleep, 0, 100),
            row("leap", it.leap, 0, 12),
            row("make_way", it.make_way, 1, 12),
        ];
        check("combat", &rows)
    }
}

impl GuardRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let [hidden, dim, lit, blazing] = self.sight;
        let rows = [
            row("health", self.health, 1, MOST_HEALTH),
            row("damage", self.damage, 0, MOST_HEALTH),
            chance("hit", self.hit),
            cells("sight[0]", hidden),
            cells("sight[1]", dim),
            cells("sight[2]", lit),
            cells("sight[3]", blazing),
            row("cone", self.cone, 0, 4),
            reach("hearing", self.hearing),
            row("calm_ticks", self.calm_ticks, 1, 16),
            row("search_ticks", self.search_ticks, 1, 16),
            row("chase_ticks", self.chase_ticks, 1, 16),
            row("strike_ticks", self.strike_ticks, 1, 16),
        ];
        check(section, &rows)?;
        check_colors(section, &[("light", &self.light)], 16.0)?;
        agree(
            self.sight.is_sorted(),
            &format!("{section}.sight must not decrease from dark to bright"),
        )
    }
}
