//! What the land is made of: a generator, a preset or a file, chosen and tuned.
//!
//! ```text
//! Choice ──> Ground ──> Terrain ──> TerrainReady    it stands
//!              ↑   tuned       └──> TerrainFailed   told, and what stands comes back
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
    heightmap::{Cover, Preset},
    prelude::*,
    terrain::TerrainError,
};
use serde::{Deserialize, Serialize};

use crate::{
    design::{self, Design},
    folder,
    resize::{longer_side, resize},
};

/// What can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// An island by one of the generators.
    Generator(&'static str),
    /// A recipe of the library.
    Preset(&'static str),
    /// A recipe or a map.
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

/// What was chosen, as it is tuned. A change makes the land anew.
#[derive(Resource, Debug, Clone, PartialEq)]
pub struct Ground {
    pub choice: Choice,
    pub land: Land,
    /// Whether there is a sea.
    pub sea: bool,
    /// Whether there are rivers and lakes.
    pub rivers: bool,
}

/// What the land is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Land {
    Island(Design),
    Recipe(Recipe),
    /// As the file has it.
    #[serde(skip)]
    File(FileLand),
}

/// How the land of a file is shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileLand {
    /// Whether the file has been read.
    is_read: bool,
    /// In the place of the file's own.
    pub scale: Option<Scale>,
    /// The sea's surface, from 0 to 1, in the place of the file's own.
    pub sea_level: Option<f32>,
}

impl Ground {
    /// What was chosen, as it comes.
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
        // Deserts have dry beds. Of a map one expects to see what is in it.
        ground.rivers = match &ground.choice {
            Choice::Generator(_) | Choice::Preset(_) => ground.cover() != Cover::Desert,
            Choice::File(_) => false,
        };
        ground
    }

    /// Something else. Islands keep their seed, their cells and whether they have rivers.
    pub fn choose(&mut self, choice: Choice, assets: &AssetServer) {
        if let (Choice::File(path), Land::File(_)) = (&choice, &self.land)
            && choice == self.choice
        {
            // It may be another one by now.
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

    /// The seed, where there is one.
    pub fn seed_mut(&mut self) -> Option<&mut u64> {
        match &mut self.land {
            Land::Island(design) => Some(&mut design.seed),
            Land::Recipe(recipe) => Some(&mut recipe.seed),
            Land::File(_) => None,
        }
    }

    /// Cells along the longer side, where they can be chosen.
    pub fn cells(&self) -> Option<u64> {
        match &self.land {
            Land::Island(design) => Some(design.cells),
            Land::Recipe(recipe) => Some(longer_side(recipe.size)),
            Land::File(_) => None,
        }
    }

    /// The same land in so many cells along its longer side.
    pub fn resize(&mut self, cells: u64) {
        match &mut self.land {
            Land::Island(design) => design.resize(cells),
            Land::Recipe(recipe) => resize(recipe, cells),
            Land::File(_) => {}
        }
    }

    /// The recipe, where there is one in hand.
    pub fn recipe(&self) -> Option<Recipe> {
        match &self.land {
            Land::Island(design) => design.recipe(),
            Land::Recipe(recipe) => Some(recipe.clone()),
            Land::File(_) => None,
        }
    }

    /// What covers the land.
    pub fn cover(&self) -> Cover {
        let preset = self.preset().and_then(Preset::find);
        preset.map_or(Cover::default(), |preset| preset.cover)
    }

    /// The name of the preset, if it is one.
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
        // The sea is the water's: to move it must not make the land anew, unless rivers end in it.
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

    /// That sea, in these colors.
    pub fn water(&self, colors: Water) -> Water {
        let level = match &self.land {
            Land::Island(design) => Some(design.sea_level),
            Land::Recipe(recipe) => Some(recipe.water_level()),
            Land::File(file) => file.sea_level,
        };
        let shown = self.sea;
        Water {
            shown,
            level,
            ..colors
        }
    }

    /// Whether it is the other one, but for what was tuned.
    fn is_tuned(&self, other: &Self) -> bool {
        let kind = std::mem::discriminant::<Land>;
        self.choice == other.choice && kind(&self.land) == kind(&other.land)
    }
}

/// A recipe that puts its sea at the very bottom has none.
fn has_sea(recipe: &Recipe) -> bool {
    recipe.sea_level != Some(0.0)
}

/// From the ground that is wanted to the terrain that is asked for.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GroundSystems;

/// What was asked for last, and what stands.
#[derive(Resource, Default)]
pub struct Built {
    asked: Option<Ground>,
    standing: Option<Ground>,
}

impl Built {
    /// What was asked for last. When ground is ready, it is this one.
    pub fn asked(&self) -> Option<&Ground> {
        self.asked.as_ref()
    }

    /// What stands.
    pub fn standing(&self) -> Option<&Ground> {
        self.standing.as_ref()
    }
}

/// What is wrong, for the panel to show, until something else is asked for.
#[derive(Resource, Default)]
pub struct Trouble(pub Option<String>);

/// The user may choose files from anywhere. What a recipe names is looked at by its loader: no recipe
/// reaches for other files than those beside it.
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
                .in_set(GroundSystems)
                .before(TerrainSystems::Generate),
        )
        .add_observer(stand)
        .add_observer(fall_back);
}

/// What is seen once a file is read: a recipe can be tuned as any other, unless it has images, which
/// are found beside the file alone; and a map in metres without ground below 0 has no sea.
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
    frame.elevation_is_said && frame.elevation.offset >= 0.0
}

/// Keeps the one terrain in step with the ground.
fn build(
    ground: Res<Ground>,
    assets: Res<AssetServer>,
    mut commands: Commands,
    mut terrains: Query<(&mut Terrain, &mut Water)>,
    mut built: ResMut<Built>,
) {
    let Some(wanted) = ground.terrain(&assets) else {
        return;
    };
    built.asked = Some(ground.clone());
    let Ok((mut terrain, mut water)) = terrains.single_mut() else {
        commands.spawn((wanted, ground.water(Water::default())));
        return;
    };
    let standing = built.standing.as_mut();
    // Other land keeps its own sea as long as it is seen.
    if let Some(standing) = standing.filter(|standing| ground.is_tuned(standing)) {
        water.set_if_neq(ground.water(*water));
        if standing.terrain(&assets).as_ref() == Some(&wanted) {
            // Of what stands already nobody will say that it is ready.
            *standing = ground.clone();
        }
    }
    terrain.set_if_neq(wanted);
}

fn stand(ready: On<TerrainReady>, mut built: ResMut<Built>, mut waters: Query<&mut Water>) {
    let Some(ground) = built.asked.clone() else {
        return;
    };
    if let Ok(mut water) = waters.get_mut(ready.entity) {
        water.set_if_neq(ground.water(*water));
    }
    built.standing = Some(ground);
}

/// Says what is wrong. What was chosen and can not be made is not chosen any more, or else the panel
/// would show what is not there; what was tuned too far stays as it is, to be tuned back.
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

/// The error, with the names of files and not all of their paths.
fn in_short(error: &TerrainError, asked: Option<&Ground>) -> String {
    let file = asked.map(|ground| &ground.choice);
    let file = file.filter(|choice| matches!(choice, Choice::File(_)));
    let file = file.map(Choice::name).unwrap_or_default();
    let (about, words) = match error {
        TerrainError::File { path, error } => (folder::name(path.as_ref()), error.to_string()),
        other => (String::new(), other.to_string()),
    };
    // What is beside a file, as its images, is told with it.
    let mut names = vec![file, about];
    names.dedup();
    names.retain(|name| !name.is_empty());
    names.push(words);
    names.join(": ")
}
