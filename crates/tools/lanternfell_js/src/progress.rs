//! Reports progress to JavaScript, which can cancel the work.
//!
//! A listener of [`Progress`] can be called on any thread, so it cannot hold a JavaScript function. But WebAssembly has
//! only one thread here. So the functions are in a thread-local stack, and the listener calls the last one, which
//! belongs to the running work.

use core::cell::RefCell;

use js_sys::Function;
use lanternfell_heightmap::Progress;
use wasm_bindgen::JsValue;

use crate::error::Failure;

struct Watcher {
    function: Function,
    progress: Progress,
    /// The exception that the function threw.
    thrown: Option<JsValue>,
}

thread_local! {
    static WATCHERS: RefCell<Vec<Watcher>> = const { RefCell::new(Vec::new()) };
}

/// Does the work and reports the progress to `function`, which cancels the work by returning `false` or by throwing.
pub(crate) fn watched<T>(
    function: Option<Function>,
    work: impl FnOnce(&Progress) -> Result<T, Failure>,
) -> Result<T, JsValue> {
    let Some(function) = function else {
        return Ok(work(&Progress::default())?);
    };
    let progress = Progress::with_listener(report);
    let watcher = Watcher {
        function,
        progress: progress.clone(),
        thrown: None,
    };
    WATCHERS.with_borrow_mut(|watchers| watchers.push(watcher));
    let done = work(&progress);
    let watcher = WATCHERS.with_borrow_mut(Vec::pop);
    match watcher.and_then(|watcher| watcher.thrown) {
        Some(thrown) => Err(thrown),
        None => Ok(done?),
    }
}

/// Calls the function of the running work.
fn report(done: f32) {
    let last = WATCHERS.with_borrow(|watchers| {
        let watcher = watchers.last()?;
        let is_over = watcher.progress.is_canceled();
        (!is_over).then(|| (watcher.function.clone(), watcher.progress.clone()))
    });
    let Some((function, progress)) = last else {
        return;
    };
    // The stack must not be borrowed here, since the function can start other work.
    match function.call1(&JsValue::UNDEFINED, &done.into()) {
        Ok(answer) if answer == JsValue::FALSE => progress.cancel(),
        Ok(_) => {}
        Err(thrown) => {
            progress.cancel();
            WATCHERS.with_borrow_mut(|watchers| {
                if let Some(watcher) = watchers.last_mut() {
                    watcher.thrown = Some(thrown);
                }
            });
        }
    }
}
