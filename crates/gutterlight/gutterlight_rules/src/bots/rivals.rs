//! The guards of a floor, as far as a bot has seen and heard them.
//!
//! A guard in sight is known by its number. A sound has no number: it is taken to be the
//! guard that could have come to where it was made since it was last seen or heard, or else
//! a stranger. What is known gets old: a patrol that was heard a while ago may be anywhere,
//! but one that stands at its post will stand there tomorrow.

use glam::IVec2;

use crate::{
    AlertState, BEAT, Bark, Direction, GameEvent, GuardId, GuardKind, SeenGuard, Sight, Sound,
    View, Who, direction::steps_between, rules::Posting,
};

/// Beats after which a guard that walks about is no longer where it was.
const STALE: u32 = 40;

/// How far a guard may have come in no time, in steps, to be taken for the same one.
const SLACK: u32 = 2;

/// A guard, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rival {
    /// Its number; none for one that was only ever heard.
    pub id: Option<GuardId>,
    /// What kind, or what it sounds like.
    pub kind: GuardKind,
    /// Whether its kind stands at posts.
    pub posts: bool,
    /// Where it was last.
    pub at: IVec2,
    /// Which way it looked or went, if that is known.
    pub facing: Option<Direction>,
    /// In what alert state it was.
    pub alert_state: AlertState,
    /// Whether it slept.
    pub asleep: bool,
    /// Whether it carries a light.
    pub lantern: bool,
    /// How sure it was, from 0 to 100.
    pub awareness: u8,
    /// Whether it sees the thief.
    pub sees: bool,
    /// Where it last noticed the thief, if it is known to have done so.
    pub point_of_interest: Option<IVec2>,
    /// From how many steps away it was heard, and where; none if it was seen.
    pub heard: Option<(u16, IVec2)>,
    /// When that was, in ticks.
    pub sign: u32,
    /// Whether it is in sight.
    pub seen: bool,
    /// How many turns it has been seen to stand still.
    pub still: u32,
}

impl Rival {
    /// Whether it lies on the ground.
    pub(super) fn is_down(&self) -> bool {
        self.alert_state.is_down()
    }

    /// Whether it is up and about.
    pub(super) fn is_awake(&self) -> bool {
        !self.is_down() && !self.asleep
    }

    /// Whether it stands where it stands: it will be there later on.
    pub(super) fn is_posted(&self) -> bool {
        self.alert_state == AlertState::Calm && (self.still > 8 || self.posts && self.still > 1)
    }

    /// Whether it knows or suspects so much that it looks for a thief.
    pub(super) fn hunts(&self) -> bool {
        matches!(
            self.alert_state,
            AlertState::Investigating
                | AlertState::Searching
                | AlertState::Chasing
                | AlertState::Fleeing
        )
    }

    /// Beats since it was last seen or heard.
    pub(super) fn age(&self, view: View<'_>) -> u32 {
        view.tick().saturating_sub(self.sign) / u32::from(BEAT)
    }

    /// How far it is to be reckoned with, from 0 to 100 percent.
    pub(super) fn weight(&self, view: View<'_>) -> u32 {
        if self.is_down() {
            return 0;
        }
        if self.is_posted() || self.asleep {
            return 100;
        }
        let age = self.age(view);
        100_u32.saturating_sub(100 * age / STALE)
    }
}

/// All guards of a floor that are known.
#[derive(Debug, Default)]
pub(super) struct Rivals {
    all: Vec<Rival>,
}

impl Rivals {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Rival> {
        self.all.iter()
    }

    /// Takes in what was seen and, if it listens, what was heard.
    pub(super) fn update(&mut self, view: View<'_>, events: &[GameEvent], listens: bool) {
        for rival in &mut self.all {
            rival.seen = false;
            rival.sees = false;
        }
        for event in events {
            self.note_move(view, *event);
            if listens {
                self.hear(view, *event);
            }
        }
        for guard in view.guards() {
            self.see(view, guard);
        }
        self.forget(view);
    }

    /// After some time on another floor: nobody is close behind any more.
    pub(super) fn calm(&mut self) {
        for rival in self
            .all
            .iter_mut()
            .filter(|rival| rival.alert_state == AlertState::Chasing)
        {
            rival.alert_state = AlertState::Searching;
        }
    }

    /// Someone in sight went a step, perhaps out of sight.
    fn note_move(&mut self, view: View<'_>, event: GameEvent) {
        if let GameEvent::Moved {
            who: Who::Guard(id),
            from,
            to,
        } = event
            && let Some(rival) = self.by_id(id)
        {
            rival.facing = Direction::towards(from, to).or(rival.facing);
            rival.at = to;
            rival.sign = view.tick();
            rival.still = 0;
            rival.heard = None;
        }
    }

    fn hear(&mut self, view: View<'_>, event: GameEvent) {
        match event {
            GameEvent::Heard {
                sound, at, steps, ..
            } => self.hear_sound(view, sound, at, steps),
            GameEvent::Said {
                guard: Some(guard),
                bark,
            } => self.hear_bark(guard, bark),
            GameEvent::Struck {
                by: Who::Guard(id), ..
            } => {
                if let Some(rival) = self.by_id(id) {
                    rival.alert_state = AlertState::Chasing;
                }
            }
            _ => {}
        }
    }

