//! The command line: which drawing, where the torch is, how light behaves.

use std::path::PathBuf;

use bevy::prelude::*;
use clap::Parser;
use lanternfell::{
    headless::{HeadlessArgs, parse_or_exit, refuse},
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

/// What the command line asks for.
#[derive(Parser)]
pub struct SandboxArgs {
    #[command(flatten)]
    pub headless: HeadlessArgs,

    /// house, solid, maze, cave or cathedral
    #[arg(long, value_name = "NAME", value_parser = preset, default_value = "house")]
    preset: Preset,

    /// Which maze or cave
    #[arg(long, value_name = "N", value_parser = seed, default_value = "1",
        allow_negative_numbers = true)]
    seed: u32,

    /// A drawing that was saved, .ron or .png
    #[cfg_attr(not(target_arch = "wasm32"), arg(long, value_name = "FILE"))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    load: Option<PathBuf>,

    /// A drawing as a link to it has it
    #[arg(long, value_name = "TEXT", value_parser = address::drawing, conflicts_with = "preset")]
    drawing: Option<Drawing>,

    /// The cell that the torch is in, or `out`
    #[arg(long, value_name = "X,Y", value_parser = torch_place, allow_hyphen_values = true)]
    torch: Option<TorchPlace>,

    /// How far a light reaches in cells, from 2 to 80
    #[arg(long, value_name = "CELLS", value_parser = |value: &str| number(value, 2.0, 80.0),
        default_value = "14", allow_negative_numbers = true)]
    radius: f32,

    /// four, eight or isotropic
    #[arg(long, alias = "neighbours", value_name = "NAME", value_parser = neighborhood, default_value = "isotropic")]
    neighbors: Neighborhood,

    /// The share of crisp light, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = |value: &str| number(value, 0.0, 1.0),
        default_value_t = DIRECT, allow_negative_numbers = true)]
    direct: f32,

    /// Crisp light in whole cells, as rules have it, not in finer ones
    #[arg(long)]
    coarse: bool,

    /// What walls throw back, from 0 to 1
    #[arg(long, value_name = "ALBEDO", value_parser = |value: &str| number(value, 0.0, 1.0),
        default_value = "1", allow_negative_numbers = true)]
    walls: f32,

    /// Light at rest at once, instead of flowing
    #[arg(long)]
    settled: bool,

    /// The light as a heat map
    #[arg(long)]
    heat: bool,

    /// The light as numbers
    #[arg(long)]
    values: bool,

    /// The tiles in which light flows
    #[arg(long)]
    tiles: bool,

    /// The torch goes out then
    #[arg(long, value_name = "SECONDS", value_parser = |value: &str| number(value, 0.0, 3600.0),
        allow_negative_numbers = true)]
    pub out_after: Option<f32>,

    /// Neither panel nor help line
    #[arg(long)]
    pub bare: bool,
}

/// Where the torch is to be.
#[derive(Debug, Clone, Copy)]
enum TorchPlace {
    Cell(Vec2),
    Out,
}

impl SandboxArgs {
    /// Reads the process's arguments; a wrong one ends it with a line that says so.
    pub fn from_env() -> Self {
        parse_or_exit()
    }

    /// Which drawing to begin with.
    pub fn begun(&self) -> Begun {
        Begun {
            preset: self.preset,
            seed: self.seed,
        }
    }

    /// The drawing to begin with.
    pub fn drawing(&self) -> Drawing {
        match (&self.load, &self.drawing) {
            (None, None) => self.preset.draw(self.seed),
            (None, Some(drawing)) => drawing.clone(),
            (Some(path), _) => {
                files::load(path).unwrap_or_else(|message| refuse(&format!("--load {message}")))
            }
        }
    }

    /// The torch: where it was asked for, or on the floor nearest to the middle.
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

    /// How light behaves.
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

    /// How bright walls are.
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
        .ok_or("must be like 30,27, or `out`")
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
