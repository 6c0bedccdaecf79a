//! What eyes and ears tell guards of the thief.
//!
//! **Eyes.** A guard sees the thief if the straight line is free, the thief is inside its
//! cone, and near enough for how lit the thief is: for each band there is a distance. Then its
//! awareness grows: faster the brighter, the nearer and the more in front.
//!
//! ```text
//!            \      . dim
//!             \ . . . . lit
//!       guard  > . . . . . . . . blazing: as far as the eye reaches
//!             / . . . .
//!            /      .
//! ```
//!
//! **Ears.** A sound that still has some strength where a guard stands makes it suspicious;
//! a louder one sends it to look. No sound alone makes it sure, but for a listener's ear.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{
    AlertState, Direction, Guard, GuardId, GuardKind, World, direction::steps_between, guard::SURE,
    rules::BEAT,
};

/// Who made a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SoundSource {
    /// The thief.
    Thief,
    /// Something that was thrown, or fell.
    Thing,
    /// A guard.
    Guard(GuardId),
}

impl World {
    /// At the end of a beat every guard takes in what it sees, smells and finds, and then
    /// makes up its mind.
    pub(crate) fn guards_perceive(&mut self, ticks: u16) {
        for id in self.guard_ids() {
            let awake = self.guard(id).is_awake();
            let mut sign = false;
            if awake {
                sign = self.watch_for_thief(id, ticks) | self.smell_for_thief(id, ticks);
                self.glance_about(id, sign);
            }
            self.make_up_mind(id, ticks);
            if awake && !sign {
                self.forget(id, ticks);
            }
        }
    }

    /// Whether a guard sees the thief now.
    pub(crate) fn guard_sees(&self, id: GuardId) -> bool {
        self.would_see(id, self.state.thief.at, self.shown_band())
    }

    /// Whether a guard would see someone in a cell who is lit like this.
    pub(crate) fn would_see(&self, id: GuardId, at: IVec2, band: LightBand) -> bool {
        let guard = self.guard(id);
        let steps = steps_between(guard.at, at);
        guard.is_awake()
            && guard.kind.has_eyes()
            && steps <= self.sight_distance(guard.kind, band)
            && off_axis(guard, at).is_some_and(|apart| apart <= self.cone(guard))
            && self.in_line(guard.at, at)
    }

    /// How far a kind of guard sees something that is lit like this, in cells: by the
    /// table, and the difficulty, but for what is next to it.
    pub(crate) fn sight_distance(&self, kind: GuardKind, band: LightBand) -> u32 {
        let cells = self.rules.guard(kind).sight[band as usize];
        let percent = self.rules.difficulty(self.state.difficulty).sight;
        if cells <= 1 {
            cells
        } else {
            (cells * percent / 100).max(1)
        }
    }

    /// To how many eighths of a circle off its facing a guard sees; one that knows of a
    /// thief looks about.
    fn cone(&self, guard: &Guard) -> u32 {
        let cone = self.rules.guard(guard.kind).cone;
        match guard.alert_state {
            AlertState::Chasing | AlertState::Searching => cone + self.rules.behavior.alert_cone,
            _ => cone,
        }
    }

    /// What a guard's eyes add to its awareness; whether they saw anything.
    fn watch_for_thief(&mut self, id: GuardId, ticks: u16) -> bool {
        if !self.guard_sees(id) {
            return false;
        }
        let at = self.state.thief.at;
        let gain = self.eye_gain(self.guard(id), at, self.shown_band());
        let gain = self.vigilant(id, gain) * u32::from(ticks) / u32::from(BEAT);
        // Nobody is sure at once who is not next to him.
        let near = steps_between(self.guard(id).at, at) <= 1;
        let most = if near { SURE } else { SURE - 1 };
        self.notice(id, at, gain.clamp(1, u32::from(most)), SURE);
        true
    }

    /// What a beat of seeing someone in a cell adds.
    fn eye_gain(&self, guard: &Guard, at: IVec2, band: LightBand) -> u32 {
        let rules = &self.rules.awareness;
        let steps = steps_between(guard.at, at);
        if steps <= 1 {
            return u32::from(SURE);
        }
        let full = u32::from(match band {
            LightBand::Hidden | LightBand::Dim => rules.dim,
            LightBand::Lit => rules.lit,
            LightBand::Blazing => rules.blazing,
        });
        let range = self.sight_distance(guard.kind, band).max(1);
        let lost = u32::from(100 - rules.far.min(100)) * steps.min(range) / range;
        let gain = full * (100 - lost) / 100;
        match off_axis(guard, at) {
            Some(0) | None => gain,
            Some(_) => gain * u32::from(rules.corner_of_eye) / 100,
        }
    }

