//! The command line: which keep, how hard, and who plays.

use std::{fs, path::PathBuf};

use bevy::prelude::*;
use lanternfell::headless::{ArgsError, HeadlessArgs, none_left, value_of};
use lanternfell_stealth::{Bot, Difficulty, MOST_TURNS, Replay, Rules, World, save::MAX_BYTES};

use crate::{game::Game, player::pilot::Pilot};

/// What the command line asks for.
pub struct GameArgs {
    pub headless: HeadlessArgs,
    seed: u64,
    difficulty: Difficulty,
    /// Turns that a bot plays before the player does.
    turns: u32,
    /// Neither panel nor words.
    pub bare: bool,
    /// A bot plays on screen.
    attract: bool,
    /// A replay to show.
    play: Option<PathBuf>,
}

const HELP: &str = "  --seed N            which keep, a whole number (7)
  --difficulty NAME   apprentice, thief or ghost (thief)
  --turns N           a careful bot plays so many turns first (0)
  --attract           a careful bot plays, until a key is pressed
  --play FILE         a replay is played, until a key is pressed
  --bare              neither panel nor words
";

impl GameArgs {
    /// Reads the process's arguments; a wrong one ends it with a line that says so.
    pub fn from_env() -> Self {
        let mut args: Vec<String> = std::env::args().skip(1).collect();
        Self::take_from(&mut args).unwrap_or_else(|answer| answer.end_process(HELP))
    }

    /// The game to begin with, and who plays it.
    pub fn game(&self) -> (Game, Pilot) {
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
        let mut world = match self.turns == 0 && !self.attract {
            true => World::with_opening(self.seed, self.difficulty),
            false => World::new(self.seed, self.difficulty),
        };
        let mut mind = Bot::Careful.mind(self.seed);
        let mut events = Vec::new();
        for _ in 0..self.turns {
            let action = mind.choose(world.view(), &events);
            events = world.act(action).unwrap_or_default();
        }
        let pilot = match self.attract {
            true => Pilot::Bot(Box::new(mind)),
            false => Pilot::Player,
        };
        (Game::new(world), pilot)
    }

    fn take_from(args: &mut Vec<String>) -> Result<Self, ArgsError> {
        let mut found = Self {
            headless: HeadlessArgs::take_from(args)?,
            seed: 7,
            difficulty: Difficulty::default(),
            turns: 0,
            bare: false,
            attract: false,
            play: None,
        };
        let mut rest = Vec::new();
        let mut given = core::mem::take(args).into_iter();
        while let Some(name) = given.next() {
            let mut value = || value_of(&name, given.next());
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
                "--attract" => found.attract = true,
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
