//! The chosen terrain: a generator, a preset or a file, with its settings.
//!
//! ```text
//! Choice ──> Ground ──> Terrain ──> TerrainReady    the new terrain is shown
//!              ↑   edits       └──> TerrainFailed   the error is shown
//!              └──────────────────────────┘
//! ```

#[cfg(test)]
pub mod tests;

use std::path::{Path, PathBuf};

use bevy::{
    asset::{AssetPath, UnapprovedPathMode},
    prelude::*,
};
use lanternfell::{
    heightmap::{LandCover, Preset, Scale},
    prelude::*,
    terrain::TerrainError,
};
use serde::{Deserialize, Serialize};

use crate::{
    design::{self, Design},
    folder,
    resize::{longer_side, resize},
};

/// What can be chosen in the panel and on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// An island made by one of the generators.
    Generator(&'static str),
    /// A built-in recipe.
    Preset(&'static str),
    /// A recipe or a heightmap file.
    File(PathBuf),
}

impl Choice {
    pub fn name(&self) -> String {
        match self {
            Self::Generator(name) | Self::Preset(name) => (*name).to_owned(),
            Self::File(path) => folder::name(path),
        }
    }
}

/// The choice and its settings. A change updates the terrain.
#[derive(Resource, Debug, Clone, PartialEq)]
pub struct Ground {
    pub choice: Choice,
    pub land: Land,
    /// Whether the sea is shown.
    pub sea: bool,
    /// Whether rivers and lakes are computed.
    pub rivers: bool,
}

/// The settings of the terrain itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Land {
    Island(Design),
    Recipe(Recipe),
    /// A heightmap file, or a recipe file that uses images.
    #[serde(skip)]
    File(FileLand),
}

/// The settings of a terrain from a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileLand {
    /// Whether the file has been loaded.
    is_read: bool,
    /// Replaces the file's own scale.
    pub scale: Option<Scale>,
    /// The sea level from 0 to 1. Replaces the file's own.
    pub sea_level: Option<f32>,
}

impl Ground {
    /// The choice with its default settings.
    pub fn of(choice: Choice) -> Self {
        let land = match &choice {
            Choice::Generator(name) => Land::Island(Design::of(name)),
            Choice::Preset(name) => Land::Recipe(Recipe::preset(name).unwrap_or_default()),
            Choice::File(_) => Land::File(FileLand::default()),
        };
        let sea = match &land {
            Land::Recipe(recipe) => has_sea(recipe),
            Land::Island(_) | Land::File(_) => true,
        };
        let mut ground = Self {
            choice,
            land,
            sea,
            rivers: false,
        };
        // Deserts have dry beds, and a map should be shown as it is.
        ground.rivers = match &ground.choice {
            Choice::Generator(_) | Choice::Preset(_) => ground.cover() != LandCover::Desert,
            Choice::File(_) => false,
        };
        ground
    }

    /// Changes the choice. Generated islands keep seed, number of cells and rivers.
    pub fn choose(&mut self, choice: Choice, assets: &AssetServer) {
        if let (Choice::File(path), Land::File(_)) = (&choice, &self.land)
            && choice == self.choice
        {
            // The file may have changed.
            assets.reload(AssetPath::from_path_buf(path.clone()));
        }
        let mut chosen = Self::of(choice);
        if let (Land::Island(new), Land::Island(old)) = (&mut chosen.land, &self.land) {
            new.seed = old.seed;
            new.resize(old.cells);
            chosen.rivers = self.rivers;
        }
        *self = chosen;
    }

    /// The seed, or `None` for a file.
    pub fn seed_mut(&mut self) -> Option<&mut u64> {
        match &mut self.land {
            Land::Island(design) => Some(&mut design.seed),
            Land::Recipe(recipe) => Some(&mut recipe.seed),
            Land::File(_) => None,
        }
    }

    /// Number of cells along the longer side, or `None` for a file.
    pub fn cells(&self) -> Option<u64> {
        match &self.land {
            Land::Island(design) => Some(design.cells),
            Land::Recipe(recipe) => Some(longer_side(recipe.size)),
            Land::File(_) => None,
        }
    }

    /// Changes the number of cells along the longer side, and keeps the shape.
    pub fn resize(&mut self, cells: u64) {
        match &mut self.land {
            Land::Island(design) => design.resize(cells),
            Land::Recipe(recipe) => resize(recipe, cells),
            Land::File(_) => {}
        }
    }

