//! What a thief can do in a turn, and why not.

use glam::IVec2;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Direction, FixtureKind, GuardKind, Tool};

/// What a thief can do in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// A step at a walk: one beat. Into a closed door, it opens it instead.
    Walk(Direction),
    /// A step at half the loudness, in two beats.
    Sneak(Direction),
    /// A step in half a beat: loud, and it costs breath.
    Run(Direction),
    /// Nothing, for a beat.
    Wait,
    /// Looks round a corner, from the next cell this way, without showing oneself.
    Peek(Direction),
    /// Opens a door, a curtain or a shutter; unlocks with the key, or else a picklock.
    Open(Direction),
    /// Closes them.
    Close(Direction),
    /// Takes what lies here.
    PickUp,
    /// Puts down what is in a slot.
    Drop {
        /// The slot, from 0.
        slot: u8,
    },
    /// Throws what is in a slot.
    Throw {
        /// The slot, from 0.
        slot: u8,
        /// The cell to hit.
        at: IVec2,
    },
    /// Uses what is in a slot on oneself.
    Use {
        /// The slot, from 0.
        slot: u8,
    },
    /// Lights the torch in the hand: two beats, and some fuel.
    LightTorch,
    /// Puts it out; it glows on for some beats.
    SnuffTorch,
    /// Lets it fall, as it is.
    DropTorch,
    /// Throws it, as it is.
    ThrowTorch {
        /// The cell to hit.
        at: IVec2,
    },
    /// Puts out a sconce or brazier beside or here.
    Douse(Direction),
    /// Lights it with the burning torch.
    Relight(Direction),
    /// Puts an unaware guard to sleep, or any from behind.
    Takedown(Direction),
    /// Pushes a guard back a cell.
    Shove(Direction),
    /// Strikes. [`View::odds`](crate::View::odds) tells how that would end.
    Fight(Direction),
    /// Takes the stairs that one stands on.
    Climb,
    /// Wraps the Ember in cloth.
    WrapEmber,
    /// Unwraps it.
    UnwrapEmber,
    /// Learns one of the three things on offer, from 0.
    Learn(u8),
    /// Ends the game here and now: on the stairs out of the keep, once deeper floors were reached, by
    /// leaving it without the Ember.
    GiveUp,
}

/// How to set the foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gait {
    Walk,
    Sneak,
    Run,
}

/// Why an action is not possible. It costs no turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "their messages say it")]
pub enum Refusal {
    #[error("The game is over.")]
    GameOver,
    #[error("First choose what you have learnt.")]
    PerkPending,
    #[error("There is nothing to learn now.")]
    NoPerkPending,
    #[error("There is no such choice.")]
    NoSuchPerk,
    #[error("There is {0} in the way.")]
    Blocked(&'static str),
    #[error("You can not squeeze past that corner.")]
    Corner,
    #[error("A {} stands there.", .0.name())]
    Occupied(GuardKind),
    #[error("The door is locked. You need its key, or a picklock.")]
    Locked,
    #[error("You are out of breath.")]
    OutOfBreath,
    #[error("You can not run in the dark cloak.")]
    CloakedRun,
    #[error("There is nothing to open there.")]
    NothingToOpen,
    #[error("There is nothing to close there.")]
    NothingToClose,
    #[error("Something stands in the way of the door.")]
    DoorObstructed,
    #[error("There is nothing here to take.")]
    NothingHere,
    #[error("Your hands are full: put something down first.")]
    SlotsFull,
    #[error("That slot is empty.")]
    EmptySlot,
    #[error("The {} is not for throwing.", .0.name())]
    NotThrown(Tool),
    #[error("The {} is for throwing.", .0.name())]
    OnlyThrown(Tool),
    #[error("The {} is for locks: open a locked door.", .0.name())]
    OnlyForLocks(Tool),
    #[error("That is too far to throw.")]
    TooFar,
    #[error("You can not throw through {0}.")]
    NoThrow(&'static str),
    #[error("You hold no torch.")]
    NoTorch,
    #[error("Your torch burns already.")]
    TorchBurns,
    #[error("Your torch does not burn.")]
    TorchDark,
    #[error("There is not enough fuel left to light your torch.")]
    NoFuel,
    #[error("The wick is wet: it will not catch, not yet.")]
    WetWick,
    #[error("Your torch holds no more.")]
    TorchFull,
    #[error("There is no lamp there.")]
    NoLamp,
    #[error("You can not put out {}.", .0.name())]
    NotDousable(FixtureKind),
    #[error("It is out already.")]
    LampDark,
    #[error("It burns already.")]
    LampBurns,
    #[error("You need a burning torch for that.")]
    NeedFlame,
    #[error("Nobody is there.")]
    Nobody,
    #[error("The {} is on guard: not from the front.", .0.name())]
    OnGuard(GuardKind),
    #[error("The {} does not budge.", .0.name())]
    TooHeavy(GuardKind),
    #[error("There is no room to shove it.")]
    NoRoom,
    #[error("You are on no stairs.")]
    NoStairs,
    #[error("Not without the Ember.")]
    NotWithoutEmber,
    #[error("Not without the Ember: to leave without it, give up here.")]
    LeavesEmber,
    #[error("You do not carry the Ember.")]
    NoEmber,
    #[error("The Ember is wrapped already.")]
    EmberWrapped,
    #[error("The Ember is not wrapped.")]
    EmberBare,
    #[error("You have no cloth left.")]
    NoCloth,
    #[error("You are not hurt.")]
    NotHurt,
    #[error("You can not see there.")]
    Unseen,
    #[error("There is no darkness in reach.")]
    NoDarkness,
}
