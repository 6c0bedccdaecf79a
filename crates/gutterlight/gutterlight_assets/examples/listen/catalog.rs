//! The sounds on the page, in order and in groups.

use gutterlight_assets::sound::{Cue, Scene, SoundName};
use gutterlight_rules::{Ground, Sound, Theme};

use crate::purpose::purpose;

/// A group of sounds under a heading.
pub struct Group {
    pub title: &'static str,
    pub about: &'static str,
    pub entries: Vec<Entry>,
}

/// A sound on the page.
pub struct Entry {
    pub title: String,
    /// What the sound is for.
    pub purpose: String,
    /// The base name of its files, without the extension.
    pub file: String,
    pub heard: Heard,
}

/// How the sound is played.
pub enum Heard {
    /// One after the other, as separate takes.
    Cues(Vec<Cue>),
    /// Together, each at its time in seconds.
    Together(Vec<(f32, Cue)>),
    /// A loop.
    Scene(Scene),
}

/// The heading of a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Steps,
    Things,
    Fire,
    Blows,
    Voices,
    Dark,
    Thief,
    Fate,
    Menus,
}

const KINDS: [(Kind, &str, &str); 9] = [
    (
        Kind::Steps,
        "Steps",
        "Each ground has its own sound. Running carries farther than walking, and walking farther than sneaking.",
    ),
    (
        Kind::Things,
        "Doors, locks and stones",
        "Sounds that give away a position.",
    ),
    (Kind::Fire, "Fire", "Flames that catch, go out and burst."),
    (
        Kind::Blows,
        "Blows",
        "Heard by everyone within a room's distance.",
    ),
    (
        Kind::Voices,
        "Voices",
        "The louder a guard speaks, the surer he is.",
    ),
    (Kind::Dark, "Beasts and the dark", "Heard, but not seen."),
    (
        Kind::Thief,
        "The thief",
        "Close by, and only for the player.",
    ),
    (Kind::Fate, "Fate", "Turning points and endings."),
    (Kind::Menus, "Menus", "Soft and dry, without reverb."),
];

/// All groups, in order.
pub fn groups() -> Vec<Group> {
    let mut groups: Vec<Group> = KINDS
        .into_iter()
        .map(|(kind, title, about)| Group {
            title,
            about,
            entries: SoundName::all()
                .filter(|&name| kind_of(name) == kind)
                .map(entry)
                .collect(),
        })
        .collect();
    groups[0].entries.extend(gaits());
    groups.push(Group {
        title: "Loops",
        about: "Loops never repeat. Played at the default volumes, each with the quiet room tone underneath.",
        entries: scenes().into_iter().map(going_on).collect(),
    });
    groups.push(Group {
        title: "All at once",
        about: "Tests of the limiter: nothing exceeds −1 dBTP.",
        entries: vec![uproar(), sides()],
    });
    for (number, entry) in groups
        .iter_mut()
        .flat_map(|group| &mut group.entries)
        .enumerate()
    {
        entry.file = format!("{number:02}-{}", slug(&entry.title));
    }
    groups
}

fn entry(name: SoundName) -> Entry {
    let variations = 0..name.terms().variations;
    Entry {
        title: title(name),
        purpose: purpose(name).to_owned(),
        file: String::new(),
        heard: Heard::Cues(
            variations
                .map(|number| Cue::new(name).variation(number))
                .collect(),
        ),
    }
}

fn kind_of(name: SoundName) -> Kind {
    match name {
        SoundName::World(sound) => match sound {
            Sound::Steps(_) | Sound::Paws => Kind::Steps,
            Sound::Door
            | Sound::Curtain
            | Sound::Lock
            | Sound::Shutter
            | Sound::Glass
            | Sound::Pebble => Kind::Things,
            Sound::Flame | Sound::Hiss | Sound::Burst => Kind::Fire,
            Sound::Fight | Sound::Fall => Kind::Blows,
            Sound::Voice(_) | Sound::Call => Kind::Voices,
            Sound::Howl | Sound::Something => Kind::Dark,
        },
        SoundName::Hurt
        | SoundName::Heal
        | SoundName::PickUp
        | SoundName::Coin
        | SoundName::Key
        | SoundName::Wrap
        | SoundName::Blink
        | SoundName::Throw
        | SoundName::NerveGone => Kind::Thief,
        SoundName::PerkLearnt
        | SoundName::EmberTaken
        | SoundName::Alarm
        | SoundName::Death
        | SoundName::Victory => Kind::Fate,
        SoundName::MenuMove
        | SoundName::MenuChoose
        | SoundName::MenuBack
        | SoundName::MenuRefuse => Kind::Menus,
    }
}