    /// The recipe, or `None` for a file or an invalid size.
    pub fn recipe(&self) -> Option<Recipe> {
        match &self.land {
            Land::Island(design) => design.recipe(),
            Land::Recipe(recipe) => Some(recipe.clone()),
            Land::File(_) => None,
        }
    }

    /// The climate that determines layers and plants.
    pub fn cover(&self) -> LandCover {
        let preset = self.preset().and_then(Preset::find);
        preset.map_or(LandCover::default(), |preset| preset.cover)
    }

    /// The name of the preset, if it is a preset.
    pub fn preset(&self) -> Option<&'static str> {
        match self.choice {
            Choice::Preset(name) => Some(name),
            Choice::Generator(_) | Choice::File(_) => None,
        }
    }

    fn terrain(&self, assets: &AssetServer) -> Option<Terrain> {
        let inland_water = self.rivers.then(|| self.inland_water());
        if let (Choice::File(path), Land::File(file)) = (&self.choice, &self.land) {
            let path = AssetPath::from_path_buf(path.clone());
            return Some(Terrain {
                source: assets.load::<TerrainFile>(path).into(),
                scale: file.scale,
                inland_water,
            });
        }
        let recipe = self.recipe()?;
        // The sea level is a setting of `Water`. Only rivers, which end in the sea, need it in the recipe, because a
        // changed recipe regenerates the terrain.
        let sea_level = match (self.rivers, self.sea) {
            (false, _) => None,
            (true, true) => Some(recipe.water_level()),
            (true, false) => Some(0.0),
        };
        let source = Recipe {
            sea_level,
            ..recipe
        };
        Some(Terrain {
            inland_water,
            ..Terrain::new(source)
        })
    }

    fn inland_water(&self) -> InlandWater {
        match &self.land {
            Land::Island(_) => design::streams(),
            Land::Recipe(_) | Land::File(_) => InlandWater::default(),
        }
    }

    /// The water settings, with the appearance of `colors`.
    pub fn water(&self, colors: Water) -> Water {
        let level = match &self.land {
            Land::Island(design) => Some(design.sea_level),
            Land::Recipe(recipe) => Some(recipe.water_level()),
            Land::File(file) => file.sea_level,
        };
        Water { level, ..colors }
    }

    /// Inserts or removes the sea. It keeps its appearance.
    fn fill_sea(&self, terrain: &mut EntityCommands, before: Option<&Water>) {
        let wanted = self.water(before.copied().unwrap_or_default());
        if !self.sea {
            terrain.remove::<Water>();
        } else if before != Some(&wanted) {
            terrain.insert(wanted);
        }
    }

    /// Whether both are the same choice with the same seed and size, so that only its settings differ.
    pub fn is_same_place(&self, other: &Self) -> bool {
        let seed = |ground: &Self| ground.clone().seed_mut().copied();
        self.is_tuned(other) && seed(self) == seed(other) && self.cells() == other.cells()
    }

    /// Whether both are the same choice and kind, so that only settings differ.
    fn is_tuned(&self, other: &Self) -> bool {
        let kind = std::mem::discriminant::<Land>;
        self.choice == other.choice && kind(&self.land) == kind(&other.land)
    }
}

/// Whether a recipe has a sea. A sea level of 0 means that it has none.
fn has_sea(recipe: &Recipe) -> bool {
    recipe.sea_level != Some(0.0)
}

/// Updates the `Terrain` component from the [`Ground`] resource.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GroundSystems;

/// The last requested terrain, and the one that is shown.
#[derive(Resource, Default)]
pub struct Built {
    asked: Option<Ground>,
    standing: Option<Ground>,
}

impl Built {
    /// The last requested terrain. When `TerrainReady` is triggered, it is this one.
    pub fn asked(&self) -> Option<&Ground> {
        self.asked.as_ref()
    }

    /// The terrain that is shown.
    pub fn standing(&self) -> Option<&Ground> {
        self.standing.as_ref()
    }
}

/// The error that the panel shows, until something else is requested.
#[derive(Resource, Default)]
pub struct Trouble(pub Option<String>);

