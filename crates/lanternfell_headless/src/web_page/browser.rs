//! Implementation in a browser. Every step may fail: a worker has no window, and a page may forbid
//! access.

mod choose;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use web_sys::{
    Blob, BlobPropertyBag, CustomEvent, CustomEventInit, HtmlAnchorElement, Url, window,
};

use super::address::{fragment_of, options_of};
pub(crate) use choose::{ask, chosen};

/// The address's fragment as options.
pub(crate) fn options() -> Option<Vec<String>> {
    let fragment = window()?.location().hash().ok()?;
    Some(options_of(&fragment))
}

/// Replaces the fragment without a new history entry.
pub(crate) fn show_options(options: &[(&str, String)]) -> Option<()> {
    let history = window()?.history().ok()?;
    let fragment = format!("#{}", fragment_of(options));
    history
        .replace_state_with_url(&JsValue::NULL, "", Some(&fragment))
        .ok()
}

/// Sends an event to the window.
pub(crate) fn dispatch_event(event: &str, detail: &str) -> Option<()> {
    let init = CustomEventInit::new();
    init.set_detail(&detail.into());
    let event = CustomEvent::new_with_event_init_dict(event, &init).ok()?;
    window()?.dispatch_event(&event).ok()?;
    Some(())
}

/// Downloads the bytes by clicking a temporary link to a blob. This needs no server.
pub(crate) fn offer(name: &str, bytes: &[u8]) -> Option<()> {
    let kind = BlobPropertyBag::new();
    kind.set_type("application/octet-stream");
    let parts = Array::of1(&Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind).ok()?;
    let link = window()?.document()?.create_element("a").ok()?;
    let link: HtmlAnchorElement = link.dyn_into().ok()?;
    let url = Url::create_object_url_with_blob(&blob).ok()?;
    link.set_href(&url);
    link.set_download(name);
    link.click();
    forget_later(url)
}

/// Some browsers start to read the URL only after the click has returned.
fn forget_later(url: String) -> Option<()> {
    let forget = Closure::once_into_js(move || {
        // A URL that is revoked already is not an error.
        let _ = Url::revoke_object_url(&url);
    });
    window()?
        .set_timeout_with_callback_and_timeout_and_arguments_0(forget.unchecked_ref(), 10_000)
        .ok()?;
    Some(())
}
