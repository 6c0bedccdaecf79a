//! The proof of a floor: every floor must pass it before it is used.
//!
//! The proof shows that:
//!
//! - The border is solid, and lamps, items, guards and routes are in valid places.
//! - The thief can walk from the stairs up to every cell outside of vaults, can reach the vaults
//!   with the key of the floor, and can reach the key without it.
//! - The stairs are far from each other. No single cell between them must be crossed, except near
//!   their ends. A blocked cell therefore never cuts off the goal.
//! - No guard sees the thief arrive.
//! - There is a path between the stairs that is mostly dark and not much longer than the shortest
//!   one. It is the cheapest path (Dijkstra and A*) with a toll for lit cells, which is raised
//!   until the path is dark enough.
//! - There is enough fuel for a part of the way there and back.
//!
//! On the last floor, the Ember takes the place of the stairs down.
//!
//! # Fuel
//!
//! Each floor is judged on its own. The torches that lie outside of locked rooms (on the first
//! floor also the torch in the thief's hand) must burn for at least `proof.fuel_share` percent of
//! the shortest path from the stairs up to the stairs down and back. At 50, a thief who takes them
//! all has light for one of the two ways.
//!
//! Cost: about 2 ms, for two searches of the whole floor, settling the light once, and a few path
//! searches.

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

/// The maximum number of lamps. `Guard::lamp` is a byte.
const MOST_LAMPS: usize = 255;

/// Facts about a floor that passed its proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// The steps of the shortest path from the stairs up to the stairs down, or to the Ember.
    pub shortest: u32,
    /// The steps of a path that is dark enough.
    pub dark: u32,
    /// How many of these steps are in the band `Lit` or brighter.
    pub lit: u32,
    /// The fuel of the reachable torches, in beats.
    pub fuel: u32,
    /// The required fuel, in beats.
    pub needed: u32,
}

/// Proves a floor.
///
/// # Errors
/// The first flaw that is found.
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

/// The fuel that the torches of a floor must have if the shortest path has this many steps, in
/// beats.
pub(super) fn fuel_needed(rules: &Rules, steps: u32) -> u32 {
    (2 * steps * rules.proof.fuel_share).div_ceil(100)
}

/// The fuel of the torch that the thief surely has on arrival: only on the first floor, in beats.
pub(super) fn fuel_in_hand(rules: &Rules, difficulty: Difficulty, depth: usize) -> u32 {
    if depth > 0 {
        return 0;
    }
    let fuel = u32::from(rules.thief.fuel_start) * rules.difficulty(difficulty).fuel / 100;
    fuel.min(u32::from(rules.thief.fuel))
}

/// The fuel of the torches in cells for which `counts` returns `true`, in beats.
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

/// Checks the sizes, the border, and the positions of stairs and Ember. Returns the goal of the
/// thief.
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

/// Where the thief can get.
struct Ways {
    /// Whether someone can stand in a cell.
    passable: Plane<bool>,
    /// The cost of the path to each cell: without a key, and with it.
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

    /// Whether the thief can get there without a key.
    fn is_open(&self, at: IVec2) -> bool {
        self.open.get(at).is_some_and(|&cost| cost != NO_WAY)
    }

    /// Whether the thief can get there, with or without a key.
    fn is_reached(&self, at: IVec2) -> bool {
        self.unlocked.get(at).is_some_and(|&cost| cost != NO_WAY)
    }

    /// Checks that every cell can be reached, with a key if it is behind a lock.
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

/// Checks that lamps are in cells that can hold light, one for each cell, and that flames can be
/// reached.
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
    let neighbor = |way: Direction| lamp.at + way.step();
    let reached = match lamp.kind.is_solid() {
        true => Direction::ALL
            .into_iter()
            .any(|way| ways.is_reached(neighbor(way))),
        false => ways.is_reached(lamp.at),
    };
    let shutter = |open| {
        let mut sides = Direction::STRAIGHT.into_iter();
        sides.any(|way| floor.tile(neighbor(way)) == Tile::Shutter { open })
    };
    let shines = match lamp.kind {
        FixtureKind::Moonlight => lamp.burning == (shutter(true) || !shutter(false)),
        _ => true,
    };
    matches!(floor.tile(lamp.at), Tile::Ground(_)) && reached && shines
}

/// Checks that items are on plain ground that can be reached, one for each cell.
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

/// Checks that guards stand and walk where the thief can get without a key, and do not see the
/// stairs.
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
