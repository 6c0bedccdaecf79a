//! How loud everything is, as it is heard: by the mixer, at the volumes set at first, beside the
//! thief, in the cellars; the greatest momentary loudness in LUFS.
//!
//! What the rules carry farther is louder, and what the keep has to know is the loudest. What
//! goes on is softer than a step: a game of listening must leave room for it.

use gutterlight_rules::{Bark, Ground, Sound, Theme};

use super::{bank, draw};
use crate::sound::{
    Cue, Mixer, RATE, Scene, SoundName, Volumes, clip::samples, measure::momentary,
};

/// How far from what it should be a variation may be, in LU.
const WITHIN: f64 = 2.0;

/// A step of a decibel, about the least that is heard as louder.
const LOUDER: f64 = 1.0;

/// How loud each one should be.
const fn wanted(name: SoundName) -> f64 {
    match name {
        SoundName::World(sound) => world(sound),
        SoundName::Alarm => -16.8,
        SoundName::EmberTaken => -19.2,
        SoundName::Death => -20.3,
        SoundName::Victory => -21.3,
        SoundName::NerveGone | SoundName::PerkLearnt => -25.0,
        SoundName::Hurt => -26.2,
        SoundName::Blink => -28.6,
        SoundName::Coin | SoundName::Key | SoundName::Heal | SoundName::Wrap => -31.6,
        SoundName::Throw | SoundName::PickUp => -34.7,
        SoundName::MenuChoose | SoundName::MenuBack | SoundName::MenuRefuse => -35.5,
        SoundName::MenuMove => -43.7,
    }
}

const fn world(sound: Sound) -> f64 {
    match sound {
        Sound::Burst => -19.4,
        Sound::Call => -20.3,
        Sound::Howl => -21.4,
        Sound::Glass => -23.2,
        Sound::Fight => -24.0,
        Sound::Fall => -27.2,
        Sound::Something => -27.8,
        Sound::Door => -28.3,
        Sound::Hiss => -29.2,
        Sound::Pebble => -30.0,
        Sound::Shutter => -30.3,
        Sound::Lock => -33.3,
        Sound::Flame => -34.0,
        Sound::Paws => -34.3,
        Sound::Curtain => -36.2,
        Sound::Steps(ground) => step(ground),
        Sound::Voice(bark) => voice(bark),
    }
}

const fn step(ground: Ground) -> f64 {
    match ground {
        Ground::Gravel => -28.8,
        Ground::Water => -30.0,
        Ground::Stone => -35.8,
        Ground::Earth => -38.0,
        Ground::Carpet => -43.6,
    }
}

const fn voice(bark: Bark) -> f64 {
    match bark {
        Bark::Thief => -20.7,
        Bark::Help | Bark::EmberGone | Bark::ManDown => -22.3,
        Bark::ComeOut | Bark::LostHim => -26.7,
        Bark::WhoIsThere | Bark::WhereIsHe | Bark::LampOut => -27.5,
        Bark::GoAndLook | Bark::MustHaveBeenRats => -30.2,
    }
}

/// How loud a cue is, alone.
fn alone(cue: Cue) -> f64 {
    let mut mixer = Mixer::new(bank(), 1);
    mixer.set_volumes(Volumes {
        ambience: 0.0,
        ..Volumes::default()
    });
    draw(&mut mixer, 0.2);
    mixer.play(cue);
    let mut frames = vec![0.0; 2 * samples(cue.sound.terms().longest + 0.3)];
    mixer.fill(&mut frames);
    momentary(&frames, RATE).expect("a rate")
}

#[test]
fn every_sound_is_as_loud_as_it_should_be() {
    let mut off = String::new();
    // Nothing else is as loud.
    let alarm = alone(Cue::new(SoundName::Alarm));
    for name in SoundName::all() {
        for variation in 0..name.terms().variations {
            let found = alone(Cue::new(name).variation(variation));
            let is_near = (found - wanted(name)).abs() <= WITHIN;
            let is_below = name == SoundName::Alarm || found < alarm - LOUDER;
            if !is_near || !is_below {
                off += &format!(
                    "{name:?} {variation}: {found:.1}, not {:.1}\n",
                    wanted(name)
                );
            }
        }
    }
    assert!(off.is_empty(), "in LUFS:\n{off}");
}

/// Each is louder than the next one, in its softest variation than the next in its loudest.
#[test]
fn what_matters_more_is_louder() {
    let ladder = [
        Cue::new(SoundName::Alarm),
        Cue::new(Sound::Call),
        Cue::new(Sound::Fight),
        Cue::new(Sound::Fall),
        Cue::new(Sound::Steps(Ground::Stone)).gain(Cue::STRONGEST),
        Cue::new(Sound::Steps(Ground::Stone)),
        Cue::new(Sound::Steps(Ground::Stone)).gain(0.5),
    ];
    let loudness = ladder.map(|cue| {
        let variations = 0..cue.sound.terms().variations;
        let all: Vec<f64> = variations
            .map(|number| alone(cue.variation(number)))
            .collect();
        let least = all.iter().copied().fold(f64::MAX, f64::min);
        (least, all.into_iter().fold(f64::MIN, f64::max))
    });
    for (pair, cues) in loudness.windows(2).zip(ladder.windows(2)) {
        let (least, most) = (pair[0].0, pair[1].1);
        let names = [cues[0].sound, cues[1].sound];
        assert!(least > most + LOUDER, "{names:?}: {least:.1} {most:.1}");
    }
}

/// What goes on, alone, and how loud it may be at most.
fn scenes() -> [(Scene, f64); 11] {
    let calm = Scene::default();
    let in_theme = |theme| Scene { theme, ..calm };
    [
        (calm, -40.0),
        (in_theme(Theme::Cistern), -35.0),
        (in_theme(Theme::Chapel), -40.0),
        (in_theme(Theme::Catacombs), -38.0),
        (in_theme(Theme::Sanctum), -35.0),
        (Scene { torch: 1.0, ..calm }, -35.0),
        (
            Scene {
                torch: 1.0,
                guttering: 1.0,
                ..calm
            },
            -34.0,
        ),
        (
            Scene {
                darkness: 1.0,
                ..calm
            },
            -34.0,
        ),
        (Scene { alarm: 1.0, ..calm }, -34.0),
        (Scene { nerve: 0.0, ..calm }, -33.0),
        (super::everything(Theme::Cistern), -29.5),
    ]
}

#[test]
fn what_goes_on_leaves_room_for_what_happens() {
    let mut loud = String::new();
    for (scene, most) in scenes() {
        let mut mixer = Mixer::new(bank(), 1);
        mixer.set_scene(scene);
        // Until the loops are there.
        draw(&mut mixer, 6.0);
        let mut frames = vec![0.0; 2 * samples(10.0)];
        mixer.fill(&mut frames);
        let found = momentary(&frames, RATE).expect("a rate");
        if !(most - 8.0..most).contains(&found) {
            loud += &format!("{scene:?}: {found:.1}, not {most:.1}\n");
        }
    }
    assert!(loud.is_empty(), "in LUFS:\n{loud}");
}
