//! A recipe for each sound, and its loudness.
//!
//! Loudness is in decibels relative to full scale, over the loudest 50 ms, as measured by `clip`.
//! The scale of the game:
//!
//! ```text
//!   -10  the alarm bell                       the whole keep knows
//!   -14  a burst, a shout                     half of the keep knows
//!   -17  blows, glass, a howl, "Thief!"       everyone within a room's distance knows
//!   -22  doors, gravel, talk, falls, pebbles  ordinary sounds
//!   -27  stone steps, paws, flames            audible if you listen
//!   -31  earth, cloth                         audible if you listen closely
//!   -37  carpet                               barely audible
//! ```
//!
//! Each variation is normalized to these values. `tests/loudness` measures the mixer's output with
//! the standard loudness meter, over 400 ms.

mod barks;
mod beasts;
mod blows;
mod dread;
mod fate;
mod fire;
mod menu;
mod small;
mod steps;
mod thief;
mod timber;

use gutterlight_rules::{Bark, Ground, Sound};

use super::{clip::Clip, name::SoundName, noise::Noise};

/// Properties of all variations of a sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// The loudness in decibels.
    pub loudness: f32,
    /// The maximum duration in seconds.
    pub longest: f32,
    /// The number of variations.
    pub variations: u32,
}

const fn terms(loudness: f32, longest: f32, variations: u32) -> Terms {
    Terms {
        loudness,
        longest,
        variations,
    }
}

impl SoundName {
    /// The loudness, the maximum duration, and the number of variations.
    pub const fn terms(self) -> Terms {
        match self {
            Self::World(sound) => world_terms(sound),
            Self::Hurt => terms(-19.0, 0.8, 3),
            Self::Heal => terms(-26.0, 2.0, 1),
            Self::PickUp => terms(-28.0, 0.4, 3),
            Self::Coin => terms(-25.0, 1.0, 3),
            Self::Key => terms(-25.0, 1.0, 2),
            Self::PerkLearnt => terms(-21.0, 2.6, 1),
            Self::EmberTaken => terms(-16.5, 5.0, 1),
            Self::Alarm => terms(-10.0, 4.5, 1),
            Self::Wrap => terms(-28.0, 1.2, 2),
            Self::Blink => terms(-22.0, 1.2, 1),
            Self::Throw => terms(-27.0, 0.5, 3),
            Self::NerveGone => terms(-23.0, 2.2, 1),
            Self::MenuMove => terms(-30.0, 0.12, 1),
            Self::MenuChoose | Self::MenuBack => terms(-28.0, 0.9, 1),
            Self::MenuRefuse => terms(-28.0, 0.4, 1),
            Self::Death => terms(-20.0, 5.0, 1),
            Self::Victory => terms(-18.0, 6.0, 1),
        }
    }

    /// Renders a variation before its loudness is set. The same number gives the same clip.
    pub fn make(self, variation: u32) -> Clip {
        let mut noise = Noise::new(0x6C61_6E74_0000_0000 | u64::from(variation));
        match self {
            Self::World(sound) => make_world(sound, variation, &mut noise),
            Self::Hurt => thief::hurt(&mut noise),
            Self::Heal => thief::heal(&mut noise),
            Self::PickUp => small::pick_up(&mut noise),
            Self::Coin => small::coin(&mut noise),
            Self::Key => small::key(&mut noise),
            Self::PerkLearnt => fate::perk_learnt(&mut noise),
            Self::EmberTaken => fate::ember_taken(&mut noise),
            Self::Alarm => fate::alarm(&mut noise),
            Self::Wrap => thief::wrap(&mut noise),
            Self::Blink => thief::blink(&mut noise),
            Self::Throw => thief::throw(&mut noise),
            Self::NerveGone => dread::nerve_gone(&mut noise),
            Self::MenuMove => menu::tick(&mut noise),
            Self::MenuChoose => menu::choose(&mut noise),
            Self::MenuBack => menu::back(&mut noise),
            Self::MenuRefuse => menu::refuse(&mut noise),
            Self::Death => fate::death(&mut noise),
            Self::Victory => fate::victory(&mut noise),
        }
    }
}

const fn world_terms(sound: Sound) -> Terms {
    match sound {
        Sound::Steps(Ground::Stone) => terms(-27.0, 0.3, 6),
        Sound::Steps(Ground::Carpet) => terms(-37.0, 0.3, 5),
        Sound::Steps(Ground::Gravel) => terms(-22.0, 0.4, 6),
        Sound::Steps(Ground::Water) => terms(-24.0, 0.6, 6),
        Sound::Steps(Ground::Earth) => terms(-31.0, 0.3, 5),
        Sound::Paws => terms(-28.0, 0.4, 4),
        Sound::Door => terms(-22.0, 1.0, 4),
        Sound::Curtain => terms(-32.0, 0.8, 3),
        Sound::Lock => terms(-23.0, 0.8, 3),
        Sound::Shutter => terms(-21.0, 0.7, 3),
        Sound::Fight => terms(-16.0, 0.9, 4),
        Sound::Fall => terms(-22.5, 0.9, 3),
        Sound::Glass => terms(-17.0, 1.4, 3),
        Sound::Pebble => terms(-21.5, 1.0, 4),
        Sound::Flame => terms(-27.0, 1.0, 3),
        Sound::Hiss => terms(-25.0, 1.6, 3),
        Sound::Burst => terms(-12.5, 1.8, 2),
        Sound::Voice(bark) => bark_terms(bark),
        Sound::Call => terms(-14.0, 1.2, 2),
        Sound::Howl => terms(-18.0, 2.2, 2),
        Sound::Something => terms(-24.0, 4.0, 3),
    }
}

const fn bark_terms(bark: Bark) -> Terms {
    let loudness = match bark {
        Bark::MustHaveBeenRats | Bark::GoAndLook => -24.0,
        Bark::WhoIsThere | Bark::WhereIsHe | Bark::LampOut => -22.0,
        Bark::LostHim => -20.0,
        Bark::ComeOut => -18.0,
        Bark::ManDown | Bark::EmberGone => -16.0,
        Bark::Thief | Bark::Help => -17.0,
    };
    terms(loudness, 2.0, 2)
}

fn make_world(sound: Sound, variation: u32, noise: &mut Noise) -> Clip {
    match sound {
        Sound::Steps(ground) => steps::step(ground, noise),
        Sound::Paws => steps::paws(noise),
        Sound::Door => timber::door(noise),
        Sound::Curtain => timber::curtain(noise),
        Sound::Lock => timber::lock(noise),
        Sound::Shutter => timber::shutter(noise),
        Sound::Fight => blows::fight(noise),
        Sound::Fall => blows::fall(noise),
        Sound::Glass => small::glass(noise),
        Sound::Pebble => small::pebble(noise),
        Sound::Flame => fire::flame(noise),
        Sound::Hiss => fire::hiss(noise),
        Sound::Burst => fire::burst(noise),
        Sound::Voice(bark) => barks::bark(bark, noise),
        Sound::Call => barks::call(variation, noise),
        Sound::Howl => beasts::howl(noise),
        Sound::Something => dread::something(variation, noise),
    }
}
