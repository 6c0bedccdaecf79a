//! What a player may know: read-only views for eyes, for bots, for look mode.
//!
//! What is not seen, heard or remembered is not told here, so that a front end can not show
//! it by mistake, and a bot can not cheat. The seed is told, because players share it; to build
//! the keep from it is the one way to cheat that is left.

use glam::IVec2;
use lanternfell_lightgrid::{LightBand, LightGrid};

use crate::{
    Action, AlertState, Difficulty, Direction, Duty, Ending, Ground, GuardId, GuardKind, Heat,
    Item, Memory, Perk, Plane, Refusal, Rules, Tally, Theme, Thief, Tile, Twist, World, act, ai,
    awareness,
    floor::Floor,
    guard::SURE,
    light::{self, carries_light},
    sight, sound,
};

/// How well a cell is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sight {
    /// Never seen.
    Unknown,
    /// Seen before: its tile, not who is there.
    Remembered,
    /// Seen now.
    Seen,
}

/// A guard in sight, standing or lying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenGuard {
    /// Which.
    pub id: GuardId,
    /// What kind.
    pub kind: GuardKind,
    /// Where.
    pub at: IVec2,
    /// Which way it looks.
    pub facing: Direction,
    /// What it can still take: it is seen how badly it is hurt.
    pub health: i16,
    /// Its state of mind.
    pub alert_state: AlertState,
    /// Whether it sleeps.
    pub asleep: bool,
    /// Whether it was called to hunt you.
    pub hunts: bool,
    /// How sure it is of you, from 0 to 100.
    pub awareness: u8,
    /// Whether it carries a light that burns.
    pub lantern: bool,
    /// Whether it would see you where you stand, as you are lit.
    pub sees_you: bool,
}

impl SeenGuard {
    /// What one calls it.
    pub const fn name(&self) -> &'static str {
        match self.hunts {
            true => "hunter",
            false => self.kind.name(),
        }
    }
}

/// What look mode says of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// How well it is known.
    pub sight: Sight,
    /// What fills it, as far as known.
    pub tile: Option<Tile>,
    /// Who is seen there.
    pub guard: Option<SeenGuard>,
    /// What is known to lie there.
    pub item: Option<Item>,
    /// The light there now, if it is seen: from 0 to 100, and as a word.
    pub light: Option<(u8, LightBand)>,
    /// The guards in sight that would see you there, as it is lit.
    pub watchers: Vec<GuardId>,
}

/// What a player may know of a [`World`].
#[derive(Debug, Clone, Copy)]
pub struct View<'a>(&'a World);

impl World {
    /// What a player may know.
    pub fn view(&self) -> View<'_> {
        View(self)
    }

    /// The settled light of the whole floor that the rules read, which is gray, with its cells
    /// and sources, which have their colors: for drawing, which needs the lamps round the
    /// corner for the glow that they throw; not for knowing.
    pub fn light(&self) -> &LightGrid {
        &self.light
    }
}

