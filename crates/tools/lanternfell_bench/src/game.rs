//! Gutterlight: a turn, a floor, and a whole game played by a bot.
//!
//! There are no peers, since the rules are unique. A turn is compared with the same turn without
//! incremental light, where all light is settled from darkness each time.

use std::{io, sync::Arc};

use gutterlight_rules::{
    Action, Bot, Difficulty, FLOORS, GuardKind, MOST_TURNS, Rules, Survey, World,
};

use crate::{
    bench::Bench,
    map::{Kind, Map},
    race::Race,
    report::Budget,
    stopwatch::Stopwatch,
};

/// The budget of a turn on 80 x 50 cells with twelve guards, in nanoseconds.
const TURN: f64 = 0.5e6;
/// The budget of generating and validating a floor, in nanoseconds.
const FLOOR: f64 = 20e6;
/// The budget of a whole game, in nanoseconds.
const GAME: f64 = 3e9;

/// The number of turns per measurement.
const TURNS: u32 = 100;
/// The number of seeds in a cycle.
const SEEDS: u64 = 8;

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Gutterlight")?;
    // A placeholder: no peer in another process uses the map.
    let map = Map::new(Kind::Open, 16);
    let mut race = Race::new("Gutterlight", &map);
    race.contest("a turn, 80 x 50 cells, 12 guards");
    let turn = race.ours("ours", None, turns(false));
    race.other("light from darkness each turn", None, turns(true));
    race.contest("generate and validate a floor");
    let floors: Vec<_> = (0..FLOORS)
        .map(|depth| {
            (
                depth,
                race.ours(format!("floor {}", depth + 1), None, floors(depth)),
            )
        })
        .collect();
    race.contest("a game played by the careful bot, each in a different keep");
    let game = race.ours("ours", None, games());
    bench.run(&mut race)?;
    let mut budget = |what: &str, limit, id| {
        let budget = Budget::time(what, limit, race.times(id));
        bench.report.budget(budget);
    };
    budget("game, a turn, 80 x 50, 12 guards", TURN, turn);
    for (depth, id) in floors {
        budget(
            &format!("game, floor {} generated and validated", depth + 1),
            FLOOR,
            id,
        );
    }
    budget("game, a whole game by a bot", GAME, game);
    Ok(())
}

/// The standard rules, but with a large first floor and twelve guards who patrol with lanterns.
fn crowded() -> Arc<Rules> {
    let mut rules = (*Rules::standard()).clone();
    (rules.map.width, rules.map.height) = (80, 50);
    if let Some(floor) = rules.floors.first_mut() {
        floor.asleep = 0;
        floor.guards = [(GuardKind::Watchman, 12)].into();
    }
    Arc::new(rules)
}

/// The first turns of the careful bot, repeated on one floor after another.
fn turns(from_darkness: bool) -> impl FnMut(&mut Stopwatch) {
    let rules = crowded();
    let games: Vec<(World, Vec<Action>)> = (0..SEEDS)
        .map(|seed| {
            let world = World::with_rules(Arc::clone(&rules), seed, Difficulty::Thief, false);
            let played = Bot::Careful.play(world.clone(), TURNS);
            let actions = played.replay().map(|replay| replay.actions);
            (world, actions.unwrap_or_default())
        })
        .collect();
    let mut next = games.into_iter().cycle();
    let tolerance = rules.light.tolerance;
    move |watch| {
        while watch.goes_on() {
            let Some((mut world, actions)) = next.next() else {
                return;
            };
            let mut grid = world.light().clone();
            watch.time_many(actions.len() as u32, || {
                for &action in &actions {
                    // All actions succeeded when the bot played them.
                    let _ = world.act(action);
                    if from_darkness {
                        grid.darken();
                        grid.settle(tolerance);
                    }
                }
            });
        }
    }
}

fn floors(depth: usize) -> impl FnMut(&mut Stopwatch) {
    let rules = Rules::standard();
    let mut seeds = (0..SEEDS).cycle();
    move |watch| {
        while watch.goes_on() {
            let Some(seed) = seeds.next() else {
                return;
            };
            watch.time(|| Survey::new(&rules, seed, Difficulty::Thief, depth));
        }
    }
}

fn games() -> impl FnMut(&mut Stopwatch) {
    let mut seeds = 0..;
    move |watch| {
        while watch.goes_on() {
            let Some(seed) = seeds.next() else {
                return;
            };
            let world = World::new(seed, Difficulty::Thief);
            watch.time(|| Bot::Careful.play(world, MOST_TURNS));
        }
    }
}
