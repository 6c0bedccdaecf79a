//! The checks that every [`Storage`] must pass. Each check gets its own empty storage.

use std::io::ErrorKind;

use lanternfell_files::Storage;

/// All checks and their names.
pub const CHECKS: [(&str, fn(&dyn Storage)); 9] = [
    ("bytes round-trip", bytes_come_back),
    ("write replaces the whole content", replaced_whole),
    ("read obeys the limit", read_up_to_a_limit),
    ("missing files are reported", nothing_there),
    ("write_new takes a free name", free_names),
    ("quarantine replaces nothing", put_aside),
    ("remove deletes once", deleted_once),
    ("list returns the names", listed),
    ("invalid names are refused", strange_names),
];

/// All byte values, including sequences that are not valid text.
fn every_byte() -> Vec<u8> {
    (0..=255).chain([0, 0xff, 0xd8, 0x00, b'\n']).collect()
}

fn bytes_come_back(storage: &dyn Storage) {
    let large = every_byte().repeat(1000);
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("one", &[0]),
        ("two.bytes", &[0xff, 0xff]),
        ("three", b"\0\0\0"),
        ("folder/in folder/every byte.txt", &every_byte()),
        ("gro\u{df}/\u{2603}", &large),
    ] {
        assert!(!storage.holds(name), "{name}");
        storage.write(name, bytes).expect(name);
        assert!(storage.holds(name), "{name}");
        let read = storage.read(name, bytes.len()).expect(name);
        assert!(read == bytes, "{name}");
    }
}

fn replaced_whole(storage: &dyn Storage) {
    for bytes in [&b"first"[..], b"", b"the third is longer", b"4"] {
        storage.write("a.txt", bytes).expect("room");
        assert_eq!(storage.read("a.txt", 100).expect("it"), bytes);
        assert_eq!(storage.list("").expect("names"), ["a.txt"]);
    }
}

fn read_up_to_a_limit(storage: &dyn Storage) {
    for length in 0..10 {
        storage.write("a", &vec![7; length]).expect("room");
        assert_eq!(storage.read("a", length).expect("it").len(), length);
        if let Some(less) = length.checked_sub(1) {
            let error = storage.read("a", less).expect_err("it is larger");
            assert_eq!(error.kind(), ErrorKind::FileTooLarge, "{length}");
            assert_eq!(error.to_string(), "it is too large");
        }
    }
}

fn nothing_there(storage: &dyn Storage) {
    for name in ["a", "folder/a"] {
        assert!(!storage.holds(name), "{name}");
        let read = storage.read(name, 10).expect_err(name);
        assert_eq!(read.kind(), ErrorKind::NotFound, "{name}");
        let moved = storage.quarantine(name, "old").expect_err(name);
        assert_eq!(moved.kind(), ErrorKind::NotFound, "{name}");
        assert!(!storage.remove(name).expect(name), "{name}");
    }
    assert!(storage.list("").expect("none").is_empty());
    assert!(storage.list("folder").expect("none").is_empty());
}

fn free_names(storage: &dyn Storage) {
    for (name, expected) in [
        ("page.txt", ["page.txt", "page-2.txt", "page-3.txt"]),
        ("a/b/page", ["a/b/page", "a/b/page-2", "a/b/page-3"]),
        ("d.e/f.g.h", ["d.e/f.g.h", "d.e/f.g-2.h", "d.e/f.g-3.h"]),
    ] {
        for (bytes, expected) in [b"1", b"2", b"3"].iter().zip(expected) {
            assert_eq!(storage.write_new(name, *bytes).expect(name), expected);
        }
        for (bytes, expected) in [b"1", b"2", b"3"].iter().zip(expected) {
            assert_eq!(storage.read(expected, 1).expect(expected), *bytes);
        }
    }
}

fn put_aside(storage: &dyn Storage) {
    let marked = ["x/a.old.ron", "x/a.old-2.ron", "x/a.old-3.ron"];
    for (bytes, aside) in [b"1", b"2", b"3"].iter().zip(marked) {
        storage.write("x/a.ron", *bytes).expect("room");
        assert_eq!(storage.quarantine("x/a.ron", "old").expect("room"), aside);
        assert!(!storage.holds("x/a.ron"), "{aside}");
    }
    for (bytes, aside) in [b"1", b"2", b"3"].iter().zip(marked) {
        assert_eq!(storage.read(aside, 1).expect(aside), *bytes);
    }
    assert_eq!(storage.list("x").expect("names").len(), 3);
}

fn deleted_once(storage: &dyn Storage) {
    storage.write("a", b"1").expect("room");
    storage.write("ab", b"2").expect("room");
    assert!(storage.remove("a").expect("it is there"));
    assert!(!storage.remove("a").expect("it is not there"));
    assert!(!storage.holds("a"));
    assert_eq!(storage.read("ab", 1).expect("another"), b"2");
}

fn listed(storage: &dyn Storage) {
    for name in ["c", "a/2", "a/1", "a/b/3", "b"] {
        storage.write(name, b"").expect(name);
    }
    for (folder, names) in [
        ("", &["b", "c"][..]),
        ("a", &["1", "2"]),
        ("a/b", &["3"]),
        ("d", &[]),
    ] {
        assert_eq!(storage.list(folder).expect(folder), names, "{folder}");
    }
}

fn strange_names(storage: &dyn Storage) {
    for name in [
        "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b",
    ] {
        assert!(!storage.holds(name), "{name}");
        for refused in [
            storage.read(name, 10).map(drop),
            storage.write(name, b"1"),
            storage.write_new(name, b"1").map(drop),
            storage.quarantine(name, "old").map(drop),
            storage.remove(name).map(drop),
        ] {
            let error = refused.expect_err(name);
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{name}: {error}");
        }
    }
    assert!(storage.list("..").is_err());
    assert!(storage.list("").expect("none").is_empty());
}
