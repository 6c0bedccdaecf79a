//! Spawns the nodes of the panel. `status` fills them.

use bevy::prelude::*;
use gutterlight_assets::art::{Icon, Picture};
use gutterlight_rules::{LightBand, MOST_BELLS};

use crate::play::{
    hud::{
        layer::Layer,
        layout::Placed,
        part::{Bar, Part, Tip},
        style::{BACK, EDGE, NOTES, PANEL, SEEN, TOP, inked, text},
    },
    scene::sheet::Sheet,
};

/// The number of slots on the panel. The fourth is for the perk of deep pockets.
const SLOTS: usize = 4;

/// The widths of the text next to the gem and next to the stores.
const GEM: f32 = 136.0;
const STORES: f32 = 84.0;

/// Spawns the panel, the top bar and the hint.
pub fn spawn(mut commands: Commands, sheet: Res<Sheet>) {
    let panel = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(0),
        bottom: px(0),
        height: px(PANEL),
        align_items: AlignItems::Center,
        column_gap: px(12),
        padding: UiRect::horizontal(px(12)),
        border: UiRect::top(px(2)),
        ..default()
    };
    let panel = (panel, BackgroundColor(BACK), BorderColor::all(EDGE));
    commands
        .spawn((Layer::Panel.in_play(), panel))
        .with_children(|panel| {
            spawn_gem(panel, &sheet);
            panel.spawn(column()).with_children(|bars| {
                for part in [Part::Health, Part::Nerve, Part::Breath] {
                    bar(bars, &sheet, part);
                }
            });
            spawn_stores(panel, &sheet);
            for slot in 0..SLOTS {
                let slot_tip = Tip(Part::Slot(slot));
                panel.spawn((column(), slot_tip)).with_children(|place| {
                    let empty = icon(&sheet, Picture::of_icon(Icon::Footprints), 32.0);
                    place.spawn((Part::Slot(slot), empty, Visibility::Hidden));
                    place.spawn((Part::Slot(slot), text("", 12.0)));
                });
            }
        });
    spawn_bar(&mut commands, &sheet);
    commands
        .spawn((Layer::Hint.in_play(), hint()))
        .with_child((Part::Hint, inked("", 14.0, SEEN)));
}

/// The node of the hint, which names a key to press: in the panel, or above it.
fn hint() -> Placed {
    let above = Node {
        position_type: PositionType::Absolute,
        right: px(10),
        bottom: px(PANEL + 4.0),
        justify_content: JustifyContent::End,
        ..default()
    };
    Placed {
        // Aligned at the top of the panel, for any number of lines.
        wide: Node {
            width: px(NOTES - 20.0),
            height: px(PANEL - 6.0),
            bottom: px(0),
            align_items: AlignItems::FlexStart,
            ..above.clone()
        },
        small: above,
        corners: &[],
    }
}

/// Spawns the bar at the top: the place, and the alarm bells.
fn spawn_bar(commands: &mut Commands, sheet: &Sheet) {
    let bar = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(0),
        top: px(0),
        height: px(TOP),
        padding: UiRect::horizontal(px(10)),
        column_gap: px(16),
        overflow: Overflow::clip(),
        ..row()
    };
    let still = Picture::of_icon(Icon::StillBell);
    commands
        .spawn((Layer::Bar.in_play(), bar, BackgroundColor(BACK)))
        .with_children(|bar| {
            bar.spawn((Part::Place, text("", 14.0), TextLayout::no_wrap()));
            bar.spawn(row()).with_children(|bells| {
                for bell in 0..MOST_BELLS {
                    let part = Part::Bell(bell);
                    bells.spawn((
                        part,
                        Tip(part),
                        icon(sheet, still, 20.0),
                        Visibility::Hidden,
                    ));
                }
            });
        });
}

/// Spawns the light gem and its text.
fn spawn_gem(panel: &mut ChildSpawnerCommands, sheet: &Sheet) {
    panel.spawn((row(), Tip(Part::Gem))).with_children(|gem| {
        let picture = Picture::of_band(LightBand::Hidden);
        gem.spawn((Part::Gem, icon(sheet, picture, 48.0)));
        // Four lines fill the height of the panel.
        let lines = Node {
            row_gap: px(1),
            ..column()
        };
        gem.spawn(lines).with_children(|lines| {
            lines.spawn((Part::Band, text("", 15.0), wide(GEM)));
            lines.spawn((Part::Reach, text("", 11.0), wide(GEM)));
            lines.spawn((Part::Loud, Tip(Part::Loud), text("", 11.0), wide(GEM)));
            lines.spawn((Part::Watched, text("", 12.0), wide(GEM)));
        });
    });
}

/// Spawns the rows for fuel, purse and cloth.
fn spawn_stores(panel: &mut ChildSpawnerCommands, sheet: &Sheet) {
    panel.spawn(column()).with_children(|lines| {
        for part in [Part::Fuel, Part::Purse, Part::Cloth] {
            lines.spawn((row(), Tip(part))).with_children(|line| {
                spawn_icon(line, sheet, part);
                line.spawn((part, text("", 13.0), TextLayout::no_wrap(), wide(STORES)));
            });
        }
    });
}

fn bar(parent: &mut ChildSpawnerCommands, sheet: &Sheet, part: Part) {
    let frame = Node {
        width: px(84),
        height: px(11),
        border: UiRect::all(px(1)),
        ..default()
    };
    let inside = Node {
        height: percent(100),
        ..default()
    };
    parent.spawn((row(), Tip(part))).with_children(|line| {
        spawn_icon(line, sheet, part);
        line.spawn((frame, BorderColor::all(EDGE))).with_child((
            Bar(part),
            inside,
            BackgroundColor::default(),
        ));
        line.spawn((part, text("", 12.0)));
    });
}

fn spawn_icon(line: &mut ChildSpawnerCommands, sheet: &Sheet, part: Part) {
    if let Some(picture) = part.picture() {
        line.spawn(icon(sheet, picture, 16.0));
    }
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

/// A fixed width for the longest text, so that nothing moves when the text changes.
fn wide(width: f32) -> Node {
    Node {
        width: px(width),
        ..default()
    }
}

fn icon(sheet: &Sheet, picture: Picture, side: f32) -> impl Bundle {
    let node = Node {
        width: px(side),
        height: px(side),
        ..default()
    };
    (sheet.icon(picture), node)
}
