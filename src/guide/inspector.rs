//! How to change components in a window of the app, with `bevy-inspector-egui`.
//!
//! Version 0.37 of `bevy-inspector-egui` supports Bevy 0.19. Add its plugins after those of this crate:
//!
//! ```ignore
//! use bevy_inspector_egui::{bevy_egui::EguiPlugin, quick::WorldInspectorPlugin};
//!
//! app.add_plugins((EguiPlugin::default(), WorldInspectorPlugin::new()));
//! ```
//!
//! You can open every reflected component and resource of the plugins. Your changes are applied in the next frame.
//! While you drag the spacing or the relief of a terrain, it is regenerated repeatedly, and the last finished version
//! is shown.
//!
//! - Recipes, layer rules and the cells of a light grid are shown as opaque, because the inspector has no editor for
//!   them. Change them in code, or with the [remote protocol](super::remote).
//! - Ignore underlined components, such as `HeightImage`. They are internal to the plugins and not reflected.
//! - The inspector 0.37 uses `bevy_egui` 0.40. Use the same version in your app. With two versions there are two
//!   separate contexts, and only one of them gets input.
