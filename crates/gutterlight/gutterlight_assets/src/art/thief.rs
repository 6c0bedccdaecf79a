//! The thief: small, with a pointed hood, a red scarf, and something in the hand.
//!
//! Guards have hats, helmets, horns and poles. Only the thief is pointed at the top and wide at the
//! bottom.

use gutterlight_rules::IVec2;

use super::{
    canvas::Canvas,
    figure::{Facing, STEPS, View, Views},
    palette::{COLD, GREEN, INK, RED},
};

/// What the thief visibly holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Held {
    /// Nothing.
    Nothing,
    /// A burning torch.
    Torch,
    /// A torch that is out.
    DarkTorch,
    /// The Ember.
    Ember,
    /// The Ember in wet cloth.
    WrappedEmber,
}

impl Held {
    const ALL: [Self; 5] = [
        Self::Nothing,
        Self::Torch,
        Self::DarkTorch,
        Self::Ember,
        Self::WrappedEmber,
    ];
}

/// The thief in a pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pose {
    facing: Facing,
    step: u8,
    held: Held,
    cloaked: bool,
}

impl Pose {
    /// A pose with a direction, a step, an item in hand, and with or without the dark cloak.
    pub const fn new(facing: Facing, frame: u32, held: Held, cloaked: bool) -> Self {
        let step = (frame % STEPS as u32) as u8;
        Self {
            facing,
            step,
            held,
            cloaked,
        }
    }

    /// All poses.
    pub fn all() -> impl Iterator<Item = Self> {
        let held = [false, true]
            .into_iter()
            .flat_map(|cloaked| Held::ALL.map(|held| (held, cloaked)));
        held.flat_map(|(held, cloaked)| {
            Facing::ALL.into_iter().flat_map(move |facing| {
                (0..u32::from(STEPS)).map(move |frame| Self::new(facing, frame, held, cloaked))
            })
        })
    }

    /// The position of the tip of the flame relative to the center of its cell in pixels, to the
    /// east and south.
    pub const fn flame(self) -> Option<IVec2> {
        match (self.held, self.facing) {
            (Held::Torch, Facing::South | Facing::West) => Some(IVec2::new(-6, -4)),
            (Held::Torch, Facing::North | Facing::East) => Some(IVec2::new(5, -4)),
            (Held::Ember, Facing::East) => Some(IVec2::new(4, 0)),
            (Held::Ember, Facing::West) => Some(IVec2::new(-4, 0)),
            (Held::Ember, Facing::South) => Some(IVec2::ZERO),
            // From behind, only its glow is visible.
            (Held::Ember, Facing::North) => Some(IVec2::new(-6, 0)),
            _ => None,
        }
    }

    /// Draws the pose.
    pub fn draw(self) -> Canvas {
        let mut canvas = THIEF.draw(self.facing, self.step);
        if self.cloaked {
            canvas = canvas.inked(|ink| match ink {
                _ if ink == GREEN[0] => INK,
                _ if ink == GREEN[1] => COLD[0],
                _ if ink == GREEN[2] || ink == RED[1] => COLD[1],
                _ if ink == RED[0] || ink == RED[2] => COLD[0],
                _ => ink,
            });
        }
        self.hold(&mut canvas);
        canvas.edged()
    }

    /// Draws the held item: in front of the thief, or behind if seen from behind.
    fn hold(self, canvas: &mut Canvas) {
        let rows: &[&str] = match (self.held, self.step) {
            (Held::Nothing, _) => return,
            (Held::Torch, 0) => &TORCH,
            (Held::Torch, _) => &TORCH_FLICKERING,
            (Held::DarkTorch, _) => &DARK_TORCH,
            (Held::Ember, 0) => &EMBER,
            (Held::Ember, _) => &EMBER_FLICKERING,
            (Held::WrappedEmber, _) => &WRAPPED_EMBER,
        };
        let mut held = Canvas::EMPTY;
        match (self.facing, self.held) {
            (Facing::South, Held::Ember | Held::WrappedEmber) => held.spell(5, 8, rows),
            (Facing::East, Held::Ember | Held::WrappedEmber) => held.spell(9, 7, rows),
            (Facing::West, Held::Ember | Held::WrappedEmber) => held.spell(1, 7, rows),
            (Facing::North, Held::Ember) => {
                held.spell(1, 7, &GLOW_FROM_BEHIND[usize::from(self.step % STEPS)]);
            }
            (Facing::North, Held::WrappedEmber) => held.spell(2, 9, &BUNDLE_FROM_BEHIND),
            (Facing::South | Facing::West, _) => held.spell(1, 3, rows),
            (Facing::North | Facing::East, _) => held.spell(12, 3, rows),
        }
        if self.facing == Facing::North {
            held.overlay(canvas, 0, 0);
            *canvas = held;
        } else {
            canvas.overlay(&held, 0, 0);
        }
    }
}

