//! Removes temporary files of killed processes.
//!
//! A tile is written to a hidden file, `.lanternfell-` and six letters, and then renamed. A killed process leaves that
//! file behind. Other machines may be writing to the folder, so it is not possible to know whether a file is still in
//! use. Only files that were not modified for a day are removed, by the clock of the folder's file system.

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use lanternfell_files::AtomicFile;

/// Writing a single tile never takes this long.
const AGE: Duration = Duration::from_hours(24);

const PREFIX: &str = ".lanternfell-";

/// Removes old temporary files. Errors are ignored, because remaining files do no harm.
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

/// Returns the current time of the file system.
fn clock(folder: &Path) -> Option<SystemTime> {
    let draft = AtomicFile::prepare(&folder.join("clock")).ok()?;
    draft.file().metadata().ok()?.modified().ok()
}

fn is_draft(name: &str) -> bool {
    let letters = name.strip_prefix(PREFIX);
    letters.is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
}
