//! The [`Storage`] of a page in a browser: its `localStorage`.
//!
//! Problem: `localStorage` maps text keys to text values. All pages of an origin share it, and it
//! holds about 5 MiB in total. It can be full, blocked or missing, and the exceptions for these
//! cases differ between browsers.
//!
//! - Every key starts with the folder and a slash. Other keys are never read or changed.
//! - Bytes are stored as Base64 without padding: four letters for three bytes. Browsers count each
//!   letter as one or two bytes.
//! - The browser stores a value completely, or throws and keeps the old value. Some browsers accept
//!   a value without storing it, so each write is read back.
//! - The storage object is looked up for each operation. It cannot be sent to another thread, and
//!   the browser may remove it while the page is open.
//!
//! Limits:
//! - Keys cannot be locked. If two tabs take the same free name at the same moment, the data of the
//!   one that writes first is lost. That tab gets an error only if the other one writes before its
//!   check.
//! - [`quarantine`](Storage::quarantine) stores the value twice for a moment, so there must be room
//!   for both.

use std::{
    io::{Error, ErrorKind, Result},
    path::{Path, PathBuf},
};

use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD as BASE64};
use wasm_bindgen::{JsCast, JsValue};

use super::{Storage, name};
use crate::{
    quarantine::{MOST_NAMES, no_name_left, numbered},
    read::too_large,
};

/// A [`Storage`] in the `localStorage` of the browser, under keys that start with a folder name.
///
/// Each error is one line of text. Besides the errors listed at [`Storage`], an operation may fail
/// with:
///
/// - [`ErrorKind::StorageFull`] if there is no room.
/// - [`ErrorKind::PermissionDenied`] if the browser blocks the storage, for example because cookies
///   are disabled or the page is in a frame.
/// - [`ErrorKind::Unsupported`] if there is no `localStorage`, for example in a Web Worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalStorage {
    /// The folder name with a slash at its end.
    folder: String,
}

impl LocalStorage {
    /// Creates a storage whose keys start with this folder and a slash. This does not access the
    /// browser yet.
    pub fn new(folder: &str) -> Self {
        Self {
            folder: format!("{folder}/"),
        }
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.folder)
    }

    fn checked(&self, name: &str) -> Result<String> {
        name::check(name)?;
        Ok(self.key(name))
    }

    /// Returns the stored text of a name, without decoding it.
    fn text(&self, name: &str) -> Result<Option<String>> {
        let key = self.checked(name)?;
        storage()?.get_item(&key).map_err(refusal)
    }

    fn put(&self, name: &str, text: &str) -> Result<()> {
        let (storage, key) = (storage()?, self.checked(name)?);
        storage.set_item(&key, text).map_err(refusal)?;
        match storage.get_item(&key).map_err(refusal)? {
            Some(kept) if kept == text => Ok(()),
            _ => Err(Error::other("the browser did not store it")),
        }
    }

    /// Stores the text under the first free name.
    fn put_free(&self, name: &str, mark: &str, text: &str) -> Result<String> {
        for number in 1..=MOST_NAMES {
            let free = free_name(name, mark, number);
            if self.text(&free)?.is_none() {
                self.put(&free, text)?;
                return Ok(free);
            }
        }
        Err(no_name_left())
    }
}

/// Returns the candidate name with this number, from 1.
fn free_name(name: &str, mark: &str, number: u32) -> String {
    let (folder, file) = name::split(name);
    let file = numbered(Path::new(file), mark, number);
    format!("{folder}{}", file.display())
}

fn not_there() -> Error {
    Error::new(ErrorKind::NotFound, "it does not exist")
}

/// Returns the page's `localStorage`, if it is available.
fn storage() -> Result<web_sys::Storage> {
    let found = js_sys::Reflect::get(&js_sys::global(), &"localStorage".into());
    let found = found.map_err(refusal)?;
    if !found.is_object() {
        let words = "browser storage is not available here";
        return Err(Error::new(ErrorKind::Unsupported, words));
    }
    Ok(found.unchecked_into())
}

/// Converts a thrown value into an error.
fn refusal(thrown: JsValue) -> Error {
    let name = js_sys::Reflect::get(&thrown, &"name".into());
    let name = name.ok().and_then(|name| name.as_string());
    match name.unwrap_or_default().as_str() {
        // The second name is the one that Firefox throws.
        "QuotaExceededError" | "NS_ERROR_DOM_QUOTA_REACHED" => {
            Error::new(ErrorKind::StorageFull, "the browser storage is full")
        }
        "SecurityError" => {
            let words = "the browser blocks access to its storage";
            Error::new(ErrorKind::PermissionDenied, words)
        }
        "" => Error::other("the browser storage failed"),
        name => Error::other(format!("the browser storage failed: {name}")),
    }
}

impl Storage for LocalStorage {
    fn path(&self, name: &str) -> PathBuf {
        self.key(name).into()
    }

    fn holds(&self, name: &str) -> bool {
        self.text(name).is_ok_and(|text| text.is_some())
    }

    fn read(&self, name: &str, most: usize) -> Result<Vec<u8>> {
        let text = self.text(name)?.ok_or_else(not_there)?;
        if base64::decoded_len_estimate(text.len()).saturating_sub(2) > most {
            return Err(too_large());
        }
        let not_ours = |_| Error::new(ErrorKind::InvalidData, "it is not valid Base64");
        let bytes = BASE64.decode(text).map_err(not_ours)?;
        if bytes.len() > most {
            return Err(too_large());
        }
        Ok(bytes)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.put(name, &BASE64.encode(bytes))
    }

    fn write_new(&self, name: &str, bytes: &[u8]) -> Result<String> {
        self.put_free(name, "", &BASE64.encode(bytes))
    }

    fn quarantine(&self, name: &str, mark: &str) -> Result<String> {
        let text = self.text(name)?.ok_or_else(not_there)?;
        let free = self.put_free(name, &format!(".{mark}"), &text)?;
        self.remove(name)?;
        Ok(free)
    }

    fn remove(&self, name: &str) -> Result<bool> {
        let was_there = self.text(name)?.is_some();
        storage()?.remove_item(&self.key(name)).map_err(refusal)?;
        Ok(was_there)
    }

    fn list(&self, folder: &str) -> Result<Vec<String>> {
        let folder = match folder {
            "" => self.folder.clone(),
            folder => self.checked(folder)? + "/",
        };
        let storage = storage()?;
        let mut names = Vec::new();
        for place in 0..storage.length().map_err(refusal)? {
            let key = storage.key(place).map_err(refusal)?.unwrap_or_default();
            let name = key.strip_prefix(&folder).unwrap_or_default();
            if name::check(name).is_ok() && !name.contains('/') {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }
}
