#![doc = include_str!("../README.md")]
//!
//! # Architecture
//!
//! ```text
//!   package/lanternfell.js   what users import: options, classes, defaults      (hand-written)
//!        │ JSON strings, typed arrays
//!        v
//!   lanternfell_js.js        memory, strings, errors                            (wasm-bindgen)
//!        v
//!   this crate               converts JSON to the libraries' types, and back
//!        v
//!   lanternfell_heightmap, lanternfell_lightgrid
//! ```
//!
//! Structured data crosses the boundary as JSON: there is little of it, and both sides can read and write it. Heights,
//! cells, light and pixels cross it as typed arrays. So the functions of each module take and return JSON and numbers,
//! and can be compiled and tested natively. Only `error` and `progress` use JavaScript values.
//!
//! The only state is the light grids, which JavaScript frees.

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
