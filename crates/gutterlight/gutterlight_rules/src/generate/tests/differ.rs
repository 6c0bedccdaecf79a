//! Tests of the variety of floors.
//!
//! **Measure.** A floor is described by words in a fixed order: its twist; the kind and duty of
//! each guard; the number of lit and dark lamps of each kind; the name of each item; and the map in
//! blocks of 8 x 8 cells, row by row, each with the open share (in quarters) and the most common
//! ground. The distance of two floors is the edit distance of these words (Levenshtein 1966:
//! insertions, deletions and substitutions), in percent of the longer description.

use std::collections::BTreeMap;

use super::*;
use crate::{Ground, Twist, rules::FloorRules};

/// The side of a block, in cells.
const BLOCK: i32 = 8;

/// The words that describe a floor.
fn described(floor: &Floor) -> Vec<String> {
    let mut words = vec![format!("{:?}", floor.twist)];
    let guards = floor.guards.iter();
    words.extend(guards.map(|guard| format!("{} {:?}", guard.kind.name(), guard.duty)));
    let mut lamps = BTreeMap::<String, u32>::new();
    for lamp in &floor.fixtures {
        let kind = format!("{:?} {}", lamp.kind, lamp.burning);
        *lamps.entry(kind).or_default() += 1;
    }
    words.extend(
        lamps
            .into_iter()
            .map(|(kind, count)| format!("{count} {kind}")),
    );
    words.extend(floor.items.iter().map(|it| it.item.name().to_owned()));
    for y in 0..floor.tiles.height() / BLOCK {
        for x in 0..floor.tiles.width() / BLOCK {
            words.push(block(floor, IVec2::new(x, y) * BLOCK));
        }
    }
    words
}

/// The word for a block of the map.
fn block(floor: &Floor, corner: IVec2) -> String {
    let cells = (0..BLOCK * BLOCK).map(|n| corner + IVec2::new(n % BLOCK, n / BLOCK));
    let open: Vec<Ground> = cells
        .map(|at| floor.tile(at))
        .filter(|tile| tile.is_passable())
        .map(Tile::ground)
        .collect();
    let most = |ground: &Ground| open.iter().filter(|&other| other == ground).count();
    let ground = open.iter().max_by_key(|&ground| (most(ground), *ground));
    format!(
        "{} {ground:?}",
        (open.len() * 4).div_ceil((BLOCK * BLOCK) as usize)
    )
}

/// The edit distance of two descriptions: the number of insertions, deletions and substitutions.
fn edits(one: &[String], other: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (n, word) in one.iter().enumerate() {
        let mut before = core::mem::replace(&mut row[0], n + 1);
        for (m, with) in other.iter().enumerate() {
            let changed = before + usize::from(word != with);
            before = row[m + 1];
            row[m + 1] = changed.min(before + 1).min(row[m] + 1);
        }
    }
    row[other.len()]
}

/// The distance of two descriptions in percent.
fn apart(one: &[String], other: &[String]) -> usize {
    edits(one, other) * 100 / one.len().max(other.len())
}

#[test]
fn edits_match_known_levenshtein_distances() {
    let words = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    for (one, other, count) in [
        ("kitten", "sitting", 3),
        ("", "abc", 3),
        ("flaw", "lawn", 2),
    ] {
        assert_eq!(edits(&words(one), &words(other)), count, "{one}, {other}");
    }
}

/// The descriptions of the floors of 100 keeps at a depth, and the distances of all pairs.
fn hundred(rules: &Rules, depth: usize) -> (Vec<Vec<String>>, Vec<usize>) {
    let floors: Vec<Vec<String>> = (0..100)
        .map(|seed| described(&generate(rules, seed, Difficulty::Thief, depth)))
        .collect();
    let mut distances = Vec::new();
    for (n, one) in floors.iter().enumerate() {
        distances.extend(floors[..n].iter().map(|other| apart(one, other)));
    }
    (floors, distances)
}

