//! Everything that must be known before plants are scattered: terrain, rules and species.
//!
//! Each change increments the revision. Consumers rebuild what they made from an older revision.

mod follow;

use std::sync::Arc;

use bevy::{asset::LoadState, math::DVec2, prelude::*};
use lanternfell_plants::scatter::{Exclusions, Instance, Scatter, ScatterRule, Site, SoftRange};
use lanternfell_terrain::{TerrainFile, TerrainMap};

pub(crate) use follow::{Measuring, Refused, begin, follow_files, follow_ground, plugin};

use crate::{
    edits::EditedAreas,
    level::{Borders, Limits, is_seen_from_afar},
    library::Library,
    measures::share_at,
    model::Models,
    plan::{CELL, Land, PlotKind},
    planting::{Planting, PlantingError},
    site::Ground,
    species::Species,
    vegetation::{DensityMap, PlantLook, Vegetation},
};

/// The positions of the plants on a terrain, for queries from background tasks.
///
/// The plugin inserts it on terrains with a [`Vegetation`] once their surface is ready. It is cheap to clone. It is
/// marked as changed when positions may have changed.
#[derive(Component, Clone)]
pub struct VegetationLayout {
    pub(crate) ground: Ground,
    planting: Arc<Planting>,
    /// `None` without a renderer.
    library: Option<Arc<Library>>,
    /// The models that the planting was made with: those of the library, if there is one.
    models: Models,
    exclusions: Arc<Exclusions>,
    pub(crate) limits: Limits,
    /// The loaded density map of each plant, except for recipe steps.
    maps: Arc<[Option<TerrainMap>]>,
    /// How far around the eyes each kind of plot is needed, in meters. 0 without a renderer.
    reaches: [f64; PlotKind::ALL.len()],
    /// Number of changes so far.
    pub(crate) revision: u64,
    /// Where plants of older revisions are out of date.
    edits: EditedAreas,
}

/// A rule whose plants are drawn.
#[derive(Clone, Copy)]
pub(crate) struct GrownPlant<'a> {
    pub(crate) species: &'a Species,
    pub(crate) look: &'a PlantLook,
    /// The name of the rule.
    pub(crate) rule: &'a str,
}

impl VegetationLayout {
    fn new(
        vegetation: &Vegetation,
        ground: Ground,
        library: Option<&Arc<Library>>,
        models: &Models,
        files: Option<&Assets<TerrainFile>>,
    ) -> Result<Self, PlantingError> {
        let planting = Planting::new(vegetation, models, &|name| ground.cover().index(name))?;
        let exclusions = Exclusions::new(&vegetation.exclusions)?;
        let limits = Limits::new(vegetation.detail, vegetation.distance);
        let reaches = library.map(|library| reaches(&planting, library, limits));
        let maps = planting.densities.iter();
        let maps = maps
            .map(|density| map_of(density.as_ref()?, files))
            .collect();
        Ok(Self {
            planting: Arc::new(planting),
            exclusions: Arc::new(exclusions),
            maps,
            ground,
            limits,
            reaches: reaches.unwrap_or_default(),
            library: library.cloned(),
            models: models.clone(),
            revision: 0,
            edits: EditedAreas::default(),
        })
    }

    /// Whether the layout does not change on this ground, which has the same sea, and with this library.
    fn is_for(&self, ground: &Ground, library: Option<&Arc<Library>>) -> bool {
        let is_same_library = match (&self.library, library) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        is_same_library && ground.cover().is_by_rules_of(self.ground.cover())
    }

    /// Returns the layout on other ground with the same layers.
    fn on(&self, ground: Ground) -> Self {
        Self {
            ground,
            ..self.clone()
        }
    }

    /// The layout as the revision that follows `before`.
    fn after(self, before: &Self) -> Self {
        let revision = before.revision + 1;
        let is_same_planting = Arc::ptr_eq(&self.planting, &before.planting)
            && Arc::ptr_eq(&self.exclusions, &before.exclusions)
            && self.reaches == before.reaches;
        let areas = self.ground.edited_since(&before.ground);
        let edits = match areas.filter(|_| is_same_planting) {
            Some(areas) => {
                let mut edits = before.edits.clone();
                edits.add(revision, areas);
                edits
            }
            None => EditedAreas::none_since(revision),
        };
        Self {
            revision,
            edits,
            ..self
        }
    }

    /// Whether plants of a revision in a square on the plane are up to date. `reach` is how far outside the square the
    /// ground matters, all in meters.
    pub(crate) fn is_current(&self, revision: u64, corner: DVec2, side: f64, reach: f64) -> bool {
        let revision_is_current = revision == self.revision;
        revision_is_current
            || self
                .edits
                .is_current(revision, corner - reach, side + 2.0 * reach)
    }

