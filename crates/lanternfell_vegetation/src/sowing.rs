//! All that is known before anything grows: the ground, the rules, what plants look like.
//!
//! A change of any of them is another revision; whoever made something of the one before makes it anew.

use std::sync::Arc;

use bevy::{math::DVec2, prelude::*};
use lanternfell_plants::{
    grow::PlantKind,
    scatter::{Exclusions, Instance, ScatterError},
};
use lanternfell_terrain::{
    GroundCover, TerrainLayers, TerrainSurface, TerrainSystems, TerrainWindow, Water,
};

use crate::{
    level::{Borders, Limits, is_seen_from_afar},
    library::{Library, PlantLibrary},
    plan::{Land, PlotKind},
    site::Ground,
    systems::VegetationSystems,
    vegetation::{PlantLook, Planting, Vegetation},
};

pub(crate) fn plugin(app: &mut App) {
    app.configure_sets(
        Update,
        (VegetationSystems::Sow, VegetationSystems::Grow)
            .chain()
            .after(TerrainSystems::Present),
    )
    .add_systems(Update, follow_ground.in_set(VegetationSystems::Sow));
}

/// On a terrain with a [`Vegetation`], once its ground is there: what stands where, to be asked in a background task.
/// Cloning it is cheap. Change detection sees it changed when something else may stand there.
#[derive(Component, Clone)]
#[cfg_attr(
    any(feature = "avian", feature = "rapier"),
    require(crate::solids::Solids)
)]
pub struct Sowing {
    pub(crate) ground: Ground,
    planting: Arc<Planting>,
    exclusions: Arc<Exclusions>,
    pub(crate) limits: Limits,
    /// The names of the terrain's layers, which rules know by their numbers.
    layers: Vec<String>,
    /// How far around the eyes each kind of plots is wanted, in metres; 0 where nobody draws.
    reaches: [f64; PlotKind::ALL.len()],
    /// Counts the changes.
    pub(crate) revision: u64,
}

/// On a terrain whose vegetation can not grow, until it is changed.
#[derive(Component)]
pub(crate) struct Refused;

/// What the plants of a terrain follow from.
type Grounds = (
    Entity,
    Ref<'static, Vegetation>,
    Ref<'static, TerrainSurface>,
    Ref<'static, TerrainLayers>,
    Ref<'static, GroundCover>,
    Ref<'static, Water>,
    Option<&'static TerrainWindow>,
    Option<&'static mut Sowing>,
    Has<Refused>,
);

/// Where somebody draws.
pub(crate) fn begin(
    mut library: ResMut<PlantLibrary>,
    mut images: ResMut<Assets<Image>>,
    asking: Query<(), With<Vegetation>>,
) {
    if library.get().is_none() && !asking.is_empty() {
        library.ask();
        library.go_on(&mut images);
    }
}

/// Another ground, other rules: another revision. Other colors of the sea, say, are none.
pub(crate) fn follow_ground(
    mut commands: Commands,
    library: Option<Res<PlantLibrary>>,
    mut terrains: Query<Grounds>,
) {
    // Where somebody draws, what is drawn has to be there first.
    let library = match &library {
        Some(library) => match library.get() {
            Some(library) => Some(&**library),
            None => return,
        },
        None => None,
    };
    for (terrain, vegetation, surface, layers, cover, water, window, before, refused) in
        &mut terrains
    {
        let is_new = match &before {
            None => !refused,
            Some(sowing) => {
                water.surface_y(&surface) != sowing.ground.sea()
                    || !layers
                        .layers
                        .iter()
                        .map(|layer| &layer.name)
                        .eq(&sowing.layers)
            }
        };
        if !(is_new || vegetation.is_changed() || surface.is_changed() || cover.is_changed()) {
            continue;
        }
        let ground = Ground::new(&surface, &cover, &water, window);
        let sown = Sowing::new(&vegetation, &layers, ground.clone(), library);
        if let Err(error) = &sown
            && (vegetation.is_changed() || !refused)
        {
            warn!("the vegetation of {terrain} can not grow: {error}");
        }
        match (sown, before) {
            (Ok(sowing), Some(mut before)) => {
                let revision = before.revision + 1;
                *before = Sowing { revision, ..sowing };
                commands.entity(terrain).try_remove::<Refused>();
            }
            (Ok(sowing), None) => {
                commands
                    .entity(terrain)
                    .try_insert(sowing)
                    .try_remove::<Refused>();
            }
            (Err(_), before) => {
                // What was there stays, on the ground that there is.
                if let Some(mut before) = before
                    && surface.is_changed()
                {
                    before.ground = ground;
                    before.revision += 1;
                }
                commands.entity(terrain).try_insert(Refused);
            }
        }
    }
}

