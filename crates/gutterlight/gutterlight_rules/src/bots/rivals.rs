//! The guards of a floor, as far as a bot has seen and heard them.
//!
//! A guard in sight is known by its id. A sound has no id. It is assigned to a known guard that
//! could have reached its position since its last sign, or else to a new unknown guard. Knowledge
//! ages: a patrol that was heard a while ago may be anywhere, but a posted guard stays at its post.

use glam::IVec2;

use crate::{
    AlertState, BEAT, Bark, Direction, GameEvent, GuardId, GuardKind, SeenGuard, Sight, Sound,
    View, Who, direction::steps_between, rules::Posting,
};

/// The number of beats after which the position of a moving guard is useless.
const STALE: u32 = 40;

/// The tolerance in steps for identifying a guard by its position.
const SLACK: u32 = 2;

/// What is known of a guard.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rival {
    /// Its id, or `None` if it was only heard.
    pub id: Option<GuardId>,
    /// Its kind, guessed if it was only heard.
    pub kind: GuardKind,
    /// Whether its kind stands at posts.
    pub posts: bool,
    /// Its last known cell.
    pub at: IVec2,
    /// The direction in which it looked or walked, if known.
    pub facing: Option<Direction>,
    /// Its last known alert state.
    pub alert_state: AlertState,
    /// Whether it was asleep.
    pub asleep: bool,
    /// Whether it carries a light.
    pub lantern: bool,
    /// Its awareness, from 0 to 100.
    pub awareness: u8,
    /// Whether it sees the thief.
    pub sees: bool,
    /// Where it last noticed the thief, if known.
    pub point_of_interest: Option<IVec2>,
    /// How many steps away it was heard, and the thief's cell then. `None` if it was seen.
    pub heard: Option<(u16, IVec2)>,
    /// When it was last seen or heard, in ticks.
    pub sign: u32,
    /// Whether it is in sight.
    pub seen: bool,
    /// For how many turns it was seen to stand still.
    pub still: u32,
}

impl Rival {
    /// Whether it lies on the ground.
    pub(super) fn is_down(&self) -> bool {
        self.alert_state.is_down()
    }

    /// Whether it is neither down nor asleep.
    pub(super) fn is_awake(&self) -> bool {
        !self.is_down() && !self.asleep
    }

    /// Whether it stands at a post and will stay there.
    pub(super) fn is_posted(&self) -> bool {
        self.alert_state == AlertState::Calm && (self.still > 8 || self.posts && self.still > 1)
    }

    /// Whether it looks for the thief.
    pub(super) fn hunts(&self) -> bool {
        matches!(
            self.alert_state,
            AlertState::Investigating
                | AlertState::Searching
                | AlertState::Chasing
                | AlertState::Fleeing
        )
    }

    /// The number of beats since it was last seen or heard.
    pub(super) fn age(&self, view: View<'_>) -> u32 {
        view.tick().saturating_sub(self.sign) / u32::from(BEAT)
    }

    /// How much it counts, in percent. Decreases with age, except for guards that stay where they
    /// are.
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

/// All known guards of a floor.
#[derive(Debug, Default)]
pub(super) struct Rivals {
    all: Vec<Rival>,
}

impl Rivals {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Rival> {
        self.all.iter()
    }

    /// Updates the guards with what was seen and, if `listens`, with what was heard.
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

    /// Ends all chases, after some time on another floor.
    pub(super) fn calm(&mut self) {
        for rival in self
            .all
            .iter_mut()
            .filter(|rival| rival.alert_state == AlertState::Chasing)
        {
            rival.alert_state = AlertState::Searching;
        }
    }

    /// Follows a guard that moved in sight, perhaps out of sight.
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
        // A guard that was only heard near here was this one.
        let heard = |other: &Rival| {
            other.id.is_none() && steps_between(other.at, guard.at) <= SLACK + other.age(view)
        };
        self.all.retain(|other| !heard(other));
    }

    /// Drops unknown guards that were not heard for long, and resets guards that are visibly not
    /// where they were.
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
            // Alert states expire.
            if !rival.seen && rival.age(view) > STALE && !rival.is_down() {
                rival.alert_state = AlertState::Calm;
            }
        }
        let stale = |rival: &Rival| rival.id.is_none() && rival.age(view) > STALE;
        self.all.retain(|rival| !stale(rival));
    }
}

/// The alert state of a guard that says this line.
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
