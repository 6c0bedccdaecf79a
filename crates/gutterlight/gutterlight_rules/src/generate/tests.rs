//! Tests of floors over many seeds, sizes and rules.

mod differ;

use core::fmt::Write as _;

use glam::IVec2;
use lanternfell_test_support::cases;

use super::*;
use crate::{Direction, Door, Duty, GuardKind, Item, Placed, Tile, drawing};

/// Runs `work` for all numbers on all cores, and returns the sum of the results.
fn sum_of(numbers: core::ops::Range<u64>, work: impl Fn(u64) -> u64 + Sync) -> u64 {
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let (work, numbers) = (&work, numbers.clone());
                scope.spawn(move || {
                    numbers
                        .skip(first as usize)
                        .step_by(threads as usize)
                        .map(work)
                        .sum::<u64>()
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker"))
            .sum()
    })
}

/// Generates and proves all floors of a seed. Returns how many of them were the drawn floor.
fn prove_all(rules: &Rules, seed: u64) -> u64 {
    let mut drawn = 0;
    for depth in 0..FLOORS {
        let floor = generate(rules, seed, Difficulty::Thief, depth);
        let proof = floor.prove(rules, Difficulty::Thief, depth);
        assert!(proof.is_ok(), "seed {seed}, depth {depth}: {proof:?}");
        drawn += u64::from(floor.tiles == drawn::floor(rules, depth).tiles);
    }
    drawn
}

#[test]
fn floors_of_many_seeds_pass_the_proof() {
    let rules = Rules::standard();
    let seeds = u64::from(cases(300, 10_000));
    let drawn = sum_of(0..seeds, |seed| prove_all(&rules, seed));
    assert_eq!(drawn, 0, "drawn floors were used");
}

#[test]
fn drawn_floor_passes_at_every_depth() {
    let rules = Rules::standard();
    for depth in 0..FLOORS {
        for difficulty in Difficulty::ALL {
            let proof = drawn::floor(&rules, depth).prove(&rules, difficulty, depth);
            assert!(proof.is_ok(), "{difficulty:?}, {depth}: {proof:?}");
        }
    }
}

#[test]
fn zero_attempts_give_the_drawn_floor() {
    let mut rules = (*Rules::standard()).clone();
    rules.map.attempts = 0;
    let floor = Floor::generate(&rules, 1, Difficulty::Thief, 2);
    assert_eq!(floor, drawn::floor(&rules, 2));
}

#[test]
fn floors_of_all_sizes_pass_the_proof() {
    for (width, height) in [(40, 26), (41, 27), (40, 96), (128, 26), (80, 50), (128, 96)] {
        let mut rules = (*Rules::standard()).clone();
        (rules.map.width, rules.map.height) = (width, height);
        let drawn = sum_of(0..4, |seed| prove_all(&rules, seed));
        assert_eq!(drawn, 0, "{width} x {height}");
    }
}

/// Generates floors of every theme at every depth.
#[test]
fn every_theme_works_at_every_depth() {
    let mut rules = (*Rules::standard()).clone();
    for turned in 1..=FLOORS {
        rules.floors.rotate_left(1);
        let drawn = sum_of(0..4, |seed| prove_all(&rules, seed));
        assert_eq!(drawn, 0, "themes moved by {turned}");
    }
}

#[test]
fn extreme_rules_generate_valid_floors() {
    let mut empty = (*Rules::standard()).clone();
    let mut full = empty.clone();
    for floor in &mut empty.floors {
        floor.guards.clear();
        let counts = [
            &mut floor.asleep,
            &mut floor.sconces,
            &mut floor.braziers,
            &mut floor.tools,
            &mut floor.treasures,
            &mut floor.torches,
            &mut floor.cloth,
            &mut floor.vaults,
        ];
        counts.into_iter().for_each(|count| *count = 0);
    }
    for floor in &mut full.floors {
        floor.guards = GuardKind::ALL
            .into_iter()
            .zip([16, 8, 8, 4, 3, 1])
            .collect();
        (floor.asleep, floor.braziers, floor.vaults) = (100, 40, 10);
        (floor.tools, floor.treasures, floor.torches, floor.cloth) = (40, 40, 40, 40);
    }
    (full.map.corridor, full.proof.guard_distance) = (30, 12);
    for rules in [empty, full] {
        for (width, height) in [(40, 26), (64, 40)] {
            let mut rules = rules.clone();
            (rules.map.width, rules.map.height) = (width, height);
            sum_of(0..3, |seed| prove_all(&rules, seed));
        }
    }
}

