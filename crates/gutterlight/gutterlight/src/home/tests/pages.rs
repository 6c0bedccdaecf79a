//! Tests of the text files of finished games: content and paths.

use gutterlight_rules::Bot;

use super::*;

const DAY: &str = "2026-11-21";

fn page(world: &World, log: &[&str]) -> String {
    let log: Vec<String> = log.iter().map(|line| (*line).to_owned()).collect();
    let date = DAY.parse().expect("a date");
    let score = Score::of(world.view(), false, date).expect("it has ended");
    morgue(world.view(), &score, &log)
}

#[test]
fn page_describes_whole_game() {
    let world = won();
    let page = page(&world, &["You take the Ember.", "You climb."]);
    let worth = world.view().score().to_string();
    for words in [
        "Gutterlight\n\nEscaped the keep with the Ember.\n",
        &format!("Score            {worth}\n"),
        "Seed             9\n",
        "Difficulty       thief\n",
        "Turns            5 (",
        "Times seen       0, a shadow\n",
        "Bells rung       0\n",
        "In one line\n  Escaped: seen 0, lit ",
        "Times suspected  0\n",
        "Takedowns        0\n",
        "Killed           0\n",
        "Lamps put out    0\n",
        "Beats hidden ",
        "Beats in light ",
        "Carried\n  the Ember\n",
        "Learned\n  nothing\n",
        "Played\n  2026-11-21\n",
        "Last messages\n  You take the Ember.\n  You climb.\n",
        "Floor 1, the Cellars, as far as you knew it\n\n######\n#...@#\n######\n",
        "@ you",
    ] {
        assert!(page.contains(words), "{words} in\n{page}");
    }
    assert!(page.ends_with('\n'));
}

#[test]
fn page_names_the_killer() {
    let world = Bot::Reckless.play(drawn("#######\n#@.W..#\n#######"), 500);
    let page = page(&world, &[]);
    assert!(
        page.contains("Slain by the warden in the Cellars."),
        "{page}"
    );
    assert!(page.contains("Last messages\n  none\n"), "{page}");
    assert!(page.contains('W'), "{page}");
}

#[test]
fn page_marks_daily_keep() {
    let world = won();
    let score = Score::of(world.view(), true, DAY.parse().expect("a date")).expect("ended");
    let page = morgue(world.view(), &score, &[]);
    assert!(page.contains("  2026-11-21, daily keep\n"), "{page}");
}

/// The lines of the map in a page.
fn map(page: &str) -> Vec<&str> {
    let lines = page.lines().skip_while(|line| !line.starts_with("Floor "));
    let lines = lines.skip(2).filter(|line| !line.is_empty());
    lines
        .take_while(|line| !line.starts_with("@ you"))
        .collect()
}

#[test]
fn map_shows_only_known_cells() {
    let mut world = drawn(
        "
        #############
        #....#......#
        #.h.l+..<E@.#
        #$...#......#
        #############",
    );
    for action in [
        Action::Walk(Direction::West),
        Action::PickUp,
        Action::Walk(Direction::West),
        Action::Climb,
    ] {
        world.act(action).expect("it is possible");
    }
    let page = page(&world, &[]);
    // The room behind the door was never seen.
    let known = ["########", "#......#", "+..@...#", "#......#", "########"];
    assert_eq!(map(&page), known, "{page}");
}

#[test]
fn map_shows_visible_guards_lamps_and_items() {
    let mut world = drawn(
        "
        #############
        #.h.......$!#
        #@E<......{.#
        #...........#
        #############",
    );
    // The hound is fast: either it or the stairs end the game.
    for action in [
        Action::Walk(Direction::East),
        Action::PickUp,
        Action::Walk(Direction::East),
        Action::Climb,
    ] {
        if world.view().ending().is_none() {
            world.act(action).expect("it is possible");
        }
    }
    let page = page(&world, &[]);
    let map = map(&page).concat();
    for letter in ['@', 'h', '$', '!', '{'] {
        assert!(map.contains(letter), "{letter} in\n{page}");
    }
}

#[test]
fn lines_have_at_most_80_characters() {
    let long = "a very long sentence about nothing at all ".repeat(12);
    let wide = "w".repeat(200);
    let world = Bot::Reckless.play(World::new(7, Difficulty::Ghost), 2000);
    let text = page(&world, &[&long, &wide, "", "umlauts: \u{e4}\u{f6}\u{fc}"]);
    let widths = text.lines().map(|line| line.chars().count());
    assert_eq!(widths.clone().filter(|&width| width > 80).count(), 1);
    assert_eq!(
        widths.max(),
        Some(202),
        "a single word is not broken\n{text}"
    );
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&text).contains(words(&long).as_str()), "{text}");
}

#[test]
fn page_ends_the_log_with_20_lines() {
    let lines: Vec<String> = (0..50).map(|line| format!("line {line}.")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let page = page(&won(), &lines);
    assert!(!page.contains("line 29."));
    let end: String = (30..50).map(|line| format!("  line {line}.\n")).collect();
    assert!(page.contains(&end), "{page}");
}

#[test]
fn pages_get_unique_names() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    let score = score(1, DAY);
    let names = [
        "2026-11-21-keep-9.txt",
        "2026-11-21-keep-9-2.txt",
        "2026-11-21-keep-9-3.txt",
    ];
    for (page, name) in ["first", "second", "third"].into_iter().zip(names) {
        let path = home.bury(page, &score).expect("a page");
        assert_eq!(path, home.morgue_folder().join(name));
    }
    for (page, name) in ["first", "second", "third"].into_iter().zip(names) {
        let read = fs::read_to_string(home.morgue_folder().join(name));
        assert_eq!(read.expect("a page"), page, "{name}");
    }
}

#[test]
fn concurrent_pages_are_all_kept() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    let score = score(1, DAY);
    let mut paths = std::thread::scope(|scope| {
        let bury = |number: u32| home.bury(&number.to_string(), &score).expect("a page");
        let writers: Vec<_> = (0..16)
            .map(|number| scope.spawn(move || bury(number)))
            .collect();
        let written = writers
            .into_iter()
            .map(|writer| writer.join().expect("no panic"));
        written.collect::<Vec<_>>()
    });
    for (number, path) in paths.iter().enumerate() {
        let read = fs::read_to_string(path).expect("a page");
        assert_eq!(read, number.to_string());
    }
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 16);
}
