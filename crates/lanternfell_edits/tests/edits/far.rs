//! Far from the origin everything is as near to it.

use std::sync::Arc;

use lanternfell_edits::{Brush, Edits, Stroke, TileAddress};
use lanternfell_random::SeededRng;

use crate::{
    model::Rough,
    random::{CROWDED, any},
};

#[test]
fn strokes_beyond_2_to_the_40_cells_are_as_near_ones() {
    // `Rough` repeats every 2^20 cells.
    for [east, south] in [[1 << 41, -(1 << 43)], [-(1 << 47), (1 << 47) + (1 << 20)]] {
        let mut rng = SeededRng::new(1, b"far     ");
        let mut near = Edits::with_limits(Arc::new(Rough), CROWDED);
        let mut far = Edits::with_limits(Arc::new(Rough), CROWDED);
        for at in 0..60 {
            let stroke = any(&mut rng);
            // The pattern of noise is a different one there, and so are the places of droplets.
            if matches!(stroke.brush, Brush::Noise { .. } | Brush::Erode { .. }) {
                continue;
            }
            let move_by = |[x, y]: &[i64; 2]| [x + east * 256, y + south * 256];
            let moved = Stroke {
                points: stroke.points.iter().map(move_by).collect(),
                ..stroke.clone()
            };
            near.stroke(at % 3, stroke).unwrap();
            far.stroke(at % 3, moved).unwrap();
            if rng.percent(30) {
                near.undo(at % 3).unwrap();
                far.undo(at % 3).unwrap();
            }
        }
        let moved = near.tiles().map(|(tile, state)| {
            let (column, row) = (tile.column + east / 64, tile.row + south / 64);
            (TileAddress::new(tile.channel, column, row), state)
        });
        assert!(moved.eq(far.tiles()));
        assert!(near.tiles().count() > 20);
        let read = Edits::from_bytes(&far.to_bytes(), Arc::new(Rough), CROWDED).unwrap();
        assert!(read.tiles().eq(far.tiles()));
    }
}

#[test]
fn extreme_positions_are_allowed_or_named() {
    let mut edits = Edits::new(Arc::new(Rough));
    for x in [-Stroke::MAX_POSITION, Stroke::MAX_POSITION] {
        let offset = [Brush::MAX_OFFSET, -Brush::MAX_OFFSET];
        for brush in [
            Brush::Raise { mm: 5 },
            Brush::Clone { offset },
            Brush::Smooth { reach: 16 },
        ] {
            let stroke = Stroke::along(brush, 2000, [[x, -x]]);
            edits.stroke(1, stroke).unwrap();
        }
    }
    while edits.undo(1).unwrap().is_some() {}
    assert_eq!(edits.tiles().count(), 0);
    for position in [Stroke::MAX_POSITION + 1, i64::MAX, i64::MIN] {
        let stroke = Stroke::along(Brush::Slope, 2000, [[position, 0]]);
        let error = edits.stroke(1, stroke).unwrap_err().to_string();
        assert!(
            error.starts_with("the position of the stroke is"),
            "{error}"
        );
    }
    // Queries have no limit.
    assert_eq!(edits.delta_mm(i64::MIN, i64::MAX), 0);
}