fn title(name: SoundName) -> String {
    match name {
        SoundName::World(Sound::Steps(ground)) => format!("a step on {}", word(ground)),
        SoundName::World(Sound::Voice(bark)) => format!("“{}”", bark.words()),
        _ => name.caption().to_owned(),
    }
}

fn word(ground: Ground) -> &'static str {
    match ground {
        Ground::Stone => "stone",
        Ground::Carpet => "carpet",
        Ground::Gravel => "gravel",
        Ground::Water => "water",
        Ground::Earth => "earth",
    }
}

/// The thief's three gaits, four steps each.
fn gaits() -> impl Iterator<Item = Entry> {
    let gaits = [
        ("sneaked", 0.5, 0.8),
        ("walked", 1.0, 0.4),
        ("run", Cue::STRONGEST, 0.2),
    ];
    gaits.into_iter().map(|(word, gain, apart)| {
        let step = |number: u8| {
            let cue = Cue::new(Sound::Steps(Ground::Stone)).gain(gain);
            (apart * f32::from(number), cue.variation(number.into()))
        };
        Entry {
            title: format!("four steps on stone, {word}"),
            purpose: "compares the gaits: half and twice the strength of a walk".to_owned(),
            file: String::new(),
            heard: Heard::Together((0..4).map(step).collect()),
        }
    })
}

#[rustfmt::skip]
fn scenes() -> [(&'static str, &'static str, Scene); 10] {
    let calm = Scene::default();
    [
        ("the cellars", "air, and an occasional drop", calm),
        ("the cistern", "water laps, drops fall", Scene { theme: Theme::Cistern, ..calm }),
        ("the chapel", "wind through a gap", Scene { theme: Theme::Chapel, ..calm }),
        ("the catacombs", "a deep rumble", Scene { theme: Theme::Catacombs, ..calm }),
        ("the sanctum", "the hum of the Ember", Scene { theme: Theme::Sanctum, ..calm }),
        ("a torch in the hand", "you have light, and everyone sees you", Scene { torch: 1.0, ..calm }),
        ("a torch that gutters", "the fuel is nearly gone", Scene { torch: 1.0, guttering: 1.0, ..calm }),
        ("darkness", "nobody sees you, but something may be near", Scene { darkness: 1.0, ..calm }),
        ("alarm", "the keep is after you", Scene { alarm: 1.0, ..calm }),
        ("the heart", "your nerve is gone", Scene { nerve: 0.0, ..calm }),
    ]
}

fn going_on((title, purpose, scene): (&str, &str, Scene)) -> Entry {
    Entry {
        title: title.to_owned(),
        purpose: purpose.to_owned(),
        file: String::new(),
        heard: Heard::Scene(scene),
    }
}

/// The alarm bell and other loud sounds, all at the same time.
fn uproar() -> Entry {
    let loud = [
        SoundName::Alarm,
        Sound::Burst.into(),
        Sound::Fight.into(),
        Sound::Call.into(),
        Sound::Howl.into(),
        Sound::Glass.into(),
        Sound::Fall.into(),
        SoundName::Hurt,
    ];
    let twice = (0..16).map(|number: u32| {
        let cue = Cue::new(loud[number as usize % loud.len()]);
        (0.0, cue.variation(number / 8))
    });
    Entry {
        title: "sixteen of the loudest".to_owned(),
        purpose: "the worst case for the mixer".to_owned(),
        file: String::new(),
        heard: Heard::Together(twice.collect()),
    }
}

/// A shout from left to right, then from increasing distances, and through a door.
fn sides() -> Entry {
    let shout = |pan, distance| Cue {
        pan,
        distance,
        ..Cue::new(Sound::Call)
    };
    let places = [(-1.0, 2.0), (0.0, 2.0), (1.0, 2.0), (0.0, 8.0), (0.0, 20.0)];
    let mut cues: Vec<Cue> = places.map(|(pan, distance)| shout(pan, distance)).into();
    cues.push(shout(0.0, 8.0).muffled(1.0));
    Entry {
        title: "a shout from everywhere".to_owned(),
        purpose: "left, ahead, right; at a distance, far away; behind a door".to_owned(),
        file: String::new(),
        heard: Heard::Cues(cues),
    }
}

/// Converts a title to a file name.
fn slug(title: &str) -> String {
    let words = title
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
