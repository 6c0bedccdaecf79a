//! The line at the bottom that lists the mouse buttons and keys.

use bevy::prelude::*;

/// Whether the line is shown. `--bare` hides it for screenshots.
#[derive(Resource)]
pub struct HelpShown(pub bool);

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_line.run_if(|shown: Res<HelpShown>| shown.0));
}

fn spawn_line(mut commands: Commands) {
    let keys = "left carve   right build   wheel radius   1-7 lamp   G glass   S smoke   \
                M mirror   B black wall   D direct   F fine   T settle   H heat   Space torch   \
                Enter next   P panel";
    commands.spawn((
        Node {
            position_type: PositionType::Absolute,
            bottom: px(8),
            left: px(0),
            right: px(0),
            justify_content: JustifyContent::Center,
            ..default()
        },
        children![(
            Text::new(keys),
            TextFont::from_font_size(12.0),
            TextLayout::justify(Justify::Center),
            TextColor(Color::srgba(1.0, 1.0, 1.0, 0.85)),
            TextShadow {
                offset: Vec2::ONE,
                ..default()
            },
        )],
    ));
}
