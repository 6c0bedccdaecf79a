//! The app's side of the worker. Orders are sent one at a time.
//!
//! The worker's script is a few lines in a `Blob`, and the app's compiled Wasm module is posted to it. So no file has
//! to be served, no memory is shared and no HTTP header is needed. Newer work replaces older work: if an order is
//! canceled, the worker is terminated, and the next order gets a new one.

use std::{cell::RefCell, collections::VecDeque, rc::Rc};

use bevy::log::warn;
use js_sys::{Array, ArrayBuffer, Error, Uint8Array};
use lanternfell_heightmap::Progress;
use lanternfell_tasks::next_frame;
use wasm_bindgen::{JsCast, prelude::*};
use web_sys::{Blob, BlobPropertyBag, Event, MessageEvent, Url, Worker};

use super::{
    serve::{failed, read_answer, write_order},
    wire::{Order, Sink, Source},
};
use crate::error::Unmade;

/// The state of the only worker.
#[derive(Default)]
enum Desk {
    /// There is no worker, because none has been created yet or the last one was terminated.
    #[default]
    Empty,
    Idle(Clerk),
    Busy,
    /// The browser does not support workers for this app.
    Closed,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Runs work in the worker. `None` if no worker is available.
pub(super) async fn make<W: Order>(
    work: &W,
    progress: &Progress,
) -> Option<Result<W::Made, Unmade>> {
    let mut turn = match Turn::wait(progress).await {
        Ok(turn) => turn?,
        Err(canceled) => return Some(Err(canceled)),
    };
    let answer = match turn.have_done(work, progress).await {
        Ok(answer) => answer,
        Err(Undone::Unable(why)) => {
            warn!(
                "no Web Worker is available, so the page freezes while terrain is generated: {why}"
            );
            turn.close();
            return None;
        }
        Err(Undone::Unmade(unmade)) => return Some(Err(unmade)),
    };
    // Other work can use the worker while this answer is read.
    turn.end();
    Some(read_answer(work, &mut Answer::new(answer)).await)
}

/// The reason why there is no answer.
enum Undone {
    /// No worker is available.
    Unable(String),
    Unmade(Unmade),
}

/// Exclusive use of the worker.
struct Turn(Option<Clerk>);

impl Turn {
    /// Waits until the worker is free. `None` if no worker is available.
    async fn wait(progress: &Progress) -> Result<Option<Self>, Unmade> {
        loop {
            progress.check()?;
            let desk = DESK.replace(Desk::Busy);
            match desk {
                Desk::Empty => return Ok(Some(Self(None))),
                Desk::Idle(clerk) => return Ok(Some(Self(Some(clerk)))),
                Desk::Busy => {}
                Desk::Closed => {
                    DESK.set(Desk::Closed);
                    return Ok(None);
                }
            }
            next_frame().await;
        }
    }

    /// Sends the order and returns the bytes of the answer. Without an answer the worker is terminated.
    async fn have_done<W: Order>(
        &mut self,
        work: &W,
        progress: &Progress,
    ) -> Result<ArrayBuffer, Undone> {
        let mut pieces = Pieces::default();
        write_order(work, &mut pieces).await;
        progress
            .check()
            .map_err(|canceled| Undone::Unmade(canceled.into()))?;
        let mut clerk = match self.0.take() {
            Some(clerk) => clerk,
            None => Clerk::new().map_err(|why| Undone::Unable(words(&why)))?,
        };
        let posted = clerk
            .worker
            .post_message_with_transfer(&pieces.all, &pieces.buffers);
        posted.map_err(|why| Undone::Unmade(failed(words(&why))))?;
        loop {
            next_frame().await;
            progress
                .check()
                .map_err(|canceled| Undone::Unmade(canceled.into()))?;
            if let Some(answer) = clerk.hear(progress)? {
                self.0 = Some(clerk);
                return Ok(answer);
            }
        }
    }

    /// Marks workers as unavailable for the rest of the session.
    fn close(self) {
        DESK.set(Desk::Closed);
    }

