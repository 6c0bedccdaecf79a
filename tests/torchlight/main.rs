//! The torchlight plugin in apps without a window, one behavior per module.

mod common;

mod ambiguities;
mod bands;
mod bare;
mod blockers;
mod drawn;
mod flow;
mod hostile;
mod levels;
mod map;
mod plugin;
mod positions;
mod removal;
mod schedules;
mod several;
mod texture;
mod tilemap;