const THIEF: Views = Views {
    south: View {
        stands: [
            "................",
            ".......Hg.......",
            "......HGGg......",
            ".....HHGGGg.....",
            "....HHGGGGGg....",
            "....HGkkkkGg....",
            "....HGWkkWGg....",
            "....HGksskGg....",
            ".....XXXXXX.....",
            "....HGZXXGGg....",
            "...HHGGXGGGgg...",
            "...HGGGXxGGgg...",
            "...HGmmYYmmgg...",
            "...HGGgGGgGgg...",
            "....kmm..mmk....",
            "................",
        ],
        strides: ["...HGGgGGgGgg...", "....mmm..kk....."],
    },
    east: View {
        stands: [
            "................",
            "....HHg.........",
            ".....HGGg.......",
            "....HHGGGGg.....",
            "....HGGGGGGg....",
            "....HGGGkkkk....",
            "....HGGkkWks....",
            "....HGGkksss....",
            "...X.XXXXXX.....",
            "..XXXHGGGGg.....",
            "..X.HGGGGGGg....",
            "...HGGGGsGgg....",
            "...HGGmmmmYg....",
            "..HGGGGGGgg.....",
            "..gg.kmm.mm.....",
            "................",
        ],
        strides: ["..HGGGGGGGgg....", ".gg.mmk...kmm..."],
    },
    north: View {
        stands: [
            "................",
            ".......Hg.......",
            "......HGGg......",
            ".....HHGGGg.....",
            "....HHGGGGGg....",
            "....HGGGGGGg....",
            "....HGGGGGGg....",
            "....HGGGGGGg....",
            ".....XXXXXX.....",
            "....HGGxXGGg....",
            "...HHGGXxGGgg...",
            "...HGGGXGGGgg...",
            "...HGGGGgGGgg...",
            "...HGGgGGgGgg...",
            "....kmm..mmk....",
            "................",
        ],
        strides: ["...HGGgGGgGgg...", ".....kk..mmm...."],
    },
};

const TORCH: [&str; 9] = [
    "y..", //
    ".Y.", "yWy", "YWY", "OYO", ".4.", ".n.", ".s.", ".n.",
];

const TORCH_FLICKERING: [&str; 9] = [
    "..y", //
    ".y.", "yY.", "YWy", "OWO", ".4.", ".n.", ".s.", ".n.",
];

const DARK_TORCH: [&str; 9] = [
    "...", //
    "...", "...", ".2.", ".1.", ".4.", ".n.", ".s.", ".n.",
];

const GLOW_FROM_BEHIND: [[&str; 5]; 2] = [
    [
        "..y........y..",
        ".yY........Yy.",
        "OYY........YYO",
        ".yY........Yy.",
        "..O........O..",
    ],
    [
        ".yY........Yy.",
        "yYW........WYy",
        "YWW........WWY",
        "yYW........WYy",
        ".OY........YO.",
    ],
];

const BUNDLE_FROM_BEHIND: [&str; 3] = [
    "EE........EE", //
    "DE........ED",
    "CE........EC",
];

const EMBER: [&str; 6] = [
    "..yy..", //
    ".yYYy.", "OYWWYO", "OYWWYO", "sOYYOs", "..OO..",
];

const EMBER_FLICKERING: [&str; 6] = [
    ".y..y.", //
    ".YWWY.", "yWWWWy", "yWWWWy", "sYWWYs", "..yy..",
];

const WRAPPED_EMBER: [&str; 6] = [
    "......", //
    "..EE..", ".EDDE.", "EDrDDE", "sDEDrs", "..CC..",
];
