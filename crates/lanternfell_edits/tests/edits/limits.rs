//! Limits, and entries that are refused.

use std::sync::Arc;

use lanternfell_edits::{
    Brush, EditError, EditId, EditLimits, Edits, Entry, FlatBase, Operation, Stroke,
};

fn raise(x: i64) -> Stroke {
    Stroke::along(Brush::Raise { mm: 100 }, 512, [[x * 256, 8192]])
}

fn limited(limits: EditLimits) -> Edits {
    Edits::with_limits(Arc::new(FlatBase::default()), limits)
}

#[test]
fn refused_entries_change_nothing() {
    let mut edits = limited(EditLimits::default());
    edits.stroke(1, raise(0)).unwrap();
    let (bytes, entry) = (edits.to_bytes(), edits.entries().next().unwrap().clone());
    // The same entry again is fine.
    assert_eq!(edits.insert(entry.clone()), Ok(Vec::new()));
    let other = Entry {
        operation: Operation::Stroke(raise(1)),
        ..entry.clone()
    };
    let later = Entry {
        id: EditId {
            author: 2,
            sequence: 1,
        },
        time: Entry::MAX_TIME + 1,
        ..entry.clone()
    };
    let never = Entry {
        time: 0,
        ..later.clone()
    };
    let mut stroke = raise(3);
    stroke.strength = 2000;
    let invalid = Entry {
        operation: Operation::Stroke(stroke),
        time: 3,
        ..later.clone()
    };
    let refused = [
        (other, "the log already has a different entry 1 of author 1"),
        (
            later,
            "entry 1 of author 2 has the time 9007199254740993, but must have one from 1 to 9007199254740992",
        ),
        (
            never,
            "entry 1 of author 2 has the time 0, but must have one from 1 to 9007199254740992",
        ),
        (
            invalid,
            "the strength of the stroke is 2000, but must be from 0 to 1000",
        ),
    ];
    for (entry, message) in refused {
        assert_eq!(edits.insert(entry).unwrap_err().to_string(), message);
        assert!(edits.to_bytes() == bytes);
    }
}

#[test]
fn the_end_of_the_clock_and_of_numbers_is_an_error() {
    let mut edits = limited(EditLimits::default());
    let last = Entry {
        id: EditId {
            author: 3,
            sequence: u32::MAX,
        },
        time: Entry::MAX_TIME,
        operation: Operation::Stroke(raise(0)),
    };
    edits.insert(last).unwrap();
    assert!(matches!(
        edits.stroke(1, raise(0)),
        Err(EditError::Time { .. })
    ));
    let error = edits.stroke(3, raise(0)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "author 3 has no number left for another entry"
    );
    edits.compact(u64::MAX);
    assert_eq!(edits.delta_mm(0, 32), 100);
}

#[test]
fn limits_of_entries_and_tiles_are_named() {
    let few = EditLimits {
        entries: 2,
        tiles: 3,
        ..EditLimits::default()
    };
    let mut edits = limited(few);
    for x in [32, 100] {
        edits.stroke(1, raise(x)).unwrap();
    }
    let full = EditError::Entries { most: 2 };
    assert_eq!(edits.stroke(1, raise(0)), Err(full));
    edits.compact(u64::MAX);
    edits.stroke(1, raise(160)).unwrap();
    edits.undo(1).unwrap();
    let full = EditError::Entries { most: 2 };
    assert_eq!(edits.redo(1), Err(full));
    edits.compact(u64::MAX);
    edits.stroke(1, raise(160)).unwrap();
    let error = edits.stroke(1, raise(400)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the edits would cover 4 tiles, but at most 3 are allowed"
    );
    assert_eq!(edits.len(), 1);
}
