//! The picture shakes: hard and short at a blow on the thief, softly when the keep wakes up.
//!
//! ```text
//!  pixels  3 | *
//!            |*  *       *
//!          0 |----*-----*-*-----*-*-*-*----- seconds
//!            |     *   *    * *
//!         -2 |      **
//! ```
//!
//! A swing to each side that dies away, brought to whole pixels of the pictures, so that
//! nothing blurs. Whoever does not want it has none.

use core::f32::consts::TAU;

use bevy::{math::ops, prelude::*};
use gutterlight_rules::{GameEvent, Who};

use crate::play::{
    game::{GameSystems, Happened},
    options::Options,
};

/// How far the picture swings at first, in world units; how often a second; for how long.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Swing {
    reach: f32,
    pace: f32,
    lasts: f32,
}

/// A blow that hurts.
const BLOW: Swing = Swing {
    reach: 4.0,
    pace: 13.0,
    lasts: 0.3,
};

/// The bell.
const ALARM: Swing = Swing {
    reach: 2.0,
    pace: 6.0,
    lasts: 0.9,
};

/// How the picture swings now.
#[derive(Resource, Default)]
pub struct Shake {
    swing: Option<Swing>,
    age: f32,
}

impl Shake {
    /// By how many whole world units everything is shown aside.
    pub fn offset(&self) -> Vec2 {
        let Some(swing) = self.swing else {
            return Vec2::ZERO;
        };
        let turn = TAU * swing.pace * self.age;
        // Up and down is slower, so that it is no straight line.
        let way = Vec2::new(ops::cos(turn), ops::sin(0.7 * turn));
        (way * self.left()).round()
    }

    /// How far it still swings.
    fn left(&self) -> f32 {
        let part = |swing: Swing| (1.0 - self.age / swing.lasts).max(0.0);
        self.swing
            .map_or(0.0, |swing| swing.reach * part(swing) * part(swing))
    }

    /// What is felt more counts.
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

/// What shakes the picture, and how it comes to rest.
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

    /// The offsets of a swing, sixty a second, for two seconds.
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
    fn it_is_of_whole_pixels_and_comes_to_rest() {
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
    fn it_goes_to_both_sides() {
        let all = offsets(BLOW);
        assert!(all.iter().any(|offset| offset.x > 0.0));
        assert!(all.iter().any(|offset| offset.x < 0.0));
    }

    #[test]
    fn the_bell_does_not_soften_a_blow() {
        let mut shake = Shake::default();
        shake.begin(BLOW);
        shake.begin(ALARM);
        assert_eq!(shake.swing, Some(BLOW));
        shake.pass(0.2);
        shake.begin(ALARM);
        assert_eq!(shake.swing, Some(ALARM));
    }
}
