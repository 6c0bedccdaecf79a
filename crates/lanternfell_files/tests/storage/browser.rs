//! The checks of `LocalStorage` that `browser.mjs` calls. A failed check panics.

use std::io::ErrorKind;

use lanternfell_files::{LocalStorage, Storage};
use wasm_bindgen::prelude::*;

use crate::contract::CHECKS;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn log_error(words: &str);
}

const FOLDER: &str = "lanternfell-test";

fn storage() -> LocalStorage {
    LocalStorage::new(FOLDER)
}

/// The names of the checks that start with an empty storage.
#[wasm_bindgen]
pub fn checks() -> Vec<String> {
    std::panic::set_hook(Box::new(|panic| log_error(&panic.to_string())));
    CHECKS.map(|(name, _)| name.to_owned()).into()
}

/// Runs the check of this name.
#[wasm_bindgen]
pub fn check(name: &str) {
    let found = CHECKS.iter().find(|check| check.0 == name);
    found.expect("a check").1(&storage());
}

/// Checks that a full storage reports errors and keeps its data.
#[wasm_bindgen]
pub fn check_full() {
    let storage = storage();
    assert_eq!(storage.read("old", 3).expect("it is there"), b"old");
    let large = vec![1; 1000];
    for refused in [
        storage.write("old", &large),
        storage.write("new", &large),
        storage.write_new("old", &large).map(drop),
        storage.quarantine("old", &"mark".repeat(100)).map(drop),
    ] {
        let error = refused.expect_err("there is no room");
        assert_eq!(error.kind(), ErrorKind::StorageFull, "{error}");
        assert_eq!(error.to_string(), "the browser storage is full");
    }
    assert_eq!(storage.read("old", 3).expect("it is there"), b"old");
    assert_eq!(storage.list("").expect("names"), ["old"]);
    // A value that is not larger than the one it replaces still fits.
    storage.write("old", b"new").expect("room");
    assert_eq!(storage.read("old", 3).expect("it is there"), b"new");
    assert!(storage.remove("old").expect("it can be deleted"));
}

/// Stores what [`check_full`] expects, before the storage is filled.
#[wasm_bindgen]
pub fn before_full() {
    storage().write("old", b"old").expect("there is room");
}

/// Checks that a blocked or missing storage reports one-line errors without panicking. Returns the
/// error.
#[wasm_bindgen]
pub fn check_forbidden() -> String {
    let storage = storage();
    assert!(!storage.holds("a"));
    let errors: Vec<String> = [
        storage.read("a", 1).map(drop),
        storage.write("a", b"1"),
        storage.write_new("a", b"1").map(drop),
        storage.quarantine("a", "old").map(drop),
        storage.remove("a").map(drop),
        storage.list("").map(drop),
    ]
    .map(|refused| refused.expect_err("it is forbidden").to_string())
    .into();
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    errors[0].clone()
}

/// Checks that a write fails if the browser does not store the value.
#[wasm_bindgen]
pub fn check_forgetful() {
    let error = storage().write("a", b"1").expect_err("it is not kept");
    assert_eq!(error.to_string(), "the browser did not store it");
}

/// Checks that a value of another program is invalid, and can be quarantined unchanged. Returns its
/// new name.
#[wasm_bindgen]
pub fn check_foreign(name: &str) -> String {
    let storage = storage();
    let error = storage.read(name, 100).expect_err("it is foreign");
    assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
    storage.quarantine(name, "damaged").expect("there is room")
}

/// Checks that a thousand taken names cause an error, without losing any data.
#[wasm_bindgen]
pub fn check_names() {
    let storage = storage();
    for number in 1..=1000 {
        let expected = match number {
            1 => "a".to_owned(),
            number => format!("a-{number}"),
        };
        assert_eq!(storage.write_new("a", b"old").expect("a name"), expected);
    }
    let error = storage.write_new("a", b"new").expect_err("all are taken");
    assert!(error.to_string().contains("too many"), "{error}");
    let names = storage.list("").expect("names");
    assert_eq!(names.len(), 1000);
    for name in names {
        assert_eq!(storage.read(&name, 3).expect("it"), b"old", "{name}");
    }
}

/// Returns the error of a write that must fail.
#[wasm_bindgen]
pub fn refused(name: &str) -> String {
    let error = storage().write(name, b"1").expect_err("it can not be");
    error.to_string()
}

/// Writes a value.
#[wasm_bindgen]
pub fn write(name: &str, text: &str) {
    storage()
        .write(name, text.as_bytes())
        .expect("there is room");
}

/// Reads a value as text.
#[wasm_bindgen]
pub fn read(name: &str) -> String {
    let bytes = storage().read(name, 1 << 24).expect("it is there");
    String::from_utf8(bytes).expect("text")
}
