//! How much memory a generator takes at most: that of a process of its own.
//!
//! The benchmark calls itself with `--peak NAME:SIDE`, makes that one map and prints by how
//! many bytes the most memory that the process ever held exceeds what it held before. So
//! everything counts: the map, what is kept beside it, and what threads need.

use std::{env, fs, process::Command};

use super::{generators::generators, size::generate};

/// A generator and a side: what a child is to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Peak {
    name: String,
    side: usize,
}

impl std::str::FromStr for Peak {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (name, side) = text.split_once(':')?;
            let side = side.parse().ok()?;
            let known = generators().iter().any(|(of, _)| *of == name);
            (known && (2..=16_384).contains(&side)).then(|| Self {
                name: name.into(),
                side,
            })
        };
        read().ok_or_else(|| "NAME:SIDE of a generator and its map".into())
    }
}

impl Peak {
    /// Makes the map; the bytes that it took at most, where the system tells.
    pub(crate) fn measure(&self) -> Option<u64> {
        let (_, generator) = generators().into_iter().find(|(of, _)| *of == self.name)?;
        // Threads and their stacks are there before.
        generate(&generator, 8);
        let before = status("VmRSS:")?;
        let map = generate(&generator, self.side);
        let most = status("VmHWM:")?;
        drop(map);
        Some(most.saturating_sub(before))
    }
}

/// The bytes that a child took at most.
pub(super) fn of_a_child(name: &str, side: usize) -> Option<f64> {
    let mut child = Command::new(env::current_exe().ok()?);
    let output = child.args(["--peak", &format!("{name}:{side}")]).output();
    let output = output.ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// A number of kB from what Linux says about this process, in bytes.
fn status(key: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let number: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(1024 * number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_told_what_to_make() {
        let peak: Result<Peak, _> = "hills:300".parse();
        let expected = Peak {
            name: "hills".into(),
            side: 300,
        };
        assert_eq!(peak, Ok(expected));
        for text in ["", "hills", "hills:", "hills:1", "hills:-3", "snow:300"] {
            assert!(text.parse::<Peak>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_map_takes_memory() {
        // Where the system tells nothing there is nothing to test.
        let Some(_) = status("VmHWM:") else {
            return;
        };
        let peak = Peak {
            name: "faults".into(),
            side: 2048,
        };
        // Other tests run beside it and may have taken more before.
        assert!(peak.measure().is_some_and(|bytes| bytes < 1 << 34));
    }
}
