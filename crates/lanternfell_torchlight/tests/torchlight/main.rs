//! The torchlight plugin in apps without a window, one behavior per module.

mod common;

mod ambiguities;
mod bands;
mod bare;
mod beyond;
mod blockers;
mod budget;
mod detail;
mod drawn;
mod flow;
mod frames;
mod hostile;
mod layouts;
mod levels;
mod map;
mod normals;
mod plugin;
mod positions;
mod removal;
mod saved;
mod schedules;
mod several;
mod texture;
mod tilemap;
mod tilemaps;
