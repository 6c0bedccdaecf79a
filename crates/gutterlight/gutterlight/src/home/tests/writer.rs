//! Tests of the background writer, with and without a thread.

use super::*;

/// Runs a check with both kinds of writer.
fn with_each(check: impl Fn(&Lodging, Writer)) {
    for begin in [Writer::new, Writer::without_thread] {
        let lodging = Lodging::new();
        let writer = begin(&lodging.home);
        check(&lodging, writer);
    }
}

#[test]
fn settle_waits_for_newest_game() {
    with_each(|lodging, writer| {
        for turns in 0..50 {
            writer.suspend(played(turns).save(), Log::default());
        }
        writer.settle();
        let resumed = lodging.home.resume().expect("a game");
        assert_eq!(resumed.expect("it is there").view().turn(), 49);
    });
}

#[test]
fn drop_writes_all_requests() {
    with_each(|lodging, writer| {
        let settings = Settings {
            brightness: 2,
            ..Settings::default()
        };
        writer.suspend(played(1).save(), Log::default());
        writer.keep_settings(settings.clone());
        writer.suspend(played(2).save(), Log::default());
        drop(writer);
        assert_eq!(lodging.home.settings().0, settings);
        let resumed = lodging.home.resume().expect("a game");
        assert_eq!(resumed.expect("it is there").view().turn(), 2);
    });
}

#[test]
fn log_is_returned_only_for_its_game() {
    with_each(|lodging, writer| {
        let line = |words: &str| LogLine {
            words: words.into(),
            times: 2,
            quiet: false,
        };
        let mut said = vec![line("Long ago."); 5];
        said.extend(vec![line("A bell."); MOST_LINES]);
        let log = |lines: Vec<LogLine>| Log {
            lines,
            lesson: "sneak".into(),
        };
        writer.suspend(played(3).save(), log(said));
        writer.settle();
        let home = &lodging.home;
        let game = home.resume().expect("a game").expect("it is there");
        let newest = log(vec![line("A bell."); MOST_LINES]);
        assert_eq!(home.log_of(&game), Some(newest));
        assert_eq!(home.log_of(&played(4)), None);
        lodging.put(&home.data.path(LOG), b"damaged");
        assert_eq!(home.log_of(&game), None);
        home.forget().expect("a file");
        assert!(lodging.names().is_empty());
    });
}

#[test]
fn forget_deletes_game() {
    with_each(|lodging, writer| {
        writer.suspend(played(1).save(), Log::default());
        writer.forget();
        writer.settle();
        assert!(!lodging.home.is_suspended());
        assert!(lodging.names().is_empty());
    });
}

#[test]
fn foreign_save_is_kept_aside_first_and_after_settle() {
    with_each(|lodging, writer| {
        for number in 1..=2 {
            lodging.put(&lodging.home.save_path(), b"foreign");
            writer.suspend(played(1).save(), Log::default());
            writer.settle();
            // The game, its log, and the foreign saves.
            assert_eq!(lodging.names().len(), number + 2);
        }
        drop(writer);
    });
}

#[test]
fn errors_are_reported() {
    with_each(|lodging, mut writer| {
        let home = lodging.folder.path().join("home");
        fs::write(&home, "no folder").expect("a file");
        writer.suspend(played(1).save(), Log::default());
        writer.settle();
        let trouble = writer.trouble().expect("there is no folder");
        assert!(trouble.to_string().contains("suspended.save"), "{trouble}");
        assert!(writer.trouble().is_none());
        fs::remove_file(&home).expect("the file");
        writer.suspend(played(2).save(), Log::default());
        drop(writer);
        assert!(lodging.home.is_suspended(), "later writes work");
    });
}
