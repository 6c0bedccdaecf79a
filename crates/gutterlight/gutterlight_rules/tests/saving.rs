//! Tests of saved games and replays: a loaded game is identical at every turn, and damaged files do
//! no harm.

mod play;

use std::sync::Arc;

use gutterlight_rules::{
    Action, Difficulty, Direction, Heat, IVec2, Refusal, Replay, ReplayError, Rules, SaveError,
    World, save::MAX_BYTES,
};
use lanternfell_random::SeededRng;
use lanternfell_test_support::cases;
use play::{CROWDED, any_action, sturdy};

/// The length of the header: magic, version, length and checksum.
const HEADER: usize = 18;

fn rng(seed: u64) -> SeededRng {
    SeededRng::new(seed, b"test    ")
}

fn crowded(seed: u64) -> World {
    World::from_drawing(sturdy(), seed, CROWDED).expect("a drawing")
}

/// Loads a game with the rules of another one.
fn load(bytes: &[u8], like: &World) -> Result<World, SaveError> {
    World::load_with(Arc::new(like.view().rules().clone()), bytes)
}

/// A game after this many turns of random play.
fn played(mut world: World, turns: usize, seed: u64) -> World {
    let mut rng = rng(seed);
    for _ in 0..turns {
        if world.view().ending().is_some() {
            break;
        }
        let action = any_action(&mut rng, &world);
        world.act(action).expect("the action was checked");
    }
    world
}

/// Plays a game and, in parallel, its twin, which is saved and loaded at every turn.
fn with_a_twin(mut world: World, turns: usize, seed: u64) -> World {
    let mut rng = rng(seed);
    for turn in 0..turns {
        let bytes = world.save();
        let mut twin = load(&bytes, &world).expect("a save");
        assert!(twin == world, "seed {seed}, turn {turn}: another game");
        assert!(
            twin.save() == bytes,
            "seed {seed}, turn {turn}: other bytes"
        );
        assert_eq!(twin.replay(), world.replay(), "seed {seed}, turn {turn}");
        assert_same_view(&world, &twin);
        if world.view().ending().is_some() {
            break;
        }
        let action = any_action(&mut rng, &world);
        assert_eq!(
            twin.act(action),
            world.act(action),
            "seed {seed}, turn {turn}: {action:?}"
        );
        assert!(
            twin == world,
            "seed {seed}, turn {turn}: another game after {action:?}"
        );
        assert_eq!(
            world.check_invariants(),
            Ok(()),
            "seed {seed}, turn {turn}: {action:?}"
        );
        world = twin;
    }
    world
}

/// The parts of the view that are not saved but computed again are the same too.
fn assert_same_view(a: &World, b: &World) {
    for at in a.floor().tiles.cells() {
        assert_eq!(a.view().sight(at), b.view().sight(at), "{at}");
        assert_eq!(a.view().memory(at), b.view().memory(at), "{at}");
    }
}

#[test]
fn saving_at_every_turn_changes_nothing() {
    let mut turns = 0;
    for seed in 0..12 {
        turns += with_a_twin(crowded(seed), 150, seed).view().turn();
    }
    assert!(turns > 1500, "games ended after {turns} turns in all");
}

#[test]
fn saving_generated_games_at_every_turn_changes_nothing() {
    for seed in 0..3 {
        for difficulty in Difficulty::ALL {
            let world = World::with_opening(seed, difficulty);
            with_a_twin(world, 40, seed);
        }
    }
}

#[test]
fn invariants_hold_in_random_games() {
    for seed in 0..u64::from(cases(60, 4000)) {
        let mut rng = rng(seed);
        let mut world = match seed % 4 {
            0 => World::new(seed, Difficulty::ALL[seed as usize / 4 % 3]),
            _ => crowded(seed),
        };
        for _ in 0..400 {
            if world.view().ending().is_some() {
                break;
            }
            let action = any_action(&mut rng, &world);
            world.act(action).expect("the action was checked");
            assert_eq!(
                world.check_invariants(),
                Ok(()),
                "seed {seed} after {action:?}"
            );
        }
    }
}

