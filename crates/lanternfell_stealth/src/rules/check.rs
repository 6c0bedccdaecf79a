//! What each number of the table may be.
//!
//! The ranges are wide, so that balances can be tried, and yet narrow enough that no sum or
//! product of the rules leaves its type: a distance of sound is at most a hundred cells, a
//! share at most ten times the whole, a time at most some thousand beats. A value that is no
//! number is in no range.

mod generation;

use super::{
    Color, DifficultyRules, FloorRules, GuardRules, LightRules, MaterialRules, NoiseRules, Rules,
    RulesError, ThiefRules, ToolRules,
};
use crate::{
    floor::FLOORS,
    guard::SURE,
    limits::{MOST_CELLS, MOST_HEALTH, MOST_NERVE, MOST_SLOTS},
    sound_field::BUCKETS,
};

/// Guards that the generator puts on a floor; followers come on top.
const MOST_POSTED: u32 = 40;

/// A number of the table: its name, what it is, the least and the most that it may be.
struct RangeCheck<'a>(&'a str, f64, f64, f64);

fn row(
    name: &str,
    value: impl Into<f64>,
    low: impl Into<f64>,
    high: impl Into<f64>,
) -> RangeCheck<'_> {
    RangeCheck(name, value.into(), low.into(), high.into())
}

/// The fraction that the table says, of which an `f32` is but the nearest.
fn written(fraction: f32) -> f64 {
    fraction.to_string().parse().unwrap_or(f64::NAN)
}

/// A share: at most ten times the whole.
fn percent(name: &str, value: impl Into<f64>) -> RangeCheck<'_> {
    row(name, value, 1, 1000)
}

/// A chance.
fn chance(name: &str, value: u32) -> RangeCheck<'_> {
    row(name, value, 0, 100)
}

/// How far a sound is heard, or what swallows it, in tenths of a cell.
fn reach(name: &str, value: u16) -> RangeCheck<'_> {
    row(name, value, 0, 1000)
}

/// A time in ticks or beats.
fn time(name: &str, value: u16) -> RangeCheck<'_> {
    row(name, value, 1, 10_000)
}

/// How far something reaches over a floor, in cells.
fn cells(name: &str, value: u32) -> RangeCheck<'_> {
    row(name, value, 0, 200)
}

/// An error unless every number of a section is in its range.
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

/// An error unless things fit together.
fn agree(holds: bool, otherwise: &str) -> Result<(), RulesError> {
    match holds {
        true => Ok(()),
        false => Err(RulesError::Inconsistent(otherwise.to_owned())),
    }
}

