//! Effects: flames, smoke, splashes, and marks on the map.

use super::{
    canvas::{Bitmap, Canvas, SIDE},
    palette::{COLD, FLAME, WHITE},
};

/// A temporary effect, or a mark on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Fire that fills a cell. Frames 0 to 2.
    Fire(u8),
    /// A spark of a flame, from large (0) to small (2).
    Flame(u8),
    /// Translucent smoke, from thin (0) to thick (2).
    Smoke(u8),
    /// A drop (0), and its splash (1).
    Drop(u8),
    /// A spark of steel on steel.
    Spark,
    /// The breath of a sleeper. Frames 0 and 1.
    Sleep(u8),
    /// A quarter of a noise ring around a corner of the cell, 0 to 3 clockwise from the north-west
    /// corner.
    Ring(u8),
    /// The target of a throw.
    Target,
    /// A cell of a path.
    Path,
    /// The frame around the cell under the cursor.
    Selection,
    /// A blow.
    Slash,
}

impl Effect {
    /// All effects.
    pub const ALL: [Self; 22] = [
        Self::Fire(0),
        Self::Fire(1),
        Self::Fire(2),
        Self::Flame(0),
        Self::Flame(1),
        Self::Flame(2),
        Self::Smoke(0),
        Self::Smoke(1),
        Self::Smoke(2),
        Self::Drop(0),
        Self::Drop(1),
        Self::Spark,
        Self::Sleep(0),
        Self::Sleep(1),
        Self::Ring(0),
        Self::Ring(1),
        Self::Ring(2),
        Self::Ring(3),
        Self::Target,
        Self::Path,
        Self::Selection,
        Self::Slash,
    ];

    /// Draws the effect.
    pub fn draw(self) -> Canvas {
        match self {
            Self::Fire(moment) => fire(moment),
            Self::Flame(0) => small(6, 5, &["..y.", ".yY.", "yYWy", "YWWY", "OYYO", ".OO."]),
            Self::Flame(1) => small(6, 7, &[".y.", "yWy", "OYO"]),
            Self::Flame(_) => small(7, 8, &["O", "y"]),
            Self::Smoke(size) => smoke(size),
            Self::Drop(0) => small(7, 5, &["L.", "lL", "LwLl", "lLLd", ".ld"]).edged(),
            Self::Drop(_) => small(
                3,
                8,
                &[
                    "....L.....",
                    "L.......L.",
                    ".l.L.L.l..",
                    "..l...l...",
                    ".LlllllL..",
                    "..LLLLL...",
                ],
            ),
            Self::Spark => small(
                4,
                4,
                &[
                    "...W....", "W..w..Y.", ".Y.w.Y..", "..YwY...", "WwwwwwW.", "..YwY...",
                    ".Y.w.Y..", "...W....",
                ],
            ),
            Self::Sleep(0) => small(8, 1, &["wwww", "..w.", ".w..", "wwww"]).edged(),
            Self::Sleep(_) => {
                let mut canvas = small(8, 0, &["wwwww", "...w.", "..w..", ".w...", "wwwww"]);
                canvas.spell(4, 6, &["www", ".w.", "www"]);
                canvas.edged()
            }
            Self::Ring(quarter) => ring(quarter),
            Self::Target => Canvas::spelled(&TARGET).edged(),
            Self::Path => small(6, 6, &[".WW.", "WwwW", "WwwW", ".WW."]).edged(),
            Self::Selection => selection(),
            Self::Slash => Canvas::spelled(&SLASH),
        }
    }
}

fn small(left: i32, top: i32, rows: &[&str]) -> Canvas {
    let mut canvas = Canvas::EMPTY;
    canvas.spell(left, top, rows);
    canvas
}

