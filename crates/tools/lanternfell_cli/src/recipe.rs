//! `lanternfell recipe`: checks and shows recipes without making their maps.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::{Args, Command, Subcommand};
use lanternfell_files::usage::print_error;
use lanternfell_heightmap::{Operation, Preset, Recipe, RecipeError, Step};
use serde_json::{Value, json};

use crate::{
    failure::Failure,
    help::{self, Help},
    job::{say, say_json},
    land, source,
};

/// `lanternfell recipe`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = false)]
pub(crate) struct RecipeCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Check recipes and their images without making their maps
    Check {
        /// Recipe files with the extension .ron
        #[arg(value_name = "FILE.ron", required = true)]
        files: Vec<PathBuf>,
    },
    /// Show the steps of a recipe, in the order in which they run
    Show {
        /// A recipe FILE.ron, a preset, or a generator
        #[arg(value_name = "RECIPE")]
        source: OsString,
        /// Print JSON
        #[arg(long, conflicts_with = "ron")]
        json: bool,
        /// Print a recipe file, to keep and edit
        #[arg(long)]
        ron: bool,
    },
    /// List the presets
    Presets {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the help of one of these commands
    Help {
        /// The command
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
    },
}

pub(crate) fn run(command: &RecipeCommand, program: &mut Command) -> Result<(), Failure> {
    match &command.action {
        Action::Help { command } => help::run(&Help::below("recipe", command.as_deref()), program),
        Action::Check { files } => check(files),
        Action::Show { source, json, ron } => {
            let recipe = source::named_recipe(source)?;
            if *json {
                say_json(&as_json(&recipe)?)
            } else if *ron {
                say(recipe.to_ron().trim_end())
            } else {
                show(&recipe)
            }
        }
        Action::Presets { json } => list_presets(*json),
    }
}

/// Checks all files. Errors are printed, except the last one, which is returned.
fn check(files: &[PathBuf]) -> Result<(), Failure> {
    let mut wrong = None;
    for file in files {
        match check_one(file) {
            Ok(recipe) => say(&format!("{}: {}", file.display(), summary(&recipe)?))?,
            Err(failure) => {
                if let Some(earlier) = wrong.replace(failure) {
                    print_error(&earlier.to_string());
                }
            }
        }
    }
    wrong.map_or(Ok(()), Err)
}

/// Checks a recipe, and that its images can be read.
fn check_one(file: &Path) -> Result<Recipe, Failure> {
    let recipe = source::read_recipe(file)?;
    for step in &recipe.steps {
        let Operation::Image { name } = &step.operation else {
            continue;
        };
        land::image(file.parent(), name).map_err(|why| Failure::RecipeFile {
            path: file.to_owned(),
            error: RecipeError::Image {
                step: step.name.clone(),
                image: name.clone(),
                why,
            },
        })?;
    }
    Ok(recipe)
}

fn summary(recipe: &Recipe) -> Result<String, Failure> {
    let (width, height) = (recipe.size.width(), recipe.size.height());
    let steps = recipe.steps.len();
    let plural = if steps == 1 { "" } else { "s" };
    Ok(format!(
        "{steps} step{plural}, {width}x{height}, {} in memory",
        memory(recipe)?
    ))
}

/// Describes the memory of the maps that exist at the same time.
fn memory(recipe: &Recipe) -> Result<String, Failure> {
    let mebibytes = bytes(recipe)? as f64 / f64::from(1 << 20);
    Ok(format!("{mebibytes:.1} MiB of maps"))
}

fn bytes(recipe: &Recipe) -> Result<u64, Failure> {
    Ok(recipe.peak_map_count()? as u64 * 4 * recipe.size.cells() as u64)
}

fn show(recipe: &Recipe) -> Result<(), Failure> {
    let scale = recipe.scale();
    say(&format!("{}, seed {}", summary(recipe)?, recipe.seed))?;
    say(&format!(
        "cell size {} m, relief {} m, sea level {}",
        scale.spacing,
        scale.relief,
        recipe.water_level()
    ))?;
    let name = |step: &Step| step.name.chars().count();
    let width = recipe.steps.iter().map(name).max().unwrap_or(0);
    for step in &recipe.steps {
        let mark = if step.name == recipe.result_name() {
            '*'
        } else {
            ' '
        };
        say(&format!(
            "{mark} {:width$}  {}",
            step.name,
            about(&step.operation)
        ))?;
    }
    Ok(())
}

/// Describes what a step does, and its inputs, in one line.
fn about(operation: &Operation) -> String {
    let from = match operation.inputs().join(", ") {
        none if none.is_empty() => String::new(),
        inputs => format!(" of {inputs}"),
    };
    let what = match operation {
        Operation::Generate { by, .. } => format!(" by {}", by.name()),
        Operation::Image { name } => format!(" {name}"),
        Operation::Flat { height } => format!(" {height}"),
        Operation::Blend { how, weight, .. } => format!(", {how:?} {weight}"),
        Operation::Filter { by, .. } if by.len() == 1 => ", 1 filter".to_owned(),
        Operation::Filter { by, .. } => format!(", {} filters", by.len()),
        Operation::Select { .. } => String::new(),
    };
    format!("{}{from}{what}", operation.name())
}

fn as_json(recipe: &Recipe) -> Result<Value, Failure> {
    let scale = recipe.scale();
    let steps: Vec<Value> = recipe.steps.iter().map(step_as_json).collect();
    Ok(json!({
        "version": recipe.version,
        "width": recipe.size.width(),
        "height": recipe.size.height(),
        "seed": recipe.seed,
        "spacing": scale.spacing,
        "relief": scale.relief,
        "sea_level": recipe.water_level(),
        "result": recipe.result_name(),
        "images": recipe.images(),
        "bytes_of_maps": bytes(recipe)?,
        "steps": steps,
    }))
}

fn step_as_json(step: &Step) -> Value {
    json!({
        "name": step.name,
        "operation": step.operation.name(),
        "inputs": step.operation.inputs(),
        "about": about(&step.operation),
    })
}

fn list_presets(json: bool) -> Result<(), Failure> {
    if json {
        let list: Vec<Value> = Preset::ALL.iter().map(preset_as_json).collect();
        return say_json(&Value::from(list));
    }
    let name = |preset: &Preset| preset.name.len();
    let width = Preset::ALL.iter().map(name).max().unwrap_or(0);
    for preset in Preset::ALL {
        say(&format!("{:width$}  {}", preset.name, preset.about()))?;
    }
    Ok(())
}

fn preset_as_json(preset: &Preset) -> Value {
    json!({ "name": preset.name, "about": preset.about() })
}
