//! The tools, as they look on the ground and in slots.

use gutterlight_rules::Tool;

use super::canvas::Bitmap;

/// The bitmap of a tool.
pub const fn bitmap(tool: Tool) -> &'static Bitmap {
    match tool {
        Tool::OilFlask => &OIL_FLASK,
        Tool::WaterVial => &WATER_VIAL,
        Tool::SmokeBomb => &SMOKE_BOMB,
        Tool::Pebbles => &PEBBLES,
        Tool::SleepingDart => &SLEEPING_DART,
        Tool::Picklock => &PICKLOCK,
        Tool::DarkCloak => &DARK_CLOAK,
        Tool::EarTrumpet => &EAR_TRUMPET,
        Tool::Salve => &SALVE,
        Tool::BlinkScroll => &BLINK_SCROLL,
    }
}

/// A round jug with a handle.
const OIL_FLASK: Bitmap = [
    "................",
    "................",
    "......nnn.......",
    "......FFF.......",
    "......oon.oo....",
    ".....ooonnnno...",
    "....ooFonn..no..",
    "...ooFFonnn.nn..",
    "...oFFyyynm.n...",
    "...oFyYYyymnn...",
    "...ooyYYyynn....",
    "...onyyyynnm....",
    "....nnnnnnm.....",
    ".....mmmmm......",
    "................",
    "................",
];

/// A slim slanted tube with a cork.
const WATER_VIAL: Bitmap = [
    "................",
    "................",
    "...........on...",
    "..........onn...",
    ".........LLn....",
    "........L66L....",
    ".......L6lLL....",
    "......L6lldL....",
    ".....LwlldL.....",
    "....LwlldL......",
    "....LwldL.......",
    "....LlddL.......",
    ".....LLL........",
    "................",
    "................",
    "................",
];

/// A black ball with a smoking fuse.
const SMOKE_BOMB: Bitmap = [
    "................",
    "..........5.6...",
    ".........6.5....",
    "..........6.....",
    ".........o......",
    "........o.......",
    "......4333......",
    "....22233222....",
    "...2256222222...",
    "...2566222221...",
    "...2562222221...",
    "...2222222211...",
    "...2222222211...",
    "....22222111....",
    "......1111......",
    "................",
];

/// Five stones.
const PEBBLES: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "......565.......",
    ".....56654......",
    ".....55543......",
    "......443.......",
    "..DED....565....",
    ".DEEDC..56654...",
    ".DDDCC..55543...",
    "..CCC.56.443....",
    ".....56654......",
    ".....55443......",
    "......333.......",
    "................",
];

/// A dart with a drop at its point and a tuft of feathers.
const SLEEPING_DART: Bitmap = [
    "................",
    "................",
    "..........ZZZ...",
    ".........ZXZZZ..",
    ".........XXXZZ..",
    "........oXXXZ...",
    ".......on.XX....",
    "......on........",
    ".....on.........",
    "....54..........",
    "...55...........",
    "..Qq............",
    ".QqP............",
    ".qPP............",
    "..P.............",
    "................",
];

/// A ring with three hooked wires.
const PICKLOCK: Bitmap = [
    "................",
    "................",
    "...566..........",
    "..5...6.........",
    "..5...6.........",
    "..4...5.........",
    "...445555.......",
    "....5.5.555.....",
    "....5..5..555...",
    "....5...5...56..",
    "....5....5...5..",
    "....5.....5.....",
    "....56....5.....",
    "....5.....56....",
    "....56..........",
    "................",
];

/// A folded cloak with a clasp.
const DARK_CLOAK: Bitmap = [
    "................",
    "................",
    "......pppp......",
    ".....pPPPPp.....",
    "....pPkkkkPp....",
    "....pPkkkkPp....",
    "....pPPYYPPp....",
    "...pPPPppPPPp...",
    "...pPpPppPpPp...",
    "..pPPpPppPpPPp..",
    "..pPpPPppPPpPp..",
    "..pPpPPppPPpPp..",
    "..pPpPpppPPpPp..",
    "..pp.pp.pp.ppp..",
    "................",
    "................",
];

/// A horn.
const EAR_TRUMPET: Bitmap = [
    "................",
    "................",
    "..........yyy...",
    "........yyYWWy..",
    ".......yYYWkkY..",
    "......yYYYkkkY..",
    "......yYYYkkky..",
    ".....yyYYYykky..",
    ".....yyyYYyyy...",
    "....Oyyyyyy.....",
    "...Oyyy.........",
    "..Oyy...........",
    "..Oy............",
    ".OOy............",
    "................",
    "................",
];

/// A jar with a leaf on it.
const SALVE: Bitmap = [
    "................",
    "................",
    "................",
    "....FFFFFFFF....",
    "....EEEEEEED....",
    ".....555554.....",
    "...4666666654...",
    "...466GHHH654...",
    "...46GHHGH654...",
    "...46GHGHH654...",
    "...466GHG6654...",
    "...4666G66654...",
    "...4566666543...",
    "....44444443....",
    "................",
    "................",
];

/// An unrolled scroll with a sign on it.
const BLINK_SCROLL: Bitmap = [
    "................",
    "................",
    "..EFFFFFFFFFE...",
    ".EFDFFFFFFFFFE..",
    ".EDDEFFFFFFFFD..",
    "..DDEFFFqFFFE...",
    "....EFFPqPFFE...",
    "....EFqqQqqFE...",
    "....EFFPqPFFE...",
    "....EFFFqFFFE...",
    "....EFFFFFFFEE..",
    "...EEFFFFFFFFFE.",
    "..EFFFFFFFFFDDE.",
    "..DEEEEEEEEEDD..",
    "................",
    "................",
];
