//! What it costs to be in a cell because of the known guards.
//!
//! ```text
//!     . . 1 2 3 3 3 . .      Around a guard G that walks west. The cost depends on what the guard
//!     . 2 3 5 7 8 G 3 .      sees, given the light of each cell, and on the distance to the guard.
//!     . . 1 2 3 3 3 . .      It shrinks as the information about the guard gets older.
//! ```
//!
//! Each cell has four numbers: the total cost, the part of it that passes because its guards move
//! on, how far a sound may reach without being heard, and how soon a guard could be there.
//! Distances are those of sound, so closed doors count. They come from a search that starts at each
//! guard.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{
    BEAT, Direction, GuardKind, Plane, View,
    bots::{
        chart::Chart,
        rivals::{Rival, Rivals},
        temper::Temper,
    },
    direction::steps_between,
    sound_field::SoundField,
};

/// The distance up to which a guard matters, in tenths of a cell of sound.
const REACH: u16 = 150;

/// The same distance as the half side of a square, in cells.
const BOX: i32 = 15;

/// The distance from the thief beyond which guards are ignored, in steps.
const FAR_OFF: u32 = 26;

/// The maximum sight of guards in this estimate, in cells.
const FAR: u32 = 20;

/// The weight of guards for a bot that never wants to be seen, in percent.
const SHY: u32 = 170;

/// How much louder a sound must be to wake a sleeper: an estimate, in tenths of a cell.
const SLEEPS: u16 = 20;

/// The cost of being in a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    /// The cost of a step into the cell, in tenths of a cell.
    pub toll: u32,
    /// The part of the cost that passes because guards move on.
    pub passing: u32,
    /// The maximum reach of a sound made in the cell that no guard hears, in tenths of a cell.
    pub hush: u16,
    /// The ticks until a moving guard could be in the cell.
    pub soonest: u32,
}

impl Spot {
    /// The values without any known guard.
    const SAFE: Self = Self {
        toll: 0,
        passing: 0,
        hush: u16::MAX,
        soonest: u32::MAX,
    };
}

/// The costs for all cells of a floor.
#[derive(Debug)]
pub(super) struct Dread {
    spots: Plane<Spot>,
    hearing: SoundField,
}

impl Dread {
    pub(super) fn new(size: IVec2) -> Self {
        Self {
            spots: Plane::new(size.x, size.y, Spot::SAFE),
            hearing: SoundField::new(),
        }
    }

    /// The cost of being in a cell.
    pub(super) fn at(&self, at: IVec2) -> Spot {
        self.spots.get(at).copied().unwrap_or(Spot::SAFE)
    }

    /// Computes all costs again.
    pub(super) fn update(
        &mut self,
        view: View<'_>,
        chart: &Chart,
        rivals: &Rivals,
        temper: Temper,
    ) {
        self.spots.fill(Spot::SAFE);
        for rival in rivals.iter() {
            let weight = rival.weight(view) * if temper.unseen { SHY } else { 100 } / 100;
            if weight > 0 && steps_between(rival.at, view.thief().at) <= FAR_OFF {
                self.add(view, chart, rival, weight, temper);
            }
        }
    }

    fn add(&mut self, view: View<'_>, chart: &Chart, rival: &Rival, weight: u32, temper: Temper) {
        let rules = view.rules().guard(rival.kind);
        let noise = &view.rules().noise;
        self.hearing.listen(&chart.open, noise, rival.at, REACH);
        // A guard that was only heard may be behind unknown detours. If the sound came a longer way
        // than
        // the chart has, add the difference to all distances from it.
        let detour = rival.heard.map_or(0, |(steps, ear)| {
            let cost = self.hearing.cost(ear).unwrap_or(REACH);
            (steps * 10).saturating_sub(cost)
        });
        let gaze = Gaze::new(view, rival, temper);
        let need = view.hearing_need(rival.kind) + if rival.asleep { SLEEPS } else { 0 };
        let passes = !rival.is_posted() && !rival.asleep;
        let (low, high) = (rival.at - IVec2::splat(BOX), rival.at + IVec2::splat(BOX));
        for at in (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| IVec2::new(x, y))) {
            let (Some(distance), Some(spot)) = (self.hearing.cost(at), self.spots.get_mut(at))
            else {
                continue;
            };
            let distance = distance + detour;
            let toll = nearness(rival, distance) + gaze.falls_on(chart, at);
            let toll = toll * weight / 100;
            spot.toll += toll;
            if passes {
                spot.passing += toll;
                let soon = u32::from(distance) * u32::from(rules.chase_ticks) / 10;
                spot.soonest = spot.soonest.min(soon);
            }
            if weight > 20 {
                spot.hush = spot.hush.min(distance.saturating_add(need));
            }
        }
    }
}

