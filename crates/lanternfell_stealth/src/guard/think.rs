//! How awareness and time change a guard's alert state; the diagram is in [`guard`](super).

use crate::{
    AlertState, Bark, GuardId, GuardKind, Sound, World,
    direction::steps_between,
    guard::{Lantern, SURE, perceive::SoundSource},
};

impl World {
    /// After a beat: what a guard makes of it.
    pub(crate) fn make_up_mind(&mut self, id: GuardId, ticks: u16) {
        let guard = self.guard_mut(id);
        guard.ticks = guard.ticks.saturating_add(ticks);
        match guard.alert_state {
            AlertState::Dead => {}
            AlertState::Unconscious => self.sleep_on(id, ticks),
            AlertState::Chasing | AlertState::Fleeing => self.chase_on(id),
            AlertState::Calm
            | AlertState::Suspicious
            | AlertState::Investigating
            | AlertState::Searching => {
                if self.guard(id).alert_state == AlertState::Calm && self.guard(id).is_awake() {
                    self.relight_lantern(id, ticks);
                }
                self.weigh(id);
            }
        }
    }

    /// One that knows of a thief, or does not yet.
    fn weigh(&mut self, id: GuardId) {
        let rules = &self.rules.awareness;
        let (suspicious, investigating) = (rules.suspicious, rules.investigating);
        let (patience, search) = (rules.suspicious_ticks, self.search_ticks());
        let give_up = share_of(search, self.rules.behavior.lost_way);
        let guard = self.guard(id);
        match guard.alert_state {
            _ if guard.awareness >= SURE => self.become_sure(id),
            AlertState::Calm | AlertState::Suspicious if guard.awareness >= investigating => {
                self.change_mind(id, AlertState::Investigating, Some(Bark::GoAndLook));
            }
            AlertState::Calm if guard.awareness >= suspicious => {
                self.state.tally.times_suspected += 1;
                self.change_mind(id, AlertState::Suspicious, Some(Bark::WhoIsThere));
            }
            AlertState::Suspicious if guard.ticks >= patience => {
                self.calm_down(id);
            }
            // Whoever can not get there looks about here.
            AlertState::Investigating if guard.ticks >= give_up => {
                self.change_mind(id, AlertState::Searching, Some(Bark::ComeOut));
            }
            AlertState::Searching if guard.ticks >= search => {
                self.calm_down(id);
            }
            _ => {}
        }
    }

    fn search_ticks(&self) -> u16 {
        let rules = &self.rules.awareness;
        if self.state.alarm {
            rules.alarmed_search_ticks
        } else {
            rules.searching_ticks
        }
    }

    /// Takes up another alert state, and says so.
    pub(crate) fn change_mind(&mut self, id: GuardId, alert_state: AlertState, bark: Option<Bark>) {
        if self.guard(id).alert_state == alert_state {
            return;
        }
        self.guard_mut(id).set_alert_state(alert_state);
        self.tell_alert_state(id, alert_state);
        if let Some(bark) = bark.filter(|_| self.guard(id).kind != GuardKind::Hound) {
            self.bark(id, bark);
        }
    }

    /// The thief has been found: after him, and call the others.
    pub(crate) fn become_sure(&mut self, id: GuardId) {
        self.wake(id);
        let guard = self.guard_mut(id);
        guard.awareness = SURE;
        guard.lamp = None;
        guard.vigilance = guard.vigilance.saturating_add(1);
        let (at, kind) = (guard.at, guard.kind);
        self.state.tally.times_seen += 1;
        let (alert_state, bark) = match kind.fights() {
            true => (AlertState::Chasing, Bark::Thief),
            false => (AlertState::Fleeing, Bark::Help),
        };
        self.change_mind(id, alert_state, Some(bark));
        let noise = &self.rules.noise;
        let (sound, reach) = match kind {
            GuardKind::Hound => (Sound::Howl, noise.howl),
            _ => (Sound::Call, noise.call),
        };
        self.sound(sound, at, reach, SoundSource::Guard(id));
    }

