//! Single sounds, as the thief hears them.
//!
//! Each moment has one sound. If the rules report both an action and the sound that guards hear, the latter is played,
//! because it has a position and a loudness. If that sound is a mere rustle, the sound of the action is played instead:
//! coins, a key, the Ember.

use bevy::prelude::*;
use gutterlight_assets::sound::{Cue, SoundName};
use gutterlight_rules::{
    Blackout, Direction, Ending, GameEvent, Ground, Item, Sound, Tool, View, Who, steps_between,
};

use crate::play::{
    game::{Game, GameSystems, Happened, Refused},
    sound::{ambience::Ambience, scene},
};

/// The detour of a sound, in cells, at which it sounds like it comes through a closed door. In the rules, ways around
/// corners and through doors are longer too.
const DETOUR: f32 = 8.0;

/// The gain of minor actions: a refusal, cloth, a flame that catches.
const SOFT: f32 = 0.5;

/// The gain of the quietest step relative to walking on stone.
const FAINTEST: f32 = 0.2;

/// The maximum distance of a guard from the position of its voice.
const STRAYED: u32 = 2;

/// A sound to play.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub struct Audible {
    /// The sound.
    pub cue: Cue,
    /// The direction. `None` if it is at the thief, or comes from all around.
    pub way: Option<Direction>,
    /// Whether it has a caption. Sounds of key presses do not.
    pub captioned: bool,
}

/// A sound of the menu.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interface {
    /// Moved to another row.
    Move,
    /// Chose a row.
    Choose,
    /// Closed a page.
    Back,
    /// Something is not possible.
    Refuse,
}

/// The systems that collect the sounds of a frame.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Heard;

pub fn plugin(app: &mut App) {
    app.add_message::<Audible>()
        .add_message::<Interface>()
        .add_systems(
            Update,
            (
                play.run_if(on_message::<Happened>),
                click.run_if(on_message::<Interface>.or_else(on_message::<Refused>)),
            )
                .after(scene::follow)
                .in_set(Heard)
                .in_set(GameSystems::Show),
        );
}

fn play(
    game: Res<Game>,
    ambience: Res<Ambience>,
    mut happened: MessageReader<Happened>,
    mut heard: MessageWriter<Audible>,
) {
    let events = happened.read().map(|event| event.0);
    if !ambience.hushed && !ambience.demo {
        heard.write_batch(all(game.view(), events));
    }
}

fn click(
    mut done: MessageReader<Interface>,
    mut refused: MessageReader<Refused>,
    mut heard: MessageWriter<Audible>,
) {
    for done in done.read() {
        heard.write(Audible::uncaptioned(Cue::new(match done {
            Interface::Move => SoundName::MenuMove,
            Interface::Choose => SoundName::MenuChoose,
            Interface::Back => SoundName::MenuBack,
            Interface::Refuse => SoundName::MenuRefuse,
        })));
    }
    for _ in refused.read() {
        let knock = Cue::new(SoundName::MenuRefuse).gain(SOFT);
        heard.write(Audible::uncaptioned(knock));
    }
}

impl Audible {
    /// A sound of the thief, or from everywhere.
    fn own(cue: Cue) -> Self {
        Self {
            cue,
            way: None,
            captioned: true,
        }
    }

    fn uncaptioned(cue: Cue) -> Self {
        Self {
            captioned: false,
            ..Self::own(cue)
        }
    }
}

/// The sounds of the events of a turn. Fire that spreads to several cells makes one sound. Equal sounds from the same
/// position, such as blows of two guards, are played once, since playing them twice would only be louder.
fn all(
    view: View<'_>,
    events: impl IntoIterator<Item = GameEvent>,
) -> impl Iterator<Item = Audible> {
    let mut burns = false;
    let news = events.into_iter().filter(move |event| match event {
        GameEvent::Fire { .. } => !std::mem::replace(&mut burns, true),
        _ => true,
    });
    let mut heard = Vec::new();
    let sounds = news.filter_map(move |event| one(view, event));
    sounds.filter(move |sound| {
        let is_new = !heard.contains(sound);
        heard.push(*sound);
        is_new
    })
}

