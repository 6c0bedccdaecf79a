#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! ```text
//!   package/lanternfell.js   what users import: options, classes, defaults      (by hand)
//!        │ strings of JSON, typed arrays
//!        v
//!   lanternfell_js.js        memory, strings, errors                            (wasm-bindgen)
//!        v
//!   this crate               JSON to the libraries' types, and back
//!        v
//!   lanternfell_heightmap, lanternfell_lightgrid
//! ```
//!
//! What has a shape crosses the border as JSON, which both sides read and write by themselves and of
//! which there is little; heights, cells, light and pixels cross it as typed arrays. So each module
//! here is a function from JSON and numbers to JSON and numbers, and compiles and is tested natively
//! too; only `error` and `progress` know JavaScript's values.
//!
//! No state is kept but the light grids, which JavaScript frees.

mod bytes;
mod catalog;
mod error;
mod file;
mod light;
mod map;
mod measure;
mod progress;
mod recipe;
mod sight;
mod view;

#[cfg(any(test, feature = "hashes"))]
mod hashes;
