//! Records log messages.

use std::{
    fmt::{Debug, Write},
    sync::{Arc, LazyLock, Mutex},
};

use bevy::{
    ecs::schedule::SingleThreadedExecutor,
    log::{
        Level,
        tracing::{
            Dispatch, Event, Subscriber,
            field::{Field, Visit},
            subscriber::with_default,
        },
        tracing_subscriber::{Layer, layer::Context, prelude::*, registry},
    },
    prelude::*,
};

/// Records errors, warnings, and the messages at level `info` of Lanternfell's crates.
#[derive(Clone, Default)]
pub struct Warnings(Arc<Mutex<Vec<String>>>);

impl Warnings {
    /// Returns all messages so far.
    pub fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    /// Returns the number of messages so far.
    pub fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

impl<S: Subscriber> Layer<S> for Warnings {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let of = event.metadata();
        let is_own_info = *of.level() == Level::INFO && of.target().starts_with("lanternfell");
        if *of.level() <= Level::WARN || is_own_info {
            let mut text = Text::default();
            event.record(&mut text);
            self.0.lock().unwrap().push(text.0);
        }
    }
}

#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            write!(self.0, "{value:?}").unwrap();
        }
    }
}

/// A subscriber that is never used. `tracing` turns a message off for good if it first occurs while no subscriber exists,
/// which other tests in the same process could cause.
static ANY: LazyLock<Dispatch> =
    LazyLock::new(|| Dispatch::new(registry().with(Warnings::default())));

/// Returns the messages that systems in [`Update`] and [`PostUpdate`] log while `work` runs. These schedules run on the
/// calling thread from now on.
pub fn warnings(app: &mut App, work: impl FnOnce(&mut App, &Warnings)) -> Vec<String> {
    let on_this_thread = |schedule: &mut Schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    };
    app.edit_schedule(Update, on_this_thread);
    app.edit_schedule(PostUpdate, on_this_thread);
    LazyLock::force(&ANY);
    let warnings = Warnings::default();
    let subscriber = registry().with(warnings.clone());
    with_default(subscriber, || work(app, &warnings));
    std::mem::take(&mut *warnings.0.lock().unwrap())
}

/// Returns the number of messages that contain all these words.
pub fn count_messages(said: &[String], words: &[&str]) -> usize {
    let has_all = |text: &&String| words.iter().all(|word| text.contains(word));
    said.iter().filter(has_all).count()
}
