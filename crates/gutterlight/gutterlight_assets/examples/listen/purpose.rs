//! What each sound is for, in the game.

use gutterlight_assets::sound::SoundName;
use gutterlight_rules::{Bark, Ground, Sound};

/// In a few words.
pub const fn purpose(name: SoundName) -> &'static str {
    match name {
        SoundName::World(sound) => world(sound),
        SoundName::Hurt => "the thief is struck or burnt",
        SoundName::Heal => "a salve works",
        SoundName::PickUp => "a tool, a torch or cloth is taken",
        SoundName::Coin => "treasure is taken",
        SoundName::Key => "a key is taken",
        SoundName::PerkLearnt => "a perk is chosen between floors",
        SoundName::EmberTaken => "the Ember is taken, and the keep knows",
        SoundName::Alarm => "a bell of the keep rings: everyone comes",
        SoundName::Wrap => "the Ember is wrapped, and shines less",
        SoundName::Blink => "a scroll takes the thief elsewhere",
        SoundName::Throw => "a pebble or a flask flies",
        SoundName::NerveGone => "no nerve is left: steps get louder",
        SoundName::MenuMove => "another line of a menu",
        SoundName::MenuChoose => "a line is chosen",
        SoundName::MenuBack => "out of a menu",
        SoundName::MenuRefuse => "it can not be done",
        SoundName::Death => "the game is lost",
        SoundName::Victory => "the thief is out",
    }
}

const fn world(sound: Sound) -> &'static str {
    match sound {
        Sound::Steps(ground) => step(ground),
        Sound::Paws => "a hound: it smells where you went",
        Sound::Door => "a door opens or shuts",
        Sound::Curtain => "a curtain, a cloak, a rustle",
        Sound::Lock => "a lock is opened, or picked",
        Sound::Shutter => "a shutter is opened or shut",
        Sound::Fight => "blades meet",
        Sound::Fall => "somebody goes down",
        Sound::Glass => "a lamp or a flask breaks",
        Sound::Pebble => "thrown to be heard elsewhere",
        Sound::Flame => "a torch or a lamp takes fire",
        Sound::Hiss => "a flame goes out",
        Sound::Burst => "oil goes up in flames",
        Sound::Voice(bark) => voice(bark),
        Sound::Call => "a guard calls others",
        Sound::Howl => "a hound calls others",
        Sound::Something => "the noise after the torch went out",
    }
}

const fn step(ground: Ground) -> &'static str {
    match ground {
        Ground::Stone => "the usual floor",
        Ground::Carpet => "the quietest floor",
        Ground::Gravel => "the loudest floor",
        Ground::Water => "a flooded floor: loud",
        Ground::Earth => "quieter than stone",
    }
}

const fn voice(bark: Bark) -> &'static str {
    match bark {
        Bark::WhoIsThere => "a guard wonders",
        Bark::GoAndLook => "a guard comes to look",
        Bark::ComeOut => "a guard searches",
        Bark::MustHaveBeenRats => "a guard gives up",
        Bark::Thief => "a guard is sure: the chase begins",
        Bark::LostHim => "a guard has lost the thief",
        Bark::LampOut => "a guard sees a dark lamp",
        Bark::ManDown => "a guard finds another one down",
        Bark::WhereIsHe => "a guard misses another one",
        Bark::Help => "a lamplighter sees the thief",
        Bark::EmberGone => "the Ember is missed",
    }
}
