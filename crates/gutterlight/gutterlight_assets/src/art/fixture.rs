//! The lights of the keep, burning and dark.
//!
//! A sconce hangs on a wall. On the wall to the north, it is seen from the front and drawn on that
//! wall's face. To the east or west, it is seen from the side. To the south, it is seen over the
//! rim of the wall. All other lights stand in their own cell.

use gutterlight_rules::Direction;

use super::{
    canvas::{Bitmap, Canvas, SIDE},
    palette::{BLUE, FLAME, INK, Ink},
};

/// The number of animation frames of a flame.
pub const FLICKERS: u8 = 3;

/// A light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lamp {
    /// A torch in a bracket.
    Sconce {
        /// The side of the wall, a straight direction.
        side: Direction,
        /// The animation frame of the flame, if it burns.
        flame: Option<u8>,
    },
    /// A bowl of coals, with the animation frame of the flame, if it burns.
    Brazier(Option<u8>),
    /// Fungus, in one of two shapes.
    Fungus(u8),
    /// A crystal, in one of two animation frames.
    Crystal(u8),
    /// Moonlight on the floor.
    Moonlight,
}

impl Lamp {
    /// All lights.
    pub fn all() -> impl Iterator<Item = Self> {
        let flames = || (0..FLICKERS).map(Some).chain([None]);
        let sconces = Direction::STRAIGHT
            .into_iter()
            .flat_map(move |side| flames().map(move |flame| Self::Sconce { side, flame }));
        let others = [
            Self::Fungus(0),
            Self::Fungus(1),
            Self::Crystal(0),
            Self::Crystal(1),
            Self::Moonlight,
        ];
        sconces.chain(flames().map(Self::Brazier)).chain(others)
    }

    /// Draws the light.
    pub fn draw(self) -> Canvas {
        match self {
            Self::Sconce { side, flame } => sconce(side, flame),
            Self::Brazier(flame) => {
                let mut canvas = Canvas::spelled(&BRAZIER);
                if let Some(flame) = flame {
                    canvas.spell(2, 0, &LARGE_FLAMES[moment(flame)]);
                } else {
                    canvas = canvas.inked(cold);
                }
                canvas.edged()
            }
            Self::Fungus(0) => Canvas::spelled(&FUNGUS).edged(),
            Self::Fungus(_) => Canvas::spelled(&MORE_FUNGUS).edged(),
            Self::Crystal(0) => Canvas::spelled(&CRYSTAL).edged(),
            Self::Crystal(_) => Canvas::spelled(&CRYSTAL_GLINTING).edged(),
            Self::Moonlight => moonlight(),
        }
    }
}

/// The index of a flame's animation frame.
fn moment(flame: u8) -> usize {
    usize::from(flame % FLICKERS)
}

/// Replaces the colors of embers for a light that is out.
fn cold(ink: Ink) -> Ink {
    if FLAME.contains(&ink) { INK } else { ink }
}

fn sconce(side: Direction, flame: Option<u8>) -> Canvas {
    let (bracket, x, y) = match side {
        Direction::North => (&SCONCE_FROM_THE_FRONT, 6, 3),
        Direction::East | Direction::West => (&SCONCE_FROM_THE_SIDE, 9, 1),
        _ => (&SCONCE_FROM_BEHIND, 6, 7),
    };
    let mut canvas = Canvas::spelled(bracket);
    match flame {
        Some(flame) => canvas.spell(x, y, &SMALL_FLAMES[moment(flame)]),
        None => canvas = canvas.inked(cold),
    }
    let canvas = canvas.edged();
    if side == Direction::West {
        canvas.mirrored()
    } else {
        canvas
    }
}

/// A patch of light with the shadow of window bars.
fn moonlight() -> Canvas {
    let mut canvas = Canvas::EMPTY;
    for y in 1..SIDE - 1 {
        for x in 0..SIDE {
            let across = x + y / 2 - 4;
            let bar = across == 5 || y == 7;
            if !bar && (0..11).contains(&across) {
                let edge = across == 0 || across == 10 || y == 1 || y == SIDE - 2;
                canvas.veil(x, y, BLUE[3], if edge { 70 } else { 120 });
            }
        }
    }
    canvas
}

