//! What the panel says, and what its parts mean.

use gutterlight_rules::{
    Action, AlertState, Direction, GuardKind, LightBand, SeenGuard, Tool, Torch, View,
    steps_between,
};

use super::things::odds;
use crate::play::{
    hud::part::Part,
    input::{bindings::Bindings, control::Control},
};

/// The line at the top: where one is, and since when; and whose keep it is.
pub fn place(view: View<'_>) -> String {
    let (seed, difficulty) = (view.seed(), view.difficulty().name());
    format!("{}    keep {seed}, {difficulty}", short_place(view))
}

/// The same where there is less room.
pub fn short_place(view: View<'_>) -> String {
    let (floor, name, turn) = (view.depth() + 1, view.theme().name(), view.turn());
    let twist = view
        .twist()
        .map_or(String::new(), |twist| format!(", {}", twist.name()));
    format!("{floor}. {name}{twist}    turn {turn}")
}

/// While someone else plays.
pub const WATCHING: &str = "press a key to take over";

/// What a part of the panel means.
pub fn tip(view: View<'_>, part: Part) -> Option<String> {
    let told = match part {
        Part::Gem => "how lit you look to others, from 0 to 100, and from how far they see you",
        Part::Loud => {
            "from how many steps your next one is heard on this ground, through doors from fewer"
        }
        Part::Bell(_) => {
            "alarm: each bell wakes sleepers, lights sconces, pairs guards, and at last sends a hunter; out of sight they fall silent"
        }
        Part::Health => "health: when nothing is left, you are dead",
        Part::Nerve => {
            "nerve: the dark near guards costs it, light restores it; without it you are loud"
        }
        Part::Breath => "breath: running costs it",
        Part::Fuel => "the torch in your hand: how long it burns yet; to light it takes fuel, too",
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
        Tool::OilFlask => {
            "thrown, it burns where fire is; aimed at yourself, it is fuel for your torch"
        }
        Tool::WaterVial => {
            "thrown, it puts out flames; aimed at yourself, it wets the cloth around the Ember"
        }
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

/// From how far the next step is heard, walking and sneaking, as the ground is here.
pub fn heard_from(view: View<'_>) -> String {
    let (noise, here) = (&view.rules().noise, view.thief().at);
    let Some(ground) = view.memory(here).map(|here| here.tile.ground()) else {
        return String::new();
    };
    let [walk, sneak] =
        [view.walk_loudness(), noise.sneak].map(|gait| view.step_reach(gait, ground) / 10);
    format!("heard to {walk}, sneak {sneak}")
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

/// Whether somebody is after the thief, or about to be, as far as the thief knows.
fn is_sought(view: View<'_>) -> bool {
    let minds = |guard: &SeenGuard| {
        let calm = guard.asleep || guard.alert_state.is_down();
        !calm && guard.alert_state != AlertState::Calm
    };
    view.bells() > 0 || view.guards().any(|guard| minds(&guard))
}

/// A key that could be pressed next, for whoever begins.
pub fn hint(view: View<'_>, bindings: &Bindings) -> Option<String> {
    if view.ending().is_some() {
        return None;
    }
    let here = view.thief().at;
    let can = |action: Action| view.check(action).is_ok();
    let key = |control| bindings.key(control);
    if can(Action::PickUp) {
        return Some(format!("{}: take it", key(Control::Take)));
    }
    if view.leaves_without_ember() {
        return Some(format!("{}: leave without the Ember", key(Control::Here)));
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
    let mut foes = view
        .guards()
        .filter(|guard| steps_between(here, guard.at) == 1);
    if let Some(won) = foes.find_map(|guard| view.odds(guard.id)) {
        return Some(format!("step into it: fight ({})", odds(won)));
    }
    let dark = view.thief().band == LightBand::Hidden;
    if dark && !is_sought(view) && can(Action::LightTorch) {
        return Some(format!("{}: light the torch", key(Control::Torch)));
    }
    None
}

#[cfg(test)]
mod tests {
    use gutterlight_rules::{Rules, World};

    use super::*;
    use crate::settings::Settings;

    #[test]
    fn nobody_who_is_sought_is_told_to_light_the_torch() {
        let draw = |text| World::from_drawing(Rules::standard(), 3, text).expect("a drawing");
        let bindings = Bindings::of(&Settings::default());
        let mut world = draw("######\n#.@..#\n######");
        world.act(Action::SnuffTorch).expect("it burns");
        while world.view().thief().band != LightBand::Hidden {
            world.act(Action::Wait).expect("time passes");
        }
        let told = hint(world.view(), &bindings);
        assert_eq!(told.as_deref(), Some("T: light the torch"));
        // One who looks about is not after anybody yet; one who has seen the thief is.
        let mut world = draw("########\n#.@...s#\n########");
        assert!(!is_sought(world.view()));
        while world.view().never_seen() {
            world.act(Action::Wait).expect("time passes");
            assert!(world.view().turn() < 60, "he stands in the light");
        }
        assert!(is_sought(world.view()));
    }
}
