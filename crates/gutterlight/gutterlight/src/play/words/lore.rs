//! Texts about guards, tools and twists that the player has met.

use gutterlight_rules::{Difficulty, GuardKind, Rules};

use super::things::odds;

pub const GUARDS: &str = "GUARDS";
pub const TOOLS: &str = "TOOLS";
pub const FLOORS: &str = "FLOORS";

/// The heading of a section, with the number of entries met.
pub fn chapter(title: &str, met: usize, all: usize) -> String {
    format!("{title} ({met} of {all} met)")
}

/// Describes a kind of guard: its behavior, its sight, and the odds of a fight.
pub fn guard_lore(rules: &Rules, difficulty: Difficulty, kind: GuardKind) -> String {
    let row = rules.guard(kind);
    let [_, dim, lit, _] = row.sight;
    let sight = match row.eyes {
        true => {
            format!(" Sees you from {dim} steps when you are dim, from {lit} when you are lit.")
        }
        false => String::new(),
    };
    let fight = match row.damage {
        // It does not fight.
        ..=0 => String::new(),
        _ => {
            let won = rules.odds(difficulty, rules.thief.health, kind, row.health);
            format!(" At full health, {}.", odds(won))
        }
    };
    format!("{}: {}{sight}{fight}", kind.name(), ways(kind))
}

/// The behavior of a kind of guard, and what helps against it.
const fn ways(kind: GuardKind) -> &'static str {
    match kind {
        GuardKind::Watchman => {
            "walks his rounds with a lantern: its glow comes before him. He relights dark lamps on \
             his way. One in a red coat is hunting you."
        }
        GuardKind::Sentry => {
            "stands and watches, even in the dark. Come from behind, or go around."
        }
        GuardKind::Hound => {
            "cares nothing for light: it follows the scent of your steps. Water holds no scent."
        }
        GuardKind::Listener => {
            "blind, but hears every step. Sneak, stand still, or throw something elsewhere."
        }
        GuardKind::Lamplighter => {
            "no fighter: relights dark lamps, and calls for help when he sees you."
        }
        GuardKind::Warden => "keeps the Ember. Do not fight him: wait until he looks away.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guard_lore_matches_the_rules() {
        let rules = Rules::standard();
        let lore = |kind| guard_lore(&rules, Difficulty::Thief, kind);
        let [_, dim, lit, _] = rules.guard(GuardKind::Watchman).sight;
        let sight = format!("from {dim} steps when you are dim, from {lit} when you are lit.");
        assert!(lore(GuardKind::Watchman).contains(&sight));
        assert!(lore(GuardKind::Watchman).contains("of 100 fights"));
        assert!(!lore(GuardKind::Hound).contains("Sees"));
        assert!(!lore(GuardKind::Lamplighter).contains("fight "));
    }
}
