//! Tests of the commands of `gutterlight`. Each test runs the program in its own temporary folder.

use std::{path::PathBuf, process::Command};

use gutterlight_rules::{
    Action, Difficulty, Direction, IVec2, Replay, Rules, Survey, World, drawing,
};
use tempfile::TempDir;

/// A temporary folder in which the program runs.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect(name);
    }

    /// The names and contents of all files, including temporary ones, sorted by name.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let entries = std::fs::read_dir(self.0.path()).expect("the folder");
        let mut files: Vec<_> = entries
            .map(|entry| {
                let entry = entry.expect("the folder");
                let content = std::fs::read(entry.path()).unwrap_or_default();
                (entry.file_name().to_string_lossy().into_owned(), content)
            })
            .collect();
        files.sort();
        files
    }

    /// Runs the program with arguments separated by spaces.
    fn run(&self, words: &str) -> (Option<i32>, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_gutterlight"))
            .current_dir(self.0.path())
            .args(words.split_whitespace())
            .output()
            .expect("the program");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    }

    /// Runs a command that must succeed. Returns its standard output.
    #[track_caller]
    fn succeed(&self, words: &str) -> String {
        let (code, out, err) = self.run(words);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{words}");
        out
    }

    /// Runs a command that must fail: exit code 2, one line of error that contains all `parts`, and
    /// no change in the folder.
    #[track_caller]
    fn refuse(&self, words: &str, parts: &[&str]) {
        let before = self.files();
        let (code, out, err) = self.run(words);
        assert_eq!(code, Some(2), "{words}: {err}");
        assert_eq!(out, "", "{words}");
        assert!(err.starts_with("error: "), "{words}: {err}");
        assert_eq!(
            err.trim_end().lines().count(),
            1,
            "{words}: one line, but {err}"
        );
        for part in parts {
            assert!(err.contains(part), "{words}: `{part}` is not in: {err}");
        }
        assert!(self.files() == before, "{words}: no file may change");
    }
}

/// A command with these arguments, not started yet.
#[cfg(target_os = "linux")]
fn command(folder: &Folder, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gutterlight"));
    command
        .current_dir(folder.0.path())
        .args(words.split_whitespace());
    command
}

/// A short game.
fn world() -> World {
    let mut world = World::new(11, Difficulty::Ghost);
    for turn in 0..30 {
        let ways = Direction::ALL.into_iter().cycle().skip(turn / 4);
        let way = ways
            .take(8)
            .find(|&way| world.check(Action::Walk(way)).is_ok());
        world
            .act(way.map_or(Action::Wait, Action::Walk))
            .expect("it was checked");
    }
    world
}

fn replay() -> Replay {
    world().replay().expect("a game from its beginning")
}

#[test]
fn replay_plays_to_its_end() {
    let folder = Folder::new();
    folder.write("game.replay", replay().to_bytes());
    let out = folder.succeed("replay game.replay");
    let world = world();
    let end = format!("end state   {:08x}", crc32fast::hash(&world.save()));
    let score = format!("score       {}", world.view().score());
    for line in [
        "seed        11",
        "difficulty  ghost",
        "turns       30",
        "ending      Still in the Cellars.",
        &score,
        &end,
    ] {
        assert!(out.lines().any(|found| found == line), "{line} in {out}");
    }
    let drawn = folder.succeed("replay --dump game.replay");
    let map = drawing::draw(world.floor(), Some(world.view().thief().at));
    assert_eq!(drawn, format!("{out}\n{map}\n"));
}

