//! Tests of homes that cannot be written to, or that another game uses.

use std::{
    io::{Error, ErrorKind, Result},
    path::PathBuf,
    sync::Arc,
};

use gutterlight_rules::{Action, Difficulty};
use lanternfell_files::{Folder, Storage};

use super::*;

fn played() -> World {
    let mut world = World::new(7, Difficulty::Thief);
    world.act(Action::Wait).expect("at any time");
    world
}

/// A folder on a disk that is mounted read-only. Permissions would not stop tests that run as root.
#[derive(Debug)]
struct ReadOnly(Folder);

impl ReadOnly {
    fn refuse<T>() -> Result<T> {
        Err(Error::from(ErrorKind::ReadOnlyFilesystem))
    }
}

impl Storage for ReadOnly {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    fn holds(&self, name: &str) -> bool {
        self.0.holds(name)
    }

    fn read(&self, name: &str, most: usize) -> Result<Vec<u8>> {
        self.0.read(name, most)
    }

    fn write(&self, _: &str, _: &[u8]) -> Result<()> {
        Self::refuse()
    }

    fn write_new(&self, _: &str, _: &[u8]) -> Result<String> {
        Self::refuse()
    }

    fn quarantine(&self, _: &str, _: &str) -> Result<String> {
        Self::refuse()
    }

    fn remove(&self, name: &str) -> Result<bool> {
        match self.0.holds(name) {
            true => Self::refuse(),
            false => Ok(false),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<String>> {
        self.0.list(folder)
    }
}

/// Reported: a game in a read-only folder could not be continued.
#[test]
fn game_in_a_read_only_home_continues_without_saving() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = played();
    Home::at(folder.path())
        .suspend(&game.save())
        .expect("a save");
    let storage = Arc::new(ReadOnly(Folder::new(folder.path())));
    let (mut keeper, _) = Keeper::open(Some(Home::of(storage)), true);
    assert!(keeper.is_suspended() && keeper.notes.is_empty());
    let (world, _) = keeper.resume().expect("a game");
    assert_eq!(world, game);
    let [note] = &keeper.notes[..] else {
        panic!("{:?}", keeper.notes);
    };
    assert!(note.contains("will not be saved"), "{note}");
    assert!(note.contains("suspended.save"), "{note}");
    // Nothing is tried any more, so no errors follow.
    assert!(!keeper.saves());
    keeper.suspend(world.save(), Log::default());
    keeper.forget();
    keeper.settle();
    assert!(keeper.writer.as_mut().and_then(Writer::trouble).is_none());
    // The game is offered again, as it was.
    keeper.look();
    assert!(keeper.is_suspended());
    assert_eq!(keeper.resume().expect("a game").0, game);
}

/// A second running game warns that the game is already open.
#[test]
fn second_game_is_told_and_leaves_the_save_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home::at(folder.path());
    let game = played();
    home.suspend(&game.save()).expect("a save");
    let (mut first, _) = Keeper::open(Some(home.clone()), true);
    assert!(first.is_suspended() && first.notes.is_empty());
    let (mut second, _) = Keeper::open(Some(home.clone()), true);
    assert_eq!(second.notes, [words::ELSEWHERE]);
    assert!(!second.is_suspended() && !second.saves());
    assert!(second.resume().is_none());
    second.suspend(World::new(8, Difficulty::Thief).save(), Log::default());
    second.forget();
    second.settle();
    assert_eq!(first.resume().expect("a game").0, game);
    first.suspend(game.save(), Log::default());
    // Once the first has ended, the second takes over.
    drop(first);
    second.claim();
    assert!(second.notes.is_empty() && second.is_suspended() && second.saves());
    assert_eq!(second.resume().expect("a game").0, game);
}
