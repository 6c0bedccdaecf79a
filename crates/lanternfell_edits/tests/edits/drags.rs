//! A drag gives the same terrain however its positions are grouped, and lines with any number of positions give the same.

use std::sync::Arc;

use lanternfell_edits::{
    Brush, EditError, EditId, EditLimits, Edits, Entry, Falloff, FlatBase, Operation, Stroke,
};
use lanternfell_random::SeededRng;

use crate::{
    model::{Rough, simplified},
    random::{CROWDED, any, brush, place, stroke},
};

/// Positions of a pointer that moves evenly along straight lines, rounded to whole units.
fn sampled(corners: &[[i64; 2]], per_line: i64) -> Vec<[i64; 2]> {
    let mut samples = vec![corners[0]];
    for line in corners.windows(2) {
        for at in 1..=per_line {
            let along = |axis: usize| {
                let step = (line[1][axis] - line[0][axis]) as f64;
                line[0][axis] + (step * at as f64 / per_line as f64).round() as i64
            };
            samples.push([along(0), along(1)]);
        }
    }
    samples
}

#[test]
fn drags_of_30_and_240_positions_give_the_same_tiles() {
    let mut rng = SeededRng::new(1, b"drags   ");
    for case in 0..60 {
        let brush = brush(&mut rng);
        let template = stroke(&mut rng, brush, 60, 24);
        let count = 2 + rng.below(3);
        let mut place = || [(); 2].map(|()| i64::from(rng.within(-15_000, 15_000)));
        let corners: Vec<[i64; 2]> = (0..count).map(|_| place()).collect();
        let drag = |per_line: i64| {
            let positions = sampled(&corners, per_line);
            let mut edits = Edits::new(Arc::new(Rough));
            let stroke = Stroke {
                strength: 1000,
                falloff: template.falloff,
                ..Stroke::along(template.brush.clone(), template.radius, positions)
            };
            edits.stroke(1, stroke).unwrap();
            edits
        };
        let [slow, fast] = [30, 240].map(drag);
        assert!(slow.tiles().eq(fast.tiles()), "case {case}: {corners:?}");
        assert!(slow.to_bytes() == fast.to_bytes(), "case {case}");
    }
}

#[test]
fn a_hand_that_trembles_in_one_place_makes_one_dab() {
    let mut rng = SeededRng::new(5, b"drags   ");
    let mut edits = Edits::new(Arc::new(Rough));
    let raise = Stroke::along(Brush::Raise { mm: 250 }, 1024, [[512, 256]]);
    let id = edits.start_drag(1, raise).unwrap().id;
    for _ in 0..500 {
        let position = [512, 256].map(|axis| axis + i64::from(rng.within(-10, 10)));
        edits.extend_drag(id, &[position]).unwrap();
    }
    assert_eq!(edits.delta_mm(2, 1), 250);
    edits.end_drag(id).unwrap();
    assert_eq!(edits.delta_mm(2, 1), 250);
}

#[test]
fn a_held_brush_is_one_dab() {
    let raise = Brush::Raise { mm: 250 };
    let stroke = Stroke {
        falloff: Falloff::Linear,
        ..Stroke::along(raise, 1024, [[512, 256]; 100])
    };
    let mut edits = Edits::new(Arc::new(Rough));
    edits.stroke(1, stroke).unwrap();
    let deltas = [2, 3, 4, 5, 6].map(|column| edits.delta_mm(column, 1));
    assert_eq!(deltas, [250, 188, 125, 63, 0]);
}

/// A log with some strokes of another author.
fn edited(rng: &mut SeededRng) -> Edits {
    let mut edits = Edits::with_limits(Arc::new(Rough), CROWDED);
    for _ in 0..4 {
        edits.stroke(2, any(rng)).unwrap();
    }
    edits
}

/// The positions of a pointer that moves along random lines.
fn wandering(rng: &mut SeededRng) -> Vec<[i64; 2]> {
    let corners: Vec<[i64; 2]> = (0..3).map(|_| place(rng)).collect();
    let mut positions = sampled(&corners, 7);
    // It moves slowly at the end, and stops sometimes.
    let [x, y] = corners[2];
    positions.extend((1..9).map(|step| [x + 5 * step, y - 4 * step]));
    for _ in 0..5 {
        let at = rng.below(positions.len() as u64) as usize;
        positions.insert(at, positions[at]);
    }
    positions
}

