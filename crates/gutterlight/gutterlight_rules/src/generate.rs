//! Generation of floors from a seed.
//!
//! A floor is built in steps, each in its own file, and then [proven](proof) to be playable. A
//! floor that fails is discarded, and the next attempt uses other random numbers. After the last
//! attempt a [hand-drawn floor](drawn) is used, so generation never fails.
//!
//! ```text
//!    rock -> rooms      cellars, cistern, chapel, catacombs, sanctum: the layout of each theme
//!         |             (shape: outlines; accrete: rooms next to rooms; cave; pieces)
//!         -> vault      drawn rooms behind locks; landmark: drawn rooms without (prefab: both)
//!         -> tunnel     loops; no dead ends
//!         -> stairs     far from each other
//!         -> openings   niches, doors, curtains, windows, shutters; walls
//!         -> lamps      light in about half of the rooms
//!         -> guards     posts and routes; roster: which guards are on duty
//!         -> items      items, and the key
//!         -> proof      or the next attempt
//! ```
//!
//! In between, `twists` applies the [twist](crate::Twist) of the floor.
//!
//! A seed, a depth and rules give the same floor on every machine. The difficulty only changes how
//! long torches burn.
//!
//! Cost: about 5 ms for 64 x 40 cells, of which the proof takes a third. Four of five floors pass
//! at the first attempt.

mod accrete;
mod catacombs;
mod cave;
mod cellars;
mod chapel;
mod cistern;
mod drawn;
mod flaw;
mod guards;
mod items;
mod lamps;
mod landmark;
mod openings;
mod pieces;
mod plan;
mod prefab;
mod proof;
mod roster;
mod sanctum;
mod shape;
mod stairs;
#[cfg(test)]
mod tests;
mod tunnel;
pub(crate) mod twists;
mod vault;
mod weighted;

use lanternfell_random::{SeededRng, SplitMix64};

pub use self::{flaw::Flaw, proof::Proof};

use self::plan::Plan;
use crate::{
    Difficulty, Rules, Theme,
    floor::{FLOORS, Floor},
};

impl Floor {
    /// Generates a floor of a game, as it is when the thief first enters it.
    ///
    /// The same seed, depth (from 0) and rules give the same floor on every machine. The difficulty
    /// changes how long torches burn. There are [`FLOORS`] depths; larger ones give the last floor.
    pub fn generate(rules: &Rules, seed: u64, difficulty: Difficulty, depth: usize) -> Self {
        generate(rules, seed, difficulty, depth)
    }

    /// Proves that a floor is playable, as every generated floor is.
    ///
    /// # Errors
    /// The first flaw that is found.
    pub fn prove(
        &self,
        rules: &Rules,
        difficulty: Difficulty,
        depth: usize,
    ) -> Result<Proof, Flaw> {
        proof::prove(rules, difficulty, depth, self)
    }
}

/// Returns the first attempt that passes the proof, or the drawn floor.
pub(crate) fn generate(rules: &Rules, seed: u64, difficulty: Difficulty, depth: usize) -> Floor {
    let depth = depth.min(FLOORS - 1);
    let proven = (0..rules.map.attempts).find_map(|attempt| {
        let floor = build(rules, seed, difficulty, depth, attempt)?;
        floor
            .prove(rules, difficulty, depth)
            .is_ok()
            .then_some(floor)
    });
    proven.unwrap_or_else(|| drawn::floor(rules, depth))
}

/// Builds one attempt at a floor. `None` if the stairs or the twist find no room.
fn build(
    rules: &Rules,
    seed: u64,
    difficulty: Difficulty,
    depth: usize,
    attempt: u32,
) -> Option<Floor> {
    let twist = twists::draw(rules, seed, depth);
    let mut rng = SeededRng::new(mixed(seed, depth, attempt), b"floor   ");
    let mut table = rules.floors[depth].clone();
    roster::change_table(rules, depth, &mut rng, &mut table);
    twists::change_table(rules, twist, &mut table);
    let mut plan = Plan::new(rules, &table, difficulty, depth + 1 == FLOORS, rng);
    plan.twist = twist;
    if depth == 0 {
        plan.dig_first_corridor();
    }
    dig_layout(&mut plan);
    plan.join();
    plan.add_loops(&rules.generation.theme(table.theme).loops);
    plan.fill_dead_ends();
    if !plan.place_stairs() {
        return None;
    }
    plan.fit_openings();
    match table.theme {
        Theme::Cellars => cellars::furnish(&mut plan),
        Theme::Cistern => cistern::furnish(&mut plan),
        Theme::Chapel => chapel::furnish(&mut plan),
        Theme::Catacombs => catacombs::furnish(&mut plan),
        Theme::Sanctum => sanctum::furnish(&mut plan),
    }
    twists::furnish(&mut plan);
    plan.raise_walls();
    plan.hang_lamps();
    plan.post_guards();
    let way = plan.shortest_way(plan.up?, plan.goal?).len() as u32;
    let fuel = proof::fuel_in_hand(rules, difficulty, depth);
    plan.place_items(fuel, proof::fuel_needed(rules, way));
    twists::finish(&mut plan).then(|| finished(plan))
}

/// Digs the layout of the theme.
fn dig_layout(plan: &mut Plan<'_>) {
    match plan.theme() {
        Theme::Cellars => cellars::dig_layout(plan),
        Theme::Cistern => cistern::dig_layout(plan),
        Theme::Chapel => chapel::dig_layout(plan),
        Theme::Catacombs => catacombs::dig_layout(plan),
        Theme::Sanctum => sanctum::dig_layout(plan),
    }
}

/// The seed of one attempt: the mixing function of [`SplitMix64`] over the number of the depth and
/// the attempt, so that all attempts of a seed differ.
fn mixed(seed: u64, depth: usize, attempt: u32) -> u64 {
    let number = (depth as u64) << 32 | u64::from(attempt);
    SplitMix64::mix(seed.wrapping_add((number + 1).wrapping_mul(SplitMix64::GAMMA)))
}

fn finished(plan: Plan<'_>) -> Floor {
    let down = plan.goal.filter(|_| !plan.last);
    let mut floor = Floor::new(
        plan.table.theme,
        plan.tiles,
        plan.up.unwrap_or_default(),
        down,
    );
    floor.fixtures = plan.fixtures;
    floor.items = plan.items;
    floor.guards = plan.guards;
    floor.twist = plan.twist;
    floor
}