#[test]
fn rejects_invalid_replays_without_changes() {
    let folder = Folder::new();
    let bytes = replay().to_bytes();
    let with = |place: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[place] = byte;
        bytes
    };
    folder.write("cut.replay", &bytes[..bytes.len() - 4]);
    folder.write("damaged.replay", with(20, bytes[20] ^ 4));
    folder.write("newer.replay", with(8, 9));
    folder.write("old.replay", with(8, 0));
    folder.write("foreign.png", "\x7fPNG and more");
    folder.write("save.replay", world().save());
    folder.write("empty.replay", "");
    folder.refuse("replay cut.replay", &["cut.replay", "cut off"]);
    folder.refuse("replay empty.replay", &["empty.replay", "cut off"]);
    folder.refuse(
        "replay damaged.replay",
        &["damaged.replay: the replay is damaged"],
    );
    folder.refuse(
        "replay newer.replay",
        &["version 9", "needs a newer release"],
    );
    folder.refuse("replay old.replay", &["version 0", "can no longer play"]);
    folder.refuse("replay foreign.png", &["foreign.png: not a replay"]);
    folder.refuse("replay save.replay", &["not a replay"]);
    folder.refuse(
        "replay missing.replay",
        &["cannot read missing.replay", "No such file"],
    );
    std::fs::create_dir(folder.path("folder.replay")).expect("a folder");
    folder.refuse("replay folder.replay", &["folder.replay", "not a file"]);
}

#[test]
fn rejects_replay_of_other_rules_or_with_illegal_action() {
    let folder = Folder::new();
    let other = Replay {
        fingerprint: replay().fingerprint ^ 1,
        ..replay()
    };
    folder.write("other.replay", other.to_bytes());
    folder.refuse("replay other.replay", &["other rules"]);
    let mut wrong = replay();
    wrong.actions[3] = Action::UnwrapEmber;
    folder.write("wrong.replay", wrong.to_bytes());
    folder.refuse(
        "replay wrong.replay",
        &["turn 4", "You are not carrying the Ember."],
    );
}

#[test]
fn rejects_huge_replay() {
    let folder = Folder::new();
    let file = std::fs::File::create(folder.path("large.replay")).expect("a file");
    file.set_len(1 << 30).expect("a sparse file");
    let (code, out, err) = folder.run("replay large.replay");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("too large"), "{err}");
}

#[test]
fn dump_prints_floor() {
    let folder = Folder::new();
    let out = folder.succeed("dump 5");
    let rules = Rules::standard();
    let survey = Survey::new(&rules, 5, Difficulty::Thief, 0).expect("the first floor");
    let map = drawing::draw(&survey.floor, None);
    let title = "the Cellars: floor 1 of seed 5 for a thief";
    assert_eq!(out, format!("{title}\n\n{map}\n\n{}", survey.light.dump()));
    let last = folder.succeed("dump 5 --floor 5 --difficulty apprentice");
    assert!(last.starts_with("the Sanctum: floor 5 of seed 5 for an apprentice\n"));
    assert!(last.contains('E'), "the Ember");
    assert!(folder.files().is_empty());
}

#[test]
fn dump_draws_floor_as_png() {
    let folder = Folder::new();
    folder.write("floor.png", "an old file");
    let out = folder.succeed("dump 5 --png floor.png");
    assert!(out.starts_with("the Cellars"));
    assert_eq!(folder.files().len(), 1, "only the image");
    let bytes = folder.read("floor.png");
    let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    let mut reader = decoder.read_info().expect("an image");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let about = reader.next_frame(&mut pixels).expect("a complete image");
    let survey = Survey::new(&Rules::standard(), 5, Difficulty::Thief, 0).expect("a floor");
    let tiles = &survey.floor.tiles;
    let size = (tiles.width() as u32 * 16, tiles.height() as u32 * 16);
    assert_eq!((about.width, about.height), size);
    assert_eq!(about.color_type, png::ColorType::Rgb);
    // The mean brightness of a cell's pixels: lit cells must be bright, and unlit ones dark.
    let brightness = |at: IVec2| {
        let rows = (0..16).map(|y| (at.y as usize * 16 + y) * about.width as usize);
        let cells = rows.flat_map(|row| (0..16).map(move |x| row + at.x as usize * 16 + x));
        let sum: u32 = cells
            .flat_map(|pixel| &pixels[3 * pixel..][..3])
            .map(|&byte| u32::from(byte))
            .sum();
        sum / (3 * 256)
    };
    let light = |at: &IVec2| survey.light.luminance(*at);
    let floor = || tiles.cells().filter(|&at| tiles[at].is_walkable());
    let brightest = floor()
        .max_by(|a, b| light(a).total_cmp(&light(b)))
        .expect("a cell");
    let darkest = floor()
        .min_by(|a, b| light(a).total_cmp(&light(b)))
        .expect("a cell");
    assert!(brightness(brightest) > 90, "{}", brightness(brightest));
    assert!(brightness(darkest) < 60, "{}", brightness(darkest));
}

