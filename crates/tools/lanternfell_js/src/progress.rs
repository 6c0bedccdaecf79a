//! Work that JavaScript watches, and may stop.
//!
//! The library's listener may be called on any thread, so it can not hold a JavaScript function.
//! There is but one thread here: who watches stands in a list beside it, and the listener asks for the
//! last, which is the one whose work runs.

use core::cell::RefCell;

use js_sys::Function;
use lanternfell_heightmap::Progress;
use wasm_bindgen::JsValue;

use crate::error::Failure;

struct Watcher {
    function: Function,
    progress: Progress,
    /// What the function threw.
    thrown: Option<JsValue>,
}

thread_local! {
    static WATCHERS: RefCell<Vec<Watcher>> = const { RefCell::new(Vec::new()) };
}

/// Does the work, and tells the function how much is done; which stops it by `false`, or by throwing.
pub(crate) fn watched<T>(
    function: Option<Function>,
    work: impl FnOnce(&Progress) -> Result<T, Failure>,
) -> Result<T, JsValue> {
    let Some(function) = function else {
        return Ok(work(&Progress::default())?);
    };
    let progress = Progress::with_listener(tell);
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

/// Tells the function whose work runs.
fn tell(done: f32) {
    let last = WATCHERS.with_borrow(|watchers| {
        let watcher = watchers.last()?;
        let is_over = watcher.progress.is_cancelled();
        (!is_over).then(|| (watcher.function.clone(), watcher.progress.clone()))
    });
    let Some((function, progress)) = last else {
        return;
    };
    // Nothing is borrowed meanwhile: it may begin work of its own.
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
