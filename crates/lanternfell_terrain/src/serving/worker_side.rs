//! Functions that `worker.js` calls in the worker. Their data is in the memory of the worker's own instance.

use std::{
    cell::RefCell,
    pin::pin,
    sync::{
        Once,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll, Waker},
};

use lanternfell_heightmap::Progress;
use wasm_bindgen::prelude::*;

use super::serve;
use lanternfell_tasks::without_frames;

#[wasm_bindgen]
extern "C" {
    /// Posts the progress. Only the worker provides this function, and the app never calls it.
    #[wasm_bindgen(js_name = lanternfellTerrainProgress)]
    fn post_progress(done: f32);
}

thread_local! {
    static ORDER: RefCell<Vec<u8>> = RefCell::default();
    static ANSWER: RefCell<Vec<u8>> = RefCell::default();
}

fn address(bytes: &[u8]) -> u32 {
    bytes.as_ptr().expose_provenance() as u32
}

/// Allocates `length` bytes for an order. Returns their address, or 0 if there is not enough memory.
#[wasm_bindgen]
pub fn lanternfell_terrain_order(length: u32) -> u32 {
    let length = length as usize;
    let mut order = Vec::new();
    if order.try_reserve_exact(length).is_err() {
        return 0;
    }
    order.resize(length, 0);
    ORDER.with_borrow_mut(|kept| {
        *kept = order;
        address(kept)
    })
}

/// Executes the order. Returns the length of the answer in bytes.
#[wasm_bindgen]
pub fn lanternfell_terrain_work() -> u32 {
    static BEGIN: Once = Once::new();
    BEGIN.call_once(|| {
        without_frames();
        std::panic::set_hook(Box::new(|panic| {
            let words = panic.to_string();
            let words: Vec<&str> = words.split_whitespace().collect();
            keep(words.join(" ").into());
        }));
    });
    keep(Vec::new());
    let order = ORDER.take();
    let progress = Progress::with_listener(post_sometimes());
    let mut answer = pin!(serve(&order, &progress));
    match answer
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(answer) => keep(answer),
        Poll::Pending => unreachable!("without frames no future is pending"),
    }
    ANSWER.with_borrow(Vec::len) as u32
}

/// Returns the address of the answer.
#[wasm_bindgen]
pub fn lanternfell_terrain_answer() -> u32 {
    ANSWER.with_borrow(|answer| address(answer))
}

/// After a trap: returns the length in bytes of the panic message, which replaces the answer.
#[wasm_bindgen]
pub fn lanternfell_terrain_last_words() -> u32 {
    ANSWER.with_borrow(Vec::len) as u32
}

fn keep(answer: Vec<u8>) {
    ANSWER.with_borrow_mut(|kept| *kept = answer);
}

/// Posts the progress each time another percent is done.
fn post_sometimes() -> impl Fn(f32) + Send + Sync {
    let posted = AtomicU32::new(0);
    move |done| {
        let hundredths = (100.0 * done) as u32;
        if posted.fetch_max(hundredths, Ordering::Relaxed) < hundredths {
            post_progress(done);
        }
    }
}
