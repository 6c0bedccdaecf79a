//! Tests of the list of scores: order, length and file.

use gutterlight_rules::GuardKind;
use proptest::prelude::*;

use super::*;

const DAY: &str = "2026-11-21";

fn worths(scores: &Scores) -> Vec<u32> {
    scores.best().iter().map(|score| score.score).collect()
}

#[test]
fn score_matches_the_game() {
    assert_eq!(Score::of(world().view(), false, Date::today()), None);
    let won = won();
    let date: Date = DAY.parse().expect("a date");
    let view = won.view();
    let score = Score::of(view, true, date).expect("it has ended");
    let expected = Score {
        score: view.score(),
        seed: 9,
        difficulty: Difficulty::Thief,
        ending: Ending::Escaped,
        floor: 1,
        turns: 5,
        times_seen: 0,
        takedowns: 0,
        daily: true,
        heat: Heat::NONE,
        date,
    };
    assert_eq!(score, expected);
    assert!(score.score > 0);
}

#[test]
fn scores_round_trip_best_first() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    for (worth, expected) in [
        (5, vec![5]),
        (9, vec![9, 5]),
        (1, vec![9, 5, 1]),
        (7, vec![9, 7, 5, 1]),
    ] {
        let scores = home.add_score(score(worth, DAY)).expect("scores");
        assert_eq!(worths(&scores), expected);
        let (read, trouble) = home.scores();
        assert_eq!(read, scores);
        assert!(trouble.is_none(), "{worth}: {trouble:?}");
    }
    assert_eq!(lodging.names(), ["scores.ron"]);
}

#[test]
fn every_ending_round_trips() {
    let lodging = Lodging::new();
    let slain = GuardKind::ALL.map(Ending::Slain);
    let endings = [
        Ending::Escaped,
        Ending::Burnt,
        Ending::GaveUp,
        Ending::Caught,
    ]
    .into_iter()
    .chain(slain);
    for (ending, difficulty) in endings.zip(Difficulty::ALL.into_iter().cycle()) {
        let score = Score {
            ending,
            difficulty,
            seed: u64::MAX,
            score: u32::MAX,
            ..score(1, DAY)
        };
        let scores = lodging.home.add_score(score).expect("scores");
        assert!(
            scores.place_of(&score).is_some(),
            "{ending:?}, {difficulty:?}"
        );
        assert_eq!(
            lodging.home.scores().0,
            scores,
            "{ending:?}, {difficulty:?}"
        );
    }
}

#[test]
fn equal_scores_are_sorted_by_date() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    let on = |day, turns| Score {
        turns,
        ..score(50, day)
    };
    let (first, second) = (on("2026-11-20", 9), on(DAY, 8));
    let (third, fourth) = (on(DAY, 7), on(DAY, 9));
    // `second` is added before `third` on the same day, and `first` has an earlier date.
    for score in [second, third, first, fourth] {
        home.add_score(score).expect("scores");
    }
    let (scores, _) = home.scores();
    assert_eq!(scores.best(), [first, second, third, fourth]);
    assert_eq!(scores.place_of(&third), Some(2));
    assert_eq!(scores.place_of(&on(DAY, 1)), None);
    // Of two equal scores, `place_of` returns the last one, which was just added.
    let scores = home.add_score(second).expect("scores");
    assert_eq!(scores.place_of(&second), Some(4));
}

#[test]
fn list_keeps_only_the_best() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    let many: Vec<Score> = (0..MOST_SCORES as u32)
        .map(|number| score(1000 - number, DAY))
        .collect();
    write_ron(&*home.data, SCORES, &many).expect("a full list");
    let worst = score(901, DAY);
    assert_eq!(home.scores().0.place_of(&worst), Some(99));
    let late = Score { turns: 1, ..worst };
    let scores = home.add_score(late).expect("scores");
    assert_eq!(scores.place_of(&late), None, "the earlier one stays");
    let better = score(902, "2026-11-22");
    let scores = home.add_score(better).expect("scores");
    assert_eq!(scores.place_of(&better), Some(99));
    assert_eq!(scores.place_of(&worst), None);
    assert_eq!(scores.best().len(), MOST_SCORES);
    assert_eq!(home.scores().0, scores);
}

#[test]
fn longest_list_can_be_read() {
    let lodging = Lodging::new();
    let longest = Score {
        score: u32::MAX,
        seed: u64::MAX,
        difficulty: Difficulty::Apprentice,
        ending: Ending::Slain(GuardKind::Lamplighter),
        turns: u32::MAX,
        times_seen: u32::MAX,
        takedowns: u32::MAX,
        ..score(0, DAY)
    };
    let scores = vec![longest; MOST_SCORES];
    write_ron(&*lodging.home.data, SCORES, &scores).expect("not too large");
    assert_eq!(lodging.home.scores().0.best(), scores);
}

