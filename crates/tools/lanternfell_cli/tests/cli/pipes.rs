//! Pipes and standard output: full disks, closed pipes, interrupts.

#![cfg(target_os = "linux")]

use std::{
    fs::{File, OpenOptions},
    io::Read,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use super::{Folder, interrupt, text};

/// Waits for the program to end, and returns its standard error.
fn complaint(child: &mut Child) -> String {
    let mut err = String::new();
    let mut pipe = child.stderr.take().unwrap();
    pipe.read_to_string(&mut err).unwrap();
    err
}

/// Waits for the program to end by itself, and returns its exit code.
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
    panic!("the program does not end");
}

/// `/dev/full` is a device without free space.
#[test]
fn reports_failed_output() {
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
fn closed_pipe_is_success() {
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

/// Standard output must not be replaced by a file.
#[test]
fn other_names_of_standard_output_are_not_replaced() {
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
fn one_interrupt_ends_program_that_waits_for_a_pipe() {
    let folder = Folder::new();
    let mut reader = folder
        .command("info -")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The output does not fit into a pipe, and no process reads it.
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
        assert!(err.contains("canceled"), "{err}");
    }
}

/// An endless pipe must not fill the memory.
#[test]
fn rejects_endless_pipe() {
    let folder = Folder::new();
    for words in ["info -", "info - --size 64"] {
        let zeros = File::open("/dev/zero").unwrap();
        let output = folder.command(words).stdin(zeros).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}");
        let err = text(&output.stderr);
        assert_eq!(err.trim_end().lines().count(), 1, "{words}: {err}");
    }
}
