//! To the loudspeakers: the mixer as a source for Bevy's sound.
//!
//! ```text
//!    Audible, Ambience, Options, focus --Order--> [ channel ] --> Performance: Mixer
//!        each frame, never waiting               of 256           on the audio thread
//! ```
//!
//! The channel takes its memory once. When it is full, which needs a device that has stopped to
//! ask for samples, sounds are lost, and how things stand is told again in the next frame.
//!
//! Sounds are made beside the start of the game; until they are, and if there is no device,
//! nothing sounds, and captions tell everything. A device that goes away while the game runs
//! is not looked for again.

use core::{num::NonZero, time::Duration};
use std::sync::{
    Arc, Mutex,
    mpsc::{Receiver, SyncSender, sync_channel},
};

use bevy::{
    audio::{AddAudioSource, ChannelCount, SampleRate, Source},
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use gutterlight_assets::sound::{Bank, Cue, Mixer, RATE, Scene, Volumes};

use crate::play::{
    game::GameSystems,
    options::Options,
    sound::{
        Sounding,
        ambience::Ambience,
        cues::{self, Audible},
        scene,
    },
};

/// Orders that wait for the audio thread: it asks some hundred times a second.
const WAITING: usize = 256;

/// Frames that are made at a time: as long as orders wait at most, 1.5 ms.
const AHEAD: usize = 64;

/// How loud what goes on is behind a menu.
const BEHIND: f32 = 0.4;

/// Where the chance of the loops begins.
const SEED: u64 = 1;

/// What the mixer is to do.
enum Order {
    Play(Cue),
    Stand(Stand),
}

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stand {
    scene: Scene,
    volumes: Volumes,
    hushed: bool,
    paused: bool,
}

/// The sounds while they are made.
#[derive(Resource)]
struct Making(Task<Mixer>);

/// The way to the audio thread.
#[derive(Resource)]
struct Line {
    orders: SyncSender<Order>,
    /// What it was told last.
    told: Option<Stand>,
    paused: bool,
}

/// All sound of the game, until somebody listens.
#[derive(Asset, TypePath)]
struct Stage(Mutex<Option<Performance>>);

/// The mixer as the audio thread asks it: for one sample after the other, left and right.
struct Performance {
    mixer: Mixer,
    orders: Receiver<Order>,
    ready: [f32; 2 * AHEAD],
    gone: usize,
}

/// What one who listens hears: only the first one hears anything.
struct Seat(Option<Performance>);

pub fn plugin(app: &mut App) {
    app.add_audio_source::<Stage>()
        .add_systems(Startup, make)
        .add_systems(
            Update,
            (
                begin.run_if(resource_exists::<Making>),
                tell.run_if(resource_exists::<Line>),
            )
                .after(scene::follow)
                .after(cues::Heard)
                .in_set(GameSystems::Show),
        )
        .add_observer(open);
}

fn make(mut commands: Commands) {
    let mixer = async { Mixer::new(Arc::new(Bank::new()), SEED) };
    commands.insert_resource(Making(AsyncComputeTaskPool::get().spawn(mixer)));
}

/// The sounds are made: the performance begins.
fn begin(mut making: ResMut<Making>, mut stages: ResMut<Assets<Stage>>, mut commands: Commands) {
    let Some(mixer) = check_ready(&mut making.0) else {
        return;
    };
    let (sender, orders) = sync_channel(WAITING);
    let stage = Stage(Mutex::new(Some(Performance::new(mixer, orders))));
    commands.spawn(AudioPlayer(stages.add(stage)));
    commands.insert_resource(Line {
        orders: sender,
        told: None,
        paused: false,
    });
    commands.remove_resource::<Making>();
}

/// There is a device, and it plays.
fn open(_: On<Add, AudioSink>, mut sounding: ResMut<Sounding>) {
    sounding.0 = true;
}

/// Tells the audio thread what is new.
fn tell(
    ambience: Res<Ambience>,
    options: Res<Options>,
    sounding: Res<Sounding>,
    mut line: ResMut<Line>,
    windows: Query<&Window>,
    mut heard: MessageReader<Audible>,
) {
    // Without a window there is nobody who could look away.
    let paused = !windows.is_empty() && windows.iter().all(|window| !window.focused);
    if line.paused != paused {
        line.paused = paused;
    }
    if !sounding.0 {
        heard.clear();
        return;
    }
    let stand = Stand::of(&ambience, options.volumes(), line.paused);
    if line.told != Some(stand) && line.orders.try_send(Order::Stand(stand)).is_ok() {
        line.told = Some(stand);
    }
    for sound in heard.read() {
        // Of so many at once nothing could be made out.
        let _ = line.orders.try_send(Order::Play(sound.cue));
    }
}

impl Stand {
    fn of(ambience: &Ambience, volumes: Volumes, paused: bool) -> Self {
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
    fn new(mixer: Mixer, orders: Receiver<Order>) -> Self {
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

impl Decodable for Stage {
    type Decoder = Seat;

    fn decoder(&self) -> Seat {
        Seat(self.0.lock().ok().and_then(|mut stage| stage.take()))
    }
}

impl Iterator for Seat {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        self.0.as_mut().map(Performance::sample)
    }
}

impl Source for Seat {
    fn current_span_len(&self) -> Option<usize> {
        None
    }

    fn channels(&self) -> ChannelCount {
        NonZero::<u16>::MIN.saturating_add(1)
    }

    fn sample_rate(&self) -> SampleRate {
        const { NonZero::new(RATE).expect("it is not 0") }
    }

    fn total_duration(&self) -> Option<Duration> {
        None
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_stealth::{Direction, Sound};

    use super::*;

    fn stage() -> (Stage, SyncSender<Order>) {
        let (sender, orders) = sync_channel(WAITING);
        let mixer = Mixer::new(Arc::new(Bank::new()), SEED);
        let stage = Stage(Mutex::new(Some(Performance::new(mixer, orders))));
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
        let mut seat = stage.decoder();
        assert_eq!((seat.channels().get(), seat.sample_rate().get()), (2, RATE));
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
            let mut seat = stage.decoder();
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
        assert!(stage.decoder().next().is_some());
        assert_eq!(stage.decoder().next(), None);
    }
}
