//! One game played by a bot.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use gutterlight_rules::{
    BEAT, Bot, Difficulty, Ending, FLOORS, MOST_TURNS, Perk, Tool, Twist, World,
};

use crate::{failure::Failure, files};

/// The result of a bot's game.
pub(crate) struct BotGame {
    pub(crate) bot: Bot,
    /// `None` if the game exceeded the turn limit.
    pub(crate) ending: Option<Ending>,
    pub(crate) turns: u32,
    pub(crate) floors: usize,
    pub(crate) times_seen: u32,
    pub(crate) score: u32,
    /// Total beats, and the beats with a burning torch in hand.
    pub(crate) beats: u32,
    pub(crate) beats_torch: u32,
    /// Remaining fuel of the torch in hand, in beats.
    pub(crate) fuel: u16,
    /// The twist of each floor of the keep, including floors that the bot did not reach.
    pub(crate) twists: Vec<Option<Twist>>,
    /// The perk that the bot prefers, and the perks it learned.
    pub(crate) fancied: Perk,
    pub(crate) perks: Vec<Perk>,
    /// The tools the bot used.
    pub(crate) tools: Vec<Tool>,
    pub(crate) lamps_doused: u32,
    /// The floor on which the game ended, from 0.
    pub(crate) depth: usize,
    /// Wall-clock time of the game.
    pub(crate) time: Duration,
}

impl BotGame {
    /// Plays the game and, if `replays` is set, writes its replay to that folder.
    pub(crate) fn play(
        bot: Bot,
        seed: u64,
        difficulty: Difficulty,
        replays: Option<&Path>,
    ) -> Result<Self, Failure> {
        let begin = Instant::now();
        let world = bot.play(World::new(seed, difficulty), MOST_TURNS);
        let time = begin.elapsed();
        if let (Some(folder), Some(replay)) = (replays, world.replay()) {
            let name = format!("{}-{}-{seed}.replay", bot.name(), difficulty.name());
            files::write(&folder.join(name), &replay.to_bytes())?;
        }
        let view = world.view();
        let used = |&tool: &Tool| view.tally().used(tool) > 0;
        let twist = |depth| Twist::of_floor(view.rules(), seed, depth);
        Ok(Self {
            bot,
            ending: view.ending(),
            turns: view.turn(),
            floors: view.floors_reached(),
            times_seen: view.tally().times_seen,
            score: view.score(),
            beats: view.tick() / u32::from(BEAT),
            beats_torch: view.tally().beats_torch,
            fuel: view.thief().torch.map_or(0, |torch| torch.fuel),
            twists: (0..FLOORS).map(twist).collect(),
            fancied: Bot::fancies(seed),
            perks: view.thief().perks.clone(),
            tools: Tool::ALL.into_iter().filter(used).collect(),
            lamps_doused: view.tally().lamps_doused,
            depth: view.depth(),
            time,
        })
    }

    /// Whether the thief escaped with the Ember.
    pub(crate) fn is_won(&self) -> bool {
        self.ending == Some(Ending::Escaped)
    }
}