#[test]
fn dump_rejects_invalid_arguments() {
    let folder = Folder::new();
    for seed in ["", "x", "-1", "1.5", "18446744073709551616"] {
        folder.refuse(&format!("dump {seed}"), &["SEED"]);
    }
    for floor in ["0", "6", "-1", "first"] {
        folder.refuse(
            &format!("dump 1 --floor {floor}"),
            &["--floor", "from 1 to 5"],
        );
    }
    folder.refuse(
        "dump 1 --difficulty hard",
        &["hard", "apprentice, thief or ghost"],
    );
    folder.refuse(
        "dump 1 --png nowhere/floor.png",
        &["cannot write nowhere/floor.png"],
    );
    std::fs::create_dir(folder.path("folder.png")).expect("a folder");
    folder.refuse("dump 1 --png folder.png", &["folder.png", "a folder"]);
}

#[cfg(unix)]
#[test]
fn dump_does_not_replace_read_only_file() {
    let folder = Folder::new();
    folder.write("kept.png", "old");
    let path = folder.path("kept.png");
    let mut permissions = path.metadata().expect("a file").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).expect("permissions");
    folder.refuse("dump 1 --png kept.png", &["kept.png", "read-only"]);
}

/// Removes the lines with wall-clock times.
fn without_times(json: &str) -> Vec<&str> {
    let lines = json.lines();
    lines.filter(|line| !line.contains("_per_")).collect()
}

#[test]
fn bots_are_deterministic() {
    let folder = Folder::new();
    let words = "bots --seeds 3 --first 40 --bot reckless --json";
    let out = folder.succeed(words);
    assert_eq!(without_times(&out), without_times(&folder.succeed(words)));
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (&report["difficulty"], &report["first_seed"]),
        (&"thief".into(), &40.into())
    );
    let [row] = &report["bots"].as_array().expect("bots")[..] else {
        panic!("one bot in {out}");
    };
    assert_eq!(
        (&row["bot"], &row["games"]),
        (&"reckless".into(), &3.into())
    );
    let duels = report["duels"].as_object().expect("kinds of guards");
    let names = ["hound", "listener", "sentry", "warden", "watchman"];
    assert!(duels.keys().eq(names), "{duels:?}");
    let lost = row["lost"].as_object().expect("causes").values();
    let lost: u64 = lost.map(|count| count.as_u64().expect("a count")).sum();
    assert_eq!(lost + row["wins"].as_u64().expect("a count"), 3);
    let number = |name: &str| row[name].as_f64().expect(name);
    assert!(number("wins_low") <= number("wins_percent"));
    assert!(number("wins_percent") <= number("wins_high"));
    assert!(number("mean_turns") > 0.0 && number("mean_floor") >= 1.0);
    // Each of the three keeps has a twist on each of its five floors.
    let twists = row["twists"].as_object().expect("twists");
    assert_eq!(twists.len(), 8);
    let keeps = twists.values().map(|part| part["games"].as_u64());
    assert_eq!(keeps.sum::<Option<u64>>(), Some(3 * 5));
    let perks = row["perks"].as_object().expect("perks").values();
    let wanted = perks.map(|part| part["games"].as_u64());
    assert_eq!(wanted.sum::<Option<u64>>(), Some(3));
}

