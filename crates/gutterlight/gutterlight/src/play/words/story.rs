//! Texts of the story page, after the game.

use gutterlight_rules::{GuardKind, Theme, Twist};

use super::things::times;
use crate::play::menu::chart::Sign;

/// The number of the floor shown.
pub fn floor_of(depth: usize, floors: usize) -> String {
    match floors {
        0 | 1 => "Floor 1".into(),
        floors => format!("< Floor {} of {floors} >", depth + 1),
    }
}

/// The theme and twist of a floor.
pub fn floor_was(theme: Theme, twist: Option<Twist>) -> String {
    let twist = twist.map_or(String::new(), |twist| format!(", {}", twist.name()));
    format!("{}{twist}", theme.name())
}

/// The guards that became sure of the thief on a floor.
pub fn seen_by(kinds: impl Iterator<Item = GuardKind>) -> String {
    let kinds: Vec<GuardKind> = kinds.collect();
    let number = |kind| kinds.iter().filter(|seen| **seen == kind).count() as u32;
    let kinds = GuardKind::ALL.into_iter().filter(|kind| number(*kind) > 0);
    let parts: Vec<String> = kinds
        .map(|kind| match (number(kind), kind.name()) {
            (1, name) => format!("a {name}"),
            (count, name) => format!("a {name} ({})", times(count)),
        })
        .collect();
    match parts.as_slice() {
        [] => "nobody saw you here".into(),
        parts => format!("seen by {}", parts.join(", ")),
    }
}

/// The meaning of a sign on the map.
pub const fn sign(sign: Sign) -> &'static str {
    match sign {
        Sign::Way => "your path, dark to bright",
        Sign::Seen => "seen here (letter: guard)",
        Sign::Doused => "a lamp you put out",
        Sign::Burning => "a burning lamp",
        Sign::Treasure => "treasure left behind",
        Sign::Stairs => "stairs",
        Sign::Death => "where it ended",
        Sign::Out => "where you got out",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sightings_are_counted_by_kind() {
        use GuardKind::{Hound, Sentry, Watchman};
        let seen = [Watchman, Hound, Watchman, Sentry];
        let text = seen_by(seen.into_iter());
        assert_eq!(text, "seen by a watchman (2 times), a sentry, a hound");
        assert_eq!(seen_by([].into_iter()), "nobody saw you here");
    }
}
