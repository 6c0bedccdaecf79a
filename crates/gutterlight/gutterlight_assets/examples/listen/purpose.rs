//! What each sound is for in the game.

use gutterlight_assets::sound::SoundName;
use gutterlight_rules::{Bark, Ground, Sound};

/// Describes the purpose of a sound.
pub const fn purpose(name: SoundName) -> &'static str {
    match name {
        SoundName::World(sound) => world(sound),
        SoundName::Hurt => "the thief is hit or burned",
        SoundName::Heal => "the thief uses a salve",
        SoundName::PickUp => "the thief picks up a tool, a torch or cloth",
        SoundName::Coin => "the thief picks up treasure",
        SoundName::Key => "the thief picks up a key",
        SoundName::PerkLearnt => "the player chooses a perk between floors",
        SoundName::EmberTaken => "the thief takes the Ember, and the keep notices",
        SoundName::Alarm => "a bell of the keep rings, and everyone comes",
        SoundName::Wrap => "the thief wraps the Ember, and it shines less",
        SoundName::Blink => "a scroll teleports the thief",
        SoundName::Throw => "the thief throws a pebble or a flask",
        SoundName::NerveGone => "the thief's nerve is gone, and steps get louder",
        SoundName::MenuMove => "the selection moves",
        SoundName::MenuChoose => "an entry is chosen",
        SoundName::MenuBack => "a menu closes",
        SoundName::MenuRefuse => "something is not possible",
        SoundName::Death => "the game is lost",
        SoundName::Victory => "the thief escapes",
    }
}

const fn world(sound: Sound) -> &'static str {
    match sound {
        Sound::Steps(ground) => step(ground),
        Sound::Paws => "a hound, which follows your scent",
        Sound::Door => "a door opens or closes",
        Sound::Curtain => "a curtain, a cloak, any rustle",
        Sound::Lock => "a lock is opened or picked",
        Sound::Shutter => "a shutter opens or closes",
        Sound::Fight => "blades meet",
        Sound::Fall => "a body falls",
        Sound::Glass => "a lamp or a flask breaks",
        Sound::Pebble => "a thrown distraction",
        Sound::Flame => "a torch or a lamp is lit",
        Sound::Hiss => "a flame goes out",
        Sound::Burst => "a smoke bomb bursts",
        Sound::Voice(bark) => voice(bark),
        Sound::Call => "a guard calls for others",
        Sound::Howl => "a hound calls for others",
        Sound::Something => "the noise after the torch goes out",
    }
}

const fn step(ground: Ground) -> &'static str {
    match ground {
        Ground::Stone => "the most common floor",
        Ground::Carpet => "the quietest floor",
        Ground::Gravel => "the loudest floor",
        Ground::Water => "a flooded floor, loud",
        Ground::Earth => "quieter than stone",
    }
}

const fn voice(bark: Bark) -> &'static str {
    match bark {
        Bark::WhoIsThere => "a guard has noticed something",
        Bark::GoAndLook => "a guard comes to investigate",
        Bark::ComeOut => "a guard searches",
        Bark::MustHaveBeenRats => "a guard gives up",
        Bark::Thief => "a guard is sure, and the chase begins",
        Bark::LostHim => "a guard has lost the thief",
        Bark::LampOut => "a guard sees a dark lamp",
        Bark::ManDown => "a guard finds a comrade down",
        Bark::WhereIsHe => "a guard misses a comrade",
        Bark::Help => "a lamplighter sees the thief",
        Bark::EmberGone => "the guards notice that the Ember is gone",
    }
}
