//! Doors: planks with two iron bands. A locked door has a bar with a padlock.

use gutterlight_rules::Door;

use super::canvas::Bitmap;

/// A door in a wall from west to east. The first rows are covered by the lintel.
pub const fn seen_from_south(door: Door) -> &'static Bitmap {
    match door {
        Door::Open => &OPEN,
        Door::Closed => &CLOSED,
        Door::Locked => &LOCKED,
    }
}

/// A door in a wall from north to south.
pub const fn seen_from_above(door: Door) -> &'static Bitmap {
    match door {
        Door::Open => &OPEN_ON_END,
        Door::Closed => &CLOSED_ON_END,
        Door::Locked => &LOCKED_ON_END,
    }
}

const CLOSED: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    ".kkkkkkkkkkkkkk.",
    ".kooonooonooonk.",
    ".k444444444444k.",
    ".knnnmnnnmnnnmk.",
    ".knnnmnnnmnnnmk.",
    ".knnnmnnnmnYYmk.",
    ".knnnmnnnmnYYmk.",
    ".knnnmnnnmnnnmk.",
    ".k444444444444k.",
    ".knnnmnnnmnnnmk.",
    ".kmmmmmmmmmmmmk.",
];

const LOCKED: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    ".kkkkkkkkkkkkkk.",
    ".kooonooonooonk.",
    ".kkkkkkkkkkkkkk.",
    ".k566655556665k.",
    ".k44444kk44444k.",
    ".kkkkkk55kkkkkk.",
    ".knnmk5kk5knnmk.",
    ".knnmkYYYYknnmk.",
    ".knnmkYkkYknnmk.",
    ".knnmkyYYyknnmk.",
    ".kmmmmkkkkmmmmk.",
];

/// The leaf is open against the right jamb.
const OPEN: Bitmap = [
    "................",
    "................",
    "................",
    "................",
    "................",
    ".kkkkkkkkkkkkkk.",
    ".mkkkkkkkkkknok.",
    ".mk........knok.",
    ".m..........4nk.",
    ".m..........nok.",
    ".m..........nok.",
    ".m..........Ynk.",
    ".m..........nok.",
    ".m..........4nk.",
    ".m..........nok.",
    ".m..........kmk.",
];

const CLOSED_ON_END: Bitmap = [
    ".....kmmmmk.....",
    ".....kmmmmk.....",
    ".....knonnk.....",
    ".....knonnk.....",
    ".....k4444k.....",
    ".....knonnk.....",
    ".....knonnk.....",
    ".....knonnkk....",
    ".....knonnYYk...",
    ".....knonnYYk...",
    ".....knonnkk....",
    ".....k4444k.....",
    ".....knonnk.....",
    ".....knonnk.....",
    ".....kmmmmk.....",
    ".....kmmmmk.....",
];

const LOCKED_ON_END: Bitmap = [
    ".....kmmmmk.....",
    ".....knonnk.....",
    ".....k4444k.....",
    ".....knkknk.....",
    "....kkk55kkk....",
    "....kk5kk5kk....",
    "....kk5kk5kk....",
    "...kkYYYYYYkk...",
    "...kYYYkkYYYk...",
    "...kyYYkkYYyk...",
    "...kyyYYYYyyk...",
    "....kkkkkkkk....",
    ".....k4444k.....",
    ".....knonnk.....",
    ".....knonnk.....",
    ".....kmmmmk.....",
];

/// The leaf is open against the northern wall.
const OPEN_ON_END: Bitmap = [
    ".....kmmk.......",
    ".....kmmkkkkkkkk",
    ".....knnoo4ooo4o",
    ".....knnnn4nYn4n",
    ".....kmmkkkkkkkk",
    ".....kkkk.......",
    ".......k........",
    "................",
    "................",
    "................",
    "................",
    "................",
    ".......k........",
    ".....kkkk.......",
    ".....kmmk.......",
    ".....kmmk.......",
];
