//! Where to go: items, unexplored parts of the floor, the stairs, the Ember.
//!
//! Steps:
//! 1. Every cell gets a toll for its light, its ground and its danger.
//! 2. One search from the thief computes the cost of the path to every cell.
//! 3. An item is fetched if its path costs less than it is worth. Otherwise the bot follows its
//!    main goal: down, to the Ember, up and out. While the next stairs are unknown, it explores the
//!    cheapest frontier. It prefers frontiers far from the stairs up, because stairs are far apart.
//! 4. The path is read backward from the costs.

use glam::IVec2;

use crate::{
    Action, Direction, Door, Ground, Item, Perk, Placed, Plane, Tile, Tool, View,
    bots::mind::Thinker,
    bots::objective::{Aim, Objective},
    direction::steps_between,
    path::{NO_WAY, costs},
};

/// The toll of a cell by its light band, in tenths of a cell.
const LIGHT: [u32; 4] = [0, 3, 12, 25];

/// The factor on this toll for a bot that never wants to be seen, because unknown guards may watch
/// from the dark.
const SHY: u32 = 2;

/// The toll of water and gravel where a guard may listen.
const LOUD: u32 = 8;

/// The toll of a cell with a guard, or in which a step failed.
const TAKEN: u32 = 400;

/// How long a plan is kept while nothing happens, in ticks.
const KEPT: u32 = 48;

/// The divisor of passing danger, which will be over when the thief arrives.
const PASSING: u32 = 4;

/// The bonus of a frontier for each step from the stairs up.
const FAR: u32 = 4;

/// The bonus of the goal of the last turn.
const HABIT: u32 = 30;

impl Thinker {
    /// The toll of each cell, or [`NO_WAY`] where the thief cannot go.
    pub(super) fn tolls(&mut self, view: View<'_>) -> Plane<u32> {
        match self.tolls.take() {
            Some(tolls) => tolls,
            None => self.work_out_tolls(view),
        }
    }

    fn work_out_tolls(&self, view: View<'_>) -> Plane<u32> {
        let size = view.size();
        let mut tolls = Plane::new(size.x, size.y, NO_WAY);
        for at in self.chart.floor.tiles.cells() {
            if let Some(toll) = self.toll(view, at) {
                tolls[at] = toll;
            }
        }
        let guards = view.guards().filter(|guard| !guard.alert_state.is_down());
        for guard in guards {
            if let Some(toll) = tolls.get_mut(guard.at) {
                *toll = toll.saturating_add(TAKEN);
            }
        }
        tolls
    }

    fn toll(&self, view: View<'_>, at: IVec2) -> Option<u32> {
        let tile = self.chart.tile(at);
        let locked = tile == Tile::Door(Door::Locked);
        let opens = locked && self.can_unlock(view);
        if !(opens || self.chart.floor.is_passable(at)) || view.fire(at) {
            return None;
        }
        let door = match tile {
            Tile::Door(Door::Closed) => 10,
            Tile::Door(Door::Locked) => 80,
            _ => 0,
        };
        let thief = view.thief();
        let shines = thief.torch_burns() || thief.ember_shines();
        let shy = if self.temper.unseen { SHY } else { 1 };
        let light = match self.temper.light && !shines {
            true => LIGHT[self.chart.band(at) as usize] * shy,
            false => 0,
        };
        let spot = self.dread.at(at);
        let loud = matches!(tile.ground(), Ground::Gravel | Ground::Water);
        let noise = match self.temper.noise && loud && spot.hush < u16::MAX {
            true => LOUD,
            false => 0,
        };
        let dread = match self.temper.guards {
            true => {
                (spot.toll - spot.passing + spot.passing / PASSING) * (3 - self.boredom(view)) / 3
            }
            false => 0,
        };
        let shunned = if self.shuns(at) { TAKEN } else { 0 };
        Some(door + light + noise + dread + shunned)
    }

    fn can_unlock(&self, view: View<'_>) -> bool {
        let key = view.thief().keys & (1 << view.depth().min(7)) != 0;
        key || view.thief().slot_of(Tool::Picklock).is_some() || view.is_shut_in()
    }

    /// The costs of the paths from a cell to all cells, for these tolls.
    pub(super) fn costs_from(&self, from: IVec2, tolls: &Plane<u32>) -> Plane<u32> {
        let toll = |at| tolls.get(at).copied().filter(|&toll| toll != NO_WAY);
        costs(&self.chart.floor, [from], toll)
    }

    /// The path to a cell, with the next step last, read backward from the costs.
    pub(super) fn way_back(
        &self,
        costs: &Plane<u32>,
        tolls: &Plane<u32>,
        from: IVec2,
        goal: IVec2,
    ) -> Vec<IVec2> {
        let mut way = Vec::new();
        let mut at = goal;
        while at != from && way.len() < 4000 {
            way.push(at);
            let before = Direction::ALL.into_iter().find_map(|way| {
                let before = at - way.step();
                let step = if way.is_diagonal() { 14 } else { 10 };
                let cost = *costs.get(before)?;
                let there = cost != NO_WAY
                    && costs[at] == cost + step + tolls[at]
                    && self.chart.floor.corners_free(before, at);
                there.then_some(before)
            });
            let Some(before) = before else {
                return Vec::new();
            };
            at = before;
        }
        way
    }

