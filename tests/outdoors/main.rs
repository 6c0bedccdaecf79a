//! Tests of terrain together with vegetation, sky and torchlight.

mod ambiguities;
mod frames;
mod missing;
mod prepass;
mod ready_times;
mod scene;
mod serialize;
mod sky;
mod terrain_torchlight;
mod terrain_torchlight_takes;
mod terrain_torchlights;
