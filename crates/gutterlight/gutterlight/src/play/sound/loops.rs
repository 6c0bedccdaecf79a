//! Decides which loops get a caption, and when.
//!
//! Each loop has two thresholds: it starts above one and ends below the other. In between it keeps
//! its state, so that a flickering flame does not start again with every step.
//!
//! ```text
//!    from  - - - - - - - /\ - - - - - -        captioned once, here: *
//!    until - - - - - - */- -\/\- - - - -
//!                      /       \
//! ```

use crate::play::sound::ambience::Ambience;

/// A loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loop {
    Flame,
    Guttering,
    Heart,
    Racing,
    Dark,
    Hunted,
    Silence,
}

/// The value of a loop, from 0 to 1, and its two thresholds.
struct Watch {
    what: Loop,
    value: fn(&Ambience) -> f32,
    from: f32,
    until: f32,
}

const WATCHED: [Watch; 7] = [
    // The torch in hand is not included: lighting it has its own caption.
    Watch {
        what: Loop::Flame,
        value: |now| {
            if now.scene.torch < 1.0 {
                now.scene.torch
            } else {
                0.0
            }
        },
        from: 0.3,
        until: 0.1,
    },
    Watch {
        what: Loop::Guttering,
        value: |now| now.scene.guttering,
        from: 0.3,
        until: 0.1,
    },
    // The level at which the mixer's heartbeat becomes audible.
    Watch {
        what: Loop::Heart,
        value: |now| 1.0 - now.scene.nerve,
        from: 0.6,
        until: 0.45,
    },
    Watch {
        what: Loop::Racing,
        value: |now| 1.0 - now.scene.nerve,
        from: 0.85,
        until: 0.7,
    },
    Watch {
        what: Loop::Dark,
        value: |now| now.scene.darkness,
        from: 0.85,
        until: 0.4,
    },
    Watch {
        what: Loop::Hunted,
        value: |now| now.scene.alarm,
        from: 0.5,
        until: 0.3,
    },
    Watch {
        what: Loop::Silence,
        value: |now| f32::from(u8::from(now.hushed)),
        from: 0.5,
        until: 0.5,
    },
];

/// Which loops are active.
#[derive(Debug, Default)]
pub struct Loops([bool; WATCHED.len()]);

impl Loops {
    /// Returns the loops that have started since the last call. During silence there is only
    /// silence, and behind a menu there are no captions.
    pub fn begun(&mut self, now: &Ambience) -> impl Iterator<Item = Loop> {
        let before = self.0;
        for (on, watch) in self.0.iter_mut().zip(&WATCHED) {
            let value = (watch.value)(now);
            let mark = if *on { watch.until } else { watch.from };
            let heard = !now.demo && (!now.hushed || watch.what == Loop::Silence);
            *on = heard && value >= mark;
        }
        let pairs = before.into_iter().zip(self.0).zip(&WATCHED);
        pairs.filter_map(|((before, on), watch)| (on && !before).then_some(watch.what))
    }
}

#[cfg(test)]
mod tests {
    use gutterlight_assets::sound::Scene;

    use super::*;

    fn begun(loops: &mut Loops, change: impl FnOnce(&mut Ambience)) -> Vec<Loop> {
        let mut now = Ambience::default();
        change(&mut now);
        loops.begun(&now).collect()
    }

    #[test]
    fn loops_are_captioned_once_at_start() {
        let mut loops = Loops::default();
        let nerve = |nerve| move |now: &mut Ambience| now.scene.nerve = nerve;
        assert_eq!(begun(&mut loops, nerve(0.6)), []);
        assert_eq!(begun(&mut loops, nerve(0.39)), [Loop::Heart]);
        assert_eq!(begun(&mut loops, nerve(0.5)), []);
        assert_eq!(begun(&mut loops, nerve(0.39)), []);
        assert_eq!(begun(&mut loops, nerve(0.1)), [Loop::Racing]);
        assert_eq!(begun(&mut loops, nerve(0.6)), []);
        assert_eq!(begun(&mut loops, nerve(0.0)), [Loop::Heart, Loop::Racing]);
    }

    #[test]
    fn silence_ends_all_other_loops() {
        let mut loops = Loops::default();
        let dark = Scene {
            darkness: 1.0,
            alarm: 1.0,
            ..Scene::default()
        };
        let hushed = |hushed| {
            move |now: &mut Ambience| {
                now.scene = dark;
                now.hushed = hushed;
            }
        };
        let drone = [Loop::Dark, Loop::Hunted];
        assert_eq!(begun(&mut loops, hushed(false)), drone);
        assert_eq!(begun(&mut loops, hushed(true)), [Loop::Silence]);
        assert_eq!(begun(&mut loops, hushed(true)), []);
        assert_eq!(begun(&mut loops, hushed(false)), drone);
        let behind = |now: &mut Ambience| now.demo = true;
        assert_eq!(begun(&mut loops, behind), []);
    }
}
