//! Guides: how to see and change a running app from an editor.
//!
//! | guide | how to |
//! |---|---|
//! | [`remote`] | change a terrain from another program, with Bevy's remote protocol |
//! | [`inspector`] | change components in a window of the app, with `bevy-inspector-egui` |
//! | [`blender`] | put terrain, plants and lights into a scene of Blender, with `bevy_skein` |
//!
//! All three use reflection. The plugins register their types. For types of Bevy, keep Bevy's feature
//! `reflect_auto_register`, which is on by default.
//!
//! These modules contain only documentation. The crates of the plugins have guides for their own tasks:
//! [`terrain::guide`](lanternfell_terrain::guide) and [`torchlight::guide`](lanternfell_torchlight::guide).

pub mod blender;
pub mod inspector;
pub mod remote;
