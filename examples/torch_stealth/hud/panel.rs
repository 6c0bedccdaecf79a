//! The panel's parts and where they are; `hud` fills them.

use bevy::prelude::*;
use lanternfell_gutterlight::art::{Icon, Picture};
use lanternfell_stealth::{Item, LightBand};

use crate::{
    scene::camera::PANEL,
    hud::status::{Bar, Part},
    scene::sheet::Sheet,
};

/// Slots on the panel, the fourth with deep pockets.
const SLOTS: usize = 4;

/// The panel's ground, its edges, and what is written on it.
pub const BACK: Color = Color::srgb(0.055, 0.05, 0.06);
pub const EDGE: Color = Color::srgb(0.22, 0.19, 0.16);
const WORDS: Color = Color::srgb(0.88, 0.84, 0.75);

/// The bars' colours.
const HEALTH: Color = Color::srgb(0.78, 0.22, 0.2);
const NERVE: Color = Color::srgb(0.45, 0.55, 0.85);
const BREATH: Color = Color::srgb(0.5, 0.72, 0.42);

/// Lays out all of it.
pub fn spawn(mut commands: Commands, sheet: Res<Sheet>) {
    let panel = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(0),
        bottom: px(0),
        height: px(PANEL),
        align_items: AlignItems::Center,
        column_gap: px(18),
        padding: UiRect::horizontal(px(12)),
        border: UiRect::top(px(2)),
        ..default()
    };
    let panel = (panel, BackgroundColor(BACK), BorderColor::all(EDGE));
    commands.spawn(panel).with_children(|panel| {
        spawn_gem(panel, &sheet);
        panel.spawn(column()).with_children(|bars| {
            bar(bars, &sheet, Icon::Heart, Part::Health, HEALTH);
            bar(bars, &sheet, Icon::Nerve, Part::Nerve, NERVE);
            bar(bars, &sheet, Icon::Breath, Part::Breath, BREATH);
        });
        spawn_stores(panel, &sheet);
        for slot in 0..SLOTS {
            panel.spawn(column()).with_children(|place| {
                let empty = icon(&sheet, Picture::of_icon(Icon::Footprints), 36.0);
                place.spawn((Part::Slot(slot), empty, Visibility::Hidden));
                place.spawn((Part::Slot(slot), text("", 12.0)));
            });
        }
    });
    let top = Node {
        position_type: PositionType::Absolute,
        left: px(10),
        top: px(8),
        ..default()
    };
    commands.spawn((Part::Place, text("", 14.0), top));
    let above = Node {
        position_type: PositionType::Absolute,
        right: px(10),
        bottom: px(PANEL + 8.0),
        ..default()
    };
    commands.spawn((Part::Hint, text("", 14.0), above));
}

/// How lit the thief is.
fn spawn_gem(panel: &mut ChildSpawnerCommands, sheet: &Sheet) {
    panel.spawn(row()).with_children(|gem| {
        let picture = Picture::of_band(LightBand::Hidden);
        gem.spawn((Part::Gem, icon(sheet, picture, 48.0)));
        gem.spawn((Part::Band, text("", 16.0), wide()));
    });
}

/// Fuel, purse and cloth.
fn spawn_stores(panel: &mut ChildSpawnerCommands, sheet: &Sheet) {
    let stores = [
        (Picture::of_icon(Icon::Fuel), Part::Fuel),
        (Picture::of_icon(Icon::Purse), Part::Purse),
        (Picture::of_item(Item::Cloth(1), 0), Part::Cloth),
    ];
    panel.spawn(column()).with_children(|lines| {
        for (picture, part) in stores {
            lines.spawn(row()).with_children(|line| {
                line.spawn(icon(sheet, picture, 18.0));
                line.spawn((part, text("", 13.0), TextLayout::no_wrap(), wide()));
            });
        }
    });
}

fn bar(parent: &mut ChildSpawnerCommands, sheet: &Sheet, sign: Icon, part: Part, colour: Color) {
    let frame = Node {
        width: px(104),
        height: px(11),
        border: UiRect::all(px(1)),
        ..default()
    };
    let inside = Node {
        height: percent(100),
        ..default()
    };
    parent.spawn(row()).with_children(|line| {
        line.spawn(icon(sheet, Picture::of_icon(sign), 18.0));
        line.spawn((frame, BorderColor::all(EDGE))).with_child((
            Bar(part),
            inside,
            BackgroundColor(colour),
        ));
        line.spawn((part, text("", 12.0)));
    });
}

fn row() -> Node {
    Node {
        align_items: AlignItems::Center,
        column_gap: px(6),
        ..default()
    }
}

fn column() -> Node {
    Node {
        flex_direction: FlexDirection::Column,
        align_items: AlignItems::Start,
        row_gap: px(4),
        ..default()
    }
}

/// As wide as the longest word that comes, so that nothing moves when it changes.
fn wide() -> Node {
    Node {
        width: px(96),
        ..default()
    }
}

/// Words in the panel's hand, of a size in logical pixels.
pub fn text(words: &str, size: f32) -> impl Bundle + use<> {
    (
        Text::new(words),
        TextFont::from_font_size(size),
        TextColor(WORDS),
        TextShadow {
            offset: Vec2::ONE,
            ..default()
        },
    )
}

fn icon(sheet: &Sheet, picture: Picture, side: f32) -> impl Bundle {
    let node = Node {
        width: px(side),
        height: px(side),
        ..default()
    };
    (sheet.icon(picture), node)
}
