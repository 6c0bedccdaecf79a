//! Worst cases for the mixer: it must neither clip nor pump.

use std::sync::OnceLock;

use gutterlight_rules::{Bark, Ground, Sound, Theme};

use super::{all, bank, clip, everything};
use crate::sound::{
    Cue, Mixer, RATE, Scene, SoundName, Volumes,
    clip::samples,
    measure::{momentary, true_peak},
};

/// Cues with their times in seconds.
type Score = Vec<(f32, Cue)>;

/// Renders a score with a master volume, as interleaved samples.
fn heard(score: &[(f32, Cue)], scene: Scene, master: f32, seconds: f32) -> Vec<f32> {
    let mut mixer = Mixer::new(bank(), 1);
    mixer.set_volumes(Volumes {
        master,
        effects: 1.0,
        ambience: 1.0,
    });
    mixer.set_scene(scene);
    let fill = |seconds: f32, mixer: &mut Mixer| {
        let mut out = vec![0.0; 2 * samples(seconds)];
        mixer.fill(&mut out);
        out
    };
    // Wait until the loops have faded in.
    fill(5.0, &mut mixer);
    let (mut all, mut now) = (Vec::new(), 0.0);
    for &(at, cue) in score {
        all.extend(fill(at - now, &mut mixer));
        now = at;
        mixer.play(cue);
    }
    all.extend(fill(seconds - now, &mut mixer));
    all
}

/// The loudest variations of the loudest sounds, all at once and with the same pan.
fn loudest(count: usize, pan: f32) -> Score {
    static ORDER: OnceLock<Vec<Cue>> = OnceLock::new();
    let order = ORDER.get_or_init(by_loudness).iter().take(count);
    order.map(|&cue| (0.0, Cue { pan, ..cue })).collect()
}

/// All variations of all sounds, loudest first.
fn by_loudness() -> Vec<Cue> {
    let bank = bank();
    let loudness = |(name, number)| {
        let samples = clip(&bank, name, number).iter();
        let both: Vec<f32> = samples.flat_map(|&sample| [sample; 2]).collect();
        momentary(&both, RATE).expect("a rate")
    };
    let mut order: Vec<(f64, Cue)> = all()
        .map(|(name, number)| (loudness((name, number)), Cue::new(name).variation(number)))
        .collect();
    order.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    order.into_iter().map(|(_, cue)| cue).collect()
}

/// A repeated alarm bell, fights, shouts, and steps on gravel.
fn uproar() -> Score {
    let mut score = Vec::new();
    for beat in 0..12_u32 {
        let at = 0.5 * beat as f32;
        let mut play = |late: f32, sound: SoundName, pan: f32| {
            let cue = Cue {
                pan,
                ..Cue::new(sound)
            };
            score.push((at + late, cue.variation(beat)));
        };
        if beat % 4 == 0 {
            play(0.0, SoundName::Alarm, 0.0);
        }
        play(0.05, Sound::Fight.into(), -0.7);
        play(0.2, Sound::Fight.into(), 0.7);
        play(0.25, Sound::Steps(Ground::Gravel).into(), 0.3);
        if beat % 3 == 1 {
            play(0.3, Sound::Call.into(), 0.9);
            play(0.35, Sound::Voice(Bark::Thief).into(), -0.9);
        }
        if beat == 5 {
            play(0.4, Sound::Burst.into(), 0.0);
            play(0.4, Sound::Glass.into(), 0.0);
        }
    }
    score
}

/// The limiter's gain in decibels for each 5 ms, measured against a mix that is far below the
/// ceiling.
fn gains(score: &[(f32, Cue)], scene: Scene, master: f32, seconds: f32) -> Vec<f64> {
    let power = |part: &[f32]| -> f64 {
        let squares = part
            .iter()
            .map(|&sample| f64::from(sample) * f64::from(sample));
        squares.sum()
    };
    let low = 0.1 * master;
    let [loud, soft] = [master, low].map(|master| heard(score, scene, master, seconds));
    let window = 2 * samples(0.005);
    let pairs = loud.chunks(window).zip(soft.chunks(window));
    let gains =
        pairs.map(|(loud, soft)| 10.0 * (power(loud) / power(soft).max(1e-20)).log10() - 40.0);
    gains.collect()
}

/// The largest rise within some windows.
fn rise(gains: &[f64], windows: usize) -> f64 {
    let rises = gains
        .windows(windows + 1)
        .map(|part| part[windows] - part[0]);
    rises.fold(0.0, f64::max)
}

#[test]
fn loudest_sounds_do_not_clip() {
    for (count, pan) in [(16, 0.0), (16, 1.0), (24, 0.0)] {
        for (master, theme) in [(1.0, Theme::Cistern), (0.8, Theme::Sanctum)] {
            let out = heard(&loudest(count, pan), everything(theme), master, 2.0);
            let peak = true_peak(&out, RATE).expect("a rate");
            assert!(peak <= -1.0, "{count} {pan} {master}: {peak}");
            assert!(peak > -4.0, "{count} {pan} {master}: {peak}");
        }
    }
}

#[test]
fn uproar_does_not_clip_or_pump() {
    let scene = everything(Theme::Cellars);
    let out = heard(&uproar(), scene, 1.0, 8.0);
    let peak = true_peak(&out, RATE).expect("a rate");
    assert!(peak <= -1.0, "{peak}");
    let gains = gains(&uproar(), scene, 1.0, 8.0);
    assert!(gains.iter().all(|&gain| gain < 0.1));
    // 15 decibels per second, plus the error of a window.
    assert!(rise(&gains, 20) < 2.0, "{}", rise(&gains, 20));
}

/// Checks that the limiter does not change a single sound with all loops, not even the loudest.
#[test]
fn single_sounds_are_not_limited() {
    let scene = everything(Theme::Cellars);
    for cue in loudest(8, 0.0) {
        let gains = gains(&[cue], scene, 0.8, 1.0);
        let least = gains.iter().copied().fold(0.0, f64::min);
        assert!(least > -0.1, "{cue:?}: {least}");
    }
}
