//! Tests of [`Folder`] as a storage.

use std::{fs, io::ErrorKind};

use lanternfell_files::{Folder, Storage};
use tempfile::TempDir;

use crate::contract::CHECKS;

fn folder() -> (TempDir, Folder) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // This folder does not exist yet.
    let storage = Folder::new(folder.path().join("home"));
    (folder, storage)
}

#[test]
fn folder_passes_all_checks() {
    for (name, check) in CHECKS {
        let (folder, storage) = folder();
        check(&storage);
        let entries = fs::read_dir(folder.path()).expect("the folder");
        assert!(entries.count() <= 1, "{name}: a file is outside the folder");
    }
}

#[test]
fn reading_creates_no_folder() {
    let (folder, storage) = folder();
    assert!(!storage.holds("a"));
    assert!(storage.read("a", 1).is_err());
    assert!(storage.quarantine("a", "old").is_err());
    assert!(!storage.remove("a").expect("nothing is there"));
    assert!(storage.list("").expect("nothing").is_empty());
    let entries = fs::read_dir(folder.path()).expect("the folder");
    assert_eq!(entries.count(), 0);
}

#[test]
fn name_maps_to_path() {
    let (folder, storage) = folder();
    storage.write("a/b.txt", b"1").expect("a file");
    let path = folder.path().join("home").join("a").join("b.txt");
    assert_eq!(storage.path("a/b.txt"), path);
    assert_eq!(fs::read(path).expect("it"), b"1");
}

#[test]
fn list_skips_folders_and_temporary_files() {
    let (_folder, storage) = folder();
    storage.write("a", b"1").expect("a file");
    fs::create_dir(storage.path("b")).expect("a folder");
    let half = lanternfell_files::AtomicFile::prepare(&storage.path("c")).expect("a file");
    assert_eq!(storage.list("").expect("names"), ["a"]);
    drop(half);
    assert!(!storage.holds("b"));
    assert!(storage.read("b", 1).is_err());
    assert!(storage.write("b", b"1").is_err());
    assert!(storage.remove("b").is_err());
    assert!(storage.path("b").is_dir());
}

#[test]
fn file_in_place_of_folder_is_an_error() {
    let (folder, storage) = folder();
    let home = folder.path().join("home");
    fs::write(&home, "a file").expect("a file");
    assert!(!storage.holds("a"));
    for refused in [
        storage.write("a", b"1"),
        storage.write_new("a", b"1").map(drop),
        storage.read("a", 1).map(drop),
        storage.list("").map(drop),
    ] {
        let error = refused.expect_err("there is no folder");
        assert_ne!(error.kind(), ErrorKind::NotFound, "{error}");
    }
    assert_eq!(fs::read(home).expect("it"), b"a file");
}