/// Allows files outside of the assets folder, because the user can choose any file. The recipe loader itself only loads
/// images next to the recipe.
pub fn asset_plugin() -> AssetPlugin {
    AssetPlugin {
        unapproved_path_mode: UnapprovedPathMode::Allow,
        ..default()
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Built>()
        .init_resource::<Trouble>()
        .add_systems(
            Update,
            (learn, build.run_if(resource_changed::<Ground>))
                .chain()
                .in_set(GroundSystems),
        )
        .add_observer(stand)
        .add_observer(fall_back);
}

/// Applies what is known once a file is loaded. A recipe without images becomes [`Land::Recipe`], which can be tuned.
/// With images it stays a file, because the images are found relative to it. A map in meters without elevations below 0
/// has no sea.
fn learn(mut ground: ResMut<Ground>, terrains: Query<&Terrain>, files: Res<Assets<TerrainFile>>) {
    let (Land::File(FileLand { is_read: false, .. }), Ok(terrain)) =
        (&ground.land, terrains.single())
    else {
        return;
    };
    let read = match (&terrain.source, &ground.choice) {
        (TerrainSource::File(file), Choice::File(path)) if is_at(file, path) => files.get(file),
        _ => None,
    };
    let Some(read) = read else {
        return;
    };
    ground.sea = match read {
        TerrainFile::Recipe { recipe, .. } => has_sea(recipe),
        TerrainFile::Map(map) => !is_dry(map),
    };
    match (read, &mut ground.land) {
        (TerrainFile::Recipe { recipe, images }, land) if images.is_empty() => {
            *land = Land::Recipe(recipe.clone());
        }
        (_, Land::File(file)) => file.is_read = true,
        _ => {}
    }
}

fn is_at(file: &Handle<TerrainFile>, path: &Path) -> bool {
    file.path().is_some_and(|known| known.path() == path)
}

fn is_dry(map: &TerrainMap) -> bool {
    let frame = map.frame();
    frame.elevation_is_explicit && frame.elevation.offset >= 0.0
}

/// Updates the terrain when [`Ground`] changes.
fn build(
    ground: Res<Ground>,
    assets: Res<AssetServer>,
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut Terrain, Option<&Water>)>,
    mut built: ResMut<Built>,
) {
    let Some(wanted) = ground.terrain(&assets) else {
        return;
    };
    built.asked = Some(ground.clone());
    let Ok((entity, mut terrain, water)) = terrains.single_mut() else {
        let entity = commands.spawn(wanted).id();
        ground.fill_sea(&mut commands.entity(entity), None);
        return;
    };
    let standing = built.standing.as_mut();
    // Other terrain keeps its own sea until it is replaced.
    if let Some(standing) = standing.filter(|standing| ground.is_tuned(standing)) {
        ground.fill_sea(&mut commands.entity(entity), water);
        if standing.terrain(&assets).as_ref() == Some(&wanted) {
            // Nothing is regenerated, so no `TerrainReady` will follow.
            *standing = ground.clone();
        }
    }
    terrain.set_if_neq(wanted);
}

fn stand(
    ready: On<TerrainReady>,
    mut commands: Commands,
    mut built: ResMut<Built>,
    waters: Query<&Water>,
) {
    let Some(ground) = built.asked.clone() else {
        return;
    };
    let water = waters.get(ready.entity).ok();
    ground.fill_sea(&mut commands.entity(ready.entity), water);
    built.standing = Some(ground);
}

/// Shows the error of a failed terrain.
///
/// A failed choice is replaced by the one that is shown. Failed settings of the same choice stay, so that the user can
/// correct them.
fn fall_back(
    failed: On<TerrainFailed>,
    mut ground: ResMut<Ground>,
    mut trouble: ResMut<Trouble>,
    built: Res<Built>,
) {
    trouble.0 = Some(in_short(&failed.error, built.asked()));
    let (Some(asked), Some(standing)) = (&built.asked, &built.standing) else {
        return;
    };
    if *asked == *ground && !asked.is_tuned(standing) {
        *ground = standing.clone();
    }
}

/// The error with file names instead of paths.
fn in_short(error: &TerrainError, asked: Option<&Ground>) -> String {
    let file = asked.map(|ground| &ground.choice);
    let file = file.filter(|choice| matches!(choice, Choice::File(_)));
    let file = file.map(Choice::name).unwrap_or_default();
    let (about, words) = match error {
        TerrainError::File { path, error } => (folder::name(path.as_ref()), error.to_string()),
        other => (String::new(), other.to_string()),
    };
    // For a file that another file uses, such as an image, name both.
    let mut names = vec![file, about];
    names.dedup();
    names.retain(|name| !name.is_empty());
    names.push(words);
    names.join(": ")
}
