//! What everything around the picture has in common: colors, letters, and how high the bar and the panel are.

use bevy::prelude::*;

/// What the panel at the bottom hides, in pixels of the interface.
pub const PANEL: f32 = 76.0;

/// What the bar at the top hides, in pixels of the interface.
pub const TOP: f32 = 24.0;

/// Where the panel's own parts end in a wide window, and where the words at its right begin, from the right.
pub const JOURNAL: f32 = 620.0;
pub const NOTES: f32 = 300.0;

/// The panel's ground, its edges, and what is written on it.
pub const BACK: Color = Color::srgb(0.055, 0.05, 0.06);
pub const EDGE: Color = Color::srgb(0.22, 0.19, 0.16);
pub const WORDS: Color = Color::srgb(0.88, 0.84, 0.75);
pub const SEEN: Color = Color::srgb(1.0, 0.8, 0.35);
pub const HUNTED: Color = Color::srgb(1.0, 0.55, 0.4);

/// Words in the panel's hand, of a size in logical pixels.
pub fn text(words: impl Into<String>, size: f32) -> impl Bundle {
    inked(words, size, WORDS)
}

/// Words in a color of their own.
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
