//! Messages of the log about what happens.

use gutterlight_rules::{
    AlertState, Blackout, Direction, FixtureKind, GameEvent, GuardId, Hour, Item, SeenGuard, Sound,
    View, Who,
};

use super::things::{near, thing};
use crate::play::input::{bindings::Bindings, control::Control};

pub const NOT_ALONE: &str = "You cannot explore while a guard is in sight.";
pub const EXPLORED: &str = "There is nothing left to explore within reach.";
pub const NO_WAY: &str = "You know of no way there.";

/// The message of an event. `None` for events that are plain to see.
pub fn event(view: View<'_>, bindings: &Bindings, event: GameEvent) -> Option<String> {
    let sentence = match event {
        GameEvent::Heard {
            sound, steps, at, ..
        } => match sound {
            // A voice is reported by its own event.
            Sound::Voice(_) => return None,
            // The direction to the place of the sound, as its ring shows, not the direction in
            // which it arrives around corners.
            _ => heard(sound.name(), Direction::towards(view.thief().at, at), steps),
        },
        GameEvent::Unlocked { picked: true, .. } => "The lock gives way.".into(),
        GameEvent::Unlocked { picked: false, .. } => "The lock turns.".into(),
        GameEvent::Torch { lit: true } => "Your torch burns.".into(),
        GameEvent::Torch { lit: false } => "Your torch is out.".into(),
        GameEvent::TorchLow => "Your torch burns low.".into(),
        GameEvent::TorchSpent => "Your torch has burned out.".into(),
        GameEvent::Lamp { kind, burning, .. } => lamp(kind, burning),
        GameEvent::Fire { .. } => "Fire!".into(),
        GameEvent::Smoke { .. } => "Smoke billows out.".into(),
        GameEvent::Said { guard, bark } => said(view, guard, bark.words()),
        GameEvent::Took {
            item: Item::Prisoner,
        } => "You free the prisoner.".into(),
        GameEvent::Took { item } => format!("You take {}.", thing(item)),
        GameEvent::Dropped { item } => format!("You put down {}.", thing(item)),
        GameEvent::Threw { item, .. } => format!("You throw {}.", thing(item)),
        GameEvent::Used { tool } => format!("You use the {}.", tool.name()),
        GameEvent::Struck { by, whom, damage } => struck(view, by, whom, damage)?,
        GameEvent::Burnt {
            whom: Who::Thief, ..
        } => "The fire burns you.".into(),
        GameEvent::Burnt { whom, .. } => format!("{} burns.", capital(&name(view, whom))),
        GameEvent::Downed { guard, dead } => {
            let name = capital(&name(view, Who::Guard(guard)));
            let fate = if dead { "dies" } else { "slumps to the floor" };
            format!("{name} {fate}.")
        }
        GameEvent::Shoved { guard, .. } => {
            format!("You shove {}.", name(view, Who::Guard(guard)))
        }
        GameEvent::Healed { .. } => "You feel better.".into(),
        GameEvent::Nerve { gone: true } => "Your nerve is gone. Your hands shake.".into(),
        GameEvent::Nerve { gone: false } => "You can breathe again.".into(),
        GameEvent::Wrapped { wrapped: true } => "You wrap the Ember in cloth.".into(),
        GameEvent::Wrapped { wrapped: false } => "You unwrap the Ember. It shines.".into(),
        GameEvent::ClothBurnt => "The cloth burns away. The Ember shines.".into(),
        GameEvent::Entered { depth } => format!("You reach floor {}.", depth + 1),
        GameEvent::Learnt { perk } => format!("You have learned {}.", perk.name()),
        GameEvent::Twist { twist, stirs: true } => twist.on_stirring()?.into(),
        GameEvent::Twist { twist, .. } => twist.on_entering().into(),
        GameEvent::Alarm => "A bell. The whole keep wakes.".into(),
        GameEvent::Bells { bells, risen: true } => rung(bells).into(),
        GameEvent::Bells { bells: 0, .. } => "The last bell falls silent.".into(),
        GameEvent::Bells { .. } => "A bell falls silent.".into(),
        GameEvent::Night(Hour::Late) => {
            "The night grows old. At dawn, every bell will ring, and hunters will come.".into()
        }
        GameEvent::Night(Hour::Dawn) => {
            "Dawn. Every bell rings, and none will fall silent. Be out before full daylight.".into()
        }
        GameEvent::Blackout(stage) => blackout(stage, bindings),
        GameEvent::AlertState {
            alert_state: AlertState::Chasing,
            guard,
        } => format!("{} has seen you!", capital(&name(view, Who::Guard(guard)))),
        GameEvent::Moved { .. }
        | GameEvent::Blinked { .. }
        | GameEvent::Turned { .. }
        | GameEvent::Sounded { .. }
        | GameEvent::Band { .. }
        | GameEvent::AlertState { .. }
        | GameEvent::PerkOffered { .. }
        | GameEvent::Ended(_) => return None,
    };
    Some(sentence)
}

/// The message for a number of bells.
fn rung(bells: u8) -> &'static str {
    match bells {
        0 | 1 => "A bell rings. This floor is awake.",
        2 => "A second bell: they light the lamps.",
        3 => "A third bell: they walk in pairs.",
        _ => "The fourth bell: a hunter is coming.",
    }
}

fn heard(sound: &str, towards: Option<Direction>, steps: u16) -> String {
    let way = towards.map_or("around you", Direction::name);
    format!("You hear {sound}, {way}, {}.", near(steps))
}

fn lamp(kind: FixtureKind, burning: bool) -> String {
    let name = capital(kind.name());
    let now = if burning { "is lit" } else { "goes out" };
    format!("{name} {now}.")
}

fn said(view: View<'_>, guard: Option<GuardId>, words: &str) -> String {
    let seen = view.guards().find(|seen| Some(seen.id) == guard);
    let who = seen.map_or("A voice".to_owned(), |seen| {
        format!("The {}", seen.kind.name())
    });
    format!("{who}: \"{words}\"")
}

fn struck(view: View<'_>, by: Who, whom: Who, damage: i16) -> Option<String> {
    Some(match (by, damage) {
        (Who::Thief, 0) => format!("You miss {}.", name(view, whom)),
        (Who::Thief, _) => format!("You hit {}.", name(view, whom)),
        (_, 0) if whom == Who::Thief => format!("{} misses you.", capital(&name(view, by))),
        _ if whom == Who::Thief => format!("{} hits you for {damage}.", capital(&name(view, by))),
        _ => return None,
    })
}

fn blackout(stage: Blackout, bindings: &Bindings) -> String {
    let message = match stage {
        Blackout::Gutters => "Your torch gutters.",
        Blackout::Out => "It goes out. Everything is dark.",
        Blackout::Silence => "Silence.",
        Blackout::Noise => "And then you hear a noise.",
        Blackout::Nearer => "Again. Nearer.",
        Blackout::Glow => "Light spills in ahead.",
        Blackout::Over => {
            let key = bindings.key(Control::Torch);
            return format!("The wick is dry again ({key}).");
        }
    };
    message.into()
}

fn name(view: View<'_>, who: Who) -> String {
    let Who::Guard(id) = who else {
        return "you".into();
    };
    let seen = view.guards().find(|guard: &SeenGuard| guard.id == id);
    seen.map_or("someone".into(), |guard| format!("the {}", guard.name()))
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
