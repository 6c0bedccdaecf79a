//! Tests of the whole program: every page, a game from the title to its end, and the files it
//! writes. Keys are pressed by `--keys`.

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

/// The smallest window with a full layout.
const SMALL: &str = "640x360";

/// The number of frames drawn before a screenshot. By then all pipelines have been compiled.
const LOOKED_AT: [&str; 2] = ["--draw-last", "4"];

/// The program under test.
fn program() -> Program {
    Program::at(env!("CARGO_BIN_EXE_gutterlight"))
}

/// A player with their own files.
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

    /// Returns a screenshot after these keys.
    fn sees(&self, keys: &str) -> RgbImage {
        self.sees_at(SMALL, keys)
    }

    /// Returns a screenshot of this size after these keys.
    fn sees_at(&self, size: &str, keys: &str) -> RgbImage {
        let keys = format!("{keys}, 20");
        let frames = frames(&keys);
        let args = ["--home", self.path(), "--keys", &keys, "--frames", &frames];
        program().draw_at(size, &[&args[..], &LOOKED_AT].concat())
    }

    /// Plays until these keys have ended the program.
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
            // Without the keys quitting, the program ends with a screenshot.
            "--frames",
            "2000",
            "--draw-last",
            "1",
            "--screenshot",
            picture,
        ];
        let output = program().run(&args, &[]);
        assert!(output.status.success(), "{}", errors(&output));
        assert!(!Path::new(picture).exists(), "`{keys}` did not quit");
    }

    /// The suspended game.
    fn suspended(&self) -> World {
        let bytes = fs::read(self.home().save_path()).unwrap();
        World::load(&bytes).unwrap()
    }

    /// The files except the lock, which stays in the folder.
    fn files(&self) -> Vec<String> {
        let files = self.folder.path().read_dir().unwrap();
        let name = |file: fs::DirEntry| file.file_name().into_string().unwrap();
        let names = files.map(|file| name(file.unwrap()));
        let mut names: Vec<_> = names.filter(|name| name != "running.lock").collect();
        names.sort();
        names
    }
}

/// The number of frames to press all these keys, and some more.
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

/// Whether the image has light text on a dark background.
fn has_words(picture: &RgbImage) -> bool {
    let bright = share(picture, (0.0, 1.0), |r, g, b| r.min(g).min(b) > 110);
    (0.003..0.3).contains(&bright)
}

/// Whether the image has a page heading, which has its own color.
fn has_heading(picture: &RgbImage) -> bool {
    let heading = share(picture, (0.0, 0.7), |r, g, b| {
        r > 220 && (120..200).contains(&g) && b < 80
    });
    (0.001..0.05).contains(&heading)
}

#[test]
fn every_page_is_drawn_with_text() {
    let player = Player::new();
    // Creates a suspended game, so that the title offers to continue.
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

/// The number of pixels of light text in a rectangle: left, top, right and bottom.
fn text_pixels(picture: &RgbImage, [left, top, right, bottom]: [u32; 4]) -> usize {
    let rect = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    let is_light = |(x, y): &(u32, u32)| picture.get_pixel(*x, *y).0.into_iter().min() > Some(110);
    rect.filter(is_light).count()
}

/// Reported: from 1270 pixels on, journal and captions were missing. Both are on the panel there, and were drawn before
/// it.
#[test]
fn journal_and_captions_are_drawn_over_the_panel() {
    for (size, scale) in [("1280x720", 2), ("1920x1080", 3)] {
        let player = Player::new();
        // Putting out the torch and lighting it are messages and sounds.
        let opening = player.sees_at(size, "Enter, 7, Enter, 20, T, T");
        let continued = player.sees_at(size, "Enter, 20, T, T");
        player.quits("Enter, 20, Backspace, Escape, Down*4, Enter, 20, Down*6, Enter");
        let begun = player.sees_at(size, "Down, Enter, 8, Enter, Enter, 20, T, T");
        let keys = "20, T, T, 20";
        let args = [
            "--seed", "7", "--turns", "4", "--keys", keys, "--frames", "80",
        ];
        let by_bot = program().draw_at(size, &[&args[..], &LOOKED_AT].concat());
        for (from, picture) in [
            ("the opening", opening),
            ("Continue", continued),
            ("the title", begun),
            ("--turns", by_bot),
        ] {
            let (width, height) = picture.dimensions();
            // In UI pixels, with the journal from 620 on, and captions under the hint in the last 300.
            let ui = |pixels: u32| pixels * scale / 2;
            let journal = [ui(620), height - ui(74), width - ui(300), height];
            let captions = [width - ui(290), height - ui(54), width, height];
            let [journal, captions] = [journal, captions].map(|rect| text_pixels(&picture, rect));
            assert!(
                journal > 100,
                "{size} from {from}: {journal} pixels of the journal"
            );
            assert!(
                captions > 60,
                "{size} from {from}: {captions} pixels of captions"
            );
        }
    }
}

#[test]
fn game_runs_from_title_to_scores() {
    let player = Player::new();
    // A new game in keep 7, three steps, and out through the pause menu.
    player.quits("Enter, 7, Enter, 20, Left*3, Escape, Down*4, Enter, 20, Down*6, Enter");
    let game = player.suspended();
    assert_eq!((game.view().seed(), game.view().turn()), (7, 3));
    assert!(
        player.home().settings().0.opening,
        "its lessons were neither finished nor skipped"
    );
    // Continue, take two steps, and end the program in the middle of the game. It must still be
    // saved.
    player.sees("Enter, 20, Left*2");
    assert_eq!(player.suspended().view().turn(), 5);
    assert_eq!(player.home().scores().0.best(), []);

    // A game that is about to be lost.
    let (game, waits) = doomed();
    player.home().suspend(&game.save()).unwrap();
    let end = player.sees(&format!("Enter, 20, Space*{waits}, 120"));
    assert!(has_words(&end) && has_heading(&end));
    assert!(
        !player.home().is_suspended(),
        "a finished game is not suspended"
    );
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
    // The game is in the list of scores.
    let listed = player.sees("Down*2, Enter");
    let empty = Player::new().sees("Down*2, Enter");
    assert!(difference(&listed, &empty).0 > 0.5);
    // No settings: nothing was changed, and the lesson was neither finished nor skipped.
    assert_eq!(
        player.files(),
        ["lore.ron", "morgue", "replays", "replays.ron", "scores.ron"]
    );
    // Watching the replay does not count as another game.
    let watched = player.sees("Down*2, Enter, Down, Enter, 40");
    assert!(has_words(&watched) && !has_heading(&watched));
    let way = player.sees("Down*2, Enter, Down, Enter, 5, 300, Enter, 20");
    assert!(has_heading(&way), "the path through the keep");
    assert_eq!(player.home().scores().0.best().len(), 1);
}

/// A game, and the number of turns after which a waiting thief is killed.
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
        .expect("the reckless bot dies")
}

