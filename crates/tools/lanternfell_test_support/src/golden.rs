//! Golden hashes: values that must not change.

use std::fmt::Write;

/// Compares hashes with pinned ones, name by name.
///
/// # Panics
/// If one differs. The message lists all hashes as source code to paste, with their previous values.
#[track_caller]
pub fn assert_golden<'a>(
    found: impl IntoIterator<Item = (&'a str, u64)>,
    pinned: &[(&'static str, u64)],
) {
    let found: Vec<(&str, u64)> = found.into_iter().collect();
    if found == pinned {
        return;
    }
    let mut list = String::new();
    for (place, (name, hash)) in found.iter().enumerate() {
        let was = match pinned.get(place) {
            Some(before) if before == &(*name, *hash) => String::new(),
            Some((before, hash)) => format!(" // was {before} {}", literal(*hash)),
            None => " // new".to_owned(),
        };
        let _ = writeln!(list, "    (\"{name}\", {}),{was}", literal(*hash));
    }
    let (found, pinned) = (found.len(), pinned.len());
    panic!("{found} hashes, of which {pinned} are pinned:\n{list}");
}

/// A hash as a literal in source code: `0x0123_4567_89ab_cdef`.
fn literal(hash: u64) -> String {
    let digits = format!("{hash:016x}");
    let groups: Vec<&str> = (0..4).map(|group| &digits[4 * group..][..4]).collect();
    format!("0x{}", groups.join("_"))
}
