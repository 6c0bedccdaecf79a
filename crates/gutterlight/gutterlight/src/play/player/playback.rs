//! Plays a replay, at a chosen speed or step by step.
//!
//! | key | does |
//! |---|---|
//! | `Space` | pauses and resumes |
//! | `1` to `5` | 1, 2, 4 and 16 times the speed of a bot; as fast as possible |
//! | `.`, right | does one action and pauses |
//! | `Enter` | the viewer takes over the game; its result is not counted |
//! | `Escape` | pause |

use std::collections::VecDeque;

use bevy::prelude::*;
use gutterlight_rules::Action;

use crate::play::{
    game::{Game, GameSystems, Refused, Wish},
    player::pilot::Pilot,
    screen::{Screen, is_play},
    session::Session,
};

/// Seconds between actions at normal speed.
const PACE: f32 = 0.16;

/// The most actions per frame: a turn takes the rules up to half a millisecond.
const MOST: usize = 16;

/// The speed of a replay.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Speed {
    #[default]
    Usual,
    Twice,
    FourTimes,
    SixteenTimes,
    Most,
}

impl Speed {
    /// From slow to fast, in the order of the keys.
    pub const ALL: [Self; 5] = [
        Self::Usual,
        Self::Twice,
        Self::FourTimes,
        Self::SixteenTimes,
        Self::Most,
    ];

    /// The factor of the normal speed; `None` if only the machine limits it.
    pub const fn times(self) -> Option<u8> {
        match self {
            Self::Usual => Some(1),
            Self::Twice => Some(2),
            Self::FourTimes => Some(4),
            Self::SixteenTimes => Some(16),
            Self::Most => None,
        }
    }
}

/// A recorded game, and how it is played.
#[derive(Debug, Default)]
pub struct Playback {
    /// The remaining actions.
    actions: VecDeque<Action>,
    /// The total number of actions.
    whole: usize,
    pub speed: Speed,
    pub paused: bool,
    /// Whether a single step is requested while paused.
    step: bool,
    /// Seconds since the last action.
    waited: f32,
    /// Whether the rules refused an action: the rest belongs to another game.
    broken: bool,
}

impl Playback {
    pub fn new(actions: Vec<Action>) -> Self {
        Self {
            whole: actions.len(),
            actions: actions.into(),
            ..default()
        }
    }

    /// How many actions were done, of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.whole - self.actions.len(), self.whole)
    }

    /// Whether it was cut off by a refused action.
    pub const fn is_broken(&self) -> bool {
        self.broken
    }

    /// Drops all remaining actions.
    fn cut(&mut self) {
        self.actions.clear();
        self.broken = true;
    }

    /// The number of actions that are due after `seconds` more.
    fn due(&mut self, seconds: f32) -> usize {
        if self.paused {
            // Time in a pause does not count, or resuming would do many actions at once.
            self.waited = 0.0;
            return usize::from(core::mem::take(&mut self.step));
        }
        let Some(times) = self.speed.times() else {
            self.waited = 0.0;
            return MOST;
        };
        self.waited += seconds;
        let pace = PACE / f32::from(times);
        let due = (self.waited / pace) as usize;
        // The remainder carries over, so that the speed is exact at any frame rate. After a long
        // frame, actions beyond `MOST` are dropped from the schedule, not caught up.
        self.waited -= due as f32 * pace;
        due.min(MOST)
    }

    /// Takes the actions of a frame. Climbing stairs is done alone: events before it have no
    /// position on the next floor.
    fn take(&mut self, due: usize) -> Vec<Action> {
        let mut taken = Vec::new();
        while taken.len() < due {
            let is_stairs = self.actions.front() == Some(&Action::Climb);
            if is_stairs && !taken.is_empty() {
                break;
            }
            taken.extend(self.actions.pop_front());
            if is_stairs || self.actions.is_empty() {
                break;
            }
        }
        taken
    }

    /// Handles a key. Returns whether it has a function here.
    fn press(&mut self, key: KeyCode) -> bool {
        let speed = match key {
            KeyCode::Digit1 => Speed::Usual,
            KeyCode::Digit2 => Speed::Twice,
            KeyCode::Digit3 => Speed::FourTimes,
            KeyCode::Digit4 => Speed::SixteenTimes,
            KeyCode::Digit5 => Speed::Most,
            KeyCode::Space => {
                self.paused = !self.paused;
                return true;
            }
            KeyCode::Period | KeyCode::ArrowRight => {
                (self.paused, self.step) = (true, true);
                return true;
            }
            _ => return false,
        };
        (self.speed, self.paused) = (speed, false);
        true
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (steer, show, stop.run_if(on_message::<Refused>))
            .chain()
            .in_set(GameSystems::Ask)
            .run_if(is_play.and_then(is_replay)),
    )
    .add_systems(
        Update,
        take_over
            .after(GameSystems::Show)
            .run_if(is_play.and_then(is_replay)),
    );
}