    /// Makes a plan, or keeps the last one if it is still good.
    pub(super) fn make_plan(&mut self, view: View<'_>) {
        if self.tolls.is_some() && self.objective.is_some() || self.keeps_plan(view) {
            return;
        }
        let tolls = self.tolls(view);
        let from = view.thief().at;
        self.planned = view.tick();
        self.chart.news = false;
        let costs = self.costs_from(from, &tolls);
        let old = self.objective.take().map(|plan| plan.goal);
        let Some((aim, goal)) = self.choose_goal(view, &costs, old) else {
            return;
        };
        let way = self.way_back(&costs, &tolls, from, goal);
        let (aim, goal, way) = match self.lamp_on_way(view, &costs, &way) {
            Some(stand) if aim != Aim::Take => {
                let way = self.way_back(&costs, &tolls, from, stand);
                (Aim::Douse, stand, way)
            }
            _ => (aim, goal, way),
        };
        self.tolls = Some(tolls);
        self.objective = Some(Objective { aim, goal, way });
    }

    /// Whether the last plan is still good: nothing is new, no guard is near, and the thief follows
    /// it. Also advances the plan.
    fn keeps_plan(&mut self, view: View<'_>) -> bool {
        let here = view.thief().at;
        let fresh = view.tick() < self.planned + KEPT && !self.someone_near(view);
        let Some(plan) = self
            .objective
            .as_mut()
            .filter(|_| fresh && !self.chart.news)
        else {
            return false;
        };
        if plan.way.last() == Some(&here) {
            plan.way.pop();
        }
        plan.way
            .last()
            .is_some_and(|&next| steps_between(next, here) == 1)
    }

    fn choose_goal(
        &mut self,
        view: View<'_>,
        costs: &Plane<u32>,
        old: Option<IVec2>,
    ) -> Option<(Aim, IVec2)> {
        let reach = |at: IVec2| costs.get(at).copied().filter(|&cost| cost != NO_WAY);
        if let Some(at) = self.errand(view, costs) {
            return Some((Aim::Take, at));
        }
        if let Some(stairs) = self.next_stairs(view)
            && let Some(cost) = reach(stairs)
        {
            let seeks = self.seeks_cloth(view);
            let frontier = self.best_frontier(costs, old).filter(|_| seeks);
            return match frontier.filter(|&at| costs[at] < cost.max(300)) {
                Some(at) => Some((Aim::Explore, at)),
                None => Some((Aim::Climb, stairs)),
            };
        }
        let explore = self.best_frontier(costs, old).map(|at| (Aim::Explore, at));
        // Nowhere left to go: try a random cell, because something may have become reachable.
        explore.or_else(|| self.anywhere(costs).map(|at| (Aim::Explore, at)))
    }

    /// The stairs to take next, once known.
    fn next_stairs(&self, view: View<'_>) -> Option<IVec2> {
        match view.thief().ember {
            Some(_) => self.chart.up(),
            None => self.chart.floor.down,
        }
    }

    /// Whether the bot wants more cloth and still has time to look for it.
    fn seeks_cloth(&self, view: View<'_>) -> bool {
        let thief = view.thief();
        let floor = view.rules().floors.get(view.depth());
        let cloth = floor.is_some_and(|floor| floor.cloth > 0);
        let had = u32::from(thief.cloth);
        let share = match thief.has(Perk::WetCloth) {
            true => u32::from(view.rules().perks.wet_cloth.max(1)),
            false => 100,
        };
        let beats = view.tick().saturating_sub(self.arrived) / 4;
        thief.ember.is_none() && cloth && had * 100 / share < 300 && beats < 500
    }

    /// The best frontier to explore.
    fn best_frontier(&self, costs: &Plane<u32>, old: Option<IVec2>) -> Option<IVec2> {
        let up = self.chart.up();
        let score = |at: IVec2, cost: u32| {
            let far = up.map_or(0, |up| steps_between(up, at)) * FAR;
            let habit = if old == Some(at) { HABIT + cost / 3 } else { 0 };
            cost + 400 - far.min(350) - habit.min(cost)
        };
        let open = costs.iter().filter(|&(at, &cost)| {
            cost != NO_WAY && cost > 0 && self.chart.is_frontier(at) && !self.shuns(at)
        });
        open.map(|(at, &cost)| (score(at, cost), at))
            .min_by_key(|&(score, at)| (score, at.y, at.x))
            .map(|(_, at)| at)
    }

