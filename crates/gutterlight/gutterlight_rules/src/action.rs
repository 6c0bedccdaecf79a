//! Actions of the thief, and the reasons why one is not possible.

use glam::IVec2;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Direction, FixtureKind, GuardKind, Tool};

/// Something that the thief does in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// Walks one step, in one beat. If there is a closed door, this opens it instead.
    Walk(Direction),
    /// Sneaks one step, half as loud as a walk, in two beats.
    Sneak(Direction),
    /// Runs one step, in half a beat. Loud, and costs breath.
    Run(Direction),
    /// Waits for a beat. In the dark and away from guards, this restores a little nerve.
    Wait,
    /// Looks around a corner, as seen from the next cell, without exposing the thief.
    Peek(Direction),
    /// Opens a door, a curtain or a shutter. A locked door is unlocked with the floor's key, or
    /// else with a picklock. From the inside of a locked room, it is unlocked without either.
    Open(Direction),
    /// Closes a door, a curtain or a shutter.
    Close(Direction),
    /// Picks up what lies in the thief's cell.
    PickUp,
    /// Puts down everything in a slot.
    Drop {
        /// The index of the slot.
        slot: u8,
    },
    /// Throws one item from a slot.
    Throw {
        /// The index of the slot.
        slot: u8,
        /// The target cell.
        at: IVec2,
    },
    /// Uses the item in a slot.
    Use {
        /// The index of the slot.
        slot: u8,
    },
    /// Lights the thief's torch. Takes two beats and some fuel.
    LightTorch,
    /// Puts out the thief's torch. It glows for a few more beats.
    SnuffTorch,
    /// Drops the thief's torch, lit or not.
    DropTorch,
    /// Throws the thief's torch, lit or not.
    ThrowTorch {
        /// The target cell.
        at: IVec2,
    },
    /// Puts out a sconce or brazier in the next cell, or else in the thief's own cell.
    Douse(Direction),
    /// Lights a sconce or brazier with the burning torch.
    Relight(Direction),
    /// Knocks out a guard that is unaware of the thief. From behind, this also works on any guard
    /// that is not chasing the thief.
    Takedown(Direction),
    /// Pushes a guard back by one cell.
    Shove(Direction),
    /// Strikes a guard. [`View::odds`](crate::View::odds) returns the chance to win the fight.
    Fight(Direction),
    /// Takes the stairs in the thief's cell.
    Climb,
    /// Wraps the Ember in cloth.
    WrapEmber,
    /// Unwraps the Ember.
    UnwrapEmber,
    /// Learns one of the three perks on offer, by its index.
    Learn(u8),
    /// Ends the game. On the stairs out of the keep, this leaves the keep without the Ember if the
    /// thief has been on a deeper floor.
    GiveUp,
}

/// How the thief moves its feet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gait {
    Walk,
    Sneak,
    Run,
}

/// The reason why an action is not possible. A refused action costs no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages explain them")]
pub enum Refusal {
    #[error("The game is over.")]
    GameOver,
    #[error("First, choose what you have learned.")]
    PerkPending,
    #[error("There is nothing to learn right now.")]
    NoPerkPending,
    #[error("That is not one of the choices.")]
    NoSuchPerk,
    #[error("The way is blocked by {0}.")]
    Blocked(&'static str),
    #[error("You can't squeeze past that corner.")]
    Corner,
    #[error("A {} is in the way.", .0.name())]
    Occupied(GuardKind),
    #[error("The door is locked. You need its key or a picklock.")]
    Locked,
    #[error("You are out of breath.")]
    OutOfBreath,
    #[error("You can't run in the dark cloak.")]
    CloakedRun,
    #[error("There is nothing to open there.")]
    NothingToOpen,
    #[error("There is nothing to close there.")]
    NothingToClose,
    #[error("Something is blocking the door.")]
    DoorObstructed,
    #[error("There is nothing here to pick up.")]
    NothingHere,
    #[error("Your hands are full. Put something down first.")]
    SlotsFull,
    #[error("That slot is empty.")]
    EmptySlot,
    #[error("You can't throw the {}.", .0.name())]
    NotThrown(Tool),
    #[error("You can only throw the {}.", .0.name())]
    OnlyThrown(Tool),
    #[error("The {} only works on a locked door.", .0.name())]
    OnlyForLocks(Tool),
    #[error("That is too far to throw.")]
    TooFar,
    #[error("You can't throw through {0}.")]
    NoThrow(&'static str),
    #[error("You are not holding a torch.")]
    NoTorch,
    #[error("Your torch is already lit.")]
    TorchBurns,
    #[error("Your torch is not lit.")]
    TorchDark,
    #[error("Your torch has too little fuel left to light.")]
    NoFuel,
    #[error("The wick is wet. It won't catch yet.")]
    WetWick,
    #[error("Your torch is already full.")]
    TorchFull,
    #[error("There is no lamp there.")]
    NoLamp,
    #[error("You can't put out {}.", .0.name())]
    NotDousable(FixtureKind),
    #[error("It is already out.")]
    LampDark,
    #[error("It is already burning.")]
    LampBurns,
    #[error("You need a lit torch for that.")]
    NeedFlame,
    #[error("There is no one there.")]
    Nobody,
    #[error("The {} is on guard. Try from behind.", .0.name())]
    OnGuard(GuardKind),
    #[error("The {} won't budge.", .0.name())]
    TooHeavy(GuardKind),
    #[error("There is no room for a shove.")]
    NoRoom,
    #[error("There are no stairs here.")]
    NoStairs,
    #[error("Not without the Ember.")]
    NotWithoutEmber,
    #[error("Not without the Ember. To leave without it, give up here.")]
    LeavesEmber,
    #[error("You are not carrying the Ember.")]
    NoEmber,
    #[error("The Ember is already wrapped.")]
    EmberWrapped,
    #[error("The Ember is not wrapped.")]
    EmberBare,
    #[error("You have no cloth left.")]
    NoCloth,
    #[error("You are neither hurt nor shaken.")]
    NotHurt,
    #[error("You have not seen that spot yet.")]
    Unseen,
    #[error("There is no darkness within reach.")]
    NoDarkness,
}
