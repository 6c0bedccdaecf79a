//! Tests of the rules: every number has a range, and games with all allowed values work.

mod play;

use core::ops::Range;
use std::sync::Arc;

use gutterlight_rules::{Difficulty, Rules, RulesError, Survey, World};
use lanternfell_random::SeededRng;
use lanternfell_test_support::cases;

/// A number in the text of rules.
struct Number {
    /// Its name in errors: `floors[2].guards.Watchman`.
    field: String,
    place: Range<usize>,
}

/// The standard rules as one line of RON, and the numbers in it.
fn table() -> (String, Vec<Number>) {
    text_of(&Rules::standard())
}

fn text_of(rules: &Rules) -> (String, Vec<Number>) {
    let text = ron::to_string(rules).expect("a table");
    let numbers = numbers(&text);
    (text, numbers)
}

/// Finds all numbers in the text of rules, by following brackets, commas and names.
fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    // For each open bracket: the name of the current value, or its index.
    let mut path: Vec<(Option<String>, usize)> = Vec::new();
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = |accept: fn(u8) -> bool| {
            let rest = bytes[at..].iter();
            rest.take_while(|&&byte| accept(byte)).count()
        };
        let mut read = 1;
        match bytes[at] {
            b'(' | b'[' | b'{' => path.push((None, 0)),
            b')' | b']' | b'}' => drop(path.pop()),
            b',' => {
                let last = path.last_mut().expect("an open bracket");
                *last = (None, last.1 + 1);
            }
            b'-' | b'0'..=b'9' => {
                read = length(|byte| byte.is_ascii_digit() || b"-+.eE".contains(&byte));
                let place = at..at + read;
                numbers.push(Number {
                    field: field(&path),
                    place,
                });
            }
            byte if byte.is_ascii_alphabetic() => {
                read = length(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                if bytes.get(at + read) == Some(&b':') {
                    let name = text[at..at + read].to_owned();
                    path.last_mut().expect("an open bracket").0 = Some(name);
                }
            }
            _ => {}
        }
        at += read;
    }
    numbers
}

fn field(path: &[(Option<String>, usize)]) -> String {
    let mut field = String::new();
    for (name, place) in path {
        match name {
            Some(name) if field.is_empty() => field.push_str(name),
            Some(name) => field.extend([".", name]),
            None => field.push_str(&format!("[{place}]")),
        }
    }
    field
}

/// Parses the rules with another value for one number.
fn with(text: &str, number: &Number, value: &str) -> Result<Rules, RulesError> {
    let mut text = text.to_owned();
    text.replace_range(number.place.clone(), value);
    Rules::from_ron(&text)
}

#[test]
fn numbers_of_the_rules_are_found() {
    let (_, numbers) = table();
    let has = |field: &str| numbers.iter().any(|number| number.field == field);
    for field in [
        "light.radius",
        "light.bands.from[2]",
        "light.ember[0]",
        "guards.Hound.sight[3]",
        "floors[4].vaults",
        "generation.cellars.theme.rooms[0][1].low[1]",
        "difficulty.ghost.score",
        "score.kill",
    ] {
        assert!(has(field), "{field}");
    }
    assert!(numbers.len() > 300, "only {}", numbers.len());
}

#[test]
fn rejects_every_number_out_of_range_by_name() {
    let (text, numbers) = table();
    for number in &numbers {
        let mut refused = 0;
        // The limits of each type, and values that are not numbers.
        for value in [
            "4294967295",
            "65535",
            "32767",
            "255",
            "-1",
            "-32768",
            "1e30",
            "-0.5",
            "NaN",
            "inf",
        ] {
            match with(&text, number, value) {
                Err(RulesError::Range { field, .. }) => {
                    assert_eq!(field, number.field, "{value}");
                    refused += 1;
                }
                Err(RulesError::Inconsistent(why)) => {
                    let section = number.field.split(['.', '[']).next().unwrap_or_default();
                    assert!(why.contains(section), "{}: {why}", number.field);
                }
                // The value is allowed, or does not fit the type.
                Ok(_) | Err(RulesError::Syntax(_)) => {}
            }
        }
        assert!(refused > 0, "{} has no range", number.field);
    }
}

#[test]
fn rejects_nan_and_infinity() {
    let (text, numbers) = table();
    let fractions = numbers
        .iter()
        .filter(|number| text[number.place.clone()].contains('.'));
    let mut count = 0;
    for number in fractions {
        for value in ["NaN", "-NaN", "inf", "-inf"] {
            let error = with(&text, number, value).expect_err(&number.field);
            assert!(error.to_string().contains(&number.field), "{error}");
        }
        count += 1;
    }
    assert!(count > 30, "only {count}");
}

#[test]
fn rejects_inconsistent_rules() {
    let (text, numbers) = table();
    for (field, value, says) in [
        ("awareness.suspicious", "998", "awareness.investigating"),
        ("light.bands.from[0]", "15.9", "must be increasing"),
        ("thief.fuel_low", "30000", "thief.fuel"),
        ("thief.fuel", "10", "thief.fuel"),
        ("tools.pebbles", "99", "tools.stack"),
        ("guards.Sentry.sight[1]", "200", "guards.Sentry.sight"),
        ("floors[1].guards.Watchman", "40", "floors[1]"),
        ("opening.steps", "30", "map.corridor"),
    ] {
        let number = numbers
            .iter()
            .find(|number| number.field == field)
            .expect(field);
        let error = with(&text, number, value).expect_err(field);
        assert!(
            matches!(&error, RulesError::Inconsistent(why) if why.contains(says)),
            "{error}"
        );
    }
    let floors = text.find("floors:[").expect("floors");
    let second = floors + text[floors..].find("),(").expect("two floors") + 2;
    let end = floors + text[floors..].find(']').expect("an end");
    let fewer = format!("{}{}", &text[..second], &text[end..]);
    let error = Rules::from_ron(&fewer).expect_err("one floor");
    assert!(error.to_string().contains("there are 1 floors"), "{error}");
}

