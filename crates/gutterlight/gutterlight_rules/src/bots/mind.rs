//! The thinking bots: one wish after another, until one is allowed.

use glam::IVec2;
use lanternfell_random::SeededRng;

use crate::{
    Action, BEAT, Bot, Direction, FLOORS, GameEvent, Perk, Plane, Tool, View,
    bots::{
        chart::Chart, dread::Dread, foresee::Views, objective::Objective, rivals::Rivals,
        temper::Temper,
    },
};

/// Beats without anything new after which a bot takes risks; and more of them, and any.
const BORED: [u32; 3] = [150, 280, 420];

/// The same for beats in which it has come no floor further.
const WEARY: [u32; 3] = [600, 850, 1100];

/// How much longer than others one waits who wants to be seen by nobody.
const PATIENCE: u32 = 3;

/// Cells that must be discovered for it to be something new.
const NEWS: u32 = 12;

/// Turns for which a cell is left alone in which a step got stuck.
const SHUNNED: u32 = 30;

/// What is best learnt first.
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

/// A mind, with its memory of every floor.
#[derive(Debug)]
pub(super) struct Thinker {
    pub(super) temper: Temper,
    pub(super) rng: SeededRng,
    /// The floor on which it is, from 0; none before the first turn.
    depth: Option<usize>,
    pub(super) chart: Chart,
    pub(super) rivals: Rivals,
    pub(super) dread: Dread,
    /// The other floors.
    shelf: [Option<(Chart, Rivals)>; FLOORS],
    pub(super) objective: Option<Objective>,
    /// When it was made, in ticks.
    pub(super) planned: u32,
    /// What a step into each cell costs in this turn, once that was asked for.
    pub(super) tolls: Option<Plane<u32>>,
    pub(super) views: Views,
    /// Where it flees to.
    pub(super) refuge: Option<IVec2>,
    /// Whether it spends its breath.
    pub(super) sprints: bool,
    /// When it shoved someone last, and when it fled over stairs, in ticks.
    pub(super) shoved: u32,
    pub(super) fled: u32,
    /// When something new was last seen or had, in ticks.
    progress: u32,
    /// When it last came a floor further, in ticks.
    advanced: u32,
    /// The stairs by which it came.
    pub(super) came_by: IVec2,
    /// When it came to this floor, in ticks.
    pub(super) arrived: u32,
    /// What it had when something was last new.
    had: [u32; 5],
    /// Cells in which a step got stuck, and until which turn to leave them alone.
    shunned: Vec<(IVec2, u32)>,
    last: Option<(Action, IVec2)>,
    /// What it learns first if it can.
    fancies: Perk,
    /// Lamps that it has put out on this floor, again and again.
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
            .or_else(|| self.go_on(view))
    }

    /// An action, if it is possible.
    pub(super) fn allowed(view: View<'_>, action: Action) -> Option<Action> {
        view.check(action).is_ok().then_some(action)
    }

    /// What has happened, and what is seen now.
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

    /// On another floor: what is known of it comes off the shelf.
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

    /// How far it has come: floors down, and up again.
    fn stage(&self, view: View<'_>) -> u32 {
        let (depth, best) = (view.depth() as u32, self.had[4]);
        let stage = match view.thief().ember {
            None => depth,
            Some(_) => 2 * FLOORS as u32 - depth,
        };
        stage.max(best)
    }

    /// A step that led nowhere is not tried again for a while.
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

    pub(super) fn shun(&mut self, view: View<'_>, at: IVec2) {
        self.shunned.push((at, view.turn() + SHUNNED));
        self.objective = None;
    }

    pub(super) fn shuns(&self, at: IVec2) -> bool {
        self.shunned.iter().any(|&(shunned, _)| shunned == at)
    }

    /// How bored it is, from 0 to 3: what it dreads less and less. The cloth around the Ember
    /// burns, which makes everyone impatient.
    pub(super) fn boredom(&self, view: View<'_>) -> u32 {
        let patience = if self.temper.unseen { PATIENCE } else { 1 };
        let level = |since: u32, levels: [u32; 3]| {
            let beats = view.tick().saturating_sub(since) / (patience * u32::from(BEAT));
            levels.iter().filter(|&&level| beats > level).count() as u32
        };
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

    /// The slot with this tool.
    pub(super) fn slot(view: View<'_>, tool: Tool) -> Option<u8> {
        view.thief().slot_of(tool)
    }

    /// The way to a cell next to the thief.
    pub(super) fn way_to(view: View<'_>, next: IVec2) -> Option<Direction> {
        let step = next - view.thief().at;
        Direction::ALL.into_iter().find(|way| way.step() == step)
    }
}
