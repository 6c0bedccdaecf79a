//! Tests of all sounds and of the whole mixer.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use gutterlight_rules::{Ground, Sound, Theme};
use lanternfell_random::Fnv1a;

mod loudness;
mod meter;
mod mix;
mod place;
mod steps;

use crate::golden;

use super::{
    Bank, Cue, Mixer, RATE, Scene, SoundName, Volumes,
    clip::{gain, samples, strength},
    goertzel::power_between,
};

/// The bank, which all tests share.
fn bank() -> Arc<Bank> {
    static BANK: OnceLock<Arc<Bank>> = OnceLock::new();
    BANK.get_or_init(|| Arc::new(Bank::new())).clone()
}

/// All variations of all sounds.
fn all() -> impl Iterator<Item = (SoundName, u32)> {
    SoundName::all().flat_map(|name| (0..name.terms().variations).map(move |number| (name, number)))
}

fn clip(bank: &Bank, name: SoundName, variation: u32) -> &[f32] {
    let place = bank.clip_id(name, variation);
    place.map_or(&[], |place| bank.samples(place))
}

fn peak(samples: &[f32]) -> f32 {
    samples
        .iter()
        .fold(0.0, |peak, sample| sample.abs().max(peak))
}

fn power(samples: &[f32]) -> f64 {
    let squares = samples
        .iter()
        .map(|&sample| f64::from(sample) * f64::from(sample));
    squares.sum()
}

/// The largest difference between consecutive samples.
fn jump(samples: &[f32]) -> f32 {
    let steps = samples.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    steps.fold(0.0, f32::max)
}

/// A hash of the bits (FNV-1a, over words).
fn hash<'a>(samples: impl IntoIterator<Item = &'a f32>) -> u64 {
    let words = samples
        .into_iter()
        .map(|sample| u64::from(sample.to_bits()));
    words.fold(Fnv1a::default(), Fnv1a::with).finish()
}

/// A mixer without loops.
fn quiet() -> Mixer {
    let mut mixer = Mixer::new(bank(), 1);
    let volumes = Volumes {
        master: 1.0,
        effects: 1.0,
        ambience: 0.0,
    };
    mixer.set_volumes(volumes);
    draw(&mut mixer, 0.2);
    mixer
}

/// Renders some seconds of both channels.
fn draw(mixer: &mut Mixer, seconds: f32) -> [Vec<f32>; 2] {
    let mut out = vec![0.0; 2 * samples(seconds)];
    mixer.fill(&mut out);
    let side = |first: usize| out.iter().skip(first).step_by(2).copied().collect();
    [side(0), side(1)]
}

#[test]
fn sounds_are_finite_and_within_limits() {
    let bank = bank();
    for (name, variation) in all() {
        let (clip, terms) = (clip(&bank, name, variation), name.terms());
        let seconds = clip.len() as f32 / RATE as f32;
        assert!(clip.iter().all(|sample| sample.is_finite()), "{name:?}");
        assert!(peak(clip) <= 1.0, "{name:?}: {}", peak(clip));
        assert!(
            seconds > 0.03 && seconds <= terms.longest,
            "{name:?}: {seconds}"
        );
        let loud = strength(clip) / gain(terms.loudness);
        assert!((0.8..=1.1).contains(&loud), "{name:?} {variation}: {loud}");
    }
}

#[test]
fn sounds_start_and_end_at_zero() {
    let bank = bank();
    for (name, variation) in all() {
        let clip = clip(&bank, name, variation);
        let ends = [&clip[..4], &clip[clip.len() - 4..]];
        for end in ends {
            assert!(
                peak(end) < 0.02 * peak(clip),
                "{name:?} {variation}: {end:?}"
            );
        }
        assert_eq!((clip[0], clip[clip.len() - 1]), (0.0, 0.0), "{name:?}");
        let mean = clip.iter().sum::<f32>() / clip.len() as f32;
        assert!(mean.abs() < 0.02, "{name:?} {variation}: {mean}");
    }
}

