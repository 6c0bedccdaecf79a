//! Tests of the settings file and its errors.

use proptest::prelude::*;

use super::*;

/// Settings in which every field differs from its default.
fn unusual() -> Settings {
    Settings {
        brightness: -5,
        text_size: 200,
        full_screen: true,
        flicker: false,
        shake: false,
        captions: false,
        colorblind: true,
        volume: 0,
        effects: 1,
        ambience: 100,
        difficulty: Difficulty::Ghost,
        heat: Heat::from(0b10_1101),
        opening: false,
        keys: [
            ("wait".to_owned(), vec!["KeyZ".to_owned(), "\"".to_owned()]),
            ("sneak \n".to_owned(), vec![]),
        ]
        .into(),
        caps: [("W".to_owned(), "\u{c4}\"".to_owned())].into(),
    }
}

#[test]
fn settings_round_trip() {
    let lodging = Lodging::new();
    for settings in [unusual(), Settings::default(), unusual()] {
        lodging.home.keep_settings(&settings).expect("settings");
        let (read, trouble) = lodging.home.settings();
        assert_eq!(read, settings);
        assert!(trouble.is_none(), "{trouble:?}");
        assert_eq!(lodging.names(), ["settings.ron"]);
    }
}

#[test]
fn missing_fields_get_defaults() {
    let lodging = Lodging::new();
    let path = lodging.home.settings_path();
    for (text, brightness) in [
        ("()", 0),
        ("(brightness: 3)", 3),
        ("// dark\n(brightness:-1,)", -1),
    ] {
        lodging.put(&path, text.as_bytes());
        let (settings, trouble) = lodging.home.settings();
        assert!(trouble.is_none(), "{text}");
        let expected = Settings {
            brightness,
            ..Settings::default()
        };
        assert_eq!(settings, expected, "{text}");
    }
}

#[test]
fn error_names_field_out_of_range() {
    for (text, words) in [
        (
            "(brightness: 99)",
            "settings: brightness is 99, but must be from -5 to 5",
        ),
        (
            "(brightness: -6)",
            "settings: brightness is -6, but must be from -5 to 5",
        ),
        (
            "(text_size: 7)",
            "settings: text_size is 7, but must be 100, 125, 150 or 200",
        ),
        (
            "(volume: 200)",
            "settings: volume is 200, but must be from 0 to 100",
        ),
        (
            "(effects: 101)",
            "settings: effects is 101, but must be from 0 to 100",
        ),
        (
            "(ambience: 255)",
            "settings: ambience is 255, but must be from 0 to 100",
        ),
        ("(loudness: 3)", "loudness"),
    ] {
        let lodging = Lodging::new();
        lodging.put(&lodging.home.settings_path(), text.as_bytes());
        let (settings, trouble) = lodging.home.settings();
        assert_eq!(settings, Settings::default(), "{text}");
        let message = trouble.expect(text).to_string();
        for part in [words, "settings.ron", "settings.damaged.ron"] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }
}

#[test]
fn settings_out_of_range_are_not_saved() {
    let lodging = Lodging::new();
    let wrong = Settings {
        volume: 101,
        ..Settings::default()
    };
    let trouble = lodging.home.keep_settings(&wrong).expect_err("too loud");
    assert!(trouble.to_string().contains("volume is 101"), "{trouble}");
    let mut large = Settings::default();
    large.keys.insert("x".repeat(MOST_TEXT), vec![]);
    assert!(lodging.home.keep_settings(&large).is_err());
    assert!(lodging.names().is_empty());
}

#[test]
fn damaged_settings_get_unique_names() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    let deep = "(keys: {\"a\": ".to_owned() + &"[".repeat(50_000);
    let whole = ron::to_string(&unusual()).expect("text");
    let cut = &whole[..whole.len() / 2];
    let damages: Vec<Vec<u8>> = [
        "",
        "\0",
        "(",
        "[]",
        "7",
        "(brightness: \"x\")",
        "(brightness: 1000)",
        "() ()",
        "Other()",
        "(keys: 7)",
        "(brightness: 1, brightness: 2)",
        &deep,
        cut,
    ]
    .map(|text| text.as_bytes().to_owned())
    .into_iter()
    .chain([vec![0xff, 0xfe], vec![b' '; MOST_TEXT + 1]])
    .collect();
    for (number, damage) in (1..).zip(&damages) {
        lodging.put(&home.settings_path(), damage);
        let (settings, trouble) = home.settings();
        assert_eq!(settings, Settings::default(), "file {number}");
        let Some(Trouble::Damaged { aside, flaw, .. }) = trouble else {
            panic!("{trouble:?} of {:?}", String::from_utf8_lossy(damage));
        };
        assert!(
            flaw.chars().count() <= MOST_WORDS + 4 && !flaw.contains('\n'),
            "{flaw}"
        );
        assert_eq!(aside, numbered_aside(home, number), "file {number}");
        assert!(home.settings().1.is_none(), "it is reported once");
    }
    // No file was overwritten by another.
    for (number, damage) in (1..).zip(&damages) {
        let path = numbered_aside(home, number);
        assert!(
            fs::read(&path).expect("kept") == *damage,
            "{}",
            path.display()
        );
    }
    assert_eq!(lodging.names().len(), damages.len());
}

