//! Random play for tests.

use lanternfell_random::SeededRng;
use std::sync::Arc;

use gutterlight_rules::{Action, Direction, IVec2, Rules, World};

/// A floor with everything close together, so that random play meets all of it.
pub const CROWDED: &str = "
    ######[##########%######
    #@..!m.#,,f,.#......w..#
    #.t$k.c+,,,,.{._____.Y.#
    #.....s#~~~~.#._____...#
    #..<.>.#~~h~./.*....p..#
    ####X###,,,,,=.........#
    #E.l.obv,,O,,#..T.....i#
    #W.qdjaurx...}.........#
    ########################";

/// The standard rules, with a thief who is hard to kill.
pub fn sturdy() -> Arc<Rules> {
    let mut rules = (*Rules::standard()).clone();
    rules.thief.health = 500;
    rules.validate().expect("the health is in range");
    Arc::new(rules)
}

/// A random action that is possible now, most often a step.
pub fn any_action(rng: &mut SeededRng, world: &World) -> Action {
    for _ in 0..100 {
        let action = some_action(rng, world);
        if world.check(action).is_ok() {
            return action;
        }
    }
    // A pending perk choice blocks all other actions.
    match world.view().offer() {
        Some(_) => Action::Learn(rng.below(3) as u8),
        None => Action::Wait,
    }
}

fn some_action(rng: &mut SeededRng, world: &World) -> Action {
    let way = Direction::ALL[rng.below(8) as usize];
    let slot = rng.below(4) as u8;
    let throw = IVec2::new(rng.within(-9, 9), rng.within(-9, 9));
    let at = world.view().thief().at + throw;
    match rng.below(32) {
        0..8 => Action::Walk(way),
        8..10 => Action::Sneak(way),
        10..12 => Action::Run(way),
        12 => Action::Wait,
        13 => Action::Peek(way),
        14 => Action::Open(way),
        15 => Action::Close(way),
        16..18 => Action::PickUp,
        18 => Action::Drop { slot },
        19 => Action::Throw { slot, at },
        20 => Action::Use { slot },
        21 => Action::LightTorch,
        22 => Action::SnuffTorch,
        23 => Action::DropTorch,
        24 => Action::ThrowTorch { at },
        25 => Action::Douse(way),
        26 => Action::Relight(way),
        27 => Action::Takedown(way),
        28 => Action::Shove(way),
        29 => Action::Fight(way),
        30 => Action::Climb,
        _ => [Action::WrapEmber, Action::UnwrapEmber, Action::Learn(slot)][rng.below(3) as usize],
    }
}
