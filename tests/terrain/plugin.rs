//! Adding the plugin.

use bevy::prelude::*;
use lanternfell::prelude::*;

use crate::common::app_with;

#[test]
#[should_panic(expected = "TerrainPlugin: : plugin was already added in application")]
fn twice_is_refused_by_name() {
    let _ = app_with((TerrainPlugin, |app: &mut App| {
        app.add_plugins(TerrainPlugin);
    }));
}

#[test]
fn what_one_sets_is_known_to_reflection() {
    let app = app_with(TerrainPlugin);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    for name in ["Terrain", "TerrainColors", "TerrainDetail", "Water"] {
        let registration = registry.get_with_short_type_path(name);
        let component = registration.and_then(|found| found.data::<ReflectComponent>());
        assert!(component.is_some(), "{name}");
    }
}
