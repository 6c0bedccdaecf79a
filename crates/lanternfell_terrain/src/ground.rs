//! Generates the surface of a terrain from its source.
//!
//! ```text
//!   Terrain ──> request ──> generation, in the background ──> NewGround ──> TerrainSurface
//!               files       work: the map, measurements         surface and parts
//!                           edits, modifiers
//!                           part: built by other modules
//! ```
//!
//! This module does not know the other parts of a terrain. They register what they build from a new surface
//! ([`add_part`]) and which components end with a terrain ([`ends_with_terrain`]).

mod change;
mod edits;
mod generation;
mod georeference;
pub(crate) mod input;
mod modifiers;
mod part;
mod request;
mod retire;
mod source;
mod surface;
mod terrain;
pub(crate) mod work;

pub(crate) use change::SurfaceChange;
pub(crate) use edits::{AppliedEdits, EditablePlane, PartOf, PlaneTiles, PlaneWork, RegionEdits};
pub use edits::{EditTerrain, TerrainEdit, TerrainEdits};
pub use generation::TerrainProgress;
pub(crate) use generation::{GeneratedTerrain, NewGround, receive_generation};
pub use georeference::GeoPosition;
pub(crate) use input::recipe_of_step;
pub(crate) use modifiers::{CollectModifiers, TerrainModifiers};
pub use modifiers::{StampSource, TerrainPath, TerrainPlatform, TerrainStamp};
pub(crate) use part::{FreshSurface, MadePart, Part, Wanted, add_part};
pub(crate) use request::{Awaiting, ask_again, await_files, take_up_changes};
pub(crate) use retire::{
    Retire, Upcoming, drop_elsewhere, ends_with_terrain, removed_with_terrain, replace,
};
pub use source::TerrainSource;
pub use surface::TerrainSurface;
pub use terrain::{Terrain, TerrainFailed, TerrainReady};
pub(crate) use terrain::{require_on_terrain, with_terrain};

pub(crate) fn plugin(app: &mut bevy::prelude::App) {
    app.add_plugins((request::plugin, generation::plugin))
        .add_plugins((edits::plugin, modifiers::plugin));
}
