//! Arguments of the game: which keep, which difficulty, and who plays.

use std::path::PathBuf;

use bevy::prelude::*;
use clap::Args;
use gutterlight_rules::{Difficulty, MOST_TURNS, World};
use lanternfell_headless::HeadlessArgs;

use crate::{
    failure::Failure,
    files,
    home::Home,
    play::{
        game::Game,
        input::script::Script,
        menu::{self, state::Menu},
        options::Options,
        player::{pilot::Pilot, playback::Playback},
        screen::Screen,
        session::{Session, keeper::Keeper},
    },
    values,
};

/// The arguments of the game.
#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Seed of the keep, a whole number [default: 7]
    #[arg(long, value_name = "N", value_parser = values::seed, allow_negative_numbers = true,
        help_heading = AT_ONCE)]
    seed: Option<u64>,

    /// apprentice, thief or ghost [default: thief]
    #[arg(long, value_name = "NAME", value_parser = values::difficulty, help_heading = AT_ONCE)]
    difficulty: Option<Difficulty>,

    /// Let a careful bot play this many turns first
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = AT_ONCE,
        value_parser = |text: &str| values::whole_number(text, 0..=MOST_TURNS))]
    turns: Option<u32>,

    /// Let a careful bot play until a key is pressed
    #[arg(long, help_heading = AT_ONCE)]
    attract: bool,

    /// Show a replay. Keys control its speed
    #[cfg_attr(not(target_arch = "wasm32"), arg(long, value_name = "FILE", help_heading = AT_ONCE))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    play: Option<PathBuf>,

    /// Folder of settings, scores and games, instead of the user's folders
    #[cfg_attr(not(target_arch = "wasm32"), arg(long, value_name = "DIR"))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    home: Option<PathBuf>,

    /// Press these keys one after the other: "Enter, Right*3, 30, T" (a number waits for that many
    /// frames)
    // Not in a browser: a link must not press keys there, because it could discard a suspended
    // game.
    #[cfg_attr(not(target_arch = "wasm32"), arg(long, value_name = "LIST", value_parser = Script::parse))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    pub(super) keys: Option<Script>,

    /// Hide the panel and all text
    #[arg(long)]
    pub(super) bare: bool,

    /// At exit, print how long the main thread worked per frame
    #[cfg_attr(not(target_arch = "wasm32"), arg(long))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    pub(super) frame_times: bool,

    #[command(flatten)]
    pub(super) headless: HeadlessArgs,
}

/// The heading of the arguments that start a game.
const AT_ONCE: &str = "Start a game";

/// The default seed.
const SEED: u64 = 7;

/// The state at the first frame.
pub(super) struct Start {
    pub(super) game: Game,
    pub(super) pilot: Pilot,
    pub(super) session: Session,
    pub(super) screen: Screen,
    pub(super) menu: Menu,
}

impl Start {
    /// A menu page, with a bot playing in the background.
    fn behind(screen: Screen, menu: Menu) -> Self {
        let (world, pilot) = Pilot::behind_title();
        Self {
            game: Game::new(world),
            pilot,
            session: Session::behind_title(),
            screen,
            menu,
        }
    }
}

/// A keep named in the page's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    seed: u64,
    difficulty: Option<Difficulty>,
}

impl Link {
    /// Opens the page for a new game in that keep. If that keep is suspended, opens the title
    /// instead.
    pub(super) fn follow(self, keeper: &mut Keeper, options: &mut Options) -> Start {
        let difficulty = self.difficulty.unwrap_or_default();
        if keeper.suspended_keep() == Some((self.seed, difficulty)) {
            return Start::behind(Screen::Title, Menu::default());
        }
        options.difficulty = difficulty;
        Start::behind(Screen::NewGame, menu::with_seed(self.seed))
    }
}

impl PlayArgs {
    /// Returns the initial state for these arguments.
    pub(super) fn start(&self) -> Result<Start, Failure> {
        if !self.begins() {
            return Ok(Start::behind(Screen::Title, Menu::default()));
        }
        let (world, pilot) = self.game()?;
        Ok(Start {
            game: Game::new(world),
            pilot,
            session: Session::default(),
            screen: Screen::Play,
            menu: Menu::default(),
        })
    }

    /// In a browser, the keep named in the page's address, unless the address has other options.
    pub(super) fn link(&self) -> Option<Link> {
        let is_link =
            lanternfell_headless::web_page::is_there() && self.turns.is_none() && !self.attract;
        self.seed.filter(|_| is_link).map(|seed| Link {
            seed,
            difficulty: self.difficulty,
        })
    }

    /// Whether the arguments start a game instead of showing the title.
    fn begins(&self) -> bool {
        let named = self.seed.is_some() || self.difficulty.is_some() || self.turns.is_some();
        named || self.attract || self.play.is_some()
    }

    fn game(&self) -> Result<(World, Pilot), Failure> {
        if let Some(path) = &self.play {
            let (replay, world) = files::begin_replay(path)?;
            return Ok((world, Pilot::Replay(Playback::new(replay.actions))));
        }
        let (seed, turns) = (self.seed.unwrap_or(SEED), self.turns.unwrap_or(0));
        let difficulty = self.difficulty.unwrap_or_default();
        let world = match turns == 0 && !self.attract {
            true => World::with_opening(seed, difficulty),
            false => World::new(seed, difficulty),
        };
        let (world, bot) = Pilot::after(world, turns);
        let pilot = if self.attract { bot } else { Pilot::Player };
        Ok((world, pilot))
    }

    /// Opens the game's files and loads the settings.
    pub(super) fn keeper(&self) -> (Keeper, Options) {
        let home = self.home.as_ref().map(Home::at);
        // Screenshots must not depend on the user's settings.
        let standard = || (!self.headless.headless).then(Home::standard).flatten();
        Keeper::open(home.or_else(standard), !self.headless.headless)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_opens_new_game_or_suspended_keep() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let link = Link {
            seed: 42,
            difficulty: Some(Difficulty::Ghost),
        };
        let follow = |link: Link| {
            let (mut keeper, mut options) = Keeper::open(Some(home.clone()), true);
            let start = link.follow(&mut keeper, &mut options);
            (start.screen, start.menu.typed, options.difficulty)
        };
        let offered = (Screen::NewGame, "42".to_owned(), Difficulty::Ghost);
        assert_eq!(follow(link), offered);
        // A suspended game with another difficulty does not change that.
        let suspend = |difficulty| home.suspend(&World::new(42, difficulty).save()).unwrap();
        suspend(Difficulty::Thief);
        assert_eq!(follow(link), offered);
        suspend(Difficulty::Ghost);
        let (screen, typed, _) = follow(link);
        assert_eq!((screen, typed.as_str()), (Screen::Title, ""));
        assert!(home.is_suspended(), "following a link keeps the game");
        // A damaged save is reported and not offered.
        std::fs::write(home.save_path(), "damaged").unwrap();
        let (mut keeper, mut options) = Keeper::open(Some(home.clone()), true);
        let start = link.follow(&mut keeper, &mut options);
        assert_eq!(start.screen, Screen::NewGame);
        assert!(!keeper.is_suspended() && keeper.notes.len() == 1);
    }
}