const SMALL_FLAMES: [[&str; 6]; 3] = [
    ["..y.", "..Y.", ".yYy", "OYWY", "OWWO", ".YY."],
    [".y..", ".Y..", "yYy.", "YWYO", "OWWO", ".YY."],
    ["y...", ".y.y", ".YY.", "OYWy", "OWWO", ".YY."],
];

const LARGE_FLAMES: [[&str; 8]; 3] = [
    [
        ".....y......",
        "..y..Y...y..",
        "..O.yYy..O..",
        ".Oy.YYY.yO..",
        ".OYyYWYyYO..",
        ".OYYWWWYYYO.",
        "..OYWWWWYO..",
        "..yYWWWWYy..",
    ],
    [
        "......y.....",
        "...y.yY.....",
        ".O.yyYY..y..",
        ".OyYYYYy.O..",
        "..OYWWYYyO..",
        ".OYYWWWYYO..",
        ".OYWWWWWYO..",
        "..yYWWWWYy..",
    ],
    [
        "....y.......",
        "....Y..y.O..",
        ".y.yYy.Yy...",
        ".O.YYYyYO...",
        ".OyYWWYYyO..",
        "..OYWWWWYYO.",
        "..OYWWWWYO..",
        "..yYWWWWYy..",
    ],
];

const SCONCE_FROM_THE_FRONT: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    ".....545545.....",
    "......4334......",
    ".......on.......",
    ".......on.......",
    "......5445......",
    ".......33.......",
    "................",
];

const SCONCE_FROM_THE_SIDE: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "........54545...",
    ".........433....",
    "..........on..4.",
    "..........on..4.",
    "..........55544.",
    "..............4.",
    "..............3.",
    "................",
    "................",
];

const SCONCE_FROM_BEHIND: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    ".....545545.....",
    "......4334......",
    "................",
];

const BRAZIER: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    "....rOyOryOr....",
    "..55rOyOrOyr55..",
    "..454444444434..",
    "...4433333332...",
    "....43333332....",
    ".....433332.....",
    "....4..33..2....",
    "...4...33...2...",
    "..44..4332..22..",
];

const FUNGUS: Bitmap = [
    "................",
    "................",
    "................",
    ".......TuuT.....",
    "......TuUUuT....",
    ".....TuUuuUuT...",
    ".....tTTFFTTt...",
    ".......FE.......",
    "..TuT..FE.......",
    ".TuUuT.FE..TuT..",
    ".tTFTt.FE.TuUuT.",
    "...FE..FE.tTFTt.",
    "...FE.FFE...FE..",
    "...FE.gGGg..FE..",
    "..gGGggGgGGgGg..",
    "................",
];

const MORE_FUNGUS: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "...TuuT.........",
    "..TuUUuT........",
    ".TuUuuUuT.......",
    ".tTTFFTTt..TuT..",
    "....FE....TuUuT.",
    "....FE....tTFTt.",
    "....FE.TuT..FE..",
    "....FE.uUuT.FE..",
    "....FE.tFTt.FE..",
    "...gFGg.FE.gGG..",
    "..gGGgGgGGGgGgg.",
    "................",
];

const CRYSTAL: Bitmap = [
    "................",
    ".......Qq.......",
    "......QQqP......",
    "......QqqP......",
    "......QqqP..q...",
    "..q...QqqP.QqP..",
    ".QqP..QqqP.QqP..",
    ".QqP..QqqPQqqP..",
    ".QqqP.QqqPQqPp..",
    ".pQqPQQqqPQqPp..",
    "..QqqPQqqPqqP...",
    "..pQqPQqqPqPp...",
    "..45555555554...",
    "...444444443....",
    "..45444444443...",
    "................",
];

const CRYSTAL_GLINTING: Bitmap = [
    "................",
    ".......wQ.......",
    "......wwQq......",
    "......wQqP......",
    "......QQqP..Q...",
    "..Q...QQqP.wQP..",
    ".wQP..QqqP.QqP..",
    ".QqP..QqQPQqqP..",
    ".QqqP.QQQPQqPp..",
    ".pQqPQwQqPQqPp..",
    "..QqqPQqqPqqP...",
    "..pQqPQqqPqPp...",
    "..45555555554...",
    "...444444443....",
    "..45444444443...",
    "................",
];
