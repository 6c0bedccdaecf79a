//! Light, each part of it against its definition, and the facts known of it.

mod automaton;
mod bad_input;
mod changes;
mod common;
mod contributions;
mod direct;
mod facts;
mod fine;
mod hexagonal_sight;
mod hexagons;
mod open_ground;
mod queries;
mod relief;
mod saving;
mod scenery;
mod settled;
mod shades;
mod sight;
mod symmetry;
mod ways;
mod what_if;
mod worker;
