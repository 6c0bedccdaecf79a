//! Openings in walls: doors, curtains, bars, windows; and shutters, which are on walls.
//!
//! ```text
//!    ##+##        #         In a wall from west to east, it is seen from the south, under a
//!    .....       .+.        lintel that continues the top of the wall. In a wall from north to
//!                 #         south, it is seen from above, with the floor on both sides.
//! ```

use gutterlight_rules::{Direction, Door, Theme};

use super::{
    THEMES,
    canvas::{Bitmap, Canvas, SIDE},
    door,
    palette::INK,
    shutter,
    wall::{LIP, ramp},
};

/// What fills the gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Barrier {
    /// A wooden door.
    Door(Door),
    /// A curtain on a rod.
    Curtain {
        /// Whether it is drawn aside.
        open: bool,
    },
    /// Iron bars.
    Bars,
    /// A stained-glass window.
    Glass,
}

impl Barrier {
    const ALL: [Self; 7] = [
        Self::Door(Door::Open),
        Self::Door(Door::Closed),
        Self::Door(Door::Locked),
        Self::Curtain { open: true },
        Self::Curtain { open: false },
        Self::Bars,
        Self::Glass,
    ];
}

/// Something in a gap of a wall, or on a wall. It is drawn over the ground or the wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Opening {
    /// In a wall from west to east, with the masonry of a theme.
    Along(Barrier, Theme),
    /// In a wall from north to south.
    Across(Barrier),
    /// A shutter on a side of a wall.
    Shutter {
        /// Whether light comes in.
        open: bool,
        /// A straight direction.
        side: Direction,
    },
}

impl Opening {
    /// All openings.
    pub fn all() -> impl Iterator<Item = Self> {
        let along = Barrier::ALL
            .into_iter()
            .flat_map(|barrier| THEMES.map(|theme| Self::Along(barrier, theme)));
        let across = Barrier::ALL.into_iter().map(Self::Across);
        let shutters = [false, true]
            .into_iter()
            .flat_map(|open| Direction::STRAIGHT.map(|side| Self::Shutter { open, side }));
        along.chain(across).chain(shutters)
    }

    /// Draws the opening.
    pub fn draw(self) -> Canvas {
        match self {
            Self::Along(barrier, theme) => {
                let mut canvas = Canvas::spelled(seen_from_south(barrier));
                lintel(&mut canvas, theme);
                canvas
            }
            Self::Across(barrier) => Canvas::spelled(seen_from_above(barrier)),
            Self::Shutter { open, side } => shutter::draw(open, side),
        }
    }
}

/// The top of the wall above a gap, and its ends on both sides.
fn lintel(canvas: &mut Canvas, theme: Theme) {
    let ramp = ramp(theme);
    canvas.paint(|x, y| match y {
        0 | 4 => Some(ramp[4]),
        1 | 3 => Some(ramp[2]),
        2 => Some(ramp[1]),
        _ if x == 0 || x == SIDE - 1 => Some(if y == SIDE - 1 { ramp[1] } else { ramp[3] }),
        _ if y == LIP => Some(INK),
        _ => None,
    });
}

const fn seen_from_south(barrier: Barrier) -> &'static Bitmap {
    match barrier {
        Barrier::Door(door) => door::seen_from_south(door),
        Barrier::Curtain { open: true } => &CURTAIN_OPEN,
        Barrier::Curtain { open: false } => &CURTAIN_CLOSED,
        Barrier::Bars => &BARS,
        Barrier::Glass => &GLASS,
    }
}

const fn seen_from_above(barrier: Barrier) -> &'static Bitmap {
    match barrier {
        Barrier::Door(door) => door::seen_from_above(door),
        Barrier::Curtain { open: true } => &CURTAIN_OPEN_ON_END,
        Barrier::Curtain { open: false } => &CURTAIN_CLOSED_ON_END,
        Barrier::Bars => &BARS_ON_END,
        Barrier::Glass => &GLASS_ON_END,
    }
}

