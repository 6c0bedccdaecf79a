//! Every sentence of the game, in one place, ready to be translated.

use std::path::Path;

use gutterlight_assets::sound::SoundName;
use lanternfell_stealth::{
    Action, AlertState, Blackout, Difficulty, Direction, Ending, Explanation, FixtureKind,
    GameEvent, GuardId, GuardKind, IVec2, Item, LightBand, Perk, SeenGuard, Sound, Tool, Torch,
    View, Who,
};

use crate::home::Score;
use crate::play::{
    hud::{
        lessons::{Lesson, SKIP},
        status::Part,
    },
    input::{bindings::Bindings, button::Button, control::Control},
    menu::setting::Setting,
    player::cursor::Aim,
    sound::loops::Loop,
};

/// The line at the top: where one is, and since when.
pub fn place(view: View<'_>) -> String {
    let (floor, name) = (view.depth() + 1, view.theme().name());
    let (turn, seed) = (view.turn(), view.seed());
    let difficulty = view.difficulty().name();
    format!("{floor}. {name}    turn {turn}    keep {seed}, {difficulty}")
}

/// While someone else plays.
pub const WATCHING: &str = "press a key to take over";

/// A band as a word.
pub fn band(band: LightBand) -> &'static str {
    match band {
        LightBand::Hidden => "hidden",
        LightBand::Dim => "dim",
        LightBand::Lit => "lit",
        LightBand::Blazing => "blazing",
    }
}

/// What a perk is, in a few words.
pub fn perk(perk: Perk) -> &'static str {
    match perk {
        Perk::LightFeet => "your steps are quieter",
        Perk::CatEyes => "you make out more in the dark",
        Perk::SlowBurn => "your torch lasts longer",
        Perk::IronNerve => "the dark costs you less nerve",
        Perk::DeepPockets => "a fourth slot for tools",
        Perk::SoftHands => "takedowns make no sound",
        Perk::ThickSkin => "more health",
        Perk::WetCloth => "cloth wraps the Ember for longer",
    }
}

/// The last words, line by line.
pub fn ending(view: View<'_>, ending: Ending) -> Vec<String> {
    let cause = match ending {
        Ending::Escaped => "You are out, and the Ember is yours.".to_owned(),
        Ending::Slain(kind) => format!("A {} has killed you.", kind.name()),
        Ending::Burnt => "You have burnt to death.".to_owned(),
    };
    let tally = view.tally();
    vec![
        cause,
        String::new(),
        format!("score {}", view.score()),
        format!(
            "floor {} of keep {} ({}), after {}",
            view.depth() + 1,
            view.seed(),
            view.difficulty().name(),
            counted(view.turn(), "turn"),
        ),
        format!(
            "seen {}, {}",
            times(tally.times_seen),
            counted(tally.takedowns, "takedown")
        ),
    ]
}

/// A number of things.
fn counted(number: u32, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}

/// How often.
fn times(number: u32) -> String {
    match number {
        0 => "never".into(),
        1 => "once".into(),
        number => format!("{number} times"),
    }
}

