//! Hostile and unlucky input: names and words from files that would control the terminal, names that are not UTF-8,
//! folders that change while they are read, signals, and maps that do not fit into memory. All cases were reported by
//! testers of the tool.

#![cfg(target_os = "linux")]

use std::{
    ffi::OsStr,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    process::{Command, Output, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use super::{Folder, text};

/// Expects exit code 2 and one printable line that contains all `parts`.
#[track_caller]
fn refused(output: &Output, parts: &[&str]) {
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.len() < 4000, "{} bytes", err.len());
    let line = err.strip_suffix('\n').expect("a line");
    assert!(!line.contains(char::is_control), "{line:?}");
    for part in parts {
        assert!(line.contains(part), "`{part}` is not in: {line}");
    }
}

#[track_caller]
fn run(command: &mut Command) -> Output {
    command.output().unwrap()
}

fn folder_of_tiles() -> Folder {
    let folder = Folder::new();
    folder.succeed("tile islands --size 256 --tile 32 --format r32 -o world -q");
    folder
}

/// Reported: a missing tile was reported only after all the work, 40 times slower than success.
#[test]
fn missing_tiles_are_reported_before_the_work() {
    let folder = folder_of_tiles();
    for tile in ["y0001_x0002", "y0007_x0007"] {
        std::fs::remove_file(folder.path(&format!("world/tile_{tile}.r32"))).unwrap();
    }
    for words in [
        "info world",
        "info world --json",
        "mesh world -o a.stl",
        "measure world --what slope -o slopes",
        "measure world --what slope -o slope.tif",
        "convert world -o a.png",
    ] {
        let parts = [
            "2 of 64 tiles are missing",
            "tile_y0001_x0002.r32",
            "lanternfell tile",
        ];
        folder.refuse(words, &parts);
    }
    // A region without the missing tiles can be read.
    folder.succeed("info world --crop 60x30+0+0");
}

/// Reported: `info FOLDER` panicked while its tiles were made.
#[test]
fn folder_that_changes_is_an_error() {
    let folder = folder_of_tiles();
    let done = AtomicBool::new(false);
    let mut changed = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let path = folder.path("world/tile_y0003_x0003.r32");
            let bytes = std::fs::read(&path).unwrap();
            let other: Vec<u8> = [7.0_f32; 32 * 32]
                .iter()
                .flat_map(|z| z.to_le_bytes())
                .collect();
            for round in 0.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                let bytes = if round % 2 == 0 { &other } else { &bytes };
                lanternfell_files::write(&path, bytes).unwrap();
            }
        });
        for _ in 0..20 {
            let output = run(&mut folder.command("info world"));
            if !output.status.success() {
                refused(
                    &output,
                    &["tile_y0003_x0003.r32: the file was changed while it was read"],
                );
                changed += 1;
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(changed > 0, "no change was noticed");
}

/// Reported: header words, units and file names with control characters reach the terminal, and messages have 300 KB.
#[test]
fn words_of_files_cannot_control_the_terminal() {
    let folder = Folder::new();
    let escape = "\u{1b}]0;pwned\u{7}\u{9b}31m";
    let long = format!("{escape}{}", "x".repeat(300_000));
    for word in [escape, &long] {
        folder.write(
            "word.asc",
            format!("ncols 2\nnrows 2\n{word} 5\n1 2\n3 4\n"),
        );
        refused(&run(&mut folder.command("info word.asc")), &["word.asc"]);
        folder.write(
            "value.asc",
            format!("ncols 2\nnrows 2\ncellsize 1\n1 2\n3 {word}\n"),
        );
        refused(&run(&mut folder.command("info value.asc")), &["value.asc"]);
        folder.write(
            "step.ron",
            format!("(version: 1, size: (64, 64), steps: {{\"{word}\": Flat(height: 0.5)}})"),
        );
        for words in ["generate step.ron -o a.png", "recipe check step.ron"] {
            refused(&run(&mut folder.command(words)), &["step.ron"]);
        }
    }
    for word in [escape, &long[..100_000]] {
        let mut set = folder.command("generate hills -o a.png");
        refused(&run(set.arg("--set").arg(format!("{word}=1"))), &["hills"]);
    }
    // Several errors of `recipe check`.
    refused(
        &run(&mut folder.command("recipe check step.ron")),
        &["step.ron"],
    );
    let output = run(&mut folder.command("recipe check step.ron word.asc"));
    let err = text(&output.stderr);
    assert!(
        !err.contains(|letter: char| letter != '\n' && letter.is_control()),
        "{err:?}"
    );

    // Names of files, in errors and in results.
    let name = format!("a{escape}\u{202e}gnp.r16");
    refused(
        &run(folder.command("info").arg(format!("{name}.png"))),
        &[r"a\u{1b}]0;pwned\u{7}\u{9b}31m\u{202e}"],
    );
    folder.write(&name, vec![0; 8]);
    for words in [
        "info --size 2",
        "convert --size 2 -o b.png",
        "measure --size 2 --what slope -o b.tif",
    ] {
        let output = run(folder.command(words).arg(&name));
        let said = text(&output.stdout);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(said.contains(r"a\u{1b}]0;pwned"), "{said}");
        assert!(
            !said.contains(|letter: char| letter != '\n' && letter.is_control()),
            "{said:?}"
        );
    }
}

/// Reported: paths that are not UTF-8 could be written but not read.
#[test]
fn names_need_not_be_utf8() {
    let folder = Folder::new();
    let name = |rest: &str| {
        let bytes = [b"caf\xe9", rest.as_bytes()].concat();
        OsStr::from_bytes(&bytes).to_owned()
    };
    let succeed = |words: &str, names: &[&str]| {
        let mut command = folder.command(words);
        command.args(names.iter().map(|rest| name(rest)));
        let output = run(&mut command);
        assert!(output.status.success(), "{words}: {}", text(&output.stderr));
        output
    };
    succeed(
        "generate hills --size 64 --set radius_max=20 --spacing 10 -o",
        &[".png"],
    );
    succeed("generate hills -o", &[".ron"]);
    succeed("tile islands --size 64 --tile 32 -o", &[""]);
    for words in [
        "info",
        "preview --ink letters",
        "render --view top -o a.png",
        "convert -o a.tif",
        "filter --by invert -o a.tif",
        "erode -o a.tif",
        "measure --what slope -o a.tif",
        "mesh -o a.stl",
    ] {
        for rest in [".png", ""] {
            succeed(words, &[rest]);
        }
    }
    for words in [
        "recipe check",
        "recipe show",
        "generate -o a.png",
        "tile --size 64 -o tiles",
        "info",
    ] {
        succeed(words, &[".ron"]);
    }
    let mut mask = folder.command("measure --what slope --range 0:10 -o b.png --and");
    mask.args([name(".png"), name(".png")]);
    assert!(run(&mut mask).status.success());

    // Files next to it.
    folder.write("plain.pgm", b"P5 2 2 255\n\x00\x10\x20\x30");
    std::fs::rename(folder.path("plain.pgm"), folder.path("").join(name(".pgm"))).unwrap();
    std::fs::write(
        folder.path("").join(name(".pmw")),
        "30\n0\n0\n-30\n500\n900\n",
    )
    .unwrap();
    let said = text(&succeed("info", &[".pgm"]).stdout);
    assert!(said.contains("cell size 30 m"), "{said}");
}

/// Reported: SIGQUIT leaves temporary files. The same was true for other signals.
#[test]
fn signals_leave_no_files() {
    for signal in ["QUIT", "XCPU", "USR1", "ALRM", "TERM", "HUP"] {
        let folder = Folder::new();
        // A test that runs in the background may inherit ignored signals.
        let mut child = Command::new("env")
            .arg(format!("--default-signal={signal}"))
            .arg(env!("CARGO_BIN_EXE_lanternfell"))
            .args("generate islands --size 4096 -o a.r32".split(' '))
            .current_dir(folder.path(""))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while folder.names().is_empty() {
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "no temporary file"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut kill = Command::new("kill");
        kill.args(["-s", signal, &child.id().to_string()]);
        assert!(kill.status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(folder.names(), [""; 0], "{signal}");
    }
}

/// Reported: messages that do not name the value or what is allowed.
#[test]
fn errors_name_what_is_allowed() {
    let folder = Folder::new();
    folder.write("dem", "5");
    for (words, parts) in [
        (
            "generate hills --size -1 -o a.png",
            &["'-1'", "--size", "WIDTHxHEIGHT"][..],
        ),
        (
            "generate hills --resize -1x5 -o a.png",
            &["'-1x5'", "--resize", "WIDTHxHEIGHT"],
        ),
        (
            "generate hills --threads -2 -o a.png",
            &["'-2'", "--threads", "1 to 1024"],
        ),
        (
            "generate hills --set count=1 --set count=2 -o a.png",
            &["twice", "count=1", "count=2"],
        ),
        (
            "generate fluid --set gamma=2 --set flatten=3 -o a.png",
            &["twice", "gamma=2", "flatten=3"],
        ),
        ("info dem.dem", &["`dem.dem`", ".dem", ".tif"]),
        ("info dem", &["`dem` has no file extension", ".tif"]),
        ("info maps/dem", &["`maps/dem` does not exist", ".tif"]),
    ] {
        folder.refuse(words, parts);
        let err = text(&folder.command(words).output().unwrap().stderr);
        assert!(!err.contains("fractal-noise"), "{words}: {err}");
    }
    let help = folder.succeed("mesh --help");
    assert!(
        !help.contains("Height of the sea for the texture, from 0 to 1"),
        "{help}"
    );
    folder.write(
        "flat.r32",
        [0.0_f32, 1.0, 2.0, 3.0].map(f32::to_le_bytes).concat(),
    );
    let said = folder.succeed("info flat.r32 --size 2 --sea-level -0 --spacing 1");
    assert!(!said.contains("-0"), "{said}");
}

/// Reported: "failed to fill whole buffer" and "`ModernJPEG`", the words of decoders.
#[test]
fn damaged_files_are_described_in_plain_words() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64 --set radius_max=20 -o a.tif");
    let good = folder.read("a.tif");
    for (name, value, part) in [
        (
            "jpeg.tif",
            7_u16,
            "compression with JPEG; Deflate, LZW, PackBits",
        ),
        ("wavelet.tif", 34_712, "compression with JPEG 2000"),
        (
            "unknown.tif",
            40_000,
            "compression with the unknown method 40000",
        ),
    ] {
        // The tag of the compression, with one number of two bytes.
        let tag = [3, 1, 3, 0, 1, 0, 0, 0];
        let at = good.windows(8).position(|bytes| bytes == tag).unwrap();
        let mut bytes = good.clone();
        bytes[at + 8..at + 10].copy_from_slice(&value.to_le_bytes());
        folder.write(name, bytes);
        refused(&run(folder.command("info").arg(name)), &[name, part]);
        refused(
            &run(folder.command("convert -o b.png").arg(name)),
            &[name, part],
        );
    }
    folder.write("short.tif", &good[..good.len() - 100]);
    for words in ["info short.tif", "convert short.tif -o b.png"] {
        refused(
            &run(&mut folder.command(words)),
            &["short.tif", "the TIFF is damaged"],
        );
        let err = text(&folder.command(words).output().unwrap().stderr);
        assert!(!err.contains("buffer") && !err.contains("limits"), "{err}");
    }
}

/// Reported: a replaced file loses its owner and mode.
#[test]
fn replaced_output_keeps_owner_and_mode() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64 --set radius_max=20 -o a.png");
    let _ = std::os::unix::fs::chown(folder.path("a.png"), Some(12_345), Some(23_456));
    let before = std::fs::metadata(folder.path("a.png")).unwrap();
    folder.succeed("generate hills --size 64 --seed 2 --set radius_max=20 -o a.png");
    let after = std::fs::metadata(folder.path("a.png")).unwrap();
    assert_ne!(before.ino(), after.ino());
    assert_eq!(
        (before.uid(), before.gid(), before.mode()),
        (after.uid(), after.gid(), after.mode())
    );
}

/// Reported: `measure --resize 16384` takes 3 GB, and a small TIFF with a single tile takes 2 GB.
#[test]
fn needed_memory_is_stated_before_the_work() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64 --set radius_max=20 -o a.png");
    let (packbits, lerc) = (32_773, 34_887);
    folder.write("tile.tif", single_tile(16_384, packbits));
    folder.write("lerc.tif", single_tile(16_384, lerc));
    // In KiB. The map alone needs 1 GiB, and its values as much.
    for (limit, words, parts) in [
        (
            1_600_000,
            "measure a.png --what slope --resize 16384 -o b.tif",
            ["16384x16384", "2048 MiB"],
        ),
        (
            1 << 20,
            "convert tile.tif -o b.png",
            ["tile.tif: a map of 16384x16384", "1025 MiB"],
        ),
        (
            1 << 20,
            "convert lerc.tif -o b.png",
            ["lerc.tif: a map of 16384x16384", "1280 MiB"],
        ),
        (
            1 << 17,
            "info lerc.tif",
            ["lerc.tif: its largest strip or tile", "256 MiB"],
        ),
    ] {
        let program = env!("CARGO_BIN_EXE_lanternfell");
        let mut shell = Command::new("sh");
        let script = format!("ulimit -v {limit} && exec {program} {words} --threads 1");
        shell.current_dir(folder.path("")).args(["-c", &script]);
        let start = Instant::now();
        refused(
            &run(&mut shell),
            &[&["not enough memory"][..], &parts].concat(),
        );
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "{words}: before the work"
        );
    }
    assert_eq!(folder.names(), ["a.png", "lerc.tif", "tile.tif"]);
}

