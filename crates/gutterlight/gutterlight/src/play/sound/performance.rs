//! What the audio thread does: it takes orders, and asks the mixer for one sample after the other.
//!
//! ```text
//!    Order --> [ channel ] --> Performance: Mixer --> samples, left and right
//!                of 256          in a Seat
//! ```
//!
//! The channel takes its memory once. When it is full, which needs a device that has stopped to
//! ask for samples, sounds are lost, and how things stand is told again in the next frame.
//!
//! Nothing here knows a device, so that it is tested where no sound is built in.

use std::sync::{Mutex, mpsc::Receiver};

use bevy::prelude::*;
use gutterlight_assets::sound::{Cue, Mixer, Scene, Volumes};

use crate::play::sound::ambience::Ambience;

/// Orders that wait for the audio thread: it asks some hundred times a second.
pub const WAITING: usize = 256;

/// Frames that are made at a time: as long as orders wait at most, 1.5 ms.
const AHEAD: usize = 64;

/// How loud what goes on is behind a menu.
const BEHIND: f32 = 0.4;

/// What the mixer is to do.
pub enum Order {
    Play(Cue),
    Stand(Stand),
}

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stand {
    scene: Scene,
    volumes: Volumes,
    hushed: bool,
    paused: bool,
}

/// All sound of the game, until somebody listens.
#[derive(Asset, TypePath)]
pub struct Stage(Mutex<Option<Performance>>);

/// The mixer as the audio thread asks it: for one sample after the other, left and right.
pub struct Performance {
    mixer: Mixer,
    orders: Receiver<Order>,
    ready: [f32; 2 * AHEAD],
    gone: usize,
}

/// What one who listens hears: only the first one hears anything.
pub struct Seat(Option<Performance>);

impl Stage {
    /// A stage with this performance, which the first one who listens takes.
    pub fn new(performance: Performance) -> Self {
        Self(Mutex::new(Some(performance)))
    }

    /// For one who listens.
    pub fn seat(&self) -> Seat {
        Seat(self.0.lock().ok().and_then(|mut stage| stage.take()))
    }
}

impl Stand {
    pub fn of(ambience: &Ambience, volumes: Volumes, paused: bool) -> Self {
        let share = if ambience.demo { BEHIND } else { 1.0 };
        Self {
            scene: ambience.scene,
            volumes: Volumes {
                ambience: share * volumes.ambience,
                ..volumes
            },
            hushed: ambience.hushed,
            paused,
        }
    }
}

impl Performance {
    pub fn new(mixer: Mixer, orders: Receiver<Order>) -> Self {
        Self {
            mixer,
            orders,
            ready: [0.0; 2 * AHEAD],
            gone: 2 * AHEAD,
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Play(cue) => self.mixer.play(cue),
            Order::Stand(stand) => {
                self.mixer.set_scene(stand.scene);
                self.mixer.set_volumes(stand.volumes);
                match stand.hushed {
                    true => self.mixer.hush(),
                    false => self.mixer.lift(),
                }
                match stand.paused {
                    true => self.mixer.pause(),
                    false => self.mixer.resume(),
                }
            }
        }
    }

    fn sample(&mut self) -> f32 {
        if self.gone == self.ready.len() {
            while let Ok(order) = self.orders.try_recv() {
                self.obey(order);
            }
            self.mixer.fill(&mut self.ready);
            self.gone = 0;
        }
        let sample = self.ready[self.gone];
        self.gone += 1;
        sample
    }
}

impl Iterator for Seat {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        self.0.as_mut().map(Performance::sample)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        mpsc::{SyncSender, sync_channel},
    };

    use gutterlight_assets::sound::{Bank, RATE};
    use gutterlight_rules::{Direction, Sound};

    use super::*;

    fn stage() -> (Stage, SyncSender<Order>) {
        let (sender, orders) = sync_channel(WAITING);
        let mixer = Mixer::new(Arc::new(Bank::new()), 1);
        let stage = Stage::new(Performance::new(mixer, orders));
        (stage, sender)
    }

    fn stand(hushed: bool, paused: bool) -> Order {
        let volumes = Volumes {
            master: 1.0,
            effects: 1.0,
            ambience: 0.0,
        };
        Order::Stand(Stand {
            hushed,
            ..Stand::of(&Ambience::default(), volumes, paused)
        })
    }

    /// The power of both sides over half a second.
    fn listen(seat: &mut Seat) -> [f32; 2] {
        let mut power = [0.0; 2];
        for (number, sample) in seat.take(RATE as usize).enumerate() {
            power[number % 2] += sample * sample;
        }
        power
    }

    #[test]
    fn orders_are_heard_on_their_side() {
        let (stage, orders) = stage();
        let mut seat = stage.seat();
        let shout = Order::Play(Cue::new(Sound::Call).towards(Some(Direction::West), 2));
        for order in [stand(false, false), shout] {
            orders.try_send(order).expect("there is room");
        }
        let [left, right] = listen(&mut seat);
        assert!(left > 1.0 && left > 10.0 * right, "{left} {right}");
    }

    #[test]
    fn pause_and_silence_are_silent() {
        for quiet in [stand(true, false), stand(false, true)] {
            let (stage, orders) = stage();
            let mut seat = stage.seat();
            orders.try_send(stand(false, false)).expect("there is room");
            listen(&mut seat);
            orders.try_send(quiet).expect("there is room");
            listen(&mut seat);
            let shout = Order::Play(Cue::new(Sound::Call));
            orders.try_send(shout).expect("there is room");
            assert_eq!(listen(&mut seat), [0.0; 2]);
        }
    }

    #[test]
    fn one_listens() {
        let (stage, _orders) = stage();
        assert!(stage.seat().next().is_some());
        assert_eq!(stage.seat().next(), None);
    }
}
