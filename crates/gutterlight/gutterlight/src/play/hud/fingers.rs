//! On-screen buttons for touch screens. They appear at the first touch.
//!
//! Touching a cell goes there, like a click. Other common actions have a button. The button for sneaking toggles,
//! because one finger cannot hold it and touch something else.

use bevy::{input::touch::Touches, prelude::*};

use crate::play::{
    hud::{
        InTheDark,
        layer::Layer,
        shown::is_shown,
        style::{BACK, EDGE, PANEL, SEEN, WORDS, text},
    },
    input::{
        control::Control,
        hands::{Touched, is_modifier},
    },
    session::Began,
};

/// The buttons, from top to bottom.
const CONTROLS: [Control; 7] = [
    Control::Pause,
    Control::Explore,
    Control::Sneak,
    Control::Door,
    Control::Torch,
    Control::Here,
    Control::Wait,
];

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            spawn.run_if(is_shown.and_then(has_first_finger)),
            fit.run_if(resource_changed::<UiScale>),
            (color, let_go.run_if(on_message::<Began>)),
        )
            .chain(),
    );
}

fn has_first_finger(touches: Option<Res<Touches>>, mut had: Local<bool>) -> bool {
    let first = !*had && touches.is_some_and(|touches| touches.any_just_pressed());
    *had |= first;
    first
}

/// The minimum size of a button at any UI scale.
const FACE: Vec2 = Vec2::new(64.0, 40.0);

fn face(scale: &UiScale) -> [Val; 2] {
    (FACE / scale.0.min(1.0)).to_array().map(px)
}

fn fit(scale: Res<UiScale>, mut faces: Query<&mut Node, With<Touched>>) {
    for mut node in &mut faces {
        [node.width, node.height] = face(&scale);
    }
}

fn spawn(scale: Res<UiScale>, mut commands: Commands) {
    let [width, height] = face(&scale);
    let column = Node {
        position_type: PositionType::Absolute,
        right: px(8),
        bottom: px(PANEL + 8.0),
        flex_direction: FlexDirection::Column,
        row_gap: px(6),
        ..default()
    };
    let button = |control: Control| {
        let face = Node {
            width,
            height,
            border: UiRect::all(px(1)),
            border_radius: BorderRadius::all(px(8)),
            align_items: AlignItems::Center,
            justify_content: JustifyContent::Center,
            ..default()
        };
        (
            Touched::by(control),
            Interaction::default(),
            face,
            BackgroundColor(BACK.with_alpha(0.8)),
            BorderColor::all(EDGE),
            children![text(control.name(), 13.0)],
        )
    };
    commands
        .spawn((Layer::Fingers.in_play(), InTheDark, column))
        .with_children(|column| {
            for control in CONTROLS {
                column.spawn(button(control));
            }
        });
}

/// Highlights pressed and toggled buttons.
fn color(mut buttons: Query<(&Touched, &mut BorderColor), Changed<Touched>>) {
    for (touched, mut border) in &mut buttons {
        let color = match (is_modifier(touched.control()), touched.is_held()) {
            (true, true) => SEEN,
            (false, true) => WORDS,
            (_, false) => EDGE,
        };
        *border = BorderColor::all(color);
    }
}

/// Releases all toggles when a new game starts.
fn let_go(mut buttons: Query<&mut Touched>) {
    for mut touched in &mut buttons {
        touched.let_go();
    }
}
