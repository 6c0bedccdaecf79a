//! Changes components in a window of the app, with `bevy-inspector-egui`.
//!
//! Version 0.37 is for Bevy 0.19. Add its plugins after those of this crate:
//!
//! ```ignore
//! use bevy_inspector_egui::{bevy_egui::EguiPlugin, quick::WorldInspectorPlugin};
//!
//! app.add_plugins((EguiPlugin::default(), WorldInspectorPlugin::new()));
//! ```
//!
//! Every component and resource of the plugins can be opened, and changes take effect in the next frame. While you
//! drag the spacing or the relief of a terrain, it is generated again and again; the terrain that was finished last
//! is shown.
//!
//! - Recipes, rules of layers and the cells of a light grid are shown as opaque: the inspector has no editor for them.
//!   Change them in code, or with the [remote protocol](super::remote).
//! - Underlined components, such as `HeightImage`, belong to the plugins and are not reflected. Ignore them.
//! - The inspector 0.37 uses `bevy_egui` 0.40. An app that also uses another version of `bevy_egui` has two separate
//!   contexts, and only one of them can have the input. Use the version of the inspector.
