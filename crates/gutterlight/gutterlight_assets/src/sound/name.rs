//! What can be heard, by name, and in words.

use gutterlight_rules::{Bark, Ground, Sound};

/// A sound of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SoundName {
    /// One of those that the rules know, and that guards hear too.
    World(Sound),
    /// The thief is hurt.
    Hurt,
    /// The thief is healed.
    Heal,
    /// Something is picked up.
    PickUp,
    /// Gold.
    Coin,
    /// A key on the ring.
    Key,
    /// A perk is learnt.
    PerkLearnt,
    /// The Ember is taken.
    EmberTaken,
    /// The bell of the keep.
    Alarm,
    /// The Ember is wrapped in cloth.
    Wrap,
    /// The thief is somewhere else at once.
    Blink,
    /// Something is thrown.
    Throw,
    /// Nerve is gone.
    NerveGone,
    /// Another line of a menu.
    MenuMove,
    /// A line of a menu is chosen.
    MenuChoose,
    /// Out of a menu.
    MenuBack,
    /// That can not be done.
    MenuRefuse,
    /// The thief is dead.
    Death,
    /// The thief is out, with the Ember.
    Victory,
}

impl From<Sound> for SoundName {
    fn from(sound: Sound) -> Self {
        Self::World(sound)
    }
}

/// Those of the rules, without steps and voices.
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

/// All that a guard says.
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

/// Those that the rules do not know.
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
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let steps = Ground::ALL.map(Sound::Steps);
        let voices = BARKS.map(Sound::Voice);
        let world = steps.into_iter().chain(WORLD).chain(voices);
        world.map(Self::World).chain(OTHERS)
    }

    /// As it is captioned, in English.
    pub const fn caption(self) -> &'static str {
        match self {
            Self::World(sound) => sound.name(),
            Self::Hurt => "you gasp",
            Self::Heal => "you breathe more easily",
            Self::PickUp => "something picked up",
            Self::Coin => "coins",
            Self::Key => "a key on the ring",
            Self::PerkLearnt => "strings, rising",
            Self::EmberTaken => "a deep bell, and fire",
            Self::Alarm => "the alarm bell",
            Self::Wrap => "cloth wound round",
            Self::Blink => "a rush of air",
            Self::Throw => "something flies",
            Self::NerveGone => "your heart stumbles",
            Self::MenuMove => "a tick",
            Self::MenuChoose => "a string",
            Self::MenuBack => "a lower string",
            Self::MenuRefuse => "a dull knock",
            Self::Death => "a last bell, far down",
            Self::Victory => "strings, in the open air",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_are_named_once_and_in_words() {
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
