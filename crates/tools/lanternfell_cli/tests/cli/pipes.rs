//! What goes to and comes from other programs: full disks, closed pipes, silence.

#![cfg(target_os = "linux")]

use std::{
    fs::{File, OpenOptions},
    io::Read,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use super::{Folder, interrupt, text};

/// What it said on standard error, once it has ended.
fn complaint(child: &mut Child) -> String {
    let mut err = String::new();
    let mut pipe = child.stderr.take().unwrap();
    pipe.read_to_string(&mut err).unwrap();
    err
}

/// Waits for the program to end by itself. Its exit code.
#[track_caller]
fn ended(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(30) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    panic!("it does not end");
}

/// `/dev/full` is a disk without room.
#[test]
fn what_can_not_be_said_is_an_error() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64 --set radius_max=20 -o a.png");
    for words in [
        "info a.png --json",
        "info a.png",
        "preview a.png",
        "recipe show volcano --ron",
        "recipe presets",
        "completions bash",
        "generate hills -o - --format png",
        "generate hills -o a.png",
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = folder.command(words).stdout(full).output().unwrap();
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(err.contains("standard output"), "{words}: {err}");
    }
}

#[test]
fn whoever_closes_a_pipe_has_read_enough() {
    let folder = Folder::new();
    for words in [
        "generate hills --size 1024 -o - --format tif",
        "recipe show volcano --ron",
    ] {
        let mut child = folder
            .command(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0; 4]).unwrap();
        drop(out);
        assert_eq!(ended(&mut child), Some(0), "{words}");
        let err = complaint(&mut child);
        assert_eq!(err, "", "{words}");
    }
}

/// It must not be replaced by a file, as others are.
#[test]
fn standard_output_by_another_name_is_no_file() {
    let folder = Folder::new();
    folder.write("log", "");
    for name in ["/dev/stdout", "/dev/fd/1"] {
        let log = File::create(folder.path("log")).unwrap();
        let mut command =
            folder.command(&format!("generate hills --size 64 -o {name} --format png"));
        assert!(
            command
                .stdout(log.try_clone().unwrap())
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(
            log.metadata().unwrap().len(),
            folder.read("log").len() as u64
        );
        assert_eq!(folder.read("log")[1..4], *b"PNG");
        assert_eq!(folder.names(), ["log"]);
    }
}

#[test]
fn one_interrupt_ends_a_program_that_waits_for_a_pipe() {
    let folder = Folder::new();
    let mut reader = folder
        .command("info -")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // More than a pipe holds, which nobody takes.
    let mut writer = folder
        .command("generate islands --size 512 -o - --format r32")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    for child in [&mut reader, &mut writer] {
        std::thread::sleep(Duration::from_millis(700));
        interrupt(child);
        assert_eq!(ended(child), Some(130));
        let err = complaint(child);
        assert!(err.contains("cancelled"), "{err}");
    }
}

/// An endless pipe is not kept in memory until there is none left.
#[test]
fn an_endless_pipe_is_refused() {
    let folder = Folder::new();
    for words in ["info -", "info - --size 64"] {
        let zeros = File::open("/dev/zero").unwrap();
        let output = folder.command(words).stdin(zeros).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}");
        let err = text(&output.stderr);
        assert_eq!(err.trim_end().lines().count(), 1, "{words}: {err}");
    }
}