/// The floors of 100 keeps differ from each other at every depth.
#[test]
fn floors_of_a_hundred_seeds_are_far_apart() {
    let rules = Rules::standard();
    for depth in 0..FLOORS {
        let (_, distances) = hundred(&rules, depth);
        let least = distances.iter().min().copied().unwrap_or(0);
        let mean = distances.iter().sum::<usize>() / distances.len();
        assert!(
            least >= 25 && mean >= 45,
            "floor {depth}: {mean} % in the mean, {least} % at least"
        );
    }
}

/// Prints the distances.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "it is a measurement")]
fn measure_distances() {
    let rules = Rules::standard();
    for depth in 0..FLOORS {
        let (floors, mut distances) = hundred(&rules, depth);
        distances.sort_unstable();
        let mean = distances.iter().sum::<usize>() / distances.len();
        let words = floors.iter().map(Vec::len).sum::<usize>() / floors.len();
        println!(
            "floor {depth}: {words} words, least {}, middle {}, mean {mean}",
            distances[0],
            distances[distances.len() / 2]
        );
    }
}

#[test]
fn twists_occur_often_and_at_most_once_in_a_keep() {
    let rules = Rules::standard();
    let mut found = BTreeMap::<Twist, usize>::new();
    for seed in 0..100 {
        let twists: Vec<Twist> = (0..FLOORS)
            .map(|depth| Twist::of_floor(&rules, seed, depth).expect("there are enough twists"))
            .collect();
        for (depth, &twist) in twists.iter().enumerate() {
            assert!(!twists[..depth].contains(&twist), "seed {seed}: {twists:?}");
            *found.entry(twist).or_default() += 1;
        }
        let opening = &rules.twists.opening;
        assert!(opening.iter().any(|&(_, twist)| twist == twists[0]));
        let harder = [Twist::Flooded, Twist::Festival, Twist::DogsLoose];
        assert!(!harder.contains(&twists[0]), "seed {seed}: {twists:?}");
    }
    for twist in Twist::ALL {
        let count = found.get(&twist).copied().unwrap_or(0);
        assert!(count >= 20, "{twist:?} on {count} of 500 floors");
    }
}

/// Every floor has the twist that was drawn for it, and passes its proof.
#[test]
fn floors_have_the_twist_that_was_drawn() {
    let rules = Rules::standard();
    let built = sum_of(0..40, |seed| {
        let there = (0..FLOORS).filter(|&depth| {
            let floor = generate(&rules, seed, Difficulty::Thief, depth);
            let proof = floor.prove(&rules, Difficulty::Thief, depth);
            assert!(proof.is_ok(), "seed {seed}, depth {depth}: {proof:?}");
            floor.twist.is_some() && floor.twist == Twist::of_floor(&rules, seed, depth)
        });
        there.count() as u64
    });
    assert_eq!(built, 40 * FLOORS as u64);
}

/// The kinds of guards vary within the limits of the rules. The number of guards does not vary.
#[test]
fn rosters_vary_within_bounds() {
    let rules = Rules::standard();
    let most = rules.generation.posts.exchanges.1 as u32;
    for (depth, table) in rules.floors.iter().enumerate() {
        let counts = |table: &FloorRules| GuardKind::ALL.map(|kind| table.count(kind));
        let wanted = counts(table);
        let mut rosters: Vec<[u32; 6]> = (0..40)
            .map(|seed| {
                let mut changed = table.clone();
                let mut rng = SeededRng::new(seed, b"test    ");
                roster::change_table(&rules, depth, &mut rng, &mut changed);
                counts(&changed)
            })
            .collect();
        for roster in &rosters {
            let sum = |counts: &[u32]| counts.iter().sum::<u32>();
            assert_eq!(sum(roster), sum(&wanted), "floor {depth}: {roster:?}");
            let mut pairs = roster.iter().zip(&wanted);
            let near = pairs.all(|(now, before)| now.abs_diff(*before) <= most);
            assert!(near, "floor {depth}: {roster:?}");
        }
        rosters.sort_unstable();
        rosters.dedup();
        assert!(rosters.len() >= 3, "floor {depth}: {rosters:?}");
    }
}
