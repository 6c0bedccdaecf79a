//! The allowed ranges of the rules.
//!
//! The ranges are wide, so that different balances can be tried. They are still narrow enough that
//! no sum or product in the game overflows: sound reaches at most 100 cells, a share is at most ten
//! times the whole, and a time is at most some thousand beats. NaN is in no range.

mod generation;
mod guards;
mod senses;
mod thief;
mod twists;

use super::{DifficultyRules, FloorRules, Rules, RulesError};
use crate::{
    floor::FLOORS,
    limits::{MOST_CELLS, MOST_HEALTH},
};

/// The maximum number of guards that the generator places on a floor. Followers are not included.
const MOST_POSTED: u32 = 40;

/// A number to check: its name, its value, its minimum and its maximum.
struct RangeCheck<'a>(&'a str, f64, f64, f64);

fn row(
    name: &str,
    value: impl Into<f64>,
    low: impl Into<f64>,
    high: impl Into<f64>,
) -> RangeCheck<'_> {
    RangeCheck(name, value.into(), low.into(), high.into())
}

/// The `f64` nearest to the fraction as written in decimal, instead of the exact value of the
/// `f32`.
fn written(fraction: f32) -> f64 {
    fraction.to_string().parse().unwrap_or(f64::NAN)
}

/// A share in percent, at most ten times the whole.
fn percent(name: &str, value: impl Into<f64>) -> RangeCheck<'_> {
    row(name, value, 1, 1000)
}

/// A probability in percent.
fn chance(name: &str, value: u32) -> RangeCheck<'_> {
    row(name, value, 0, 100)
}

/// A reach or a loss of sound, in tenths of a cell.
fn reach(name: &str, value: u16) -> RangeCheck<'_> {
    row(name, value, 0, 1000)
}

/// A time in ticks or beats.
fn time(name: &str, value: u16) -> RangeCheck<'_> {
    row(name, value, 1, 10_000)
}

/// A distance on a floor, in cells.
fn cells(name: &str, value: u32) -> RangeCheck<'_> {
    row(name, value, 0, 200)
}