    /// A random reachable cell.
    fn anywhere(&mut self, costs: &Plane<u32>) -> Option<IVec2> {
        let open: Vec<IVec2> = costs
            .iter()
            .filter(|&(_, &cost)| cost != NO_WAY && cost > 0)
            .map(|(at, _)| at)
            .collect();
        self.rng.pick(&open).copied()
    }

    /// The item with the largest gain: its worth minus the cost of the path.
    fn errand(&self, view: View<'_>, costs: &Plane<u32>) -> Option<IVec2> {
        let gain = |placed: &Placed| {
            let cost = *costs.get(placed.at)?;
            let worth = self.worth(view, placed.item);
            (cost < worth && !self.shuns(placed.at)).then(|| (worth - cost, placed.at))
        };
        let items = self.chart.floor.items.iter().filter_map(gain);
        items
            .max_by_key(|&(gain, at)| (gain, at.y, at.x))
            .map(|(_, at)| at)
    }

    /// The worth of an item, in tenths of a cell of path.
    fn worth(&self, view: View<'_>, item: Item) -> u32 {
        let thief = view.thief();
        let up = thief.ember.is_some();
        match item {
            Item::Ember => 100_000,
            Item::Cloth(_) if up && thief.cloth > 60 => 60,
            Item::Cloth(_) => 500,
            Item::Torch(torch) => self.worth_of_torch(view, torch.fuel),
            Item::Tool(stack) => match self.has_room(view, stack.tool) {
                true if self.temper.unseen && !hides(stack.tool) => worth_of(stack.tool) / 3,
                true => worth_of(stack.tool) / if up { 3 } else { 1 },
                false => 0,
            },
            Item::Treasure(worth) if self.temper.guards && !self.temper.unseen && !up => {
                40 + u32::from(worth) / 2
            }
            Item::Treasure(_) | Item::Key => 0,
            // Prisoners are behind locks. Only a thief who can open them has a path there. The map
            // of the
            // floor is worth the detour.
            Item::Prisoner if up || self.temper.unseen => 0,
            Item::Prisoner => 300,
        }
    }

    fn worth_of_torch(&self, view: View<'_>, fuel: u16) -> u32 {
        let thief = view.thief();
        let most = view.rules().thief.fuel;
        match thief.torch {
            None => 400,
            Some(_) if thief.ember.is_some() => 0,
            Some(torch) if torch.fuel < 80 => 300,
            Some(torch) if torch.fuel + fuel <= most => 120,
            Some(_) => 0,
        }
    }

    fn has_room(&self, view: View<'_>, tool: Tool) -> bool {
        let most = view.rules().tools.stack;
        let mut slots = view.thief().tools.iter();
        slots.any(|slot| match slot {
            None => worth_of(tool) > 0,
            Some(stack) => stack.tool == tool && stack.count < most,
        })
    }

    /// A step of the plan, or the action at its end.
    pub(super) fn go_on(&mut self, view: View<'_>) -> Option<Action> {
        let here = view.thief().at;
        if let Some(action) = self.rest(view).or_else(|| self.do_here(view)) {
            return Some(action);
        }
        let next = self.next_step(view)?;
        self.step_to(view, here, next)
    }

    /// Waits after fleeing over stairs, until the guards behind them have gone home.
    fn rest(&mut self, view: View<'_>) -> Option<Action> {
        let awaited = u32::from(view.rules().alarm.stairs_ticks) + 8;
        let resting = self.fled > 0 && view.tick() < self.fled + awaited && !view.is_late();
        (resting && self.next_stairs(view) == Some(self.came_by)).then_some(Action::Wait)
    }

    /// The next cell of the plan.
    pub(super) fn next_step(&mut self, view: View<'_>) -> Option<IVec2> {
        self.make_plan(view);
        self.objective
            .as_ref()
            .and_then(|plan| plan.way.last().copied())
    }

    /// The useful action in the thief's cell, if there is one.
    pub(super) fn do_here(&mut self, view: View<'_>) -> Option<Action> {
        let here = view.thief().at;
        if let Some(item) = self.chart.item(here)
            && self.worth(view, item) > 0
            && let Some(action) = Self::allowed(view, Action::PickUp)
        {
            return Some(action);
        }
        if self.next_stairs(view) == Some(here) && !self.seeks_cloth(view) {
            return Self::allowed(view, Action::Climb);
        }
        None
    }
}

/// The worth of a tool, in tenths of a cell of path.
fn worth_of(tool: Tool) -> u32 {
    match tool {
        Tool::Salve => 250,
        Tool::BlinkScroll | Tool::SmokeBomb | Tool::SleepingDart => 200,
        Tool::DarkCloak => 220,
        Tool::WaterVial => 120,
        Tool::OilFlask | Tool::Pebbles => 60,
        Tool::EarTrumpet | Tool::Picklock => 40,
    }
}

/// Whether a tool helps a bot that never wants to be seen.
fn hides(tool: Tool) -> bool {
    matches!(tool, Tool::DarkCloak | Tool::SleepingDart | Tool::WaterVial)
}