impl Rules {
    /// Checks every number, and that all fit together. [`from_ron`](Self::from_ron) does; who
    /// changes numbers by hand should.
    ///
    /// # Errors
    /// The first number that is out of its range, or what does not fit together.
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
        self.check_combat()?;
        self.check_opening_noise()?;
        self.materials.check()?;
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
            part("slow_burn", perks.slow_burn),
            part("iron_nerve", perks.iron_nerve),
            row("thick_skin", perks.thick_skin, 0, MOST_HEALTH),
            part("wet_cloth", perks.wet_cloth),
        ];
        check("perks", &rows)
    }

    fn check_awareness(&self) -> Result<(), RulesError> {
        let it = &self.awareness;
        let part = |name, value: u16| row(name, value, 0, SURE);
        let rows = [
            row("suspicious", it.suspicious, 1, SURE - 2),
            row("investigating", it.investigating, 2, SURE - 1),
            part("dim", it.dim),
            part("lit", it.lit),
            part("blazing", it.blazing),
            row("corner_of_eye", it.corner_of_eye, 0, 100),
            row("far", it.far, 0, 100),
            part("heard", it.heard),
            part("fades", it.fades),
            row("vigilant", it.vigilant, 0, 100),
            time("suspicious_ticks", it.suspicious_ticks),
            time("searching_ticks", it.searching_ticks),
            time("alarmed_search_ticks", it.alarmed_search_ticks),
            time("lost_ticks", it.lost_ticks),
            row("search_radius", it.search_radius, 1, 50),
            cells("glance", it.glance),
            time("glance_ticks", it.glance_ticks),
            cells("miss_reach", it.miss_reach),
            cells("smell_reach", it.smell_reach),
            row("trail_ticks", it.trail_ticks, 0, 1_000_000),
            row("follow_ticks", it.follow_ticks, 0, 10_000),
        ];
        check("awareness", &rows)?;
        agree(
            it.suspicious < it.investigating,
            "awareness.suspicious must be less than awareness.investigating",
        )
    }

    fn check_guards(&self) -> Result<(), RulesError> {
        let guards = &self.guards;
        guards.watchman.check("guards.watchman")?;
        guards.sentry.check("guards.sentry")?;
        guards.hound.check("guards.hound")?;
        guards.listener.check("guards.listener")?;
        guards.lamplighter.check("guards.lamplighter")?;
        guards.warden.check("guards.warden")
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
            &format!("floors are {}, but must be {FLOORS}", self.floors.len()),
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
        ];
        check("opening", &rows)?;
        agree(
            u32::from(opening.steps) <= self.map.corridor,
            "opening.steps must be at most map.corridor",
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
            points("seen", score.seen),
            points("kill", score.kill),
        ];
        check("score", &rows)
    }
}

impl Rules {
    fn check_behavior(&self) -> Result<(), RulesError> {
        let it = &self.behavior;
        let rows = [
            reach("deep_sleep", it.deep_sleep),
            reach("unmistakable", it.unmistakable),
            row("smelt", it.smelt, 0, SURE),
            row("most_vigilance", it.most_vigilance, 0, 100),
            row("alarm_vigilance", it.alarm_vigilance, 0, 100),
            row("alert_cone", it.alert_cone, 0, 4),
            row("calmed", it.calmed, 0, 100),
            percent("lost_way", it.lost_way),
            percent("lost_chase", it.lost_chase),
            row("search_tries", it.search_tries, 1, 50),
            row("walk_round", it.walk_round, 0, 1000),
            row("door", it.door, 0, 1000),
            row("detour", it.detour as u32, 0, 1000),
        ];
        check("behavior", &rows)
    }

    fn check_combat(&self) -> Result<(), RulesError> {
        let it = &self.combat;
        let rows = [
            row("behind", it.behind, 0, 5),
            row("shove_ticks", it.shove_ticks, 0, 100),
            row("warden_sleep", it.warden_sleep, 0, 100),
            row("aware_sleep", it.aware_sleep, 0, 100),
            row("leap", it.leap, 0, 12),
            row("make_way", it.make_way, 1, 12),
        ];
        check("combat", &rows)
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
}

impl MaterialRules {
    fn check(&self) -> Result<(), RulesError> {
        let colors = [
            ("rock", &self.rock),
            ("wall", &self.wall),
            ("door", &self.door),
            ("glass", &self.glass),
        ];
        // What throws all light back would let it out of nothing, in the end.
        check_colors("materials", &colors, 0.99)?;
        let rows = [
            // Cells that pass nothing are walls, in which nobody stands.
            row("curtain[0]", written(self.curtain.0), 0.01, 1),
            row("curtain[1]", written(self.curtain.1), 0, 1),
            row("bars[0]", written(self.bars.0), 0.01, 1),
            row("bars[1]", written(self.bars.1), 0, 1),
            row("smoke", written(self.smoke), 0, 0.99),
        ];
        check("materials", &rows)
    }
}

/// Colors, each of whose channels may be so much.
fn check_colors(section: &str, colors: &[(&str, &Color)], most: f64) -> Result<(), RulesError> {
    for (name, &[red, green, blue]) in colors.iter().copied() {
        let names = [0, 1, 2].map(|channel| format!("{name}[{channel}]"));
        let rows = [
            row(&names[0], written(red), 0, most),
            row(&names[1], written(green), 0, most),
            row(&names[2], written(blue), 0, most),
        ];
        check(section, &rows)?;
    }
    Ok(())
}

impl LightRules {
    fn check(&self) -> Result<(), RulesError> {
        let rows = [
            // As `LightSettings` wants it.
            row("radius", written(self.radius), 1, 1000),
            row("tolerance", written(self.tolerance), 1e-6, 0.1),
        ];
        check("light", &rows)?;
        let [dim, lit, blazing] = self.bands.from;
        let rows = [
            row("from[0]", written(dim), 1e-4, 16),
            row("from[1]", written(lit), 1e-4, 16),
            row("from[2]", written(blazing), 1e-4, 16),
            row("hysteresis", written(self.bands.hysteresis), 0, 0.9),
        ];
        check("light.bands", &rows)?;
        agree(
            dim < lit && lit < blazing && self.bands.validate().is_ok(),
            "light.bands.from must rise",
        )?;
        self.check_colors()
    }