#[test]
fn a_drag_equals_the_whole_stroke_however_its_positions_are_grouped() {
    let mut rng = SeededRng::new(2, b"drags   ");
    for case in 0..40 {
        let before = edited(&mut rng);
        let (template, positions) = (any(&mut rng), wandering(&mut rng));
        let with = |points: &[[i64; 2]]| Stroke {
            points: points.to_vec(),
            ..template.clone()
        };
        let mut at_once = before.clone();
        at_once.start_drag(1, with(&positions)).unwrap();
        let mut whole = before.clone();
        whole.stroke(1, simplified(&with(&positions))).unwrap();
        for most in [1, 3, 100] {
            let mut edits = before.clone();
            let id = edits.start_drag(1, with(&positions[..1])).unwrap().id;
            let mut rest = &positions[1..];
            while !rest.is_empty() {
                let count = 1 + rng.below(rest.len().min(most) as u64) as usize;
                edits.extend_drag(id, &rest[..count]).unwrap();
                rest = &rest[count..];
            }
            let what = format!("case {case}, {:?}", template.brush);
            assert!(edits.tiles().eq(at_once.tiles()), "{what}");
            edits.end_drag(id).unwrap();
            assert!(edits.tiles().eq(whole.tiles()), "{what}");
            assert!(edits.to_bytes() == whole.to_bytes(), "{what}");
            edits.undo(1).unwrap();
            assert!(edits.tiles().eq(before.tiles()), "{what}");
        }
    }
}

/// A hand trembles, and its positions are rounded.
#[test]
fn the_end_of_a_drag_changes_little() {
    let mut rng = SeededRng::new(4, b"drags   ");
    for case in 0..30 {
        let radius = 4 * 256 + rng.below(20 * 256) as u32;
        let mut drag = Stroke::along(Brush::Raise { mm: 1000 }, radius, [[0, 0]]);
        let step = [2.0, 30.0, 700.0][case % 3];
        let (mut at, mut turn) = ([0.0, 0.0], 0.0_f64);
        for _ in 0..800 {
            turn += rng.between(-0.03, 0.03);
            at = [at[0] + step * turn.cos(), at[1] + step * turn.sin()];
            let tremble = rng.between(-2.0, 2.0);
            drag.points
                .push(at.map(|axis: f64| (axis + tremble).round() as i64));
        }
        let mut edits = Edits::new(Arc::new(Rough));
        let id = edits.start_drag(1, drag).unwrap().id;
        let heights = |edits: &Edits| {
            let tiles = edits.tiles().map(|(tile, _)| tile.area());
            let heights = tiles.flat_map(|area| edits.heights_mm(area));
            heights.collect::<Vec<i32>>()
        };
        let before = heights(&edits);
        edits.end_drag(id).unwrap();
        let after = heights(&edits);
        let changes = before.iter().zip(&after).map(|(a, b)| a.abs_diff(*b));
        // One dab is 1000 mm high.
        assert!(changes.max().unwrap() <= 60, "case {case}");
    }
}

#[test]
fn versions_of_a_drag_may_arrive_in_any_order() {
    let mut rng = SeededRng::new(3, b"drags   ");
    for case in 0..20 {
        let mut edits = edited(&mut rng);
        let mut versions: Vec<Entry> = edits.entries().cloned().collect();
        let id = edits.start_drag(1, any(&mut rng)).unwrap().id;
        for position in wandering(&mut rng) {
            versions.push(edits.entry(id).unwrap().clone());
            edits.extend_drag(id, &[position]).unwrap();
        }
        if case % 2 == 0 {
            edits.end_drag(id).unwrap();
        }
        versions.extend(edits.entries().cloned());
        rng.shuffle(&mut versions);
        let mut copy = Edits::with_limits(Arc::new(Rough), CROWDED);
        for entry in versions {
            copy.insert(entry).unwrap();
        }
        assert!(copy.tiles().eq(edits.tiles()), "case {case}");
        assert!(copy.to_bytes() == edits.to_bytes(), "case {case}");
    }
}

/// A small brush, whose last dab is not at the last position.
#[test]
fn late_strokes_reach_a_slope_that_ends_in_the_next_tile() {
    let mut raised = Edits::new(Arc::new(Rough));
    // Not in the tile before.
    let raise = Stroke::along(Brush::Raise { mm: 5000 }, 1100, [[68 * 256, 0]]);
    let raise = raised.stroke(2, raise).unwrap().id;
    let raise = raised.entry(raise).unwrap().clone();
    let slope = |end: i64| Stroke {
        falloff: Falloff::Constant,
        ..Stroke::along(Brush::Slope, 100, [[16_000, 0], [end, 0]])
    };
    for positions in [vec![[16_270, 0]], vec![[16_300, 0], [15_990, 0]]] {
        let mut edits = Edits::new(Arc::new(Rough));
        let id = edits.start_drag(3, slope(16_250)).unwrap().id;
        for position in positions {
            edits.extend_drag(id, &[position]).unwrap();
            let mut all = raised.clone();
            all.insert(edits.entry(id).unwrap().clone()).unwrap();
            let mut late = edits.clone();
            late.insert(raise.clone()).unwrap();
            assert!(late.tiles().eq(all.tiles()), "{position:?}");
        }
        edits.undo(3).unwrap();
        edits.insert(raise.clone()).unwrap();
        assert!(edits.tiles().eq(raised.tiles()));
    }
}

