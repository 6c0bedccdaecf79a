//! All plugins for outdoor scenes, as one group.

use bevy::{app::PluginGroupBuilder, prelude::*};
use lanternfell_sky::SkyPlugin;
use lanternfell_terrain::TerrainPlugin;
use lanternfell_vegetation::VegetationPlugin;

use crate::{outdoors::OutdoorsPlugin, terrain_torchlight::TerrainTorchlightPlugin};

/// The plugins for an outdoor scene: [`TerrainPlugin`], [`VegetationPlugin`], [`SkyPlugin`], [`OutdoorsPlugin`] and
/// [`TerrainTorchlightPlugin`].
///
/// Add it after `DefaultPlugins`. To leave a plugin out, use `TerrainPlugins.build().disable::<SkyPlugin>()`. The last of
/// these plugins needs [`TorchlightPlugin`](lanternfell_torchlight::TorchlightPlugin) to have an effect; it is not in the
/// group because 2D games use it without terrain, with settings of their own.
///
/// ```no_run
/// use bevy::prelude::*;
/// use lanternfell::prelude::*;
///
/// App::new()
///     .add_plugins((DefaultPlugins, TerrainPlugins))
///     .add_systems(Startup, |mut commands: Commands| {
///         commands.spawn((Terrain::default(), Vegetation::default()));
///         commands.spawn((Camera3d::default(), SkyFog::default(), Transform::from_xyz(0.0, 60.0, 150.0)));
///     })
///     .run();
/// ```
#[derive(Debug, Default, Clone, Copy)]
pub struct TerrainPlugins;

impl PluginGroup for TerrainPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(TerrainPlugin)
            .add(VegetationPlugin)
            .add(SkyPlugin)
            .add(OutdoorsPlugin)
            .add(TerrainTorchlightPlugin)
    }
}