#[test]
fn peek_is_restored_by_loading() {
    let map = "
        #########
        #......!#
        #@#######
        ###";
    let mut world = World::from_drawing(Rules::standard(), 1, map).expect("a drawing");
    world.act(Action::SnuffTorch).expect("the torch burns");
    let lamp = IVec2::new(7, 1);
    world
        .act(Action::Walk(Direction::North))
        .expect("the cell is free");
    world
        .act(Action::Walk(Direction::South))
        .expect("the cell is free");
    let seen = |world: &World| world.view().sight(lamp);
    let before = seen(&world);
    world
        .act(Action::Peek(Direction::North))
        .expect("the cell is free");
    assert_ne!(seen(&world), before);
    let twin = World::load(&world.save()).expect("a save");
    assert_eq!(seen(&twin), seen(&world));
}

#[test]
fn every_wrong_byte_in_a_save_is_detected() {
    let world = played(crowded(5), 60, 5);
    let bytes = world.save();
    let mut rng = rng(1);
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 + rng.below(255) as u8;
        let error = World::load(&damaged).expect_err("one byte is wrong");
        let fits = match place {
            0..8 => error == SaveError::NotASave,
            8..10 => matches!(
                error,
                SaveError::Newer { .. } | SaveError::TooOld { .. } | SaveError::Damaged
            ),
            10..14 => matches!(error, SaveError::Truncated | SaveError::Damaged),
            _ => error == SaveError::Damaged,
        };
        assert!(fits, "byte {place}: {error}");
    }
}

#[test]
fn every_wrong_bit_of_the_header_is_detected() {
    let bytes = crowded(5).save();
    for bit in 0..HEADER * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(World::load(&damaged).is_err(), "bit {bit}");
    }
}

#[test]
fn truncated_saves_are_detected() {
    let bytes = played(crowded(5), 30, 5).save();
    for length in 0..bytes.len() {
        let error = World::load(&bytes[..length]).expect_err("the end is missing");
        assert_eq!(error, SaveError::Truncated, "{length} of {}", bytes.len());
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(World::load(&longer).err(), Some(SaveError::Damaged));
}

#[test]
fn foreign_files_are_rejected() {
    let mut rng = rng(2);
    for length in [0, 1, 7, 8, 17, 18, 19, 100, 10_000] {
        let noise: Vec<u8> = (0..length).map(|_| rng.word() as u8).collect();
        assert!(World::load(&noise).is_err(), "{length} bytes");
        assert!(Replay::from_bytes(&noise).is_err(), "{length} bytes");
        let named = [b"GUTTERSV", &noise[..]].concat();
        assert!(World::load(&named).is_err(), "{length} bytes");
    }
    let replay = Replay {
        seed: 1,
        difficulty: Difficulty::Thief,
        heat: Heat::NONE,
        opening: false,
        fingerprint: Rules::standard().fingerprint(),
        actions: vec![Action::Wait; 3],
    };
    assert_eq!(
        World::load(&replay.to_bytes()).err(),
        Some(SaveError::NotASave)
    );
    let save = crowded(1).save();
    assert_eq!(Replay::from_bytes(&save), Err(ReplayError::NotAReplay));
}

/// Writes the correct length and checksum.
fn seal_again(file: &mut [u8]) {
    let length = (file.len() - HEADER) as u32;
    file[10..14].copy_from_slice(&length.to_le_bytes());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&file[8..14]);
    hasher.update(&file[HEADER..]);
    file[14..18].copy_from_slice(&hasher.finalize().to_le_bytes());
}

