//! What the tests of the terrain plugins share.
//!
//! [`terrain`] sets up apps with a terrain and no renderer, and [`canvas`] apps that draw to an image. [`drawn`] reads
//! the meshes of a terrain, and [`log`] what an app logs.
//!
//! It is a crate of its own, so that the tests of crates without Bevy do not compile Bevy.

pub mod canvas;
pub mod drawn;
pub mod log;
pub mod terrain;