    fn end(self) {}
}

impl Drop for Turn {
    fn drop(&mut self) {
        DESK.with_borrow_mut(|desk| {
            if let Desk::Busy = desk {
                *desk = self.0.take().map_or(Desk::Empty, Desk::Idle);
            }
        });
    }
}

/// Messages from the worker that have not been read yet.
type Inbox = Rc<RefCell<VecDeque<JsValue>>>;

/// A worker.
struct Clerk {
    worker: Worker,
    inbox: Inbox,
    /// Whether it has instantiated the module.
    is_ready: bool,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

impl Clerk {
    fn new() -> Result<Self, JsValue> {
        let module = wasm_bindgen::module();
        if module.is_undefined() {
            return Err("wasm-bindgen provides no module: build with `--target web` or `--target no-modules`".into());
        }
        let script = Array::of1(&include_str!("worker.js").into());
        let kind = BlobPropertyBag::new();
        kind.set_type("text/javascript");
        let blob = Blob::new_with_str_sequence_and_options(&script, &kind)?;
        let url = Url::create_object_url_with_blob(&blob)?;
        let worker = Worker::new(&url);
        Url::revoke_object_url(&url)?;
        let worker = worker?;
        let inbox = Inbox::default();
        let heard = inbox.clone();
        let on_message = Closure::new(move |message: MessageEvent| {
            heard.borrow_mut().push_back(message.data());
        });
        let heard = inbox.clone();
        let on_error = Closure::new(move |event: Event| {
            event.prevent_default();
            let error = Error::new("the worker's script failed to run");
            heard.borrow_mut().push_back(error.into());
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_error.as_ref().unchecked_ref()));
        let clerk = Self {
            worker,
            inbox,
            is_ready: false,
            _on_message: on_message,
            _on_error: on_error,
        };
        clerk.worker.post_message(&module)?;
        Ok(clerk)
    }

    /// Reads the messages that have arrived, and returns the answer if it is among them.
    fn hear(&mut self, progress: &Progress) -> Result<Option<ArrayBuffer>, Undone> {
        loop {
            let message = self.inbox.borrow_mut().pop_front();
            let Some(message) = message else {
                return Ok(None);
            };
            if let Some(done) = message.as_f64() {
                // The total does not matter: it is a fraction of 1.
                let _ = progress.step((done * 100.0) as usize, 100);
            } else if let Some(error) = message.dyn_ref::<Error>() {
                let why = String::from(error.message());
                return Err(match self.is_ready {
                    true => Undone::Unmade(failed(why)),
                    false => Undone::Unable(why),
                });
            } else if message.is_instance_of::<ArrayBuffer>() {
                return Ok(Some(message.unchecked_into()));
            } else {
                self.is_ready = true;
            }
        }
    }
}

impl Drop for Clerk {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.set_onmessageerror(None);
        self.worker.terminate();
    }
}

/// The message of a thrown value.
fn words(thrown: &JsValue) -> String {
    match thrown.dyn_ref::<Error>() {
        Some(error) => error.to_string().into(),
        None => thrown.as_string().unwrap_or_else(|| format!("{thrown:?}")),
    }
}

/// The bytes of an order, in JavaScript buffers outside the memory of this instance.
#[derive(Default)]
struct Pieces {
    all: Array,
    buffers: Array,
}

impl Sink for Pieces {
    fn put(&mut self, bytes: &[u8]) {
        let piece = Uint8Array::from(bytes);
        self.buffers.push(&piece.buffer());
        self.all.push(&piece);
    }
}

/// The bytes of an answer.
struct Answer {
    bytes: Uint8Array,
    at: u32,
}

impl Answer {
    fn new(bytes: ArrayBuffer) -> Self {
        let bytes = Uint8Array::new(&bytes);
        Self { bytes, at: 0 }
    }
}

impl Source for Answer {
    fn left(&self) -> usize {
        (self.bytes.length() - self.at) as usize
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        let end = self.at + bytes.len() as u32;
        self.bytes.subarray(self.at, end).copy_to(bytes);
        self.at = end;
    }
}
