//! The icons of perks.

use gutterlight_rules::Perk;

use super::canvas::{Bitmap, Canvas};

/// Draws the icon of a perk.
pub fn draw(perk: Perk) -> Canvas {
    let bitmap = match perk {
        Perk::LightFeet => &LIGHT_FEET,
        Perk::CatEyes => &CAT_EYES,
        Perk::WetFingers => &WET_FINGERS,
        Perk::NightWalker => &NIGHT_WALKER,
        Perk::DeepPockets => &DEEP_POCKETS,
        Perk::NoTraces => &NO_TRACES,
        Perk::ThickSkin => &THICK_SKIN,
        Perk::WetCloth => &WET_CLOTH,
    };
    Canvas::spelled(bitmap).edged()
}

/// A boot with a wing.
const LIGHT_FEET: Bitmap = [
    "................",
    ".66.............",
    ".6666.ooooo.....",
    ".66666onnnn.....",
    "..66666nnnn.....",
    ".5666666nnn.....",
    "..566666nnn.....",
    "...55666nnn.....",
    "......onnnn.....",
    "......onnnnn....",
    "......onnnnnnn..",
    ".....oonnnnnnnn.",
    ".....onnnnnnnnn.",
    ".....mmmmmmmmmm.",
    ".....mmm..mmmmm.",
    "................",
];

/// Two eyes with slit pupils.
const CAT_EYES: Bitmap = [
    "................",
    ".3............3.",
    ".33..........33.",
    ".323........323.",
    ".32233333333223.",
    ".33333333333333.",
    ".33333333333333.",
    ".3HHH333333HHH3.",
    ".HYkYH3333HYkYH.",
    ".HYkYH3333HYkYH.",
    ".3HHH332233HHH3.",
    "..333332233333..",
    "...3333kk3333...",
    ".....333333.....",
    "................",
    "................",
];

/// A candle put out by a drop.
const WET_FINGERS: Bitmap = [
    "................",
    ".......l........",
    "......lL........",
    "......LLl.......",
    "......LLl.......",
    ".......l........",
    ".......k........",
    ".....FFFFF......",
    ".....FFEFFE.....",
    ".....FEFFFE.....",
    ".....FFFFEE.....",
    ".....FFFFFE.....",
    ".....FFFFFE.....",
    "..yyyFFFFEEyyy..",
    "..OyyyyyyyyyO...",
    "................",
];

/// A boot under the moon.
const NIGHT_WALKER: Bitmap = [
    "................",
    "..55............",
    ".56.......ooooo.",
    ".5........onnnn.",
    ".5........nnnn..",
    ".56.......nnnn..",
    "..555.....nnnn..",
    "..........nnnn..",
    "......onnnnn....",
    "......onnnnn....",
    "......onnnnnnn..",
    ".....oonnnnnnnn.",
    ".....onnnnnnnnn.",
    ".....mmmmmmmmmm.",
    ".....mmm..mmmmm.",
    "................",
];

/// A pouch with a plus sign.
const DEEP_POCKETS: Bitmap = [
    "................",
    "..oooooooooooo..",
    ".onnnnnnnnnnnno.",
    ".onmmmmmmmmmmno.",
    ".onnnnnnnnnnnno.",
    ".oonnnnYYnnnnoo.",
    ".onoonnYYnnoono.",
    ".onnnoooooonnno.",
    ".onnnnnYYnnnnno.",
    ".onnnnnYYnnnnno.",
    ".onnnYYYYYYnnno.",
    ".onnnYYYYYYnnno.",
    ".onnnnnYYnnnnno.",
    "..onnnnYYnnnno..",
    "...oooooooooo...",
    "................",
];

/// An open hand with a *z* for sleep.
const NO_TRACES: Bitmap = [
    "................",
    ".........QQQQ...",
    "...........Q....",
    "..........Q.....",
    ".QQQ.....QQQQ...",
    "..Q.............",
    ".QQQ............",
    "........sss.....",
    "..ssssssssss....",
    ".sssssssssssss..",
    ".ssDDssssssssss.",
    "...sssssDDsssss.",
    "..sssDssssssssLL",
    "...ssssssssssDLL",
    ".....sssssDDD.ll",
    "................",
];

/// A shield with a heart.
const THICK_SKIN: Bitmap = [
    "................",
    ".4556666666554..",
    ".4nnnnnnnnnnn4..",
    ".5nnXXnnXXnnn5..",
    ".5nXZXXXXXXnn5..",
    ".5nXZXXXXXXnn5..",
    ".5nXXXXXXXXnn5..",
    ".5nnXXXXXXnnn5..",
    ".4nnnXXXXnnnn4..",
    ".4nnnnXXnnnnn4..",
    "..4nnnnnnnnn4...",
    "..4nnnnnnnnn4...",
    "...44nnnnn44....",
    ".....44n44......",
    ".......4........",
    "................",
];

/// A dripping cloth on a line.
const WET_CLOTH: Bitmap = [
    "................",
    "oooooooooooooooo",
    "..LLLLLLLLLLLL..",
    "..LlLLLlLLLlLL..",
    "..LlLLLlLLLlLL..",
    "..LlLLLlLLLlLl..",
    "..LlLLLlLLLlLl..",
    "..LlLLLlLLLlLl..",
    "..LllLLlLLllLl..",
    "..lllllllllll...",
    "...dddd.ddd.d...",
    "................",
    "....L...l....L..",
    "...lL..lL...lL..",
    "...dl...l...dl..",
    "................",
];
