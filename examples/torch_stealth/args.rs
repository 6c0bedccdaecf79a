//! The command line: which keep, how hard, and who plays.

use std::{fs, path::PathBuf};

use bevy::prelude::*;
use lanternfell::headless::{ArgsError, HeadlessArgs, none_left, value_of};
use lanternfell_gutterlight::home::Home;
use lanternfell_stealth::{Difficulty, MOST_TURNS, Replay, Rules, World, save::MAX_BYTES};

use crate::{
    game::Game,
    input::script::Script,
    options::Options,
    player::pilot::Pilot,
    screen::Screen,
    session::{Session, keeper::Keeper},
};

/// What the command line asks for.
pub struct GameArgs {
    pub headless: HeadlessArgs,
    seed: u64,
    difficulty: Difficulty,
    /// Turns that a bot plays before the player does.
    turns: u32,
    /// Neither panel nor words.
    pub bare: bool,
    /// How long frames took is told at the end.
    pub frame_times: bool,
    /// A bot plays on screen.
    attract: bool,
    /// A replay to show.
    play: Option<PathBuf>,
    /// Whether a game was asked for, and not the title.
    begins: bool,
    /// The folder for all files.
    home: Option<PathBuf>,
    /// Keys that are pressed by themselves.
    pub script: Script,
}

/// What is there when the first frame is drawn.
pub struct Start {
    pub game: Game,
    pub pilot: Pilot,
    pub session: Session,
    pub screen: Screen,
}

const HELP: &str =
    "Without arguments the game begins with its title. Games that are begun from here are not
counted, and not kept:
  --seed N            in this keep, a whole number (7)
  --difficulty NAME   apprentice, thief or ghost (thief)
  --turns N           a careful bot plays so many turns first (0)
  --attract           a careful bot plays, until a key is pressed
  --play FILE         a replay is played, until a key is pressed

  --home DIR          settings, scores and games lie there, and not in the user's folders
  --keys LIST         these keys are pressed, one after the other: \"Enter, Right*3, 30, T\"
                      (a number waits so many frames)
  --bare              neither panel nor words
  --frame-times       at the end, tells how long the main thread worked for each frame
";

impl GameArgs {
    /// Reads the process's arguments; a wrong one ends it with a line that says so.
    pub fn from_env() -> Self {
        let mut args: Vec<String> = std::env::args().skip(1).collect();
        Self::take_from(&mut args).unwrap_or_else(|answer| answer.end_process(HELP))
    }

    /// What to begin with.
    pub fn start(&self) -> Start {
        let (screen, session) = match self.begins {
            true => (Screen::Play, Session::default()),
            false => (Screen::Title, Session::behind_title()),
        };
        let (game, pilot) = self.game();
        Start {
            game,
            pilot,
            session,
            screen,
        }
    }

    /// The files, and the settings that lie there.
    pub fn keeper(&self) -> (Keeper, Options) {
        let home = self.home.as_ref().map(Home::at);
        // Pictures are not to depend on who takes them.
        let standard = || (!self.headless.headless).then(Home::standard).flatten();
        Keeper::open(home.or_else(standard), !self.headless.headless)
    }

    fn game(&self) -> (Game, Pilot) {
        if let Some(path) = &self.play {
            let wrong = |message| ArgsError::Wrong(format!("--play {message}"));
            let replay = read(path).unwrap_or_else(|message| wrong(message).end_process(HELP));
            let world = World::with_rules(
                Rules::standard(),
                replay.seed,
                replay.difficulty,
                replay.opening,
            );
            return (Game::new(world), Pilot::Replay(replay.actions.into()));
        }
        if !self.begins {
            let (world, pilot) = Pilot::behind_title();
            return (Game::new(world), pilot);
        }
        let world = match self.turns == 0 && !self.attract {
            true => World::with_opening(self.seed, self.difficulty),
            false => World::new(self.seed, self.difficulty),
        };
        let (world, bot) = Pilot::after(world, self.turns);
        let pilot = if self.attract { bot } else { Pilot::Player };
        (Game::new(world), pilot)
    }

    fn take_from(args: &mut Vec<String>) -> Result<Self, ArgsError> {
        let mut found = Self {
            headless: HeadlessArgs::take_from(args)?,
            seed: 7,
            difficulty: Difficulty::default(),
            turns: 0,
            bare: false,
            frame_times: false,
            attract: false,
            play: None,
            begins: false,
            home: None,
            script: Script::default(),
        };
        let mut rest = Vec::new();
        let mut given = core::mem::take(args).into_iter();
        while let Some(name) = given.next() {
            let mut value = || value_of(&name, given.next());
            let games = ["--seed", "--difficulty", "--turns", "--attract", "--play"];
            found.begins |= games.contains(&name.as_str());
            match name.as_str() {
                "--seed" => {
                    let value = value()?;
                    let parsed = value.parse();
                    found.seed = parsed.map_err(|_| wrong(&name, &value, "a whole number"))?;
                }
                "--difficulty" => {
                    let value = value()?;
                    let named = |difficulty: &Difficulty| difficulty.name() == value;
                    let known = Difficulty::ALL.into_iter().find(named);
                    found.difficulty =
                        known.ok_or_else(|| wrong(&name, &value, "apprentice, thief or ghost"))?;
                }
                "--bare" => found.bare = true,
                "--frame-times" => found.frame_times = true,
                "--attract" => found.attract = true,
                "--home" => found.home = Some(value()?.into()),
                "--keys" => {
                    let told = |wrong| ArgsError::Wrong(format!("--keys: {wrong}"));
                    found.script = Script::parse(&value()?).map_err(told)?;
                }
                "--play" => found.play = Some(value()?.into()),
                "--turns" => {
                    let value = value()?;
                    let parsed = value.parse().ok().filter(|turns| *turns <= MOST_TURNS);
                    let allowed = format!("from 0 to {MOST_TURNS}");
                    found.turns = parsed.ok_or_else(|| wrong(&name, &value, &allowed))?;
                }
                _ => rest.push(name),
            }
        }
        none_left(&rest)?;
        Ok(found)
    }
}

fn wrong(name: &str, value: &str, allowed: &str) -> ArgsError {
    ArgsError::Wrong(format!("{name} is `{value}`, but must be {allowed}"))
}

/// A replay that can be played to its end; or what is wrong with the file.
fn read(path: &PathBuf) -> Result<Replay, String> {
    let told = |error: &dyn core::fmt::Display| format!("{}: {error}", path.display());
    let about = fs::metadata(path).map_err(|error| told(&error))?;
    if !about.is_file() || about.len() > MAX_BYTES as u64 {
        return Err(told(&"it is no replay"));
    }
    let bytes = fs::read(path).map_err(|error| told(&error))?;
    let replay = Replay::from_bytes(&bytes).map_err(|error| told(&error))?;
    let played = replay.play(Rules::standard());
    played.map(|_| replay).map_err(|error| told(&error))
}
