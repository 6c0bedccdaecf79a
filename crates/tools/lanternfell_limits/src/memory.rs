//! How much memory is available.
//!
//! Linux grants more memory than there is, and later kills the program that uses it. So a program that knows what it
//! needs can compare that with this estimate first.
//!
//! Source: `proc(5)` for `meminfo`, `statm` and `limits`; the Linux documentation of control groups, version 2, for
//! `memory.max`.

use std::{fs, path::Path};

/// Estimates how many bytes of memory this process can still get. Returns `None` on systems other than Linux, and if
/// the system does not provide the numbers.
///
/// It is the smallest of: the free and reclaimable memory of the machine with its swap space, what the control groups
/// of the process allow (as for containers), and what is left of its address space (`ulimit -v`).
pub fn available_memory() -> Option<u64> {
    [of_machine(), of_groups(), of_address_space()]
        .into_iter()
        .flatten()
        .min()
}

/// The memory of the machine that is free or can be freed, with the free swap space.
fn of_machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let kib = |name| field(&text, name);
    let swap = kib("SwapFree:").unwrap_or(0);
    Some(
        kib("MemAvailable:")?
            .saturating_add(swap)
            .saturating_mul(1024),
    )
}

/// What is left of the limits of the control group of this process, and of those that contain it.
fn of_groups() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/cgroup").ok()?;
    // The line of version 2 has no names of controllers.
    let group = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let folder = Path::new("/sys/fs/cgroup").join(group);
    let within = folder
        .ancestors()
        .take_while(|folder| *folder != Path::new("/sys/fs"));
    within.filter_map(of_group).min()
}

/// What is left of the limit of one control group. Cached files that it can drop are available.
fn of_group(folder: &Path) -> Option<u64> {
    let read = |name| fs::read_to_string(folder.join(name)).ok();
    let number = |name| read(name)?.trim().parse::<u64>().ok();
    // The content is "max" if there is no limit.
    let most = number("memory.max")?;
    let used = number("memory.current")?;
    let cached = field(&read("memory.stat").unwrap_or_default(), "inactive_file");
    Some(most.saturating_sub(used.saturating_sub(cached.unwrap_or(0))))
}

/// What is left of the limit of the address space.
fn of_address_space() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"))?;
    // The word is "unlimited" if there is no limit.
    let most: u64 = line.split_whitespace().next()?.parse().ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    Some(most.saturating_sub(field(&status, "VmSize:")?.saturating_mul(1024)))
}

/// Returns the number that follows a name at the start of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_whitespace);
    let mut words = lines.find_map(|mut words| (words.next() == Some(name)).then_some(words))?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_fields() {
        let text = "MemTotal:       24000 kB\nMemAvailable:    9000 kB\nSwapFree: 0 kB\n";
        assert_eq!(field(text, "MemAvailable:"), Some(9000));
        assert_eq!(field(text, "SwapFree:"), Some(0));
        assert_eq!(field(text, "Mem"), None);
        assert_eq!(field("inactive_file 12", "inactive_file"), Some(12));
        assert_eq!(field("max", "max"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn there_is_some_memory() {
        let found = available_memory().expect("Linux provides it");
        assert!((1 << 20..1 << 50).contains(&found), "{found}");
    }

    #[test]
    fn group_without_cached_files_is_left_of_its_limit() {
        let folder = std::env::temp_dir().join(format!("lanternfell-group-{}", std::process::id()));
        fs::create_dir(&folder).expect("a folder");
        let write = |name, text| fs::write(folder.join(name), text).expect("a file");
        assert_eq!(of_group(&folder), None);
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        assert_eq!(of_group(&folder), None);
        write("memory.max", "1000\n");
        assert_eq!(of_group(&folder), Some(300));
        write("memory.stat", "anon 5\ninactive_file 100\n");
        assert_eq!(of_group(&folder), Some(400));
        fs::remove_dir_all(&folder).expect("it");
    }
}
