//! Guards, tools and floors, as help tells of them once they were met.

use gutterlight_rules::{Difficulty, GuardKind, Rules};

use super::things::odds;

pub const GUARDS: &str = "GUARDS";
pub const TOOLS: &str = "TOOLS";
pub const FLOORS: &str = "WHAT FLOORS CAN BE LIKE";

/// The heading of some kind of thing, and how many of how many were met.
pub fn chapter(title: &str, met: usize, all: usize) -> String {
    format!("{title} ({met} of {all} met)")
}

/// What is known of a kind of guard: its ways, how far it sees, and how a fight would end.
pub fn guard_lore(rules: &Rules, difficulty: Difficulty, kind: GuardKind) -> String {
    let row = rules.guard(kind);
    let [_, dim, lit, _] = row.sight;
    let sight = match row.eyes {
        true => format!(" Sees who is dim from {dim} steps, who is lit from {lit}."),
        false => String::new(),
    };
    let fight = match row.damage {
        // It does not fight.
        ..=0 => String::new(),
        _ => {
            let won = rules.odds(difficulty, rules.thief.health, kind, row.health);
            format!(" From full health {}.", odds(won))
        }
    };
    format!("{}: {}{sight}{fight}", kind.name(), ways(kind))
}

/// How a kind of guard is, and what helps.
const fn ways(kind: GuardKind) -> &'static str {
    match kind {
        GuardKind::Watchman => {
            "walks his round with a lantern, whose glow comes before him. He lights dark lamps that \
             he passes. One in a red coat was called to hunt you."
        }
        GuardKind::Sentry => "stands and watches, in the dark too. Come from behind, or go round.",
        GuardKind::Hound => {
            "cares for no light: it smells where you walked a while ago. Water keeps no scent."
        }
        GuardKind::Listener => {
            "blind, and hears every step. Sneak, stand still, or throw something elsewhere."
        }
        GuardKind::Lamplighter => {
            "no fighter: comes to lamps that are dark, lights them, and calls others when he sees you."
        }
        GuardKind::Warden => "keeps the Ember. Nobody to fight: wait until he looks away.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_of_guards_is_what_the_table_says() {
        let rules = Rules::standard();
        let told = |kind| guard_lore(&rules, Difficulty::Thief, kind);
        let [_, dim, lit, _] = rules.guard(GuardKind::Watchman).sight;
        let sight = format!("dim from {dim} steps, who is lit from {lit}.");
        assert!(told(GuardKind::Watchman).contains(&sight));
        assert!(told(GuardKind::Watchman).contains("of 100 fights"));
        assert!(!told(GuardKind::Hound).contains("Sees"));
        assert!(!told(GuardKind::Lamplighter).contains("fight "));
    }
}
