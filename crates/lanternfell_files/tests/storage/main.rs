//! One contract, and every home held to it: a folder here, and in a browser its `localStorage`.
//!
//! In a browser there are no `#[test]`s: `browser` gives its checks to a page or to node, and
//! `browser.mjs` runs them.

#![cfg_attr(target_arch = "wasm32", no_main)]

#[cfg(target_arch = "wasm32")]
mod browser;
mod contract;
#[cfg(not(target_arch = "wasm32"))]
mod folder;