const CURTAIN_CLOSED: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    ".yYyyyYyyyYyyYy.",
    ".XxXXxxXXxXXxxX.",
    ".XxZXxxZXxZXxxX.",
    ".XxZXxXZXxZXxXX.",
    ".XxZXxXZXxZXxXX.",
    ".XxZXxXZXxZXxXX.",
    ".XxZXxXZXxZXxXX.",
    ".XxZXxXZXxZXxXX.",
    ".XxZXxXZXxZXxXX.",
    ".yXyyXyyXyyXyyX.",
    ".xkxxkxxkxxkxxk.",
];

const CURTAIN_OPEN: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    ".yYyyyYyyyYyyYy.",
    ".XxZXkkkkkkXZxX.",
    ".XxZXk....kXZxX.",
    ".XxZX......XZxX.",
    ".XxZk......kZxX.",
    ".YYY........YYY.",
    ".XXk........kXX.",
    ".XZX........XZX.",
    ".XZX........XZX.",
    ".yXy........yXy.",
    ".kkk........kkk.",
];

const BARS: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    ".kkkkkkkkkkkkkk.",
    ".k5kk5kkkk5kk5k.",
    ".k5k.5k..k5.k5k.",
    ".k5k.5k..k5.k5k.",
    "4444444444444444",
    ".k5k.5k..k5.k5k.",
    ".k5k.5k..k5.k5k.",
    ".k5k.5k..k5.k5k.",
    ".k5k.5k..k5.k5k.",
    ".k4k.4k..k4.k4k.",
    ".k3k.3k..k3.k3k.",
];

const GLASS: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    ".333kkkkkkkk333.",
    ".33kLLkYYkZZk33.",
    ".3kLlLkYykXZXk3.",
    ".3kLllkyYkXXZk3.",
    ".3kkkkkkkkkkkk3.",
    ".3kQqqkuukyYYk3.",
    ".3kqPqkTukyyYk3.",
    ".3kPqPkuTkOyyk3.",
    ".3kqPpkTTkOyOk3.",
    ".3kkkkkkkkkkkk3.",
    ".22222222222222.",
];

const CURTAIN_CLOSED_ON_END: Bitmap = [
    ".....kyYyk......",
    ".....kXZXxk.....",
    "......kXZXxk....",
    "......kXZXxk....",
    ".....kXZXxk.....",
    "....kXZXxk......",
    "....kXZXxk......",
    ".....kXZXxk.....",
    "......kXZXxk....",
    "......kXZXxk....",
    ".....kXZXxk.....",
    "....kXZXxk......",
    "....kXZXxk......",
    ".....kXZXxk.....",
    "......kXZXxk....",
    "......kyYyyk....",
];

const CURTAIN_OPEN_ON_END: Bitmap = [
    "....kXZXZXxk....",
    "....kXZXZXxk....",
    "....kXZXZXxk....",
    ".....kYYYYk.....",
    "....kXZXXxk.....",
    ".....kXXxk......",
    "......kkk.......",
    "................",
    "................",
    "................",
    "................",
    "......kkkk......",
    ".....kXZXxk.....",
    ".....kYYYYk.....",
    "....kXZXZXxk....",
    "....kXZXZXxk....",
];

const BARS_ON_END: Bitmap = [
    "......k44k......",
    ".....k6544k.....",
    ".....k4432k.....",
    "......k44k......",
    "......k44k......",
    ".....k6544k.....",
    ".....k4432k.....",
    "......k44k......",
    "......k44k......",
    ".....k6544k.....",
    ".....k4432k.....",
    "......k44k......",
    "......k44k......",
    ".....k6544k.....",
    ".....k4432k.....",
    "......k44k......",
];

const GLASS_ON_END: Bitmap = [
    ".....k3333k.....",
    ".....kLllLk.....",
    ".....klddlk.....",
    ".....kkkkkk.....",
    ".....kZXXZk.....",
    ".....kXxxXk.....",
    ".....kkkkkk.....",
    ".....kYyyYk.....",
    ".....kYyyYk.....",
    ".....kkkkkk.....",
    ".....kUuuUk.....",
    ".....kuTTuk.....",
    ".....kkkkkk.....",
    ".....kQqqQk.....",
    ".....kqPPqk.....",
    ".....k3333k.....",
];
