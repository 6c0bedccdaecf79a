//! The loudness of everything as the player hears it: through the mixer at the default volumes, at
//! the thief's position in the cellars. Values are the maximum momentary loudness in LUFS.
//!
//! Sounds that carry further in the rules are louder, and sounds for the whole keep are the
//! loudest. Loops are softer than a step, because players must be able to listen.

use gutterlight_rules::{Bark, Ground, Sound, Theme};

use super::{bank, draw};
use crate::sound::{
    Cue, Mixer, RATE, Scene, SoundName, Volumes, clip::samples, measure::momentary,
};

/// The maximum deviation of a variation, in LU.
const WITHIN: f64 = 2.0;

/// One decibel, about the smallest audible difference.
const LOUDER: f64 = 1.0;

/// The target loudness of each sound.
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

/// The loudness of a cue on its own.
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
fn sounds_have_their_target_loudness() {
    let mut off = String::new();
    // The alarm must be the loudest sound.
    let alarm = alone(Cue::new(SoundName::Alarm));
    for name in SoundName::all() {
        for variation in 0..name.terms().variations {
            let found = alone(Cue::new(name).variation(variation));
            let is_near = (found - wanted(name)).abs() <= WITHIN;
            let is_below = name == SoundName::Alarm || found < alarm - LOUDER;
            if !is_near || !is_below {
                off += &format!(
                    "{name:?} {variation}: {found:.1}, expected {:.1}\n",
                    wanted(name)
                );
            }
        }
    }
    assert!(off.is_empty(), "in LUFS:\n{off}");
}

/// Checks that the softest variation of each sound is louder than the loudest variation of the
/// next.
#[test]
fn more_important_sounds_are_louder() {
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

/// Scenes, and the maximum loudness of their loops.
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
fn loops_leave_room_for_sounds() {
    let mut loud = String::new();
    for (scene, most) in scenes() {
        let mut mixer = Mixer::new(bank(), 1);
        mixer.set_scene(scene);
        // Wait until the loops have faded in.
        draw(&mut mixer, 6.0);
        let mut frames = vec![0.0; 2 * samples(10.0)];
        mixer.fill(&mut frames);
        let found = momentary(&frames, RATE).expect("a rate");
        if !(most - 8.0..most).contains(&found) {
            loud += &format!("{scene:?}: {found:.1}, allowed at most {most:.1}\n");
        }
    }
    assert!(loud.is_empty(), "in LUFS:\n{loud}");
}
