//! Each test has its own temporary folder. Tests may run as root, whom permissions do not stop, so
//! failing renames are provoked in other ways.

mod lore;
mod pages;
mod replays;
mod saves;
mod scores;
mod settings;
mod transfer;
mod writer;

use std::{fs, path::Path};

use gutterlight_rules::{Action, Difficulty, Direction, Ending, Heat, Rules};
use tempfile::TempDir;

use super::*;

/// A home in a temporary folder.
struct Lodging {
    folder: TempDir,
    home: Home,
}

impl Lodging {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // The folder does not exist yet.
        let home = Home::at(folder.path().join("home"));
        Self { folder, home }
    }

    /// Writes a file without the home.
    fn put(&self, path: &Path, bytes: &[u8]) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }

    /// The file names at the top level of the home, sorted.
    fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder.path().join("home")) else {
            return Vec::new();
        };
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("a name").file_name();
        let mut names: Vec<String> = entries
            .map(|entry| name(entry).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Takes every name under which a damaged file could be kept aside.
    fn take_every_name(&self, stem: &str, extension: &str) {
        for number in 1..=1000 {
            let number = match number {
                1 => String::new(),
                number => format!("-{number}"),
            };
            let name = format!("{stem}.damaged{number}.{extension}");
            self.put(&self.home.data.path(&name), b"older");
        }
    }
}

/// A new game in a small room.
fn world() -> World {
    drawn("#####\n#@..#\n#####")
}

/// The same game after some turns.
fn played(turns: u32) -> World {
    let mut world = world();
    for _ in 0..turns {
        world.act(Action::Wait).expect("waiting is always allowed");
    }
    world
}

fn drawn(text: &str) -> World {
    World::from_drawing(Rules::standard(), 9, text).expect("a drawing")
}

/// A game that was won.
fn won() -> World {
    let mut world = drawn("######\n#@E.<#\n######");
    for action in [
        Action::Walk(Direction::East),
        Action::PickUp,
        Action::Walk(Direction::East),
        Action::Walk(Direction::East),
        Action::Climb,
    ] {
        world.act(action).expect("it is possible");
    }
    assert_eq!(world.view().ending(), Some(Ending::Escaped));
    world
}

/// A score of an arbitrary game on a given day.
fn score(worth: u32, day: &str) -> Score {
    Score {
        score: worth,
        seed: 9,
        difficulty: Difficulty::Thief,
        ending: Ending::Escaped,
        floor: 1,
        turns: 5,
        times_seen: 0,
        takedowns: 0,
        daily: false,
        heat: Heat::NONE,
        date: day.parse().expect("a date"),
    }
}

#[test]
fn standard_paths_contain_game_name() {
    // There is no home folder on some CI machines.
    if let Some(home) = Home::standard() {
        let named = |path: PathBuf| {
            path.to_string_lossy()
                .to_lowercase()
                .contains("gutterlight")
        };
        assert!(named(home.settings_path()), "{home:?}");
        assert!(named(home.save_path()), "{home:?}");
    }
}

#[test]
fn reading_creates_no_files() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    assert_eq!(home.settings().0, Settings::default());
    assert!(home.settings().1.is_none());
    assert!(home.scores().0.best().is_empty());
    assert!(home.scores().1.is_none());
    assert!(!home.is_suspended());
    assert!(home.resume().expect("nothing").is_none());
    home.forget().expect("there is nothing to forget");
    assert!(!lodging.folder.path().join("home").exists());
}

#[test]
fn recreates_deleted_folder() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    for round in 0..2 {
        home.keep_settings(&Settings::default()).expect("settings");
        home.add_score(score(1, "2026-11-21")).expect("scores");
        home.suspend(&world().save()).expect("a save");
        home.bury("page", &score(1, "2026-11-21")).expect("a page");
        assert_eq!(
            lodging.names(),
            ["morgue", "scores.ron", "settings.ron", "suspended.save"],
            "round {round}"
        );
        fs::remove_dir_all(lodging.folder.path().join("home")).expect("a folder");
    }
}

#[test]
fn reports_file_in_place_of_folder() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    fs::write(lodging.folder.path().join("home"), "a file").expect("a file");
    let _ = (home.settings(), home.scores(), home.resume(), home.forget());
    assert!(!home.is_suspended());
    let kept = home.keep_settings(&Settings::default());
    let added = home.add_score(score(1, "2026-11-21")).map(drop);
    let buried = home.bury("page", &score(1, "2026-11-21")).map(drop);
    for trouble in [kept, added, buried, home.suspend(&world().save())] {
        let words = trouble.expect_err("there is no folder").to_string();
        assert!(words.contains("home"), "{words}");
    }
    let still = fs::read(lodging.folder.path().join("home"));
    assert_eq!(still.expect("the file"), b"a file");
}

#[test]
fn reports_and_keeps_folders_in_place_of_files() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    for path in [home.settings_path(), home.scores_path(), home.save_path()] {
        fs::create_dir_all(path.join("within")).expect("a folder");
    }
    assert!(!home.is_suspended());
    for trouble in [
        home.settings().1.expect("trouble"),
        home.scores().1.expect("trouble"),
        home.resume().expect_err("trouble"),
        home.keep_settings(&Settings::default())
            .expect_err("trouble"),
        home.add_score(score(1, "2026-11-21")).expect_err("trouble"),
        home.suspend(&world().save()).expect_err("trouble"),
        home.forget().expect_err("trouble"),
    ] {
        let words = trouble.to_string();
        assert!(words.contains("home"), "{words}");
        assert!(!matches!(trouble, Trouble::Damaged { .. }), "{words}");
    }
    assert_eq!(
        lodging.names(),
        ["scores.ron", "settings.ron", "suspended.save"]
    );
    assert!(home.save_path().join("within").is_dir());
}

#[cfg(unix)]
#[test]
fn rejects_named_pipes_without_blocking() {
    use std::os::unix::fs::FileTypeExt;
    let lodging = Lodging::new();
    let home = &lodging.home;
    fs::create_dir_all(home.data.path("")).expect("a folder");
    for path in [home.settings_path(), home.save_path()] {
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo").success(), "{}", path.display());
    }
    assert!(!home.is_suspended());
    let words = home.settings().1.expect("trouble").to_string();
    assert!(words.contains("not a file"), "{words}");
    let defaults = Settings::default();
    assert!(home.keep_settings(&defaults).is_err());
    assert!(home.resume().is_err());
    assert!(home.suspend(&world().save()).is_err());
    for path in [home.settings_path(), home.save_path()] {
        let kind = fs::symlink_metadata(&path).expect("a pipe").file_type();
        assert!(kind.is_fifo(), "{}", path.display());
    }
}

#[cfg(unix)]
#[test]
fn reports_read_only_folder() {
    use std::os::unix::fs::PermissionsExt;
    let lodging = Lodging::new();
    let home = &lodging.home;
    lodging.put(&home.settings_path(), b"damaged");
    let set = |mode| fs::set_permissions(home.data.path(""), fs::Permissions::from_mode(mode));
    set(0o555).expect("permissions");
    if fs::write(home.data.path("test"), "").is_err() {
        let trouble = home.settings().1.expect("it is damaged");
        assert!(matches!(trouble, Trouble::Stuck { .. }), "{trouble}");
        assert!(home.keep_settings(&Settings::default()).is_err());
        assert!(home.add_score(score(1, "2026-11-21")).is_err());
        assert!(home.suspend(&world().save()).is_err());
        assert!(home.bury("page", &score(1, "2026-11-21")).is_err());
        assert_eq!(lodging.names(), ["settings.ron"]);
    }
    set(0o755).expect("permissions");
}