/// What is pointed at, and what to do with it.
pub fn pointed(view: View<'_>, bindings: &Bindings, aim: Option<Aim>, at: IVec2) -> String {
    let (yes, no) = (bindings.key(Control::Here), bindings.key(Control::Pause));
    let known = explanation(view, at, &view.explain(at));
    match aim {
        None => known,
        Some(Aim::Look) => format!("{known}\n{yes}: walk there   {no}: stop looking"),
        Some(Aim::Throw(missile)) => match view.check(missile.at(at)) {
            Ok(()) => format!("{known}\n{yes}: throw   {no}: keep it"),
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

/// What happened, as a sentence; none for what is plain to see.
pub fn event(view: View<'_>, bindings: &Bindings, event: GameEvent) -> Option<String> {
    let sentence = match event {
        GameEvent::Heard {
            sound,
            towards,
            steps,
            ..
        } => match sound {
            // Its words are told by themselves.
            Sound::Voice(_) => return None,
            _ => heard(sound.name(), towards, steps),
        },
        GameEvent::Unlocked { picked: true, .. } => "The lock gives way.".into(),
        GameEvent::Unlocked { picked: false, .. } => "The key turns.".into(),
        GameEvent::Torch { lit: true } => "Your torch burns.".into(),
        GameEvent::Torch { lit: false } => "Your torch is out.".into(),
        GameEvent::TorchLow => "Your torch burns low.".into(),
        GameEvent::TorchSpent => "Your torch has burnt out.".into(),
        GameEvent::Lamp { kind, burning, .. } => lamp(kind, burning),
        GameEvent::Fire { .. } => "Fire!".into(),
        GameEvent::Smoke { .. } => "Smoke bursts out.".into(),
        GameEvent::Said { guard, bark } => said(view, guard, bark.words()),
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
            let fate = if dead { "is dead" } else { "sinks down" };
            format!("{name} {fate}.")
        }
        GameEvent::Shoved { guard, .. } => {
            format!("You shove {}.", name(view, Who::Guard(guard)))
        }
        GameEvent::Healed { .. } => "You feel better.".into(),
        GameEvent::Nerve { gone: true } => "Your nerve is gone: your hands shake.".into(),
        GameEvent::Nerve { gone: false } => "You can breathe again.".into(),
        GameEvent::Wrapped { wrapped: true } => "You wrap the Ember in cloth.".into(),
        GameEvent::Wrapped { wrapped: false } => "You unwrap the Ember. It shines.".into(),
        GameEvent::ClothBurnt => "The cloth is burnt: the Ember shines.".into(),
        GameEvent::Entered { depth } => format!("You come to floor {}.", depth + 1),
        GameEvent::Learnt { perk } => format!("You have learnt {}.", perk.name()),
        GameEvent::Alarm => "A bell. The whole keep wakes up.".into(),
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

/// What a part of the panel means.
pub fn tip(view: View<'_>, part: Part) -> Option<String> {
    let told = match part {
        Part::Gem => "how lit you look to others, from 0 to 100, and from how far they see you",
        Part::Health => "health: when nothing is left, you are dead",
        Part::Nerve => {
            "nerve: the dark near guards costs it, light restores it; without it you are loud"
        }
        Part::Breath => "breath: running costs it",
        Part::Fuel => "the torch in your hand: how long it burns yet",
        Part::Purse => "what you have stolen: your score",
        Part::Cloth => "cloth to wrap the Ember in: how long it holds",
        Part::Slot(slot) => {
            let stack = view.thief().tools.get(slot).copied().flatten()?;
            return Some(format!("{}: {}", stack.tool.name(), tool(stack.tool)));
        }
        _ => return None,
    };
    Some(told.into())
}

/// What a tool is for.
pub const fn tool(tool: Tool) -> &'static str {
    match tool {
        Tool::OilFlask => "fuel for the torch; thrown, it burns where fire is",
        Tool::WaterVial => "thrown, it puts out flames",
        Tool::SmokeBomb => "thrown, it fills a room with smoke",
        Tool::Pebbles => "thrown, one makes a noise where it falls",
        Tool::SleepingDart => "thrown, it puts a guard to sleep",
        Tool::Picklock => "opens locks without a key, not without a noise",
        Tool::DarkCloak => "worn, you are a band darker, but can not run",
        Tool::EarTrumpet => "for a while you hear everything on the floor",
        Tool::Salve => "heals",
        Tool::BlinkScroll => "takes you to the darkest place in reach",
    }
}

/// From how far one is seen, as one is lit.
pub fn seen_from(view: View<'_>) -> String {
    match view.sight_distance(GuardKind::Watchman, view.shown_band()) {
        0 => "seen by nobody".into(),
        1 => "seen from beside".into(),
        steps if steps < FAR => format!("seen from {steps} steps"),
        _ => "seen from afar".into(),
    }
}

/// Steps from which on it does not matter how many.
const FAR: u32 = 25;

/// Who sees the thief now, and who is after it.
pub fn watched(view: View<'_>) -> String {
    let count = |is: fn(&SeenGuard) -> bool| view.guards().filter(is).count();
    let see = count(|guard| guard.sees_you);
    let hunt = count(|guard| guard.alert_state == AlertState::Chasing);
    match (hunt, see) {
        (0, 0) => "unseen".into(),
        (0, 1) => "1 sees you".into(),
        (0, see) => format!("{see} see you"),
        (hunt, _) => format!("hunted by {hunt}"),
    }
}

/// What the torch does, on the panel.
pub fn torch(torch: Option<Torch>) -> String {
    match torch {
        None => "no torch".into(),
        Some(torch) if torch.lit => format!("{} lit", torch.fuel),
        Some(torch) => format!("{} out", torch.fuel),
    }
}

fn heard(sound: &str, towards: Option<Direction>, steps: u16) -> String {
    let way = towards.map_or("around you", Direction::name);
    format!("You hear {sound}, {way}, {}.", near(steps))
}

/// How far away something is heard.
const fn near(steps: u16) -> &'static str {
    match steps {
        ..6 => "close",
        6..12 => "near",
        _ => "far off",
    }
}

/// A sound for a caption: what, from where, how far away.
pub fn sound(sound: SoundName, way: Option<Direction>, steps: u16) -> String {
    let what = match sound {
        SoundName::World(Sound::Voice(bark)) => format!("\"{}\"", bark.words()),
        _ => sound.caption().to_owned(),
    };
    match way {
        Some(way) => format!("{what}, {}, {}", way.name(), near(steps)),
        None => what,
    }
}

/// What goes on, for a caption.
pub const fn goes_on(begun: Loop) -> &'static str {
    match begun {
        Loop::Flame => "a flame crackles",
        Loop::Guttering => "the torch sputters",
        Loop::Heart => "your heartbeat",
        Loop::Racing => "your heart races",
        Loop::Dark => "a low drone",
        Loop::Hunted => "the drone throbs",
        Loop::Silence => "silence",
    }
}

/// A caption, of what was heard so many times.
pub fn caption(heard: &str, times: u32) -> String {
    match times {
        1 => format!("[{heard}]"),
        times => format!("[{heard}] x{times}"),
    }
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
    let told = match stage {
        Blackout::Gutters => "Your torch gutters.",
        Blackout::Out => "It goes out. Everything is dark.",
        Blackout::Silence => "Silence.",
        Blackout::Noise => "And then you hear a noise.",
        Blackout::Over => {
            let key = bindings.key(Control::Torch);
            return format!("The wick is dry again ({key}).");
        }
    };
    told.into()
}

/// Something that lies about, with its article.
pub fn thing(item: Item) -> String {
    match item {
        Item::Tool(stack) if stack.count > 1 => format!("{} x {}", stack.count, stack.tool.name()),
        Item::Tool(stack) => format!("the {}", stack.tool.name()),
        Item::Torch(torch) => format!("a torch ({})", torch.fuel),
        Item::Key => "a key".into(),
        Item::Treasure(worth) => format!("treasure worth {worth}"),
        Item::Cloth(beats) => format!("cloth ({beats})"),
        Item::Ember => "the Ember".into(),
    }
}

fn article(kind: GuardKind) -> String {
    format!("a {}", kind.name())
}

fn name(view: View<'_>, who: Who) -> String {
    let Who::Guard(id) = who else {
        return "you".into();
    };
    let seen = view.guards().find(|guard: &SeenGuard| guard.id == id);
    seen.map_or("someone".into(), |guard| {
        format!("the {}", guard.kind.name())
    })
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// A key that could be pressed next, for whoever begins.
pub fn hint(view: View<'_>, bindings: &Bindings) -> Option<String> {
    let here = view.thief().at;
    let can = |action: Action| view.check(action).is_ok();
    let key = |control| bindings.key(control);
    if can(Action::PickUp) {
        return Some(format!("{}: take it", key(Control::Take)));
    }
    if can(Action::Climb) {
        return Some(format!("{}: climb", key(Control::Here)));
    }
    // Hands may be refused by someone who is not seen: that is not to be told.
    let beside = |guard: SeenGuard| {
        let way = Direction::ALL
            .into_iter()
            .find(|way| here + way.step() == guard.at);
        way.is_some_and(|way| !guard.alert_state.is_down() && can(Action::Takedown(way)))
    };
    if view.guards().any(beside) {
        return Some("step into it: takedown".into());
    }
    if can(Action::LightTorch) && view.thief().band == LightBand::Hidden {
        return Some(format!("{}: light the torch", key(Control::Torch)));
    }
    None
}

// The pages.

pub const NAME: &str = "Gutterlight";
pub const SUBTITLE: &str = "Down five floors of a drowned keep
for the Ember, and up again, unseen.";
pub const CONTINUE: &str = "Continue";
pub const NEW_GAME: &str = "New game";
pub const DAILY: &str = "Daily keep";
pub const SCORES: &str = "Scores";
pub const SETTINGS: &str = "Settings";
pub const KEYS: &str = "Keys and buttons";
pub const HELP: &str = "How to play";
pub const LOG: &str = "Messages";
pub const QUIT: &str = "Quit";
pub const BACK: &str = "Back";
pub const PAUSE: &str = "Pause";
pub const GO_ON: &str = "Go on";
pub const SUSPEND: &str = "Suspend, to the title";
pub const TO_TITLE: &str = "To the title";
pub const GIVE_UP: &str = "Give up";
pub const SURE: &str = "This game is lost then. Once more: give up.";
pub const BEGIN: &str = "Begin";
pub const ANY_SEED: &str = "random";
pub const SUSPENDED_LOST: &str = "The suspended game is lost then. Once more: begin.";
pub const NO_SCORES: &str = "No finished games yet.";
pub const LEARN: &str = "The stairs are behind you. You have learnt something:";
pub const LEARNT: &str = "Choose";
pub const WON: &str = "Out, and free";
pub const LOST: &str = "The light has gone out";
pub const ANOTHER: &str = "Another keep";
pub const SAME: &str = "The same keep again";
pub const NOT_COUNTED: &str = "(not counted: started from the command line, or by a bot)";
pub const BIND: &str = "Enter, then press the new key or button. Escape cancels.";
pub const PRESS: &str = "press a key or button...";
pub const USUAL_KEYS: &str = "The usual keys";
pub const ON: &str = "on";
pub const OFF: &str = "off";
pub const POINTER: &str = ">";
pub const CAPTIONS_ONLY: &str = "on (there is no sound)";
pub const TEST_CARD: &str = "the left patch is to be black, and the one beside it just to be seen";
pub const NOT_ALONE: &str = "You can not explore while a guard is in sight.";
pub const EXPLORED: &str = "There is nothing more to explore that you can reach.";
pub const NO_WAY: &str = "You know no way there.";
pub const HOMELESS: &str = "The system tells no folder for files: nothing will be kept.";

/// How long lines may be, in letters: on wide pages, and on narrow ones.
pub const WIDE: usize = 70;
pub const NARROW: usize = 38;

/// Which keep it will be.
pub fn seed(typed: &str) -> String {
    format!("Seed: {typed} (type digits to choose one)")
}

/// The lines of a text, each wrapped.
pub fn lines(text: &str, width: usize) -> impl Iterator<Item = String> {
    text.lines().flat_map(move |line| wrapped(line, width))
}

/// A sentence in lines of at most so many letters, where its words allow.
pub fn wrapped(sentence: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// At the foot of a page: how to use it, and whether there is more of it.
pub fn foot(above: bool, below: bool) -> &'static str {
    match (above, below) {
        (false, false) => "arrows and Enter, or the mouse",
        (false, true) => "arrows and Enter, or the mouse        more below",
        (true, false) => "arrows and Enter, or the mouse        more above",
        (true, true) => "arrows and Enter, or the mouse        more above and below",
    }
}

/// The name of what can be set.
pub fn setting(setting: Setting) -> &'static str {
    match setting {
        Setting::Difficulty => "Difficulty",
        Setting::Brightness => "Brightness",
        Setting::TextSize => "Size of text",
        Setting::FullScreen => "Full screen (F11)",
        Setting::Flicker => "Flames flicker",
        Setting::Shake => "Screen shake",
        Setting::Captions => "Captions for sounds",
        Setting::SafeColours => "Colour-blind safe colours",
        Setting::Volume => "Volume",
        Setting::Effects => "Volume: effects",
        Setting::Ambience => "Volume: ambience",
        Setting::Opening => "Begin with the opening",
    }
}

/// How hard it is, in a few words.
pub fn difficulty(difficulty: Difficulty) -> &'static str {
    match difficulty {
        Difficulty::Apprentice => "guards see and hear less, and torches last longer",
        Difficulty::Thief => "as the game is meant to be",
        Difficulty::Ghost => "guards see and hear more, and torches are short",
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
Guards do not forget: a dark lamp is lit again, a missing comrade is looked for.
Walk into a guard who has not noticed you, or into any from behind, to take it down. \
Otherwise you fight, and the odds are bad.
The Ember shines. Wrapped in cloth it does not, but the cloth burns.";

/// What is seen over and around figures.
pub const SIGNS: &str = "\
? over a head: it has noticed something, and looks.
! over a head: it is after you.
A blue ring is a sound that you see made; an amber one, a sound from the dark.
Thin lines are what you remember, or feel with your hands: nobody is shown there.
On the panel: heart, health; hand, nerve; lungs, breath for running; flame, fuel of \
the torch; bag, treasure; roll, cloth.";

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
            "{}, or the mouse, tells what is where, and who would see you there",
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

/// Where files lie.
pub fn lies(settings: &Path, morgue: &Path) -> Vec<String> {
    let settings = format!("Settings: {}", settings.display());
    let morgue = format!("Ended games: {}", morgue.display());
    [settings, morgue]
        .iter()
        .flat_map(|line| wrapped(line, WIDE))
        .collect()
}

/// Its place among the best.
pub fn among_best(place: usize) -> String {
    match place {
        1 => "The best game that was played here.".into(),
        place => format!("Number {place} of the best games played here."),
    }
}

/// Where its page lies.
pub fn page_lies(page: &Path) -> Vec<String> {
    wrapped(&format!("Written down in {}", page.display()), WIDE)
}

/// One of the best games, in two lines.
pub fn score(place: usize, score: &Score) -> [String; 2] {
    let cause = match score.ending {
        Ending::Escaped => "escaped with the Ember".to_owned(),
        Ending::Slain(kind) => format!("killed by a {} on floor {}", kind.name(), score.floor),
        Ending::Burnt => format!("burnt to death on floor {}", score.floor),
    };
    let daily = if score.daily { ", of the day" } else { "" };
    [
        format!("{place:>3}. {:>6}  {cause}", score.score),
        format!(
            "             {}, keep {}{daily}, {}, {}, seen {}",
            score.date,
            score.seed,
            score.difficulty.name(),
            counted(score.turns, "turn"),
            times(score.times_seen),
        ),
    ]
}
