//! Tests of the vegetation plugin in apps without a window, one behavior per module.

mod plant_rules;
mod vegetation;
mod vegetation_endless;
mod vegetation_entities;
mod vegetation_models;
mod vegetation_orthographic;
#[cfg(feature = "rapier")]
mod vegetation_render_layers;
mod vegetation_server;