    fn check_colors(&self) -> Result<(), RulesError> {
        let colors: [(&str, &Color); 10] = [
            ("torch", &self.torch),
            ("lantern", &self.lantern),
            ("warden", &self.warden),
            ("sconce", &self.sconce),
            ("brazier", &self.brazier),
            ("fungus", &self.fungus),
            ("crystal", &self.crystal),
            ("moonlight", &self.moonlight),
            ("fire", &self.fire),
            ("ember", &self.ember),
        ];
        check_colors("light", &colors, 16.0)
    }
}

impl NoiseRules {
    fn check(&self) -> Result<(), RulesError> {
        // A step over a corner into what swallows most still has a bucket of its own.
        let muffles = |name, value: u16| row(name, value, 0, BUCKETS as u32 - 15);
        let rows = [
            muffles("door_muffles", self.door_muffles),
            muffles("curtain_muffles", self.curtain_muffles),
            muffles("glass_muffles", self.glass_muffles),
            reach("walk", self.walk),
            reach("sneak", self.sneak),
            reach("run", self.run),
            percent("stone", self.stone),
            percent("carpet", self.carpet),
            percent("gravel", self.gravel),
            percent("water", self.water),
            percent("earth", self.earth),
            reach("guard_walk", self.guard_walk),
            reach("guard_run", self.guard_run),
            reach("paws", self.paws),
            reach("voice", self.voice),
            reach("call", self.call),
            reach("howl", self.howl),
            reach("door", self.door),
            reach("curtain", self.curtain),
            reach("lock", self.lock),
            reach("picklock", self.picklock),
            reach("shutter", self.shutter),
            reach("takedown", self.takedown),
            reach("fight", self.fight),
            reach("fall", self.fall),
            reach("shove", self.shove),
            reach("flame", self.flame),
            reach("hiss", self.hiss),
            reach("glass", self.glass),
            reach("pebble", self.pebble),
            reach("burst", self.burst),
            reach("pick_up", self.pick_up),
            reach("thief_hears", self.thief_hears),
            reach("trumpet_hears", self.trumpet_hears),
        ];
        check("noise", &rows)
    }
}

impl ThiefRules {
    fn check(&self) -> Result<(), RulesError> {
        let rows = [
            row("health", self.health, 1, MOST_HEALTH),
            row("nerve", self.nerve, 1, MOST_NERVE),
            row("nerve_falls", self.nerve_falls, 0, MOST_NERVE),
            row("nerve_returns", self.nerve_returns, 0, MOST_NERVE),
            row("nerve_reach", self.nerve_reach, 0, 100),
            percent("nerve_noise", self.nerve_noise),
            row("breath", self.breath, 0, MOST_NERVE),
            row("breath_returns", self.breath_returns, 0, MOST_NERVE),
            row("walk_ticks", self.walk_ticks, 1, 100),
            row("sneak_ticks", self.sneak_ticks, 1, 100),
            row("run_ticks", self.run_ticks, 1, 100),
            row("slots", self.slots, 1, MOST_SLOTS - 1),
            // A tenth of it, on the hardest difficulty, is still some.
            row("fuel", self.fuel, 10, 30_000),
            row("fuel_start", self.fuel_start, 10, 30_000),
            row("fuel_low", self.fuel_low, 0, 30_000),
            row("cloth", self.cloth, 0, 30_000),
            chance("hit", self.hit),
            row("damage", self.damage, 0, MOST_HEALTH),
            time("takedown_sleep", self.takedown_sleep),
            row("throw", self.throw, 1, 100),
        ];
        check("thief", &rows)?;
        agree(
            self.fuel_low < self.fuel && self.fuel_start <= self.fuel,
            "thief.fuel must be more than thief.fuel_low, and hold thief.fuel_start",
        )
    }
}

impl ToolRules {
    fn check(&self) -> Result<(), RulesError> {
        let radius = |name, value: u32| row(name, value, 0, 12);
        let rows = [
            row("oil_fuel", self.oil_fuel, 1, 30_000),
            radius("oil_radius", self.oil_radius),
            time("oil_burns", self.oil_burns),
            row("fire_damage", self.fire_damage, 0, MOST_HEALTH),
            radius("water_radius", self.water_radius),
            radius("smoke_radius", self.smoke_radius),
            row("smoke_density", self.smoke_density, 1, 100),
            row("smoke_fades", self.smoke_fades, 1, 100),
            time("dart_sleep", self.dart_sleep),
            time("trumpet_ticks", self.trumpet_ticks),
            row("salve_heals", self.salve_heals, 0, MOST_HEALTH),
            row("salve_nerve", self.salve_nerve, 0, MOST_NERVE),
            row("blink_reach", self.blink_reach, 1, 40),
            row("picklock_beats", self.picklock_beats, 1, 100),
            row("pebbles", self.pebbles, 1, 99),
            row("stack", self.stack, 1, 99),
            time("lantern_out", self.lantern_out),
        ];
        check("tools", &rows)?;
        agree(
            self.pebbles <= self.stack,
            "tools.pebbles must be at most tools.stack",
        )
    }
}

impl GuardRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let [hidden, dim, lit, blazing] = self.sight;
        let rows = [
            row("health", self.health, 1, MOST_HEALTH),
            row("damage", self.damage, 0, MOST_HEALTH),
            chance("hit", self.hit),
            cells("sight[0]", hidden),
            cells("sight[1]", dim),
            cells("sight[2]", lit),
            cells("sight[3]", blazing),
            row("cone", self.cone, 0, 4),
            reach("hearing", self.hearing),
            row("calm_ticks", self.calm_ticks, 1, 16),
            row("search_ticks", self.search_ticks, 1, 16),
            row("chase_ticks", self.chase_ticks, 1, 16),
            row("strike_ticks", self.strike_ticks, 1, 16),
        ];
        check(section, &rows)?;
        agree(
            self.sight.is_sorted(),
            &format!("{section}.sight must not fall as the light grows"),
        )
    }
}

impl FloorRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let guards = |name, value: u32| row(name, value, 0, MOST_POSTED);
        let things = |name, value: u32| row(name, value, 0, 40);
        let rows = [
            guards("watchmen", self.watchmen),
            guards("sentries", self.sentries),
            guards("hounds", self.hounds),
            guards("listeners", self.listeners),
            guards("lamplighters", self.lamplighters),
            guards("wardens", self.wardens),
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
        let guards = [
            self.watchmen,
            self.sentries,
            self.hounds,
            self.listeners,
            self.lamplighters,
            self.wardens,
        ];
        agree(
            guards.iter().sum::<u32>() <= MOST_POSTED,
            &format!("{section} must have at most {MOST_POSTED} guards in all"),
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
