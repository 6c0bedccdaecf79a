//! The text about the cell under the cursor.

use gutterlight_rules::{
    Action, Explanation, FixtureKind, IVec2, SeenGuard, Tool, View, steps_between,
};

use super::things::{band, counted, odds, thing};
use crate::play::{
    input::{bindings::Bindings, control::Control},
    player::aim::{Aim, Missile, hung_on, meant},
};

/// The message for a click on a cell that was never seen.
pub const UNKNOWN: &str = "You do not know what is there.";

/// Describes the cell under the cursor and the available actions.
pub fn pointed(view: View<'_>, bindings: &Bindings, aim: Option<Aim>, at: IVec2) -> String {
    let (yes, no) = (bindings.key(Control::Here), bindings.key(Control::Pause));
    let known = explanation(view, at, &view.explain(at));
    match aim {
        None => known,
        Some(Aim::Look) => format!("{known}\n{yes}: walk there   {no}: stop looking"),
        Some(Aim::Throw(missile)) => {
            let reach = aimed(view, missile, at);
            let throw = missile.at(view, meant(view, at));
            match view.check(throw) {
                Ok(()) => {
                    let does = done(view, missile, throw);
                    format!("{reach}: {known}\n{yes}: {does}   {no}: cancel")
                }
                Err(refusal) => format!("{reach}: {known}\n{refusal}   {no}: cancel"),
            }
        }
    }
}

/// The aimed item, its distance and its range.
fn aimed(view: View<'_>, missile: Missile, at: IVec2) -> String {
    let name = missile.tool(view).map_or("torch", Tool::name);
    let steps = steps_between(view.thief().at, meant(view, at));
    format!("{name}, {steps} of {} steps", view.rules().thief.throw)
}

/// The effect of the throw.
fn done(view: View<'_>, missile: Missile, throw: Action) -> &'static str {
    match (throw, missile.tool(view)) {
        (Action::Use { .. }, Some(Tool::WaterVial)) => "pour it over the cloth",
        (Action::Use { .. }, _) => "pour it into the torch",
        _ => "throw",
    }
}

/// Describes a cell.
fn explanation(view: View<'_>, at: IVec2, known: &Explanation) -> String {
    let mut parts = Vec::new();
    if let Some(guard) = &known.guard {
        let state = if guard.asleep {
            "asleep"
        } else {
            guard.alert_state.name()
        };
        let sure = match guard.awareness {
            0 => String::new(),
            percent => format!(", {percent}% sure of you"),
        };
        parts.push(format!("{}, {state}{sure}", article(guard)));
        parts.extend(view.odds(guard.id).map(odds));
    }
    parts.extend(known.item.map(thing));
    let fixture = |at| view.memory(at).and_then(|memory| memory.fixture);
    parts.extend(fixture(at).map(lamp));
    parts.extend(hung_on(view, at).and_then(fixture).map(lamp));
    parts.extend(view.fire(at).then(|| "fire".to_owned()));
    parts.extend((view.smoke(at) > 0).then(|| "smoke".to_owned()));
    parts.extend(known.tile.map(|tile| tile.name().to_owned()));
    parts.push(match known.light {
        Some((light, shade)) => format!(
            "light {light}: you would be {}",
            band(view.would_show(shade))
        ),
        None if known.tile.is_none() => "unknown".into(),
        None => "remembered".into(),
    });
    let watchers = view.guards();
    let watchers = watchers.filter(|guard| known.watchers.contains(&guard.id));
    let mut kinds: Vec<(&str, u32)> = Vec::new();
    for name in watchers.map(|guard| guard.name()) {
        match kinds.iter_mut().find(|(other, _)| *other == name) {
            Some((_, number)) => *number += 1,
            None => kinds.push((name, 1)),
        }
    }
    if !kinds.is_empty() {
        let kinds: Vec<String> = kinds
            .iter()
            .map(|(name, number)| counted(*number, name))
            .collect();
        parts.push(format!("in sight of {}", kinds.join(", ")));
    }
    parts.join("; ")
}

/// A lamp, and whether it burns as far as the thief knows.
fn lamp((kind, burning): (FixtureKind, bool)) -> String {
    match burning {
        true => format!("{}, burning", kind.name()),
        false => format!("{}, dark", kind.name()),
    }
}

fn article(guard: &SeenGuard) -> String {
    format!("a {}", guard.name())
}
