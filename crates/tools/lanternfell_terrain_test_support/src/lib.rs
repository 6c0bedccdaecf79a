//! Helpers for the tests of the terrain plugins.
//!
//! [`terrain`] sets up apps with a terrain and no renderer, and [`canvas`] apps that render to an image. [`drawn`]
//! reads the meshes of a terrain, and [`log`] records what an app logs.
//!
//! A separate crate, so that the tests of crates without Bevy do not compile Bevy.

pub mod canvas;
pub mod drawn;
pub mod log;
pub mod terrain;
