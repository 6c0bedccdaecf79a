//! Every floor is proven before it is used.
//!
//! What is proven:
//!
//! - The border is solid, and everything is where it can be: lamps, items, guards, routes.
//! - From the stairs up the thief gets to every cell, but for the vaults; to the vaults with
//!   the key of the floor; and to the key without it.
//! - The stairs are far from each other, and between them no single cell must be crossed,
//!   but for some near their ends: whatever is blocked, there is another way.
//! - Nobody sees the thief arrive.
//! - There is a way between the stairs that is mostly dark, and not much longer than the
//!   shortest one: the cheapest way of Dijkstra and A*, with a toll for lit cells that is
//!   raised until the way is dark enough.
//! - There is fuel for the way there and back.
//!
//! On the last floor the Ember is meant where the stairs down are elsewhere.
//!
//! # Fuel
//!
//! Each floor stands for itself: the torches that lie about on it without a lock before them
//! (on the first floor also the one in the thief's hand) burn for at least `proof.fuel_share`
//! percent of the shortest way from the stairs up to the stairs down and back: at 50 a thief who
//! takes them has light for one of the two ways.
//!
//! Cost: two searches of the whole floor, the light settled once, and a few ways: some two
//! milliseconds.

mod dark;
mod loops;
#[cfg(test)]
mod tests;

use glam::IVec2;
use lanternfell_lightgrid::line_of_sight;

use super::flaw::Flaw;
use crate::{
    Difficulty, Direction, Door, Fixture, FixtureKind, Item, Plane, Rules, Tile,
    floor::FLOORS,
    floor::Floor,
    path::{NO_WAY, Toll, costs, way},
    steps_between,
};

/// Lamps that a floor can have: a guard's goal among them is a byte.
const MOST_LAMPS: usize = 255;

/// What is known of a floor that is in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// Steps of the shortest way from the stairs up to the stairs down, or to the Ember.
    pub shortest: u32,
    /// Steps of a way that is dark enough.
    pub dark: u32,
    /// How many of these are lit or more.
    pub lit: u32,
    /// Beats that the torches here burn.
    pub fuel: u32,
    /// Beats that they must burn.
    pub needed: u32,
}

/// Proves a floor.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn prove(
    rules: &Rules,
    difficulty: Difficulty,
    depth: usize,
    floor: &Floor,
) -> Result<Proof, Flaw> {
    let goal = check_shape(depth, floor)?;
    let ways = Ways::new(floor);
    ways.check(floor, goal)?;
    check_lamps(floor, &ways)?;
    check_items(floor, &ways)?;
    check_guards(rules, floor, &ways)?;
    let shortest = way(floor, floor.up, goal, |at| ways.toll(at))
        .ok_or(Flaw::Unreachable("the goal", goal))?;
    loops::check(rules, depth, floor, &ways, &shortest)?;
    let steps = shortest.len() as u32;
    let (dark, lit) = dark::find_way(rules, floor, &ways, goal, steps)?;
    let fuel = fuel(rules, difficulty, depth, floor, |at| ways.is_open(at));
    let needed = fuel_needed(rules, steps);
    if fuel < needed {
        return Err(Flaw::Fuel { fuel, needed });
    }
    Ok(Proof {
        shortest: steps,
        dark,
        lit,
        fuel,
        needed,
    })
}

/// Beats that the torches of a floor must burn when the way over it has so many steps.
pub(super) fn fuel_needed(rules: &Rules, steps: u32) -> u32 {
    (2 * steps * rules.proof.fuel_share).div_ceil(100)
}

/// Beats that the torch burns that the thief has at the beginning of a floor for sure: at the
/// beginning of the game.
pub(super) fn fuel_in_hand(rules: &Rules, difficulty: Difficulty, depth: usize) -> u32 {
    if depth > 0 {
        return 0;
    }
    let fuel = u32::from(rules.thief.fuel_start) * rules.difficulty(difficulty).fuel / 100;
    fuel.min(u32::from(rules.thief.fuel))
}

