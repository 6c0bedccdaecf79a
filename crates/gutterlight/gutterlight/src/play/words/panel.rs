//! Texts of the panel and its tooltips.

use gutterlight_rules::{
    Action, AlertState, BEAT, Direction, GuardKind, LightBand, SeenGuard, Tile, Tool, Torch, View,
    steps_between,
};

use super::things::odds;
use crate::play::{
    hud::part::Part,
    input::{bindings::Bindings, control::Control},
};

/// The line at the top: floor, twist, turn, the time until dawn or full daylight, and the keep.
pub fn place(view: View<'_>) -> String {
    let (seed, difficulty) = (view.seed(), view.difficulty().name());
    let (floor, turn, dawn) = (floor(view), view.turn(), dawn(view));
    let dawn = dawn.map_or(String::new(), |dawn| format!("    {dawn}"));
    format!("{floor}    turn {turn}{dawn}    keep {seed}, {difficulty}")
}

/// A shorter version for narrow windows.
pub fn short_place(view: View<'_>) -> String {
    let turn = || format!("turn {}", view.turn());
    format!("{}    {}", floor(view), dawn(view).unwrap_or_else(turn))
}

/// The floor and its twist.
fn floor(view: View<'_>) -> String {
    let (floor, name) = (view.depth() + 1, view.theme().name());
    let twist = view
        .twist()
        .map_or(String::new(), |twist| format!(", {}", twist.name()));
    format!("{floor}. {name}{twist}")
}

/// The time until dawn and then until full daylight, once the player was warned.
fn dawn(view: View<'_>) -> Option<String> {
    let (what, ticks) = match view.ticks_to_dawn() {
        0 => ("daylight", view.ticks_to_daylight()),
        ticks => ("dawn", ticks),
    };
    view.is_late().then(|| match ticks.div_ceil(BEAT.into()) {
        1 => format!("{what} in 1 beat"),
        beats => format!("{what} in {beats} beats"),
    })
}

/// Shown while a bot plays.
pub const WATCHING: &str = "press a key to take over";

/// The tooltip of a part of the panel.
pub fn tip(view: View<'_>, part: Part) -> Option<String> {
    let text = match part {
        Part::Gem => "how lit you look to others, from 0 to 100, and from how far they see you",
        Part::Loud => "from how many steps your next step is heard on this ground; doors muffle it",
        Part::Bell(_) => {
            "alarm: bell by bell, sleepers wake, lamps are lit, guards pair up, a hunter comes; until dawn, bells fall silent while no guard chases you"
        }
        Part::Health => "health: at zero, you die",
        Part::Nerve => {
            "nerve: the dark near guards wears it down, light restores it, and waiting away from guards restores a little; without it you are loud"
        }
        Part::Breath => "breath: running uses it up",
        Part::Fuel => "the torch in your hand: how long it will burn; lighting it takes fuel, too",
        Part::Purse => "what you have stolen: your score",
        Part::Cloth => "cloth to wrap the Ember in: how long it lasts",
        Part::Slot(slot) => {
            let stack = view.thief().tools.get(slot).copied().flatten()?;
            return Some(format!("{}: {}", stack.tool.name(), tool(stack.tool)));
        }
        _ => return None,
    };
    Some(text.into())
}

/// The description of a tool.
pub const fn tool(tool: Tool) -> &'static str {
    match tool {
        Tool::OilFlask => {
            "thrown, it spills oil for a flame to catch; aimed at yourself, it refuels your torch"
        }
        Tool::WaterVial => {
            "thrown, it puts out flames; aimed at yourself, it wets the Ember's cloth"
        }
        Tool::SmokeBomb => "thrown, it fills a room with smoke",
        Tool::Pebbles => "thrown, each makes a noise where it lands",
        Tool::SleepingDart => "thrown, it puts a guard to sleep",
        Tool::Picklock => "opens locks without a key, but not without noise",
        Tool::DarkCloak => "worn, it makes you a band darker, but you cannot run",
        Tool::EarTrumpet => "for a while, you hear everything on the floor",
        Tool::Salve => "heals",
        Tool::BlinkScroll => "takes you to the darkest place within reach",
    }
}

/// The distance from which the thief is seen in the current light.
pub fn seen_from(view: View<'_>) -> String {
    match view.sight_distance(GuardKind::Watchman, view.shown_band()) {
        0 => "seen by no one".into(),
        1 => "seen up close".into(),
        steps if steps < FAR => format!("seen from {steps} steps"),
        _ => "seen from afar".into(),
    }
}