/// Returns a TIFF of 8 bits with a single tile of zeros, in PackBits: two bytes are 128 zeros. With another `method` its
/// content is damaged.
fn single_tile(side: u32, method: u32) -> Vec<u8> {
    let packed = [0x81, 0].repeat((side * (side / 128)) as usize);
    let tags: [(u16, u32); 9] = [
        (256, side),
        (257, side),
        (258, 8),
        (259, method),
        (262, 1),
        (322, side),
        (323, side),
        (324, 8 + 2 + 9 * 12 + 4),
        (325, packed.len() as u32),
    ];
    let mut file = b"II\x2a\0\x08\0\0\0\x09\0".to_vec();
    for (tag, value) in tags {
        file.extend(
            [
                &tag.to_le_bytes()[..],
                &4_u16.to_le_bytes(),
                &1_u32.to_le_bytes(),
                &value.to_le_bytes(),
            ]
            .concat(),
        );
    }
    file.extend([0; 4]);
    file.extend(packed);
    file
}

/// Reported: a failure to start a thread is a panic.
#[test]
fn failure_to_start_threads_is_an_error() {
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_lanternfell");
    // The stack of the thread that waits for Ctrl-C fits into the address space, and no second one.
    for option in ["", "--threads 2"] {
        let script =
            format!("ulimit -v 500000 && exec {program} generate islands -o a.png {option}");
        let mut shell = Command::new("sh");
        shell.current_dir(folder.path("")).args(["-c", &script]);
        shell.env("RUST_MIN_STACK", "300000000");
        refused(&run(&mut shell), &["cannot start the threads"]);
    }
    assert_eq!(folder.names(), [""; 0]);
}
