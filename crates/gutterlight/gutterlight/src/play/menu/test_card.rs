//! The test card: a patch for the start of each light band on black, with its icon. Brightness is
//! right if the second patch can barely be told from the first.

use bevy::prelude::*;
use gutterlight_assets::art::Picture;
use gutterlight_rules::LightBand;

use crate::play::{
    hud::style::text,
    scene::{light::shown, sheet::Sheet},
    words,
};

/// The luminance of each patch: zero, and just above the start of each band.
const LIGHTS: [(LightBand, f32); 4] = [
    (LightBand::Hidden, 0.0),
    (LightBand::Dim, 0.03),
    (LightBand::Lit, 0.15),
    (LightBand::Blazing, 0.6),
];

/// Spawns the test card.
pub fn spawn(parent: &mut ChildSpawnerCommands, sheet: &Sheet, brightness: i8) {
    let row = Node {
        column_gap: px(10),
        align_items: AlignItems::Center,
        ..default()
    };
    parent.spawn(row).with_children(|row| {
        for (band, light) in LIGHTS {
            let gray = shown(light, brightness);
            let patch = Node {
                width: px(34),
                height: px(20),
                border: UiRect::all(px(1)),
                ..default()
            };
            let edge = BorderColor::all(Color::srgb(0.2, 0.2, 0.2));
            row.spawn((patch, edge, BackgroundColor(Color::srgb(gray, gray, gray))));
            let sign = Node {
                width: px(16),
                height: px(16),
                ..default()
            };
            row.spawn((sheet.icon(Picture::of_band(band)), sign));
            row.spawn(text(words::band(band), 12.0));
        }
    });
}