#[test]
fn unsorted_list_is_sorted() {
    let lodging = Lodging::new();
    let listed = [3, 9, 4].map(|worth| score(worth, DAY)).to_vec();
    write_ron(&*lodging.home.data, SCORES, &listed).expect("scores");
    assert_eq!(worths(&lodging.home.scores().0), [9, 4, 3]);
}

#[test]
fn damaged_list_is_kept_aside_and_replaced() {
    let text = ron::to_string(&[score(7, DAY)]).expect("text");
    for damage in [
        text[..text.len() - 1].to_owned(),
        text.replace("floor:1", "floor:6"),
        text.replace("floor:1", "floor:0"),
        text.replace("turns:", "moves:"),
        text.replace("turns:", "speed:1,turns:"),
        text.replace(DAY, "2026-02-30"),
        text.replace("Escaped", "Drowned"),
        text.replace("score:7", "score:-7"),
        format!("[{}]", format!("{},", &text[1..text.len() - 1]).repeat(101)),
    ] {
        let lodging = Lodging::new();
        let home = &lodging.home;
        assert_ne!(damage, text, "{damage}");
        lodging.put(&home.scores_path(), damage.as_bytes());
        let scores = home.add_score(score(5, DAY)).expect("a new list");
        assert_eq!(worths(&scores), [5], "{damage}");
        assert_eq!(
            lodging.names(),
            ["scores.damaged.ron", "scores.ron"],
            "{damage}"
        );
        let aside = fs::read(home.data.path("scores.damaged.ron"));
        assert_eq!(aside.expect("kept aside"), damage.as_bytes(), "{damage}");
    }
}

#[test]
fn list_error_names_the_field() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    let wrong = Score {
        floor: 6,
        ..score(7, DAY)
    };
    write_ron(&*home.data, SCORES, &vec![wrong]).expect("scores");
    let trouble = home.scores().1.expect("there is no sixth floor");
    let words = trouble.to_string();
    for part in ["floor is 6, but must be from 1 to 5", "scores.damaged.ron"] {
        assert!(words.contains(part), "{part} in {words}");
    }
}

#[test]
fn list_that_cannot_be_renamed_is_not_overwritten() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    lodging.put(&home.scores_path(), b"[");
    lodging.take_every_name("scores", "ron");
    let trouble = home.add_score(score(5, DAY)).expect_err("in the way");
    assert!(matches!(trouble, Trouble::Stuck { .. }), "{trouble}");
    assert_eq!(fs::read(home.scores_path()).expect("the file"), b"[");
}

/// Checks that any bytes are either valid scores or kept aside unchanged.
fn check(bytes: &[u8]) {
    let lodging = Lodging::new();
    let home = &lodging.home;
    lodging.put(&home.scores_path(), bytes);
    let (scores, trouble) = home.scores();
    let path = match &trouble {
        None => home.scores_path(),
        Some(Trouble::Damaged { aside, .. }) => aside.clone(),
        Some(other) => panic!("{other}"),
    };
    assert_eq!(fs::read(path).expect("nothing is lost"), bytes);
    let added = home.add_score(score(5, DAY)).expect("scores");
    let longer = (scores.best().len() + 1).min(MOST_SCORES);
    assert_eq!(added.best().len(), longer);
    assert_eq!(home.scores().0, added);
}

proptest! {
    #[test]
    fn any_bytes_are_scores_or_kept_aside(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&bytes);
    }

    #[test]
    fn flipped_bits_are_scores_or_kept_aside(place in any::<prop::sample::Index>(), bit in 0..8) {
        let mut bytes = ron::to_string(&[score(7, DAY), score(6, DAY)]).expect("text").into_bytes();
        let place = place.index(bytes.len());
        bytes[place] ^= 1_u8 << bit;
        check(&bytes);
    }

    #[test]
    fn scores_are_always_in_order(worths in proptest::collection::vec(0_u32..20, 0..130)) {
        let mut scores = Scores::default();
        for (turns, worth) in (0..).zip(&worths) {
            scores.insert(Score { turns, ..score(*worth, DAY) });
        }
        prop_assert_eq!(scores.best().len(), worths.len().min(MOST_SCORES));
        let ranks = scores.best().iter().map(|score| (u32::MAX - score.score, score.turns));
        prop_assert!(ranks.is_sorted());
    }
}

#[test]
fn unseen_escape_is_marked() {
    let out = Score {
        ending: Ending::Escaped,
        times_seen: 0,
        ..score(50, DAY)
    };
    assert!(out.is_unseen());
    let seen = Score {
        times_seen: 1,
        ..out
    };
    let fell = Score {
        ending: Ending::GaveUp,
        ..out
    };
    assert!(!seen.is_unseen() && !fell.is_unseen());
}

#[test]
fn scores_with_burdens_round_trip() {
    let hot = Score {
        heat: Heat::NONE.with(gutterlight_rules::Burden::Kennels),
        ..score(50, DAY)
    };
    let text = ron::to_string(&hot).expect("numbers and names");
    assert_eq!(ron::from_str(&text), Ok(hot));
}
