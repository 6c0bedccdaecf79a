//! All colors of the game by name, and their letters in bitmaps.
//!
//! Sprites are multiplied by the light on them, which is mostly dark and often colored. The colors
//! are therefore fairly bright. Things that must be distinguishable differ first by light and dark
//! steps of one hue (a ramp), and only then by hue. All sprites use only these colors. Only glass,
//! smoke and light are translucent.

/// An opaque sRGB color.
pub type Ink = [u8; 3];

/// Outlines, and the dark under a hood.
pub const INK: Ink = [0x16, 0x13, 0x1c];
/// The brightest color: glints, eyes, small highlights.
pub const WHITE: Ink = [0xff, 0xfa, 0xf0];

/// Cold stone and steel, from dark to light.
pub const COLD: [Ink; 6] = [
    [0x2c, 0x30, 0x42],
    [0x48, 0x4f, 0x66],
    [0x69, 0x72, 0x8c],
    [0x8e, 0x98, 0xb0],
    [0xb4, 0xbd, 0xce],
    [0xda, 0xe1, 0xe8],
];

/// Warm stone, earth and bone, from dark to light.
pub const WARM: [Ink; 6] = [
    [0x38, 0x2d, 0x2e],
    [0x58, 0x47, 0x42],
    [0x7b, 0x64, 0x58],
    [0x9f, 0x85, 0x72],
    [0xc6, 0xad, 0x92],
    [0xec, 0xdd, 0xbe],
];

/// Wood and leather, from dark to light.
pub const WOOD: [Ink; 3] = [[0x56, 0x32, 0x20], [0x8e, 0x57, 0x2e], [0xc8, 0x88, 0x48]];

/// Flames and gold, from dark to light.
pub const FLAME: [Ink; 5] = [
    [0xa6, 0x33, 0x1e],
    [0xe8, 0x6a, 0x22],
    [0xfc, 0xa8, 0x34],
    [0xff, 0xda, 0x62],
    [0xff, 0xf4, 0xc4],
];

/// Cloth and blood, from dark to light.
pub const RED: [Ink; 3] = [[0x6a, 0x1c, 0x34], [0xa8, 0x2c, 0x40], [0xe0, 0x60, 0x64]];

/// Faces and hands.
pub const SKIN: Ink = [0xf0, 0xba, 0x92];

/// Moss and the thief's cloak, from dark to light.
pub const GREEN: [Ink; 3] = [[0x2c, 0x4a, 0x30], [0x50, 0x80, 0x40], [0x98, 0xc8, 0x58]];

/// Fungus and deep water, from dark to light.
pub const TEAL: [Ink; 4] = [
    [0x16, 0x48, 0x52],
    [0x22, 0x86, 0x88],
    [0x46, 0xd0, 0xba],
    [0xb4, 0xff, 0xe6],
];

/// Crystals and magic, from dark to light.
pub const VIOLET: [Ink; 4] = [
    [0x3c, 0x28, 0x60],
    [0x6c, 0x4a, 0xa8],
    [0xa8, 0x7e, 0xe8],
    [0xe2, 0xcc, 0xff],
];

/// Water and the watch's uniform, from dark to light.
pub const BLUE: [Ink; 4] = [
    [0x20, 0x38, 0x66],
    [0x34, 0x66, 0xa4],
    [0x60, 0xa2, 0xda],
    [0xb0, 0xde, 0xf6],
];

/// The letters of the colors in bitmaps. A period is a transparent pixel.
pub const LETTERS: [(char, Ink); 41] = [
    ('k', INK),
    ('w', WHITE),
    ('1', COLD[0]),
    ('2', COLD[1]),
    ('3', COLD[2]),
    ('4', COLD[3]),
    ('5', COLD[4]),
    ('6', COLD[5]),
    ('A', WARM[0]),
    ('B', WARM[1]),
    ('C', WARM[2]),
    ('D', WARM[3]),
    ('E', WARM[4]),
    ('F', WARM[5]),
    ('m', WOOD[0]),
    ('n', WOOD[1]),
    ('o', WOOD[2]),
    ('r', FLAME[0]),
    ('O', FLAME[1]),
    ('y', FLAME[2]),
    ('Y', FLAME[3]),
    ('W', FLAME[4]),
    ('x', RED[0]),
    ('X', RED[1]),
    ('Z', RED[2]),
    ('s', SKIN),
    ('g', GREEN[0]),
    ('G', GREEN[1]),
    ('H', GREEN[2]),
    ('t', TEAL[0]),
    ('T', TEAL[1]),
    ('u', TEAL[2]),
    ('U', TEAL[3]),
    ('p', VIOLET[0]),
    ('P', VIOLET[1]),
    ('q', VIOLET[2]),
    ('Q', VIOLET[3]),
    ('b', BLUE[0]),
    ('d', BLUE[1]),
    ('l', BLUE[2]),
    ('L', BLUE[3]),
];

/// The color of a letter.
pub fn ink(letter: char) -> Option<Ink> {
    LETTERS
        .iter()
        .find(|(known, _)| *known == letter)
        .map(|(_, ink)| *ink)
}

/// The luma of a color after Rec. 601, from 0 to 255.
pub fn luma([red, green, blue]: Ink) -> u8 {
    ((299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue)) / 1000) as u8
}
