//! Updates the [`VegetationLayout`] of terrains: immediately, or once the measures for its rules are computed.

use bevy::{
    platform::collections::HashSet,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_terrain::{
    TerrainCover, TerrainFile, TerrainRegion, TerrainSurface, Water, heightmap::Progress,
};

use super::VegetationLayout;
use crate::{
    clear,
    library::PlantLibrary,
    measures::{Asked, Measures},
    model::{Models, follow_models},
    site::{Ground, sea_level},
    systems::VegetationSystems,
    vegetation::{DensityMap, Vegetation},
};

pub(crate) fn plugin(app: &mut App) {
    clear::remove_with_vegetation::<(VegetationLayout, Measuring, Refused)>(app);
    app.add_systems(
        PostUpdate,
        (
            follow_models.before(begin),
            follow_files.run_if(resource_exists::<Messages<AssetEvent<TerrainFile>>>),
            follow_ground,
            take_measures,
            say_what_stands_nowhere,
        )
            .chain()
            .in_set(VegetationSystems::Scatter),
    );
}

/// On a terrain while the measures for its rules are computed.
#[derive(Component)]
pub(crate) struct Measuring {
    layout: VegetationLayout,
    asked: Asked,
    task: Task<Measures>,
    progress: Progress,
}

impl Drop for Measuring {
    /// Cancels the task when newer work replaces it or the terrain is removed.
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

/// On a terrain whose vegetation is invalid, until it changes.
#[derive(Component)]
pub(crate) struct Refused;

/// What a layout is computed from.
type Grounds = (
    Entity,
    Ref<'static, Vegetation>,
    Ref<'static, TerrainSurface>,
    Ref<'static, TerrainCover>,
    Option<&'static Water>,
    Option<&'static TerrainRegion>,
    Option<&'static mut VegetationLayout>,
    Option<&'static mut Measuring>,
    Has<Refused>,
);

/// Starts to grow the library. Runs only with a renderer.
pub(crate) fn begin(
    mut library: ResMut<PlantLibrary>,
    mut images: ResMut<Assets<Image>>,
    models: Res<Models>,
    asking: Query<(), With<Vegetation>>,
) {
    if !asking.is_empty() {
        library.ask(&models);
        library.go_on(&mut images);
    }
}

/// Creates a new revision when the terrain or the rules change. Other changes, such as the color of the sea, are
/// ignored.
pub(crate) fn follow_ground(
    mut commands: Commands,
    library: Option<Res<PlantLibrary>>,
    models: Res<Models>,
    files: Option<Res<Assets<TerrainFile>>>,
    mut terrains: Query<Grounds>,
) {
    // With a renderer, wait for the library.
    let library = match &library {
        Some(library) => match library.get() {
            Some(library) => Some(library),
            None => return,
        },
        None => None,
    };
    // While a library with newer models is grown, keep using the older one.
    let models = library.map_or(&*models, |library| &library.models);
    for (terrain, vegetation, surface, cover, water, region, before, measuring, refused) in
        &mut terrains
    {
        // A layout that is being measured is newer than the installed one.
        let known = measuring.as_deref().map(|measuring| &measuring.layout);
        let is_new = match known.or(before.as_deref()) {
            None => !refused,
            Some(layout) => {
                sea_level(water, &surface) != layout.ground.sea() || layout.models != *models
            }
        };
        let is_other = vegetation.is_changed() || surface.is_changed() || cover.is_changed();
        if !(is_new || is_other) {
            continue;
        }
        let ground = Ground::new(&surface, &cover, water, region);
        let files = files.as_deref();
        // After edits, only the ground is another one.
        let scattered = match known.or(before.as_deref()) {
            Some(layout)
                if !(is_new || refused || vegetation.is_changed())
                    && layout.is_for(&ground, library) =>
            {
                Ok(layout.on(ground.clone()))
            }
            _ => VegetationLayout::new(&vegetation, ground.clone(), library, models, files),
        };
        if let Err(error) = &scattered
            && (vegetation.is_changed() || !refused)
        {
            warn!("invalid vegetation on {terrain}: {error}");
        }
        let mut commands = commands.entity(terrain);
        match scattered {
            Ok(layout) => {
                update_layout(&mut commands, layout, before, measuring);
                commands.try_remove::<Refused>();
            }
            Err(_) => {
                // Keep the previous plants, but on the current terrain.
                if let Some(mut before) = before {
                    if surface.is_changed() {
                        let layout = before.on(ground.measured_as(&before.ground));
                        *before = layout.after(&before);
                    }
                    if before.models != *models {
                        // Otherwise the invalid rules would be tried again in every frame.
                        before.models = models.clone();
                    }
                }
                commands.try_insert(Refused).try_remove::<Measuring>();
            }
        }
    }
}

/// Marks vegetation as changed when one of its density files is loaded or modified.
pub(crate) fn follow_files(
    mut files: MessageReader<AssetEvent<TerrainFile>>,
    mut vegetations: Query<&mut Vegetation>,
) {
    let changed = HashSet::from_iter(files.read().filter_map(file_of));
    if changed.is_empty() {
        return;
    }
    for mut vegetation in &mut vegetations {
        if vegetation.is_by_any_of(&changed) {
            vegetation.set_changed();
        }
    }
}

fn file_of(event: &AssetEvent<TerrainFile>) -> Option<AssetId<TerrainFile>> {
    match event {
        AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
        _ => None,
    }
}

impl Vegetation {
    /// Whether a density map comes from one of these files.
    fn is_by_any_of(&self, files: &HashSet<AssetId<TerrainFile>>) -> bool {
        let mut maps = self
            .plants
            .iter()
            .filter_map(|plant| plant.density.as_ref());
        maps.any(|map| matches!(map, DensityMap::File(file) if files.contains(&file.id())))
    }
}

/// Installs the layout now, or once its measures are computed. Measures that are known or in progress are reused.
fn update_layout(
    commands: &mut EntityCommands,
    mut layout: VegetationLayout,
    before: Option<Mut<VegetationLayout>>,
    measuring: Option<Mut<Measuring>>,
) {
    let asked = Asked::by(&layout.planting);
    let is_known = |before: &VegetationLayout| {
        before.ground.is_alike(&layout.ground) && before.ground.measures().are(&asked)
    };
    if let Some(before) = before.as_deref().filter(|before| is_known(before)) {
        layout.ground = layout.ground.measured_as(&before.ground);
    // Keep the previous layout while measuring, so that plants do not vanish.
    } else if !asked.is_nothing() {
        match measuring {
            Some(mut measuring)
                if measuring.asked == asked && measuring.layout.ground.is_alike(&layout.ground) =>
            {
                measuring.layout = layout;
            }
            _ => {
                commands.try_insert(Measuring::begin(layout, asked));
            }
        }
        return;
    }
    install(commands, layout, before);
    commands.try_remove::<Measuring>();
}

fn install(
    commands: &mut EntityCommands,
    layout: VegetationLayout,
    before: Option<Mut<VegetationLayout>>,
) {
    match before {
        Some(mut before) => {
            *before = layout.after(&before);
        }
        None => {
            commands.try_insert(layout);
        }
    }
}

impl Measuring {
    fn begin(layout: VegetationLayout, asked: Asked) -> Self {
        let (ground, progress) = (layout.ground.clone(), Progress::default());
        let (wanted, going_on) = (asked.clone(), progress.clone());
        let task = AsyncComputeTaskPool::get().spawn(async move {
            Measures::of(ground.surface(), ground.sea_level(), &wanted, &going_on).await
        });
        Self {
            layout,
            asked,
            task,
            progress,
        }
    }
}

/// Installs layouts whose measures are finished.
fn take_measures(
    mut commands: Commands,
    mut measuring: Query<(Entity, &mut Measuring, Option<&mut VegetationLayout>)>,
) {
    for (terrain, mut measuring, before) in &mut measuring {
        let Some(measures) = check_ready(&mut measuring.task) else {
            continue;
        };
        let layout = measuring.layout.clone();
        let ground = layout.ground.clone().with_measures(measures);
        let mut commands = commands.entity(terrain);
        install(&mut commands, VegetationLayout { ground, ..layout }, before);
        commands.try_remove::<Measuring>();
    }
}

/// Logs plants that cannot grow, once per terrain and message.
fn say_what_stands_nowhere(
    scattered: Query<
        (Entity, &VegetationLayout, Option<&TerrainRegion>),
        Changed<VegetationLayout>,
    >,
    mut said: Local<HashSet<(Entity, String)>>,
) {
    for (entity, layout, region) in &scattered {
        let terrain = region.map_or(entity, |region| region.terrain);
        let mut is_new = |what: &str| said.insert((terrain, what.to_owned()));
        for (rule, why) in layout.missing(region.is_some()) {
            let what = format!("plant {rule:?} on {terrain} cannot grow: {why}");
            if is_new(&what) {
                warn!("{what}");
            }
        }
        // A region is only a part of an endless terrain, so a missing location means nothing.
        let unlikely = match region {
            None => layout.unlikely(),
            Some(_) => Vec::new(),
        };
        if !unlikely.is_empty() {
            let what = format!(
                "these plants match no location on {terrain}: {}",
                unlikely.join(", ")
            );
            if is_new(&what) {
                info!("{what}");
            }
        }
    }
}
