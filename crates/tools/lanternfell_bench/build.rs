//! Passes the compiler version and the versions of the peers from `Cargo.lock` to the benchmark.

use std::{env, fs, process::Command};

/// The peers that are Rust crates.
const PEERS: [&str; 7] = [
    "bracket-pathfinding",
    "doryen-fov",
    "fastnoise-lite",
    "libnoise",
    "noise",
    "noiz",
    "symmetric-shadowcasting",
];

fn main() {
    let lock = "../../../Cargo.lock";
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={lock}");
    println!("cargo::rustc-env=BENCH_RUSTC={}", rustc_version());
    let lock = fs::read_to_string(lock).unwrap_or_default();
    let peers = PEERS.map(|name| format!("{name} {}", locked_version(&lock, name)));
    println!("cargo::rustc-env=BENCH_RUST_PEERS={}", peers.join(", "));
}

fn rustc_version() -> String {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    version.unwrap_or_else(|_| "unknown rustc version".into())
}

/// The version in the line after the name of the package.
fn locked_version<'a>(lock: &'a str, name: &str) -> &'a str {
    let mut lines = lock.lines();
    lines.find(|line| *line == format!("name = \"{name}\""));
    let version = lines
        .next()
        .and_then(|line| line.strip_prefix("version = \""));
    version.map_or("(unknown version)", |version| version.trim_end_matches('"'))
}
