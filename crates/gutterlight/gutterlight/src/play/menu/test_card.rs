//! The test card: patches as bright as the bands of light begin, on black, each with its sign.
//! Whoever can just tell the second from the first sees the game as it is meant.

use bevy::prelude::*;
use gutterlight_assets::art::Picture;
use gutterlight_rules::LightBand;

use crate::play::{
    hud::style::text,
    scene::{light::shown, sheet::Sheet},
    words,
};

/// Luminances: none, and just inside each of the bands.
const LIGHTS: [(LightBand, f32); 4] = [
    (LightBand::Hidden, 0.0),
    (LightBand::Dim, 0.03),
    (LightBand::Lit, 0.15),
    (LightBand::Blazing, 0.6),
];

/// Lays it out.
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
