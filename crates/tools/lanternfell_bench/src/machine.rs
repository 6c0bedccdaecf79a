//! The machine and the build.

use std::{fs, thread};

/// One line each for the CPU, the compiler, and the peers that are Rust crates.
pub fn describe() -> Vec<String> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let processor = fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| Some(processor_name(&text)?.to_owned()))
        .unwrap_or_else(|| "an unknown CPU".into());
    let (system, kind) = (std::env::consts::OS, std::env::consts::ARCH);
    let mut lines = vec![
        format!("{cores} cores of {processor}, {system} on {kind}"),
        env!("BENCH_RUSTC").to_owned(),
        env!("BENCH_RUST_PEERS").to_owned(),
    ];
    if cfg!(debug_assertions) {
        lines.push("built WITHOUT optimization: the times are meaningless; use --release".into());
    }
    lines
}

/// The name of the CPU in `/proc/cpuinfo`, if there is one.
fn processor_name(text: &str) -> Option<&str> {
    let named = text.lines().filter_map(|line| line.split_once(':'));
    let mut names = named.filter(|(key, _)| key.trim() == "model name");
    names.next().map(|(_, name)| name.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_cpu_name() {
        let text =
            "processor\t: 0\nmodel\t\t: 143\nmodel name\t: A Processor @ 2 GHz\nmodel name\t: B\n";
        assert_eq!(processor_name(text), Some("A Processor @ 2 GHz"));
        assert_eq!(processor_name("BogoMIPS : 48.00"), None);
    }

    #[test]
    fn describes_the_build() {
        let lines = describe();
        assert!(lines[1].starts_with("rustc 1."), "{}", lines[1]);
        assert!(lines[2].contains("bracket-pathfinding 0."), "{}", lines[2]);
    }
}
