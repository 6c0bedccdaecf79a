//! The command line: which keep, how hard, and whether a bot plays the beginning.

use bevy::prelude::*;
use lanternfell::headless::{ArgsError, HeadlessArgs, none_left, value_of};
use lanternfell_stealth::{Bot, Difficulty, MOST_TURNS, World};

use crate::game::Game;

/// What the command line asks for.
pub struct GameArgs {
    pub headless: HeadlessArgs,
    seed: u64,
    difficulty: Difficulty,
    /// Turns that a bot plays before the player does.
    turns: u32,
    /// Neither panel nor words.
    pub bare: bool,
}

const HELP: &str = "  --seed N            which keep, a whole number (7)
  --difficulty NAME   apprentice, thief or ghost (thief)
  --turns N           a careful bot plays so many turns first (0)
  --bare              neither panel nor words
";

impl GameArgs {
    /// Reads the process's arguments; a wrong one ends it with a line that says so.
    pub fn from_env() -> Self {
        let mut args: Vec<String> = std::env::args().skip(1).collect();
        Self::take_from(&mut args).unwrap_or_else(|answer| answer.end_process(HELP))
    }

    /// The game to begin with.
    pub fn game(&self) -> Game {
        let world = match self.turns {
            0 => World::with_opening(self.seed, self.difficulty),
            _ => World::new(self.seed, self.difficulty),
        };
        Game::new(Bot::Careful.play(world, self.turns))
    }

    fn take_from(args: &mut Vec<String>) -> Result<Self, ArgsError> {
        let mut found = Self {
            headless: HeadlessArgs::take_from(args)?,
            seed: 7,
            difficulty: Difficulty::default(),
            turns: 0,
            bare: false,
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
