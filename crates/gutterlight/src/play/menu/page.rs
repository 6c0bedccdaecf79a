//! A page as data: what is written on it, and what can be chosen.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::play::{
    game::{Game, GameSystems},
    hud::journal::Journal,
    input::bindings::Bindings,
    menu::{Menu, deeds::Deed, pages},
    options::Options,
    screen::{Screen, is_play},
    session::{Session, keeper::Keeper},
    sound::Sounding,
};

/// What lies over the game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Its heading.
    pub title: String,
    pub rows: Vec<Row>,
    /// Whether it stands at the side, and leaves the game to be seen.
    pub aside: bool,
    /// Whether its end is shown first.
    pub from_the_end: bool,
}

/// One line of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    /// Something to be read.
    Text(String),
    /// The patches by which brightness is set.
    TestCard,
    /// Something to be chosen.
    Choice {
        label: String,
        /// What is set; then ways to the side change it.
        value: Option<String>,
        deed: Deed,
        /// Whether it is the one to begin with.
        marked: bool,
    },
}

impl Row {
    /// A line to be read; an empty one is a gap.
    pub fn text(words: impl Into<String>) -> Self {
        Self::Text(words.into())
    }

    /// A choice without a value.
    pub fn choice(label: impl Into<String>, deed: Deed) -> Self {
        Self::Choice {
            label: label.into(),
            value: None,
            deed,
            marked: false,
        }
    }

    /// A choice that shows what is set.
    pub fn value(label: impl Into<String>, value: impl Into<String>, deed: Deed) -> Self {
        Self::Choice {
            label: label.into(),
            value: Some(value.into()),
            deed,
            marked: false,
        }
    }

    /// The choice to begin with.
    pub fn marked(mut self, begins: bool) -> Self {
        if let Self::Choice { marked, .. } = &mut self {
            *marked = begins;
        }
        self
    }

    /// Whether it can be selected.
    pub const fn is_choice(&self) -> bool {
        matches!(self, Self::Choice { .. })
    }

    /// Whether it is the one to begin with.
    pub const fn is_marked(&self) -> bool {
        matches!(self, Self::Choice { marked: true, .. })
    }
}

/// After this the page is as things are.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Composed;

/// Everything that pages tell of.
#[derive(SystemParam)]
pub struct Facts<'w> {
    pub options: Res<'w, Options>,
    pub bindings: Res<'w, Bindings>,
    pub keeper: Res<'w, Keeper>,
    pub session: Res<'w, Session>,
    pub game: Res<'w, Game>,
    pub journal: Res<'w, Journal>,
    pub sounding: Res<'w, Sounding>,
}

/// What can change what a page says. The game goes on only behind the title, which does not
/// tell of it.
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
    // What is so now belongs to the next page already.
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
