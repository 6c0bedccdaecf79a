//! The names of sounds, and their captions.

use gutterlight_rules::{Bark, Ground, Sound};

/// A sound of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SoundName {
    /// A sound of the rules, which guards can hear too.
    World(Sound),
    /// The thief is hurt.
    Hurt,
    /// The thief is healed.
    Heal,
    /// The thief picks something up.
    PickUp,
    /// The thief picks up treasure.
    Coin,
    /// The thief picks up a key.
    Key,
    /// The player chooses a perk.
    PerkLearnt,
    /// The thief takes the Ember.
    EmberTaken,
    /// A bell of the keep rings.
    Alarm,
    /// The thief wraps the Ember in cloth.
    Wrap,
    /// A scroll teleports the thief.
    Blink,
    /// The thief throws something.
    Throw,
    /// The thief's nerve is gone.
    NerveGone,
    /// The selection in a menu moves.
    MenuMove,
    /// A menu entry is chosen.
    MenuChoose,
    /// A menu closes.
    MenuBack,
    /// Something is not possible.
    MenuRefuse,
    /// The thief dies.
    Death,
    /// The thief escapes with the Ember.
    Victory,
}

impl From<Sound> for SoundName {
    fn from(sound: Sound) -> Self {
        Self::World(sound)
    }
}

/// The sounds of the rules, without steps and voices.
const WORLD: [Sound; 15] = [
    Sound::Paws,
    Sound::Door,
    Sound::Curtain,
    Sound::Lock,
    Sound::Shutter,
    Sound::Fight,
    Sound::Fall,
    Sound::Glass,
    Sound::Pebble,
    Sound::Flame,
    Sound::Hiss,
    Sound::Burst,
    Sound::Call,
    Sound::Howl,
    Sound::Something,
];

/// All barks of guards.
const BARKS: [Bark; 11] = [
    Bark::WhoIsThere,
    Bark::GoAndLook,
    Bark::ComeOut,
    Bark::MustHaveBeenRats,
    Bark::Thief,
    Bark::LostHim,
    Bark::LampOut,
    Bark::ManDown,
    Bark::WhereIsHe,
    Bark::Help,
    Bark::EmberGone,
];

/// The sounds that are not part of the rules.
const OTHERS: [SoundName; 18] = [
    SoundName::Hurt,
    SoundName::Heal,
    SoundName::PickUp,
    SoundName::Coin,
    SoundName::Key,
    SoundName::PerkLearnt,
    SoundName::EmberTaken,
    SoundName::Alarm,
    SoundName::Wrap,
    SoundName::Blink,
    SoundName::Throw,
    SoundName::NerveGone,
    SoundName::MenuMove,
    SoundName::MenuChoose,
    SoundName::MenuBack,
    SoundName::MenuRefuse,
    SoundName::Death,
    SoundName::Victory,
];

impl SoundName {
    /// All sounds.
    pub fn all() -> impl Iterator<Item = Self> {
        let steps = Ground::ALL.map(Sound::Steps);
        let voices = BARKS.map(Sound::Voice);
        let world = steps.into_iter().chain(WORLD).chain(voices);
        world.map(Self::World).chain(OTHERS)
    }

    /// The caption, in English.
    pub const fn caption(self) -> &'static str {
        match self {
            Self::World(sound) => sound.name(),
            Self::Hurt => "you gasp",
            Self::Heal => "you breathe easier",
            Self::PickUp => "something is picked up",
            Self::Coin => "coins",
            Self::Key => "a key on the ring",
            Self::PerkLearnt => "strings, rising",
            Self::EmberTaken => "a deep bell, and fire",
            Self::Alarm => "the alarm bell",
            Self::Wrap => "cloth being wound",
            Self::Blink => "a rush of air",
            Self::Throw => "something flies past",
            Self::NerveGone => "your heart stumbles",
            Self::MenuMove => "a tick",
            Self::MenuChoose => "a string",
            Self::MenuBack => "a lower string",
            Self::MenuRefuse => "a dull knock",
            Self::Death => "a last bell, far below",
            Self::Victory => "strings, in the open air",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_and_captions_are_unique() {
        let names: Vec<SoundName> = SoundName::all().collect();
        let once: BTreeSet<SoundName> = names.iter().copied().collect();
        assert_eq!((names.len(), once.len()), (49, 49));
        let captions = OTHERS.map(SoundName::caption);
        let different: BTreeSet<&str> = captions.into_iter().collect();
        assert_eq!(different.len(), captions.len());
        for name in names {
            let caption = name.caption();
            assert!((4..=30).contains(&caption.len()), "{caption}");
        }
    }
}
