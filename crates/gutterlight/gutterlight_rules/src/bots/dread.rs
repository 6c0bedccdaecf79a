//! What it costs to be in a cell because of guards, as far as they are known.
//!
//! ```text
//!     . . 1 2 3 3 3 . .      Around a guard G that walks west: what it sees, by how lit each
//!     . 2 3 5 7 8 G 3 .      cell is; where it will be soon; and how near it is. The older
//!     . . 1 2 3 3 3 . .      the news of it, the less of all that.
//! ```
//!
//! Four numbers for each cell: the dread of it, the part of it that passes because its guards
//! walk on, how loud a sound may be there unheard, and how soon someone could be there.
//! Distances are those of sound, which a search from each guard finds: closed doors count.

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

/// How far around a guard anything is reckoned with, in tenths of a cell.
const REACH: u16 = 150;

/// How far around a guard that reach can be, in cells.
const BOX: i32 = 15;

/// Guards that are farther away than this are left for later, in steps.
const FAR_OFF: u32 = 26;

/// As far as guards are assumed to look along a beam of torchlight, in cells.
const FAR: u32 = 20;

/// How much more than others one dreads guards who wants to be seen by nobody, percent.
const SHY: u32 = 170;

/// How much louder a sound must be to wake a sleeper: a guess, in tenths of a cell.
const SLEEPS: u16 = 20;

/// What it costs to be in one cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    /// What a step into it costs, in tenths of a cell.
    pub toll: u32,
    /// The part of it that will pass.
    pub passing: u32,
    /// How far a sound made there may be heard, in tenths of a cell, to be heard by nobody.
    pub hush: u16,
    /// Ticks until someone who walks about could be there.
    pub soonest: u32,
}

impl Spot {
    /// Nobody is known of.
    const SAFE: Self = Self {
        toll: 0,
        passing: 0,
        hush: u16::MAX,
        soonest: u32::MAX,
    };
}

/// The costs of being somewhere.
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

    /// What it costs to be in a cell.
    pub(super) fn at(&self, at: IVec2) -> Spot {
        self.spots.get(at).copied().unwrap_or(Spot::SAFE)
    }

    /// Works all of it out again.
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
        // If the way from there is longer than the chart knows, it is longer to everywhere.
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

/// What it costs to be so near to a guard.
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
    /// To how many eighths off its facing; none if it sees nothing.
    cone: Option<u32>,
    shines: bool,
    heeds_light: bool,
}

impl<'a> Gaze<'a> {
    fn new(view: View<'a>, rival: &'a Rival, temper: Temper) -> Self {
        let rules = view.rules().guard(rival.kind);
        let looks = rules.eyes && rival.is_awake();
        // One at its post looks about; one that walks soon looks elsewhere.
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

    /// What its eyes cost in a cell.
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

    /// How lit the thief would be there.
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
