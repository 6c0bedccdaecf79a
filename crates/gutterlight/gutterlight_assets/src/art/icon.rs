//! Icons for the panel: the state of the thief, the light bands, and the alert states of guards.
//!
//! No two differ by color alone. The four light bands are a ring, a crescent, a cut gem and a star.

use gutterlight_rules::{AlertState, LightBand};

use super::{
    alert_state,
    canvas::{Bitmap, Canvas},
};

/// An icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Icon {
    /// A point of health.
    Heart,
    /// A lost point of health.
    LostHeart,
    /// A steady hand.
    Nerve,
    /// A shaking hand.
    LostNerve,
    /// Lungs.
    Breath,
    /// A bag of coins.
    Purse,
    /// A drop of oil.
    Fuel,
    /// Footprints, for the loudness of steps.
    Footprints,
    /// A ringing bell, for the alarm.
    Bell,
    /// A bell that does not ring.
    StillBell,
    /// A light band.
    Band(LightBand),
    /// The alert state of a guard.
    AlertState(AlertState),
}

impl Icon {
    /// All icons.
    pub fn all() -> impl Iterator<Item = Self> {
        let state = [
            Self::Heart,
            Self::LostHeart,
            Self::Nerve,
            Self::LostNerve,
            Self::Breath,
            Self::Purse,
            Self::Fuel,
            Self::Footprints,
            Self::Bell,
            Self::StillBell,
        ];
        let bands = LightBand::ALL.into_iter().map(Self::Band);
        state
            .into_iter()
            .chain(bands)
            .chain(alert_state::ALL.into_iter().map(Self::AlertState))
    }

    /// Draws the icon.
    pub fn draw(self) -> Canvas {
        let bitmap = match self {
            Self::Heart => &HEART,
            Self::LostHeart => &LOST_HEART,
            Self::Nerve => &NERVE,
            Self::LostNerve => &LOST_NERVE,
            Self::Breath => &BREATH,
            Self::Purse => &PURSE,
            Self::Fuel => &FUEL,
            Self::Footprints => &FOOTPRINTS,
            Self::Bell => &BELL,
            Self::StillBell => &STILL_BELL,
            Self::Band(LightBand::Hidden) => &HIDDEN,
            Self::Band(LightBand::Dim) => &DIM,
            Self::Band(LightBand::Lit) => &LIT,
            Self::Band(LightBand::Blazing) => &BLAZING,
            Self::AlertState(alert_state) => alert_state::bitmap(alert_state),
        };
        Canvas::spelled(bitmap).edged()
    }
}

const HEART: Bitmap = [
    "................",
    "................",
    "..XXXX....XXXX..",
    ".XZZZXX..XXXXXX.",
    ".XZwZZXXXXXXXXx.",
    ".XZwZXXXXXXXXXx.",
    ".XZZXXXXXXXXXXx.",
    ".XXXXXXXXXXXXXx.",
    "..XXXXXXXXXXXx..",
    "...XXXXXXXXXx...",
    "....XXXXXXXx....",
    ".....XXXXXx.....",
    "......XXXx......",
    ".......Xx.......",
    "................",
    "................",
];

const LOST_HEART: Bitmap = [
    "................",
    "................",
    "..3333....3333..",
    ".3....3..3....3.",
    ".3.....33.....3.",
    ".3............3.",
    ".3............3.",
    ".3............3.",
    "..3..........3..",
    "...3........3...",
    "....3......3....",
    ".....3....3.....",
    "......3..3......",
    ".......33.......",
    "................",
    "................",
];

/// A steady hand.
const NERVE: Bitmap = [
    "................",
    ".......ss.......",
    "....ss.ss.ss....",
    "....ss.ss.ss....",
    "....ss.ss.ss.s..",
    "....ss.ss.ss.ss.",
    "....ss.ss.ss.ss.",
    "....sssssssssss.",
    ".ss.ssssssssss..",
    ".ssssssssssssD..",
    "..sssssssssssD..",
    "...ssssDDDsssD..",
    "....sssssssDD...",
    ".....sssssDD....",
    ".....LLLLLl.....",
    ".....llllld.....",
];

/// A shaking hand.
const LOST_NERVE: Bitmap = [
    "................",
    ".6.....4......6.",
    "6...4.4.4.4....6",
    ".6..4.4.4.4...6.",
    "6...4.4.4.4.4..6",
    ".6..4.4.4.4.44..",
    "....4.4.4.4.4.4.",
    "....4.......4.4.",
    ".44.4........4..",
    ".4.4.........4..",
    "..4..........4..",
    "...4........4...",
    "....4.......4...",
    ".....4.....4....",
    ".....4444444....",
    "................",
];

/// Two lungs and a windpipe.
const BREATH: Bitmap = [
    "................",
    ".......ll.......",
    ".......Ll.......",
    ".......ll.......",
    "...LL..Ll..LL...",
    "..LLLl.ll.LLLl..",
    ".LLLLldlldLLLll.",
    ".LLLldLddldLLll.",
    ".LLllLllLLldLll.",
    ".LlLLlLl.LldLll.",
    ".LLLLlll.LLLlll.",
    ".LLLllld.LLLlld.",
    ".Llllld..Lllldd.",
    ".llldd....llddd.",
    "..dd.......dd...",
    "................",
];

