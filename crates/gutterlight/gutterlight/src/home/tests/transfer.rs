//! Tests of export and import.

use super::*;

#[test]
fn exported_game_can_be_imported() {
    let (here, there) = (Lodging::new(), Lodging::new());
    let world = played(3);
    here.home.suspend(&world.save()).expect("a save");
    let taken = here.home.export().expect("a game").expect("it is there");
    assert!(here.home.is_suspended(), "it stays");
    assert_eq!(there.home.import(&taken).expect("a game"), None);
    assert_eq!(there.names(), ["suspended.save"]);
    let resumed = there.home.resume().expect("a game").expect("it is there");
    assert_eq!(resumed, world);
}

#[test]
fn export_without_game_returns_none() {
    let lodging = Lodging::new();
    assert_eq!(lodging.home.export().expect("no trouble"), None);
    lodging.put(&lodging.home.save_path(), b"foreign");
    let trouble = lodging.home.export().expect_err("it is foreign");
    assert!(matches!(trouble, Trouble::Damaged { .. }), "{trouble}");
    assert_eq!(lodging.names(), ["suspended.damaged.save"]);
}

#[test]
fn import_keeps_replaced_game() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    home.suspend(&played(1).save()).expect("a save");
    for (turns, name) in [
        (2, "suspended.replaced.save"),
        (3, "suspended.replaced-2.save"),
    ] {
        let kept = home.import(&played(turns).save()).expect("a game");
        let kept = kept.expect("there was another");
        assert_eq!(kept, home.data.path(name));
        let before = World::load(&fs::read(kept).expect("it")).expect("a game");
        assert_eq!(before.view().turn(), turns - 1);
    }
    // Importing the present game makes no copy.
    assert_eq!(home.import(&played(3).save()).expect("a game"), None);
    assert_eq!(lodging.names().len(), 3);
    let resumed = home.resume().expect("a game").expect("it is there");
    assert_eq!(resumed.view().turn(), 3);
}

#[test]
fn rejects_invalid_save_without_changes() {
    let save = played(2).save();
    let with = |place: usize, byte: u8| {
        let mut save = save.clone();
        save[place] = byte;
        save
    };
    let lodging = Lodging::new();
    let home = &lodging.home;
    let present = played(1).save();
    home.suspend(&present).expect("a save");
    for (wrong, words) in [
        (with(8, 9), "version 9, which needs a newer release"),
        (
            with(8, 0),
            "version 0, which this release can no longer read",
        ),
        (save[..save.len() - 1].to_owned(), "cut off"),
        (Vec::new(), "cut off"),
        (with(save.len() / 2, !save[save.len() / 2]), "damaged"),
        (b"\x7fPNG and more".to_vec(), "not a saved game"),
        (vec![0; MAX_BYTES + 1], "too large"),
        (won().save(), "has ended"),
    ] {
        let trouble = home.import(&wrong).expect_err(words);
        assert!(matches!(trouble, Trouble::Refused { .. }), "{trouble}");
        let message = trouble.to_string();
        assert!(
            message.contains(words) && !message.contains('\n'),
            "{message}"
        );
        assert_eq!(lodging.names(), ["suspended.save"], "{words}");
        let still = fs::read(home.save_path()).expect("it");
        assert!(still == present, "{words}");
    }
}

#[test]
fn import_keeps_damaged_game_aside() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    lodging.put(&home.save_path(), b"foreign");
    assert_eq!(home.import(&played(1).save()).expect("a game"), None);
    assert_eq!(
        lodging.names(),
        ["suspended.damaged.save", "suspended.save"]
    );
    let aside = fs::read(home.data.path("suspended.damaged.save"));
    assert_eq!(aside.expect("it"), b"foreign");
}

/// A folder in which one name cannot be written.
#[derive(Debug)]
struct Full(lanternfell_files::Folder, &'static str);

impl Storage for Full {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }
    fn holds(&self, name: &str) -> bool {
        self.0.holds(name)
    }
    fn read(&self, name: &str, most: usize) -> io::Result<Vec<u8>> {
        self.0.read(name, most)
    }
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        match name == self.1 {
            true => Err(ErrorKind::StorageFull.into()),
            false => self.0.write(name, bytes),
        }
    }
    fn write_new(&self, name: &str, bytes: &[u8]) -> io::Result<String> {
        match name == self.1 {
            true => Err(ErrorKind::StorageFull.into()),
            false => self.0.write_new(name, bytes),
        }
    }
    fn quarantine(&self, name: &str, mark: &str) -> io::Result<String> {
        self.0.quarantine(name, mark)
    }
    fn remove(&self, name: &str) -> io::Result<bool> {
        self.0.remove(name)
    }
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.0.list(folder)
    }
}

#[test]
fn failed_import_keeps_present_game() {
    let lodging = Lodging::new();
    let present = played(1).save();
    lodging.home.suspend(&present).expect("a save");
    let folder = lodging.folder.path().join("home");
    for name in ["suspended.replaced.save", "suspended.save"] {
        let full = Full(lanternfell_files::Folder::new(&folder), name);
        let home = Home::of(Arc::new(full));
        let trouble = home.import(&played(2).save()).expect_err("no room");
        assert!(matches!(trouble, Trouble::Write { .. }), "{trouble}");
        assert_eq!(lodging.names(), ["suspended.save"], "{name}");
        let still = fs::read(lodging.home.save_path()).expect("it");
        assert!(still == present, "{name}");
    }
}
