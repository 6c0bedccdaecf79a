//! Windows that stay hidden until what stands on them is there too.
//!
//! More than one plugin may need that, and none of them may lift the hold of another. So each has a component of its
//! own, and a window is held as long as it has any of them.

use std::marker::PhantomData;

use bevy::prelude::*;

/// Holds back a [`TerrainWindow`](crate::TerrainWindow) whose ground is complete: it stays hidden, and the window
/// before it shown, until this component is removed.
///
/// Insert it on the window's entity in an observer of [`TerrainReady`](crate::TerrainReady), plant trees in the
/// background, and remove it when the last of them is planted. Then land and trees appear in the same frame, and the old
/// trees go with the old window. [The guide](crate::guide::scattering) has an example.
///
/// Remove it in any case: as long as it is there, the ground ends at the border of the window before. On a window that
/// is shown already it has no effect.
///
/// This component is for the app itself. A plugin uses a component of its own: [`HoldWindowPlugin`].
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct HoldWindow;

/// Lets component `C` hold back windows of endless terrains, like [`HoldWindow`].
///
/// A window is held as long as it has any component that holds it, so plugins that know nothing of each other can each
/// wait for their own work.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{HoldWindowPlugin, prelude::*};
///
/// /// On a window whose paths are still being baked.
/// #[derive(Component)]
/// struct Baking;
///
/// fn begin(ready: On<TerrainReady>, windows: Query<(), With<TerrainWindow>>, mut commands: Commands) {
///     if windows.contains(ready.entity) {
///         commands.entity(ready.entity).insert(Baking); // and `remove::<Baking>()` when it is done
///     }
/// }
///
/// App::new()
///     .add_plugins(HoldWindowPlugin::<Baking>::default())
///     .add_observer(begin);
/// ```
#[derive(Debug)]
pub struct HoldWindowPlugin<C: Component>(PhantomData<C>);

impl<C: Component> Default for HoldWindowPlugin<C> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<C: Component> Plugin for HoldWindowPlugin<C> {
    fn build(&self, app: &mut App) {
        app.add_observer(|add: On<Add, C>, mut commands: Commands| {
            commands.entity(add.entity).queue_silenced(hold);
        })
        .add_observer(|remove: On<Remove, C>, mut commands: Commands| {
            commands.entity(remove.entity).queue_silenced(release);
        });
    }
}

/// On an entity with components that hold it: how many there are. A count, because the window is tested in each frame
/// and the components' types are known only to their plugins.
#[derive(Component, Debug, PartialEq)]
pub(super) struct Held(usize);

fn hold(mut window: EntityWorldMut) {
    match window.get_mut::<Held>() {
        Some(mut held) => held.0 += 1,
        None => {
            window.insert(Held(1));
        }
    }
}

fn release(mut window: EntityWorldMut) {
    match window.get_mut::<Held>() {
        Some(mut held) if held.0 > 1 => held.0 -= 1,
        _ => {
            window.remove::<Held>();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Component)]
    struct Planting;

    #[test]
    fn a_window_is_held_until_all_holds_are_removed() {
        let mut app = App::new();
        app.add_plugins((
            HoldWindowPlugin::<HoldWindow>::default(),
            HoldWindowPlugin::<Planting>::default(),
        ));
        let world = app.world_mut();
        let window = world.spawn((HoldWindow, Planting)).id();
        assert_eq!(world.get(window), Some(&Held(2)));
        world
            .entity_mut(window)
            .insert(Planting)
            .remove::<Planting>();
        assert_eq!(world.get(window), Some(&Held(1)));
        world.entity_mut(window).remove::<HoldWindow>();
        assert_eq!(world.get::<Held>(window), None);
    }
}
