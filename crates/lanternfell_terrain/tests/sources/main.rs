//! Terrain from recipes, files and maps in memory: loading, changes, damaged and missing files. All files are in
//! memory.

mod common;
mod companion_files;
mod failure;
mod formats;
mod georeference;
mod moments;
mod recipes;
mod reload;
mod save;
mod scale;
mod scene;
mod tiles;
