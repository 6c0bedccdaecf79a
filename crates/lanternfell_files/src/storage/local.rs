//! A browser's `localStorage` as a home.
//!
//! Problem: a page has one list of texts under keys, which it shares with every page of its
//! address, some 5 MiB in all. It may be full, forbidden, or not be there, and what is thrown
//! then differs from browser to browser.
//!
//! - The folder and a slash begin every key, and no other key is looked into or changed.
//! - Bytes are Base64 without padding: four letters for three bytes, which browsers count as
//!   eight bytes or as four.
//! - The browser keeps a text whole or throws, and then the old one is still there. What was
//!   written is read again: some take what they do not keep.
//! - It is asked for anew each time, since an object of the browser's can not be sent to another
//!   thread, and may be taken away while the page is open.
//!
//! Limits: no key can be locked. Of two tabs that take the same free name in the same
//! moment one may lose what it wrote, and finds that out only if it was the first. What is put out
//! of the way is there twice for a moment, and must fit.

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

/// What a browser keeps for the pages of an address, under keys that begin with a folder.
///
/// Its errors are one line each, and of these kinds: [`ErrorKind::StorageFull`],
/// [`ErrorKind::PermissionDenied`] where the browser blocks it (cookies are forbidden, or the page
/// is in a frame), and [`ErrorKind::Unsupported`] where there is none, as in a Web Worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalStorage {
    /// With the slash at its end.
    folder: String,
}

impl LocalStorage {
    /// Keys that begin with this folder and a slash. The browser is not asked yet.
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

    /// What is there under that name, as it is.
    fn text(&self, name: &str) -> Result<Option<String>> {
        let key = self.checked(name)?;
        storage()?.get_item(&key).map_err(refusal)
    }

    fn put(&self, name: &str, text: &str) -> Result<()> {
        let (storage, key) = (storage()?, self.checked(name)?);
        storage.set_item(&key, text).map_err(refusal)?;
        match storage.get_item(&key).map_err(refusal)? {
            Some(kept) if kept == text => Ok(()),
            _ => Err(Error::other("the browser did not keep it")),
        }
    }

    /// Puts it under the first free name.
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

/// The name that is tried as this one of the free ones, from 1.
fn free_name(name: &str, mark: &str, number: u32) -> String {
    let (folder, file) = name::split(name);
    let file = numbered(Path::new(file), mark, number);
    format!("{folder}{}", file.display())
}

fn not_there() -> Error {
    Error::new(ErrorKind::NotFound, "it is not there")
}

/// The page's storage, if it is allowed one.
fn storage() -> Result<web_sys::Storage> {
    let found = js_sys::Reflect::get(&js_sys::global(), &"localStorage".into());
    let found = found.map_err(refusal)?;
    if !found.is_object() {
        let words = "there is no browser's storage here";
        return Err(Error::new(ErrorKind::Unsupported, words));
    }
    Ok(found.unchecked_into())
}

/// What was thrown, in words.
fn refusal(thrown: JsValue) -> Error {
    let name = js_sys::Reflect::get(&thrown, &"name".into());
    let name = name.ok().and_then(|name| name.as_string());
    match name.unwrap_or_default().as_str() {
        // The second is what Firefox says.
        "QuotaExceededError" | "NS_ERROR_DOM_QUOTA_REACHED" => {
            Error::new(ErrorKind::StorageFull, "the browser's storage is full")
        }
        "SecurityError" => {
            let words = "the browser blocks its storage";
            Error::new(ErrorKind::PermissionDenied, words)
        }
        "" => Error::other("the browser's storage fails"),
        name => Error::other(format!("the browser's storage fails: {name}")),
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
        let not_ours = |_| Error::new(ErrorKind::InvalidData, "it is not in Base64");
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
