//! The cursor: the cell that the mouse or the keys point at, for looking or throwing.
//!
//! The mouse moves it at any time. Keys only move it after the player starts looking or aiming. Then directions move
//! the cursor instead of the thief, until the player confirms or cancels.

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

/// The state of the cursor.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The cell.
    pub at: Option<IVec2>,
    /// Why keys move the cursor. `None` if they move the thief.
    pub aim: Option<Aim>,
    /// Whether the mouse moved it last.
    pub by_mouse: bool,
    /// A destination that was confirmed, to travel to.
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

/// Resets the cursor, travel and overlays when the game screen is left.
fn put_away(mut cursor: ResMut<Cursor>, mut errand: ResMut<Errand>, mut cones: ResMut<ConesShown>) {
    cursor.leave();
    *errand = Errand::None;
    cones.set_if_neq(ConesShown(false));
}

/// Starts traveling to a confirmed destination.
pub fn set_out(mut cursor: ResMut<Cursor>, mut errand: ResMut<Errand>) {
    // Avoid marking the cursor as changed in every frame.
    if cursor.goal.is_some()
        && let Some(goal) = cursor.goal.take()
    {
        *errand = Errand::To(goal);
    }
}

impl Cursor {
    /// Whether keys move the cursor.
    pub fn is_aimed(&self) -> bool {
        self.aim.is_some()
    }

    /// Ends looking or aiming.
    pub fn leave(&mut self) {
        self.aim = None;
        self.at = None;
    }

    /// Starts looking around.
    pub fn look(&mut self, at: IVec2) {
        self.aim = Some(Aim::Look);
        self.at = Some(at);
        self.by_mouse = false;
    }

    /// Starts aiming. The target is the current cell of the cursor if possible, otherwise the nearest visible guard, or
    /// a cell ahead. Returns `false` if there is no valid target.
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

    /// Moves the cursor by one cell.
    pub fn step(&mut self, view: View<'_>, way: Direction) {
        let from = self.at.unwrap_or(view.thief().at);
        let to = (from + way.step()).clamp(IVec2::ZERO, view.size() - 1);
        self.at = Some(to);
        self.by_mouse = false;
    }

    /// Handles confirmation. Returns the action to do, if any.
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

    /// Throws at a cell. If that is refused, aiming continues.
    pub fn throw(&mut self, view: View<'_>, missile: Missile, at: IVec2) -> Option<Action> {
        let throw = missile.at(view, meant(view, at));
        if view.check(throw).is_ok() {
            self.leave();
        }
        Some(throw)
    }
}

/// The candidates for the first target: guards from near to far, cells ahead (even dark ones), and the thief's own
/// cell.
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