#[test]
fn report_has_a_row_per_bot() {
    let folder = Folder::new();
    let out = folder.succeed("bots --seeds 1 --difficulty ghost");
    assert!(out.starts_with("1 seeds starting at 0, ghost\n"), "{out}");
    for bot in ["careful", "light-blind", "noise-deaf", "reckless", "random"] {
        assert!(
            out.lines().any(|line| line.starts_with(bot)),
            "{bot} in {out}"
        );
    }
}

#[test]
fn replays_of_bots_can_be_played() {
    let folder = Folder::new();
    folder.succeed("bots --seeds 2 --bot reckless --difficulty apprentice --replays new/games");
    for seed in 0..2 {
        let name = format!("new/games/reckless-apprentice-{seed}.replay");
        let out = folder.succeed(&format!("replay {name}"));
        assert!(out.contains(&format!("seed        {seed}\n")), "{out}");
        assert!(out.contains("difficulty  apprentice\n"), "{out}");
    }
}

#[test]
fn bots_rejects_invalid_arguments() {
    let folder = Folder::new();
    folder.refuse("bots", &["--seeds"]);
    for seeds in ["0", "-3", "many", "1000001"] {
        folder.refuse(
            &format!("bots --seeds {seeds}"),
            &["--seeds", "from 1 to 1000000"],
        );
    }
    folder.refuse(
        "bots --seeds 1 --bot clever",
        &["clever", "careful, light-blind"],
    );
    folder.refuse("bots --seeds 1 --first -1", &["--first", "from 0"]);
    folder.refuse(
        "bots --seeds 2 --first 18446744073709551615",
        &["18446744073709551615"],
    );
    folder.write("file", "");
    folder.refuse(
        "bots --seeds 1 --bot reckless --replays file",
        &["cannot write file"],
    );
}

#[test]
fn rejects_invalid_commands() {
    let folder = Folder::new();
    #[cfg(not(feature = "play"))]
    folder.refuse("", &["subcommand"]);
    folder.refuse("play", &["play"]);
    folder.refuse("replay", &["<FILE>"]);
    folder.refuse("replay a b", &["b"]);
    folder.refuse("dump 1 --width 3", &["--width"]);
    for words in ["--help", "help", "--version", "bots --help", "dump --help"] {
        assert!(!folder.succeed(words).is_empty(), "{words}");
    }
}

#[test]
fn export_and_import_move_a_game() {
    let folder = Folder::new();
    folder.refuse("export game.save --home here", &["no game is suspended"]);
    let save = world().save();
    std::fs::create_dir(folder.path("here")).expect("a folder");
    folder.write("here/suspended.save", &save);
    let out = folder.succeed("export game.save --home here");
    assert_eq!(out, "wrote game.save\n");
    assert_eq!(folder.read("game.save"), save);
    assert_eq!(folder.read("here/suspended.save"), save, "it stays");
    folder.refuse(
        "export nowhere/game.save --home here",
        &["cannot write nowhere/game.save"],
    );

    let out = folder.succeed("import game.save --home there");
    assert!(out.contains("Continue"), "{out}");
    assert_eq!(folder.read("there/suspended.save"), save);
    let other = World::new(12, Difficulty::Thief).save();
    folder.write("other.save", &other);
    let out = folder.succeed("import other.save --home there");
    assert!(out.contains("suspended.replaced.save"), "{out}");
    assert_eq!(folder.read("there/suspended.save"), other);
    assert_eq!(folder.read("there/suspended.replaced.save"), save);
}

#[test]
fn import_rejects_invalid_files() {
    let folder = Folder::new();
    let save = world().save();
    let with = |place: usize, byte: u8| {
        let mut save = save.clone();
        save[place] = byte;
        save
    };
    folder.write("newer.save", with(8, 9));
    folder.write("damaged.save", with(40, !save[40]));
    folder.write("cut.save", &save[..save.len() - 4]);
    folder.write("game.replay", replay().to_bytes());
    folder.write("large.save", vec![0; (8 << 20) + 1]);
    for (file, part) in [
        ("newer.save", "version 9"),
        ("damaged.save", "is damaged"),
        ("cut.save", "cut off"),
        ("game.replay", "not a saved game"),
        ("large.save", "too large"),
        ("missing.save", "No such file"),
    ] {
        folder.refuse(&format!("import {file} --home here"), &[file, part]);
    }
}

