//! The allowed ranges of the numbers for generating floors. Rooms that are always placed must fit
//! on the smallest map, and a room whose outline needs a minimum size must have it.

use super::{RangeCheck, agree, chance, check, percent, row};
use crate::rules::{
    CatacombsRules, CaveRules, CellarsRules, ChapelRules, CisternRules, CountRules, FindRules,
    GenerationRules, GreatRoomRules, GrowthRules, LampRules, LayoutRules, LoopRules, PostRules,
    RoomRules, RulesError, SanctumRules, Span, ThemeRules, WayRules,
};

/// A number of map cells for each thing.
fn each(name: &str, value: i32) -> RangeCheck<'_> {
    row(name, value, 20, 30_000)
}

/// A number of cells or steps, limited by the size of a map.
fn count(name: &str, value: usize) -> RangeCheck<'_> {
    row(name, value as u32, 0, 1000)
}

fn steps(name: &str, value: u32) -> RangeCheck<'_> {
    row(name, value, 0, 200)
}

/// Checks two numbers, of which the second must not be less than the first.
fn check_span(
    section: &str,
    name: &str,
    span: Span,
    low: impl Into<f64> + Copy,
    high: impl Into<f64> + Copy,
) -> Result<(), RulesError> {
    let names = [0, 1].map(|place| format!("{name}[{place}]"));
    let rows = [
        row(&names[0], span.0, low, high),
        row(&names[1], span.1, low, high),
    ];
    check(section, &rows)?;
    agree(
        span.0 <= span.1,
        &format!("{section}.{name} must be a minimum and a maximum"),
    )
}

impl GenerationRules {
    pub(super) fn check(&self) -> Result<(), RulesError> {
        self.layout.check("generation.layout")?;
        self.lamps.check("generation.lamps")?;
        self.posts.check("generation.posts")?;
        self.finds.check("generation.finds")?;
        self.caves.check("generation.caves")?;
        self.ways.check("generation.ways")?;
        self.cellars.check("generation.cellars")?;
        self.cistern.check("generation.cistern")?;
        self.chapel.check("generation.chapel")?;
        self.catacombs.check("generation.catacombs")?;
        self.sanctum.check("generation.sanctum")
    }
}

impl RoomRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        for (name, (width, height)) in [("low", self.low), ("high", self.high)] {
            let names = [0, 1].map(|place| format!("{name}[{place}]"));
            let rows = [row(&names[0], width, 2, 16), row(&names[1], height, 2, 12)];
            check(section, &rows)?;
        }
        check(section, &[row("spacing", self.spacing, 1, 8)])?;
        let grows = self.low.0 <= self.high.0 && self.low.1 <= self.high.1;
        agree(
            grows,
            &format!("{section}.low must be at most {section}.high"),
        )
    }
}

impl GreatRoomRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let rows = [
            chance("share[0]", self.share.0.unsigned_abs()),
            chance("share[1]", self.share.1.unsigned_abs()),
            row("low[0]", self.low.0, 9, 30),
            row("low[1]", self.low.1, 7, 15),
            row("high[0]", self.high.0, 9, 30),
            row("high[1]", self.high.1, 7, 15),
            row("spacing", self.spacing, 1, 8),
        ];
        check(section, &rows)?;
        let grows = self.low.0 <= self.high.0 && self.low.1 <= self.high.1;
        agree(
            grows,
            &format!("{section}.low must be at most {section}.high"),
        )
    }
}

impl GrowthRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let rows = [
            row("misses", self.misses, 1, 50),
            chance("corridors", self.corridors),
            each("each", self.each),
        ];
        check(section, &rows)?;
        check_span(section, "length", self.length, 0, 30)
    }
}

impl LoopRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let rows = [
            steps("detour", self.detour),
            row("tunnel", self.tunnel, 1, 50),
            count("most", self.most),
        ];
        check(section, &rows)
    }
}

impl CountRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let rows = [
            row("least", self.least, 0, 100),
            row("each", self.each, 0, 30_000),
        ];
        check(section, &rows)
    }
}

impl ThemeRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        for (place, (often, room)) in self.rooms.iter().enumerate() {
            let rooms = format!("rooms[{place}]");
            check(section, &[row(&format!("{rooms}[0]"), *often, 0, 1000)])?;
            room.check(&format!("{section}.{rooms}[1]"))?;
        }
        agree(
            !self.rooms.is_empty(),
            &format!("{section}.rooms must not be empty"),
        )?;
        self.loops.check(&format!("{section}.loops"))?;
        let rows = [
            chance("doors", self.doors),
            chance("curtains", self.curtains),
            each("window_each", self.window_each),
            each("shutter_each", self.shutter_each),
        ];
        check(section, &rows)?;
        self.fungus.check(&format!("{section}.fungus"))?;
        self.crystals.check(&format!("{section}.crystals"))
    }
}

impl LayoutRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let rows = [
            each("first_each", self.first_each),
            chance("landing_far", self.landing_far),
            each("niche_each", self.niche_each),
            chance("open_shutters", self.open_shutters),
        ];
        check(section, &rows)?;
        self.gaps.check(&format!("{section}.gaps"))?;
        self.closet.check(&format!("{section}.closet"))?;
        self.barracks.check(&format!("{section}.barracks"))?;
        self.entrance.check(&format!("{section}.entrance"))?;
        check_span(section, "barracks_way", self.barracks_way, 0, 30)?;
        check_span(section, "landing", self.landing, 1, 10_000)?;
        check_span(section, "window", self.window, 1, 30)?;
        check_span(section, "landmarks", self.landmarks, 0, 10)
    }
}

