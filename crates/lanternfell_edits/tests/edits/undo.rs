//! Undo, redo and compaction.

use std::sync::Arc;

use lanternfell_edits::{
    Brush, CellRect, EditError, EditId, EditLimits, Edits, FlatBase, Operation, Stroke,
};
use lanternfell_random::SeededRng;
use lanternfell_test_support::cases;

use crate::{
    model::{Model, Rough},
    random::{AREA, CROWDED, any, brush, stroke},
};

fn raised(edits: &mut Edits, author: u32, x: i64) -> EditId {
    let stroke = Stroke::along(Brush::Raise { mm: 100 }, 512, [[x * 256, 0]]);
    edits.stroke(author, stroke).unwrap().id
}

#[test]
fn undo_and_redo_follow_each_author() {
    let mut edits = Edits::new(Arc::new(Rough));
    let [a, b] = [raised(&mut edits, 1, 0), raised(&mut edits, 2, 0)];
    let c = raised(&mut edits, 1, 0);
    assert_eq!(edits.delta_mm(0, 0), 300);
    assert!(edits.undo(1).unwrap().is_some());
    assert_eq!([a, b, c].map(|id| edits.is_active(id)), [true, true, false]);
    edits.undo(1).unwrap();
    assert_eq!(
        [a, b, c].map(|id| edits.is_active(id)),
        [false, true, false]
    );
    assert_eq!(edits.undo(1), Ok(None));
    assert_eq!(edits.redo(2), Ok(None));
    edits.redo(1).unwrap();
    assert_eq!([a, b, c].map(|id| edits.is_active(id)), [true, true, false]);
    // A new stroke of the same author ends redo, and one of another author does not.
    raised(&mut edits, 2, 9);
    assert!(edits.redo(1).unwrap().is_some());
    edits.undo(1).unwrap();
    raised(&mut edits, 1, 9);
    assert_eq!(edits.redo(1), Ok(None));
    assert_eq!(edits.delta_mm(0, 0), 200);
}

#[test]
fn undo_of_unknown_and_undone_strokes_is_an_error() {
    let mut edits = Edits::new(Arc::new(Rough));
    let id = raised(&mut edits, 1, 0);
    let unknown = EditId {
        author: 1,
        sequence: 9,
    };
    let error = edits.undo_edit(1, unknown).unwrap_err();
    assert_eq!(error.to_string(), "the log has no stroke 9 of author 1");
    let error = edits.redo_edit(1, id).unwrap_err();
    assert_eq!(
        error.to_string(),
        "stroke 1 of author 1 is already part of the terrain"
    );
    let undo = edits.undo_edit(5, id).unwrap().id;
    let error = edits.undo_edit(5, id).unwrap_err();
    assert_eq!(error.to_string(), "stroke 1 of author 1 is already undone");
    // A tombstone cannot be undone.
    let error = edits.undo_edit(5, undo).unwrap_err();
    assert_eq!(error, EditError::Unknown { id: undo });
    assert_eq!(edits.len(), 2);
}

#[test]
fn tombstones_may_arrive_before_their_strokes() {
    let mut edits = Edits::new(Arc::new(Rough));
    let id = raised(&mut edits, 1, 0);
    edits.undo(1).unwrap();
    let mut copy = Edits::new(Arc::new(Rough));
    for entry in edits.entries().rev() {
        assert!(copy.insert(entry.clone()).unwrap().is_empty());
    }
    assert!(!copy.is_active(id) && copy.tiles().count() == 0);
    copy.redo(1).unwrap();
    assert_eq!(copy.delta_mm(0, 0), 100);
}

#[test]
fn all_random_edits_undone_give_back_the_base() {
    let count = cases(10_000, 100_000) as usize;
    let mut rng = SeededRng::new(1, b"undo    ");
    let mut edits = Edits::new(Arc::new(Rough));
    let mut ids = Vec::new();
    for at in 0..count {
        let brush = brush(&mut rng);
        let stroke = stroke(&mut rng, brush, 1500, 8);
        // Short strokes.
        let [x, y] = stroke.points[0];
        let points = stroke
            .points
            .iter()
            .map(|point| [x + point[0] % 4000, y + point[1] % 4000]);
        let points = points.collect();
        let stroke = Stroke { points, ..stroke };
        ids.push(edits.stroke(at as u32 % 4, stroke).unwrap().id);
    }
    assert!(edits.tiles().count() > 1000);
    // Half by the authors from the last to the first, and the rest at random.
    for at in 0..count / 2 {
        edits.undo(at as u32 % 4).unwrap().unwrap();
    }
    ids.retain(|&id| edits.is_active(id));
    assert_eq!(ids.len(), count - count / 2);
    rng.shuffle(&mut ids);
    for id in ids {
        edits.undo_edit(9, id).unwrap();
    }
    assert_eq!(edits.tiles().count(), 0);
    let area = CellRect::new(-1700, -1700, 3400, 3400);
    let heights = edits.heights_mm(area);
    assert!(heights == Edits::new(Arc::new(Rough)).heights_mm(area));
}

