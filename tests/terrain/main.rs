//! The terrain plugin in apps without a window, one behavior per module.

mod canvas;
mod common;
mod crowd;
mod drawn;

mod ambiguities;
mod avian;
mod change;
#[cfg(feature = "rapier")]
mod collider;
mod cover;
mod detail;
mod drawing;
mod endless;
mod endless_example;
mod failure;
mod frames;
mod holes;
mod light_over_land;
mod light_over_land_takes;
mod light_over_lands;
#[cfg(feature = "rapier")]
mod near_bodies;
mod picking;
mod plant_rules;
mod plugin;
mod queries;
mod rays;
mod refraction;
mod removal;
mod renderers;
mod reveal;
mod rivers;
mod said;
mod several;
mod sky;
mod snap;
mod spawn;
mod underwater;
mod vegetation;
mod vegetation_endless;
mod vegetation_entities;
mod vegetation_models;
#[cfg(feature = "rapier")]
mod vegetation_server;
#[cfg(feature = "rapier")]
mod walking;
mod waves;