impl<'a> View<'a> {
    pub(crate) fn world(self) -> &'a World {
        self.0
    }

    fn floor(self) -> &'a Floor {
        self.0.floor()
    }

    /// The rules that are played by.
    pub fn rules(self) -> &'a Rules {
        &self.0.rules
    }

    /// What the keep is made from.
    pub fn seed(self) -> u64 {
        self.0.state.seed
    }

    /// How hard it is.
    pub fn difficulty(self) -> Difficulty {
        self.0.state.difficulty
    }

    /// The burdens that the thief has taken on.
    pub fn heat(self) -> Heat {
        self.0.state.heat
    }

    /// Actions so far.
    pub fn turn(self) -> u32 {
        self.0.state.turn
    }

    /// Time so far, in ticks.
    pub fn tick(self) -> u32 {
        self.0.state.tick
    }

    /// The floor that the thief is on, from 0.
    pub fn depth(self) -> usize {
        self.0.state.depth
    }

    /// How many floors of the keep the thief has been on.
    pub fn floors_reached(self) -> usize {
        self.0.state.floors.len()
    }

    /// What the floor was built for.
    pub fn theme(self) -> Theme {
        self.floor().theme
    }

    /// What is other on this floor than its theme says.
    pub fn twist(self) -> Option<Twist> {
        self.floor().twist
    }

    /// Cells of the floor from west to east and from north to south.
    pub fn size(self) -> IVec2 {
        let tiles: &Plane<Tile> = &self.floor().tiles;
        IVec2::new(tiles.width(), tiles.height())
    }

    /// The thief, who knows everything about the thief.
    pub fn thief(self) -> &'a Thief {
        &self.0.state.thief
    }

    /// How the thief did so far.
    pub fn tally(self) -> &'a Tally {
        &self.0.state.tally
    }

    /// Whether the keep has been woken.
    pub fn alarm(self) -> bool {
        self.0.state.alarm
    }

    /// How many bells ring on this floor, from 0 to [`MOST_BELLS`](crate::MOST_BELLS), because the thief
    /// was seen here.
    pub fn bells(self) -> u8 {
        ai::alarm::bells(self.0)
    }

    /// Whether nobody has ever been sure of the thief.
    pub fn never_seen(self) -> bool {
        self.tally().times_seen == 0
    }

    /// The three things that can be learnt now.
    pub fn offer(self) -> Option<[Perk; 3]> {
        self.0.state.offer
    }

    /// How the game ended, if it has.
    pub fn ending(self) -> Option<Ending> {
        self.0.state.ending
    }

    /// Whether the torch can not be lit now, because of the opening.
    pub fn wick_is_wet(self) -> bool {
        self.0
            .state
            .opening
            .is_some_and(crate::world::opening::Opening::wets_wick)
    }

    /// Whether an action is possible now, as far as the thief can tell.
    ///
    /// # Errors
    /// If it is not: why.
    pub fn check(self, action: Action) -> Result<(), Refusal> {
        self.0.check(action)
    }

    /// How well a cell is known.
    pub fn sight(self, at: IVec2) -> Sight {
        if sight::sees(self.0, at) {
            Sight::Seen
        } else if self.memory(at).is_some() {
            Sight::Remembered
        } else {
            Sight::Unknown
        }
    }

    /// What is known of a cell. Of those in sight it is what is there now.
    pub fn memory(self, at: IVec2) -> Option<Memory> {
        self.floor().memory.get(at).copied().flatten()
    }

    /// How bright a cell is, if it is seen: its luminance.
    pub fn luminance(self, at: IVec2) -> Option<f32> {
        sight::sees(self.0, at).then(|| self.0.light.luminance(at))
    }

    /// How lit a cell is in a word, if it is seen.
    pub fn band(self, at: IVec2) -> Option<LightBand> {
        sight::sees(self.0, at).then(|| self.0.band(at))
    }

    /// How lit the thief looks to others, from 0 to 100: a quarter for each band, and always
    /// in the quarter of the [`shown_band`](Self::shown_band).
    pub fn light_gem(self) -> u8 {
        let band = self.shown_band();
        let low = 25 * band as u8;
        let high = match band {
            LightBand::Blazing => 100,
            _ => low + 24,
        };
        self.gem(self.0.light.luminance(self.thief().at))
            .clamp(low, high)
    }

    /// How lit the thief looks to others, in a word; the cloak counts.
    pub fn shown_band(self) -> LightBand {
        light::shown_band(self.0)
    }

    /// A luminance on a scale from 0 to 100, a quarter for each band.
    fn gem(self, luminance: f32) -> u8 {
        let [dim, lit, blazing] = self.rules().light.bands.from;
        let marks = [0.0, dim, lit, blazing, 2.0 * blazing];
        let band = marks.iter().rposition(|&mark| luminance >= mark);
        match band {
            None => 0,
            Some(4) => 100,
            Some(band) => {
                let part = (luminance - marks[band]) / (marks[band + 1] - marks[band]);
                (25.0 * (band as f32 + part)) as u8
            }
        }
    }

    /// How thick the smoke in a cell looks, from 0 to 100; 0 where it is not seen.
    pub fn smoke(self, at: IVec2) -> u8 {
        if sight::sees(self.0, at) {
            self.floor().smoke_at(at)
        } else {
            0
        }
    }

    /// Whether fire is seen in a cell.
    pub fn fire(self, at: IVec2) -> bool {
        sight::sees(self.0, at) && self.floor().fire_at(at)
    }

    /// The guards in sight, standing and lying, in the order of their ids.
    pub fn guards(self) -> impl Iterator<Item = SeenGuard> + 'a {
        let seen = move |id: &GuardId| sight::sees(self.0, self.0.guard(*id).at);
        self.0
            .guard_ids()
            .filter(seen)
            .map(move |id| self.guard(id))
    }

    fn guard(self, id: GuardId) -> SeenGuard {
        let guard = self.0.guard(id);
        SeenGuard {
            id,
            kind: guard.kind,
            at: guard.at,
            facing: guard.facing,
            health: guard.health,
            alert_state: guard.alert_state,
            asleep: guard.is_asleep(),
            hunts: guard.duty == Duty::Hunt,
            awareness: (u32::from(guard.awareness) * 100 / u32::from(SURE)) as u8,
            lantern: carries_light(guard),
            sees_you: ai::perceive::guard_sees(self.0, id),
        }
    }

    /// Whether the thief could leave without the Ember, by giving up where it is.
    pub fn leaves_without_ember(self) -> bool {
        let empty_handed = self.thief().ember.is_none() && self.ending().is_none();
        empty_handed && act::may_leave(self.0)
    }

    /// How loud a walked step is on even ground, as the thief walks now, in tenths of a cell.
    pub fn walk_loudness(self) -> u16 {
        act::walk_loudness(self.0)
    }

    /// How far a kind of guard sees something that is lit like this, in cells.
    pub fn sight_distance(self, kind: GuardKind, band: LightBand) -> u32 {
        ai::perceive::sight_distance(self.0, kind, band)
    }

    /// By how much a sound must be above nothing for a kind of guard to mind it where it
    /// stands, in tenths of a cell.
    pub fn hearing_need(self, kind: GuardKind) -> u16 {
        awareness::hearing_need(self.0, kind)
    }

    /// How far the thief's steps are heard on a ground, in tenths of a cell, at a gait this
    /// loud.
    pub fn step_reach(self, gait: u16, ground: Ground) -> u16 {
        sound::step_reach(self.0, gait, ground)
    }

    /// How lit the thief would look to others who stood in light like this.
    pub fn would_show(self, band: LightBand) -> LightBand {
        light::would_show(self.0, band)
    }

    /// The guards in sight that would see the thief in a cell, lit as that cell is now.
    pub fn watchers(self, at: IVec2) -> Vec<GuardId> {
        let Some(band) = self.band(at).map(|band| self.would_show(band)) else {
            return Vec::new();
        };
        let watches = |guard: &SeenGuard| ai::perceive::would_see(self.0, guard.id, at, band);
        self.guards()
            .filter(watches)
            .map(|guard| guard.id)
            .collect()
    }

    /// Everything that is known about a cell.
    pub fn explain(self, at: IVec2) -> Explanation {
        let memory = self.memory(at);
        Explanation {
            sight: self.sight(at),
            tile: memory.map(|memory| memory.tile),
            guard: self.guards().find(|guard| guard.at == at),
            item: memory.and_then(|memory| memory.item),
            light: self
                .band(at)
                .map(|band| (self.gem(self.0.light.luminance(at)), band)),
            watchers: self.watchers(at),
        }
    }
}