fn fire(moment: u8) -> Canvas {
    // The height of the flames in each column, in three frames.
    const HEIGHTS: [[i32; 16]; 3] = [
        [1, 3, 5, 4, 6, 8, 12, 9, 7, 10, 14, 9, 6, 7, 4, 1],
        [1, 5, 7, 4, 8, 11, 14, 10, 7, 8, 11, 7, 5, 6, 3, 1],
        [1, 2, 4, 6, 9, 7, 10, 13, 9, 7, 9, 12, 8, 5, 6, 1],
    ];
    let mut canvas = Canvas::EMPTY;
    canvas.paint(|x, y| {
        let from_side = x.min(SIDE - 1 - x);
        let height = HEIGHTS[usize::from(moment % 3)][x as usize % 16];
        // Hotter further inside: below the tips, and away from the sides and the ground.
        let depth = (y - (SIDE - 1 - height))
            .min(2 * from_side + 1)
            .min(SIDE + 4 - y);
        match depth {
            ..0 => None,
            0 | 1 => Some(FLAME[1]),
            2 | 3 => Some(FLAME[2]),
            4..=6 => Some(FLAME[3]),
            _ => Some(FLAME[4]),
        }
    });
    canvas
}

/// A heap of round puffs, each lit from above.
fn smoke(size: u8) -> Canvas {
    // The center and radius of each puff, back to front.
    const THIN: [(i32, i32, i32); 3] = [(6, 8, 3), (10, 9, 3), (8, 6, 2)];
    const MIDDLE: [(i32, i32, i32); 5] = [(7, 5, 3), (11, 7, 3), (4, 9, 3), (10, 11, 3), (7, 9, 4)];
    const THICK: [(i32, i32, i32); 7] = [
        (8, 4, 4),
        (12, 5, 3),
        (3, 6, 3),
        (12, 10, 4),
        (4, 11, 4),
        (9, 12, 3),
        (8, 8, 4),
    ];
    let puffs: &[(i32, i32, i32)] = match size {
        0 => &THIN,
        1 => &MIDDLE,
        _ => &THICK,
    };
    let mut canvas = Canvas::EMPTY;
    for (middle_x, middle_y, radius) in puffs {
        for y in 0..SIDE {
            for x in 0..SIDE {
                let (dx, dy) = (x - middle_x, y - middle_y);
                if dx * dx + dy * dy > radius * radius + 1 {
                    continue;
                }
                let ink = match 2 * dy + dx {
                    ..-3 => COLD[5],
                    -3..3 => COLD[4],
                    _ => COLD[3],
                };
                canvas.veil(x, y, ink, 110 + 50 * size.min(2));
            }
        }
    }
    canvas
}

fn ring(quarter: u8) -> Canvas {
    let mut canvas = Canvas::EMPTY;
    canvas.paint(|x, y| {
        let away = (SIDE - x) * (SIDE - x) + (SIDE - y) * (SIDE - y);
        (186..225).contains(&away).then_some(WHITE)
    });
    (0..quarter).fold(canvas, |canvas, _| canvas.turned())
}

fn selection() -> Canvas {
    let mut canvas = Canvas::EMPTY;
    canvas.paint(|x, y| {
        let (from_x, from_y) = (x.min(SIDE - 1 - x), y.min(SIDE - 1 - y));
        let rim = from_x.min(from_y) == 0;
        (rim && from_x.max(from_y) < 5).then_some(FLAME[3])
    });
    canvas
}

const TARGET: Bitmap = [
    ".......ww.......",
    ".......ww.......",
    "....ZZZwwZZZ....",
    "...Z........Z...",
    "..Z..........Z..",
    "..Z..........Z..",
    "..Z..........Z..",
    "www..........www",
    "www..........www",
    "..Z..........Z..",
    "..Z..........Z..",
    "..Z..........Z..",
    "...Z........Z...",
    "....ZZZwwZZZ....",
    ".......ww.......",
    ".......ww.......",
];

const SLASH: Bitmap = [
    "..............w.",
    "............ww..",
    "...........ww...",
    ".........wwww...",
    "........wwwZ....",
    ".......wwwZ.....",
    "......wwwwZ.....",
    ".....wwwwX......",
    ".....wwwZ.......",
    "....wwwZ........",
    "...wwwZ.........",
    "...wwZ..........",
    "..wwX...........",
    "..wZ............",
    ".w..............",
    "................",
];