/// The distances to which the next step is heard on this ground, walking and sneaking.
pub fn heard_from(view: View<'_>) -> String {
    let (noise, here) = (&view.rules().noise, view.thief().at);
    let Some(ground) = view.memory(here).map(|here| here.tile.ground()) else {
        return String::new();
    };
    let [walk, sneak] =
        [view.walk_loudness(), noise.sneak].map(|gait| view.step_reach(gait, ground) / 10);
    format!("heard to {walk}, sneak {sneak}")
}

/// Distances from here on are shown as "afar".
const FAR: u32 = 25;

/// How many guards see the thief or chase the thief, or whether one in sight searches for the thief.
pub fn watched(view: View<'_>) -> String {
    let count = |is: fn(&SeenGuard) -> bool| view.guards().filter(is).count();
    let seek = count(|guard| {
        matches!(
            guard.alert_state,
            AlertState::Investigating | AlertState::Searching
        )
    });
    let see = count(|guard| guard.sees_you);
    let hunt = count(|guard| guard.alert_state == AlertState::Chasing);
    match (hunt, see) {
        (0, 0) if seek > 0 => "searched for".into(),
        (0, 0) => "unseen".into(),
        (0, 1) => "1 sees you".into(),
        (0, see) => format!("{see} see you"),
        (hunt, _) => format!("hunted by {hunt}"),
    }
}

/// The state of the torch.
pub fn torch(torch: Option<Torch>) -> String {
    match torch {
        None => "no torch".into(),
        Some(torch) if torch.lit => format!("{} lit", torch.fuel),
        Some(torch) => format!("{} out", torch.fuel),
    }
}

/// Whether any guard is alert, as far as the thief knows.
fn is_sought(view: View<'_>) -> bool {
    let minds = |guard: &SeenGuard| {
        let calm = guard.asleep || guard.alert_state.is_down();
        !calm && guard.alert_state != AlertState::Calm
    };
    view.bells() > 0 || view.guards().any(|guard| minds(&guard))
}

/// A hint at a key to press next, for beginners.
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
        let tile = view.memory(here).map(|here| here.tile);
        let does = match tile {
            Some(Tile::StairsDown) => "go down",
            _ if view.depth() > 0 => "go up",
            _ => "leave with the Ember",
        };
        return Some(format!("{}: {does}", key(Control::Here)));
    }
    // A takedown can be refused because of a guard that the thief does not see. The hint must not
    // give that away.
    let can_take_down = |guard: SeenGuard| {
        let way = Direction::ALL
            .into_iter()
            .find(|way| here + way.step() == guard.at);
        way.is_some_and(|way| !guard.alert_state.is_down() && can(Action::Takedown(way)))
    };
    if view.guards().any(can_take_down) {
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
    let shaken = view.thief().nerve == 0 && !can(Action::LightTorch);
    if dark && shaken && !is_sought(view) {
        return Some(format!("{}: wait, and calm down", key(Control::Wait)));
    }
    None
}

#[cfg(test)]
mod tests {
    use gutterlight_rules::{Rules, World};

    use super::*;
    use crate::settings::Settings;

    /// Reported: "Enter: climb" on stairs that lead down.
    #[test]
    fn hint_on_stairs_names_their_direction() {
        let bindings = Bindings::of(&Settings::default());
        let hint_on = |map: &str, walk: &[Direction]| {
            let world = World::from_drawing(Rules::standard(), 3, map);
            let mut world = world.expect("a drawing");
            for way in walk {
                world.act(Action::Walk(*way)).expect("free");
            }
            (hint(world.view(), &bindings), world)
        };
        let (down, mut world) = hint_on("######\n#<@>.#\n######", &[Direction::East]);
        assert_eq!(down.as_deref(), Some("Enter: go down"));
        world.act(Action::Climb).expect("stairs");
        while world.view().offer().is_some() {
            world.act(Action::Learn(0)).expect("a perk");
        }
        let up = hint(world.view(), &bindings);
        assert_eq!(up.as_deref(), Some("Enter: go up"));
        let map = "######\n#<@E.#\n######";
        let mut world = World::from_drawing(Rules::standard(), 3, map).expect("a drawing");
        world.act(Action::Walk(Direction::East)).expect("free");
        world.act(Action::PickUp).expect("the Ember");
        for _ in 0..2 {
            world.act(Action::Walk(Direction::West)).expect("free");
        }
        let out = hint(world.view(), &bindings);
        assert_eq!(out.as_deref(), Some("Enter: leave with the Ember"));
    }

