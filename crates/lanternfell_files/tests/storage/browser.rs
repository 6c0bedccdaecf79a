//! `localStorage` as a home, as `browser.mjs` asks for it: each check panics, or all is well.

use std::io::ErrorKind;

use lanternfell_files::{LocalStorage, Storage};
use wasm_bindgen::prelude::*;

use crate::contract::CHECKS;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn tell(words: &str);
}

const FOLDER: &str = "lanternfell-test";

fn storage() -> LocalStorage {
    LocalStorage::new(FOLDER)
}

/// The names of the checks that need an empty storage.
#[wasm_bindgen]
pub fn checks() -> Vec<String> {
    std::panic::set_hook(Box::new(|panic| tell(&panic.to_string())));
    CHECKS.map(|(name, _)| name.to_owned()).into()
}

/// Makes one of them.
#[wasm_bindgen]
pub fn check(name: &str) {
    let found = CHECKS.iter().find(|check| check.0 == name);
    found.expect("a check").1(&storage());
}

/// Where nothing more can be kept: what was there stays, and is told as it was.
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
        assert_eq!(error.to_string(), "the browser's storage is full");
    }
    assert_eq!(storage.read("old", 3).expect("it is there"), b"old");
    assert_eq!(storage.list("").expect("names"), ["old"]);
    // What is not larger than what it replaces has room.
    storage.write("old", b"new").expect("room");
    assert_eq!(storage.read("old", 3).expect("it is there"), b"new");
    assert!(storage.remove("old").expect("it can be deleted"));
}

/// What `check_full` needs to be there before there is no room.
#[wasm_bindgen]
pub fn before_full() {
    storage().write("old", b"old").expect("there is room");
}

/// Where the browser says no: in one line, and without an end of the program. Which one.
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

/// Where a browser takes what it does not keep.
#[wasm_bindgen]
pub fn check_forgetful() {
    let error = storage().write("a", b"1").expect_err("it is not kept");
    assert_eq!(error.to_string(), "the browser did not keep it");
}

/// What somebody else has put there is no bytes of ours, and is put aside as it is.
#[wasm_bindgen]
pub fn check_foreign(name: &str) -> String {
    let storage = storage();
    let error = storage.read(name, 100).expect_err("it is foreign");
    assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
    storage.quarantine(name, "damaged").expect("there is room")
}

/// Somebody with a thousand names has another problem, and still loses nothing.
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

/// Why it can not be written.
#[wasm_bindgen]
pub fn refused(name: &str) -> String {
    let error = storage().write(name, b"1").expect_err("it can not be");
    error.to_string()
}

/// Writes once, for others that write too.
#[wasm_bindgen]
pub fn write(name: &str, text: &str) {
    storage()
        .write(name, text.as_bytes())
        .expect("there is room");
}

/// All of it, as text.
#[wasm_bindgen]
pub fn read(name: &str) -> String {
    let bytes = storage().read(name, 1 << 24).expect("it is there");
    String::from_utf8(bytes).expect("text")
}
