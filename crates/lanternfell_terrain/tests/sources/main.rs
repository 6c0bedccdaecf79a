//! Ground from recipes, files and maps in hand: what it is made of, and what happens when that
//! changes, is damaged, or is not there. The files lie in memory.

mod beside;
mod common;
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
