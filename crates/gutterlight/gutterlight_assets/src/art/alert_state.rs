//! The signs over guards' heads, one for each alert state.

use gutterlight_rules::AlertState;

use super::canvas::Bitmap;

/// All alert states. The rules have no list of them.
pub const ALL: [AlertState; 8] = [
    AlertState::Calm,
    AlertState::Suspicious,
    AlertState::Investigating,
    AlertState::Searching,
    AlertState::Chasing,
    AlertState::Fleeing,
    AlertState::Unconscious,
    AlertState::Dead,
];

/// The sign of an alert state.
pub const fn bitmap(alert_state: AlertState) -> &'static Bitmap {
    match alert_state {
        AlertState::Calm => &CALM,
        AlertState::Suspicious => &SUSPICIOUS,
        AlertState::Investigating => &INVESTIGATING,
        AlertState::Searching => &SEARCHING,
        AlertState::Chasing => &CHASING,
        AlertState::Fleeing => &FLEEING,
        AlertState::Unconscious => &UNCONSCIOUS,
        AlertState::Dead => &DEAD,
    }
}

/// Three dots.
const CALM: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
    ".44...44...44...",
    "4554.4554.4554..",
    "4554.4554.4554..",
    ".44...44...44...",
    "................",
    "................",
    "................",
    "................",
    "................",
    "................",
];

const SUSPICIOUS: Bitmap = [
    "................",
    ".....YYYYY......",
    "....YYYYYYY.....",
    "...YYY...YYY....",
    "...YYY...YYY....",
    ".........YYY....",
    "........YYY.....",
    ".......YYY......",
    "......YYY.......",
    "......YYY.......",
    "......YYY.......",
    "................",
    "......YYY.......",
    "......YYY.......",
    "................",
    "................",
];

/// A question mark with an arrow.
const INVESTIGATING: Bitmap = [
    "................",
    "..yyyy..........",
    ".yy..yy.........",
    ".....yy.........",
    "....yy..........",
    "...yy...........",
    "...yy...........",
    "................",
    "...yy.....y.....",
    "..........yy....",
    ".yyyyyyyyyyyy...",
    ".yyyyyyyyyyyyy..",
    ".yyyyyyyyyyyy...",
    "..........yy....",
    "..........y.....",
    "................",
];

/// An eye.
const SEARCHING: Bitmap = [
    "................",
    "................",
    "................",
    ".....OOOOOO.....",
    "...OOwwwwwwOO...",
    "..OwwwOkkOwwwO..",
    ".OwwwOkkkkOwwwO.",
    ".OwwwOkwkkOwwwO.",
    ".OwwwOkkkkOwwwO.",
    "..OwwwOkkOwwwO..",
    "...OOwwwwwwOO...",
    ".....OOOOOO.....",
    "................",
    "................",
    "................",
    "................",
];

const CHASING: Bitmap = [
    "................",
    ".....ZZZZZ......",
    ".....ZwZZX......",
    ".....ZwZZX......",
    ".....ZwZZX......",
    ".....ZZZZX......",
    "......ZZX.......",
    "......ZZX.......",
    "......ZZX.......",
    ".......Z........",
    "................",
    "......ZZZ.......",
    ".....ZwZZX......",
    ".....ZZZXX......",
    "......XXX.......",
    "................",
];

/// A shouting mouth.
const FLEEING: Bitmap = [
    "................",
    "................",
    "...........l....",
    "..lll....l..l...",
    ".lLLLl....l.l...",
    ".lLLLLl.l..l.l..",
    ".lLLLLl..l.l.l..",
    ".lLLLLl..l.l.l..",
    ".lLLLLl..l.l.l..",
    ".lLLLLl.l..l.l..",
    ".lLLLl....l.l...",
    "..lll....l..l...",
    "...........l....",
    "................",
    "................",
    "................",
];

const UNCONSCIOUS: Bitmap = [
    "................",
    ".........QQQQQ..",
    "............Q...",
    "...........Q....",
    "..........Q.....",
    ".........QQQQQ..",
    "..QQQQQQ........",
    "..QQQQQQ........",
    "......QQ........",
    ".....QQ.........",
    "....QQ..........",
    "...QQ...........",
    "..QQQQQQ........",
    "..QQQQQQ........",
    "................",
    "................",
];

const DEAD: Bitmap = [
    "................",
    "....FFFFFFFF....",
    "...FFFFFFFFFE...",
    "..FFFFFFFFFFEE..",
    "..FFFFFFFFFFEE..",
    "..FkkkFFFkkkEE..",
    "..FkkkFFFkkkEE..",
    "..FkkkFkFkkkEE..",
    "..FFFFkkkFFEEE..",
    "...FFFFFFFFEE...",
    ".....FFFFFE.....",
    ".....FkFkFk.....",
    ".....FkFkFk.....",
    ".....EEEEEE.....",
    "................",
    "................",
];
