//! Adding the plugin.

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

#[test]
#[should_panic(expected = "TorchlightPlugin: : plugin was already added in application")]
fn adding_twice_panics() {
    let _ = app_with((TorchlightPlugin::default(), |app: &mut App| {
        app.add_plugins(TorchlightPlugin::default());
    }));
}

#[test]
fn components_are_registered() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    for name in [
        "Flicker",
        "InTorchlightMap",
        "LightBlocker",
        "LightCell",
        "LightDebug",
        "LightFlow",
        "LightLevel",
        "LightDisplay",
        "TorchlightMap",
        "LightSource",
        "LightTexture",
        "LightThresholds",
    ] {
        let registration = registry.get_with_short_type_path(name);
        let component = registration.and_then(|found| found.data::<ReflectComponent>());
        assert!(component.is_some(), "{name}");
    }
}
