//! Tests of the file functions. Each test has its own folder.

use std::{
    collections::BTreeMap,
    fs,
    io::{ErrorKind, Write},
    path::Path,
    thread,
};

use lanternfell_files::{AtomicFile, ScratchFile, quarantine, read_limited, write, write_new};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The names of everything in a folder, including temporary files, sorted.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("the folder");
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries
        .map(|entry| name(entry.expect("an entry")))
        .collect();
    names.sort();
    names
}

/// Like [`names`], with the content of each file. The folder must contain only files and folders.
fn files(folder: &TempDir) -> BTreeMap<String, Vec<u8>> {
    let content = |name: &String| fs::read(folder.path().join(name)).unwrap_or_default();
    let names = names(folder).into_iter();
    names.map(|name| (name.clone(), content(&name))).collect()
}

#[test]
fn writes_and_replaces_file() {
    let folder = folder();
    let path = folder.path().join("a.txt");
    for content in ["first", "", "the third is longer"] {
        write(&path, content.as_bytes()).expect("a file");
        assert_eq!(
            fs::read(&path).expect("it"),
            content.as_bytes(),
            "{content}"
        );
        assert_eq!(names(&folder), ["a.txt"], "{content}");
    }
}

#[test]
fn dropped_file_leaves_nothing() {
    let folder = folder();
    let path = folder.path().join("a.txt");
    write(&path, b"old").expect("a file");
    let file = AtomicFile::prepare(&path).expect("a temporary file");
    file.file().write_all(b"half").expect("bytes");
    assert_eq!(names(&folder).len(), 2);
    assert_eq!(fs::read(&path).expect("the old one"), b"old");
    drop(file);
    assert_eq!(names(&folder), ["a.txt"]);
    assert_eq!(fs::read(&path).expect("the old one"), b"old");
}

#[test]
fn refuses_folders_and_read_only_files() {
    let folder = folder();
    let within = folder.path().join("within");
    fs::create_dir(&within).expect("a folder");
    let error = write(&within, b"new").expect_err("it is a folder");
    assert_eq!(error.to_string(), "it is a folder");

    let locked = folder.path().join("locked.txt");
    write(&locked, b"old").expect("a file");
    let mut permissions = fs::metadata(&locked).expect("it").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&locked, permissions).expect("permissions");
    let error = write(&locked, b"new").expect_err("it is read-only");
    assert_eq!(error.to_string(), "it is read-only");
    assert_eq!(fs::read(&locked).expect("it"), b"old");
    assert_eq!(names(&folder), ["locked.txt", "within"]);
}

#[test]
fn missing_folder_error_hides_temporary_name() {
    let folder = folder();
    let path = folder.path().join("missing").join("a.txt");
    let error = write(&path, b"new").expect_err("there is no folder");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(!error.to_string().contains("lanternfell"), "{error}");
}

#[test]
fn finish_fails_if_folder_vanished() {
    let folder = folder();
    let within = folder.path().join("within");
    fs::create_dir(&within).expect("a folder");
    let file = AtomicFile::prepare(&within.join("a.txt")).expect("a temporary file");
    file.file().write_all(b"new").expect("bytes");
    // Windows does not allow deleting this folder.
    if fs::remove_dir_all(&within).is_ok() {
        file.finish().expect_err("there is no folder");
        assert!(names(&folder).is_empty());
    }
}

#[cfg(unix)]
#[test]
fn keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let mode = |path: &Path| fs::metadata(path).expect("it").permissions().mode() & 0o777;
    let (real, plain) = (folder.path().join("real"), folder.path().join("plain"));
    fs::write(&plain, "").expect("a file");
    let link = folder.path().join("link");
    write(&real, b"old").expect("a file");
    assert_eq!(mode(&real), mode(&plain), "as any new file");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink("real", &link).expect("a link");
    write(&link, b"new").expect("a file");
    assert!(link.is_symlink());
    assert_eq!(fs::read(&real).expect("it"), b"new");
    assert_eq!(mode(&real), 0o640);
}

#[cfg(unix)]
#[test]
fn refuses_pipes() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let error = write(&pipe, b"new").expect_err("it is a pipe");
    assert_eq!(error.to_string(), "it is not a file");
    let error = read_limited(&pipe, 10).expect_err("it is a pipe");
    assert_eq!(error.to_string(), "it is not a file");
    let kind = fs::symlink_metadata(&pipe).expect("it").file_type();
    assert!(kind.is_fifo());
    assert_eq!(names(&folder), ["pipe"]);
}

