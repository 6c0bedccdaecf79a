//! The thinking bots, which try one idea after another until an action is allowed.

use glam::IVec2;
use lanternfell_random::SeededRng;

use crate::{
    Action, BEAT, Bot, Direction, FLOORS, GameEvent, Perk, Plane, Tool, View,
    bots::{
        chart::Chart, dread::Dread, foresee::Views, objective::Objective, rivals::Rivals,
        temper::Temper,
    },
};

/// The boredom levels: beats without anything new after which a bot takes more and more risks.
const BORED: [u32; 3] = [150, 280, 420];

/// The same for beats since the bot last reached a new floor.
const WEARY: [u32; 3] = [600, 850, 1100];

/// The factor on both for a bot that never wants to be seen.
const PATIENCE: u32 = 3;

/// The number of discovered cells that count as something new.
const NEWS: u32 = 12;

/// How many turns a cell is avoided in which a step failed.
const SHUNNED: u32 = 30;

/// The perks in the order of preference, after the favorite.
const PERKS: [Perk; 8] = [
    Perk::CatEyes,
    Perk::LightFeet,
    Perk::WetCloth,
    Perk::ThickSkin,
    Perk::NightWalker,
    Perk::WetFingers,
    Perk::NoTraces,
    Perk::DeepPockets,
];

/// A mind with its memory of all floors.
#[derive(Debug)]
pub(super) struct Thinker {
    pub(super) temper: Temper,
    pub(super) rng: SeededRng,
    /// The index of the current floor, from 0. `None` before the first turn.
    depth: Option<usize>,
    pub(super) chart: Chart,
    pub(super) rivals: Rivals,
    pub(super) dread: Dread,
    /// The memory of the other floors.
    shelf: [Option<(Chart, Rivals)>; FLOORS],
    pub(super) objective: Option<Objective>,
    /// When the objective was chosen, in ticks.
    pub(super) planned: u32,
    /// The tolls of all cells in this turn, once computed.
    pub(super) tolls: Option<Plane<u32>>,
    pub(super) views: Views,
    /// The goal of its flight.
    pub(super) refuge: Option<IVec2>,
    /// Whether it is spending breath.
    pub(super) sprints: bool,
    /// When it last shoved a guard, and when it last fled over stairs, in ticks.
    pub(super) shoved: u32,
    pub(super) fled: u32,
    /// When it last saw or got something new, in ticks.
    progress: u32,
    /// When it last reached a new stage, in ticks.
    advanced: u32,
    /// The stairs by which it arrived.
    pub(super) came_by: IVec2,
    /// When it arrived on this floor, in ticks.
    pub(super) arrived: u32,
    /// What it had at that time: the values compared in `note_progress`.
    had: [u32; 5],
    /// Cells in which a step failed, and the turn until which they are avoided.
    shunned: Vec<(IVec2, u32)>,
    last: Option<(Action, IVec2)>,
    /// The perk that it learns first if it is offered.
    fancies: Perk,
    /// Its nerve in the last turn.
    pub(super) nerve: i16,
    /// The lamps that it put out on this floor, with repetitions.
    pub(super) doused: Vec<IVec2>,
}

impl Thinker {
    pub(super) fn new(temper: Temper, seed: u64) -> Self {
        Self {
            temper,
            rng: SeededRng::new(seed, b"bots    "),
            depth: None,
            chart: Chart::new(IVec2::ONE),
            rivals: Rivals::default(),
            dread: Dread::new(IVec2::ONE),
            shelf: [const { None }; FLOORS],
            objective: None,
            planned: 0,
            tolls: None,
            views: Views::default(),
            refuge: None,
            sprints: false,
            shoved: 0,
            fled: 0,
            progress: 0,
            advanced: 0,
            came_by: IVec2::ZERO,
            arrived: 0,
            had: [0; 5],
            shunned: Vec::new(),
            last: None,
            fancies: Bot::fancies(seed),
            nerve: i16::MAX,
            doused: Vec::new(),
        }
    }

    pub(super) fn choose(&mut self, view: View<'_>, events: &[GameEvent]) -> Action {
        self.tolls = None;
        self.take_in(view, events);
        let action = self.wish(view).unwrap_or(match view.offer() {
            Some(_) => Action::Learn(0),
            None => Action::Wait,
        });
        self.last = Some((action, view.thief().at));
        self.nerve = view.thief().nerve;
        action
    }

    fn wish(&mut self, view: View<'_>) -> Option<Action> {
        self.learn(view)
            .or_else(|| self.help_oneself(view))
            .or_else(|| self.flee(view))
            .or_else(|| self.take_down(view))
            .or_else(|| self.silence(view))
            .or_else(|| self.douse(view))
            .or_else(|| self.tread(view))
            .or_else(|| self.tend_light(view))
            .or_else(|| self.calm_down(view))
            .or_else(|| self.go_on(view))
    }

    /// An action, if it is possible.
    pub(super) fn allowed(view: View<'_>, action: Action) -> Option<Action> {
        view.check(action).is_ok().then_some(action)
    }