    /// A chase ends some time after the last sign of the thief.
    fn chase_on(&mut self, id: GuardId) {
        let lost = self.rules.awareness.lost_ticks;
        let give_up = share_of(lost, self.rules.behavior.lost_chase);
        let guard = self.guard(id);
        let there = guard
            .point_of_interest
            .is_none_or(|point_of_interest| point_of_interest == guard.at);
        // Whoever can not get there gives up in the end, too.
        let patience = if there { lost } else { give_up };
        if guard.ticks < patience {
            return;
        }
        let investigating = self.rules.awareness.investigating;
        self.guard_mut(id).awareness = investigating;
        self.change_mind(id, AlertState::Searching, Some(Bark::LostHim));
    }

    /// Back to duty.
    fn calm_down(&mut self, id: GuardId) {
        let searched = self.guard(id).alert_state == AlertState::Searching;
        let suspicious = self.rules.awareness.suspicious;
        let calmed = share_of(suspicious, self.rules.behavior.calmed);
        let guard = self.guard_mut(id);
        guard.awareness = guard.awareness.min(calmed);
        guard.point_of_interest = None;
        if searched {
            guard.vigilance = guard.vigilance.saturating_add(1);
        }
        self.change_mind(id, AlertState::Calm, Some(Bark::MustHaveBeenRats));
    }

    /// A sleeper by force sleeps on, or comes to: it looks for who did it.
    fn sleep_on(&mut self, id: GuardId, ticks: u16) {
        let guard = self.guard_mut(id);
        guard.sleep = guard.sleep.saturating_sub(ticks);
        let at = guard.at;
        if guard.sleep > 0 || self.state.thief.at == at || self.floor().guard_at(at).is_some() {
            return;
        }
        let investigating = self.rules.awareness.investigating;
        let guard = self.guard_mut(id);
        guard.awareness = investigating;
        guard.vigilance = guard.vigilance.saturating_add(1);
        guard.point_of_interest = Some(at);
        guard.saved = 0;
        guard.get_up();
        self.found_again(id);
        self.change_mind(id, AlertState::Searching, Some(Bark::ComeOut));
    }

    /// Whoever mourned a comrade sees him well, and will mourn him again if need be.
    pub(crate) fn found_again(&mut self, id: GuardId) {
        for guard in &mut self.floor_mut().guards {
            guard.mourns &= !(1 << id);
        }
    }

    /// A lantern that was put out is lit again after some calm.
    fn relight_lantern(&mut self, id: GuardId, ticks: u16) {
        if let Lantern::Out(left) = &mut self.guard_mut(id).lantern {
            *left = left.saturating_sub(ticks);
            if *left == 0 {
                self.guard_mut(id).lantern = Lantern::Lit;
                let (at, reach) = (self.guard(id).at, self.rules.noise.flame);
                self.sound(Sound::Flame, at, reach, SoundSource::Guard(id));
            }
        }
    }

    /// The Ember is gone: nobody sleeps any more, and everyone on this floor comes to look.
    pub(crate) fn raise_alarm(&mut self) {
        self.state.alarm = true;
        let more = self.rules.behavior.alarm_vigilance;
        let investigating = self.rules.awareness.investigating;
        let at = self.state.thief.at;
        for floor in &mut self.state.floors {
            for guard in floor.guards.iter_mut().filter(|guard| guard.is_standing()) {
                guard.vigilance = guard.vigilance.saturating_add(more);
                guard.get_up();
            }
        }
        for id in self.guard_ids() {
            let guard = self.guard_mut(id);
            if guard.is_standing()
                && !matches!(guard.alert_state, AlertState::Chasing | AlertState::Fleeing)
            {
                guard.awareness = guard.awareness.max(investigating);
                guard.point_of_interest = Some(at);
            }
        }
        let speaks = |id: &GuardId| {
            let guard = self.guard(*id);
            guard.is_standing() && guard.kind.has_hands()
        };
        let near = |id: &GuardId| (steps_between(self.guard(*id).at, at), *id);
        let nearest = self.guard_ids().filter(speaks).min_by_key(near);
        if let Some(id) = nearest {
            self.bark(id, Bark::EmberGone);
        }
    }
}

/// So many percent of a number.
fn share_of(number: u16, percent: u16) -> u16 {
    let share = u32::from(number) * u32::from(percent) / 100;
    share.min(u32::from(u16::MAX)) as u16
}
