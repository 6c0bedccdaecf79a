//! A notice while a bot or a replay plays.

use bevy::prelude::*;

use crate::play::{
    game::{Game, GameSystems},
    hud::{InTheDark, layer::Layer, shown::is_shown},
    player::pilot::Pilot,
    words,
};

/// The text of the notice.
#[derive(Component)]
struct Notice;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.run_if(is_shown))
        .add_systems(
            Update,
            update_notice
                .run_if(resource_changed::<Pilot>.or_else(resource_changed::<Game>))
                .after(GameSystems::Show),
        );
}

fn spawn(mut commands: Commands) {
    let node = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        top: percent(12),
        justify_content: JustifyContent::Center,
        ..default()
    };
    let text = (
        Notice,
        Text::default(),
        TextFont::from_font_size(14.0),
        TextLayout::justify(Justify::Center),
        TextColor(Color::srgba(1.0, 0.9, 0.6, 0.8)),
    );
    commands
        .spawn((Layer::Watching.in_play(), InTheDark, node))
        .with_child(text);
}

fn update_notice(pilot: Res<Pilot>, mut notices: Query<&mut Text, With<Notice>>) {
    for mut notice in &mut notices {
        notice.set_if_neq(Text(match &*pilot {
            Pilot::Player => String::new(),
            Pilot::Bot(_) => words::WATCHING.to_owned(),
            Pilot::Replay(playback) => words::playback(playback),
        }));
    }
}
