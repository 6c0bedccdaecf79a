//! The line at the bottom that lists the keys.

use bevy::prelude::*;

use crate::{Motion, touch::Fingers};

/// Whether the line is shown. `--bare` hides it for screenshots.
#[derive(Resource)]
pub struct HelpShown(pub bool);

#[derive(Component)]
struct HelpLine;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_line.run_if(|shown: Res<HelpShown>| shown.0))
        .add_systems(Update, say);
}

fn spawn_line(mut commands: Commands) {
    commands.spawn((
        Node {
            position_type: PositionType::Absolute,
            bottom: px(10),
            left: px(10),
            right: px(10),
            justify_content: JustifyContent::Center,
            ..default()
        },
        children![(
            HelpLine,
            Text::default(),
            TextFont::from_font_size(13.0),
            TextLayout::justify(Justify::Center),
            TextColor(Color::srgba(1.0, 1.0, 1.0, 0.92)),
            TextShadow {
                offset: Vec2::ONE,
                ..default()
            },
        )],
    ));
}

fn say(
    motion: Res<State<Motion>>,
    fingers: Res<Fingers>,
    mut line: Single<&mut Text, With<HelpLine>>,
) {
    let keys = match motion.get() {
        Motion::Fly => {
            "WASD move   E/Q up, down   Shift faster   right mouse look   Home overview   Tab walk"
        }
        Motion::Walk => {
            "WASD walk, swim   Space jump, rise   Shift faster   right mouse or M look   Tab fly"
        }
    };
    let words = match fingers.known {
        true => "one finger: look   two fingers: move".to_owned(),
        false => format!(
            "{keys}\nF dig   G pile up   B platform   Z undo   R new island   P panel   F12 screenshot"
        ),
    };
    if line.0 != words {
        line.0 = words;
    }
}
