//! Renders the sounds with the game's mixer and its default settings.

use std::sync::Arc;

use gutterlight_assets::sound::{Bank, Mixer, RATE, Volumes};

use crate::catalog::{Entry, Heard};

/// The threshold of silence: 80 decibels below full scale.
const SILENT: f32 = 1e-4;

/// The length of the silence kept after a sound, in seconds.
const PAUSE: f32 = 0.25;

/// The maximum duration of a sound, in seconds.
const LONGEST: f32 = 8.0;

/// Renders each variation, left and right interleaved, with a pause at its end.
pub fn takes(bank: &Arc<Bank>, entry: &Entry) -> Vec<Vec<f32>> {
    match &entry.heard {
        Heard::Cues(cues) => cues
            .iter()
            .map(|&cue| moment(bank, &[(0.0, cue)]))
            .collect(),
        Heard::Together(cues) => vec![moment(bank, cues)],
        Heard::Scene(scene) => {
            let mut mixer = mixer(bank, Volumes::default());
            mixer.set_scene(*scene);
            // Loops fade in, and the heart and the guttering vary over time.
            draw(&mut mixer, 6.0);
            vec![draw(&mut mixer, LONGEST)]
        }
    }
}

/// Renders cues at their times in seconds, without loops.
fn moment(bank: &Arc<Bank>, cues: &[(f32, gutterlight_assets::sound::Cue)]) -> Vec<f32> {
    let volumes = Volumes {
        ambience: 0.0,
        ..Volumes::default()
    };
    let mut mixer = mixer(bank, volumes);
    draw(&mut mixer, 0.2);
    let (mut all, mut now) = (Vec::new(), 0.0);
    for &(at, cue) in cues {
        all.extend(draw(&mut mixer, at - now));
        now = at;
        mixer.play(cue);
    }
    all.extend(draw(&mut mixer, LONGEST));
    trim(&mut all);
    all
}

fn mixer(bank: &Arc<Bank>, volumes: Volumes) -> Mixer {
    let mut mixer = Mixer::new(Arc::clone(bank), 1);
    mixer.set_volumes(volumes);
    mixer
}

fn draw(mixer: &mut Mixer, seconds: f32) -> Vec<f32> {
    let mut frames = vec![0.0; 2 * (seconds.max(0.0) * RATE as f32) as usize];
    mixer.fill(&mut frames);
    frames
}

/// Trims silence at the end to a pause.
fn trim(frames: &mut Vec<f32>) {
    let pause = 2 * (PAUSE * RATE as f32) as usize;
    let end = end(frames) + pause;
    frames.resize(end, 0.0);
}

/// The number of samples until silence, both channels together.
fn end(frames: &[f32]) -> usize {
    let last = frames.iter().rposition(|sample| sample.abs() > SILENT);
    last.map_or(0, |last| (last + 2) & !1)
}

/// The duration of frames, in seconds.
pub fn seconds(frames: &[f32]) -> f32 {
    frames.len() as f32 / (2 * RATE) as f32
}

/// The duration of the longest take, without the silence after it.
pub fn longest(takes: &[Vec<f32>]) -> f32 {
    let lengths = takes.iter().map(|take| seconds(&take[..end(take)]));
    lengths.fold(0.0, f32::max)
}
