//! What a player is allowed to know: a read-only view for front ends, bots and look mode.
//!
//! The view hides everything that is not seen, heard or remembered. A front end therefore cannot
//! reveal it by mistake, and a bot cannot cheat. The seed is visible because players share seeds;
//! the only way left to cheat is to generate the keep from it.

use glam::IVec2;
use lanternfell_lightgrid::{LightBand, LightGrid};

use crate::{
    Action, AlertState, Difficulty, Direction, Duty, Ending, Ground, GuardId, GuardKind, Heat,
    Item, Memory, Perk, Plane, Refusal, Rules, Tally, Theme, Thief, Tile, Twist, World, act, ai,
    awareness,
    floor::Floor,
    guard::SURE,
    light::{self, carries_light},
    night, sight, sound,
};

/// How well a cell is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sight {
    /// Not seen so far.
    Unknown,
    /// Seen before. The tile is known, but not who is there now.
    Remembered,
    /// In sight now.
    Seen,
}

/// A guard in sight, standing or on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenGuard {
    /// The id of the guard.
    pub id: GuardId,
    /// The kind of guard.
    pub kind: GuardKind,
    /// The cell of the guard.
    pub at: IVec2,
    /// The direction in which it looks.
    pub facing: Direction,
    /// Its remaining health. Injuries are visible.
    pub health: i16,
    /// Its alert state.
    pub alert_state: AlertState,
    /// Whether it sleeps.
    pub asleep: bool,
    /// Whether it is a hunter, called by the fourth bell.
    pub hunts: bool,
    /// Its awareness of the thief, from 0 to 100.
    pub awareness: u8,
    /// Whether it carries a burning light.
    pub lantern: bool,
    /// Whether it can see the thief at the thief's cell and light band.
    pub sees_you: bool,
}

impl SeenGuard {
    /// The name to show: `hunter`, or the name of the kind.
    pub const fn name(&self) -> &'static str {
        match self.hunts {
            true => "hunter",
            false => self.kind.name(),
        }
    }
}

/// Everything that look mode shows about a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// How well the cell is known.
    pub sight: Sight,
    /// The tile, if known.
    pub tile: Option<Tile>,
    /// The guard in the cell, if it is in sight.
    pub guard: Option<SeenGuard>,
    /// The item in the cell, if known.
    pub item: Option<Item>,
    /// The light in the cell if it is in sight, as a number from 0 to 100 and as a band.
    pub light: Option<(u8, LightBand)>,
    /// The guards in sight that would see the thief in this cell, in its current light.
    pub watchers: Vec<GuardId>,
}

/// A read-only view of a [`World`], limited to what a player is allowed to know.
#[derive(Debug, Clone, Copy)]
pub struct View<'a>(&'a World);

