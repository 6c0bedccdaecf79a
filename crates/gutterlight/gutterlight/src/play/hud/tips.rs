//! Tooltips of the panel's parts.

use bevy::prelude::*;

use crate::play::{
    game::{Game, GameSystems},
    hud::{
        layer::Layer,
        part::Tip,
        shown::is_shown,
        style::{BACK, EDGE, PANEL, text},
    },
    words,
};

#[derive(Component)]
struct Plate;

#[derive(Component)]
struct TipText;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.run_if(is_shown))
        .add_systems(Update, show_tip.in_set(GameSystems::Show));
}

fn spawn(mut commands: Commands) {
    let whole = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        bottom: px(PANEL + 6.0),
        justify_content: JustifyContent::Center,
        ..default()
    };
    let plate = Node {
        padding: UiRect::axes(px(10), px(5)),
        border: UiRect::all(px(1)),
        ..default()
    };
    let colors = (BackgroundColor(BACK), BorderColor::all(EDGE));
    commands
        .spawn((Layer::Tip.in_play(), whole))
        .with_children(|whole| {
            whole
                .spawn((Plate, plate, colors, Visibility::Hidden))
                .with_child((TipText, text("", 14.0)));
        });
}

fn show_tip(
    game: Res<Game>,
    moved: Query<(), (With<Tip>, Changed<Interaction>)>,
    tips: Query<(&Tip, &Interaction)>,
    mut plates: Query<&mut Visibility, With<Plate>>,
    mut lines: Query<&mut Text, With<TipText>>,
) {
    if moved.is_empty() && !game.is_changed() {
        return;
    }
    let mut over = tips
        .iter()
        .filter(|(_, interaction)| **interaction != Interaction::None);
    let tip_text = over
        .next()
        .and_then(|(tip, _)| words::tip(game.view(), tip.0));
    for mut plate in &mut plates {
        plate.set_if_neq(match tip_text {
            Some(_) => Visibility::Inherited,
            None => Visibility::Hidden,
        });
    }
    for mut line in &mut lines {
        line.set_if_neq(Text(tip_text.clone().unwrap_or_default()));
    }
}
