//! Random strokes of all brushes, and random logs.

use lanternfell_edits::{Brush, CellRect, EditLimits, Falloff, StampImage, Stroke};
use lanternfell_random::SeededRng;

/// The cells of small tests: 3 x 3 tiles around the origin and parts of their neighbors.
pub const AREA: CellRect = CellRect::new(-90, -90, 180, 180);

/// The distance of points from the origin in small tests, in cells. With the largest radius, all
/// strokes stay within [`AREA`].
const REACH: i32 = 60;

/// Limits with many checkpoints, few of which remain.
pub const CROWDED: EditLimits = EditLimits {
    entries: 100_000,
    tiles: 10_000,
    checkpoint_strokes: 3,
    checkpoint_tiles: 40,
};

/// A brush of any kind.
pub fn brush(rng: &mut SeededRng) -> Brush {
    match rng.below(15) {
        0 | 1 => additive(rng),
        2 => Brush::Flatten {
            mm: Some(rng.within(-3000, 3000)),
        },
        3 => Brush::Flatten { mm: None },
        4 => Brush::Slope,
        5 => Brush::Terrace {
            mm: rng.within(1, 2000),
        },
        6 => Brush::Smooth {
            reach: 1 + rng.below(5) as u32,
        },
        7 => Brush::Sharpen {
            reach: 1 + rng.below(3) as u32,
        },
        8 => Brush::Clone {
            offset: [(); 2].map(|()| rng.within(-100, 100).into()),
        },
        14 => Brush::Erode {
            seed: rng.word(),
            steps: 1 + rng.below(9) as u32,
        },
        9 => Brush::Hole,
        10 => Brush::Unhole,
        11 => Brush::Plants {
            density: rng.below(256) as u8,
        },
        _ => Brush::Paint {
            layer: rng.below(5) as u8,
        },
    }
}

/// A brush whose order does not matter.
pub fn additive(rng: &mut SeededRng) -> Brush {
    match rng.below(4) {
        0 => Brush::Raise {
            mm: rng.within(0, 900),
        },
        1 => Brush::Lower {
            mm: rng.within(0, Brush::MAX_MM),
        },
        2 => Brush::Noise {
            seed: rng.word(),
            cells: 1 + rng.below(40) as u32,
            mm: rng.within(0, 700),
        },
        _ => {
            let (width, rows) = (1 + rng.below(6) as u32, 1 + rng.below(6) as u32);
            let heights: Vec<i32> = (0..width * rows).map(|_| rng.within(-900, 900)).collect();
            Brush::Stamp {
                image: StampImage::new(width, heights).unwrap(),
            }
        }
    }
}

/// A stroke with this brush.
pub fn stroke(rng: &mut SeededRng, brush: Brush, reach: i32, radius: u64) -> Stroke {
    let place = |rng: &mut SeededRng| {
        let reach = reach * 256;
        [(); 2].map(|()| i64::from(rng.within(-reach, reach)))
    };
    let points: Vec<[i64; 2]> = (0..=rng.below(3)).map(|_| place(rng)).collect();
    // Sometimes less than a cell, so that there are cells between the dabs.
    let least = if rng.percent(10) { 1 } else { 300 };
    let radius = (least + rng.below(radius * 256 - least)) as u32;
    let falloffs = [
        Falloff::Constant,
        Falloff::Linear,
        Falloff::Smooth,
        Falloff::Dome,
        Falloff::Tip,
    ];
    Stroke {
        falloff: *rng.pick(&falloffs).unwrap(),
        strength: rng.below(1001) as u16,
        ..Stroke::along(brush, radius, points)
    }
}

/// A position within [`AREA`].
pub fn place(rng: &mut SeededRng) -> [i64; 2] {
    [(); 2].map(|()| i64::from(rng.within(-REACH * 256, REACH * 256)))
}

/// A stroke of any kind within [`AREA`].
pub fn any(rng: &mut SeededRng) -> Stroke {
    let brush = brush(rng);
    stroke(rng, brush, REACH, 24)
}