    /// More for a guard that had reason to be careful.
    fn vigilant(&self, id: GuardId, gain: u32) -> u32 {
        let most = self.rules.behavior.most_vigilance;
        let times = u32::from(self.guard(id).vigilance.min(most));
        gain * (100 + times * u32::from(self.rules.awareness.vigilant)) / 100
    }

    /// A sound reaches a guard, `strength` tenths of a cell above nothing.
    pub(crate) fn guard_hears(
        &mut self,
        id: GuardId,
        at: IVec2,
        strength: u16,
        source: SoundSource,
    ) {
        if !self.guard(id).is_standing() {
            return;
        }
        match source {
            SoundSource::Guard(caller) if caller == id => {}
            SoundSource::Guard(caller) => self.follow_call(id, caller),
            SoundSource::Thief | SoundSource::Thing => self.hear(id, at, strength, source),
        }
    }

    /// By how much a sound must be above nothing for a kind of guard to mind it, in tenths
    /// of a cell: by the table, and the difficulty.
    pub(crate) fn hearing_need(&self, kind: GuardKind) -> u16 {
        let percent = self.rules.difficulty(self.state.difficulty).hearing.max(1);
        (u32::from(self.rules.guard(kind).hearing) * 100 / percent) as u16
    }

    fn hear(&mut self, id: GuardId, at: IVec2, strength: u16, source: SoundSource) {
        let guard = self.guard(id);
        let deep_sleep = match guard.is_asleep() {
            true => self.rules.behavior.deep_sleep,
            false => 0,
        };
        let need = self.hearing_need(guard.kind).saturating_add(deep_sleep);
        let Some(above) = strength.checked_sub(need) else {
            return;
        };
        let rules = &self.rules.awareness;
        let gain = u32::from(rules.heard) * u32::from(above) / 10;
        let gain = self.vigilant(id, gain);
        let unsure = rules.suspicious.saturating_sub(self.guard(id).awareness);
        let knows = self.guard(id).kind == GuardKind::Listener
            && source == SoundSource::Thief
            && above >= self.rules.behavior.unmistakable;
        let most = if knows { SURE } else { SURE - 1 };
        let gain = if knows {
            u32::from(SURE)
        } else {
            gain + u32::from(unsure)
        };
        self.wake(id);
        self.notice(id, at, gain, most);
        self.go_and_look(id);
    }

    /// A comrade calls: the guard goes to where the thief was last known to be.
    fn follow_call(&mut self, id: GuardId, caller: GuardId) {
        let point_of_interest = self.guard(caller).point_of_interest;
        let investigating = self.rules.awareness.investigating;
        self.wake(id);
        let guard = self.guard_mut(id);
        if matches!(guard.alert_state, AlertState::Chasing | AlertState::Fleeing) {
            return;
        }
        guard.awareness = guard.awareness.max(investigating);
        guard.point_of_interest = point_of_interest.or(guard.point_of_interest);
        guard.lamp = None;
        self.go_and_look(id);
    }

    /// One that searches elsewhere goes to look at its new point of interest.
    pub(crate) fn go_and_look(&mut self, id: GuardId) {
        if self.guard(id).alert_state == AlertState::Searching {
            self.change_mind(id, AlertState::Investigating, None);
        }
    }

    /// Whatever woke it: it does not lie down again.
    pub(crate) fn wake(&mut self, id: GuardId) {
        let guard = self.guard_mut(id);
        if guard.is_asleep() {
            guard.get_up();
        }
    }

    /// A guard notices something of the thief in a cell: its awareness grows, up to `most`.
    pub(crate) fn notice(&mut self, id: GuardId, at: IVec2, gain: u32, most: u16) {
        let guard = self.guard_mut(id);
        let grown = (u32::from(guard.awareness) + gain).min(u32::from(most)) as u16;
        guard.awareness = guard.awareness.max(grown);
        guard.point_of_interest = Some(at);
        match guard.alert_state {
            AlertState::Chasing
            | AlertState::Fleeing
            | AlertState::Suspicious
            | AlertState::Investigating => {
                guard.ticks = 0;
            }
            AlertState::Searching => {
                guard.ticks = 0;
                guard.path.clear();
            }
            AlertState::Calm | AlertState::Unconscious | AlertState::Dead => {}
        }
    }

    /// A beat without any sign of the thief.
    fn forget(&mut self, id: GuardId, ticks: u16) {
        let fades = self.rules.awareness.fades * ticks / BEAT;
        let guard = self.guard_mut(id);
        if !matches!(guard.alert_state, AlertState::Chasing | AlertState::Fleeing) {
            guard.awareness = guard.awareness.saturating_sub(fades);
        }
    }
}

/// By how many eighths of a circle a cell lies off the way that a guard faces; none for its
/// own cell.
fn off_axis(guard: &Guard, at: IVec2) -> Option<u32> {
    Direction::towards(guard.at, at).map(|way| way.apart(guard.facing))
}