#[test]
fn refuses_to_read_beyond_limit() {
    let folder = folder();
    let path = folder.path().join("a.txt");
    write(&path, b"12345").expect("a file");
    assert_eq!(read_limited(&path, 5).expect("it"), b"12345");
    let error = read_limited(&path, 4).expect_err("it is larger");
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    assert_eq!(error.to_string(), "it is too large");
    write(&path, b"").expect("a file");
    assert_eq!(read_limited(&path, 0).expect("it"), b"");
    let file = fs::File::options().write(true).open(&path);
    // A sparse file takes no room on the disk.
    file.expect("it").set_len(1 << 40).expect("a sparse file");
    assert!(read_limited(&path, 1 << 20).is_err());
    assert!(read_limited(folder.path(), 10).is_err());
    let error = read_limited(&folder.path().join("missing"), 10).expect_err("it is not there");
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn write_new_replaces_nothing() {
    let folder = folder();
    let path = folder.path().join("page.txt");
    fs::create_dir(folder.path().join("page-2.txt")).expect("a folder");
    for (content, name) in [("a", "page.txt"), ("b", "page-3.txt"), ("c", "page-4.txt")] {
        let written = write_new(&path, content.as_bytes()).expect("a file");
        assert_eq!(written, folder.path().join(name));
        assert_eq!(fs::read(written).expect("it"), content.as_bytes(), "{name}");
    }
    let bare = folder.path().join("bare");
    write_new(&bare, b"d").expect("a file");
    assert_eq!(
        write_new(&bare, b"e").expect("a file"),
        folder.path().join("bare-2")
    );
    assert_eq!(files(&folder).len(), 6);
}

#[test]
fn concurrent_new_files_are_all_written() {
    let folder = folder();
    let path = folder.path().join("page.txt");
    thread::scope(|scope| {
        for number in 0..16 {
            let path = &path;
            scope.spawn(move || write_new(path, &[number]).expect("a file"));
        }
    });
    let mut contents: Vec<Vec<u8>> = files(&folder).into_values().collect();
    contents.sort();
    let all: Vec<Vec<u8>> = (0..16).map(|number| vec![number]).collect();
    assert_eq!(contents, all);
}

#[test]
fn quarantine_replaces_nothing() {
    let folder = folder();
    let path = folder.path().join("a.b.ron");
    let marked = ["a.b.old.ron", "a.b.old-2.ron", "a.b.old-3.ron"];
    for (content, name) in ["first", "second", "third"].into_iter().zip(marked) {
        write(&path, content.as_bytes()).expect("a file");
        let aside = quarantine(&path, "old").expect("it can be renamed");
        assert_eq!(aside, folder.path().join(name));
        assert!(!path.exists(), "{content}");
    }
    let contents: Vec<Vec<u8>> = marked
        .iter()
        .map(|name| fs::read(folder.path().join(name)).expect("it"))
        .collect();
    assert_eq!(contents, [&b"first"[..], b"second", b"third"]);
}

#[cfg(unix)]
#[test]
fn failed_quarantine_leaves_no_empty_file() {
    let folder = folder();
    // A folder cannot be renamed to an existing file.
    let within = folder.path().join("within");
    fs::create_dir(&within).expect("a folder");
    assert!(quarantine(&within, "old").is_err());
    assert_eq!(names(&folder), ["within"]);
}

#[test]
fn failed_quarantine_leaves_file() {
    let folder = folder();
    let path = folder.path().join("a");
    let error = quarantine(&path, "old").expect_err("it is not there");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(names(&folder).is_empty());
    for number in 0..=1000 {
        fs::write(folder.path().join(format!("a.old-{number}")), "x").expect("a file");
    }
    fs::write(folder.path().join("a.old"), "x").expect("a file");
    fs::write(&path, "new").expect("a file");
    let before = files(&folder);
    let error = quarantine(&path, "old").expect_err("every name is taken");
    assert!(error.to_string().contains("too many"), "{error}");
    assert_eq!(files(&folder), before);
}

#[test]
fn only_one_finish_new_wins() {
    let folder = folder();
    let path = folder.path().join("a.txt");
    let files = ["first", "second"].map(|words| {
        let file = AtomicFile::prepare(&path).expect("a temporary file");
        file.file().write_all(words.as_bytes()).expect("bytes");
        file
    });
    let new = files.map(|file| file.finish_new().expect("an answer"));
    assert_eq!(new, [true, false]);
    assert_eq!(fs::read(&path).expect("the first"), b"first");
    assert_eq!(names(&folder), ["a.txt"]);
}

#[test]
fn scratch_file_is_deleted_on_drop() {
    let scratch = ScratchFile::new().expect("a temporary file");
    scratch.file().write_all(b"numbers").expect("bytes");
    let path = scratch.path().to_owned();
    assert_eq!(fs::read(&path).expect("it is there"), b"numbers");
    drop(scratch);
    assert!(!path.exists());
}

/// Reported: replacing a file loses its owner, and its hard links, although the README said that it
/// keeps links.
#[cfg(unix)]
#[test]
fn keeps_owner_where_permitted_and_separates_hard_links() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let folder = folder();
    let (path, other) = (folder.path().join("a.txt"), folder.path().join("b.txt"));
    write(&path, b"old").expect("a file");
    fs::hard_link(&path, &other).expect("a link");
    // The umask of new files must not apply to the replaced one.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).expect("permissions");
    // Only an administrator may do this; otherwise the file keeps its own owner.
    let _ = chown(&path, Some(12_345), Some(23_456));
    let owner = |path: &Path| {
        let about = fs::metadata(path).expect("it");
        (about.uid(), about.gid(), about.mode() & 0o7777)
    };
    let before = owner(&path);
    write(&path, b"new").expect("a file");
    assert_eq!(owner(&path), before);
    assert_eq!(fs::read(&path).expect("it"), b"new");
    assert_eq!(fs::read(&other).expect("the link"), b"old");
}