    /// Reported: "unseen" while someone searches.
    #[test]
    fn searching_guard_is_reported() {
        let map = "
            #####################
            #q@.........!...s...#
            #...................#
            #####################";
        let mut world = World::from_drawing(Rules::standard(), 3, map).expect("a drawing");
        assert_eq!(watched(world.view()), "unseen");
        // Pebbles next to the sentry, from the dark.
        let throw = Action::Throw {
            slot: 0,
            at: bevy::math::IVec2::new(9, 1),
        };
        let prepare = [
            Action::SnuffTorch,
            Action::Walk(Direction::West),
            Action::PickUp,
        ];
        let mut states = Vec::new();
        for action in prepare
            .into_iter()
            .chain([throw; 4])
            .chain([Action::Wait; 10])
        {
            world.act(action).expect("possible");
            let state = world.view().guards().next().expect("lit").alert_state;
            let seeks = matches!(state, AlertState::Investigating | AlertState::Searching);
            let expected = if seeks { "searched for" } else { "unseen" };
            assert_eq!(watched(world.view()), expected, "{state:?}");
            states.push(state);
        }
        assert!(states.contains(&AlertState::Investigating));
        assert!(states.contains(&AlertState::Searching));
    }

    #[test]
    fn hint_to_light_torch_needs_calm_guards() {
        let draw = |text| World::from_drawing(Rules::standard(), 3, text).expect("a drawing");
        let bindings = Bindings::of(&Settings::default());
        let mut world = draw("######\n#.@..#\n######");
        world.act(Action::SnuffTorch).expect("it burns");
        while world.view().thief().band != LightBand::Hidden {
            world.act(Action::Wait).expect("time passes");
        }
        let text = hint(world.view(), &bindings);
        assert_eq!(text.as_deref(), Some("T: light the torch"));
        // A guard who only looks around is not alert. One who has seen the thief is.
        let mut world = draw("########\n#.@...s#\n########");
        assert!(!is_sought(world.view()));
        while world.view().never_seen() {
            world.act(Action::Wait).expect("time passes");
            assert!(world.view().turn() < 60, "he stands in the light");
        }
        assert!(is_sought(world.view()));
    }

    /// Reported: a thief without nerve and fuel sat in the dark and saw no way on.
    #[test]
    fn hint_names_the_way_back_to_nerve() {
        let bindings = Bindings::of(&Settings::default());
        // Lighting the torch takes more fuel than this thief has left after a beat.
        let mut rules = Rules::clone(&Rules::standard());
        rules.thief.light_fuel = rules.thief.fuel_start - 1;
        rules.thief.nerve_returns = 0;
        for (nerve, expected) in [(0, Some("Space: wait, and calm down")), (9, None)] {
            rules.thief.nerve = nerve;
            let map = "######\n#@...#\n######";
            let mut world = World::from_drawing(rules.clone().into(), 3, map).expect("a drawing");
            for action in [Action::Wait, Action::Wait, Action::SnuffTorch] {
                world.act(action).expect("possible");
            }
            // The light fades.
            while world.view().thief().band != LightBand::Hidden {
                world.act(Action::Wait).expect("possible");
            }
            let hint = hint(world.view(), &bindings);
            assert_eq!(hint.as_deref(), expected, "{}", world.view().thief().nerve);
        }
    }

    /// Reported: time cost nothing.
    #[test]
    fn time_until_dawn_is_shown_after_the_warning() {
        let mut rules = Rules::clone(&Rules::standard());
        (rules.night.dawn, rules.night.late, rules.night.daylight) = (12, 8, 8);
        let map = "#####\n#.@.#\n#####";
        let mut world = World::from_drawing(rules.into(), 3, map).expect("a drawing");
        let mut lines = Vec::new();
        for _ in 0..4 {
            lines.push(short_place(world.view()));
            world.act(Action::Wait).expect("time passes");
        }
        let parts = [
            "turn 0",
            "dawn in 2 beats",
            "dawn in 1 beat",
            "daylight in 2 beats",
        ];
        for (line, part) in lines.iter().zip(parts) {
            assert!(line.ends_with(&format!("    {part}")), "{line}");
        }
        let line = place(world.view());
        assert!(
            line.contains("    turn 4    daylight in 1 beat    keep "),
            "{line}"
        );
    }
}
