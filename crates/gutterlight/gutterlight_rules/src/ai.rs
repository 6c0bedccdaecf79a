//! Guard behavior: guards perceive, update their alert states, and act. [`guard`](crate::guard) has
//! the data of a guard and the diagram of alert states.
//!
//! - `alarm`: how the alarm of a floor changes what all guards do.
//! - `perceive`: what eyes add to awareness. `smell`: what noses add. `glance`: signs of a thief,
//!   such as bodies and dark lamps. Hearing is in [`awareness`](crate::awareness), because every
//!   sound calls it.
//! - `think`: how awareness and time change the alert state.
//! - `beat`: the order of all this in a beat.
//! - `behavior`: what each alert state makes a guard do. `pace`: how long that takes. `walk`:
//!   steps. `fight`: blows.

pub(crate) mod alarm;
pub(crate) mod beat;
pub(crate) mod behavior;
pub(crate) mod fight;
pub(crate) mod glance;
mod pace;
pub(crate) mod perceive;
pub(crate) mod smell;
pub(crate) mod think;
pub(crate) mod walk;
