//! The shapes of a picture, a bit for each pixel.

/// Pixels along the side of a shape.
pub(super) const SIDE: usize = 8;

/// Rows from north to south; the highest bit is the westernmost pixel.
pub(super) type Shape = [u8; SIDE];

/// The joints of a wall.
pub(super) const BRICKS: Shape = [
    0b00010000, 0b00010000, 0b11111111, 0b00000001, 0b00000001, 0b11111111, 0b00010000, 0b00010000,
];

/// The threads of a carpet.
pub(super) const WEAVE: Shape = [
    0b10001000, 0b00000000, 0b00100010, 0b00000000, 0b10001000, 0b00000000, 0b00100010, 0b00000000,
];

/// Gravel.
pub(super) const PEBBLED: Shape = [
    0b01000010, 0b00000000, 0b00010000, 0b10000010, 0b00001000, 0b01000000, 0b00000010, 0b00100000,
];

/// Water.
pub(super) const RIPPLES: Shape = [
    0b00000000, 0b01100110, 0b10011001, 0b00000000, 0b00000000, 0b11001100, 0b00110011, 0b00000000,
];

/// A column from above.
pub(super) const DISC: Shape = [
    0b00111100, 0b01111110, 0b11111111, 0b11111111, 0b11111111, 0b11111111, 0b01111110, 0b00111100,
];

/// Iron bars.
pub(super) const BARS: Shape = [
    0b10010010, 0b10010010, 0b10010010, 0b10010010, 0b10010010, 0b10010010, 0b10010010, 0b10010010,
];

/// A window.
pub(super) const PANES: Shape = [
    0b11100111, 0b11100111, 0b11100111, 0b00000000, 0b00000000, 0b11100111, 0b11100111, 0b11100111,
];

/// A closed door.
pub(super) const PLANKS: Shape = [
    0b00100100, 0b00100100, 0b00100100, 0b00100100, 0b00100100, 0b00100100, 0b00100100, 0b00100100,
];

/// What stands open.
pub(super) const FRAME: Shape = [
    0b01111110, 0b01111110, 0b01111110, 0b01111110, 0b01111110, 0b01111110, 0b01111110, 0b01111110,
];

/// A locked door.
pub(super) const LOCK: Shape = [
    0b00111100, 0b00100100, 0b00100100, 0b01111110, 0b01111110, 0b01100110, 0b01111110, 0b01111110,
];

/// A closed curtain.
pub(super) const FOLDS: Shape = [
    0b10101010, 0b10101010, 0b10101010, 0b10101010, 0b10101010, 0b10101010, 0b10101010, 0b10101010,
];

/// A closed shutter.
pub(super) const SLATS: Shape = [
    0b11111111, 0b00000000, 0b11111111, 0b00000000, 0b11111111, 0b00000000, 0b11111111, 0b00000000,
];

/// Stairs up.
pub(super) const UP: Shape = [
    0b00011000, 0b00111100, 0b01100110, 0b11000011, 0b00011000, 0b00111100, 0b01100110, 0b11000011,
];

/// Stairs down.
pub(super) const DOWN: Shape = [
    0b11000011, 0b01100110, 0b00111100, 0b00011000, 0b11000011, 0b01100110, 0b00111100, 0b00011000,
];

/// A sconce.
pub(super) const FLAME: Shape = [
    0b00010000, 0b00011000, 0b00110000, 0b00111100, 0b00111100, 0b00011000, 0b00011000, 0b00011000,
];

/// A brazier.
pub(super) const BOWL: Shape = [
    0b00100100, 0b01101100, 0b00111100, 0b11111111, 0b11111111, 0b01111110, 0b00111100, 0b01100110,
];

/// Glowing fungus.
pub(super) const FUNGUS: Shape = [
    0b00000000, 0b01110000, 0b11111000, 0b00100110, 0b00101111, 0b00100010, 0b00000010, 0b00000000,
];

/// A shrine's crystal.
pub(super) const CRYSTAL: Shape = [
    0b00011000, 0b00111100, 0b01111110, 0b01111110, 0b01111110, 0b00111100, 0b00111100, 0b00011000,
];

/// A shaft of moonlight.
pub(super) const MOON: Shape = [
    0b00111000, 0b01100000, 0b11000000, 0b11000000, 0b11000000, 0b11000001, 0b01100110, 0b00111100,
];

/// Walks.
pub(super) const WATCHMAN: Shape = [
    0b00111100, 0b00111100, 0b00011000, 0b01111110, 0b00011000, 0b00011000, 0b00100100, 0b01100110,
];

/// Stands.
pub(super) const SENTRY: Shape = [
    0b11111111, 0b11111111, 0b11000011, 0b11011011, 0b11011011, 0b11000011, 0b11111111, 0b11111111,
];

/// Four legs.
pub(super) const HOUND: Shape = [
    0b00000000, 0b00000011, 0b10000111, 0b11111111, 0b01111110, 0b01111110, 0b01011010, 0b01011010,
];

/// One ear.
pub(super) const LISTENER: Shape = [
    0b00111100, 0b01100110, 0b11000011, 0b00001111, 0b00011000, 0b00011000, 0b00000000, 0b00011000,
];

/// Carries a pole.
pub(super) const LAMPLIGHTER: Shape = [
    0b10000000, 0b11000000, 0b10011100, 0b10011100, 0b11111110, 0b10001000, 0b10010100, 0b10110110,
];

/// Crowned.
pub(super) const WARDEN: Shape = [
    0b10011001, 0b11011011, 0b11111111, 0b11111111, 0b01111110, 0b01111110, 0b11111111, 0b11111111,
];

/// Any tool.
pub(super) const TOOL: Shape = [
    0b00000000, 0b00011000, 0b00011000, 0b00111100, 0b00111100, 0b01111110, 0b01111110, 0b00000000,
];

/// A torch.
pub(super) const TORCH: Shape = [
    0b00000010, 0b00000110, 0b00001100, 0b00011100, 0b00110000, 0b01100000, 0b11000000, 0b00000000,
];

/// A key.
pub(super) const KEY: Shape = [
    0b00000000, 0b01110000, 0b10001000, 0b10001111, 0b10001001, 0b01110001, 0b00000000, 0b00000000,
];

/// A gem.
pub(super) const TREASURE: Shape = [
    0b00000000, 0b00111100, 0b01111110, 0b11111111, 0b01111110, 0b00111100, 0b00011000, 0b00000000,
];

/// A roll of cloth.
pub(super) const CLOTH: Shape = [
    0b00000000, 0b01111110, 0b10000001, 0b10111101, 0b10100101, 0b10110101, 0b10000101, 0b01111001,
];

/// The Ember.
pub(super) const EMBER: Shape = [
    0b10011001, 0b01011010, 0b00111100, 0b11111111, 0b11111111, 0b00111100, 0b01011010, 0b10011001,
];