    /// The value of a plant's density map at a relative position on the terrain.
    fn density(&self, plant: usize, share: Vec2) -> f32 {
        let map = match &self.planting.densities[plant] {
            None => return 1.0,
            Some(DensityMap::Step(name)) => self.ground.measures().step(name),
            Some(_) if self.ground.is_region() => None,
            Some(_) => self.maps[plant].as_ref().map(TerrainMap::heights),
        };
        map.map_or(0.0, |map| share_at(map, share))
    }

    /// Returns the site query for a scatter.
    fn ask<'a>(
        &'a self,
        scatter: &'a Scatter,
    ) -> impl Fn(&ScatterRule, [f64; 2]) -> Option<Site> + 'a {
        let asked = self.ground.asked();
        move |rule, place| {
            let (site, share) = asked(place)?;
            // The rules of a scatter are a prefix of all rules, so the index also identifies the plant.
            let mut rules = scatter.rules().iter();
            let plant = rules.position(|other| std::ptr::eq(other, rule))?;
            if self.planting.unedited_only[plant] && self.ground.is_edited(place) {
                return None;
            }
            let density = site.density * self.density(plant, share);
            Some(Site { density, ..site })
        }
    }

    /// Whether a density map is still loading.
    pub(crate) fn waits_for_files(&self, server: Option<&AssetServer>) -> bool {
        let mut maps = self.planting.densities.iter().zip(&*self.maps);
        maps.any(|(density, map)| match (density, server) {
            (Some(DensityMap::File(file)), Some(server)) if map.is_none() => {
                matches!(server.get_load_state(file), Some(LoadState::Loading))
            }
            _ => false,
        })
    }

    /// Whether plants wait for a library with newer models.
    pub(crate) fn waits_for_models(&self, models: &Models) -> bool {
        self.models != *models && self.planting.lacks_any_of(models)
    }

    /// Whether the plants of a large cell are up to date.
    pub(crate) fn is_cell_current(&self, cell: [i64; 2], revision: u64) -> bool {
        let corner = DVec2::from(cell.map(|index| index as f64)) * CELL;
        self.is_current(revision, corner, CELL, self.planting.reach())
    }

    /// How far outside a plot the ground matters, in meters.
    pub(crate) fn scatter_reach(&self, plot: PlotKind) -> f64 {
        self.planting.scatter(plot).reach()
    }

    /// The meshes of all species. `None` without a renderer.
    pub(crate) fn library(&self) -> Option<&Arc<Library>> {
        self.library.as_ref()
    }

    /// Names of plants that cannot grow because a layer or density map is missing, with the reason.
    fn missing(&self, is_region: bool) -> Vec<(&str, String)> {
        let strangers = self.planting.strangers.iter();
        let of_layers = |name| (name, "the terrain has none of its layers".to_owned());
        let mut missing: Vec<_> = strangers.map(String::as_str).map(of_layers).collect();
        for (rule, density) in self.planting.rules().iter().zip(&self.planting.densities) {
            let why = match density {
                Some(DensityMap::Step(name)) if self.ground.measures().step(name).is_none() => {
                    format!("the terrain has no recipe step {name:?} for its density map")
                }
                Some(DensityMap::File(_) | DensityMap::Map(_)) if is_region => {
                    "an endless terrain supports no density file or map, only `DensityMap::Step`"
                        .to_owned()
                }
                _ => continue,
            };
            missing.push((rule.name.as_str(), why));
        }
        missing
    }

    /// Names of plants that cannot grow because the terrain has none of their layers, biomes or heights.
    fn unlikely(&self) -> Vec<&str> {
        let (cover, sea) = (self.ground.cover(), self.ground.sea());
        let [lowest, highest] = self.ground.height_bounds();
        let lies = |rule: &ScatterRule| {
            rule.layers.is_empty()
                || rule
                    .layers
                    .iter()
                    .any(|(layer, share)| *share > 0.0 && cover.occurs(*layer))
        };
        let is_as_high = |rule: &ScatterRule| {
            let SoftRange { low, high, soft } = rule.height;
            low - soft <= highest - sea && high + soft >= lowest - sea
        };
        let grows = |rule: &ScatterRule| {
            rule.biomes.is_empty() || self.ground.measures().has_any(&rule.biomes)
        };
        let rules = self.planting.rules().iter();
        let unlikely = rules.filter(|rule| !(lies(rule) && is_as_high(rule) && grows(rule)));
        unlikely.map(|rule| rule.name.as_str()).collect()
    }

    /// How far around the eyes plots of this kind are needed, in meters. `None` if they contain no plants.
    pub(crate) fn reach(&self, kind: PlotKind) -> Option<f64> {
        let reach = self.reaches[kind as usize];
        (reach > 0.0).then_some(reach)
    }

    pub(crate) fn land(&self) -> Land {
        let (middle, half) = (self.ground.middle(), self.ground.half_extent().as_dvec2());
        Land {
            min: middle - half,
            max: middle + half,
        }
    }

    /// The plants of a cell that belong to this kind of plot. Runs in a background task.
    pub(crate) fn stands(
        &self,
        kind: PlotKind,
        cell: [i64; 2],
    ) -> impl Iterator<Item = (GrownPlant<'_>, Instance)> {
        let (is_herbs, scatter) = (kind.is_herbs(), self.planting.scatter(kind));
        let standing = scatter.cell(cell, self.ask(scatter), &self.exclusions);
        // Only cells beyond the coordinate limit give an error.
        let standing = standing.unwrap_or_default();
        let planting = &self.planting;
        let plants = planting.species.iter().zip(&planting.looks);
        let plants = plants.zip(planting.rules()).zip(standing);
        plants
            .filter_map(move |(((species, look), rule), stands)| {
                let species = species.as_ref()?;
                let plant = GrownPlant {
                    species,
                    look,
                    rule: &rule.name,
                };
                let is_meant = is_seen_from_afar(species.far_level()) != is_herbs;
                is_meant.then_some((plant, stands))
            })
            .flat_map(|(plant, stands)| stands.into_iter().map(move |one| (plant, one)))
    }

    /// Index and distance (in meters) of each plant with custom entities.
    pub(crate) fn own(&self) -> impl Iterator<Item = (usize, f64)> {
        let looks = self.planting.looks.iter().enumerate();
        looks.filter_map(|(plant, look)| {
            let PlantLook::Custom { distance } = look else {
                return None;
            };
            let distance = Limits::own(*distance, self.limits);
            (distance > 0.0).then_some((plant, f64::from(distance)))
        })
    }

    /// The name of a custom plant, and its instances in a cell. Runs in a background task.
    pub(crate) fn own_in(&self, plant: usize, cell: [i64; 2]) -> (String, Vec<Instance>) {
        let scatter = self.planting.scatter_own();
        let standing = scatter.cell(cell, self.ask(scatter), &self.exclusions);
        // Only cells beyond the coordinate limit give an error.
        let mut standing = standing.unwrap_or_default();
        let name = scatter.rules()[plant].name.clone();
        let instances = standing.get_mut(plant).map(std::mem::take);
        (name, instances.unwrap_or_default())
    }

    /// The transform of an instance in the terrain's local space.
    pub(crate) fn place(&self, instance: &Instance) -> Transform {
        Transform::from_translation(self.root(instance))
            .with_rotation(instance.rotation())
            .with_scale(Vec3::splat(instance.scale))
    }

    /// The position of an instance in the terrain's local space.
    pub(crate) fn root(&self, instance: &Instance) -> Vec3 {
        let place = self.ground.local(DVec2::from(instance.position));
        let y = instance.height + self.ground.sea();
        Vec3::new(place.x, y, place.y)
    }
}

