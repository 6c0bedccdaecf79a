//! Tests of the suspended game.

use std::{sync::Barrier, thread};

use super::*;

#[test]
fn suspended_game_resumes_once() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    let world = played(3);
    home.suspend(&world.save()).expect("a save");
    assert!(home.is_suspended());
    assert_eq!(lodging.names(), ["suspended.save"]);
    let resumed = home.resume().expect("a game").expect("it is there");
    assert_eq!(resumed, world);
    assert!(!home.is_suspended());
    assert!(lodging.names().is_empty());
    assert!(home.resume().expect("no trouble").is_none());
}

#[test]
fn suspending_replaces_older_game() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    home.suspend(&played(3).save()).expect("a save");
    home.suspend(&played(1).save()).expect("a save");
    assert_eq!(lodging.names(), ["suspended.save"]);
    let resumed = home.resume().expect("a game").expect("it is there");
    assert_eq!(resumed.view().turn(), 1);
}

#[test]
fn forget_deletes_suspended_game() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    home.suspend(&world().save()).expect("a save");
    home.forget().expect("it can be deleted");
    assert!(!home.is_suspended());
    assert!(lodging.names().is_empty());
    home.forget().expect("there is nothing to forget");
}

#[test]
fn concurrent_resumes_yield_one_game() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    let save = world().save();
    let start = Barrier::new(4);
    // Repeat, because the threads may not overlap in one round.
    for round in 0..20 {
        home.suspend(&save).expect("a save");
        let resume = || {
            start.wait();
            home.resume().expect("no trouble").is_some()
        };
        let resumed = thread::scope(|scope| {
            let players: Vec<_> = (0..4).map(|_| scope.spawn(resume)).collect();
            let went_on = players.into_iter().map(thread::ScopedJoinHandle::join);
            went_on.filter(|went| matches!(went, Ok(true))).count()
        });
        assert_eq!(resumed, 1, "round {round}");
    }
}

#[test]
fn invalid_saves_are_kept_aside_and_reported() {
    let save = played(2).save();
    let with = |place: usize, byte: u8| {
        let mut save = save.clone();
        save[place] = byte;
        save
    };
    let lodging = Lodging::new();
    let home = &lodging.home;
    let damages = [
        (with(8, 9), "version 9, which needs a newer release"),
        (
            with(8, 0),
            "version 0, which this release can no longer read",
        ),
        (save[..save.len() - 1].to_owned(), "cut off"),
        (Vec::new(), "cut off"),
        (with(save.len() / 2, !save[save.len() / 2]), "damaged"),
        (b"\x7fPNG and more".to_vec(), "not a saved game"),
        (vec![0; MAX_BYTES + 1], "too large"),
    ];
    for (number, (damage, words)) in (1..).zip(&damages) {
        lodging.put(&home.save_path(), damage);
        assert_eq!(
            home.is_suspended(),
            !damage.is_empty(),
            "it is not looked into"
        );
        let trouble = home.resume().expect_err(words);
        let name = match number {
            1 => "suspended.damaged.save".to_owned(),
            number => format!("suspended.damaged-{number}.save"),
        };
        let message = trouble.to_string();
        for part in [words, "suspended.save", &name] {
            assert!(message.contains(part), "{part} in {message}");
        }
        assert!(!home.is_suspended(), "{words}");
        let aside = fs::read(home.data.path(&name)).expect("kept aside");
        assert!(aside == *damage, "{words}: nothing is lost");
    }
    assert_eq!(lodging.names().len(), damages.len());
}

#[test]
fn detects_flipped_bytes() {
    let save = world().save();
    for place in (0..save.len()).step_by(save.len() / 40) {
        let lodging = Lodging::new();
        let mut damaged = save.clone();
        damaged[place] ^= 0x10;
        lodging.put(&lodging.home.save_path(), &damaged);
        let trouble = lodging.home.resume().expect_err("it is damaged");
        assert!(matches!(trouble, Trouble::Damaged { .. }), "{trouble}");
        let aside = fs::read(lodging.home.data.path("suspended.damaged.save"));
        assert!(aside.expect("kept aside") == damaged, "{place}");
    }
}

#[test]
fn suspend_keeps_foreign_save_aside() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    lodging.put(&home.save_path(), b"foreign");
    home.suspend(&played(1).save()).expect("a save");
    assert_eq!(
        lodging.names(),
        ["suspended.damaged.save", "suspended.save"]
    );
    let resumed = home.resume().expect("a game").expect("it is there");
    assert_eq!(resumed.view().turn(), 1);
}

#[test]
fn save_that_cannot_be_renamed_is_not_overwritten() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    lodging.put(&home.save_path(), b"foreign");
    lodging.take_every_name("suspended", "save");
    for trouble in [
        home.resume().expect_err("it is foreign"),
        home.suspend(&world().save()).expect_err("in the way"),
    ] {
        assert!(matches!(trouble, Trouble::Stuck { .. }), "{trouble}");
    }
    assert_eq!(fs::read(home.save_path()).expect("the file"), b"foreign");
}

/// Reported: an empty save was offered.
#[test]
fn empty_save_is_not_offered() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    lodging.put(&home.save_path(), b"");
    assert!(!home.is_suspended());
    // It is no obstacle for the next game.
    home.suspend(&played(1).save()).expect("a save");
    assert!(home.is_suspended());
}

/// A second running game warns that the game is already open.
#[test]
fn home_can_be_claimed_once() {
    let lodging = Lodging::new();
    let claim = lodging.home.claim().expect("nobody has it");
    assert!(lodging.home.claim().is_none());
    assert!(Lodging::new().home.claim().is_some(), "another home");
    drop(claim);
    assert!(lodging.home.claim().is_some());
}
