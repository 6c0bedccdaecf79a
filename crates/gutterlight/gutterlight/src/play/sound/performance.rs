//! The code that runs on the audio thread: it handles orders and produces the mixer's samples.
//!
//! ```text
//!    Order --> [ channel ] --> Performance: Mixer --> samples, left and right
//!                of 256          in a Seat
//! ```
//!
//! The channel allocates its memory once. It only gets full if the device stops asking for samples.
//! Then sounds are lost, and the state is sent again in the next frame.
//!
//! Nothing here depends on a device, so it can be tested on all platforms.

use std::sync::{Mutex, mpsc::Receiver};

use bevy::prelude::*;
use gutterlight_assets::sound::{Cue, Mixer, Scene, Volumes};

use crate::play::sound::ambience::Ambience;

/// The capacity of the channel. The audio thread reads it some hundred times per second.
pub const WAITING: usize = 256;

/// The number of frames per block. Orders wait for at most one block, which is 1.5 ms.
const AHEAD: usize = 64;

/// The volume of loops behind a menu.
const BEHIND: f32 = 0.4;

/// A request to the mixer.
pub enum Order {
    Play(Cue),
    Stand(Stand),
}

/// The state of the mixer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stand {
    scene: Scene,
    volumes: Volumes,
    hushed: bool,
    paused: bool,
}

/// An audio source that can be started once.
#[derive(Asset, TypePath)]
pub struct Stage(Mutex<Option<Performance>>);

/// The mixer with its order queue. Returns one sample after the other, left and right interleaved.
pub struct Performance {
    mixer: Mixer,
    orders: Receiver<Order>,
    ready: [f32; 2 * AHEAD],
    gone: usize,
}

/// The decoder of a [`Stage`]. Only the first one has any sound.
pub struct Seat(Option<Performance>);

impl Stage {
    /// A stage with this performance, which goes to the first seat.
    pub fn new(performance: Performance) -> Self {
        Self(Mutex::new(Some(performance)))
    }

    /// Takes the performance, if it is still there.
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

    /// The energy of both channels over half a second.
    fn listen(seat: &mut Seat) -> [f32; 2] {
        let mut power = [0.0; 2];
        for (number, sample) in seat.take(RATE as usize).enumerate() {
            power[number % 2] += sample * sample;
        }
        power
    }

    #[test]
    fn sound_is_on_its_side() {
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
    fn pause_and_hush_are_silent() {
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
    fn only_first_seat_has_sound() {
        let (stage, _orders) = stage();
        assert!(stage.seat().next().is_some());
        assert_eq!(stage.seat().next(), None);
    }
}