/// Beats that the torches of a floor burn which lie in these cells.
fn fuel(
    rules: &Rules,
    difficulty: Difficulty,
    depth: usize,
    floor: &Floor,
    counts: impl Fn(IVec2) -> bool,
) -> u32 {
    let torches = floor.items.iter().filter(|placed| counts(placed.at));
    let beats = torches.filter_map(|placed| match placed.item {
        Item::Torch(torch) => Some(u32::from(torch.fuel)),
        _ => None,
    });
    beats.sum::<u32>() + fuel_in_hand(rules, difficulty, depth)
}

/// Sizes, the border, and that stairs and Ember are there. Returns where the thief must go.
fn check_shape(depth: usize, floor: &Floor) -> Result<IVec2, Flaw> {
    let size = |width: i32, height: i32| (width, height);
    let tiles = size(floor.tiles.width(), floor.tiles.height());
    let same = tiles == size(floor.scent.width(), floor.scent.height())
        && tiles == size(floor.memory.width(), floor.memory.height());
    if !same {
        return Err(Flaw::Sizes);
    }
    if let Some(at) = floor.gap() {
        return Err(Flaw::Border(at));
    }
    let count = |wanted: Tile| {
        floor
            .tiles
            .values()
            .iter()
            .filter(|&&tile| tile == wanted)
            .count()
    };
    if floor.tile(floor.up) != Tile::StairsUp || count(Tile::StairsUp) != 1 {
        return Err(Flaw::Goal("the stairs up"));
    }
    let last = depth + 1 >= FLOORS;
    let downs = count(Tile::StairsDown);
    match floor.down {
        Some(down) if !last && floor.tile(down) == Tile::StairsDown && downs == 1 => {}
        None if last && downs == 0 => {}
        _ => return Err(Flaw::Goal("the stairs down")),
    }
    let mut embers = floor
        .items
        .iter()
        .filter(|placed| placed.item == Item::Ember);
    match (embers.next(), embers.next(), floor.down) {
        (Some(ember), None, None) => Ok(ember.at),
        (None, None, Some(down)) => Ok(down),
        _ => Err(Flaw::Goal("the Ember")),
    }
}

/// Where the thief gets to.
struct Ways {
    /// Where feet could stand.
    passable: Plane<bool>,
    /// The cost of the way to each cell without a key, and with it.
    open: Plane<u32>,
    unlocked: Plane<u32>,
}

impl Ways {
    fn new(floor: &Floor) -> Self {
        let (width, height) = (floor.tiles.width(), floor.tiles.height());
        let mut passable = Plane::new(width, height, false);
        for at in floor.tiles.cells() {
            passable[at] = floor.is_passable(at);
        }
        let walk = |at: IVec2| passable[at].then_some(0);
        let unlock = |at: IVec2| {
            let locked = floor.tile(at) == Tile::Door(Door::Locked);
            (passable[at] || locked).then_some(0)
        };
        let open = costs(floor, [floor.up], walk);
        let unlocked = costs(floor, [floor.up], unlock);
        Self {
            passable,
            open,
            unlocked,
        }
    }

    fn toll(&self, at: IVec2) -> Toll {
        self.passable[at].then_some(0)
    }

    /// Whether the thief gets there without a key.
    fn is_open(&self, at: IVec2) -> bool {
        self.open.get(at).is_some_and(|&cost| cost != NO_WAY)
    }

    /// Whether the thief gets there at all.
    fn is_reached(&self, at: IVec2) -> bool {
        self.unlocked.get(at).is_some_and(|&cost| cost != NO_WAY)
    }