/// Changes some bytes of the body to random, extreme or slightly different values.
fn damage(rng: &mut SeededRng, file: &mut Vec<u8>) {
    for _ in 0..=rng.below(3) {
        let place = HEADER + rng.below((file.len() - HEADER) as u64) as usize;
        match rng.below(7) {
            0 => file[place] = rng.word() as u8,
            1 => file[place] = 0xff,
            2 => file[place] = 0,
            3 => file[place] = file[place].wrapping_add(1),
            4 => file[place] ^= 1 << rng.below(8),
            // The length of a huge list, or a huge number.
            5 => file
                .splice(place..place, [0xff, 0xff, 0xff, 0xff, 0x0f])
                .for_each(drop),
            _ => drop(file.remove(place)),
        }
        if file.len() <= HEADER {
            break;
        }
    }
    seal_again(file);
}

/// Loads damaged files with a correct checksum. Each is rejected, or is a playable game.
fn damage_does_no_harm(world: &World, rounds: u64) {
    let bytes = world.save();
    let (mut loaded, mut refused) = (0, 0);
    for round in 0..rounds {
        let mut rng = rng(round);
        let mut file = bytes.clone();
        damage(&mut rng, &mut file);
        let mut world = match load(&file, world) {
            Ok(world) => world,
            Err(SaveError::Invalid(_) | SaveError::Damaged) => {
                refused += 1;
                continue;
            }
            Err(error) => panic!("round {round}: {error}"),
        };
        loaded += 1;
        for _ in 0..200 {
            if world.view().ending().is_some() {
                break;
            }
            assert_eq!(world.check_invariants(), Ok(()), "round {round}");
            let action = any_action(&mut rng, &world);
            world.act(action).expect("the action was checked");
        }
        let _ = (world.view().score(), world.view().morgue(), world.save());
    }
    assert!(
        loaded > 0 && refused > 0,
        "{loaded} loaded, {refused} refused"
    );
}

#[test]
fn damage_with_a_correct_checksum_does_no_harm() {
    damage_does_no_harm(&played(crowded(5), 60, 5), 800);
    damage_does_no_harm(&played(crowded(8), 5, 8), 400);
    for seed in 0..u64::from(cases(0, 40)) {
        damage_does_no_harm(&played(crowded(seed), 8 * seed as usize, seed), 2000);
    }
}

/// Plays random games and their replays, which must reach the same end.
#[test]
fn replay_reaches_the_same_end() {
    for seed in 0..4 {
        let begin = [World::new, World::with_opening][seed as usize % 2];
        let world = played(begin(seed, Difficulty::ALL[seed as usize % 3]), 120, seed);
        let replay = world.replay().expect("a game from its beginning");
        assert_eq!(
            replay.actions.len(),
            world.view().turn() as usize,
            "seed {seed}"
        );
        let read = Replay::from_bytes(&replay.to_bytes()).expect("a replay");
        assert_eq!(read, replay, "seed {seed}");
        let again = read.play(Rules::standard()).expect("the same rules");
        assert!(again == world, "seed {seed}");
        assert_eq!(again.save(), world.save(), "seed {seed}");
        // This also holds for a game that was saved halfway.
        let half = Replay {
            actions: replay.actions[..replay.actions.len() / 2].to_vec(),
            ..replay.clone()
        };
        let half = half.play(Rules::standard()).expect("the same rules");
        let mut loaded = World::load(&half.save()).expect("a save");
        for &action in &replay.actions[replay.actions.len() / 2..] {
            loaded.act(action).expect("the action was possible");
        }
        assert_eq!(loaded.replay(), Some(replay), "seed {seed}");
    }
}

#[test]
fn replay_can_be_played_step_by_step() {
    let mut world = World::new(2, Difficulty::Thief);
    let mut expected = Vec::new();
    let mut rng = rng(2);
    for _ in 0..30 {
        let action = any_action(&mut rng, &world);
        expected.push((action, world.act(action).expect("the action was checked")));
    }
    let replay = world.replay().expect("a game from its beginning");
    let mut steps = replay.steps(Rules::standard()).expect("the same rules");
    for (turn, expected) in expected.into_iter().enumerate() {
        assert_eq!(steps.world().view().turn(), turn as u32);
        assert_eq!(steps.next(), Some(Ok(expected)), "turn {turn}");
    }
    assert_eq!(steps.next(), None);
    assert!(*steps.world() == world);
}

