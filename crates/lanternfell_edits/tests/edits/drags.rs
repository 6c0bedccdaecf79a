//! A drag gives the same terrain at any frame rate.

use std::sync::Arc;

use lanternfell_edits::{Brush, Edits, Falloff, Stroke};
use lanternfell_random::SeededRng;

use crate::{
    model::Rough,
    random::{brush, stroke},
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
