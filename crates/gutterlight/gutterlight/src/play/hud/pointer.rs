//! The frame around the cell under the cursor, and the text about it.

use bevy::prelude::*;
use gutterlight_assets::art::{Effect, Picture};

use crate::play::{
    game::{Game, GameSystems},
    hud::{
        layer::Layer,
        layout::{Corner, Shy},
        shown::is_shown,
        style::{BACK, text},
    },
    input::bindings::Bindings,
    place,
    player::{aim::Aim, cursor::Cursor},
    scene::sheet::Sheet,
    words,
};

/// The color of the frame if the cell cannot be a target.
const REFUSED: Color = Color::srgb(1.0, 0.35, 0.3);

/// The allowed corners of the text.
const CORNERS: [Corner; 3] = [Corner::TopLeft, Corner::TopRight, Corner::BottomRight];

/// The frame.
#[derive(Component)]
struct Frame;

/// The text.
#[derive(Component)]
struct Explained;

pub fn plugin(app: &mut App) {
    let stale = resource_changed::<Cursor>.or_else(resource_changed::<Game>);
    app.add_systems(Startup, spawn.run_if(is_shown))
        .add_systems(Update, explain.run_if(stale).in_set(GameSystems::Show));
}

fn spawn(sheet: Res<Sheet>, mut commands: Commands) {
    commands.spawn((
        Frame,
        sheet.sprite(Picture::of_effect(Effect::Selection)),
        Transform::from_xyz(0.0, 0.0, place::SIGNS),
        Visibility::Hidden,
    ));
    let line = Node {
        position_type: PositionType::Absolute,
        max_width: percent(62),
        ..default()
    };
    let ground = BackgroundColor(BACK.with_alpha(0.75));
    commands.spawn((
        (Layer::Pointer.in_play(), Explained, Shy::new(&CORNERS)),
        (line, text("", 13.0), ground),
    ));
}

fn explain(
    game: Res<Game>,
    cursor: Res<Cursor>,
    bindings: Res<Bindings>,
    frame: Option<Single<(&mut Transform, &mut Visibility, &mut Sprite), With<Frame>>>,
    line: Option<Single<&mut Text, With<Explained>>>,
) {
    let view = game.view();
    if let Some(frame) = frame {
        let (mut transform, mut visible, mut sprite) = frame.into_inner();
        visible.set_if_neq(match cursor.at {
            Some(_) => Visibility::Inherited,
            None => Visibility::Hidden,
        });
        if let Some(at) = cursor.at {
            transform.translation = place::of(at.as_vec2(), view.size()).extend(place::SIGNS);
            let refused = match cursor.aim {
                Some(Aim::Throw(missile)) => view.check(missile.at(view, at)).is_err(),
                _ => false,
            };
            sprite.color = if refused { REFUSED } else { Color::WHITE };
        }
    }
    if let Some(mut line) = line {
        let said = cursor
            .at
            .map(|at| words::pointed(view, &bindings, cursor.aim, at));
        line.set_if_neq(Text(said.unwrap_or_default()));
    }
}
