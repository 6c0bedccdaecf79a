//! Where terrain meets plants, sky and light, one behavior per module.

mod ambiguities;
mod frames;
mod light_over_land;
mod light_over_land_takes;
mod light_over_lands;
mod sky;
