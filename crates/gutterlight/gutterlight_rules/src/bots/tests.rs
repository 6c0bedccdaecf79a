//! What bots must be: able to end a game, the same each time, and honest, which their types
//! see to.

use std::{collections::BTreeSet, sync::Arc};

use super::*;
use crate::{Difficulty, Replay, Rules};

fn played(bot: Bot, seed: u64, turns: u32) -> Replay {
    let world = bot.play(World::new(seed, Difficulty::Thief), turns);
    world.replay().expect("a game from its beginning")
}

#[test]
fn the_same_seed_is_played_the_same() {
    for bot in Bot::ALL {
        assert_eq!(played(bot, 5, 150), played(bot, 5, 150), "{}", bot.name());
    }
}

#[test]
fn bots_differ() {
    let games: BTreeSet<Vec<u8>> = Bot::ALL
        .into_iter()
        .map(|bot| played(bot, 2, 300).to_bytes())
        .collect();
    assert_eq!(games.len(), Bot::ALL.len());
}

#[test]
fn a_game_that_a_bot_played_plays_again() {
    for bot in Bot::ALL {
        let world = bot.play(World::new(8, Difficulty::Apprentice), 200);
        let again = world.replay().expect("a replay").play(Rules::standard());
        assert_eq!(again.as_ref(), Ok(&world), "{}", bot.name());
    }
}

#[test]
fn the_reckless_end_soon_and_nobody_plays_beyond_the_limit() {
    for seed in 0..4 {
        let world = Bot::Reckless.play(World::new(seed, Difficulty::Thief), MOST_TURNS);
        assert!(world.view().ending().is_some(), "seed {seed}");
    }
    for bot in Bot::ALL {
        let world = bot.play(World::new(1, Difficulty::Thief), 70);
        assert!(world.view().turn() <= 70, "{bot:?}");
        assert!(
            world.view().turn() == 70 || world.view().ending().is_some(),
            "{bot:?}"
        );
    }
}

#[test]
fn the_careful_bot_gets_further_than_the_reckless_one() {
    let depth = |bot: Bot| -> usize {
        let games = (0..6).map(|seed| bot.play(World::new(seed, Difficulty::Thief), 1500));
        games.map(|world| world.view().floors_reached()).sum()
    };
    let (careful, reckless) = (depth(Bot::Careful), depth(Bot::Reckless));
    assert!(careful > reckless, "{careful} floors, {reckless} floors");
}

#[test]
fn the_light_blind_bot_keeps_its_torch_burning_and_the_careful_one_does_not() {
    // Over several keeps: in a blackout everybody needs a light.
    let lit = |bot: Bot| -> u32 {
        let games = (0..8).map(|seed| bot.play(World::new(seed, Difficulty::Thief), 400));
        games.map(|world| world.view().tally().beats_torch).sum()
    };
    let (blind, careful) = (lit(Bot::LightBlind), lit(Bot::Careful));
    assert!(2 * blind > 3 * careful, "{blind} turns, {careful} turns");
}

#[test]
fn the_careful_bot_carries_a_light_for_a_part_of_the_time() {
    let (mut lit, mut beats) = (0, 0);
    for seed in 0..12 {
        let world = Bot::Careful.play(World::new(seed, Difficulty::Thief), 1200);
        lit += world.view().tally().beats_torch;
        beats += world.view().tick() / u32::from(crate::BEAT);
    }
    let percent = 100 * lit / beats;
    assert!((10..=40).contains(&percent), "{percent} % of {beats} beats");
}

#[test]
fn the_gambler_tries_every_kind_of_action() {
    let kind = |action: Action| {
        let text = format!("{action:?}");
        let end = text.find(|letter: char| !letter.is_alphanumeric());
        text[..end.unwrap_or(text.len())].to_owned()
    };
    // A cupboard of everything.
    let map = "
        ##########
        #>.o.v.bq#
        #+.@E.!t.#
        #.sc.$dx.#
        ##########";
    let mut tried = BTreeSet::new();
    for seed in 0..60 {
        let world = World::from_drawing(Rules::standard(), seed, map);
        let mut world = world.expect("a drawing");
        let mut mind = Bot::Random.mind(seed);
        for _ in 0..300 {
            let action = mind.choose(world.view(), &[]);
            tried.insert(kind(action));
            if world.act(action).is_err() {
                break;
            }
        }
    }
    assert_eq!(tried.len(), 24, "{tried:?}");
}

/// Light is worth something to put out.
#[test]
fn careful_bots_put_lamps_out_and_light_blind_ones_do_not() {
    let doused = |bot: Bot| -> u32 {
        let games = (0..8).map(|seed| bot.play(World::new(seed, Difficulty::Thief), 1500));
        games.map(|world| world.view().tally().lamps_doused).sum()
    };
    assert!(doused(Bot::Careful) >= 4);
    assert_eq!(doused(Bot::LightBlind), 0);
}

#[test]
fn over_many_games_everything_is_learnt_first() {
    let fancied: BTreeSet<Perk> = (0..100).map(Bot::fancies).collect();
    assert_eq!(fancied.len(), Perk::ALL.len());
}

/// In how many keeps by a table a careful thief gets to the second floor.
fn keeps_passed(rules: &Arc<Rules>) -> u32 {
    let passes = |seed: u64| {
        let mut world = World::with_rules(Arc::clone(rules), seed, Difficulty::Thief, false);
        let mut mind = Bot::Careful.mind(seed);
        let mut events = Vec::new();
        while world.view().depth() == 0 && world.view().ending().is_none() {
            let action = mind.choose(world.view(), &events);
            events = world.act(action).expect("minds choose what is possible");
        }
        world.view().depth() > 0
    };
    (500..520).filter(|&seed| passes(seed)).count() as u32
}

#[test]
fn twists_make_the_first_floor_no_harder() {
    let with = Rules::standard();
    let mut without = (*with).clone();
    without.twists.opening.clear();
    let (with, without) = (keeps_passed(&with), keeps_passed(&Arc::new(without)));
    assert!(without >= 14, "{without} of 20 without");
    assert!(with + 2 >= without, "{with} of 20, {without} without");
}
