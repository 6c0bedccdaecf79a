//! Tests of the kept replays.

use gutterlight_rules::{Replay, World};

use super::*;

/// A game that ended after some turns: its score and its replay.
fn ended(seed: u64, turns: u32) -> (Score, Replay) {
    let mut world = World::new(seed, Difficulty::Thief);
    for _ in 1..turns {
        world.act(Action::Wait).expect("waiting is always allowed");
    }
    world.act(Action::GiveUp).expect("at any time");
    let score = Score::of(world.view(), false, Date::today()).expect("it is over");
    (score, world.replay().expect("from its beginning"))
}

#[test]
fn kept_replay_plays_from_the_start() {
    let lodging = Lodging::new();
    let (score, replay) = ended(5, 3);
    let replays = lodging.home.keep_replay(score, &replay).expect("a file");
    assert_eq!(lodging.home.replays().0, replays);
    let number = replays.number_of(&score).expect("it was kept");
    let (mut world, kept) = lodging.home.watch(number).expect("it is there");
    assert_eq!((world.view().turn(), &kept), (0, &replay));
    for action in kept.actions {
        world.act(action).expect("it was done before");
    }
    assert_eq!(Score::of(world.view(), false, score.date), Some(score));
    let (other, _) = ended(6, 3);
    assert_eq!(replays.number_of(&other), None);
    assert!(lodging.home.watch(number + 1).is_err());
}

#[test]
fn oldest_replays_are_dropped() {
    let lodging = Lodging::new();
    let games: Vec<_> = (1..=MOST_REPLAYS as u32 + 3)
        .map(|turns| ended(5, turns))
        .collect();
    for (score, replay) in &games {
        lodging.home.keep_replay(*score, replay).expect("a file");
    }
    let (replays, trouble) = lodging.home.replays();
    assert!(trouble.is_none());
    let scores: Vec<Score> = replays.all().iter().map(|kept| kept.score).collect();
    let last: Vec<Score> = games[3..].iter().map(|(score, _)| *score).collect();
    assert_eq!(scores, last);
    let files = lodging.home.data.list("replays").expect("a folder");
    assert_eq!(files.len(), MOST_REPLAYS);
    for (score, replay) in &games[3..] {
        let number = replays.number_of(score).expect("it was kept");
        assert_eq!(&lodging.home.watch(number).expect("it is there").1, replay);
    }
}

#[test]
fn replays_are_limited_by_size() {
    let lodging = Lodging::new();
    let (score, mut replay) = ended(5, 1);
    let mut keep = |actions: usize| {
        replay.actions = vec![Action::Wait; actions];
        let kept = lodging.home.keep_replay(score, &replay).expect("a file");
        kept.all().len()
    };
    assert_eq!(keep(400_000), 0, "too long");
    let counts: Vec<usize> = (0..8).map(|_| keep(200_000)).collect();
    assert_eq!(counts, [1, 2, 3, 4, 5, 5, 5, 5]);
}

#[test]
fn rejects_replay_of_other_rules_with_versions() {
    let lodging = Lodging::new();
    let (score, mut replay) = ended(5, 3);
    replay.fingerprint ^= 1;
    lodging.home.keep_replay(score, &replay).expect("a file");
    let message = lodging.home.watch(0).expect_err("other rules").to_string();
    let rules = format!("(rules {:08x})", replay.fingerprint);
    for words in [
        "Cannot play this replay",
        "other rules",
        env!("CARGO_PKG_VERSION"),
        &rules,
    ] {
        assert!(message.contains(words), "{words} in {message}");
    }
    for damage in [&b"GUTTERRP"[..], b"", b"something else"] {
        lodging.put(&lodging.home.data.path("replays/0.replay"), damage);
        let message = lodging.home.watch(0).expect_err("damaged").to_string();
        assert!(message.contains("Cannot play this replay"), "{message}");
    }
}

#[test]
fn damaged_list_is_kept_aside_and_replaced() {
    let (score, replay) = ended(5, 3);
    for damage in ["nothing", "[(number: 300)]"] {
        let lodging = Lodging::new();
        lodging.put(&lodging.home.data.path("replays.ron"), damage.as_bytes());
        let replays = lodging.home.keep_replay(score, &replay).expect("a file");
        assert_eq!(replays.all().len(), 1);
        assert!(lodging.names().contains(&"replays.damaged.ron".to_owned()));
    }
    // The same number twice.
    let lodging = Lodging::new();
    lodging.home.keep_replay(score, &replay).expect("a file");
    let path = lodging.home.data.path("replays.ron");
    let list = fs::read_to_string(&path).expect("a list");
    let entry = list
        .trim()
        .trim_matches(['[', ']'])
        .trim()
        .trim_end_matches(',');
    fs::write(&path, format!("[{entry}, {entry}]")).expect("a file");
    let (replays, trouble) = lodging.home.replays();
    assert_eq!(replays, Replays::default());
    let message = trouble.expect("a report").to_string();
    assert!(message.contains("number 0 appears twice"), "{message}");
}
