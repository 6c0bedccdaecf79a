//! Measures the peak memory of a generator in a separate process.
//!
//! The benchmark runs itself with `--peak NAME:SIDE`. The child generates that map and prints by
//! how many bytes the peak memory of the process exceeds its memory before. This includes the map,
//! temporary data, and the memory of threads.

use std::{env, fs, process::Command};

use super::{generators::generators, size::generate};

/// A generator and a side: the task of a child process.
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
        read().ok_or_else(|| "must be NAME:SIDE, a generator and a side from 2 to 16384".into())
    }
}

impl Peak {
    /// Generates the map and returns its peak memory in bytes. `None` if the system does not report
    /// it.
    pub(crate) fn measure(&self) -> Option<u64> {
        let (_, generator) = generators().into_iter().find(|(of, _)| *of == self.name)?;
        // Spawn the threads and their stacks before the measurement.
        generate(&generator, 8);
        let before = status("VmRSS:")?;
        let map = generate(&generator, self.side);
        let most = status("VmHWM:")?;
        drop(map);
        Some(most.saturating_sub(before))
    }
}

/// The peak memory of a child process in bytes.
pub(super) fn of_a_child(name: &str, side: usize) -> Option<f64> {
    let mut child = Command::new(env::current_exe().ok()?);
    let output = child.args(["--peak", &format!("{name}:{side}")]).output();
    let output = output.ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// A value in kB from `/proc/self/status`, in bytes.
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
    fn parses_peak() {
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
    fn measures_memory() {
        // Nothing to test if the system does not report memory.
        let Some(_) = status("VmHWM:") else {
            return;
        };
        let peak = Peak {
            name: "faults".into(),
            side: 2048,
        };
        // Other tests run at the same time and may have used more memory before.
        assert!(peak.measure().is_some_and(|bytes| bytes < 1 << 34));
    }
}
