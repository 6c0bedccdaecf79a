//! Screen shake: hard and short when the thief is hit, softer for the alarm bell.
//!
//! ```text
//!  pixels  3 | *
//!            |*  *       *
//!          0 |----*-----*-*-----*-*-*-*----- seconds
//!            |     *   *    * *
//!         -2 |      **
//! ```
//!
//! A damped oscillation, rounded to whole sprite pixels so that nothing blurs. The player can turn
//! it off.

use core::f32::consts::TAU;

use bevy::{math::ops, prelude::*};
use gutterlight_rules::{GameEvent, Who};

use crate::play::{
    game::{GameSystems, Happened},
    options::Options,
};

/// The initial amplitude in world units, the frequency in hertz, and the duration in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Swing {
    reach: f32,
    pace: f32,
    lasts: f32,
}

/// The thief is hit.
const BLOW: Swing = Swing {
    reach: 4.0,
    pace: 13.0,
    lasts: 0.3,
};

/// The alarm bell.
const ALARM: Swing = Swing {
    reach: 2.0,
    pace: 6.0,
    lasts: 0.9,
};

/// The current shake.
#[derive(Resource, Default)]
pub struct Shake {
    swing: Option<Swing>,
    age: f32,
}

impl Shake {
    /// The current offset, in whole world units.
    pub fn offset(&self) -> Vec2 {
        let Some(swing) = self.swing else {
            return Vec2::ZERO;
        };
        let turn = TAU * swing.pace * self.age;
        // The vertical frequency differs, so that the path is not a straight line.
        let way = Vec2::new(ops::cos(turn), ops::sin(0.7 * turn));
        (way * self.left()).round()
    }

    /// The current amplitude.
    fn left(&self) -> f32 {
        let part = |swing: Swing| (1.0 - self.age / swing.lasts).max(0.0);
        self.swing
            .map_or(0.0, |swing| swing.reach * part(swing) * part(swing))
    }

    /// Starts a shake, unless a stronger one is in progress.
    fn begin(&mut self, swing: Swing) {
        if swing.reach >= self.left() {
            *self = Self {
                swing: Some(swing),
                age: 0.0,
            };
        }
    }

    fn pass(&mut self, seconds: f32) {
        self.age += seconds;
        if self.swing.is_some_and(|swing| self.age >= swing.lasts) {
            self.swing = None;
        }
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Shake>()
        .add_systems(Update, feel.in_set(GameSystems::Show));
}

/// Starts shakes from events, and advances the current one.
pub fn feel(
    time: Res<Time>,
    options: Res<Options>,
    mut shake: ResMut<Shake>,
    mut happened: MessageReader<Happened>,
) {
    shake.pass(time.delta_secs());
    for event in happened.read() {
        match event.0 {
            _ if !options.shake => {}
            GameEvent::Struck {
                whom: Who::Thief,
                damage: 1..,
                ..
            } => shake.begin(BLOW),
            GameEvent::Alarm => shake.begin(ALARM),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offsets of a shake at 60 frames per second, for two seconds.
    fn offsets(swing: Swing) -> Vec<Vec2> {
        let mut shake = Shake::default();
        shake.begin(swing);
        let step = |_| {
            let now = shake.offset();
            shake.pass(1.0 / 60.0);
            now
        };
        (0..120).map(step).collect()
    }

    #[test]
    fn offsets_are_whole_and_end() {
        for swing in [BLOW, ALARM] {
            let all = offsets(swing);
            assert!(
                all.iter().all(|offset| *offset == offset.round()),
                "reach {}",
                swing.reach
            );
            assert!(
                all.iter()
                    .all(|offset| offset.abs().max_element() <= swing.reach),
                "reach {}",
                swing.reach
            );
            assert!(
                all[1..5].iter().any(|offset| *offset != Vec2::ZERO),
                "reach {}",
                swing.reach
            );
            let last = (swing.lasts * 60.0) as usize + 1;
            assert!(
                all[last..].iter().all(|offset| *offset == Vec2::ZERO),
                "reach {}",
                swing.reach
            );
        }
    }

    #[test]
    fn shake_goes_both_ways() {
        let all = offsets(BLOW);
        assert!(all.iter().any(|offset| offset.x > 0.0));
        assert!(all.iter().any(|offset| offset.x < 0.0));
    }

    #[test]
    fn weaker_shake_does_not_replace_stronger() {
        let mut shake = Shake::default();
        shake.begin(BLOW);
        shake.begin(ALARM);
        assert_eq!(shake.swing, Some(BLOW));
        shake.pass(0.2);
        shake.begin(ALARM);
        assert_eq!(shake.swing, Some(ALARM));
    }
}
