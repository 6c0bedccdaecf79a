//! Tests of each part of the lighting against its definition, and of known properties.

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