#[test]
fn killed_process_loses_no_turn() {
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
        // At any time, the file holds a complete game.
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
fn damaged_files_are_reported_and_kept_aside() {
    let player = Player::new();
    let whole = player.sees("10");
    fs::write(player.home().settings_path(), "(brightness: 99)").unwrap();
    let title = player.sees("10");
    assert!(difference(&whole, &title).0 > 0.5, "no message");
    assert_eq!(player.home().settings().0, Settings::default());
    assert_eq!(player.files(), ["settings.damaged.ron"]);
    // The save is only read when the player continues.
    fs::write(player.home().save_path(), "no game at all").unwrap();
    let title = player.sees("10");
    let with_message = player.sees("Enter");
    assert!(difference(&title, &with_message).0 > 0.5, "no message");
    assert_eq!(
        player.files(),
        ["settings.damaged.ron", "suspended.damaged.save"]
    );
}

#[test]
fn settings_and_keys_are_saved() {
    let player = Player::new();
    // Brightness is raised by two, then the step north is bound to F5.
    player
        .quits("Down*3, Enter, Right*2, Down*11, Enter, Enter, F5, Escape, Escape, Down*5, Enter");
    let (settings, trouble) = player.home().settings();
    assert!(trouble.is_none());
    assert_eq!(settings.brightness, 2);
    assert_eq!(settings.keys["north"], ["F5"]);
    assert_eq!(settings.keys.len(), 1);
}

#[test]
fn torch_lights_corridor_in_darkness() {
    let mut pictures = Vec::new();
    for seed in ["7", "8"] {
        let picture = program().draw(&["--bare", "--seed", seed]);
        let warm = share(&picture, (0.0, 1.0), |r, _, b| r > b + 25);
        let thief = share(&picture, (0.0, 1.0), |r, g, b| g > r + 8 && g > b + 20);
        let dark = share(&picture, (0.0, 1.0), |r, g, b| r.max(g).max(b) < 6);
        assert!(
            (0.02..0.4).contains(&warm),
            "{seed}: the share in torchlight is {warm}"
        );
        assert!(
            thief > 0.0005,
            "{seed}: the share of the green hood is {thief}"
        );
        assert!(dark > 0.5, "{seed}: the dark share is only {dark}");
        assert!(
            !pictures.contains(&picture),
            "{seed} must give another keep"
        );
        pictures.push(picture);
    }
    // The panel, in a game played by a bot.
    let picture = program().draw(&["--turns", "40"]);
    let health = share(&picture, (0.5, 1.0), |r, g, b| r > 150 && g < 90 && b < 90);
    assert!(
        health > 0.002,
        "the share of the health bar is only {health}"
    );
}

#[test]
fn replays_and_bots_play() {
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
    // The same game without any actions, at the same time, so that flames flicker alike.
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
fn argument_errors_state_allowed_values() {
    for (args, allowed) in [
        (["--seed", "-1"], "a whole number"),
        (["--difficulty", "easy"], "apprentice, thief or ghost"),
        (["--turns", "many"], "from 0 to 12000"),
        (["--play", "nowhere.replay"], "nowhere.replay"),
    ] {
        check_refused(&program().run(&args, &[]), &[allowed]);
    }
}
