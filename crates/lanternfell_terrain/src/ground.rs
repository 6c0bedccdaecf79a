//! The ground of a terrain: from what it is made of to the finished surface.

mod generation;
mod georeference;
pub(crate) mod input;
mod request;
mod source;
mod surface;
mod swap;
mod terrain;
pub(crate) mod work;

pub use generation::Generating;
pub(crate) use generation::{GeneratedTerrain, receive_generation};
pub use georeference::GeoPosition;
pub(crate) use input::recipe_of_step;
pub use source::TerrainSource;
pub use surface::TerrainSurface;
pub(crate) use swap::{Finish, Upcoming, drop_elsewhere, hidden, replace, retire, show};
pub(crate) use terrain::with_terrain;
pub use terrain::{Terrain, TerrainFailed, TerrainReady};

pub(crate) fn plugin(app: &mut bevy::prelude::App) {
    app.add_plugins((request::plugin, generation::plugin, swap::plugin));
}
