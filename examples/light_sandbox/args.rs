//! The command line arguments.

use std::path::PathBuf;

use bevy::prelude::*;
use clap::Parser;
use lanternfell::{
    headless::{HeadlessArgs, exit_with_usage_error, parse_or_exit},
    prelude::*,
};

use crate::{
    address,
    board::{DIRECT, Rules},
    brush::Begun,
    drawing::{Drawing, Material, Walls},
    files,
    presets::Preset,
    torch::Torch,
};

/// Carve rooms, place lamps, and watch how the light flows
#[derive(Parser)]
pub struct SandboxArgs {
    #[command(flatten)]
    pub headless: HeadlessArgs,

    /// The map to start with: house, solid, maze, cave or cathedral
    #[arg(long, value_name = "NAME", value_parser = preset, default_value = "house")]
    preset: Preset,

    /// The seed of the maze or cave
    #[arg(long, value_name = "N", value_parser = seed, default_value = "1",
        allow_negative_numbers = true)]
    seed: u32,

    /// Load a saved drawing (.ron or .png)
    #[cfg_attr(not(target_arch = "wasm32"), arg(long, value_name = "FILE"))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    load: Option<PathBuf>,

    /// A drawing from a link
    #[arg(long, value_name = "TEXT", value_parser = address::drawing, conflicts_with = "preset")]
    drawing: Option<Drawing>,

    /// The cell of the torch, or `out` for an unlit torch
    #[arg(long, value_name = "X,Y", value_parser = torch_place, allow_hyphen_values = true)]
    torch: Option<TorchPlace>,

    /// The radius of a light of strength 1, in cells, from 2 to 80
    #[arg(long, value_name = "CELLS", value_parser = |value: &str| number(value, 2.0, 80.0),
        default_value = "14", allow_negative_numbers = true)]
    radius: f32,

    /// The neighborhood of the automaton: four, eight or isotropic
    #[arg(long, alias = "neighbours", value_name = "NAME", value_parser = neighborhood, default_value = "isotropic")]
    neighbors: Neighborhood,

    /// The share of direct light, which casts shadows, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = |value: &str| number(value, 0.0, 1.0),
        default_value_t = DIRECT, allow_negative_numbers = true)]
    direct: f32,

    /// Show direct light in whole cells, without soft shadows
    #[arg(long)]
    coarse: bool,

    /// The albedo of walls, from 0 to 1
    #[arg(long, value_name = "ALBEDO", value_parser = |value: &str| number(value, 0.0, 1.0),
        default_value = "1", allow_negative_numbers = true)]
    walls: f32,

    /// Show settled light at once, instead of flowing light
    #[arg(long)]
    settled: bool,

    /// Show the light as a heat map
    #[arg(long)]
    heat: bool,

    /// Show the light values as numbers
    #[arg(long)]
    values: bool,

    /// Show the active tiles
    #[arg(long)]
    tiles: bool,

    /// Put out the torch after this time
    #[arg(long, value_name = "SECONDS", value_parser = |value: &str| number(value, 0.0, 3600.0),
        allow_negative_numbers = true)]
    pub out_after: Option<f32>,

    /// Hide the panel and the line of keys
    #[arg(long)]
    pub bare: bool,
}

/// The argument `--torch`.
#[derive(Debug, Clone, Copy)]
enum TorchPlace {
    Cell(Vec2),
    Out,
}

impl SandboxArgs {
    /// Parses the arguments of the process. An invalid argument exits with a one-line message.
    pub fn from_env() -> Self {
        parse_or_exit()
    }

    /// The preset to start with.
    pub fn begun(&self) -> Begun {
        Begun {
            preset: self.preset,
            seed: self.seed,
        }
    }

    /// The drawing to start with.
    pub fn drawing(&self) -> Drawing {
        match (&self.load, &self.drawing) {
            (None, None) => self.preset.draw(self.seed),
            (None, Some(drawing)) => drawing.clone(),
            (Some(path), _) => files::load(path)
                .unwrap_or_else(|message| exit_with_usage_error(&format!("--load {message}"))),
        }
    }

    /// The torch at the given position, or at the floor cell nearest to the center.
    pub fn torch(&self, drawing: &Drawing) -> Torch {
        let middle = (drawing.size().as_vec2() / 2.0).floor();
        let floor = drawing.nearest(Material::Floor, middle.as_ivec2());
        let at = floor.map_or(middle, IVec2::as_vec2);
        match self.torch {
            None => Torch::new(at),
            Some(TorchPlace::Cell(at)) => Torch::new(at),
            Some(TorchPlace::Out) => Torch {
                burning: false,
                ..Torch::new(at)
            },
        }
    }

    /// The settings of the light.
    pub fn rules(&self) -> Rules {
        let mut rules = Rules::default();
        rules.set_radius(self.radius);
        rules.settings.neighborhood = self.neighbors;
        rules.settings.direct = self.direct;
        rules.fine = !self.coarse;
        if self.settled {
            rules.flow = LightFlow::SETTLED;
        }
        rules.display.heat = self.heat;
        rules.debug.values = self.values;
        rules.debug.tiles = self.tiles;
        rules
    }

    /// The albedo of walls.
    pub fn walls(&self) -> Walls {
        Walls { albedo: self.walls }
    }
}

fn preset(name: &str) -> Result<Preset, &'static str> {
    Preset::from_name(name).ok_or("must be house, solid, maze, cave or cathedral")
}

fn seed(value: &str) -> Result<u32, &'static str> {
    value.parse().map_err(|_| "must be a whole number")
}

fn torch_place(value: &str) -> Result<TorchPlace, &'static str> {
    if value == "out" {
        return Ok(TorchPlace::Out);
    }
    let parse = || {
        let (x, y) = value.split_once(',')?;
        let at = Vec2::new(x.parse().ok()?, y.parse().ok()?);
        at.is_finite().then_some(at)
    };
    parse()
        .map(TorchPlace::Cell)
        .ok_or("must be a cell such as 30,27, or `out`")
}

fn neighborhood(name: &str) -> Result<Neighborhood, &'static str> {
    match name {
        "four" => Ok(Neighborhood::Four),
        "eight" => Ok(Neighborhood::Eight),
        "isotropic" => Ok(Neighborhood::Isotropic),
        _ => Err("must be four, eight or isotropic"),
    }
}

fn number(value: &str, least: f32, most: f32) -> Result<f32, String> {
    let parsed = value.parse().ok();
    parsed
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| format!("must be from {least} to {most}"))
}