/// Checks that every number of a section is in its range.
fn check(section: &str, rows: &[RangeCheck<'_>]) -> Result<(), RulesError> {
    let outside = |row: &&RangeCheck<'_>| !(row.2..=row.3).contains(&row.1);
    match rows.iter().find(outside) {
        None => Ok(()),
        Some(&RangeCheck(name, value, low, high)) => Err(RulesError::Range {
            field: format!("{section}.{name}"),
            value,
            low,
            high,
        }),
    }
}

/// Checks that values fit together.
fn agree(holds: bool, otherwise: &str) -> Result<(), RulesError> {
    match holds {
        true => Ok(()),
        false => Err(RulesError::Inconsistent(otherwise.to_owned())),
    }
}

impl Rules {
    /// Checks every number, and that they fit together.
    ///
    /// [`from_ron`](Self::from_ron) does this already. Call it after you change numbers in code.
    ///
    /// # Errors
    /// The first number that is out of range, or the first contradiction.
    pub fn validate(&self) -> Result<(), RulesError> {
        self.light.check()?;
        self.check_sight()?;
        self.noise.check()?;
        self.thief.check()?;
        self.tools.check()?;
        self.check_perks()?;
        self.check_awareness()?;
        self.check_guards()?;
        self.check_map()?;
        self.check_floors()?;
        self.check_difficulty()?;
        self.check_opening()?;
        self.check_score()?;
        self.check_behavior()?;
        self.check_alarm()?;
        self.check_night()?;
        self.check_combat()?;
        self.check_opening_noise()?;
        self.materials.check()?;
        self.twists.check()?;
        self.generation.check()
    }

    fn check_sight(&self) -> Result<(), RulesError> {
        let sight = &self.sight;
        let rows = [
            row("thief", sight.thief, 1, 200),
            row("touch", sight.touch, 1, 20),
            row("cat_eyes", sight.cat_eyes, 1, 20),
            row("smoke", sight.smoke, 1, 100),
        ];
        check("sight", &rows)
    }

    fn check_perks(&self) -> Result<(), RulesError> {
        let perks = &self.perks;
        let part = |name, value: u16| row(name, value, 0, 100);
        let rows = [
            part("light_feet", perks.light_feet),
            row("thick_skin", perks.thick_skin, 0, MOST_HEALTH),
            part("wet_cloth", perks.wet_cloth),
        ];
        check("perks", &rows)
    }

    fn check_map(&self) -> Result<(), RulesError> {
        let (map, proof) = (&self.map, &self.proof);
        let rows = [
            row("width", map.width, 40, MOST_CELLS.x),
            row("height", map.height, 26, MOST_CELLS.y),
            row("attempts", map.attempts, 1, 1000),
            row("corridor", map.corridor, 1, 30),
        ];
        check("map", &rows)?;
        let rows = [
            chance("lit_share", proof.lit_share),
            row("detour", proof.detour, 100, 10_000),
            row("guard_distance", proof.guard_distance, 0, 40),
            row("fuel_share", proof.fuel_share, 0, 10_000),
        ];
        check("proof", &rows)
    }

    fn check_floors(&self) -> Result<(), RulesError> {
        agree(
            self.floors.len() == FLOORS,
            &format!(
                "there are {} floors, but there must be {FLOORS}",
                self.floors.len()
            ),
        )?;
        for (depth, floor) in self.floors.iter().enumerate() {
            floor.check(&format!("floors[{depth}]"))?;
        }
        Ok(())
    }

    fn check_difficulty(&self) -> Result<(), RulesError> {
        let table = &self.difficulty;
        table.apprentice.check("difficulty.apprentice")?;
        table.thief.check("difficulty.thief")?;
        table.ghost.check("difficulty.ghost")
    }

    fn check_opening(&self) -> Result<(), RulesError> {
        let opening = &self.opening;
        let beats = |name, value: u16| row(name, value, 0, 100);
        let rows = [
            row("steps", opening.steps, 1, 30),
            beats("gutters", opening.gutters),
            beats("dark", opening.dark),
            beats("silence", opening.silence),
            beats("far", opening.far),
            beats("near", opening.near),
            beats("glow", opening.glow),
            percent("guttering", opening.guttering),
        ];
        check("opening", &rows)?;
        senses::check_colors("opening", &[("light_ahead", &opening.light_ahead)], 10.0)?;
        agree(
            u32::from(opening.steps) <= self.map.corridor,
            "opening.steps must be at most map.corridor",
        )
    }

    fn check_opening_noise(&self) -> Result<(), RulesError> {
        let it = &self.opening_noise;
        let rows = [reach("nearest", it.nearest), reach("farthest", it.farthest)];
        check("opening_noise", &rows)?;
        agree(
            it.nearest <= it.farthest,
            "opening_noise.nearest must be at most opening_noise.farthest",
        )
    }

    fn check_score(&self) -> Result<(), RulesError> {
        let score = &self.score;
        let points = |name, value: u32| row(name, value, 0, 100_000);
        let rows = [
            points("floor", score.floor),
            points("ember", score.ember),
            points("escape", score.escape),
            points("unseen", score.unseen),
            points("rescue", score.rescue),
            points("turned_back", score.turned_back),
            points("seen", score.seen),
            points("kill", score.kill),
            row("burden", score.burden, 0, 1000),
        ];
        check("score", &rows)
    }
}

impl FloorRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let things = |name, value: u32| row(name, value, 0, 40);
        let rows = [
            chance("asleep", self.asleep),
            chance("sconces", self.sconces),
            things("braziers", self.braziers),
            things("tools", self.tools),
            things("treasures", self.treasures),
            row("treasure", self.treasure, 1, 10_000),
            things("torches", self.torches),
            row("torch_fuel", self.torch_fuel, 1, 30_000),
            things("cloth", self.cloth),
            row("vaults", self.vaults, 0, 10),
        ];
        check(section, &rows)?;
        for (kind, &count) in &self.guards {
            let name = format!("guards.{kind:?}");
            check(section, &[row(&name, count, 0, MOST_POSTED)])?;
        }
        agree(
            self.guards.values().sum::<u32>() <= MOST_POSTED,
            &format!("{section}.guards must be at most {MOST_POSTED} in all"),
        )
    }
}

impl DifficultyRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let rows = [
            row("fuel", self.fuel, 10, 1000),
            row("sight", self.sight, 10, 1000),
            row("hearing", self.hearing, 10, 1000),
            row("damage", self.damage, 0, 1000),
            row("score", self.score, 0, 1000),
        ];
        check(section, &rows)
    }
}