/// The cost of being this close to a guard. `distance` is in tenths of a cell.
fn nearness(rival: &Rival, distance: u16) -> u32 {
    let distance = u32::from(distance);
    let (reach, peak) = match rival.kind {
        _ if rival.asleep => (20, 60),
        _ if rival.hunts() => (120, 160),
        GuardKind::Hound => (60, 160),
        GuardKind::Listener => (50, 90),
        GuardKind::Sentry => (25, 80),
        GuardKind::Watchman | GuardKind::Lamplighter | GuardKind::Warden => (70, 110),
    };
    if distance >= reach {
        return 0;
    }
    peak * (reach - distance) / reach
}

/// What a guard sees.
struct Gaze<'a> {
    view: View<'a>,
    rival: &'a Rival,
    /// The half angle of the guard's cone in eighths of a circle. `None` if it sees nothing.
    cone: Option<u32>,
    shines: bool,
    heeds_light: bool,
}

impl<'a> Gaze<'a> {
    fn new(view: View<'a>, rival: &'a Rival, temper: Temper) -> Self {
        let rules = view.rules().guard(rival.kind);
        let looks = rules.eyes && rival.is_awake();
        // A posted guard looks around. The facing of a walking guard is soon outdated.
        let fresh = rival.is_posted() || rival.age(view) <= 3;
        let wide = rival.is_posted() || rival.hunts();
        let thief = view.thief();
        Self {
            view,
            rival,
            cone: (looks && fresh).then_some(rules.cone + u32::from(wide)),
            shines: thief.torch_burns() || thief.ember_shines(),
            heeds_light: temper.light,
        }
    }

    /// The cost of the guard's sight in a cell.
    fn falls_on(&self, chart: &Chart, at: IVec2) -> u32 {
        let (Some(cone), Some(facing)) = (self.cone, self.rival.facing) else {
            return 0;
        };
        let steps = steps_between(self.rival.at, at);
        let band = self.band(chart, at, steps);
        let sight = self.view.sight_distance(self.rival.kind, band).min(FAR);
        let inside =
            Direction::towards(self.rival.at, at).is_none_or(|way| way.apart(facing) <= cone);
        if steps > sight || !inside || !chart.in_line(self.rival.at, at) {
            return 0;
        }
        let rules = &self.view.rules().awareness;
        let full = match band {
            LightBand::Hidden if steps <= 1 => rules.beside,
            _ if steps <= 1 => 1000,
            LightBand::Hidden | LightBand::Dim => rules.dim,
            LightBand::Lit => rules.lit,
            LightBand::Blazing => rules.blazing,
        };
        let lost = u32::from(100 - rules.far.min(100)) * steps / sight.max(1);
        u32::from(full) * (100 - lost) / 100 / u32::from(BEAT)
    }

    /// The light band in which the guard would see the thief in a cell.
    fn band(&self, chart: &Chart, at: IVec2, steps: u32) -> LightBand {
        if !self.heeds_light {
            return LightBand::Lit;
        }
        if self.shines {
            return LightBand::Blazing;
        }
        let lantern = match steps {
            0..=2 if self.rival.lantern => LightBand::Lit,
            3..=5 if self.rival.lantern => LightBand::Dim,
            _ => LightBand::Hidden,
        };
        self.view.would_show(chart.band(at).max(lantern))
    }
}
