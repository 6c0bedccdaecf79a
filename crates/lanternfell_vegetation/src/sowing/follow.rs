//! From what a terrain has and asks for to its [`Sowing`]: at once, or when is measured what its rules ask for.

use bevy::{
    platform::collections::HashSet,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_terrain::{
    GroundCover, TerrainFile, TerrainSurface, TerrainSystems, TerrainWindow, Water,
    heightmap::Progress,
};

use super::Sowing;
use crate::{
    clear,
    library::PlantLibrary,
    measures::{Asked, Measures},
    model::{Models, follow_models},
    site::Ground,
    systems::VegetationSystems,
    vegetation::{DensityMap, Vegetation},
};

pub(crate) fn plugin(app: &mut App) {
    clear::remove_with_vegetation::<(Sowing, Measuring, Refused)>(app);
    app.configure_sets(
        Update,
        (VegetationSystems::Sow, VegetationSystems::Grow)
            .chain()
            .after(TerrainSystems::Present),
    )
    .add_systems(
        Update,
        (
            follow_models.before(begin),
            follow_files.run_if(resource_exists::<Messages<AssetEvent<TerrainFile>>>),
            follow_ground,
            take_measures,
            say_what_stands_nowhere,
        )
            .chain()
            .in_set(VegetationSystems::Sow),
    );
}

/// On a terrain while it is measured for what asks for more than its surface and its cover.
#[derive(Component)]
pub(crate) struct Measuring {
    sowing: Sowing,
    asked: Asked,
    task: Task<Measures>,
    progress: Progress,
}

impl Drop for Measuring {
    /// Replaced by newer work, or its terrain is gone.
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

/// On a terrain whose vegetation can not grow, until it is changed.
#[derive(Component)]
pub(crate) struct Refused;

/// What the plants of a terrain follow from.
type Grounds = (
    Entity,
    Ref<'static, Vegetation>,
    Ref<'static, TerrainSurface>,
    Ref<'static, GroundCover>,
    Ref<'static, Water>,
    Option<&'static TerrainWindow>,
    Option<&'static mut Sowing>,
    Option<&'static mut Measuring>,
    Has<Refused>,
);

/// Where somebody draws.
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

/// Another ground, other rules: another revision. Other colors of the sea, say, are none.
pub(crate) fn follow_ground(
    mut commands: Commands,
    library: Option<Res<PlantLibrary>>,
    models: Res<Models>,
    files: Option<Res<Assets<TerrainFile>>>,
    mut terrains: Query<Grounds>,
) {
    // Where somebody draws, what is drawn has to be there first.
    let library = match &library {
        Some(library) => match library.get() {
            Some(library) => Some(library),
            None => return,
        },
        None => None,
    };
    // While a library with newer models is grown, what is drawn follows the older ones.
    let models = library.map_or(&*models, |library| &library.models);
    for (terrain, vegetation, surface, cover, water, window, before, measuring, refused) in
        &mut terrains
    {
        // What is being measured is newer than what is there.
        let known = measuring.as_deref().map(|measuring| &measuring.sowing);
        let is_new = match known.or(before.as_deref()) {
            None => !refused,
            Some(sowing) => {
                water.surface_y(&surface) != sowing.ground.sea() || sowing.models != *models
            }
        };
        let is_other = vegetation.is_changed() || surface.is_changed() || cover.is_changed();
        if !(is_new || is_other) {
            continue;
        }
        let ground = Ground::new(&surface, &cover, &water, window);
        let files = files.as_deref();
        let sown = Sowing::new(&vegetation, ground.clone(), library, models, files);
        if let Err(error) = &sown
            && (vegetation.is_changed() || !refused)
        {
            warn!("the vegetation of {terrain} can not grow: {error}");
        }
        let mut commands = commands.entity(terrain);
        match sown {
            Ok(sowing) => {
                sow(&mut commands, sowing, before, measuring);
                commands.try_remove::<Refused>();
            }
            Err(_) => {
                // What was there stays, on the ground that there is.
                if let Some(mut before) = before {
                    if surface.is_changed() {
                        before.ground = ground.measured_as(&before.ground);
                        before.revision += 1;
                    }
                    if before.models != *models {
                        // Otherwise the same rules would be tried again in every frame.
                        before.models = models.clone();
                    }
                }
                commands.try_insert(Refused).try_remove::<Measuring>();
            }
        }
    }
}

/// What is as dense as a file says is other vegetation when that is there, or another than before.
fn follow_files(
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
    /// Whether one of these files is the map of how dense something is.
    fn is_by_any_of(&self, files: &HashSet<AssetId<TerrainFile>>) -> bool {
        let mut maps = self
            .plants
            .iter()
            .filter_map(|plant| plant.density.as_ref());
        maps.any(|map| matches!(map, DensityMap::File(file) if files.contains(&file.id())))
    }
}

/// At once, or as soon as is measured what it asks for: if that is known or being measured already, it is not begun anew.
fn sow(
    commands: &mut EntityCommands,
    mut sowing: Sowing,
    before: Option<Mut<Sowing>>,
    measuring: Option<Mut<Measuring>>,
) {
    let asked = Asked::by(&sowing.planting);
    let is_known = |before: &Sowing| {
        before.ground.is_alike(&sowing.ground) && before.ground.measures().are(&asked)
    };
    if let Some(before) = before.as_deref().filter(|before| is_known(before)) {
        sowing.ground = sowing.ground.measured_as(&before.ground);
    // While it is measured, the sowing before stays: plants do not vanish for it.
    } else if !asked.is_nothing() {
        match measuring {
            Some(mut measuring)
                if measuring.asked == asked && measuring.sowing.ground.is_alike(&sowing.ground) =>
            {
                measuring.sowing = sowing;
            }
            _ => {
                commands.try_insert(Measuring::begin(sowing, asked));
            }
        }
        return;
    }
    install(commands, sowing, before);
    commands.try_remove::<Measuring>();
}

fn install(commands: &mut EntityCommands, sowing: Sowing, before: Option<Mut<Sowing>>) {
    match before {
        Some(mut before) => {
            let revision = before.revision + 1;
            *before = Sowing { revision, ..sowing };
        }
        None => {
            commands.try_insert(sowing);
        }
    }
}

impl Measuring {
    fn begin(sowing: Sowing, asked: Asked) -> Self {
        let (ground, progress) = (sowing.ground.clone(), Progress::default());
        let (wanted, going_on) = (asked.clone(), progress.clone());
        let task = AsyncComputeTaskPool::get().spawn(async move {
            Measures::of(ground.surface(), ground.sea_level(), &wanted, &going_on).await
        });
        Self {
            sowing,
            asked,
            task,
            progress,
        }
    }
}

/// Takes in what was measured.
fn take_measures(
    mut commands: Commands,
    mut measuring: Query<(Entity, &mut Measuring, Option<&mut Sowing>)>,
) {
    for (terrain, mut measuring, before) in &mut measuring {
        let Some(measures) = check_ready(&mut measuring.task) else {
            continue;
        };
        let sowing = measuring.sowing.clone();
        let ground = sowing.ground.clone().with_measures(measures);
        let mut commands = commands.entity(terrain);
        install(&mut commands, Sowing { ground, ..sowing }, before);
        commands.try_remove::<Measuring>();
    }
}

/// Says once what will stand nowhere.
fn say_what_stands_nowhere(
    sown: Query<(Entity, &Sowing, Option<&TerrainWindow>), Changed<Sowing>>,
    mut said: Local<HashSet<(Entity, String)>>,
) {
    for (entity, sowing, window) in &sown {
        let terrain = window.map_or(entity, |window| window.terrain);
        let mut is_new = |what: &str| said.insert((terrain, what.to_owned()));
        for (rule, why) in sowing.missing(window.is_some()) {
            let what = format!("{rule:?} of {terrain} stands nowhere: {why}");
            if is_new(&what) {
                warn!("{what}");
            }
        }
        // Of an endless land a window is but a part.
        let unlikely = match window {
            None => sowing.unlikely(),
            Some(_) => Vec::new(),
        };
        if !unlikely.is_empty() {
            let what = format!(
                "no place on {terrain} is as the rules of these plants ask: {}",
                unlikely.join(", ")
            );
            if is_new(&what) {
                info!("{what}");
            }
        }
    }
}
