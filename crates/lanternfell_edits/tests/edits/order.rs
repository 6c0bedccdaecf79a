//! The order of strokes: it does not matter for additive ones, and not when the others arrive.

use std::sync::Arc;

use lanternfell_edits::{EditId, Edits, Entry, Operation, Stroke};
use lanternfell_random::SeededRng;

use crate::{
    model::{Model, Rough},
    random::{AREA, CROWDED, additive, any, stroke},
};

/// All orders of `0..count`.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in permutations(count - 1) {
        for place in 0..count {
            let mut order = shorter.clone();
            order.insert(place, count - 1);
            all.push(order);
        }
    }
    all
}

fn entries(strokes: impl IntoIterator<Item = Stroke>) -> Vec<Entry> {
    let entry = |(at, stroke): (usize, Stroke)| Entry {
        id: EditId {
            author: at as u32 % 3,
            sequence: 1 + at as u32,
        },
        time: 1 + at as u64 / 2,
        operation: Operation::Stroke(stroke),
    };
    strokes.into_iter().enumerate().map(entry).collect()
}

#[test]
fn every_order_of_additive_strokes_gives_the_same_tiles() {
    let mut rng = SeededRng::new(1, b"order   ");
    for _ in 0..3 {
        let strokes: Vec<Stroke> = (0..5)
            .map(|_| {
                let brush = additive(&mut rng);
                stroke(&mut rng, brush, 40, 20)
            })
            .collect();
        let make = |order: &[usize]| {
            let mut edits = Edits::new(Arc::new(Rough));
            for &at in order {
                // Each gets its time by its place in the order.
                edits.stroke(at as u32, strokes[at].clone()).unwrap();
            }
            edits
        };
        let first = make(&[0, 1, 2, 3, 4]);
        assert!(first.tiles().count() > 0);
        for order in permutations(5) {
            assert!(make(&order).tiles().eq(first.tiles()), "{order:?}");
        }
    }
}

#[test]
fn every_order_of_arrival_gives_the_same_tiles() {
    let mut rng = SeededRng::new(2, b"order   ");
    for _ in 0..4 {
        let entries = entries((0..5).map(|_| any(&mut rng)));
        let model = Model::of(AREA, &entries);
        let mut bytes = Vec::new();
        for order in permutations(5) {
            let mut edits = Edits::with_limits(Arc::new(Rough), CROWDED);
            for &at in &order {
                edits.insert(entries[at].clone()).unwrap();
            }
            if bytes.is_empty() {
                bytes = edits.to_bytes();
                Model::read(AREA, &edits).assert_is(&model, "first order");
            }
            let same = edits.to_bytes() == bytes;
            assert!(same, "{order:?}");
            Model::read(AREA, &edits).assert_is(&model, &format!("{order:?}"));
        }
    }
}

#[test]
fn extreme_heights_wrap_and_come_back() {
    use lanternfell_edits::{Brush, Falloff};
    let mut edits = Edits::new(Arc::new(Rough));
    let mut ids = Vec::new();
    for _ in 0..20 {
        // 129 dabs of 1 km each.
        let points = [[0, 0], [129 * 64, 0], [0, 0]];
        let stroke = Stroke {
            falloff: Falloff::Constant,
            ..Stroke::along(Brush::Raise { mm: Brush::MAX_MM }, 64, points)
        };
        ids.push(edits.stroke(1, stroke).unwrap().id);
    }
    let model = Model::of(AREA, edits.entries());
    Model::read(AREA, &edits).assert_is(&model, "raised by thousands of kilometers");
    for id in ids {
        edits.undo_edit(2, id).unwrap();
    }
    assert_eq!(edits.tiles().count(), 0);
}