#[test]
fn impossible_replays_are_rejected() {
    let rules = Rules::standard();
    let replay = Replay {
        seed: 1,
        difficulty: Difficulty::Thief,
        heat: Heat::NONE,
        opening: false,
        fingerprint: rules.fingerprint(),
        actions: vec![Action::Wait, Action::UnwrapEmber, Action::Wait],
    };
    let refused = ReplayError::Refused {
        turn: 2,
        refusal: Refusal::NoEmber,
    };
    assert_eq!(replay.play(Arc::clone(&rules)).err(), Some(refused.clone()));
    let mut steps = replay.steps(Arc::clone(&rules)).expect("the same rules");
    assert!(steps.next().is_some_and(|step| step.is_ok()));
    assert_eq!(steps.next(), Some(Err(refused)));
    assert_eq!(steps.next(), None, "an error ends the replay");
    let other = Replay {
        fingerprint: replay.fingerprint ^ 1,
        ..replay
    };
    assert_eq!(other.play(rules).err(), Some(ReplayError::OtherRules));
    assert_eq!(crowded(1).replay(), None, "drawn games have no replay");
}

#[test]
fn every_wrong_byte_in_a_replay_is_detected() {
    let world = played(World::new(4, Difficulty::Thief), 60, 4);
    let bytes = world
        .replay()
        .expect("a game from its beginning")
        .to_bytes();
    for place in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[place] ^= flip;
            let error = Replay::from_bytes(&damaged).expect_err("one byte is wrong");
            assert_eq!(
                error == ReplayError::NotAReplay,
                place < 8,
                "byte {place}: {error}"
            );
        }
        let cut = Replay::from_bytes(&bytes[..place]);
        assert_eq!(
            cut,
            Err(ReplayError::Truncated),
            "{place} of {}",
            bytes.len()
        );
    }
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert_eq!(
        Replay::from_bytes(&newer),
        Err(ReplayError::Newer { version: 2 })
    );
    newer[8] = 0;
    let old = Err(ReplayError::TooOld { version: 0 });
    assert_eq!(Replay::from_bytes(&newer), old);
    for round in 0..600 {
        let mut damaged = bytes.clone();
        damage(&mut rng(round), &mut damaged);
        if let Ok(replay) = Replay::from_bytes(&damaged)
            && let Ok(mut steps) = replay.steps(Rules::standard())
            && let Some(Ok(_)) = steps.by_ref().take(20).last()
        {
            assert_eq!(steps.world().check_invariants(), Ok(()), "round {round}");
        }
    }
}

/// The peak memory of this process, in bytes.
#[cfg(target_os = "linux")]
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("the status file is readable");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .expect("the status has a peak");
    let kilobytes = line
        .split_whitespace()
        .nth(1)
        .and_then(|word| word.parse::<usize>().ok());
    kilobytes.expect("the peak is a number") << 10
}

/// Inserts the length of a huge list at every position of a small file.
#[cfg(target_os = "linux")]
#[test]
fn loading_needs_little_memory() {
    let bytes = World::from_drawing(Rules::standard(), 1, "####\n#@w#\n####")
        .expect("one")
        .save();
    let before = peak();
    for place in HEADER..bytes.len() {
        for huge in [&[0xff, 0xff, 0xff, 0xff, 0x0f][..], &[0xff, 0xff, 0x7f]] {
            let mut file = bytes.clone();
            file.splice(place..=place, huge.iter().copied());
            seal_again(&mut file);
            let _ = World::load(&file);
        }
    }
    let taken = peak() - before;
    // Other tests run at the same time.
    assert!(taken < 32 * MAX_BYTES, "{taken} bytes");
}