/// Reported: a full disk was not an error for these commands, and left a truncated file.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_an_error() {
    let folder = Folder::new();
    folder.write("game.replay", replay().to_bytes());
    for words in [
        "replay game.replay --dump",
        "dump 7",
        "bots --seeds 1 --bot random",
        "bots --seeds 1 --bot random --json",
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let output = command(&folder, words)
            .stdout(full.expect("the device"))
            .output()
            .expect("the program");
        let err = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{words}: {err}");
        assert!(
            err.starts_with("error: cannot write standard output: No space left"),
            "{words}: {err}"
        );
        assert_eq!(err.lines().count(), 1, "{words}: {err}");
    }
}

/// Reported: the file size limit kills the program, which leaves a temporary file, and a failure to
/// start a thread is a panic.
#[cfg(target_os = "linux")]
#[test]
fn limits_are_errors_and_leave_no_files() {
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_gutterlight");
    for (limit, words, part) in [
        (
            "-f 1",
            "dump 7 --png floor.png",
            "floor.png: File too large",
        ),
        // Only the first stack may fit, which is that of the thread that waits for Ctrl-C.
        ("-v 500000", "bots --seeds 1 --bot random", "error: cannot "),
    ] {
        let mut shell = Command::new("sh");
        let script = format!("ulimit {limit} && exec {program} {words}");
        shell.current_dir(folder.0.path()).args(["-c", &script]);
        shell.env("RUST_MIN_STACK", "300000000");
        let output = shell.output().expect("a shell");
        let err = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{words}: {err}");
        assert!(err.contains(part), "{words}: {err}");
        assert_eq!(err.lines().count(), 1, "{words}: {err}");
        assert_eq!(folder.files(), [], "{words}");
    }
}

/// Reported: a signal leaves temporary files.
#[cfg(target_os = "linux")]
#[test]
fn signals_leave_no_temporary_files() {
    for signal in ["INT", "QUIT", "TERM"] {
        let folder = Folder::new();
        // A test that runs in the background may inherit ignored signals.
        let mut child = Command::new("env")
            .arg(format!("--default-signal={signal}"))
            .arg(env!("CARGO_BIN_EXE_gutterlight"))
            .args("bots --seeds 100000 --bot random --replays games".split(' '))
            .current_dir(folder.0.path())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the program");
        let games = folder.path("games");
        let count = || std::fs::read_dir(&games).map_or(0, Iterator::count);
        while count() < 1 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let mut kill = Command::new("kill");
        kill.args(["-s", signal, &child.id().to_string()]);
        assert!(kill.status().expect("kill").success());
        assert_eq!(
            child.wait().expect("the program").code(),
            Some(130),
            "{signal}"
        );
        let entries = std::fs::read_dir(&games).expect("the folder");
        for entry in entries {
            let name = entry.expect("the folder").file_name();
            assert!(
                !name.to_string_lossy().starts_with('.'),
                "{signal}: {name:?}"
            );
        }
    }
}

/// Reported: control characters of file names reach the terminal.
#[cfg(unix)]
#[test]
fn names_of_files_are_printable() {
    let folder = Folder::new();
    let name = "a\u{1b}[2J.replay";
    folder.write(name, b"GUTTERRP");
    let output = Command::new(env!("CARGO_BIN_EXE_gutterlight"))
        .current_dir(folder.0.path())
        .args(["replay", name])
        .output()
        .expect("the program");
    let err = String::from_utf8(output.stderr).expect("text");
    assert!(err.contains(r"a\u{1b}[2J.replay"), "{err:?}");
}