/// More drags at the same time than are remembered, on more tiles, and another base in between.
#[test]
fn many_large_drags_at_once_are_exact() {
    let mut rng = SeededRng::new(6, b"drags   ");
    let mut edits = Edits::new(Arc::new(FlatBase { height_mm: 700 }));
    let brushes = [
        Brush::Raise { mm: 400 },
        Brush::Terrace { mm: 900 },
        Brush::Plants { density: 9 },
    ];
    let drags: Vec<EditId> = (0..10)
        .map(|author| {
            let radius = if author == 0 { 300 * 256 } else { 6 * 256 };
            let brush = brushes[author as usize % 3].clone();
            let stroke = Stroke::along(brush, radius, [place(&mut rng)]);
            edits.start_drag(author, stroke).unwrap().id
        })
        .collect();
    for round in 0..4 {
        for &drag in &drags {
            edits.extend_drag(drag, &[place(&mut rng)]).unwrap();
            // Too short for another dab.
            let last = edits.entry(drag).unwrap().clone();
            let Operation::Drag(Stroke { points, .. }) = last.operation else {
                panic!("the drag is in progress");
            };
            let [x, y] = points[points.len() - 1];
            edits.extend_drag(drag, &[[x + 20, y]]).unwrap();
        }
        if round == 1 {
            edits.set_base(Arc::new(Rough));
        }
    }
    let mut at_once = Edits::new(Arc::new(Rough));
    for entry in edits.entries() {
        at_once.insert(entry.clone()).unwrap();
    }
    assert!(edits.tiles().eq(at_once.tiles()));
}

/// The line at the end of a drag can be longer than the line in progress.
#[test]
fn a_drag_at_a_limit_ends() {
    let mut rng = SeededRng::new(7, b"drags   ");
    let limits = EditLimits {
        tiles: 1,
        ..CROWDED
    };
    for _ in 0..3000 {
        let mut edits = Edits::with_limits(Arc::new(Rough), limits);
        let mut at = [15_500 + i64::from(rng.within(0, 500)), 8000];
        let stroke = Stroke::along(Brush::Raise { mm: 9 }, 128, [at]);
        let id = edits.start_drag(1, stroke).unwrap().id;
        loop {
            at = [
                at[0] + i64::from(rng.within(3, 20)),
                at[1] + i64::from(rng.within(-9, 9)),
            ];
            if edits.extend_drag(id, &[at]).is_err() {
                break;
            }
        }
        edits.end_drag(id).unwrap();
    }
}

#[test]
fn wrong_versions_and_ended_drags_are_errors() {
    let mut edits = Edits::new(Arc::new(Rough));
    let raise = |points: &[[i64; 2]]| Stroke {
        points: points.to_vec(),
        ..Stroke::along(Brush::Raise { mm: 9 }, 900, [])
    };
    let id = edits.start_drag(1, raise(&[[0, 0], [900, 0]])).unwrap().id;
    let (bytes, entry) = (edits.to_bytes(), edits.entry(id).unwrap().clone());
    let mut wide = raise(&[[0, 0], [900, 0], [900, 5]]);
    wide.radius = 901;
    let long = raise(&[[0, 0], [900, 0]].repeat(2049));
    let refused = [
        (
            raise(&[[0, 0], [901, 0], [902, 0]]),
            "the log already has a different entry 1 of author 1",
        ),
        (wide, "the log already has a different entry 1 of author 1"),
        (
            long,
            "the number of points of the stroke is 4098, but must be from 1 to 4096",
        ),
    ];
    for (stroke, message) in refused {
        let operation = Operation::Drag(stroke);
        let version = Entry {
            operation,
            ..entry.clone()
        };
        assert_eq!(edits.insert(version).unwrap_err().to_string(), message);
        assert!(edits.to_bytes() == bytes);
    }
    let error = edits.extend_drag(id, &[[i64::MAX, 0]]).unwrap_err();
    assert!(matches!(error, EditError::Stroke(_)) && edits.to_bytes() == bytes);
    edits.end_drag(id).unwrap();
    let unknown = EditId {
        author: 1,
        sequence: 2,
    };
    for id in [id, unknown] {
        assert_eq!(
            edits.extend_drag(id, &[[5, 5]]),
            Err(EditError::NoDrag { id })
        );
        assert_eq!(edits.end_drag(id), Err(EditError::NoDrag { id }));
    }
    let error = edits.end_drag(unknown).unwrap_err().to_string();
    assert_eq!(error, "the log has no drag 2 of author 1 in progress");
}
