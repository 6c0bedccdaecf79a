//! What killed processes leave behind.
//!
//! A tile is written under a hidden name, `.lanternfell-` and six letters, and then renamed;
//! whoever is killed between leaves that draft. Nobody can tell for sure whether it still is
//! someone's: processes of other machines may be at work in the folder. So only those are
//! removed that nobody has written to for a day, by the clock of the folder's own file system.

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use lanternfell_files::AtomicFile;

/// No single tile takes as long.
const AGE: Duration = Duration::from_hours(24);

const PREFIX: &str = ".lanternfell-";

/// Removes old unfinished files. What can not be removed stays: it harms nobody.
pub(super) fn sweep(folder: &Path) {
    let Some(now) = clock(folder) else { return };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let age = |about: std::fs::Metadata| {
            let modified = about.modified().ok().filter(|_| about.is_file())?;
            now.duration_since(modified).ok()
        };
        if is_draft(&entry.file_name().to_string_lossy())
            && let Some(age) = entry.metadata().ok().and_then(age)
            && age > AGE
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The time by the clock that the folder's files get theirs from.
fn clock(folder: &Path) -> Option<SystemTime> {
    let draft = AtomicFile::prepare(&folder.join("clock")).ok()?;
    draft.file().metadata().ok()?.modified().ok()
}

fn is_draft(name: &str) -> bool {
    let letters = name.strip_prefix(PREFIX);
    letters.is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
}
