//! The cell that is pointed at, by mouse or by keys: to look at it, or to throw something there.
//!
//! The mouse points whenever it moves. Keys point only after they were asked to: then ways move
//! the cursor instead of the thief, until it is answered.

use bevy::prelude::*;
use gutterlight_rules::{Action, Direction, View, steps_between};

use crate::play::{
    game::GameSystems,
    input::{control::Control, hands::Hands},
    player::{
        aim::{Aim, Missile, meant},
        travel::Errand,
    },
    scene::cones::ConesShown,
    screen::Screen,
};

/// What is pointed at, and why.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The cell.
    pub at: Option<IVec2>,
    /// Why keys move it; if they do.
    pub aim: Option<Aim>,
    /// Whether it is where the mouse is.
    pub by_mouse: bool,
    /// Somewhere to go, as an answer.
    goal: Option<IVec2>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Cursor>()
        .add_systems(
            Update,
            set_out
                .run_if(resource_changed::<Cursor>)
                .in_set(GameSystems::Ask),
        )
        .add_systems(OnExit(Screen::Play), put_away);
}

/// What was pointed at, gone to and shown belongs to the game that is left.
fn put_away(mut cursor: ResMut<Cursor>, mut errand: ResMut<Errand>, mut cones: ResMut<ConesShown>) {
    cursor.leave();
    *errand = Errand::None;
    cones.set_if_neq(ConesShown(false));
}

/// Whoever has pointed at a cell and said yes goes there.
pub fn set_out(mut cursor: ResMut<Cursor>, mut errand: ResMut<Errand>) {
    // Only what is taken is a change, or it would be one in every frame.
    if cursor.goal.is_some()
        && let Some(goal) = cursor.goal.take()
    {
        *errand = Errand::To(goal);
    }
}

impl Cursor {
    /// Whether ways move it.
    pub fn is_aimed(&self) -> bool {
        self.aim.is_some()
    }

    /// Ways move the thief again.
    pub fn leave(&mut self) {
        self.aim = None;
        self.at = None;
    }

    /// Ways move the cursor, to look around.
    pub fn look(&mut self, at: IVec2) {
        self.aim = Some(Aim::Look);
        self.at = Some(at);
        self.by_mouse = false;
    }

    /// Aims at what is pointed at already; or else at the nearest guard in sight, or ahead. False if
    /// it can be thrown nowhere.
    pub fn aim(&mut self, view: View<'_>, missile: Missile) -> bool {
        let possible = |at: &IVec2| view.check(missile.at(view, *at)).is_ok();
        let pointed = self
            .at
            .filter(|at| self.is_aimed() && *at != view.thief().at);
        let mut all = pointed.into_iter().chain(goals(view));
        let Some(at) = all.find(possible) else {
            return false;
        };
        self.aim = Some(Aim::Throw(missile));
        self.at = Some(at);
        self.by_mouse = false;
        true
    }

    /// One cell on.
    pub fn step(&mut self, view: View<'_>, way: Direction) {
        let from = self.at.unwrap_or(view.thief().at);
        let to = (from + way.step()).clamp(IVec2::ZERO, view.size() - 1);
        self.at = Some(to);
        self.by_mouse = false;
    }

    /// What is to be done there: to throw, to go, or nothing.
    pub fn answer(&mut self, hands: &Hands, view: View<'_>) -> Option<Action> {
        let (aim, at) = (self.aim?, self.at?);
        let yes = hands.press(Control::Here);
        match aim {
            Aim::Look if hands.press(Control::Look) => self.leave(),
            Aim::Look if yes => {
                self.leave();
                self.goal = Some(meant(view, at));
            }
            Aim::Throw(missile) if yes || hands.press(missile.control()) => {
                return self.throw(view, missile, at);
            }
            Aim::Look | Aim::Throw(_) => {}
        }
        None
    }

    /// Throws; what is refused can be aimed better.
    pub fn throw(&mut self, view: View<'_>, missile: Missile, at: IVec2) -> Option<Action> {
        let throw = missile.at(view, meant(view, at));
        if view.check(throw).is_ok() {
            self.leave();
        }
        Some(throw)
    }
}

/// Where one would throw first: at guards, the nearest first, then ahead, into the dark too, and
/// in the end at one's own feet.
fn goals(view: View<'_>) -> Vec<IVec2> {
    let here = view.thief().at;
    let up = view.guards().filter(|guard| !guard.alert_state.is_down());
    let mut goals: Vec<IVec2> = up.map(|guard| guard.at).collect();
    goals.sort_by_key(|at| (steps_between(*at, here), at.y, at.x));
    let ahead = (1..6)
        .rev()
        .map(|steps| here + view.thief().facing.step() * steps);
    goals.extend(ahead);
    goals.push(here);
    goals
}
