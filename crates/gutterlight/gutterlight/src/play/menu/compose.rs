//! Rebuilds the current page when its content may have changed.

use bevy::prelude::*;

use crate::play::{
    game::GameSystems,
    input::bindings::Bindings,
    menu::{facts::Facts, pages, state::Menu},
    options::Options,
    screen::{Screen, is_play},
    session::keeper::Keeper,
};

/// Runs the system that rebuilds the page.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Composed;

/// Whether the content of the page may have changed. The running game is not checked: it runs only
/// behind the title, which does not show it.
fn is_stale(
    screen: Res<State<Screen>>,
    options: Res<Options>,
    bindings: Res<Bindings>,
    keeper: Res<Keeper>,
    menu: Res<Menu>,
) -> bool {
    screen.is_changed()
        || options.is_changed()
        || bindings.is_changed()
        || keeper.is_changed()
        || menu.is_changed()
}

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        compose
            .in_set(Composed)
            .after(GameSystems::Show)
            .run_if(not(is_play).and_then(is_stale)),
    );
}

fn compose(
    screen: Res<State<Screen>>,
    next: Res<NextState<Screen>>,
    facts: Facts,
    mut menu: ResMut<Menu>,
    mut shown: Local<Option<Screen>>,
) {
    // During a transition, the state already belongs to the next page.
    if !matches!(*next, NextState::Unchanged) {
        return;
    }
    let fresh = *shown != Some(*screen.get()) || screen.is_changed();
    *shown = Some(*screen.get());
    let page = pages::page(*screen.get(), &facts, &menu);
    if fresh || menu.page != page {
        menu.show(page, fresh);
    }
}
