//! Keeps new regions hidden until the things on them are ready, too.
//!
//! Several plugins may need this, and none of them may release the hold of another. So each has its own component, and
//! a region is held as long as it has at least one of them.

use std::marker::PhantomData;

use bevy::prelude::*;

/// Keeps a complete [`TerrainRegion`](crate::TerrainRegion) hidden, and its predecessor shown, until this component is
/// removed.
///
/// Insert it on the region's entity in an observer of [`TerrainReady`](crate::TerrainReady), spawn trees in the
/// background, and remove it when all of them are spawned. Terrain and trees then appear in the same frame, and the old
/// trees disappear with the old region. [The guide](crate::guide::scattering) has an example.
///
/// Always remove it again: until then, the terrain ends at the border of the old region. On a region that is already
/// shown it has no effect.
///
/// This component is for apps. Plugins use their own component with [`HoldRegionPlugin`].
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct HoldRegion;

/// Lets component `C` hold regions of endless terrains, like [`HoldRegion`].
///
/// A region is held as long as it has at least one such component, so that independent plugins can each wait for their
/// own work.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{HoldRegionPlugin, prelude::*};
///
/// /// On a region whose paths are still being baked.
/// #[derive(Component)]
/// struct Baking;
///
/// fn begin(ready: On<TerrainReady>, regions: Query<(), With<TerrainRegion>>, mut commands: Commands) {
///     if regions.contains(ready.entity) {
///         commands.entity(ready.entity).insert(Baking); // remove it when baking is done
///     }
/// }
///
/// App::new()
///     .add_plugins(HoldRegionPlugin::<Baking>::default())
///     .add_observer(begin);
/// ```
#[derive(Debug)]
pub struct HoldRegionPlugin<C: Component>(PhantomData<C>);

impl<C: Component> Default for HoldRegionPlugin<C> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<C: Component> Plugin for HoldRegionPlugin<C> {
    fn build(&self, app: &mut App) {
        app.add_observer(|add: On<Add, C>, mut commands: Commands| {
            commands.entity(add.entity).queue_silenced(hold);
        })
        .add_observer(|remove: On<Remove, C>, mut commands: Commands| {
            commands.entity(remove.entity).queue_silenced(release);
        });
    }
}

/// The number of components that hold the entity. A count, because `swap_regions` tests it in each frame and the
/// components' types are only known to their plugins.
#[derive(Component, Debug, PartialEq)]
pub(super) struct Held(usize);

fn hold(mut region: EntityWorldMut) {
    match region.get_mut::<Held>() {
        Some(mut held) => held.0 += 1,
        None => {
            region.insert(Held(1));
        }
    }
}

fn release(mut region: EntityWorldMut) {
    match region.get_mut::<Held>() {
        Some(mut held) if held.0 > 1 => held.0 -= 1,
        _ => {
            region.remove::<Held>();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Component)]
    struct Planting;

    #[test]
    fn region_is_held_until_all_holds_are_removed() {
        let mut app = App::new();
        app.add_plugins((
            HoldRegionPlugin::<HoldRegion>::default(),
            HoldRegionPlugin::<Planting>::default(),
        ));
        let world = app.world_mut();
        let region = world.spawn((HoldRegion, Planting)).id();
        assert_eq!(world.get(region), Some(&Held(2)));
        world
            .entity_mut(region)
            .insert(Planting)
            .remove::<Planting>();
        assert_eq!(world.get(region), Some(&Held(1)));
        world.entity_mut(region).remove::<HoldRegion>();
        assert_eq!(world.get::<Held>(region), None);
    }
}