#[test]
fn rejects_invalid_text() {
    let (text, _) = table();
    for wrong in [
        "",
        "(",
        "()",
        "nonsense",
        &text[..text.len() / 2],
        &text.replace("thief", "x"),
    ] {
        assert!(
            matches!(Rules::from_ron(wrong), Err(RulesError::Syntax(_))),
            "{wrong}"
        );
    }
}

/// The minimum and maximum of a number, according to an error.
fn range(text: &str, number: &Number) -> [f64; 2] {
    for value in ["4294967295", "65535", "32767", "255", "1e30"] {
        if let Err(RulesError::Range { low, high, .. }) = with(text, number, value) {
            return [low, high];
        }
    }
    panic!("{} has no range", number.field);
}

fn as_text(text: &str, number: &Number, value: f64) -> String {
    match text[number.place.clone()].contains('.') {
        true => format!("{value:?}"),
        false => format!("{value}"),
    }
}

/// Plays randomly on one floor with these rules. Overflow checks catch every sum that is too large.
fn play_by(rules: Rules, seed: u64, actions: usize) {
    let mut rng = SeededRng::new(seed, b"test    ");
    let rules = Arc::new(rules);
    let map = play::CROWDED.replace(['<', '>'], ".");
    let mut world = World::from_drawing(rules, seed, &map).expect("a drawing");
    for _ in 0..actions {
        if world.view().ending().is_some() {
            break;
        }
        let action = play::any_action(&mut rng, &world);
        world.act(action).expect("the action was checked");
        assert_eq!(world.check_invariants(), Ok(()), "after {action:?}");
    }
}

#[test]
fn each_extreme_number_is_playable() {
    let (text, numbers) = text_of(&play::sturdy());
    for number in &numbers {
        for value in range(&text, number) {
            match with(&text, number, &as_text(&text, number, value)) {
                Ok(rules) => play_by(rules, 1, 40),
                // An extreme value may contradict other values.
                Err(RulesError::Inconsistent(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn all_extreme_numbers_together_are_playable() {
    let (text, numbers) = text_of(&play::sturdy());
    let ranges: Vec<[f64; 2]> = numbers.iter().map(|number| range(&text, number)).collect();
    for seed in 0..u64::from(cases(8, 60)) {
        let mut rng = SeededRng::new(seed, b"test    ");
        let mut extreme = text.clone();
        // From the last to the first number, so that the ranges of earlier ones stay valid.
        for (number, range) in numbers.iter().zip(&ranges).rev() {
            let value = as_text(&text, number, range[rng.below(2) as usize]);
            let mut tried = extreme.clone();
            tried.replace_range(number.place.clone(), &value);
            if Rules::from_ron(&tried).is_ok() {
                extreme = tried;
            }
        }
        let rules = Rules::from_ron(&extreme);
        let rules =
            rules.unwrap_or_else(|error| panic!("seed {seed}, each change was tried: {error}"));
        play_by(rules, seed, 60);
    }
}

/// Generates floors with these rules, and starts a game.
fn begin_by(rules: Rules, depths: &[usize]) {
    let rules = Arc::new(rules);
    for &depth in depths {
        let made = Survey::new(&rules, 1, Difficulty::Ghost, depth).expect("a floor");
        assert!(made.floor.guards.len() <= 64, "floor {depth}");
    }
    let world = World::with_rules(rules, 1, Difficulty::Apprentice, true);
    assert_eq!(world.check_invariants(), Ok(()));
}

/// The indices of the floors that a number affects.
fn depths(field: &str) -> Vec<usize> {
    let themes = ["cellars", "cistern", "chapel", "catacombs", "sanctum"];
    let theme = |theme: &&str| field.starts_with(&format!("generation.{theme}."));
    let floor = field.strip_prefix("floors[");
    match floor.map(|rest| usize::from(rest.as_bytes()[0] - b'0')) {
        Some(depth) => vec![depth],
        None => match themes.iter().position(theme) {
            Some(depth) => vec![depth],
            None => vec![1, 4],
        },
    }
}

#[test]
fn floors_generate_with_each_extreme_number() {
    let mut few = (*Rules::standard()).clone();
    few.map.attempts = 2;
    let (text, numbers) = text_of(&few);
    let makes = |field: &str| {
        [
            "light.",
            "map.",
            "proof.",
            "floors",
            "difficulty.",
            "thief.",
            "tools.",
            "generation.",
        ]
        .iter()
        .any(|section| field.starts_with(section))
    };
    for number in numbers.iter().filter(|number| makes(&number.field)) {
        let depths = depths(&number.field);
        for value in range(&text, number) {
            match with(&text, number, &as_text(&text, number, value)) {
                Ok(rules) if rules.map.attempts < 10 => begin_by(rules, &depths),
                // Too many attempts take too long, or the value contradicts other values.
                Ok(_) | Err(RulesError::Inconsistent(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}