#[test]
fn difficulty_changes_only_fuel() {
    let rules = Rules::standard();
    for depth in 0..FLOORS {
        let [easy, normal, hard] =
            Difficulty::ALL.map(|difficulty| generate(&rules, 3, difficulty, depth));
        let bare = |floor: &Floor| {
            let mut floor = floor.clone();
            floor
                .items
                .retain(|placed| !matches!(placed.item, Item::Torch(_)));
            floor
        };
        assert_eq!(bare(&easy), bare(&normal), "depth {depth}");
        assert_eq!(bare(&hard), bare(&normal), "depth {depth}");
        let fuel = |floor: &Floor| {
            let torches = floor.items.iter().map(|placed| match placed.item {
                Item::Torch(torch) => u32::from(torch.fuel),
                _ => 0,
            });
            torches.sum::<u32>()
        };
        assert!(
            fuel(&easy) > fuel(&normal) && fuel(&normal) > fuel(&hard),
            "depth {depth}"
        );
    }
}

/// Removes the random changes of guards, and the twists.
fn without_chance(rules: &mut Rules) {
    rules.generation.posts.exchanges = (0, 0);
    rules.twists.opening.clear();
    rules.twists.often.clear();
}

/// Floors nearly always contain everything that the rules list.
#[test]
fn floors_contain_what_the_rules_list() {
    let mut rules = (*Rules::standard()).clone();
    without_chance(&mut rules);
    for (depth, table) in rules.floors.iter().enumerate() {
        let floors: Vec<Floor> = (0..40)
            .map(|seed| generate(&rules, seed, Difficulty::Thief, depth))
            .collect();
        let per_floor = |count: &dyn Fn(&Floor) -> usize| {
            floors.iter().map(count).sum::<usize>() as f64 / floors.len() as f64
        };
        let guards = |kind: GuardKind| {
            per_floor(&|floor| {
                floor
                    .guards
                    .iter()
                    .filter(|guard| guard.kind == kind)
                    .count()
            })
        };
        let nearly = |what: &str, is: f64, should: u32| {
            let should = f64::from(should);
            assert!(
                is <= should && is >= 0.95 * should,
                "{what} of floor {depth}: {is}"
            );
        };
        for kind in GuardKind::ALL {
            nearly(kind.name(), guards(kind), table.count(kind));
        }
        let locks = |floor: &Floor| {
            let tiles = floor.tiles.values().iter();
            tiles
                .filter(|&&tile| tile == Tile::Door(Door::Locked))
                .count()
        };
        nearly("vaults", per_floor(&locks), table.vaults);
        let cloth = |floor: &Floor| {
            floor
                .items
                .iter()
                .filter(|placed| matches!(placed.item, Item::Cloth(_)))
                .count()
        };
        nearly("cloth", per_floor(&cloth), table.cloth);
    }
}

/// Routes of patrols and sleepers start at home and have different waypoints.
#[test]
fn routes_are_loops_of_different_cells() {
    let rules = Rules::standard();
    for seed in 0..20 {
        for depth in 0..FLOORS {
            let floor = generate(&rules, seed, Difficulty::Thief, depth);
            for guard in floor.guards.iter().filter(|guard| guard.duty != Duty::Post) {
                let route = &guard.route;
                assert_eq!(route[0], guard.home, "seed {seed}, depth {depth}");
                assert!(route.len() >= 2, "seed {seed}, depth {depth}: {guard:?}");
                let differ = route.windows(2).all(|two| two[0] != two[1]);
                assert!(differ, "seed {seed}, depth {depth}: {route:?}");
            }
        }
    }
}

/// The first corridor is straight, dark, and as long as the rules say.
#[test]
fn the_first_corridor_is_straight_and_dark() {
    let rules = Rules::standard();
    for seed in 0..40 {
        let floor = generate(&rules, seed, Difficulty::Thief, 0);
        let open = |at: IVec2| floor.is_passable(at);
        let ways = Direction::STRAIGHT
            .into_iter()
            .filter(|way| open(floor.up + way.step()));
        let ways: Vec<Direction> = ways.collect();
        let [way] = ways[..] else {
            panic!("seed {seed}: more than one way from the stairs");
        };
        for n in 1..=rules.map.corridor as i32 {
            let at = floor.up + way.step() * n;
            assert!(
                open(at) && floor.fixture_at(at).is_none(),
                "seed {seed}, cell {n}"
            );
            let side = way.turned(2).step();
            assert!(
                !open(at + side) && !open(at - side),
                "seed {seed}, cell {n}"
            );
        }
    }
}

