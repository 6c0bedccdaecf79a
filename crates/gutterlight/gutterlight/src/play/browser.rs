//! The web page around the game, if it runs in a browser. The page's address names the keep, and saves are exported and
//! imported as files.
//!
//! A link to a keep opens the page for a new game with that keep selected, so following a link never discards a
//! suspended game. If the keep is that of the suspended game, for example after a reload, the link opens the title,
//! where the game can be continued.

use bevy::prelude::*;
use gutterlight_rules::{Difficulty, View, save::MAX_BYTES};

use crate::play::{
    game::Game,
    session::{Began, Session, keeper::Keeper},
    words,
};

/// Whether the game runs in a web page.
#[derive(Resource, Debug, Clone, Copy)]
pub struct InPage(pub bool);

/// The extension of exported files.
const ENDING: &str = ".save";

pub fn plugin(app: &mut App) {
    let in_page = lanternfell_headless::web_page::is_there();
    app.insert_resource(InPage(in_page));
    if in_page {
        app.add_systems(Update, (follow.run_if(on_message::<Began>), bring));
    }
}

/// Updates the page's address to the current game.
fn follow(game: Res<Game>, session: Res<Session>) {
    let options = match session.own {
        true => address(game.view()),
        false => Vec::new(),
    };
    lanternfell_headless::web_page::show_in_address(&options);
}

/// The options that make the program offer this keep.
fn address(view: View<'_>) -> Vec<(&'static str, String)> {
    let mut options = vec![("seed", view.seed().to_string())];
    if view.difficulty() != Difficulty::default() {
        options.push(("difficulty", view.difficulty().name().to_owned()));
    }
    options
}

/// Exports the suspended game as a file.
pub fn take_along(keeper: &mut Keeper) {
    if let (Some((seed, _)), Some(save)) = (keeper.suspended_keep(), keeper.export()) {
        lanternfell_headless::web_page::offer_file(
            &format!("gutterlight-keep-{seed}{ENDING}"),
            &save,
        );
    }
}

/// Opens a file dialog for a suspended game. [`bring`] handles the result.
pub fn ask_for_game() {
    lanternfell_headless::web_page::ask_for_file(ENDING, MAX_BYTES);
}

fn bring(mut keeper: ResMut<Keeper>) {
    match lanternfell_headless::web_page::chosen_file() {
        Some(Ok(file)) => keeper.import(&file.bytes),
        Some(Err(flaw)) => keeper.notes.push(words::not_brought(&flaw)),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use gutterlight_rules::World;

    use super::*;

    #[test]
    fn address_has_seed_and_non_default_difficulty() {
        let named = |difficulty| address(World::new(42, difficulty).view());
        assert_eq!(named(Difficulty::Thief), [("seed", "42".to_owned())]);
        assert_eq!(
            named(Difficulty::Ghost),
            [
                ("seed", "42".to_owned()),
                ("difficulty", "ghost".to_owned())
            ]
        );
    }
}