    fn hear_sound(&mut self, view: View<'_>, sound: Sound, at: IVec2, steps: u16) {
        let heard = Some((steps, view.thief().at));
        let (kind, alert_state) = match sound {
            Sound::Steps(_) => (GuardKind::Watchman, None),
            Sound::Paws => (GuardKind::Hound, None),
            Sound::Voice(bark) => (GuardKind::Watchman, alert_state_of(bark)),
            Sound::Call => (GuardKind::Watchman, Some(AlertState::Chasing)),
            Sound::Howl => (GuardKind::Hound, Some(AlertState::Chasing)),
            _ => return,
        };
        let tick = view.tick();
        let beats = |rival: &Rival| tick.saturating_sub(rival.sign) / u32::from(BEAT);
        let rules = view.rules().guard(kind);
        let same = |rival: &&mut Rival| {
            let beast = view.rules().guard(rival.kind).beast;
            !rival.is_down()
                && !rival.is_posted()
                && !rival.asleep
                && beast == rules.beast
                && steps_between(rival.at, at) <= SLACK + beats(rival)
                && beats(rival) < STALE
        };
        let near = |rival: &&mut Rival| steps_between(rival.at, at) + beats(rival) / 4;
        match self.all.iter_mut().filter(same).min_by_key(near) {
            Some(rival) => {
                rival.facing = Direction::towards(rival.at, at).or(rival.facing);
                rival.at = at;
                rival.sign = tick;
                rival.alert_state = alert_state.unwrap_or(rival.alert_state);
                rival.asleep = false;
                rival.still = 0;
                rival.heard = heard;
                if alert_state.is_some_and(|alert_state| alert_state != AlertState::Calm) {
                    rival.point_of_interest = Some(view.thief().at);
                }
            }
            None => self.all.push(Rival {
                id: None,
                kind,
                posts: rules.posting == Posting::Watch,
                at,
                facing: None,
                alert_state: alert_state.unwrap_or(AlertState::Calm),
                asleep: false,
                lantern: !rules.beast,
                awareness: 0,
                sees: false,
                point_of_interest: alert_state.map(|_| view.thief().at),
                heard,
                sign: tick,
                seen: false,
                still: 0,
            }),
        }
    }

    fn hear_bark(&mut self, guard: GuardId, bark: Bark) {
        if let Some(alert_state) = alert_state_of(bark)
            && let Some(rival) = self.by_id(guard)
        {
            rival.alert_state = alert_state;
        }
    }

    fn by_id(&mut self, id: GuardId) -> Option<&mut Rival> {
        self.all.iter_mut().find(|rival| rival.id == Some(id))
    }

    fn see(&mut self, view: View<'_>, guard: SeenGuard) {
        let tick = view.tick();
        let old = self.all.iter().position(|rival| rival.id == Some(guard.id));
        let still = old
            .map(|old| self.all[old])
            .map_or(0, |old| if old.at == guard.at { old.still + 1 } else { 0 });
        let before = old.and_then(|old| self.all[old].point_of_interest);
        let point_of_interest = match guard.alert_state {
            _ if guard.sees_you => Some(view.thief().at),
            AlertState::Calm => None,
            _ => before,
        };
        let rival = Rival {
            id: Some(guard.id),
            kind: guard.kind,
            posts: view.rules().guard(guard.kind).posting == Posting::Watch,
            at: guard.at,
            facing: Some(guard.facing),
            alert_state: guard.alert_state,
            asleep: guard.asleep,
            lantern: guard.lantern,
            awareness: guard.awareness,
            sees: guard.sees_you,
            point_of_interest,
            heard: None,
            sign: tick,
            seen: true,
            still,
        };
        match old {
            Some(old) => self.all[old] = rival,
            None => self.all.push(rival),
        }
        // Whoever was heard near by was this one.
        let heard = |other: &Rival| {
            other.id.is_none() && steps_between(other.at, guard.at) <= SLACK + other.age(view)
        };
        self.all.retain(|other| !heard(other));
    }

    /// Strangers that have not been heard for long, and guards that are seen not to be where
    /// they were.
    fn forget(&mut self, view: View<'_>) {
        let gone = |rival: &Rival| {
            !rival.seen && rival.age(view) > 1 && view.sight(rival.at) == Sight::Seen
        };
        for rival in &mut self.all {
            if gone(rival) {
                rival.still = 0;
                rival.asleep = false;
                rival.facing = None;
            }
            // Alert states pass.
            if !rival.seen && rival.age(view) > STALE && !rival.is_down() {
                rival.alert_state = AlertState::Calm;
            }
        }
        let stale = |rival: &Rival| rival.id.is_none() && rival.age(view) > STALE;
        self.all.retain(|rival| !stale(rival));
    }
}

/// The alert state that someone must be in to say this.
fn alert_state_of(bark: Bark) -> Option<AlertState> {
    match bark {
        Bark::WhoIsThere => Some(AlertState::Suspicious),
        Bark::GoAndLook | Bark::ManDown | Bark::WhereIsHe | Bark::EmberGone => {
            Some(AlertState::Investigating)
        }
        Bark::ComeOut | Bark::LostHim => Some(AlertState::Searching),
        Bark::MustHaveBeenRats => Some(AlertState::Calm),
        Bark::Thief => Some(AlertState::Chasing),
        Bark::Help => Some(AlertState::Fleeing),
        Bark::LampOut => None,
    }
}