#[test]
fn compaction_keeps_the_terrain() {
    let mut rng = SeededRng::new(2, b"undo    ");
    for case in 0..6 {
        let mut edits = Edits::with_limits(Arc::new(Rough), CROWDED);
        for at in 0..24 {
            edits.stroke(at % 3, any(&mut rng)).unwrap();
            if rng.percent(20) {
                edits.undo(at % 3).unwrap();
            }
        }
        let whole = edits.clone();
        let before = 1 + rng.below(edits.clock() + 2);
        edits.compact(before);
        assert!(edits.tiles().eq(whole.tiles()), "case {case}");
        assert!(edits.entries().all(|entry| entry.time >= before));
        // What is left can be undone, as if the rest had never been in the log.
        let mut kept: Vec<_> = edits.entries().map(|entry| entry.id).collect();
        kept.retain(|&id| edits.is_active(id) && rng.percent(50));
        let mut others = whole.clone();
        for id in kept {
            edits.undo_edit(8, id).unwrap();
            others.undo_edit(8, id).unwrap();
        }
        assert!(edits.tiles().eq(others.tiles()), "case {case}");
        Model::read(AREA, &edits).assert_is(&Model::of(AREA, others.entries()), "compacted");
        // Once more, and to the end.
        edits.compact(edits.clock() + 1);
        assert!(
            edits.is_empty() && edits.tiles().eq(others.tiles()),
            "case {case}"
        );
        // What is compacted cannot be inserted again.
        let first = whole.entries().next().unwrap();
        let error = edits.insert(first.clone()).unwrap_err();
        assert!(matches!(error, EditError::Compacted { .. }), "{error}");
        // Authors continue their numbers.
        let next = edits.stroke(0, any(&mut rng)).unwrap().id;
        assert!(whole.entry(next).is_none());
        let read = Edits::from_bytes(&edits.to_bytes(), Arc::new(Rough), CROWDED).unwrap();
        assert!(read.tiles().eq(edits.tiles()) && read.to_bytes() == edits.to_bytes());
    }
}

#[test]
fn edits_stay_on_top_of_another_base() {
    let mut rng = SeededRng::new(3, b"undo    ");
    let mut edits = Edits::with_limits(Arc::new(FlatBase { height_mm: -7 }), CROWDED);
    for at in 0..20 {
        edits.stroke(at % 3, any(&mut rng)).unwrap();
    }
    edits.undo(1).unwrap();
    edits.set_base(Arc::new(Rough));
    let model = Model::of(AREA, edits.entries());
    Model::read(AREA, &edits).assert_is(&model, "new base");
    // The checkpoints are those of the new base.
    for author in [0, 2, 1, 0, 2] {
        edits.undo(author).unwrap();
        let model = Model::of(AREA, edits.entries());
        Model::read(AREA, &edits).assert_is(&model, "undo on the new base");
    }
}

#[test]
fn redo_passes_over_compacted_strokes() {
    let mut edits = Edits::new(Arc::new(Rough));
    let [old, new] = [0, 9].map(|x| raised(&mut edits, 1, x));
    for id in [new, old] {
        edits.undo_edit(1, id).unwrap();
    }
    edits.compact(2);
    assert_eq!(edits.entry(old), None);
    assert!(edits.redo(1).unwrap().is_some());
    assert!(edits.is_active(new));
    assert_eq!(edits.redo(1), Ok(None));
}

#[test]
fn memory_shrinks_with_compaction() {
    let mut rng = SeededRng::new(4, b"undo    ");
    let mut edits = Edits::with_limits(Arc::new(Rough), EditLimits::default());
    for at in 0..300 {
        edits.stroke(at % 3, any(&mut rng)).unwrap();
    }
    let before = edits.memory();
    assert!(before.checkpoints > 0 && before.log > 300 * size_of::<Operation>());
    edits.compact(u64::MAX);
    let after = edits.memory();
    assert_eq!(
        (after.log, after.checkpoints, after.tiles),
        (0, 0, before.tiles)
    );
    assert!(after.total() < before.total());
}
