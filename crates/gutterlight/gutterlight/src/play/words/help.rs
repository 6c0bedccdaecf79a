//! How to play: the lessons of the opening, what every button does, and the page of help.

use gutterlight_rules::Direction;

use crate::play::{
    hud::lesson::{Lesson, SKIP},
    input::{bindings::Bindings, button::Button, control::Control},
};

/// What to do next, for whoever begins.
pub fn lesson(lesson: Lesson, bindings: &Bindings) -> String {
    let key = |control| bindings.key(control);
    let told = match lesson {
        Lesson::Walk => {
            let ways = Direction::STRAIGHT.map(|way| key(Control::Way(way)));
            format!("Walk along the corridor: {}, or click", ways.join(" "))
        }
        // It must frighten a little: nobody explains it.
        Lesson::Dark | Lesson::Done => return String::new(),
        Lesson::LightTorch => format!("{} lights the torch again", key(Control::Torch)),
        Lesson::SnuffTorch => format!(
            "Whoever carries light is seen. {} puts it out",
            key(Control::Torch)
        ),
        Lesson::Sneak => format!(
            "Steps are heard. Hold {} and walk: that is half as loud",
            key(Control::Sneak)
        ),
        Lesson::Look => format!(
            "Point with the mouse, or with the cursor (key {}): \
             it tells what is where, and who would see you there",
            key(Control::Look)
        ),
        Lesson::Explore => format!(
            "{} explores what is safe. {} tells the rest",
            key(Control::Explore),
            key(Control::Help)
        ),
    };
    match bindings.is_bound(SKIP) {
        true => told,
        false => format!("{told}\n(Backspace: skip the lesson)"),
    }
}

/// What a control does.
pub fn control(control: Control) -> String {
    let words = match control {
        Control::Way(way) => return format!("step {}", way.name()),
        Control::Slot(slot) => return format!("use, or aim, slot {}", slot + 1),
        Control::Run => "hold: run; with slot: throw",
        Control::Sneak => "hold: sneak; with slot: put down",
        Control::Peek => "hold: peek round a corner",
        Control::Wait => "wait",
        Control::Torch => "light or put out the torch",
        Control::Lamp => "put out or light a lamp beside",
        Control::Door => "open or close a door beside",
        Control::Take => "take what lies here",
        Control::Here => "take what is here, or the stairs",
        Control::Shove => "shove",
        Control::DropTorch => "let the torch fall",
        Control::ThrowTorch => "throw the torch",
        Control::Ember => "wrap or unwrap the Ember",
        Control::Explore => "explore, until anything happens",
        Control::Look => "look around with the cursor",
        Control::Cones => "hold: where guards would see you",
        Control::Map => "map",
        Control::Log => "what was said",
        Control::Help => "how to play",
        Control::Pause => "pause",
    };
    words.into()
}

/// What a button was for before it was bound to something else, and what is left for that.
pub fn robbed(button: &str, robbed: Control, left: &[String]) -> String {
    let what = control(robbed);
    match left {
        [] => format!("{button} was for: {what}. That has no key now."),
        left => format!("{button} was for: {what}. That has now: {}.", buttons(left)),
    }
}

/// How many letters of buttons' names there is room for.
const LINE: usize = 36;

/// The names of buttons, in a line.
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

/// What every button does.
pub fn legend(bindings: &Bindings) -> Vec<String> {
    let ways = Direction::ALL.map(|way| {
        let buttons = bindings.buttons(Control::Way(way));
        let names: Vec<String> = buttons.filter_map(Button::name).collect();
        format!("{:<14}{}", way.name(), self::buttons(&names))
    });
    let mut lines = vec!["Ways:".to_owned()];
    lines.extend(ways);
    lines.push(String::new());
    let others = Control::ALL.into_iter();
    let others = others.filter(|control| !matches!(control, Control::Way(_) | Control::Slot(1..)));
    lines.extend(others.map(|one| format!("{:<14}{}", bindings.key(one), control(one))));
    lines.push("mouse         point: what is it? click: go or throw there; right: stop".into());
    lines
}

/// What it is about; each line is wrapped to the page.
pub const HOW_TO_PLAY: &str = "\
The Ember lies on the fifth floor. Take it, and carry it out again.
You are seen where light falls on you, and heard as far as the rings go.
The gem at the lower left tells how lit you are: hidden, dim, lit, blazing.
Put out lamps, let your torch die, wait for lanterns to pass. But the dark costs \
nerve, and without nerve your steps are loud; light restores it.
To light your torch takes two beats and some fuel, and put out it still glows for a while.
Guards do not forget: a dark lamp is lit again, a missing comrade is looked for.
Walk into a guard who has not noticed you, or into any from behind, to take it down. \
Otherwise you fight: point at a guard to read how that would end.
The Ember shines. Wrapped in cloth it does not, but the cloth burns.";

/// What is seen over and around figures.
pub const SIGNS: &str = "\
? over a head: it has noticed something, and looks.
! over a head: it is after you.
A blue ring is a sound that you see made; an amber one, a sound from the dark: it stands where \
that was made, and words say which way that is.
What is blue and dim you remember: nobody is shown there.
On the panel: heart, health; hand, nerve; lungs, breath for running; flame, fuel of \
the torch; bag, treasure; roll, cloth.";