#[test]
fn variations_differ() {
    let bank = bank();
    for (name, variation) in all().filter(|&(_, variation)| variation > 0) {
        for other in 0..variation {
            let (one, two) = (clip(&bank, name, variation), clip(&bank, name, other));
            let difference: Vec<f32> = one.iter().zip(two).map(|(a, b)| a - b).collect();
            let part = power(&difference) / power(one);
            assert!(part > 0.03, "{name:?} {variation} {other}: {part}");
        }
    }
    for ground in Ground::ALL {
        let name = SoundName::World(Sound::Steps(ground));
        assert!(name.terms().variations >= 4, "{ground:?}");
    }
}

/// The bits are pinned, in debug and release builds on any machine. A changed sound needs new
/// hashes.
#[test]
fn samples_match_golden_hashes() {
    let bank = bank();
    let name = SoundName::World(Sound::Door);
    let again = name
        .make(1)
        .finish(name.terms().loudness, name.terms().longest);
    assert_eq!(hash(&again), hash(clip(&bank, name, 1)));
    let mut found = BTreeMap::new();
    for name in SoundName::all() {
        let variations = (0..name.terms().variations).flat_map(|number| clip(&bank, name, number));
        found.insert(format!("{name:?}"), format!("{:016x}", hash(variations)));
    }
    let mut mixers = [7, 7, 8].map(|seed| Mixer::new(bank.clone(), seed));
    let hashes = mixers.each_mut().map(|mixer| {
        mixer.set_scene(everything(Theme::Cistern));
        mixer.play(Cue::new(Sound::Howl).muffled(0.3));
        hash(&draw(mixer, 2.0).concat())
    });
    assert_eq!(hashes[0], hashes[1]);
    assert_ne!(hashes[0], hashes[2]);
    found.insert(
        "mixed, with all loops".into(),
        format!("{:016x}", hashes[0]),
    );
    golden::check("src/sound/golden.txt", include_str!("golden.txt"), &found);
}

fn everything(theme: Theme) -> Scene {
    Scene {
        theme,
        torch: 1.0,
        guttering: 0.5,
        darkness: 1.0,
        alarm: 1.0,
        nerve: 0.0,
    }
}

#[test]
fn step_loudness_follows_the_rules() {
    let bank = bank();
    let order = [
        Ground::Gravel,
        Ground::Water,
        Ground::Stone,
        Ground::Earth,
        Ground::Carpet,
    ];
    let loudness = order.map(|ground| {
        let name = SoundName::World(Sound::Steps(ground));
        let all = (0..name.terms().variations).map(|v| strength(clip(&bank, name, v)));
        (
            all.clone().fold(f32::MAX, f32::min),
            all.fold(0.0, f32::max),
        )
    });
    for pair in loudness.windows(2) {
        let ((softest, _), (_, loudest)) = (pair[0], pair[1]);
        assert!(softest > 1.15 * loudest, "{loudness:?}");
    }
}

#[test]
fn pan_keeps_the_power() {
    let mut powers = Vec::new();
    for pan in [-1.0, -0.5, 0.0, 0.3, 1.0] {
        let mut mixer = quiet();
        // No reverb, because reverb is not panned.
        let cue = Cue {
            pan,
            ..Cue::new(SoundName::MenuChoose)
        };
        mixer.play(cue);
        let [left, right] = draw(&mut mixer, 1.0).map(|side| power(&side));
        assert_eq!(left > 2.0 * right, pan < -0.1, "{pan}: {left} {right}");
        assert_eq!(right > 1.5 * left, pan > 0.1, "{pan}: {left} {right}");
        powers.push(left + right);
    }
    for power in &powers {
        assert!((power / powers[0] - 1.0).abs() < 0.01, "{powers:?}");
    }
}

