//! Audio output: the mixer as an audio source of Bevy.
//!
//! ```text
//!    Audible, Ambience, Options, focus --Order--> [ channel ] --> Performance: Mixer
//!        each frame, never waiting               of 256           on the audio thread
//! ```
//!
//! The sounds are synthesized in a background task at the start. Until that is done, or if there is
//! no device, nothing sounds and captions are always on. A device that disappears while the game
//! runs is not searched for again.

use core::{num::NonZero, time::Duration};
use std::sync::{
    Arc,
    mpsc::{SyncSender, sync_channel},
};

use bevy::{
    audio::{AddAudioSource, ChannelCount, SampleRate, Source},
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use gutterlight_assets::sound::{Bank, Mixer, RATE};

use crate::play::{
    game::GameSystems,
    options::Options,
    sound::{
        Sounding,
        ambience::Ambience,
        cues::{self, Audible},
        performance::{Order, Performance, Seat, Stage, Stand, WAITING},
        scene,
    },
};

/// The seed of the loops' random numbers.
const SEED: u64 = 1;

/// The task that synthesizes the sounds.
#[derive(Resource)]
struct Making(Task<Mixer>);

/// The connection to the audio thread.
#[derive(Resource)]
struct Line {
    orders: SyncSender<Order>,
    /// The last state sent.
    sent: Option<Stand>,
    paused: bool,
}

pub fn plugin(app: &mut App) {
    app.add_audio_source::<Stage>()
        .add_systems(Startup, make)
        .add_systems(
            Update,
            (
                begin.run_if(resource_exists::<Making>),
                send_changes.run_if(resource_exists::<Line>),
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

/// Starts the output when the sounds are ready.
fn begin(mut making: ResMut<Making>, mut stages: ResMut<Assets<Stage>>, mut commands: Commands) {
    let Some(mixer) = check_ready(&mut making.0) else {
        return;
    };
    let (sender, orders) = sync_channel(WAITING);
    let stage = Stage::new(Performance::new(mixer, orders));
    commands.spawn(AudioPlayer(stages.add(stage)));
    commands.insert_resource(Line {
        orders: sender,
        sent: None,
        paused: false,
    });
    commands.remove_resource::<Making>();
}

/// Runs when a device starts playing.
fn open(_: On<Add, AudioSink>, mut sounding: ResMut<Sounding>) {
    sounding.0 = true;
}

/// Sends changes to the audio thread.
fn send_changes(
    ambience: Res<Ambience>,
    options: Res<Options>,
    sounding: Res<Sounding>,
    mut line: ResMut<Line>,
    windows: Query<&Window>,
    mut heard: MessageReader<Audible>,
) {
    // Without a window, nothing can lose focus.
    let paused = !windows.is_empty() && windows.iter().all(|window| !window.focused);
    if line.paused != paused {
        line.paused = paused;
    }
    if !sounding.0 {
        heard.clear();
        return;
    }
    let stand = Stand::of(&ambience, options.volumes(), line.paused);
    if line.sent != Some(stand) && line.orders.try_send(Order::Stand(stand)).is_ok() {
        line.sent = Some(stand);
    }
    for sound in heard.read() {
        // If the channel is full, this sound is dropped. It would not be audible among so many.
        let _ = line.orders.try_send(Order::Play(sound.cue));
    }
}

impl Decodable for Stage {
    type Decoder = Seat;

    fn decoder(&self) -> Seat {
        self.seat()
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
