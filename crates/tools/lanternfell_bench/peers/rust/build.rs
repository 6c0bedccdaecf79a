//! Passes the versions of the peers from `Cargo.lock` to the program.

use std::fs;

const PEERS: [&str; 2] = ["simdnoise", "symbios-ground"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=Cargo.lock");
    let lock = fs::read_to_string("Cargo.lock").unwrap_or_default();
    let version = |name: &str| {
        let mut lines = lock.lines();
        lines.find(|line| *line == format!("name = \"{name}\""));
        let line = lines.next().unwrap_or_default();
        let version = line.strip_prefix("version = ").unwrap_or("?");
        format!("{name} {}", version.trim_matches('"'))
    };
    println!("cargo::rustc-env=PEERS={}", PEERS.map(version).join(", "));
}