#[test]
fn doors_remove_high_frequencies() {
    let bright = |cue: Cue| {
        let mut mixer = quiet();
        mixer.play(cue);
        let [left, _] = draw(&mut mixer, 1.0);
        let low = power_between(&left, 100, 500);
        (power_between(&left, 2000, 8000), low)
    };
    let cue = Cue::new(Sound::Steps(Ground::Gravel));
    let (open, shut) = (bright(cue), bright(cue.muffled(1.0)));
    assert!(open.0 > 1e-8);
    assert!(shut.0 < 0.02 * open.0, "{open:?} {shut:?}");
    assert!(shut.1 > 0.05 * open.1, "{open:?} {shut:?}");
    let far = bright(cue.towards(None, 20));
    assert!(far.0 < 0.3 * open.0 && far.0 > shut.0, "{open:?} {far:?}");
}

#[test]
fn hush_is_silent_and_lift_ends_it() {
    let mut mixer = Mixer::new(bank(), 3);
    mixer.set_scene(everything(Theme::Sanctum));
    draw(&mut mixer, 4.5);
    for variation in 0..20 {
        mixer.play(Cue::new(Sound::Howl).variation(variation));
    }
    let [loud, _] = draw(&mut mixer, 0.2);
    mixer.hush();
    let [fading, _] = draw(&mut mixer, 0.304);
    assert!(
        peak(&fading[..2000]) > 0.2 * peak(&loud),
        "it fades instead of being cut off"
    );
    mixer.play(Cue::new(Sound::Howl));
    let both = draw(&mut mixer, 1.0).concat();
    assert!(mixer.is_silent());
    assert!(both.iter().all(|sample| sample.to_bits() == 0));
    mixer.lift();
    mixer.play(Cue::new(Sound::Something));
    let [noise, _] = draw(&mut mixer, 1.4);
    assert!(!mixer.is_silent());
    assert!(peak(&noise) > 0.1, "the noise comes out of the silence");
    let [later, _] = draw(&mut mixer, 5.0);
    assert!(peak(&later[samples(4.0)..]) > 0.01, "the loops are back");
}

#[test]
fn loops_fade_in_after_silence() {
    let mut mixer = Mixer::new(bank(), 3);
    mixer.set_scene(everything(Theme::Chapel));
    let [full, _] = draw(&mut mixer, 6.0);
    let full = power(&full[samples(5.0)..]);
    mixer.hush();
    draw(&mut mixer, 1.0);
    mixer.lift();
    let [back, _] = draw(&mut mixer, 6.0);
    assert!(power(&back[..samples(1.0)]) < 0.1 * full);
    assert!(power(&back[samples(5.0)..]) > 0.4 * full);
}

#[test]
fn pause_resumes_where_it_stopped() {
    let start = || {
        let mut mixer = quiet();
        // Softly, because a limiter at unit gain has no state.
        mixer.play(Cue::new(SoundName::Death).gain(0.2));
        mixer
    };
    let whole = draw(&mut start(), 3.0)[0].clone();
    let mut mixer = start();
    let [before, _] = draw(&mut mixer, 0.3);
    mixer.pause();
    let [fading, _] = draw(&mut mixer, 0.05);
    let [still, _] = draw(&mut mixer, 5.0);
    mixer.resume();
    let [after, _] = draw(&mut mixer, 1.0);
    let bound = 1.25 * jump(&whole);
    let all = [&before[..], &fading, &still, &after].concat();
    assert!(jump(&all) <= bound, "{} {bound}", jump(&all));
    assert!(still.iter().all(|sample| sample.to_bits() == 0));
    // It fades for 21 blocks, stops at the end of a block, and rises for 21.
    let stood = before.len() + fading.len() + still.len();
    let gone = samples(0.2);
    let block = |frames: usize| 64 * (gone + frames).div_ceil(64) - gone;
    let (heard, again) = (block(before.len()) + 64 * 42, block(stood) + 64 * 21);
    let (from, to) = (&whole[heard..], &all[again..]);
    assert!(peak(to) > 1e-3);
    let off = from.iter().zip(to).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f32::max) < 1e-5);
}

