//! What lies over the game: a question that must be answered, the end, and the list of keys.

use bevy::{input::common_conditions::input_just_pressed, prelude::*};

use crate::{
    game::{Game, GameSystems},
    hud::status::{Part, is_shown},
    hud::panel::{BACK, EDGE, text},
    words,
};

/// Turns for which the list of keys is there by itself.
const LEARNT: u32 = 8;

/// The page on which a question is put.
#[derive(Component)]
struct Page;

/// What the keys do: there at the beginning, and when it is asked for.
#[derive(Component)]
struct Legend;

pub fn plugin(app: &mut App) {
    let fresh = resource_exists_and_changed::<Game>;
    let asked = input_just_pressed(KeyCode::F1).or_else(input_just_pressed(KeyCode::Slash));
    app.add_systems(Startup, (spawn_page, spawn_legend).run_if(is_shown))
        .add_systems(
            Update,
            ((fold, turn).run_if(fresh), unfold.run_if(asked)).in_set(GameSystems::Show),
        );
}

fn spawn_page(mut commands: Commands) {
    let middle = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        top: percent(24),
        justify_content: JustifyContent::Center,
        ..default()
    };
    let page = Node {
        padding: UiRect::axes(px(28), px(20)),
        border: UiRect::all(px(2)),
        ..default()
    };
    let colours = (
        BackgroundColor(BACK.with_alpha(0.94)),
        BorderColor::all(EDGE),
    );
    commands.spawn(middle).with_children(|middle| {
        let words = (
            Part::Question,
            text("", 18.0),
            TextLayout::justify(Justify::Center),
        );
        middle
            .spawn((Page, page, colours, Visibility::Hidden))
            .with_child(words);
    });
}

fn spawn_legend(mut commands: Commands) {
    let legend = Node {
        position_type: PositionType::Absolute,
        right: px(10),
        top: px(8),
        padding: UiRect::all(px(10)),
        ..default()
    };
    commands
        .spawn((Legend, legend, BackgroundColor(BACK.with_alpha(0.92))))
        .with_child(text(words::KEYS, 13.0));
}

/// The page is there while there is a question.
fn turn(game: Res<Game>, mut pages: Query<&mut Visibility, With<Page>>) {
    let asked = game.view().ending().is_some() || game.view().offer().is_some();
    for mut page in &mut pages {
        page.set_if_neq(match asked {
            true => Visibility::Inherited,
            false => Visibility::Hidden,
        });
    }
}

fn unfold(mut legends: Query<&mut Visibility, With<Legend>>) {
    for mut legend in &mut legends {
        legend.toggle_visible_hidden();
    }
}

/// Whoever has gone some steps knows how to; whoever goes on has read it.
fn fold(game: Res<Game>, mut legends: Query<&mut Visibility, With<Legend>>) {
    if game.view().turn() >= LEARNT {
        for mut legend in &mut legends {
            legend.set_if_neq(Visibility::Hidden);
        }
    }
}
