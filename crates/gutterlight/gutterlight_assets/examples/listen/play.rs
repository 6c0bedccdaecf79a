//! The sounds as they reach the ear: by the mixer, as the game sets it.

use std::sync::Arc;

use gutterlight_assets::sound::{Bank, Mixer, RATE, Volumes};

use crate::catalog::{Entry, Heard};

/// Silence is what stays below this: 80 decibels down.
const SILENT: f32 = 1e-4;

/// What is kept of the silence after a sound, in seconds.
const PAUSE: f32 = 0.25;

/// The longest that one is listened to, in seconds.
const LONGEST: f32 = 8.0;

/// Each variation of it, left and right in turn, with a pause at its end.
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
            // Loops begin softly, and a heart and a gutter come and go.
            draw(&mut mixer, 6.0);
            vec![draw(&mut mixer, LONGEST)]
        }
    }
}

/// What happens at such seconds, without what goes on.
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

/// Ends a pause after the last that is heard.
fn trim(frames: &mut Vec<f32>) {
    let pause = 2 * (PAUSE * RATE as f32) as usize;
    let end = end(frames) + pause;
    frames.resize(end, 0.0);
}

/// Samples until silence, of both sides together.
fn end(frames: &[f32]) -> usize {
    let last = frames.iter().rposition(|sample| sample.abs() > SILENT);
    last.map_or(0, |last| (last + 2) & !1)
}

/// How long frames are.
pub fn seconds(frames: &[f32]) -> f32 {
    frames.len() as f32 / (2 * RATE) as f32
}

/// How long the longest is, without the silence after it.
pub fn longest(takes: &[Vec<f32>]) -> f32 {
    let lengths = takes.iter().map(|take| seconds(&take[..end(take)]));
    lengths.fold(0.0, f32::max)
}
