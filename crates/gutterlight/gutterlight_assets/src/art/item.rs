//! Items on the ground.

use gutterlight_rules::Tool;

use super::{
    canvas::{Bitmap, Canvas},
    tool,
};

/// The number of treasure sprites.
pub const TREASURES: u8 = 3;

/// An item on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Thing {
    /// A tool.
    Tool(Tool),
    /// A torch, with the animation frame of the flame if it burns.
    Torch(Option<u8>),
    /// A key.
    Key,
    /// Coins, a cup or a crown, by increasing value.
    Treasure(u8),
    /// A roll of wet cloth.
    Cloth,
    /// A prisoner in chains.
    Prisoner,
    /// The Ember. Animation frames 0 and 1.
    Ember(u8),
}

impl Thing {
    /// All items.
    pub fn all() -> impl Iterator<Item = Self> {
        let others = [
            Self::Torch(None),
            Self::Torch(Some(0)),
            Self::Torch(Some(1)),
            Self::Key,
            Self::Cloth,
            Self::Prisoner,
            Self::Ember(0),
            Self::Ember(1),
        ];
        let tools = Tool::ALL.into_iter().map(Self::Tool);
        tools
            .chain((0..TREASURES).map(Self::Treasure))
            .chain(others)
    }

    /// Draws the item.
    pub fn draw(self) -> Canvas {
        let bitmap = match self {
            Self::Tool(tool) => tool::bitmap(tool),
            Self::Torch(None) => &TORCH,
            Self::Torch(Some(0)) => &BURNING_TORCH,
            Self::Torch(Some(_)) => &BURNING_TORCH_FLICKERING,
            Self::Key => &KEY,
            Self::Treasure(0) => &COINS,
            Self::Treasure(1) => &CUP,
            Self::Treasure(_) => &CROWN,
            Self::Cloth => &CLOTH,
            Self::Prisoner => &PRISONER,
            Self::Ember(0) => &EMBER,
            Self::Ember(_) => &EMBER_FLARING,
        };
        Canvas::spelled(bitmap).edged()
    }
}

const TORCH: Bitmap = [
    "................",
    "................",
    "................",
    "...........11...",
    "..........1221..",
    ".........12211..",
    ".........4211...",
    "........on4.....",
    ".......onn......",
    "......onn.......",
    ".....onn........",
    "....onn.........",
    "...onn..........",
    "...nn...........",
    "................",
    "................",
];

const BURNING_TORCH: Bitmap = [
    "............y...",
    "..........y.Y...",
    ".........Oy.Yy..",
    ".........OYyYY..",
    "........OYYWWYO.",
    "........OYWWWYO.",
    ".........YWWYO..",
    "........on4O....",
    ".......onn......",
    "......onn.......",
    ".....onn........",
    "....onn.........",
    "...onn..........",
    "...nn...........",
    "................",
    "................",
];

const BURNING_TORCH_FLICKERING: Bitmap = [
    "...........y....",
    "...........Y.y..",
    "..........yY.O..",
    "........OyYYyO..",
    "........OYWYYO..",
    "........YYWWYYO.",
    ".........YWWYO..",
    "........on4O....",
    ".......onn......",
    "......onn.......",
    ".....onn........",
    "....onn.........",
    "...onn..........",
    "...nn...........",
    "................",
    "................",
];

const KEY: Bitmap = [
    "................",
    "................",
    "...yYYy.........",
    "..yY..Yy........",
    "..Y....Y........",
    "..Y....Y........",
    "..yY..Yy........",
    "...yYYyY........",
    "......yYy.......",
    ".......yYy......",
    "........yYy.....",
    ".........yYyY...",
    "........Y.yYy...",
    ".........Y.yY...",
    "..........Y.....",
    "................",
];

const COINS: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    "........yYYy....",
    ".......YYWWYy...",
    ".......yYYYYO...",
    "...yYYyOyyyyO...",
    "..YYWWYyOOOO....",
    "..yYYYYOyYYy....",
    "..OyyyyYYWWYy...",
    "..yOOOOyYYYYO...",
    "...yyyyOyyyyO...",
    "........OOOO....",
    "................",
];

const CUP: Bitmap = [
    "................",
    "................",
    "..yYYYYYYYYYy...",
    ".Y.OrrrrrrrO.y..",
    ".Y.YWWYYYYyO.y..",
    ".y.YWYXXYYyO.y..",
    "..yYWYXXYYyOy...",
    "....YYYYYyO.....",
    ".....YYYyO......",
    "......Yy........",
    "......Yy........",
    "......Yy........",
    ".....YYyO.......",
    "...YYWYYyyO.....",
    "...yyyyyOOO.....",
    "................",
];

const CROWN: Bitmap = [
    "................",
    "................",
    "................",
    ".......ZX.......",
    ".......Yy.......",
    ".uT...YYyy...qP.",
    ".Yy...YWyy...Yy.",
    ".YYy.YYWYyy.yYy.",
    ".YWYyYWWYYyyYyO.",
    ".YWWYYWYYYyyyyO.",
    ".YWYYYYYYyyyyyO.",
    "..YXYYuUYyXXyO..",
    "..YXYYTuYyXXyO..",
    "..YYYYYyyyyyyO..",
    "................",
    "................",
];

const PRISONER: Bitmap = [
    "................",
    "................",
    "......BBBB......",
    ".....BBBBBB.....",
    ".....BssssB.....",
    ".....BskskB.....",
    "......ssss......",
    "......BBsB......",
    "....EEEBBEEE....",
    "...EDEEEEEEDE...",
    "...EDDEDDEDDE...",
    "...ssDDDDDDss...",
    "..44DCDDDDCD44..",
    ".4..DDCCCCDD..4.",
    "..4.ss.CC.ss.4..",
    "................",
];

const CLOTH: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "....LLLLLLLL....",
    "...LdddLLLLLl...",
    "..LdLLLdLLLLLl..",
    "..LdLddLdLLLLl..",
    "..LdLddLdlLLll..",
    "..lLdLLdLllLll..",
    "...lLddLllllld..",
    "....lllllllldd..",
    "..........lldd..",
    ".......d...ddd..",
    "................",
    "................",
];

const EMBER: Bitmap = [
    "................",
    ".......y........",
    ".......Y..O.....",
    "...O..yYy.......",
    "......YYY..y....",
    "....yYYWYYy.....",
    "...yYWWWWWYy....",
    "..OyYWWWWWYyO...",
    "..OYWWWwwWWYO...",
    "..OYWWwwwWWYO...",
    "..OyYWWwWWYyO...",
    "...OyYWWWYyO....",
    "...1OyyYyyO1....",
    "...21OOOOO12....",
    "....2111112.....",
    "................",
];

const EMBER_FLARING: Bitmap = [
    "........y.......",
    "....O...Y.......",
    ".......YY...O...",
    "..y...yYYy......",
    "......YWYy......",
    "....YYYWWYY.....",
    "...yYWWWWWYy....",
    "..yYWWWwWWWYy...",
    "..yYWWwwwWWYy...",
    "..yYWwwwwwWYy...",
    "..OyYWwwwWYyO...",
    "...OYYWWWYYO....",
    "...1OyYYYyO1....",
    "...21OOyOO12....",
    "....2111112.....",
    "................",
];