/// Whether a replay is shown.
pub fn is_replay(pilot: Res<Pilot>) -> bool {
    matches!(*pilot, Pilot::Replay(_))
}

fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    pads: Query<&Gamepad>,
    session: Res<Session>,
    mut pilot: ResMut<Pilot>,
    mut screen: ResMut<NextState<Screen>>,
) {
    let pad = |button| pads.iter().any(|pad| pad.just_pressed(button));
    // Only key presses mark the pilot as changed: the panel and the sounds react to changes, and
    // time passes every frame.
    let Pilot::Replay(playback) = pilot.bypass_change_detection() else {
        return;
    };
    let mut asked = false;
    for key in keys.get_just_pressed() {
        asked |= playback.press(*key);
    }
    for (button, key) in [
        (GamepadButton::South, KeyCode::Space),
        (GamepadButton::West, KeyCode::Period),
    ] {
        asked |= pad(button) && playback.press(key);
    }
    if asked {
        pilot.set_changed();
    }
    if keys.just_pressed(KeyCode::Escape) || pad(GamepadButton::Start) {
        screen.set(match session.end {
            Some(_) => Screen::Over,
            None => Screen::Pause,
        });
    }
}

/// Gives control to the viewer. The key that does so has no other effect.
fn take_over(keys: Res<ButtonInput<KeyCode>>, session: Res<Session>, mut pilot: ResMut<Pilot>) {
    if keys.just_pressed(KeyCode::Enter) && session.end.is_none() {
        *pilot = Pilot::Player;
    }
}

fn show(
    time: Res<Time>,
    game: Res<Game>,
    mut pilot: ResMut<Pilot>,
    mut wishes: MessageWriter<Wish>,
) {
    if let Pilot::Replay(playback) = pilot.bypass_change_detection()
        && game.view().ending().is_none()
    {
        let due = playback.due(time.delta_secs());
        wishes.write_batch(playback.take(due).into_iter().map(Wish));
    }
}

/// A refused action was never part of this game, so nothing after it makes sense.
fn stop(mut pilot: ResMut<Pilot>) {
    if let Pilot::Replay(playback) = &mut *pilot {
        playback.cut();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::words;

    fn playback(actions: usize) -> Playback {
        Playback::new(vec![Action::Wait; actions])
    }

    #[test]
    fn actions_follow_the_speed() {
        for speed in Speed::ALL {
            let mut playback = playback(1000);
            playback.speed = speed;
            let frames = 60;
            let due: usize = (0..frames).map(|_| playback.due(1.0 / 60.0)).sum();
            let meant = match speed.times() {
                Some(times) => (f32::from(times) / PACE) as usize,
                None => MOST * frames,
            };
            assert!(due.abs_diff(meant) <= 1, "{speed:?}: {due}, not {meant}");
        }
        // The fastest speed leaves no time behind.
        let mut playback = playback(1000);
        playback.speed = Speed::Most;
        playback.due(10.0);
        playback.speed = Speed::Usual;
        assert_eq!(playback.due(1.0 / 60.0), 0);
        // A long frame does not run all actions.
        assert_eq!(playback.due(1000.0), MOST);
    }

    #[test]
    fn paused_replay_steps() {
        let mut playback = playback(10);
        assert!(playback.press(KeyCode::Space));
        assert_eq!(playback.due(9.0), 0);
        assert!(playback.press(KeyCode::Period));
        assert_eq!((playback.due(9.0), playback.due(9.0)), (1, 0));
        assert!(playback.press(KeyCode::Digit4));
        assert!(!playback.paused && playback.due(1.0) > 1);
        assert!(!playback.press(KeyCode::KeyQ));
    }

    #[test]
    fn refused_action_ends_the_replay() {
        let mut playback = playback(10);
        assert!(!playback.is_broken());
        playback.cut();
        assert_eq!(playback.take(9), []);
        assert!(words::playback(&playback).contains("it stops here"));
    }

    #[test]
    fn stairs_are_climbed_alone() {
        let [wait, climb] = [Action::Wait, Action::Climb];
        let mut playback = Playback::new(vec![wait, wait, climb, wait, wait]);
        assert_eq!(playback.take(9), [wait, wait]);
        assert_eq!(playback.take(9), [climb]);
        assert_eq!(playback.progress(), (3, 5));
        assert_eq!(playback.take(9), [wait, wait]);
        assert_eq!(playback.take(9), []);
    }
}
