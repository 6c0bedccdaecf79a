//! Files that the user chooses. The browser reads them asynchronously; they are queued here until
//! the app takes them.

use std::{cell::RefCell, collections::VecDeque};

use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, closure::Closure};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{File, HtmlInputElement, window};

use crate::web_page::ChosenFile;

thread_local! {
    static CHOSEN: RefCell<VecDeque<Result<ChosenFile, String>>> = RefCell::default();
}

pub(crate) fn chosen() -> Option<Result<ChosenFile, String>> {
    CHOSEN.with_borrow_mut(VecDeque::pop_front)
}

fn keep(read: Result<ChosenFile, String>) {
    CHOSEN.with_borrow_mut(|chosen| chosen.push_back(read));
}

pub(crate) fn ask(endings: &str, limit: usize) -> Option<()> {
    let input = window()?.document()?.create_element("input").ok()?;
    let input: HtmlInputElement = input.dyn_into().ok()?;
    input.set_type("file");
    input.set_accept(endings);
    let field = input.clone();
    let changed = Closure::once_into_js(move || {
        let file = field.files().and_then(|files| files.get(0));
        if let Some(file) = file {
            read(&file, limit);
        }
    });
    input.set_onchange(Some(changed.unchecked_ref()));
    input.click();
    Some(())
}

fn read(file: &File, limit: usize) {
    let name = file.name();
    if file.size() > limit as f64 {
        return keep(Err(format!("{name} is larger than {limit} bytes")));
    }
    let bytes = JsFuture::from(file.array_buffer());
    spawn_local(async move {
        keep(match bytes.await {
            Ok(buffer) => Ok(ChosenFile {
                name,
                bytes: Uint8Array::new(&buffer).to_vec(),
            }),
            Err(_) => Err(format!("cannot read {name}")),
        });
    });
}
