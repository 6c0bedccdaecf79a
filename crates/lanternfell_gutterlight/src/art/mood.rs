//! The signs over guards' heads: what each mood looks like.

use lanternfell_stealth::Mood;

use super::canvas::Bitmap;

/// All moods; the rules have no list of them.
pub const ALL: [Mood; 8] = [
    Mood::Calm,
    Mood::Suspicious,
    Mood::Investigating,
    Mood::Searching,
    Mood::Chasing,
    Mood::Fleeing,
    Mood::Unconscious,
    Mood::Dead,
];

/// The sign of a mood.
pub const fn bitmap(mood: Mood) -> &'static Bitmap {
    match mood {
        Mood::Calm => &CALM,
        Mood::Suspicious => &SUSPICIOUS,
        Mood::Investigating => &INVESTIGATING,
        Mood::Searching => &SEARCHING,
        Mood::Chasing => &CHASING,
        Mood::Fleeing => &FLEEING,
        Mood::Unconscious => &UNCONSCIOUS,
        Mood::Dead => &DEAD,
    }
}

/// Three dots: nothing to say.
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

/// A question mark that has made up its mind: an arrow grows from it.
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

/// An eye that looks about.
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

/// A mouth that shouts.
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
