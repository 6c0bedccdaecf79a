//! The mouse: what it points at is explained, and what is clicked on is gone to.

use bevy::prelude::*;
use lanternfell_gutterlight::art::{Effect, Picture};

use crate::{
    scene::camera::PANEL,
    game::{Game, GameSystems},
    hud::status::is_shown,
    player::pilot::is_player,
    place,
    scene::sheet::Sheet,
    player::travel::Errand,
    words,
};

/// The cell that the mouse points at.
#[derive(Resource, Default, PartialEq, Eq, Clone, Copy)]
struct Pointed(Option<IVec2>);

/// The frame around it.
#[derive(Component)]
struct Frame;

/// What is said of it.
#[derive(Component)]
struct Explained;

pub fn plugin(app: &mut App) {
    app.init_resource::<Pointed>()
        .add_systems(Startup, spawn.run_if(is_shown))
        .add_systems(
            Update,
            (
                (point, click.run_if(is_player))
                    .chain()
                    .in_set(GameSystems::Ask),
                explain
                    .run_if(resource_changed::<Pointed>.or_else(resource_changed::<Game>))
                    .in_set(GameSystems::Show),
            ),
        );
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
        left: px(10),
        top: px(30),
        ..default()
    };
    commands.spawn((
        Explained,
        line,
        Text::default(),
        TextFont::from_font_size(13.0),
        TextColor(Color::srgb(0.75, 0.72, 0.65)),
        TextShadow {
            offset: Vec2::ONE,
            ..default()
        },
    ));
}

fn point(
    window: Option<Single<&Window>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    game: Res<Game>,
    mut pointed: ResMut<Pointed>,
) {
    let (camera, lens) = *camera;
    let over = |window: Single<&Window>| {
        let cursor = window.cursor_position()?;
        let map = cursor.y < window.height() - PANEL;
        map.then(|| camera.viewport_to_world_2d(lens, cursor).ok())?
    };
    let size = game.view().size();
    let at = window
        .and_then(over)
        .map(|place| place::cell_at(place, size));
    let at = at.filter(|at| game.view().memory(*at).is_some());
    pointed.set_if_neq(Pointed(at));
}

fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    pointed: Res<Pointed>,
    mut errand: ResMut<Errand>,
) {
    if buttons.just_pressed(MouseButton::Left)
        && let Some(at) = pointed.0
    {
        *errand = Errand::To(at);
    } else if buttons.just_pressed(MouseButton::Right) {
        *errand = Errand::None;
    }
}

fn explain(
    game: Res<Game>,
    pointed: Res<Pointed>,
    frame: Option<Single<(&mut Transform, &mut Visibility), With<Frame>>>,
    line: Option<Single<&mut Text, With<Explained>>>,
) {
    let view = game.view();
    if let Some(frame) = frame {
        let (mut transform, mut visible) = frame.into_inner();
        visible.set_if_neq(match pointed.0 {
            Some(_) => Visibility::Inherited,
            None => Visibility::Hidden,
        });
        if let Some(at) = pointed.0 {
            transform.translation = place::of(at.as_vec2(), view.size()).extend(place::SIGNS);
        }
    }
    if let Some(mut line) = line {
        let said = pointed
            .0
            .map(|at| words::explanation(view, &view.explain(at)));
        line.0 = said.unwrap_or_default();
    }
}
