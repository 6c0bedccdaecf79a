//! The command line: which drawing, where the torch is, how light behaves.

use std::path::PathBuf;

use bevy::prelude::*;
use lanternfell::{
    headless::{ArgsError, HeadlessArgs, none_left, value_of},
    prelude::*,
};

use crate::{
    board::Rules,
    brush::Begun,
    drawing::{Drawing, Material, Walls},
    files,
    presets::Preset,
    torch::Torch,
};

/// What the command line asks for.
pub struct SandboxArgs {
    pub headless: HeadlessArgs,
    pub begun: Begun,
    pub rules: Rules,
    pub walls: Walls,
    /// Neither panel nor help line.
    pub bare: bool,
    /// Seconds after which the torch goes out.
    pub out_after: Option<f32>,
    load: Option<PathBuf>,
    torch: Option<Vec2>,
    no_torch: bool,
}

const HELP: &str = "  --preset NAME       solid, maze, cave or cathedral (solid)
  --seed N            which maze or cave (1)
  --load FILE         a drawing that was saved, .ron or .png
  --torch X,Y         the cell that the torch is in, or `out`
  --radius CELLS      how far a light reaches, from 2 to 80 (14)
  --neighbours NAME   four, eight or isotropic (isotropic)
  --direct SHARE      the share of crisp light, from 0 to 1 (0)
  --walls ALBEDO      what walls throw back, from 0 to 1 (1)
  --settled           light at rest at once, instead of flowing
  --heat              the light as a heat map
  --values            the light as numbers
  --tiles             the tiles in which light flows
  --out-after SECONDS the torch goes out
  --bare              neither panel nor help line
";

impl SandboxArgs {
    /// Reads the process's arguments; a wrong one ends it with a line that says so.
    pub fn from_env() -> Self {
        let mut args: Vec<String> = std::env::args().skip(1).collect();
        Self::take_from(&mut args).unwrap_or_else(|answer| answer.end_process(HELP))
    }

    /// The drawing to begin with.
    pub fn drawing(&self) -> Drawing {
        let loaded = self.load.as_ref().map(|path| files::load(path));
        loaded.map_or_else(
            || self.begun.preset.draw(self.begun.seed),
            |loaded| {
                let wrong = |message| ArgsError::Wrong(format!("--load {message}"));
                loaded.unwrap_or_else(|message| wrong(message).end_process(HELP))
            },
        )
    }

    /// The torch: where it was asked for, or on the floor nearest to the middle.
    pub fn torch(&self, drawing: &Drawing) -> Torch {
        let middle = (drawing.size().as_vec2() / 2.0).floor();
        let floor = drawing.nearest(Material::Floor, middle.as_ivec2());
        let at = floor.map_or(middle, IVec2::as_vec2);
        let mut torch = Torch::new(self.torch.unwrap_or(at));
        torch.burning = !self.no_torch;
        torch
    }

    fn take_from(args: &mut Vec<String>) -> Result<Self, ArgsError> {
        let headless = HeadlessArgs::take_from(args)?;
        let mut rules = Rules::default();
        rules.set_radius(14.0);
        let mut found = Self {
            headless,
            begun: Begun {
                preset: Preset::default(),
                seed: 1,
            },
            rules,
            walls: Walls::default(),
            bare: false,
            out_after: None,
            load: None,
            torch: None,
            no_torch: false,
        };
        let mut rest = Vec::new();
        let mut given = std::mem::take(args).into_iter();
        while let Some(name) = given.next() {
            if !found.take_switch(&name) && !found.take_value(&name, &mut given)? {
                rest.push(name);
            }
        }
        none_left(&rest)?;
        Ok(found)
    }

    /// Takes an argument that stands alone.
    fn take_switch(&mut self, name: &str) -> bool {
        match name {
            "--settled" => self.rules.flow = LightFlow::SETTLED,
            "--heat" => self.rules.display.heat = true,
            "--values" => self.rules.debug.values = true,
            "--tiles" => self.rules.debug.tiles = true,
            "--bare" => self.bare = true,
            _ => return false,
        }
        true
    }

    /// Takes an argument with a value after it.
    fn take_value(
        &mut self,
        name: &str,
        given: &mut impl Iterator<Item = String>,
    ) -> Result<bool, ArgsError> {
        let mut value = || value_of(name, given.next());
        let share = |value: &str| number(name, value, 0.0, 1.0);
        match name {
            "--preset" => {
                let value = value()?;
                self.begun.preset = Preset::from_name(&value)
                    .ok_or_else(|| wrong(name, &value, "solid, maze, cave or cathedral"))?;
            }
            "--seed" => {
                let value = value()?;
                let parsed = value.parse();
                self.begun.seed = parsed.map_err(|_| wrong(name, &value, "a whole number"))?;
            }
            "--load" => self.load = Some(value()?.into()),
            "--torch" => self.take_torch(&value()?)?,
            "--radius" => self.rules.set_radius(number(name, &value()?, 2.0, 80.0)?),
            "--neighbours" => self.rules.settings.neighborhood = neighborhood(&value()?)?,
            "--direct" => self.rules.settings.direct = share(&value()?)?,
            "--walls" => self.walls.albedo = share(&value()?)?,
            "--out-after" => self.out_after = Some(number(name, &value()?, 0.0, 3600.0)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn take_torch(&mut self, value: &str) -> Result<(), ArgsError> {
        if value == "out" {
            self.no_torch = true;
            return Ok(());
        }
        let parse = || {
            let (x, y) = value.split_once(',')?;
            let at = Vec2::new(x.parse().ok()?, y.parse().ok()?);
            at.is_finite().then_some(at)
        };
        let at = parse().ok_or_else(|| wrong("--torch", value, "like 30,27, or `out`"))?;
        self.torch = Some(at);
        Ok(())
    }
}

fn neighborhood(name: &str) -> Result<Neighborhood, ArgsError> {
    match name {
        "four" => Ok(Neighborhood::Four),
        "eight" => Ok(Neighborhood::Eight),
        "isotropic" => Ok(Neighborhood::Isotropic),
        _ => Err(wrong("--neighbours", name, "four, eight or isotropic")),
    }
}

fn number(name: &str, value: &str, least: f32, most: f32) -> Result<f32, ArgsError> {
    let parsed = value.parse().ok();
    parsed
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| wrong(name, value, &format!("from {least} to {most}")))
}

fn wrong(name: &str, value: &str, allowed: &str) -> ArgsError {
    ArgsError::Wrong(format!("{name} is `{value}`, but must be {allowed}"))
}
