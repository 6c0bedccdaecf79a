//! Adding the plugin.

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

#[test]
#[should_panic(expected = "TorchlightPlugin: : plugin was already added in application")]
fn twice_is_refused_by_name() {
    let _ = app_with((TorchlightPlugin::default(), |app: &mut App| {
        app.add_plugins(TorchlightPlugin::default());
    }));
}

#[test]
fn what_one_sets_is_known_to_reflection() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    for name in [
        "Flicker",
        "InLightMap",
        "LightBlocker",
        "LightCell",
        "LightDebug",
        "LightFlow",
        "LightLevel",
        "LightDisplay",
        "LightMap",
        "LightSource",
        "LightTexture",
        "LightThresholds",
    ] {
        let registration = registry.get_with_short_type_path(name);
        let component = registration.and_then(|found| found.data::<ReflectComponent>());
        assert!(component.is_some(), "{name}");
    }
}
