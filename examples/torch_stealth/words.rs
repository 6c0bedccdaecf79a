//! Every sentence of the game, in one place, ready to be translated.

use lanternfell_stealth::{
    Action, Blackout, Difficulty, Direction, Ending, Explanation, FixtureKind, GameEvent, GuardId,
    GuardKind, Item, LightBand, Mood, Perk, SeenGuard, Sound, View, Who,
};

/// The line at the top: where one is, and since when.
pub fn place(view: View<'_>) -> String {
    let (floor, name) = (view.depth() + 1, view.theme().name());
    let difficulty: Difficulty = view.difficulty();
    format!(
        "{floor}. {name}    turn {}    keep {}, {}    ? keys",
        view.turn(),
        view.seed(),
        difficulty.name()
    )
}

/// What keys do.
pub const KEYS: &str = "\
? or F1              this list
arrows, WASD + QEZC,
numbers, hjklyubn    walk; into a guard: take down, or fight
  with Shift         run: loud, costs breath
  with Control       sneak: half as loud, half as fast
  with Alt           peek round the corner
. 5 Space            wait
T                    light or put out the torch
F                    put out or light a lamp beside you
O                    open or close what is beside you
G                    take what lies here
1 2 3 4              use or throw a tool
V                    shove
X                    let the torch fall
R                    wrap or unwrap the Ember
Enter                take what lies here, or the stairs
Tab                  explore, until anything happens
mouse                point: what is it? click: go there";

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
        Perk::CatEyes => "you make out more in the dark around you",
        Perk::SlowBurn => "your torch lasts longer",
        Perk::IronNerve => "the dark costs you less nerve",
        Perk::DeepPockets => "a fourth slot for tools",
        Perk::SoftHands => "takedowns make no sound",
        Perk::ThickSkin => "more health",
        Perk::WetCloth => "cloth wraps the Ember for longer",
    }
}

/// The question between two floors.
pub fn offer(perks: [Perk; 3]) -> String {
    let [first, second, third] = perks.map(|learnt| format!("{}: {}", learnt.name(), perk(learnt)));
    format!("You have learnt something. Choose:\n\n1  {first}\n2  {second}\n3  {third}")
}

/// The last words.
pub fn ending(view: View<'_>, ending: Ending) -> String {
    let cause = match ending {
        Ending::Escaped => "You are out, and the Ember is yours.".to_owned(),
        Ending::Slain(kind) => format!("A {} has killed you.", kind.name()),
        Ending::Burnt => "You have burnt to death.".to_owned(),
    };
    let tally = view.tally();
    format!(
        "{cause}\n\nscore {}\nfloor {} of keep {}, after {} turns\nseen {} times, takedowns {}\n\n\
         Enter: another keep",
        view.score(),
        view.depth() + 1,
        view.seed(),
        view.turn(),
        tally.times_seen,
        tally.takedowns,
    )
}

/// What the mouse points at.
pub fn explanation(view: View<'_>, known: &Explanation) -> String {
    let mut parts = Vec::new();
    if let Some(guard) = &known.guard {
        let state = if guard.asleep {
            "asleep"
        } else {
            guard.mood.name()
        };
        let sure = match guard.awareness {
            0 => String::new(),
            percent => format!(", {percent} % sure of you"),
        };
        parts.push(format!("{}, {state}{sure}", article(guard.kind)));
    }
    parts.extend(known.item.map(thing));
    parts.extend(known.tile.map(|tile| tile.name().to_owned()));
    parts.push(match known.light {
        Some((light, shade)) => format!("{} {light}", band(shade)),
        None => "remembered".into(),
    });
    let kinds: Vec<&str> = view
        .guards()
        .filter(|guard| known.watchers.contains(&guard.id))
        .map(|guard| guard.kind.name())
        .collect();
    if !kinds.is_empty() {
        parts.push(format!("here you would be seen by: {}", kinds.join(", ")));
    }
    parts.join("; ")
}

/// What happened, as a sentence; none for what is plain to see.
pub fn event(view: View<'_>, event: GameEvent) -> Option<String> {
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
        GameEvent::Blackout(stage) => blackout(stage).into(),
        GameEvent::Mood {
            mood: Mood::Chasing,
            guard,
        } => format!("{} is after you!", capital(&name(view, Who::Guard(guard)))),
        GameEvent::Moved { .. }
        | GameEvent::Blinked { .. }
        | GameEvent::Turned { .. }
        | GameEvent::Sounded { .. }
        | GameEvent::Band { .. }
        | GameEvent::Mood { .. }
        | GameEvent::PerkOffered { .. }
        | GameEvent::Ended(_) => return None,
    };
    Some(sentence)
}

fn heard(sound: &str, towards: Option<Direction>, steps: u16) -> String {
    let near = match steps {
        ..6 => "close",
        6..12 => "near",
        _ => "far off",
    };
    let way = towards.map_or("around you", Direction::name);
    format!("You hear {sound}, {way}, {near}.")
}

fn lamp(kind: FixtureKind, burning: bool) -> String {
    let name = capital(kind.name());
    let now = if burning { "is lit" } else { "goes out" };
    format!("{name} {now}.")
}

fn said(view: View<'_>, guard: Option<GuardId>, words: &str) -> String {
    let seen = view.guards().find(|seen| Some(seen.id) == guard);
    let who = seen.map_or("Someone".to_owned(), |seen| capital(&article(seen.kind)));
    format!("{who}: \"{words}\"")
}

fn struck(view: View<'_>, by: Who, whom: Who, damage: i16) -> Option<String> {
    Some(match (by, damage) {
        (Who::Thief, 0) => format!("You miss {}.", name(view, whom)),
        (Who::Thief, _) => format!("You hit {}.", name(view, whom)),
        (_, 0) if whom == Who::Thief => format!("{} misses you.", capital(&name(view, by))),
        _ if whom == Who::Thief => format!("{} hits you: {damage}.", capital(&name(view, by))),
        _ => return None,
    })
}

fn blackout(stage: Blackout) -> &'static str {
    match stage {
        Blackout::Gutters => "Your torch gutters.",
        Blackout::Out => "It goes out. Everything is dark.",
        Blackout::Silence => "Silence.",
        Blackout::Noise => "And then you hear a noise.",
        Blackout::Over => "The wick is dry again. T lights the torch.",
    }
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
pub fn hint(view: View<'_>) -> Option<&'static str> {
    let can = |action: Action| view.check(action).is_ok();
    if can(Action::PickUp) {
        return Some("G: take it");
    }
    if can(Action::Climb) {
        return Some("Enter: climb");
    }
    if Direction::ALL
        .into_iter()
        .any(|way| can(Action::Takedown(way)))
    {
        return Some("step into it: takedown");
    }
    if can(Action::LightTorch) && view.light_gem() == 0 {
        return Some("T: light the torch");
    }
    None
}
