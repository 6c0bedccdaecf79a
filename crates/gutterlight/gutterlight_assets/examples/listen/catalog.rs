//! What is shown, in which order, under which headings.

use gutterlight_assets::sound::{Cue, Scene, SoundName};
use gutterlight_rules::{Ground, Sound, Theme};

use crate::purpose::purpose;

/// Sounds under a heading.
pub struct Group {
    pub title: &'static str,
    pub about: &'static str,
    pub entries: Vec<Entry>,
}

/// One sound to be shown.
pub struct Entry {
    pub title: String,
    /// What it is for.
    pub purpose: String,
    /// Its files' name, without what tells their kind.
    pub file: String,
    pub heard: Heard,
}

/// How it is played.
pub enum Heard {
    /// One after the other, each of its own.
    Cues(Vec<Cue>),
    /// Together, each at its second.
    Together(Vec<(f32, Cue)>),
    /// It goes on.
    Scene(Scene),
}

/// The heading under which a sound stands.
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
        "The ground is told by ear. A run is heard farther than a walk, and a walk than a sneak.",
    ),
    (
        Kind::Things,
        "Doors, locks and stones",
        "What gives away where somebody is.",
    ),
    (Kind::Fire, "Fire", "Light that comes, goes, and bursts."),
    (Kind::Blows, "Blows", "A room away everyone knows of them."),
    (
        Kind::Voices,
        "Voices",
        "How loud a guard speaks tells how sure he is.",
    ),
    (
        Kind::Dark,
        "Beasts and the dark",
        "What is heard and not seen.",
    ),
    (
        Kind::Thief,
        "The thief",
        "Close by, and for the player alone.",
    ),
    (Kind::Fate, "Fate", "What ends or turns a game."),
    (
        Kind::Menus,
        "Menus",
        "Beside the game: soft, dry, in no room.",
    ),
];

/// Everything, in order.
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
        title: "What goes on",
        about: "Loops that never repeat, as loud as they are set at first. A quiet room lies under everything.",
        entries: scenes().into_iter().map(going_on).collect(),
    });
    groups.push(Group {
        title: "All at once",
        about: "What the limiter is for: nothing is above −1 dBTP.",
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

/// The thief's three gaits, four steps of each.
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
            purpose: "the gaits beside each other: half and twice as strong as a walk".to_owned(),
            file: String::new(),
            heard: Heard::Together((0..4).map(step).collect()),
        }
    })
}

#[rustfmt::skip]
fn scenes() -> [(&'static str, &'static str, Scene); 10] {
    let calm = Scene::default();
    [
        ("the cellars", "air, and a drop now and then", calm),
        ("the cistern", "water laps, drops fall", Scene { theme: Theme::Cistern, ..calm }),
        ("the chapel", "wind in a gap", Scene { theme: Theme::Chapel, ..calm }),
        ("the catacombs", "a deep rumble", Scene { theme: Theme::Catacombs, ..calm }),
        ("the sanctum", "the hum of the Ember", Scene { theme: Theme::Sanctum, ..calm }),
        ("a torch in the hand", "light, and everyone sees you", Scene { torch: 1.0, ..calm }),
        ("a torch that gutters", "fuel is nearly gone", Scene { torch: 1.0, guttering: 1.0, ..calm }),
        ("darkness", "nobody sees you, and something may be near", Scene { darkness: 1.0, ..calm }),
        ("alarm", "the keep is after you", Scene { alarm: 1.0, ..calm }),
        ("the heart", "no nerve is left", Scene { nerve: 0.0, ..calm }),
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

/// The bell, and everything that is loud, at the same moment.
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
        purpose: "the worst that the mixer can be asked for".to_owned(),
        file: String::new(),
        heard: Heard::Together(twice.collect()),
    }
}

/// A shout from left to right, and then from farther and farther away.
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
        purpose: "left, ahead, right; farther, far; and behind a door".to_owned(),
        file: String::new(),
        heard: Heard::Cues(cues),
    }
}

/// As a file is named.
fn slug(title: &str) -> String {
    let words = title
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
