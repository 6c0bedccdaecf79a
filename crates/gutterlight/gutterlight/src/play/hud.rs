//! The heads-up display: status and messages as text and bars.

mod fingers;
pub mod journal;
pub mod layer;
pub mod layout;
pub mod lesson;
pub mod lessons;
pub mod minimap;
mod panel;
pub mod part;
pub mod pointer;
pub mod shown;
mod status;
pub mod style;
mod tips;
mod watching;

use bevy::prelude::*;

use crate::play::{
    game::{Game, GameSystems},
    screen::Screen,
};

/// Marks UI that belongs to the game instead of the menu. Only root nodes have this component: see
/// [`layer::Layer::in_play`].
#[derive(Component)]
#[require(Node, Visibility)]
pub struct InPlay(());

/// Marks UI that stays visible while the opening's torch is out: text and touch buttons.
#[derive(Component)]
pub struct InTheDark;

pub fn plugin(app: &mut App) {
    app.add_plugins((
        fingers::plugin,
        journal::plugin,
        layout::plugin,
        lessons::plugin,
        minimap::plugin,
        pointer::plugin,
        status::plugin,
        tips::plugin,
        watching::plugin,
    ))
    .add_systems(
        Update,
        show.run_if(state_changed::<Screen>.or_else(resource_exists_and_changed::<Game>))
            .in_set(GameSystems::Show),
    );
}

/// Hides the game's UI behind menu pages, and most of it in the dark part of the opening.
fn show(
    screen: Res<State<Screen>>,
    game: Option<Res<Game>>,
    mut roots: Query<(&mut Visibility, Has<InTheDark>), With<InPlay>>,
) {
    let is_dark = game.is_some_and(|game| game.view().wick_is_wet());
    for (mut root, stays) in &mut roots {
        root.set_if_neq(match screen.get() {
            Screen::Play if stays || !is_dark => Visibility::Inherited,
            _ => Visibility::Hidden,
        });
    }
}