    /// Every cell can be reached: without a key, or if there is one, behind locks.
    fn check(&self, floor: &Floor, goal: IVec2) -> Result<(), Flaw> {
        if !self.is_open(goal) {
            return Err(Flaw::Unreachable("the goal", goal));
        }
        let locked = |at: &IVec2| floor.tile(*at) == Tile::Door(Door::Locked);
        let mut keys = floor.items.iter().filter(|placed| placed.item == Item::Key);
        let has_key = keys.any(|placed| self.is_open(placed.at));
        if let Some(door) = floor.tiles.cells().find(locked)
            && !has_key
        {
            return Err(Flaw::NoKey(door));
        }
        for at in floor.tiles.cells() {
            if (self.passable[at] || locked(&at)) && !self.is_reached(at) {
                return Err(Flaw::Unreachable("a cell", at));
            }
        }
        Ok(())
    }
}

/// Lamps hang where light can be, one to a cell; flames where somebody can light them.
fn check_lamps(floor: &Floor, ways: &Ways) -> Result<(), Flaw> {
    if floor.fixtures.len() > MOST_LAMPS {
        return Err(Flaw::Lamps(floor.fixtures.len()));
    }
    for (n, lamp) in floor.fixtures.iter().enumerate() {
        let alone = floor.fixtures[..n].iter().all(|other| other.at != lamp.at);
        if !alone || !hangs_right(floor, ways, lamp) {
            return Err(Flaw::Lamp(lamp.kind, lamp.at));
        }
    }
    Ok(())
}

fn hangs_right(floor: &Floor, ways: &Ways, lamp: &Fixture) -> bool {
    let beside = |way: Direction| lamp.at + way.step();
    let reached = match lamp.kind.is_solid() {
        true => Direction::ALL
            .into_iter()
            .any(|way| ways.is_reached(beside(way))),
        false => ways.is_reached(lamp.at),
    };
    let shutter = |open| {
        let mut sides = Direction::STRAIGHT.into_iter();
        sides.any(|way| floor.tile(beside(way)) == Tile::Shutter { open })
    };
    let shines = match lamp.kind {
        FixtureKind::Moonlight => lamp.burning == (shutter(true) || !shutter(false)),
        _ => true,
    };
    matches!(floor.tile(lamp.at), Tile::Ground(_)) && reached && shines
}

/// Items lie on bare ground that can be reached, one to a cell.
fn check_items(floor: &Floor, ways: &Ways) -> Result<(), Flaw> {
    for (n, placed) in floor.items.iter().enumerate() {
        let at = placed.at;
        let alone = floor.items[..n].iter().all(|other| other.at != at);
        if !alone || !matches!(floor.tile(at), Tile::Ground(_)) {
            return Err(Flaw::Item(at));
        }
        if !ways.is_reached(at) || !floor.is_passable(at) {
            return Err(Flaw::Unreachable(placed.item.name(), at));
        }
    }
    Ok(())
}

/// Guards stand, and go, where the thief gets without a key; and see nothing of the stairs.
fn check_guards(rules: &Rules, floor: &Floor, ways: &Ways) -> Result<(), Flaw> {
    let stairs = || [Some(floor.up), floor.down].into_iter().flatten();
    for (n, guard) in floor.guards.iter().enumerate() {
        let at = guard.at;
        let alone = floor.guards[..n].iter().all(|other| other.at != at);
        let stands = ways.is_open(at) && floor.tile(at).is_walkable();
        let routes = usize::from(guard.leg) < guard.route.len();
        if !alone || !stands || !routes {
            return Err(Flaw::Guard(at));
        }
        let places = guard.route.iter().chain([&guard.home]);
        if let Some(&place) = places.into_iter().find(|&&place| !ways.is_open(place)) {
            return Err(Flaw::Unreachable("a guard's goal", place));
        }
        if stairs().any(|stairs| steps_between(at, stairs) < rules.proof.guard_distance) {
            return Err(Flaw::GuardNear(at));
        }
        let sees =
            |stairs| line_of_sight(at, stairs, |at| floor.blocks_sight(at, rules.sight.smoke));
        if stairs().any(sees) {
            return Err(Flaw::GuardSees(at));
        }
    }
    Ok(())
}