#[test]
fn many_sounds_stay_below_full_scale() {
    let bank = bank();
    for name in [SoundName::Alarm, Sound::Burst.into(), Sound::Glass.into()] {
        let mut mixer = Mixer::new(bank.clone(), 1);
        mixer.set_scene(everything(Theme::Cistern));
        for variation in 0..100 {
            mixer.play(Cue::new(name).variation(variation));
        }
        let both = draw(&mut mixer, 1.0).concat();
        assert!(both.iter().all(|sample| sample.is_finite()), "{name:?}");
        assert!(peak(&both) <= 1.0, "{name:?}: {}", peak(&both));
        assert!(peak(&both) > 0.5, "{name:?}: {}", peak(&both));
    }
}

#[test]
fn scene_changes_do_not_click() {
    // Without torch and drops, whose cracks are jumps themselves.
    let calm = Scene {
        theme: Theme::Chapel,
        ..Scene::default()
    };
    let wild = Scene {
        torch: 0.0,
        ..everything(Theme::Chapel)
    };
    let mut mixer = Mixer::new(bank(), 1);
    mixer.set_scene(wild);
    draw(&mut mixer, 6.0);
    // Longer than a swell of the drone, which takes 14 s.
    let [steady, _] = draw(&mut mixer, 16.0);
    let bound = 1.25 * jump(&steady);
    for turn in 0..60 {
        mixer.set_scene(if turn % 2 == 0 { calm } else { wild });
        let [changing, _] = draw(&mut mixer, 0.09);
        assert!(jump(&changing) <= bound, "{} {bound}", jump(&changing));
    }
}

#[test]
fn volume_room_and_silence_changes_do_not_click() {
    // A low sound, so that steep changes cannot be its own.
    let cue = Cue::new(SoundName::Death).gain(0.5);
    let mut mixer = quiet();
    mixer.play(cue);
    let [left, _] = draw(&mut mixer, 3.0);
    let bound = 1.25 * jump(&left);
    let mut mixer = quiet();
    mixer.play(cue);
    draw(&mut mixer, 0.3);
    let mut changed = Vec::new();
    for turn in 0..40 {
        let loud = (turn % 2) as f32;
        let volumes = Volumes {
            master: 1.0,
            effects: loud,
            ambience: 0.0,
        };
        match turn / 10 {
            0 => mixer.set_volumes(volumes),
            1 if turn % 2 == 0 => mixer.hush(),
            1 => mixer.lift(),
            _ if turn % 2 == 0 => mixer.set_scene(everything(Theme::Sanctum)),
            _ => mixer.set_scene(everything(Theme::Cellars)),
        }
        changed.extend(draw(&mut mixer, 0.051)[0].iter());
    }
    assert!(peak(&changed) > 0.1);
    assert!(jump(&changed) <= bound, "{} {bound}", jump(&changed));
}

#[test]
fn replaced_sounds_do_not_click() {
    let cue = Cue::new(SoundName::Death).gain(0.02);
    let mut mixer = quiet();
    for _ in 0..24 {
        mixer.play(cue);
    }
    let [left, _] = draw(&mut mixer, 2.0);
    let bound = 1.6 * jump(&left);
    for _ in 0..8 {
        mixer.play(cue);
    }
    let [left, _] = draw(&mut mixer, 0.1);
    assert!(jump(&left) <= bound, "{} {bound}", jump(&left));
}

#[test]
fn samples_do_not_depend_on_request_sizes() {
    let play = |sizes: &[usize]| {
        let mut mixer = Mixer::new(bank(), 5);
        mixer.set_scene(everything(Theme::Catacombs));
        mixer.play(Cue::new(Sound::Door).towards(None, 4));
        let mut all = Vec::new();
        for frames in sizes.iter().cycle() {
            let mut out = vec![0.0; 2 * frames];
            mixer.fill(&mut out);
            all.extend(out);
            if all.len() > 20_000 {
                break;
            }
        }
        all.truncate(20_000);
        hash(&all)
    };
    assert_eq!(play(&[512]), play(&[1, 63, 0, 500, 129]));
    // An odd number of samples must not panic.
    Mixer::new(bank(), 1).fill(&mut [0.0; 7]);
}
