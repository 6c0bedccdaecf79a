//! Removal of temporary files. It affects the whole process, so this file has only one test.

use std::{fs, io::Write};

use lanternfell_files::{AtomicFile, ScratchFile, remove_temporary_files};

/// Reported: a signal leaves temporary files.
#[test]
fn removes_unfinished_files_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = || {
        let entries = fs::read_dir(folder.path()).expect("the folder");
        entries.count()
    };
    let prepare = |name: &str| AtomicFile::prepare(&folder.path().join(name)).expect("a file");
    let finished = prepare("a.r16");
    finished.file().write_all(b"map").expect("bytes");
    finished.finish().expect("a file");
    let [first, second] = ["b.r16", "c.r16"].map(prepare);
    let scratch = ScratchFile::new().expect("a file");
    assert_eq!(names(), 3);
    drop(first);
    assert_eq!(names(), 2);
    remove_temporary_files();
    assert_eq!(names(), 1);
    assert!(!scratch.path().exists());
    assert_eq!(fs::read(folder.path().join("a.r16")).expect("it"), b"map");
    // They would wait for the end of the process.
    std::mem::forget((second, scratch));
}
