//! What is pointed at, and what to do with it.

use lanternfell_stealth::{Action, Explanation, GuardKind, IVec2, View};

use super::things::{band, counted, odds, thing};
use crate::play::{
    input::{bindings::Bindings, control::Control},
    player::aim::Aim,
};

/// What is pointed at, and what to do with it.
pub fn pointed(view: View<'_>, bindings: &Bindings, aim: Option<Aim>, at: IVec2) -> String {
    let (yes, no) = (bindings.key(Control::Here), bindings.key(Control::Pause));
    let known = explanation(view, at, &view.explain(at));
    match aim {
        None => known,
        Some(Aim::Look) => format!("{known}\n{yes}: walk there   {no}: stop looking"),
        Some(Aim::Throw(missile)) => match view.check(missile.at(view, at)) {
            Ok(()) => {
                let pours = matches!(missile.at(view, at), Action::Use { .. });
                let does = if pours {
                    "pour it into the torch"
                } else {
                    "throw"
                };
                format!("{known}\n{yes}: {does}   {no}: keep it")
            }
            Err(refusal) => format!("{known}\n{refusal}"),
        },
    }
}

/// What the mouse points at.
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
            percent => format!(", {percent} % sure of you"),
        };
        parts.push(format!("{}, {state}{sure}", article(guard.kind)));
        parts.extend(view.odds(guard.id).map(odds));
    }
    parts.extend(known.item.map(thing));
    let fixture = view.memory(at).and_then(|memory| memory.fixture);
    parts.extend(fixture.map(|(kind, burning)| match burning {
        true => format!("{}, burning", kind.name()),
        false => format!("{}, dark", kind.name()),
    }));
    parts.extend(view.fire(at).then(|| "fire".to_owned()));
    parts.extend((view.smoke(at) > 0).then(|| "smoke".to_owned()));
    parts.extend(known.tile.map(|tile| tile.name().to_owned()));
    parts.push(match known.light {
        Some((light, shade)) => format!("light {light}: {} there", band(view.would_show(shade))),
        None if known.tile.is_none() => "unknown".into(),
        None => "remembered".into(),
    });
    let watchers = view.guards();
    let watchers = watchers.filter(|guard| known.watchers.contains(&guard.id));
    let mut kinds: Vec<(&str, u32)> = Vec::new();
    for name in watchers.map(|guard| guard.kind.name()) {
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
        parts.push(format!("seen there by {}", kinds.join(", ")));
    }
    parts.join("; ")
}

fn article(kind: GuardKind) -> String {
    format!("a {}", kind.name())
}