/// The sound of an event at the thief's position after the turn. `None` if it is silent, or if another event of the
/// same moment has the sound.
fn one(view: View<'_>, event: GameEvent) -> Option<Audible> {
    let cue = match event {
        GameEvent::Heard {
            sound, steps, at, ..
        } => return Some(unseen(view, sound, steps, at)),
        GameEvent::Sounded { sound, at, reach } => return seen(view, sound, at, reach),
        GameEvent::Fire { at } => {
            let cue = Cue::new(Sound::Flame).gain(SOFT);
            return Some(from(view, cue, at));
        }
        // Stairs.
        GameEvent::Entered { .. } => {
            return Some(Audible::uncaptioned(Cue::new(Sound::Steps(Ground::Stone))));
        }
        GameEvent::Took { item } => Cue::new(match item {
            Item::Treasure(_) => SoundName::Coin,
            Item::Key => SoundName::Key,
            Item::Ember => SoundName::EmberTaken,
            Item::Tool(_) | Item::Torch(_) | Item::Cloth(_) | Item::Prisoner => SoundName::PickUp,
        }),
        GameEvent::Dropped { .. }
        | GameEvent::Used {
            tool: Tool::DarkCloak,
        } => Cue::new(Sound::Curtain).gain(SOFT),
        GameEvent::Struck {
            whom: Who::Thief,
            damage: 1..,
            ..
        }
        | GameEvent::Burnt {
            whom: Who::Thief, ..
        } => Cue::new(SoundName::Hurt),
        GameEvent::TorchSpent | GameEvent::Blackout(Blackout::Out) => {
            Cue::new(Sound::Hiss).gain(SOFT)
        }
        GameEvent::ClothBurnt => Cue::new(Sound::Flame).gain(SOFT),
        GameEvent::Blinked { .. } => Cue::new(SoundName::Blink),
        GameEvent::Threw { .. } => Cue::new(SoundName::Throw),
        GameEvent::Healed { .. } => Cue::new(SoundName::Heal),
        GameEvent::Nerve { gone: true } => Cue::new(SoundName::NerveGone),
        GameEvent::Wrapped { .. } => Cue::new(SoundName::Wrap),
        GameEvent::Learnt { .. } => Cue::new(SoundName::PerkLearnt),
        GameEvent::Alarm | GameEvent::Night(_) | GameEvent::Bells { risen: true, .. } => Cue::new(SoundName::Alarm),
        GameEvent::Ended(Ending::Escaped | Ending::Rescued | Ending::TurnedBack) => {
            Cue::new(SoundName::Victory)
        }
        GameEvent::Ended(Ending::Slain(_) | Ending::Burnt | Ending::GaveUp | Ending::Caught) => {
            Cue::new(SoundName::Death)
        }
        // Steps, doors, locks, torches, lamps, smoke, speech, blows and falls are reported as `Sounded` or `Heard`.
        GameEvent::Moved { .. }
        | GameEvent::Turned { .. }
        | GameEvent::Unlocked { .. }
        | GameEvent::Torch { .. }
        | GameEvent::Lamp { .. }
        | GameEvent::Smoke { .. }
        | GameEvent::Said { .. }
        | GameEvent::Struck { .. }
        | GameEvent::Burnt { .. }
        | GameEvent::Downed { .. }
        | GameEvent::Shoved { .. }
        // Salve and scroll have events of their own. Oil and the ear trumpet are silent.
        | GameEvent::Used { .. }
        // These are covered by loops and silence,
        | GameEvent::TorchLow
        | GameEvent::Band { .. }
        | GameEvent::Nerve { gone: false }
        | GameEvent::Twist { .. }
        | GameEvent::Bells { risen: false, .. }
        | GameEvent::Blackout(
            Blackout::Gutters
            | Blackout::Silence
            | Blackout::Noise
            | Blackout::Nearer
            | Blackout::Glow
            | Blackout::Over,
        )
        // and these are only visible.
        | GameEvent::AlertState { .. }
        | GameEvent::PerkOffered { .. } => return None,
    };
    Some(Audible::own(cue))
}

/// A sound with an unseen source, from the position of its ring.
fn unseen(view: View<'_>, sound: Sound, steps: u16, at: IVec2) -> Audible {
    let towards = Direction::towards(view.thief().at, at);
    let away = (at - view.thief().at).abs();
    // The distance as in the rules: a diagonal step is 1.4.
    let straight = away.max_element() as f32 + 0.4 * away.min_element() as f32;
    let detour = f32::from(steps) - straight;
    let cue = Cue::new(sound)
        .towards(towards, steps)
        .muffled((detour / DETOUR).clamp(0.0, 1.0))
        .variation(chance(view, at));
    // An unseen voice must not reveal whose it is.
    let voice = matches!(sound, Sound::Voice(_) | Sound::Call);
    Audible {
        cue: if voice { cue.variation(0) } else { cue },
        way: towards,
        captioned: true,
    }
}

/// A sound made by the thief, or by a visible source.
fn seen(view: View<'_>, sound: Sound, at: IVec2, reach: u16) -> Option<Audible> {
    let own = at == view.thief().at;
    match sound {
        // Taking, dropping and wrapping rustle. Their own events have the sound.
        Sound::Curtain if own => None,
        Sound::Steps(_) if own => {
            let walk = f32::from(view.rules().noise.walk.max(1));
            let loud = 10.0 * f32::from(reach) / walk;
            let cue = Cue::new(sound).gain(loud.clamp(FAINTEST, 1.0));
            Some(Audible::uncaptioned(cue.variation(chance(view, at))))
        }
        Sound::Voice(_) | Sound::Call => {
            let near = |id: &(u32, u8)| id.0 <= STRAYED;
            let guards = view
                .guards()
                .map(|guard| (steps_between(guard.at, at), guard.id));
            let speaker = guards.filter(near).min().map_or(0, |(_, id)| id);
            // A visible speaker has a speech bubble.
            let audible = from(view, Cue::new(sound).variation(speaker.into()), at);
            Some(Audible {
                captioned: speaker == 0,
                ..audible
            })
        }
        _ => Some(from(view, Cue::new(sound).variation(chance(view, at)), at)),
    }
}

/// A sound from a cell.
fn from(view: View<'_>, cue: Cue, at: IVec2) -> Audible {
    let thief = view.thief().at;
    Audible {
        cue: cue.at_offset(at - thief),
        way: Direction::towards(thief, at),
        captioned: true,
    }
}

/// The variation. It differs by time and position, and is the same in every replay.
fn chance(view: View<'_>, at: IVec2) -> u32 {
    let place = (at.x as u32).wrapping_mul(31) ^ (at.y as u32).wrapping_mul(17);
    view.tick().wrapping_add(place)
}

#[cfg(test)]
mod tests;