fn numbered_aside(home: &Home, number: usize) -> PathBuf {
    home.config.path(&match number {
        1 => "settings.damaged.ron".to_owned(),
        number => format!("settings.damaged-{number}.ron"),
    })
}

#[test]
fn saving_settings_keeps_damaged_file_aside() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    lodging.put(&home.settings_path(), b"(by hand");
    home.keep_settings(&unusual()).expect("settings");
    assert_eq!(home.settings().0, unusual());
    let aside = fs::read(numbered_aside(home, 1)).expect("kept aside");
    assert_eq!(aside, b"(by hand");
}

#[test]
fn settings_that_cannot_be_renamed_are_not_overwritten() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    lodging.put(&home.settings_path(), b"(by hand");
    lodging.take_every_name("settings", "ron");
    let (settings, trouble) = home.settings();
    assert_eq!(settings, Settings::default());
    let trouble = trouble.expect("it is damaged");
    assert!(matches!(trouble, Trouble::Stuck { .. }), "{trouble}");
    let trouble = home
        .keep_settings(&unusual())
        .expect_err("it is in the way");
    assert!(matches!(trouble, Trouble::Stuck { .. }), "{trouble}");
    let still = fs::read(home.settings_path()).expect("the file");
    assert_eq!(still, b"(by hand");
    for number in 1..=1000 {
        assert_eq!(
            fs::read(numbered_aside(home, number)).expect("older"),
            b"older",
            "file {number}"
        );
    }
    assert_eq!(lodging.names().len(), 1001);
}

#[test]
fn rejects_huge_file_without_reading_it() {
    let lodging = Lodging::new();
    let path = lodging.home.settings_path();
    lodging.put(&path, b"");
    let file = fs::File::options().write(true).open(&path).expect("a file");
    // A sparse file takes no space on the disk.
    file.set_len(1 << 40).expect("a sparse file");
    let trouble = lodging.home.settings().1.expect("it is too large");
    assert!(trouble.to_string().contains("too large"), "{trouble}");
    assert_eq!(lodging.names(), ["settings.damaged.ron"]);
}

#[cfg(unix)]
#[test]
fn saving_settings_preserves_symlink() {
    let lodging = Lodging::new();
    let home = &lodging.home;
    let real = lodging.folder.path().join("elsewhere.ron");
    fs::write(&real, "(brightness: 4)").expect("a file");
    fs::create_dir_all(home.config.path("")).expect("a folder");
    std::os::unix::fs::symlink(&real, home.settings_path()).expect("a link");
    assert_eq!(home.settings().0.brightness, 4);
    home.keep_settings(&unusual()).expect("settings");
    assert!(home.settings_path().is_symlink());
    let written: Settings = ron::de::from_bytes(&fs::read(&real).expect("it")).expect("settings");
    assert_eq!(written, unusual());
}

/// Checks that any bytes are either valid settings or kept aside unchanged.
fn check(bytes: &[u8]) {
    let lodging = Lodging::new();
    let home = &lodging.home;
    lodging.put(&home.settings_path(), bytes);
    let (settings, trouble) = home.settings();
    settings.validate().expect("returned settings are valid");
    let path = match &trouble {
        None => home.settings_path(),
        Some(Trouble::Damaged { aside, .. }) => aside.clone(),
        Some(other) => panic!("{other}"),
    };
    assert_eq!(fs::read(path).expect("nothing is lost"), bytes);
    assert_eq!(lodging.names().len(), 1);
    home.keep_settings(&settings).expect("they can be kept");
    assert_eq!(home.settings().0, settings);
}

proptest! {
    #[test]
    fn any_bytes_are_settings_or_kept_aside(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&bytes);
    }

    #[test]
    fn flipped_bits_are_settings_or_kept_aside(place in any::<prop::sample::Index>(), bit in 0..8) {
        let mut bytes = ron::to_string(&unusual()).expect("text").into_bytes();
        let place = place.index(bytes.len());
        bytes[place] ^= 1_u8 << bit;
        check(&bytes);
    }
}
