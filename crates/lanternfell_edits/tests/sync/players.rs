//! What players do.

use lanternfell_edits::{Brush, Falloff, Stroke, SyncError, TerrainClient};
use lanternfell_random::SeededRng;

/// A brush of any kind. Most read heights, so that their order matters.
fn brush(rng: &mut SeededRng) -> Brush {
    match rng.below(14) {
        0 => Brush::Raise { mm: 300 },
        1..4 => Brush::Lower { mm: 400 },
        4 => Brush::Noise {
            seed: rng.word(),
            cells: 5,
            mm: 200,
        },
        5 => Brush::Flatten { mm: None },
        6 => Brush::Slope,
        7 => Brush::Smooth { reach: 2 },
        8 => Brush::Sharpen { reach: 1 },
        9 => Brush::Erode {
            seed: rng.word(),
            steps: 6,
        },
        10 => Brush::Clone { offset: [40, -25] },
        11 => Brush::Hole,
        12 => Brush::Paint {
            layer: rng.below(4) as u8,
        },
        _ => Brush::Plants { density: 40 },
    }
}

pub fn stroke(rng: &mut SeededRng, reach: i32) -> Stroke {
    let reach = reach * 256;
    let first = [(); 2].map(|()| i64::from(rng.within(-reach, reach)));
    let last = first.map(|axis| axis + i64::from(rng.within(-2000, 2000)));
    let brush = brush(rng);
    Stroke {
        falloff: Falloff::Dome,
        ..Stroke::along(brush, rng.within(200, 1200) as u32, [first, last])
    }
}

/// Strokes, undo, redo, and now and then a stroke that is too large. Drags are a few steps long.
pub fn play(client: &mut TerrainClient, rng: &mut SeededRng) {
    let made = match rng.below(20) {
        0..3 => client.undo().map(drop),
        3 => client.redo().map(drop),
        4 => {
            let large = Stroke {
                radius: 9000,
                ..stroke(rng, 150)
            };
            client.stroke(large).map(drop)
        }
        5 => drag(client, rng),
        _ => client.stroke(stroke(rng, 150)).map(drop),
    };
    match made {
        Ok(()) | Err(SyncError::NotReady | SyncError::Pending { .. }) => {}
        Err(error) => panic!("{error}"),
    }
}

fn drag(client: &mut TerrainClient, rng: &mut SeededRng) -> Result<(), SyncError> {
    let id = client.start_drag(stroke(rng, 150))?.id;
    let [mut x, y] = stroke(rng, 150).points[0];
    for _ in 0..3 {
        x += 300;
        client.extend_drag(id, &[[x, y]])?;
    }
    client.end_drag(id).map(drop)
}
