use super::*;
use crate::{Action, Difficulty, Direction, Plane, Tile};

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/version_1.save");

/// A game after 40 turns.
fn played() -> World {
    let mut world = World::new(3, Difficulty::Apprentice);
    for turn in 0..40 {
        let ways = Direction::ALL.into_iter().cycle().skip(turn / 5);
        let way = ways
            .take(8)
            .find(|&way| world.check(Action::Sneak(way)).is_ok());
        let action = way.map_or(Action::Wait, Action::Sneak);
        world.act(action).expect("the action was checked");
    }
    world
}

#[test]
fn fixture_of_current_version_loads() {
    let bytes = std::fs::read(FIXTURE).expect("the fixture of this version");
    assert_eq!(bytes[8..10], SEAL.version.to_le_bytes());
    let mut world = World::load(&bytes).expect("State has changed: raise the version");
    let view = world.view();
    assert_eq!(
        (view.seed(), view.difficulty()),
        (3, Difficulty::Apprentice)
    );
    assert_eq!(view.turn(), 40);
    assert_eq!(view.size(), IVec2::new(64, 40));
    assert!(world.act(Action::Wait).is_ok());
    assert_eq!(world.save()[8..10], bytes[8..10]);
}

/// Run this by hand after you raise the version.
#[test]
#[ignore = "writes the fixture of this version"]
fn write_the_file_of_this_version() {
    std::fs::write(FIXTURE, played().save()).expect("the folder is writable");
}

#[test]
fn rejects_foreign_old_and_damaged_files() {
    let bytes = played().save();
    let patched = |at: usize, with: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        World::load(&bytes).expect_err("it was patched")
    };
    assert_eq!(World::load(b"\x89PNG\r\n"), Err(SaveError::NotASave));
    assert_eq!(World::load(b"GUTTERRP and more"), Err(SaveError::NotASave));
    assert_eq!(World::load(b""), Err(SaveError::Truncated));
    assert_eq!(World::load(b"GUTT"), Err(SaveError::Truncated));
    assert_eq!(patched(0, b"x"), SaveError::NotASave);
    let newer = SEAL.version + 1;
    assert_eq!(
        patched(8, &newer.to_le_bytes()),
        SaveError::Newer { version: newer }
    );
    assert_eq!(patched(8, &[0, 0]), SaveError::TooOld { version: 0 });
    assert_eq!(patched(10, &[0, 0, 0, 0]), SaveError::Damaged, "shorter");
    assert_eq!(
        patched(10, &[255, 255, 255, 0]),
        SaveError::Damaged,
        "far too long"
    );
    assert_eq!(
        patched(14, &[0, 0, 0, 0]),
        SaveError::Damaged,
        "another checksum"
    );
    assert_eq!(
        World::load(&bytes[..bytes.len() - 1]),
        Err(SaveError::Truncated)
    );
    assert_eq!(
        World::load(&[&bytes[..], b"x"].concat()),
        Err(SaveError::Damaged)
    );
}

/// Loads a complete and undamaged file, and expects that its contents are rejected.
#[track_caller]
fn invalid(body: &[u8], words: &str) {
    match World::load(&SEAL.close(body)) {
        Err(SaveError::Invalid(why)) => assert!(why.contains(words), "{why}, not {words}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("loaded; expected {words}"),
    }
}

#[test]
fn rejects_impossible_states() {
    let world = played();
    let appendix = encode(&Appendix::default());
    let with = |change: fn(&mut State), after: &[u8]| {
        let mut world = world.clone();
        change(&mut world.state);
        [&world.state_and_light(), &appendix[..], after].concat()
    };
    // Reported: "Found a varint that didn't terminate", the words of the decoder.
    invalid(b"", "it ends in the middle of a value");
    invalid(&[0xff; 64], "it has a value that no game has");
    invalid(&with(|_| {}, b"x"), "extra bytes");
    invalid(
        &with(|state| state.thief.at = IVec2::ZERO, b""),
        "the thief is at [0, 0]",
    );
    invalid(
        &with(|state| state.depth = usize::MAX, b""),
        "does not exist",
    );
    // Four million cells of one or two bytes each.
    invalid(
        &with(
            |state| state.floors[0].tiles = Plane::new(2000, 2000, Tile::Wall),
            b"",
        ),
        "the width is 2000",
    );
    let mut peek = world.state_and_light();
    peek.extend(encode(&Appendix {
        record: Record::default(),
        peeked: Some(IVec2::MAX),
    }));
    invalid(&peek, "peeks from outside");
}

#[test]
fn light_size_is_checked_before_allocation() {
    let state = encode(&played().state);
    // A grid of 16 million cells in one run, which would take more than a gigabyte.
    let grid = encode(&(1_u32, 16_384_u32, 1024_u32, false));
    invalid(
        &[&state[..], &grid].concat(),
        "the light is for a floor of another size",
    );
    // A list that claims to have four billion runs.
    let mut light = encode(&played().light);
    light.truncate(20);
    light.extend([0xff, 0xff, 0xff, 0xff, 0x0f]);
    invalid(&[&state[..], &light].concat(), "");
}

#[test]
fn loads_with_other_rules() {
    let world = played();
    let other = |change: fn(&mut Rules)| {
        let mut rules = (*Rules::standard()).clone();
        change(&mut rules);
        assert_eq!(rules.validate(), Ok(()));
        World::load_with(Arc::new(rules), &world.save()).expect("a save")
    };
    let louder = other(|rules| rules.noise.walk += 1);
    assert_eq!(louder.state, world.state);
    assert!(crate::world::same_light(&louder, &world));
    assert_eq!((louder.replay(), louder.record.actions.len()), (None, 40));
    let brighter = other(|rules| rules.light.radius += 2.0);
    assert!(
        !crate::world::same_light(&brighter, &world),
        "the light is computed again"
    );
    assert_eq!(brighter.check_invariants(), Ok(()));
}

#[test]
fn too_long_record_is_not_saved() {
    let mut world = World::from_drawing(Rules::standard(), 1, "####\n#@.#\n####").expect("one");
    world.record.actions = vec![Action::Wait; MAX_BYTES + 1];
    let again = World::load(&world.save()).expect("a save");
    assert_eq!(again, world);
    assert!(again.record.actions.is_empty());
}