impl LampRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let rows = [
            chance("hall", self.hall),
            chance("corridors", self.corridors),
            count("corridor_cells", self.corridor_cells),
            percent("on_the_way", self.on_the_way),
            percent("aside", self.aside),
            row("sconce_cells", self.sconce_cells as u32, 1, 1000),
            row("sconces", self.sconces as u32, 0, 20),
            row("corridor_sconces", self.corridor_sconces as u32, 0, 20),
            steps("sconces_apart", self.sconces_apart),
            steps("lights_apart", self.lights_apart),
            steps("brazier_off_goal", self.brazier_off_goal),
        ];
        check(section, &rows)
    }
}

impl PostRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let rows = [
            count("room_cells", self.room_cells),
            count("corridor_cells", self.corridor_cells),
            // The index of a guard's waypoint is stored in a byte.
            row("near", self.near as u32, 1, 100),
            row("route_least", self.route_least as u32, 1, 100),
            row("hound_route_least", self.hound_route_least as u32, 1, 100),
            row("lamplighter_route", self.lamplighter_route as u32, 1, 100),
            row("beds", self.beds as u32, 1, 100),
            steps("watch[0]", self.watch.0),
            steps("watch[1]", self.watch.1),
            steps("sentries_apart", self.sentries_apart),
        ];
        check(section, &rows)?;
        check_span(section, "route", self.route, 1, 100)?;
        check_span(section, "exchanges", self.exchanges, 0, 10)
    }
}

impl FindRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        for (place, &(often, _)) in self.tools.iter().enumerate() {
            check(
                section,
                &[row(&format!("tools[{place}][0]"), often, 0, 1000)],
            )?;
        }
        for (place, &(_, count)) in self.vault_tools.iter().enumerate() {
            let name = format!("vault_tools[{place}][1]");
            check(section, &[row(&name, count, 1, 99)])?;
        }
        let rows = [
            chance("two", self.two),
            row("more_torches", self.more_torches, 0, 100),
            row("other_each", self.other_each, 1, 100),
            count("room_cells", self.room_cells),
            row("dead_end", self.dead_end as f64, 0, 100),
            row("crowded", self.crowded as f64, 0, 100),
            row("key_rooms", self.key_rooms as u32, 1, 100),
        ];
        check(section, &rows)?;
        check_span(section, "watched_treasure", self.watched_treasure, 0, 100)?;
        check_span(section, "other_treasure", self.other_treasure, 0, 100)
    }
}

impl CaveRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let rows = [
            chance("rock", self.rock),
            row("rounds", self.rounds, 0, 20),
            count("least", self.least),
            row("pillar_each", self.pillar_each as f64, 1, 1000),
            steps("part", self.part),
        ];
        check(section, &rows)
    }
}

impl WayRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        let rows = [percent("least", self.least), count("ends", self.ends)];
        check(section, &rows)
    }
}

impl CellarsRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        self.theme.check(&format!("{section}.theme"))?;
        self.growth.check(&format!("{section}.growth"))?;
        self.hall.check(&format!("{section}.hall"))?;
        let rows = [
            count("store_cells", self.store_cells),
            chance("stores", self.stores),
            chance("plain", self.plain),
            chance("corridors", self.corridors),
            chance("gravel", self.gravel),
        ];
        check(section, &rows)
    }
}

impl CisternRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        self.theme.check(&format!("{section}.theme"))?;
        self.growth.check(&format!("{section}.growth"))?;
        self.basin.check(&format!("{section}.basin"))?;
        self.pool.check(&format!("{section}.pool"))?;
        let rows = [
            chance("halls", self.halls),
            chance("plain", self.plain),
            chance("corridors", self.corridors),
        ];
        check(section, &rows)
    }
}

impl ChapelRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        self.theme.check(&format!("{section}.theme"))?;
        self.growth.check(&format!("{section}.growth"))?;
        self.nave.check(&format!("{section}.nave"))?;
        self.chapels.check(&format!("{section}.chapels"))?;
        self.chapel.check(&format!("{section}.chapel"))?;
        self.garth.check(&format!("{section}.garth"))?;
        let rows = [
            chance("plain_nave", self.plain_nave),
            chance("plain", self.plain),
            chance("corridors", self.corridors),
            row("aisle", self.aisle, 0, 20),
        ];
        check(section, &rows)
    }
}

impl CatacombsRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        self.theme.check(&format!("{section}.theme"))?;
        self.barracks.check(&format!("{section}.barracks"))?;
        let rows = [
            each("crypt_each", self.crypt_each),
            each("pool_each", self.pool_each),
        ];
        check(section, &rows)?;
        check_span(section, "pool", self.pool, 0, 50)
    }
}

impl SanctumRules {
    fn check(&self, section: &str) -> Result<(), RulesError> {
        self.theme.check(&format!("{section}.theme"))?;
        self.growth.check(&format!("{section}.growth"))?;
        self.hall.check(&format!("{section}.hall"))?;
        let rows = [
            row("margin[0]", self.margin.0, 1, 30),
            row("margin[1]", self.margin.1, 1, 30),
            row("between", self.between, 1, 50),
            chance("gates", self.gates),
            steps("gates_apart", self.gates_apart),
            chance("carpet", self.carpet),
            chance("gravel", self.gravel),
            chance("water", self.water),
        ];
        check(section, &rows)?;
        check_span(section, "shut_sides", self.shut_sides, 0, 4)
    }
}