/// A tied bag of coins.
const PURSE: Bitmap = [
    "................",
    ".....o.oo.o.....",
    ".....ooonoo.....",
    "......onnn......",
    "......XXXXX.....",
    ".....oonnX......",
    "....ooonnnX.....",
    "...oooonnnnn....",
    "..ooooYYYnnnm...",
    "..oooYYWYYnnm...",
    ".ooooYWYyYnnnm..",
    ".ooooYYyyYnnnm..",
    ".onooyYYYynnnm..",
    ".onnnnyyynnnmm..",
    "..mnnnnnnnmmm...",
    "................",
];

/// A swinging bell, with sound on both sides.
const BELL: Bitmap = [
    "................",
    ".......YY.......",
    "......YyyY......",
    ".......YY.......",
    ".Y....YYYy....Y.",
    "Y....YWYYyy....Y",
    "Y..Y.YWYYyy.Y..Y",
    "Y..Y.YWYYyy.Y..Y",
    "Y..YYYWYYyyyY..Y",
    "Y..Y.YWYYyy.Y..Y",
    ".Y..YYWYYyyy..Y.",
    "....YYYYYyyy....",
    "...YYYYYYyyyy...",
    "...yyyyyyyyyO...",
    ".......OO.......",
    "................",
];

const STILL_BELL: Bitmap = [
    "................",
    ".......44.......",
    "......4..4......",
    ".......44.......",
    "......4..4......",
    ".....4....4.....",
    ".....4....4.....",
    ".....4....4.....",
    ".....4....4.....",
    ".....4....4.....",
    "....4......4....",
    "....4......4....",
    "...4........4...",
    "...4444444444...",
    ".......44.......",
    "................",
];

/// A drop of oil with a flame in it.
const FUEL: Bitmap = [
    "................",
    ".......y........",
    ".......yy.......",
    "......yYy.......",
    "......yYYy......",
    ".....yYYYy......",
    ".....yYYYYy.....",
    "....yYYOYYy.....",
    "....yYYOYYYy....",
    "...yYYOOYYYy....",
    "...yYYOrOYYy....",
    "...yWYOrOYYO....",
    "...yWYYOYYYO....",
    "....yWYYYYO.....",
    ".....yyyyO......",
    "................",
];

const FOOTPRINTS: Bitmap = [
    "................",
    "..........6.6...",
    ".........6.6.6..",
    ".........5555...",
    "..6.6....5555...",
    ".6.6.6...5555...",
    "..5555...555....",
    "..5555....55....",
    "..5555....44....",
    "...555....444...",
    "...55.....44....",
    "...44...........",
    "..444...........",
    "...44...........",
    "................",
    "................",
];

/// An empty ring.
const HIDDEN: Bitmap = [
    "................",
    "................",
    ".....333333.....",
    "...3344444433...",
    "..344......443..",
    "..34........43..",
    ".34..........43.",
    ".34..........43.",
    ".34..........43.",
    ".34..........43.",
    "..34........43..",
    "..344......443..",
    "...3344444433...",
    ".....333333.....",
    "................",
    "................",
];

/// A crescent.
const DIM: Bitmap = [
    "................",
    "......lLLLl.....",
    "....lLLLl.......",
    "...lLLLl........",
    "..dLLLl.........",
    "..lLLLl.........",
    "..lLLL..........",
    "..lLLL..........",
    "..lLLLl.........",
    "..lLLLl.........",
    "..dlLLLl......l.",
    "...dlLLLlllllL..",
    "....dlLLLLLLl...",
    "......dllll.....",
    "................",
    "................",
];

/// A cut gem.
const LIT: Bitmap = [
    "................",
    "................",
    "....yYYYYYYy....",
    "...yYWYWWYWyy...",
    "..yYWYWWWWYWyy..",
    ".yYWYYYYYYYYWyy.",
    ".OYYYWYYYYyYyyO.",
    "..OYYWYYYYyyyO..",
    "..OYYYWYYyyyyO..",
    "...OYYWYYyyyO...",
    "....OYYYyyyO....",
    ".....OYYyyO.....",
    "......OYyO......",
    ".......OO.......",
    "................",
    "................",
];

/// A star.
const BLAZING: Bitmap = [
    ".......WW.......",
    ".......WW.......",
    ".W.....WW.....W.",
    "..YW..YwwY..WY..",
    "..WYY.YwwY.YYW..",
    "....YYwwwwYY....",
    "....YwwwwwwY....",
    "WWWWwwwwwwwwWWWW",
    "WWWWwwwwwwwwWWWW",
    "....YwwwwwwY....",
    "....YYwwwwYY....",
    "..WYY.YwwY.YYW..",
    "..YW..YwwY..WY..",
    ".W.....WW.....W.",
    ".......WW.......",
    ".......WW.......",
];
