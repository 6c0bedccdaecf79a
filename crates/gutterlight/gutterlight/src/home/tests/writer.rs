//! Writing that nobody waits for, with a thread and without.

use super::*;

/// The same with both.
fn with_each(check: impl Fn(&Lodging, Writer)) {
    for begin in [Writer::new, Writer::without_thread] {
        let lodging = Lodging::new();
        let writer = begin(&lodging.home);
        check(&lodging, writer);
    }
}

#[test]
fn the_newest_game_is_there_when_it_was_waited_for() {
    with_each(|lodging, writer| {
        for turns in 0..50 {
            writer.suspend(played(turns).save(), Vec::new());
        }
        writer.settle();
        let resumed = lodging.home.resume().expect("a game");
        assert_eq!(resumed.expect("it is there").view().turn(), 49);
    });
}

#[test]
fn whatever_was_asked_for_is_written_at_the_end() {
    with_each(|lodging, writer| {
        let settings = Settings {
            brightness: 2,
            ..Settings::default()
        };
        writer.suspend(played(1).save(), Vec::new());
        writer.keep_settings(settings.clone());
        writer.suspend(played(2).save(), Vec::new());
        drop(writer);
        assert_eq!(lodging.home.settings().0, settings);
        let resumed = lodging.home.resume().expect("a game");
        assert_eq!(resumed.expect("it is there").view().turn(), 2);
    });
}

#[test]
fn what_was_said_is_told_again_in_its_own_game_only() {
    with_each(|lodging, writer| {
        let line = |words: &str| LogLine {
            words: words.into(),
            times: 2,
            quiet: false,
        };
        let mut said = vec![line("Long ago."); 5];
        said.extend(vec![line("A bell."); MOST_LINES]);
        writer.suspend(played(3).save(), said);
        writer.settle();
        let home = &lodging.home;
        let game = home.resume().expect("a game").expect("it is there");
        assert_eq!(home.log_of(&game), vec![line("A bell."); MOST_LINES]);
        assert_eq!(home.log_of(&played(4)), []);
        lodging.put(&home.data.path(LOG), b"damaged");
        assert_eq!(home.log_of(&game), []);
        home.forget().expect("a file");
        assert!(lodging.names().is_empty());
    });
}

#[test]
fn a_forgotten_game_is_gone() {
    with_each(|lodging, writer| {
        writer.suspend(played(1).save(), Vec::new());
        writer.forget();
        writer.settle();
        assert!(!lodging.home.is_suspended());
        assert!(lodging.names().is_empty());
    });
}

#[test]
fn a_foreign_save_is_kept_aside_at_the_first_game_and_after_a_pause() {
    with_each(|lodging, writer| {
        for number in 1..=2 {
            lodging.put(&lodging.home.save_path(), b"foreign");
            writer.suspend(played(1).save(), Vec::new());
            writer.settle();
            // The game and its log, and the foreign ones.
            assert_eq!(lodging.names().len(), number + 2);
        }
        drop(writer);
    });
}

#[test]
fn what_goes_wrong_is_told() {
    with_each(|lodging, mut writer| {
        let home = lodging.folder.path().join("home");
        fs::write(&home, "no folder").expect("a file");
        writer.suspend(played(1).save(), Vec::new());
        writer.settle();
        let trouble = writer.trouble().expect("there is no folder");
        assert!(trouble.to_string().contains("suspended.save"), "{trouble}");
        assert!(writer.trouble().is_none());
        fs::remove_file(&home).expect("the file");
        writer.suspend(played(2).save(), Vec::new());
        drop(writer);
        assert!(lodging.home.is_suspended(), "it goes on afterwards");
    });
}