    /// Updates the mind with the last events and the current view.
    fn take_in(&mut self, view: View<'_>, events: &[GameEvent]) {
        if self.depth != Some(view.depth()) {
            self.enter(view);
        }
        self.rivals.update(view, events, self.temper.noise);
        let thief = view.thief();
        let shines = thief.torch_burns() || thief.torch_glows() || thief.ember_shines();
        let mut glares: Vec<IVec2> = shines.then_some(thief.at).into_iter().collect();
        glares.extend(
            view.guards()
                .filter(|guard| guard.lantern)
                .map(|guard| guard.at),
        );
        self.chart.update(view, &glares);
        self.dread
            .update(view, &self.chart, &self.rivals, self.temper);
        self.note_progress(view);
        self.note_stuck(view, events);
    }

    /// Switches to another floor, and restores what is known of it.
    fn enter(&mut self, view: View<'_>) {
        let fresh = || (Chart::new(view.size()), Rivals::default());
        let (chart, rivals) = self.shelf[view.depth()].take().unwrap_or_else(fresh);
        let chart = core::mem::replace(&mut self.chart, chart);
        let rivals = core::mem::replace(&mut self.rivals, rivals);
        if let Some(depth) = self.depth {
            self.shelf[depth] = Some((chart, rivals));
        }
        self.depth = Some(view.depth());
        self.rivals.calm();
        self.dread = Dread::new(view.size());
        self.objective = None;
        self.refuge = None;
        self.shunned.clear();
        self.doused.clear();
        self.came_by = view.thief().at;
        self.arrived = view.tick();
    }

    fn note_progress(&mut self, view: View<'_>) {
        let thief = view.thief();
        let tools = thief.tools.iter().flatten().count() as u32;
        let shelf = self.shelf.iter().flatten();
        let discovered: u32 = shelf.map(|(chart, _)| chart.discovered).sum();
        let had = [
            (self.chart.discovered + discovered) / NEWS,
            thief.purse,
            tools,
            thief.keys.into(),
            self.stage(view),
        ];
        if had[4] != self.had[4] {
            self.advanced = view.tick();
        }
        if had != self.had {
            self.had = had;
            self.progress = view.tick();
        }
    }

    /// The stage of the game: floors down, and up again.
    fn stage(&self, view: View<'_>) -> u32 {
        let (depth, best) = (view.depth() as u32, self.had[4]);
        let stage = match view.thief().ember {
            None => depth,
            Some(_) => 2 * FLOORS as u32 - depth,
        };
        stage.max(best)
    }

    /// Avoids a cell for a while after a step into it failed.
    fn note_stuck(&mut self, view: View<'_>, events: &[GameEvent]) {
        let turn = view.turn();
        self.shunned.retain(|&(_, until)| until > turn);
        let Some((Action::Walk(way) | Action::Sneak(way) | Action::Run(way), from)) = self.last
        else {
            return;
        };
        let turned = events
            .iter()
            .any(|event| matches!(event, GameEvent::Turned { .. }));
        if view.thief().at == from && !turned {
            self.shun(view, from + way.step());
        }
    }

    /// Whether the last action was to wait.
    pub(super) fn waited(&self) -> bool {
        matches!(self.last, Some((Action::Wait, _)))
    }

    pub(super) fn shun(&mut self, view: View<'_>, at: IVec2) {
        self.shunned.push((at, view.turn() + SHUNNED));
        self.objective = None;
    }

    pub(super) fn shuns(&self, at: IVec2) -> bool {
        self.shunned.iter().any(|&(shunned, _)| shunned == at)
    }

    /// The boredom, from 0 to 3. It reduces the fear of guards. Carrying the Ember also makes a bot
    /// impatient, because its cloth burns. When dawn is near, a bot takes every risk.
    pub(super) fn boredom(&self, view: View<'_>) -> u32 {
        let patience = if self.temper.unseen { PATIENCE } else { 1 };
        let level = |since: u32, levels: [u32; 3]| {
            let beats = view.tick().saturating_sub(since) / (patience * u32::from(BEAT));
            levels.iter().filter(|&&level| beats > level).count() as u32
        };
        if view.is_late() {
            return BORED.len() as u32;
        }
        let hurry =
            u32::from(view.thief().ember.is_some()) * if self.temper.unseen { 1 } else { 2 };
        hurry
            .max(level(self.progress, BORED))
            .max(level(self.advanced, WEARY))
    }

    fn learn(&self, view: View<'_>) -> Option<Action> {
        let offer = view.offer()?;
        let best = |&(_, perk): &(usize, Perk)| {
            let place = PERKS.iter().position(|&other| other == perk);
            (perk != self.fancies, place)
        };
        let choice = offer.into_iter().enumerate().min_by_key(best)?;
        Self::allowed(view, Action::Learn(choice.0 as u8))
    }

    /// The first slot with this tool.
    pub(super) fn slot(view: View<'_>, tool: Tool) -> Option<u8> {
        view.thief().slot_of(tool)
    }

    /// The direction to a cell next to the thief.
    pub(super) fn way_to(view: View<'_>, next: IVec2) -> Option<Direction> {
        let step = next - view.thief().at;
        Direction::ALL.into_iter().find(|way| way.step() == step)
    }
}
