//! The lessons of the opening, the names of controls, and the help page.

use gutterlight_rules::Direction;

use crate::play::{
    hud::lesson::{Lesson, SKIP},
    input::{bindings::Bindings, control::Control},
};

/// The instruction of a lesson. Empty if the lesson has none.
pub fn lesson(lesson: Lesson, bindings: &Bindings) -> String {
    let key = |control| bindings.key(control);
    let instruction = match lesson {
        Lesson::Walk => {
            let ways = Direction::STRAIGHT.map(|way| key(Control::Way(way)));
            format!("Walk down the corridor: {}, or click", ways.join(" "))
        }
        // This moment is meant to be frightening, so there is no explanation.
        Lesson::Dark | Lesson::Done => return String::new(),
        Lesson::LightTorch => format!("{} relights the torch", key(Control::Torch)),
        Lesson::SnuffTorch => format!(
            "Your torch gives you away. {} puts it out",
            key(Control::Torch)
        ),
        Lesson::Sneak => format!(
            "Guards hear your steps. Hold {} to sneak: half as loud",
            key(Control::Sneak)
        ),
        Lesson::Look => format!(
            "Point with the mouse, or with the cursor ({}), \
             to see what is there and who would see you",
            key(Control::Look)
        ),
        Lesson::Explore => format!(
            "{} explores safe ground. {} explains the rest",
            key(Control::Explore),
            key(Control::Help)
        ),
    };
    match bindings.is_bound(SKIP) {
        true => instruction,
        false => format!("{instruction}\n(Backspace: skip the lesson)"),
    }
}

/// The name of a control.
pub fn control(control: Control) -> String {
    let words = match control {
        Control::Way(way) => return format!("step {}", way.name()),
        Control::Slot(slot) => return format!("use or aim slot {}", slot + 1),
        Control::Run => "hold: run; with a slot: throw",
        Control::Sneak => "hold: sneak; with a slot: drop",
        Control::Peek => "hold: peek around a corner",
        Control::Wait => "wait",
        Control::Torch => "light or snuff the torch",
        Control::Lamp => "light or douse a lamp beside you",
        Control::Door => "open or close a door beside you",
        Control::Take => "pick up",
        Control::Here => "pick up, or take the stairs",
        Control::Shove => "shove",
        Control::DropTorch => "drop the torch",
        Control::ThrowTorch => "throw the torch",
        Control::Ember => "wrap or unwrap the Ember",
        Control::Explore => "explore until something happens",
        Control::Look => "look around with the cursor",
        Control::Cones => "hold: where guards would see you",
        Control::Map => "map",
        Control::Log => "messages",
        Control::Help => "how to play",
        Control::Pause => "pause",
    };
    words.into()
}

/// The message after binding a button that another control had: the key that this control got instead, or the buttons
/// that it still has.
pub fn moved(button: &str, from: Control, instead: Option<&str>, left: &[String]) -> String {
    let what = control(from);
    match (instead, left) {
        (Some(key), _) => format!("{button} was bound to: {what} (now {key} instead)."),
        (None, left) => format!(
            "{button} was bound to: {what} (now only: {}).",
            buttons(left)
        ),
    }
}

/// The maximum length of a list of buttons, in characters.
const LINE: usize = 36;

/// The names of buttons, in one line.
pub fn buttons(names: &[String]) -> String {
    match names {
        [] => "-".into(),
        [first, others @ ..] => {
            let mut line = first.clone();
            for name in others {
                if line.len() + name.len() > LINE {
                    return line + ", ...";
                }
                line = format!("{line}, {name}");
            }
            line
        }
    }
}

/// The list of all controls and their buttons.
pub fn legend(bindings: &Bindings) -> Vec<String> {
    let ways = Direction::ALL.map(|way| {
        let names = bindings.names(Control::Way(way));
        format!("{:<14}{}", way.name(), buttons(&names))
    });
    let mut lines = vec!["Directions:".to_owned()];
    lines.extend(ways);
    lines.push(String::new());
    let others = Control::ALL.into_iter();
    let others = others.filter(|control| !matches!(control, Control::Way(_) | Control::Slot(1..)));
    lines.extend(others.map(|one| format!("{:<14}{}", bindings.key(one), control(one))));
    lines.push("mouse         point: look; click: go or throw there; right click: stop".into());
    lines
}

/// The help text. Each line is wrapped to the width of the page.
pub const HOW_TO_PLAY: &str = "\
The Ember lies on the fifth floor. Take it, and carry it back out.
Guards see you where light falls on you, and hear you as far as your rings reach.
The gem at the lower left shows how lit you are: hidden, dim, lit or blazing.
Douse lamps, snuff your torch, wait for lanterns to pass. But the dark near guards wears down \
your nerve, and without nerve your steps are loud. Light restores it, and waiting in the dark \
away from guards restores a little.
Lighting your torch takes two beats and some fuel. Once snuffed, it glows for a while.
Guards do not forget. They relight dark lamps and look for missing comrades.
Walk into a guard who has not noticed you, or into any guard from behind, for a takedown. \
Otherwise you fight: point at a guard to read your odds.
The Ember shines. Wrapped in cloth it does not, but the cloth burns away.
The night is long, but it ends. You are warned 1000 beats before dawn. At dawn every bell rings \
for good, and one hunter after another comes for you. 1000 beats later, in full daylight, you \
are caught.";
