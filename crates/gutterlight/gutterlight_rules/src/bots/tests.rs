//! Tests of bots: they finish games and play deterministically. Their types already ensure that
//! they do not cheat.

use std::{collections::BTreeSet, sync::Arc};

use super::*;
use crate::{Difficulty, Replay, Rules};

fn played(bot: Bot, seed: u64, turns: u32) -> Replay {
    let world = bot.play(World::new(seed, Difficulty::Thief), turns);
    world.replay().expect("a game from its beginning")
}

#[test]
fn same_seed_gives_the_same_game() {
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
fn bot_games_can_be_replayed() {
    for bot in Bot::ALL {
        let world = bot.play(World::new(8, Difficulty::Apprentice), 200);
        let again = world.replay().expect("a replay").play(Rules::standard());
        assert_eq!(again.as_ref(), Ok(&world), "{}", bot.name());
    }
}

#[test]
fn bots_respect_the_turn_limit() {
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
fn careful_bot_gets_further_than_reckless_bot() {
    let depth = |bot: Bot| -> usize {
        let games = (0..6).map(|seed| bot.play(World::new(seed, Difficulty::Thief), 1500));
        games.map(|world| world.view().floors_reached()).sum()
    };
    let (careful, reckless) = (depth(Bot::Careful), depth(Bot::Reckless));
    assert!(careful > reckless, "{careful} floors, {reckless} floors");
}

#[test]
fn light_blind_bot_uses_its_torch_more_than_careful_bot() {
    // Over several keeps, because in a blackout every bot needs a light.
    let lit = |bot: Bot| -> u32 {
        let games = (0..8).map(|seed| bot.play(World::new(seed, Difficulty::Thief), 400));
        games.map(|world| world.view().tally().beats_torch).sum()
    };
    let (blind, careful) = (lit(Bot::LightBlind), lit(Bot::Careful));
    assert!(2 * blind > 3 * careful, "{blind} turns, {careful} turns");
}

#[test]
fn careful_bot_has_a_lit_torch_10_to_40_percent_of_the_time() {
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
fn random_bot_tries_every_kind_of_action() {
    let kind = |action: Action| {
        let text = format!("{action:?}");
        let end = text.find(|letter: char| !letter.is_alphanumeric());
        text[..end.unwrap_or(text.len())].to_owned()
    };
    // A small room with something for every action.
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

/// Putting lamps out is worth it only for bots that heed light.
#[test]
fn only_bots_that_heed_light_put_out_lamps() {
    let doused = |bot: Bot| -> u32 {
        let games = (0..8).map(|seed| bot.play(World::new(seed, Difficulty::Thief), 1500));
        games.map(|world| world.view().tally().lamps_doused).sum()
    };
    assert!(doused(Bot::Careful) >= 4);
    assert_eq!(doused(Bot::LightBlind), 0);
}

#[test]
fn every_perk_is_a_favorite_of_some_seed() {
    let fancied: BTreeSet<Perk> = (0..100).map(Bot::fancies).collect();
    assert_eq!(fancied.len(), Perk::ALL.len());
}

/// The number of keeps in which the careful bot reaches the second floor, with these rules.
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
fn twists_do_not_make_the_first_floor_harder() {
    let with = Rules::standard();
    let mut without = (*with).clone();
    without.twists.opening.clear();
    let (with, without) = (keeps_passed(&with), keeps_passed(&Arc::new(without)));
    assert!(without >= 14, "{without} of 20 without");
    assert!(with + 2 >= without, "{with} of 20, {without} without");
}

/// A thief in the dark whose torch has too little fuel to light.
fn shaken(nerve: i16, map: &str) -> World {
    let mut world = World::from_drawing(Rules::standard(), 1, map).expect("a drawing");
    world.state.thief.nerve = nerve;
    world.state.thief.torch = Some(crate::Torch {
        lit: false,
        fuel: 10,
    });
    for at in world.floor().tiles.cells() {
        crate::light::update_cell(&mut world, at);
    }
    crate::turn::settle_in(&mut world);
    world
}

/// Reported: bots without nerve and fuel did not know a way on.
#[test]
fn bot_without_nerve_and_fuel_calms_down() {
    let map = "##########\n#@.......#\n#........#\n##########";
    let mut world = shaken(0, map);
    let mut mind = Bot::Careful.mind(1);
    let mut waits = 0;
    while mind.choose(world.view(), &[]) == Action::Wait {
        world.act(Action::Wait).expect("time passes");
        waits += 1;
        assert!(waits < 60, "it calms down only for a while");
    }
    assert!(world.view().thief().nerve >= 10);
    // A bot that is only shaken goes on.
    assert_ne!(
        Bot::Careful.mind(1).choose(shaken(5, map).view(), &[]),
        Action::Wait
    );
}

/// The bot does not know of the sleeper behind the door, and must not wait forever.
#[test]
fn bot_does_not_wait_where_waiting_does_not_help() {
    let map = "##########\n#@+w.....#\n#.########\n#........#\n##########";
    let mut world = shaken(0, map);
    world.floor_mut().guards[0].duty = crate::Duty::Sleep;
    let mut mind = Bot::Careful.mind(1);
    let mut waits = 0;
    while mind.choose(world.view(), &[]) == Action::Wait {
        world.act(Action::Wait).expect("time passes");
        waits += 1;
        assert!(waits < 3, "it waits");
    }
    assert_eq!((waits, world.view().thief().nerve), (1, 0));
}

/// Reported: a ghost bot that had read a blink scroll paced in a locked room until turn 12,000.
#[test]
fn bot_leaves_a_locked_room() {
    let map = "##########\n#<..X...@#\n##########";
    for bot in [Bot::Careful, Bot::Ghost] {
        let world = World::from_drawing(Rules::standard(), 1, map).expect("a drawing");
        let lock = world.state.thief.at - glam::IVec2::new(4, 0);
        let world = bot.play(world, 60);
        let open = crate::Tile::Door(crate::Door::Open);
        assert_eq!(world.floor().tile(lock), open, "{bot:?}");
    }
}

/// Reported: in this game the bot fled over the same stairs and came back until turn 12,000. An early
/// dawn keeps the test short.
#[test]
fn dawn_ends_games_in_which_a_bot_goes_back_and_forth() {
    let mut rules = Rules::clone(&Rules::standard());
    (rules.night.dawn, rules.night.late) = (10_000, 400);
    let world = World::with_rules(Arc::new(rules), 49, Difficulty::Thief, false);
    let world = Bot::Careful.play(world, 5000);
    assert!(world.view().ending().is_some());
    assert!(world.view().ticks_to_dawn() < 400, "it goes back and forth");
}
