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

use crate::play::screen::Screen;

/// Whatever belongs to the game and not to the pages that lie over it: only the outermost
/// nodes carry it.
#[derive(Component)]
#[require(Node, Visibility)]
pub struct InPlay;

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
    .add_systems(Update, show.run_if(state_changed::<Screen>));
}

/// Pages are alone with what they have to say.
fn show(screen: Res<State<Screen>>, mut roots: Query<&mut Visibility, With<InPlay>>) {
    for mut root in &mut roots {
        root.set_if_neq(match screen.get() {
            Screen::Play => Visibility::Inherited,
            _ => Visibility::Hidden,
        });
    }
}