/// The density map, if it is loaded.
fn map_of(density: &DensityMap, files: Option<&Assets<TerrainFile>>) -> Option<TerrainMap> {
    match density {
        DensityMap::Step(_) => None,
        DensityMap::Map(map) => Some(map.clone()),
        DensityMap::File(file) => match files?.get(file)? {
            TerrainFile::Map(map) => Some(map.clone()),
            TerrainFile::Recipe { .. } => {
                warn_once!("a density file is a recipe; expected a heightmap");
                None
            }
        },
    }
}

/// How far around the eyes plots of each kind are needed: as far as the largest plant keeps that level.
fn reaches(planting: &Planting, library: &Library, limits: Limits) -> [f64; PlotKind::ALL.len()] {
    let mut reaches = [0.0_f32; PlotKind::ALL.len()];
    for (species, rule) in planting.grown() {
        let (far, height) = (species.far_level(), library.height(species) * rule.size[1]);
        // Use the largest plant of the rule; smaller ones end their levels nearer.
        let [near, middle, gone] = Borders::reach(far, height, limits);
        let reached: &[_] = if is_seen_from_afar(far) {
            &[
                (PlotKind::Near, near),
                (PlotKind::Middle, middle),
                (PlotKind::Far, gone),
            ]
        } else {
            &[(PlotKind::NearHerbs, near), (PlotKind::Herbs, middle)]
        };
        for &(plot, reach) in reached {
            let most = &mut reaches[plot as usize];
            *most = most.max(reach);
        }
    }
    reaches.map(f64::from)
}
