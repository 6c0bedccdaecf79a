//! For tests: compares what was made with what was made once, by name.
//!
//! A golden file holds a line for each thing: its name, and a hash of it. So a test that fails
//! names what has changed, and says what to write instead if that was meant.

use core::fmt::Write;
use std::collections::BTreeMap;

/// Checks that these are the names and hashes of `golden`, the text of the file `path`.
pub(crate) fn check(path: &str, golden: &str, found: &BTreeMap<String, String>) {
    let split = |line: &str| -> (String, String) {
        let (name, hash) = line.split_once(": ").expect("a name and a hash");
        (name.to_owned(), hash.to_owned())
    };
    let expected: BTreeMap<String, String> = golden.lines().map(split).collect();
    let mut told = String::new();
    for (name, hash) in &expected {
        if found.get(name) != Some(hash) {
            let _ = writeln!(told, "-{name}: {hash}");
        }
    }
    for (name, hash) in found {
        if expected.get(name) != Some(hash) {
            let _ = writeln!(told, "+{name}: {hash}");
        }
    }
    let whole = told.is_empty();
    assert!(whole, "changed; if that was meant, patch {path}:\n{told}");
}