impl World {
    /// The view of a player.
    pub fn view(&self) -> View<'_> {
        View(self)
    }

    /// The settled light of the whole floor.
    ///
    /// The light values are gray, because the rules only use brightness. The cells and sources have
    /// their colors, so that a renderer can compute the colored light. A renderer needs the lamps
    /// out of sight too, for the glow around corners. Do not use this to tell the player anything.
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

    /// The rules of this game.
    pub fn rules(self) -> &'a Rules {
        &self.0.rules
    }

    /// The seed that the keep is generated from.
    pub fn seed(self) -> u64 {
        self.0.state.seed
    }

    /// The difficulty.
    pub fn difficulty(self) -> Difficulty {
        self.0.state.difficulty
    }

    /// The burdens of this game.
    pub fn heat(self) -> Heat {
        self.0.state.heat
    }

    /// The number of actions so far.
    pub fn turn(self) -> u32 {
        self.0.state.turn
    }

    /// The time so far, in ticks.
    pub fn tick(self) -> u32 {
        self.0.state.tick
    }

    /// The index of the floor that the thief is on, from 0.
    pub fn depth(self) -> usize {
        self.0.state.depth
    }

    /// The number of floors that the thief has entered.
    pub fn floors_reached(self) -> usize {
        self.0.state.floors.len()
    }

    /// The theme of the floor.
    pub fn theme(self) -> Theme {
        self.floor().theme
    }

    /// The twist of the floor, if it has one.
    pub fn twist(self) -> Option<Twist> {
        self.floor().twist
    }

    /// The size of the floor in cells: from west to east, and from north to south.
    pub fn size(self) -> IVec2 {
        let tiles: &Plane<Tile> = &self.floor().tiles;
        IVec2::new(tiles.width(), tiles.height())
    }

    /// The state of the thief, all of which is known.
    pub fn thief(self) -> &'a Thief {
        &self.0.state.thief
    }

    /// The statistics of the game so far.
    pub fn tally(self) -> &'a Tally {
        &self.0.state.tally
    }

    /// Whether the Ember was taken, which wakes the whole keep.
    pub fn alarm(self) -> bool {
        self.0.state.alarm
    }

    /// The number of bells that ring on this floor, from 0 to [`MOST_BELLS`](crate::MOST_BELLS).
    /// Bells ring because the thief was seen or a guard was found on the ground.
    pub fn bells(self) -> u8 {
        ai::alarm::bells(self.0)
    }

    /// The ticks until dawn, when all bells ring for good; 0 from dawn on.
    pub fn ticks_to_dawn(self) -> u32 {
        night::left(self.0)
    }

    /// The ticks until full daylight, in which the thief is caught.
    pub fn ticks_to_daylight(self) -> u32 {
        night::to_daylight(self.0)
    }

    /// Whether the night is late, and the thief was warned that dawn is near.
    pub fn is_late(self) -> bool {
        night::is_late(self.0)
    }

    /// Whether the thief is in a locked room, which opens from the inside.
    pub(crate) fn is_shut_in(self) -> bool {
        act::openings::is_shut_in(self.0)
    }

    /// Whether no guard was ever sure of the thief.
    pub fn never_seen(self) -> bool {
        self.tally().times_seen == 0
    }

    /// The three perks on offer, while a choice is pending.
    pub fn offer(self) -> Option<[Perk; 3]> {
        self.0.state.offer
    }

    /// How the game ended, or `None` if it goes on.
    pub fn ending(self) -> Option<Ending> {
        self.0.state.ending
    }

    /// Whether the torch cannot be lit now because of the scripted opening.
    pub fn wick_is_wet(self) -> bool {
        self.0
            .state
            .opening
            .is_some_and(crate::world::opening::Opening::wets_wick)
    }

    /// Checks whether an action is possible now, as far as the thief can tell.
    ///
    /// # Errors
    /// The reason why it is not.
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

    /// What the thief knows about a cell. For cells in sight this is up to date.
    pub fn memory(self, at: IVec2) -> Option<Memory> {
        self.floor().memory.get(at).copied().flatten()
    }

    /// The luminance of a cell, if it is in sight.
    pub fn luminance(self, at: IVec2) -> Option<f32> {
        sight::sees(self.0, at).then(|| self.0.light.luminance(at))
    }

    /// The light band of a cell, if it is in sight.
    pub fn band(self, at: IVec2) -> Option<LightBand> {
        sight::sees(self.0, at).then(|| self.0.band(at))
    }

    /// How visible the thief is, from 0 to 100. Each band covers a quarter of the range, and the
    /// value is always within the quarter of the [`shown_band`](Self::shown_band).
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

    /// The light band in which others see the thief. The dark cloak lowers it.
    pub fn shown_band(self) -> LightBand {
        light::shown_band(self.0)
    }

    /// Maps a luminance to 0 to 100, with a quarter of the range for each band.
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

    /// The density of the smoke in a cell, from 0 to 100. 0 if the cell is not in sight.
    pub fn smoke(self, at: IVec2) -> u8 {
        if sight::sees(self.0, at) {
            self.floor().smoke_at(at)
        } else {
            0
        }
    }

    /// Whether fire is visible in a cell.
    pub fn fire(self, at: IVec2) -> bool {
        sight::sees(self.0, at) && self.floor().fire_at(at)
    }

    /// The guards in sight, standing or on the ground, in the order of their ids.
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

    /// Whether the thief could leave the keep without the Ember now, with [`Action::GiveUp`].
    pub fn leaves_without_ember(self) -> bool {
        let empty_handed = self.thief().ember.is_none() && self.ending().is_none();
        empty_handed && act::may_leave(self.0)
    }

    /// The loudness of a walking step of the thief, before the ground is applied, in tenths of a
    /// cell.
    pub fn walk_loudness(self) -> u16 {
        act::walk_loudness(self.0)
    }

    /// How far a kind of guard sees something in this light band, in cells.
    pub fn sight_distance(self, kind: GuardKind, band: LightBand) -> u32 {
        ai::perceive::sight_distance(self.0, kind, band)
    }

    /// How strong a sound must still be where a guard of this kind stands for the guard to notice
    /// it, in tenths of a cell.
    pub fn hearing_need(self, kind: GuardKind) -> u16 {
        awareness::hearing_need(self.0, kind)
    }

    /// How far the thief's steps are heard on a kind of ground, in tenths of a cell. `gait` is the
    /// loudness of the gait.
    pub fn step_reach(self, gait: u16, ground: Ground) -> u16 {
        sound::step_reach(self.0, gait, ground)
    }

    /// The light band in which others would see the thief in a cell of this band.
    pub fn would_show(self, band: LightBand) -> LightBand {
        light::would_show(self.0, band)
    }

    /// The guards in sight that would see the thief in a cell, in the cell's current light.
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

    /// Everything that the player may know about a cell.
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
