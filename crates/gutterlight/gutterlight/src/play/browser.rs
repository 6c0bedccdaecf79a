//! The page around the game, where it runs in a browser: its address names the keep, and saved games leave and come
//! as files.
//!
//! A link to a keep leads to the page on which a game is begun, with that keep chosen: nobody loses a suspended
//! game by following one. When it is the keep of the suspended game, as after the page was loaded again, it leads
//! to the title, where that game goes on.

use bevy::prelude::*;
use gutterlight_rules::{Difficulty, View, save::MAX_BYTES};

use crate::play::{
    game::Game,
    session::{Began, Session, keeper::Keeper},
    words,
};

/// Whether the game runs in a page.
#[derive(Resource, Debug, Clone, Copy)]
pub struct InPage(pub bool);

/// What the files are called.
const ENDING: &str = ".save";

pub fn plugin(app: &mut App) {
    let in_page = lanternfell_headless::web_page::is_there();
    app.insert_resource(InPage(in_page));
    if in_page {
        app.add_systems(Update, (follow.run_if(on_message::<Began>), bring));
    }
}

/// The address follows the game.
fn follow(game: Res<Game>, session: Res<Session>) {
    let options = match session.own {
        true => address(game.view()),
        false => Vec::new(),
    };
    lanternfell_headless::web_page::show_in_address(&options);
}

/// The options by which the program offers this keep.
fn address(view: View<'_>) -> Vec<(&'static str, String)> {
    let mut options = vec![("seed", view.seed().to_string())];
    if view.difficulty() != Difficulty::default() {
        options.push(("difficulty", view.difficulty().name().to_owned()));
    }
    options
}

/// Offers the suspended game as a file.
pub fn take_along(keeper: &mut Keeper) {
    if let (Some((seed, _)), Some(save)) = (keeper.suspended_keep(), keeper.export()) {
        lanternfell_headless::web_page::offer_file(
            &format!("gutterlight-keep-{seed}{ENDING}"),
            &save,
        );
    }
}

/// Lets the player choose a file with a suspended game, which [`bring`] takes.
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
    fn the_address_names_the_keep_and_what_is_not_usual() {
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