impl Sowing {
    fn new(
        vegetation: &Vegetation,
        layers: &TerrainLayers,
        ground: Ground,
        library: Option<&Library>,
    ) -> Result<Self, ScatterError> {
        let planting = Planting::new(vegetation, layers)?;
        let exclusions = Exclusions::new(&vegetation.exclusions)?;
        let limits = Limits::new(vegetation.detail, vegetation.distance);
        let reaches = library.map(|library| reaches(&planting, library, limits));
        Ok(Self {
            planting: Arc::new(planting),
            exclusions: Arc::new(exclusions),
            ground,
            limits,
            layers: layers
                .layers
                .iter()
                .map(|layer| layer.name.clone())
                .collect(),
            reaches: reaches.unwrap_or_default(),
            revision: 0,
        })
    }

    /// How far around the eyes that kind of plots is wanted, in metres; `None` if there is nothing of it.
    pub(crate) fn reach(&self, kind: PlotKind) -> Option<f64> {
        let reach = self.reaches[kind as usize];
        (reach > 0.0).then_some(reach)
    }

    pub(crate) fn land(&self) -> Land {
        let (half, _) = self.ground.extent();
        let (middle, half) = (self.ground.middle(), half.as_dvec2());
        Land {
            min: middle - half,
            max: middle + half,
        }
    }

    /// What stands in a cell and belongs to that kind of plots. In a background task.
    pub(crate) fn stands(
        &self,
        kind: PlotKind,
        cell: [i64; 2],
    ) -> impl Iterator<Item = (PlantKind, Instance)> {
        let (is_herbs, scatter) = (kind.is_herbs(), self.planting.scatter(kind));
        let ask = self.ground.asked();
        let standing = scatter.cell(cell, |_, place| ask(place), &self.exclusions);
        // Only a cell at the end of numbers has an error.
        let standing = standing.unwrap_or_default();
        let looks = self.planting.looks.iter().zip(standing);
        looks
            .filter_map(move |(look, stands)| match look {
                PlantLook::Grown(kind) => {
                    (is_seen_from_afar(*kind) != is_herbs).then_some((*kind, stands))
                }
                PlantLook::Own { .. } => None,
            })
            .flat_map(|(kind, stands)| stands.into_iter().map(move |one| (kind, one)))
    }

    /// The number of each plant that is the game's own and anywhere, and how far around the eyes it stands, in metres.
    pub(crate) fn own(&self) -> impl Iterator<Item = (usize, f64)> {
        let looks = self.planting.looks.iter().enumerate();
        looks.filter_map(|(plant, look)| {
            let PlantLook::Own { distance } = look else {
                return None;
            };
            let distance = Limits::own(*distance, self.limits);
            (distance > 0.0).then_some((plant, f64::from(distance)))
        })
    }

    /// What stands of such a plant in a cell, and how it is called. In a background task.
    pub(crate) fn own_in(&self, plant: usize, cell: [i64; 2]) -> (String, Vec<Instance>) {
        let (scatter, ask) = (self.planting.scatter_own(), self.ground.asked());
        let standing = scatter.cell(cell, |_, place| ask(place), &self.exclusions);
        // Only a cell at the end of numbers has an error.
        let mut standing = standing.unwrap_or_default();
        let name = scatter.rules()[plant].name.clone();
        let instances = standing.get_mut(plant).map(std::mem::take);
        (name, instances.unwrap_or_default())
    }

    /// Where and how one stands, in the terrain's frame.
    pub(crate) fn place(&self, instance: &Instance) -> Transform {
        Transform::from_translation(self.root(instance))
            .with_rotation(instance.rotation())
            .with_scale(Vec3::splat(instance.scale))
    }

    /// Where one stands, in the terrain's frame.
    pub(crate) fn root(&self, instance: &Instance) -> Vec3 {
        let place = self.ground.local(DVec2::from(instance.position));
        let y = instance.height + self.ground.sea();
        Vec3::new(place.x, y, place.y)
    }
}

/// How far around the eyes plots of each kind are wanted: as far as the largest of their plants keeps that level.
fn reaches(planting: &Planting, library: &Library, limits: Limits) -> [f64; PlotKind::ALL.len()] {
    let mut reaches = [0.0_f32; PlotKind::ALL.len()];
    for (kind, rule) in planting.grown() {
        let height = library.height(kind) * rule.size[1];
        let [near, middle, gone] = Borders::reach(kind, height, limits);
        let reached: &[_] = if is_seen_from_afar(kind) {
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
