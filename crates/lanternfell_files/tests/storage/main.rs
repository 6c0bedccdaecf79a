//! Runs the same checks with every [`Storage`](lanternfell_files::Storage): a folder natively, and
//! `localStorage` in a browser.
//!
//! `#[test]` functions do not run in a browser. Instead, `browser` exports the checks, and
//! `browser.mjs` runs them in Node.js or in a page.

#![cfg_attr(target_arch = "wasm32", no_main)]

#[cfg(target_arch = "wasm32")]
mod browser;
mod contract;
#[cfg(not(target_arch = "wasm32"))]
mod folder;
