//! Gutterlight as a program: every page, a game from the title to its end, and the files that
//! it leaves; played by keys that `--keys` presses.

#![cfg(feature = "play")]

use std::{
    fs,
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use gutterlight::{home::Home, settings::Settings};
use gutterlight_rules::{Action, Bot, Difficulty, Ending, World};
use image::RgbImage;
use lanternfell_test_support::{Program, check_refused, difference, errors, share};
use tempfile::TempDir;

/// The smallest window that everything is laid out for.
const SMALL: &str = "640x360";

/// Of the frames before a picture: what is on the screen by then has been drawn by its pipelines.
const LOOKED_AT: [&str; 2] = ["--draw-last", "4"];

/// The game.
fn program() -> Program {
    Program::at(env!("CARGO_BIN_EXE_gutterlight"))
}

/// Somebody who plays, with files of their own.
struct Player {
    folder: TempDir,
}

impl Player {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn home(&self) -> Home {
        Home::at(self.folder.path())
    }

    fn path(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    /// What is seen after these keys.
    fn sees(&self, keys: &str) -> RgbImage {
        let keys = format!("{keys}, 20");
        let frames = frames(&keys);
        let args = ["--home", self.path(), "--keys", &keys, "--frames", &frames];
        program().draw_at(SMALL, &[&args[..], &LOOKED_AT].concat())
    }

    /// Plays until these keys have ended the game by themselves.
    fn quits(&self, keys: &str) {
        let picture = self.folder.path().join("not-yet.png");
        let picture = picture.to_str().unwrap();
        let args = [
            "--headless",
            "--size",
            SMALL,
            "--home",
            self.path(),
            "--keys",
            keys,
            // Whoever does not quit is photographed.
            "--frames",
            "2000",
            "--draw-last",
            "1",
            "--screenshot",
            picture,
        ];
        let output = program().run(&args, &[]);
        assert!(output.status.success(), "{}", errors(&output));
        assert!(!Path::new(picture).exists(), "`{keys}` do not quit");
    }

    /// The game that lies suspended.
    fn suspended(&self) -> World {
        let bytes = fs::read(self.home().save_path()).unwrap();
        World::load(&bytes).unwrap()
    }

    fn files(&self) -> Vec<String> {
        let files = self.folder.path().read_dir().unwrap();
        let name = |file: fs::DirEntry| file.file_name().into_string().unwrap();
        let mut names: Vec<_> = files.map(|file| name(file.unwrap())).collect();
        names.sort();
        names
    }
}

/// Frames until all these keys are pressed, and some more.
fn frames(keys: &str) -> String {
    let part = |part: &str| -> u32 {
        let part = part.trim();
        let times = part
            .rsplit_once('*')
            .and_then(|(_, times)| times.parse().ok());
        match part.parse::<u32>() {
            Ok(frames) if part.len() > 1 => frames + 1,
            _ => 6 * times.unwrap_or(1),
        }
    };
    (20 + keys.split(',').map(part).sum::<u32>()).to_string()
}

/// Light words on dark ground.
fn has_words(picture: &RgbImage) -> bool {
    let bright = share(picture, (0.0, 1.0), |r, g, b| r.min(g).min(b) > 110);
    (0.003..0.3).contains(&bright)
}

/// The heading of a page, in its own color.
fn has_heading(picture: &RgbImage) -> bool {
    let heading = share(picture, (0.0, 0.7), |r, g, b| {
        r > 220 && (120..200).contains(&g) && b < 80
    });
    (0.001..0.05).contains(&heading)
}

#[test]
fn every_page_is_drawn() {
    let player = Player::new();
    // Something to be continued.
    player.sees("Enter, 7, Enter, 20, T, T");
    for (name, keys) in [
        ("title", "10"),
        ("new game", "Down, Enter"),
        ("scores", "Down*3, Enter"),
        ("settings", "Down*4, Enter"),
        ("keys", "Down*4, Enter, Down*11, Enter"),
        ("help", "Down*5, Enter"),
        ("lore", "Down*5, Enter, Enter"),
        ("pause", "Enter, 20, Escape"),
        ("log", "Enter, 20, T, T, P"),
        ("help in the game", "Enter, 20, F1"),
    ] {
        let picture = player.sees(keys);
        assert!(has_words(&picture), "{name}: no words");
        assert!(has_heading(&picture), "{name}: no heading");
    }
    let picture = player.sees("Enter, 20");
    assert!(has_words(&picture) && !has_heading(&picture), "play");
}

#[test]
fn a_game_is_begun_suspended_continued_lost_and_remembered() {
    let player = Player::new();
    // A new game in keep 7, three steps, and out by the pause.
    player.quits("Enter, 7, Enter, 20, Left*3, Escape, Down*4, Enter, 20, Down*6, Enter");
    let game = player.suspended();
    assert_eq!((game.view().seed(), game.view().turn()), (7, 3));
    assert!(!player.home().settings().0.opening, "it was told once");
    // On with it, two steps, and the program ends in the middle: nothing is lost.
    player.sees("Enter, 20, Left*2");
    assert_eq!(player.suspended().view().turn(), 5);
    assert_eq!(player.home().scores().0.best(), []);

    // A game that is as good as lost.
    let (game, waits) = doomed();
    player.home().suspend(&game.save()).unwrap();
    let end = player.sees(&format!("Enter, 20, Space*{waits}, 120"));
    assert!(has_words(&end) && has_heading(&end));
    assert!(!player.home().is_suspended(), "the dead do not go on");
    let scores = player.home().scores().0;
    let [score] = scores.best() else {
        panic!("{scores:?}");
    };
    assert!(matches!(score.ending, Ending::Slain(_)));
    let pages: Vec<_> = player.home().morgue_folder().read_dir().unwrap().collect();
    let [Ok(page)] = &pages[..] else {
        panic!("{pages:?}");
    };
    let page = fs::read_to_string(page.path()).unwrap();
    assert!(page.contains(&score.seed.to_string()), "{page}");
    // It stands in the list.
    let listed = player.sees("Down*2, Enter");
    let empty = Player::new().sees("Down*2, Enter");
    assert!(difference(&listed, &empty).0 > 0.5);
    assert_eq!(
        player.files(),
        [
            "lore.ron",
            "morgue",
            "replays",
            "replays.ron",
            "scores.ron",
            "settings.ron"
        ]
    );
    // It is watched again, which is counted nowhere.
    let watched = player.sees("Down*2, Enter, Down, Enter, 40");
    assert!(has_words(&watched) && !has_heading(&watched));
    let way = player.sees("Down*2, Enter, Down, Enter, 5, 300, Enter, 20");
    assert!(has_heading(&way), "the way through the keep");
    assert_eq!(player.home().scores().0.best().len(), 1);
}

/// A game, and after how many turns whoever only waits in it is killed.
fn doomed() -> (World, u32) {
    (0..60)
        .find_map(|seed| {
            let length = Bot::Reckless.play(World::new(seed, Difficulty::Thief), 3000);
            let last = length.view().turn().checked_sub(2)?;
            let game = Bot::Reckless.play(World::new(seed, Difficulty::Thief), last);
            let mut future = World::load(&game.save()).unwrap();
            (1..10).find_map(|waits| {
                future.act(Action::Wait).ok()?;
                let slain = matches!(future.view().ending(), Some(Ending::Slain(_)));
                slain
                    .then(|| World::load(&game.save()).unwrap())
                    .zip(Some(waits))
            })
        })
        .expect("the reckless die")
}

#[test]
fn a_game_that_is_killed_goes_on_where_it_was() {
    let player = Player::new();
    let mut child = program()
        .command(player.folder.path())
        .args(["--headless", "--size", "64x36", "--home", player.path()])
        .args([
            "--frames",
            "1000000",
            "--keys",
            "Enter, 7, Enter, 20, Left*3",
        ])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let turn = || {
        let bytes = fs::read(player.home().save_path()).ok()?;
        // Whenever one looks, a whole game lies there.
        Some(World::load(&bytes).unwrap().view().turn())
    };
    while turn() != Some(3) {
        let patience = Duration::from_secs(300);
        assert!(start.elapsed() < patience, "{:?} turns are kept", turn());
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    player.sees("Enter, 20, Left");
    assert_eq!(player.suspended().view().turn(), 4);
}

#[test]
fn damaged_files_are_told_of_and_kept_aside() {
    let player = Player::new();
    let whole = player.sees("10");
    fs::write(player.home().settings_path(), "(brightness: 99)").unwrap();
    let title = player.sees("10");
    assert!(difference(&whole, &title).0 > 0.5, "nothing is said");
    assert_eq!(player.home().settings().0, Settings::default());
    assert_eq!(player.files(), ["settings.damaged.ron"]);
    // The save is looked at only when it is asked for.
    fs::write(player.home().save_path(), "no game at all").unwrap();
    let title = player.sees("10");
    let told = player.sees("Enter");
    assert!(difference(&title, &told).0 > 0.5, "nothing is said");
    assert_eq!(
        player.files(),
        ["settings.damaged.ron", "suspended.damaged.save"]
    );
}

#[test]
fn settings_and_keys_are_changed_and_kept() {
    let player = Player::new();
    // Brighter by two; then steps to the north are bound to F5.
    player
        .quits("Down*3, Enter, Right*2, Down*11, Enter, Enter, F5, Escape, Escape, Down*5, Enter");
    let (settings, trouble) = player.home().settings();
    assert!(trouble.is_none());
    assert_eq!(settings.brightness, 2);
    assert_eq!(settings.keys["north"], ["F5"]);
    assert_eq!(settings.keys.len(), 1);
}

#[test]
fn gutterlight_shows_the_torch_in_its_corridor_and_darkness_around() {
    let mut pictures = Vec::new();
    for seed in ["7", "8"] {
        let picture = program().draw(&["--bare", "--seed", seed]);
        let warm = share(&picture, (0.0, 1.0), |r, _, b| r > b + 25);
        let thief = share(&picture, (0.0, 1.0), |r, g, b| g > r + 8 && g > b + 20);
        let dark = share(&picture, (0.0, 1.0), |r, g, b| r.max(g).max(b) < 6);
        assert!(
            (0.02..0.4).contains(&warm),
            "{seed}: {warm} is in torchlight"
        );
        assert!(thief > 0.0005, "{seed}: {thief} is the thief's green hood");
        assert!(dark > 0.5, "{seed}: only {dark} is dark");
        assert!(!pictures.contains(&picture), "{seed} is another keep");
        pictures.push(picture);
    }
    // The panel, and what a bot has come to.
    let picture = program().draw(&["--turns", "40"]);
    let health = share(&picture, (0.5, 1.0), |r, g, b| r > 150 && g < 90 && b < 90);
    assert!(health > 0.002, "only {health} is the bar of health");
}

#[test]
fn gutterlight_plays_replays_and_lets_a_bot_play() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("short.replay");
    let game = Bot::Careful.play(World::new(5, Difficulty::Thief), 40);
    fs::write(&path, game.replay().unwrap().to_bytes()).unwrap();
    let path = path.to_str().unwrap();
    let draw = |own: &[&str]| {
        let long = ["--bare", "--frames", "500"];
        program().draw(&[&long, &LOOKED_AT[..], own].concat())
    };
    let replayed = draw(&["--play", path]);
    let attracted = draw(&["--seed", "5", "--attract"]);
    // The same game that nobody plays, at the same moment: flames flicker alike.
    let nothing = World::new(5, Difficulty::Thief).replay().unwrap();
    let idle = folder.path().join("idle.replay");
    fs::write(&idle, nothing.to_bytes()).unwrap();
    let idle = draw(&["--play", idle.to_str().unwrap()]);
    for (who, picture) in [("replay", replayed), ("bot", attracted)] {
        let worst = difference(&idle, &picture).1;
        assert!(worst > 8.0, "the {who} does nothing: {worst}");
    }
    fs::write(path, "not a replay").unwrap();
    let refused = program().run(&["--play", path], &[]);
    check_refused(&refused, &["short.replay", "not a replay"]);
}

#[test]
fn gutterlights_own_arguments_say_what_is_allowed() {
    for (args, allowed) in [
        (["--seed", "-1"], "a whole number"),
        (["--difficulty", "easy"], "apprentice, thief or ghost"),
        (["--turns", "many"], "from 0 to 12000"),
        (["--play", "nowhere.replay"], "nowhere.replay"),
    ] {
        check_refused(&program().run(&args, &[]), &[allowed]);
    }
}
