//! All plugins for outdoor scenes, as one group.

use bevy::{app::PluginGroupBuilder, prelude::*};
use lanternfell_sky::SkyPlugin;
use lanternfell_terrain::TerrainPlugin;
use lanternfell_vegetation::VegetationPlugin;

use crate::{outdoors::OutdoorsPlugin, terrain_torchlight::TerrainTorchlightPlugin};

/// The plugins for an outdoor scene: [`TerrainPlugin`], [`VegetationPlugin`], [`SkyPlugin`], [`OutdoorsPlugin`] and
/// [`TerrainTorchlightPlugin`].
///
/// Add it after `DefaultPlugins`. To leave a plugin out, use `TerrainPlugins.build().disable::<SkyPlugin>()`.
///
/// [`TerrainTorchlightPlugin`] has no effect without
/// [`TorchlightPlugin`](lanternfell_torchlight::TorchlightPlugin). Add that plugin yourself: it is not in the group,
/// because you choose its schedule.
///
/// An island with a sea, plants, sun and clouds:
///
/// ```no_run
/// use bevy::prelude::*;
/// use lanternfell::prelude::*;
///
/// App::new()
///     .add_plugins((DefaultPlugins, TerrainPlugins))
///     .add_systems(Startup, |mut commands: Commands| {
///         let island = Recipe::new(MapSize::default(), 7, Hills { island: true, ..default() });
///         commands.spawn((Terrain::new(island), Vegetation::default(), WindWaves::default()));
///         let place = Transform::from_xyz(0.0, 60.0, 150.0).looking_at(Vec3::ZERO, Vec3::Y);
///         commands.spawn((Camera3d::default(), SkyFog::default(), place));
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