/// Rules that do not change when the balance changes.
fn frozen_rules() -> Rules {
    let mut rules = (*Rules::standard()).clone();
    (rules.map.width, rules.map.height, rules.map.corridor) = (64, 40, 12);
    (rules.proof.guard_distance, rules.proof.fuel_share) = (8, 150);
    (rules.thief.fuel, rules.thief.fuel_start, rules.thief.cloth) = (600, 400, 120);
    (rules.tools.pebbles, rules.tools.stack) = (4, 6);
    rules.difficulty.thief.fuel = 100;
    rules.alarm.spare_sconces = 0;
    without_chance(&mut rules);
    let themes = [
        Theme::Cellars,
        Theme::Cistern,
        Theme::Chapel,
        Theme::Catacombs,
        Theme::Sanctum,
    ];
    for (floor, theme) in rules.floors.iter_mut().zip(themes) {
        floor.theme = theme;
        floor.guards = GuardKind::ALL.into_iter().zip([4, 2, 1, 1, 1, 1]).collect();
        (floor.asleep, floor.sconces, floor.braziers) = (25, 45, 2);
        (floor.tools, floor.treasures, floor.treasure) = (4, 5, 60);
        (floor.torches, floor.torch_fuel) = (2, 200);
        (floor.cloth, floor.vaults) = (1, 1);
    }
    rules
}

/// The pinned floors of a few seeds, each after a line with its name.
const PINNED: &str = include_str!("tests/floors.txt");

/// A floor as text: its drawing, the routes of guards, and the items.
fn pinned_text(floor: &Floor) -> String {
    let mut text = drawing::draw(floor, None);
    text.push('\n');
    for guard in &floor.guards {
        let places = guard.route.iter().map(|at| format!(" {},{}", at.x, at.y));
        writeln!(text, "{}:{}", guard.kind.name(), places.collect::<String>()).expect("a string");
    }
    for Placed { at, item } in &floor.items {
        writeln!(text, "{item:?} at {},{}", at.x, at.y).expect("a string");
    }
    text
}

/// The differences between two texts, line by line.
fn difference(pinned: &str, now: &str) -> String {
    let (mut old, mut new) = (pinned.lines(), now.lines());
    let mut text = String::new();
    for line in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (was, is) if was == is => {}
            (was, is) => {
                let [was, is] = [was, is].map(|line| line.unwrap_or("(nothing)"));
                writeln!(text, "{line:>3} - {was}\n    + {is}").expect("a string");
            }
        }
    }
    text
}

/// The same seed must give the same floor forever, cell by cell.
#[test]
fn floors_are_pinned() {
    let rules = frozen_rules();
    let mut pinned = PINNED.split("=== ").skip(1);
    for depth in 0..FLOORS {
        for seed in [0, 1, u64::MAX] {
            let [floor, again] =
                [0, 0].map(|attempt| build(&rules, seed, Difficulty::Thief, depth, attempt));
            assert_eq!(floor, again, "seed {seed}, depth {depth}");
            let floor = floor.expect("room for stairs");
            let now = format!("seed {seed}, depth {depth}\n{}", pinned_text(&floor));
            let was = pinned.next().unwrap_or_default();
            assert!(
                was == now,
                "the floor of seed {seed}, depth {depth} has changed:\n{}",
                difference(was, &now)
            );
        }
    }
    assert_eq!(pinned.next(), None, "there are more pinned floors");
}

/// Run this by hand after a deliberate change of the generator.
#[test]
#[ignore = "writes the pinned floors"]
fn write_the_pinned_floors() {
    let rules = frozen_rules();
    let mut text = String::new();
    for depth in 0..FLOORS {
        for seed in [0, 1, u64::MAX] {
            let floor = build(&rules, seed, Difficulty::Thief, depth, 0).expect("room for stairs");
            let pinned = pinned_text(&floor);
            write!(text, "=== seed {seed}, depth {depth}\n{pinned}").expect("a string");
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/generate/tests/floors.txt");
    std::fs::write(path, text).expect("the folder is writable");
}

/// Prints the generation times and the flaws of first attempts.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "it is a measurement")]
fn measure() {
    let rules = Rules::standard();
    for depth in 0..FLOORS {
        let mut flaws = std::collections::BTreeMap::<String, u32>::new();
        let mut times = Vec::new();
        for seed in 0..300 {
            let begun = std::time::Instant::now();
            generate(&rules, seed, Difficulty::Thief, depth);
            times.push(begun.elapsed().as_secs_f64() * 1000.0);
            let floor = build(&rules, seed, Difficulty::Thief, depth, 0);
            let flaw = match floor.map(|floor| floor.prove(&rules, Difficulty::Thief, depth)) {
                None => "no stairs".to_owned(),
                Some(Ok(_)) => "valid".to_owned(),
                Some(Err(flaw)) => format!("{flaw:?}").split(['(', ' ']).take(1).collect(),
            };
            *flaws.entry(flaw).or_default() += 1;
        }
        times.sort_by(f64::total_cmp);
        let mean = times.iter().sum::<f64>() / 300.0;
        let [middle, most] = [150, 299].map(|n| times[n]);
        println!("floor {depth}: mean {mean:.1} ms, median {middle:.1}, most {most:.1}; {flaws:?}");
    }
}
