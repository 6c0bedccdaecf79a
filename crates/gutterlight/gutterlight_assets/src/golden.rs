//! Golden tests: compares hashes with a file, by name.
//!
//! A golden file has a line per item with its name and hash. A failing test names the items that
//! changed, and prints the lines to write if the change was intended.

use core::fmt::Write;
use std::collections::BTreeMap;

/// Checks that the names and hashes match `golden`, the text of the file `path`.
pub(crate) fn check(path: &str, golden: &str, found: &BTreeMap<String, String>) {
    let split = |line: &str| -> (String, String) {
        let (name, hash) = line.split_once(": ").expect("a name and a hash");
        (name.to_owned(), hash.to_owned())
    };
    let expected: BTreeMap<String, String> = golden.lines().map(split).collect();
    let mut diff = String::new();
    for (name, hash) in &expected {
        if found.get(name) != Some(hash) {
            let _ = writeln!(diff, "-{name}: {hash}");
        }
    }
    for (name, hash) in found {
        if expected.get(name) != Some(hash) {
            let _ = writeln!(diff, "+{name}: {hash}");
        }
    }
    let whole = diff.is_empty();
    assert!(
        whole,
        "the output changed; if that is intended, apply this to {path}:\n{diff}"
    );
}
