//! How things stand, and what happened, in words and bars around the picture.

mod fingers;
pub mod journal;
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

/// Whatever belongs to the game and not to the pages that lie over it: only the outermost
/// nodes carry it.
#[derive(Component)]
#[require(Node, Visibility)]
pub struct InPlay;

/// What stays when the torch of the opening has gone out, and there is nothing but the dark: words, and what fingers press.
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

/// Pages are alone with what they have to say, and so is the dark.
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
