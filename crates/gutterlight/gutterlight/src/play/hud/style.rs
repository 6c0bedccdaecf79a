//! Shared style of the HUD: colors, fonts and sizes.

use bevy::prelude::*;

/// The height of the panel at the bottom, in UI pixels.
pub const PANEL: f32 = 76.0;

/// The height of the bar at the top, in UI pixels.
pub const TOP: f32 = 24.0;

/// In a wide window: the end of the panel's own parts, from the left, and the start of the text at the right, from the
/// right.
pub const JOURNAL: f32 = 620.0;
pub const NOTES: f32 = 300.0;

/// Background, edges, and text colors: normal, seen, chased.
pub const BACK: Color = Color::srgb(0.055, 0.05, 0.06);
pub const EDGE: Color = Color::srgb(0.22, 0.19, 0.16);
pub const WORDS: Color = Color::srgb(0.88, 0.84, 0.75);
pub const SEEN: Color = Color::srgb(1.0, 0.8, 0.35);
pub const HUNTED: Color = Color::srgb(1.0, 0.55, 0.4);

/// Text in the normal color, with a size in logical pixels.
pub fn text(words: impl Into<String>, size: f32) -> impl Bundle {
    inked(words, size, WORDS)
}

/// Text in a given color.
pub fn inked(words: impl Into<String>, size: f32, ink: Color) -> impl Bundle {
    (
        Text::new(words),
        TextFont::from_font_size(size),
        TextColor(ink),
        TextShadow {
            offset: Vec2::ONE,
            ..default()
        },
    )
}
