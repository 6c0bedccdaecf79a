//! The signs on screen and what they mean, for the page *How to play*.

use gutterlight_assets::art::{Icon, Picture};
use gutterlight_rules::{AlertState, LightBand};

use super::{band, wrap::WIDE, wrap::wrapped};
use crate::play::{hud::part::Part, scene::figures::sign};

/// The alert states that have a sign over the guard. The others show no sign.
const OVER_GUARDS: [AlertState; 5] = [
    AlertState::Suspicious,
    AlertState::Investigating,
    AlertState::Searching,
    AlertState::Chasing,
    AlertState::Fleeing,
];

/// Headings of the page.
pub const OVER_A_GUARD: &str = "Over a guard:";
pub const ON_THE_PANEL: &str = "On the panel:";

/// The other signs, which are colors and shapes in the keep.
pub const SIGNS: &str = "\
A blue ring is a sound whose source you see. An amber ring is a sound out of the dark: it marks \
where the sound was made, and a caption gives its direction.
Dim blue is what you remember. Guards there are not shown.
An outline in the dark is a figure next to you: green is you, red is a guard. A pale outline is an item.
Orange stripes are cells in which a guard would see you now. A wedge in front of a guard shows where he looks.
On the map, triangles are stairs up and down, a cross is you, and a dot is a guard.";

/// A sign, and its meaning in lines for a wide page.
pub struct Explained {
    pub picture: Picture,
    pub lines: Vec<String>,
}

/// The signs over guards.
pub fn over_guards() -> Vec<Explained> {
    let states = OVER_GUARDS.into_iter();
    let states =
        states.filter_map(|state| Some(explained(sign(state, false)?, alert_state(state)?)));
    states.collect()
}

/// The signs of the panel, from left to right.
pub fn on_panel() -> Vec<Explained> {
    let bands = LightBand::ALL.map(|shade| {
        let meaning = format!("how lit you look to others: {}", band(shade));
        explained(Picture::of_band(shade), &meaning)
    });
    let parts = Part::PICTURED.into_iter();
    let parts = parts.filter_map(|part| Some(explained(part.picture()?, panel(part)?)));
    let bells = [
        (
            Icon::Bell,
            "at the top: an alarm bell of this floor that rings",
        ),
        (Icon::StillBell, "a bell that does not ring yet"),
    ];
    let bells = bells.map(|(bell, meaning)| explained(Picture::of_icon(bell), meaning));
    bands.into_iter().chain(parts).chain(bells).collect()
}

fn explained(picture: Picture, meaning: &str) -> Explained {
    Explained {
        picture,
        lines: wrapped(meaning, WIDE - 2),
    }
}

/// The meaning of the sign for an alert state. `None` for states without a sign.
const fn alert_state(state: AlertState) -> Option<&'static str> {
    match state {
        AlertState::Suspicious => Some("has noticed something, and stops to look"),
        AlertState::Investigating => Some("goes to look at the place that it noticed"),
        AlertState::Searching => Some("searches for you around that place, or where it lost you"),
        AlertState::Chasing => Some("is after you"),
        AlertState::Fleeing => Some("has seen you and runs for help: it does not fight"),
        AlertState::Calm | AlertState::Unconscious | AlertState::Dead => None,
    }
}

/// The meaning of the picture of a part of the panel. `None` for parts without one.
const fn panel(part: Part) -> Option<&'static str> {
    match part {
        Part::Health => Some("health"),
        Part::Nerve => Some(
            "nerve: the dark near guards wears it down, light restores it, and waiting away from guards restores a little",
        ),
        Part::Breath => Some("breath for running"),
        Part::Fuel => Some("torch fuel"),
        Part::Purse => Some("treasure"),
        Part::Cloth => Some("cloth for the Ember"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reported: the eye and the arrow over a guard had no explanation.
    #[test]
    fn every_sign_has_a_line() {
        let shown: Vec<Explained> = over_guards().into_iter().chain(on_panel()).collect();
        let says = |picture: Picture| {
            let mut lines = shown.iter().filter(|one| one.picture == picture);
            lines.any(|one| one.lines.iter().any(|line| !line.is_empty()))
        };
        let states: Vec<AlertState> = Icon::all()
            .filter_map(|icon| match icon {
                Icon::AlertState(state) => Some(state),
                _ => None,
            })
            .collect();
        assert_eq!(states.len(), 8);
        for state in states {
            for sees_you in [false, true] {
                if let Some(sign) = sign(state, sees_you) {
                    assert!(says(sign), "{state:?}");
                }
            }
        }
        for part in Part::PICTURED {
            assert!(part.picture().is_some_and(says));
        }
        for band in LightBand::ALL {
            assert!(says(Picture::of_band(band)), "{band:?}");
        }
    }
}
