//! An app whose files are in memory, and helpers for all tests.

use std::{
    future::poll_fn,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    task::{Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use bevy::{
    asset::{
        AssetApp, AssetPlugin,
        io::{
            AssetReader, AssetReaderError, AssetSourceBuilder, AssetSourceEvent, AssetSourceId,
            AssetWatcher, PathStream, Reader,
            memory::{Dir, MemoryAssetReader},
        },
    },
    prelude::*,
};
use lanternfell_terrain::{
    heightmap::{Elevation, GeoReference, MapFrame},
    io::{self, Format, WriteOptions},
    prelude::*,
};

/// Longer than any test here takes on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// An app with the terrain plugin, and its files.
pub struct Studio {
    pub app: App,
    files: Dir,
    gate: Arc<Gate>,
    notify: Notify,
}

type Notify = Arc<Mutex<Option<Box<dyn Fn(AssetSourceEvent) + Send>>>>;

/// The events that terrains have triggered so far.
#[derive(Resource, Default)]
pub struct Answers {
    pub ready: Vec<Entity>,
    pub failed: Vec<TerrainFailed>,
}

impl Studio {
    pub fn new() -> Self {
        let (files, gate, notify) = (Dir::default(), Arc::default(), Notify::default());
        let mut app = App::new();
        app.register_asset_source(AssetSourceId::Default, source(&files, &gate, &notify))
            .add_plugins((
                MinimalPlugins,
                AssetPlugin {
                    watch_for_changes_override: Some(true),
                    ..default()
                },
                TerrainPlugin,
            ))
            .init_resource::<Answers>()
            .add_observer(|ready: On<TerrainReady>, mut answers: ResMut<Answers>| {
                answers.ready.push(ready.entity);
            })
            .add_observer(|failed: On<TerrainFailed>, mut answers: ResMut<Answers>| {
                answers.failed.push(failed.event().clone());
            });
        app.finish();
        app.cleanup();
        Self {
            app,
            files,
            gate,
            notify,
        }
    }

    /// Writes a file.
    pub fn write(&self, path: &str, content: impl Into<Vec<u8>>) {
        self.files.insert_asset(Path::new(path), content.into());
    }

    /// Writes a file, and notifies the asset server like a file watcher.
    pub fn rewrite(&self, path: &str, content: impl Into<Vec<u8>>) {
        self.write(path, content);
        let notify = self.notify.lock().unwrap();
        notify.as_ref().unwrap()(AssetSourceEvent::ModifiedAsset(path.into()));
    }

    /// Lets the asset server read files in the folder `slow`, which block until then.
    pub fn open_the_gate(&self) {
        self.gate.open();
    }

    pub fn server(&self) -> &AssetServer {
        self.app.world().resource()
    }

    pub fn load(&self, path: &str) -> Handle<TerrainFile> {
        self.server().load(path.to_owned())
    }

    /// Spawns a terrain and waits until it is complete or has failed.
    pub fn spawn(&mut self, terrain: Terrain) -> Entity {
        let entity = self.app.world_mut().spawn(terrain).id();
        self.settle();
        entity
    }

    /// Spawns a terrain that has to wait for a slow file.
    pub fn spawn_waiting(&mut self, terrain: Terrain) -> Entity {
        let entity = self.app.world_mut().spawn(terrain).id();
        self.linger();
        assert!(self.is_busy() && !self.has_ground(entity));
        entity
    }

    pub fn terrain(&mut self, entity: Entity) -> Mut<'_, Terrain> {
        self.app.world_mut().get_mut(entity).unwrap()
    }

    /// Updates the app until no terrain is being generated.
    pub fn settle(&mut self) {
        self.app.update();
        self.update_until(|studio| !studio.is_busy());
    }

    pub fn is_busy(&mut self) -> bool {
        let world = self.app.world_mut();
        world.query::<&TerrainProgress>().iter(world).count() > 0
    }

    /// Updates the app until `done` returns true. Panics after two minutes.
    pub fn update_until(&mut self, mut done: impl FnMut(&mut Self) -> bool) {
        let start = Instant::now();
        while !done(self) {
            assert!(start.elapsed() < PATIENCE, "not done after {PATIENCE:?}");
            thread::sleep(Duration::from_millis(1));
            self.app.update();
        }
    }

    /// Updates the app for a while, to check that something does not happen.
    pub fn linger(&mut self) {
        for _ in 0..30 {
            thread::sleep(Duration::from_millis(1));
            self.app.update();
        }
    }

    /// Updates the app until terrains have become ready this many times in total.
    pub fn until_ready(&mut self, times: usize) {
        self.update_until(|studio| studio.answers().ready.len() >= times);
        assert_eq!(self.answers().ready.len(), times);
    }

    /// Updates the app until this many failures have been reported in total.
    pub fn until_failed(&mut self, times: usize) {
        self.update_until(|studio| studio.answers().failed.len() >= times);
        assert_eq!(self.answers().failed.len(), times);
    }

    pub fn answers(&self) -> &Answers {
        self.app.world().resource()
    }

    /// The message of the last failure.
    pub fn last_error(&self) -> String {
        self.answers().failed.last().unwrap().error.to_string()
    }

    #[track_caller]
    pub fn ground(&self, entity: Entity) -> &TerrainSurface {
        let ground = self.app.world().get(entity);
        ground.unwrap_or_else(|| panic!("no TerrainSurface; failures: {:?}", self.answers().failed))
    }

    pub fn has_ground(&self, entity: Entity) -> bool {
        self.app.world().get::<TerrainSurface>(entity).is_some()
    }
}

fn source(files: &Dir, gate: &Arc<Gate>, notify: &Notify) -> AssetSourceBuilder {
    let (files, gate, notify) = (files.clone(), gate.clone(), notify.clone());
    let reader = move || {
        let files = MemoryAssetReader {
            root: files.clone(),
        };
        Box::new(GatedReader {
            files,
            gate: gate.clone(),
        }) as Box<_>
    };
    AssetSourceBuilder::new(reader).with_watcher(move |sender| {
        let send = move |event| {
            let _ = sender.try_send(event);
        };
        *notify.lock().unwrap() = Some(Box::new(send));
        Some(Box::new(Watcher) as Box<_>)
    })
}

struct Watcher;

impl AssetWatcher for Watcher {}

/// Blocks readers of slow files.
#[derive(Default)]
struct Gate(Mutex<(bool, Vec<Waker>)>);

impl Gate {
    fn open(&self) {
        let mut gate = self.0.lock().unwrap();
        gate.0 = true;
        gate.1.drain(..).for_each(Waker::wake);
    }

    async fn pass(&self) {
        poll_fn(|context| {
            let mut gate = self.0.lock().unwrap();
            if gate.0 {
                return Poll::Ready(());
            }
            gate.1.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

struct GatedReader {
    files: MemoryAssetReader,
    gate: Arc<Gate>,
}

impl AssetReader for GatedReader {
    async fn read<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        if path.starts_with("slow") {
            self.gate.pass().await;
        }
        self.files.read(path).await
    }

    async fn read_meta<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        self.files.read_meta(path).await
    }

    async fn read_directory<'a>(
        &'a self,
        path: &'a Path,
    ) -> Result<Box<PathStream>, AssetReaderError> {
        self.files.read_directory(path).await
    }

    async fn is_directory<'a>(&'a self, path: &'a Path) -> Result<bool, AssetReaderError> {
        self.files.is_directory(path).await
    }
}

/// A map with heights from 0 to 1, including both, which depends on the seed.
pub fn bumps(width: u64, height: u64, seed: u64) -> Heightmap {
    let size = MapSize::new(width, height).unwrap();
    let last = size.cells() as u64 - 1;
    let heights = (0..=last).map(|cell| (cell * (2 * seed + 11) % (last + 1)) as f32 / last as f32);
    let mut map = Heightmap::from_heights(size, heights.collect()).unwrap();
    map.normalize();
    map
}

/// A map in meters with a geographic position.
pub fn placed(seed: u64) -> ElevationModel {
    let heights = bumps(30, 20, seed);
    let frame = MapFrame {
        elevation: Elevation {
            offset: -42.0,
            relief: 642.0,
        },
        place: GeoReference::at([500_000.0, 5_200_000.0], 25.0),
        elevation_is_explicit: true,
        place_is_explicit: true,
        ..MapFrame::of_size(heights.size())
    };
    ElevationModel { heights, frame }
}

/// The map as the contents of a file.
pub fn written(model: &ElevationModel, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    let options = WriteOptions {
        stretch: true,
        ..default()
    };
    io::write(model, format, &options, &mut bytes, &Progress::default()).unwrap();
    bytes
}

/// The formats that this build can read and write.
pub fn formats() -> impl Iterator<Item = Format> {
    let all = Format::ALL.into_iter();
    all.filter(|format| format.is_read() && format.is_written() && format.is_built_in())
}

/// Normalized to 0 to 1, like the plugin does.
pub fn stretched(mut model: ElevationModel) -> ElevationModel {
    let (low, high) = model.heights.range();
    if low < 0.0 || high > 1.0 {
        model.normalize(&Progress::default()).unwrap();
    }
    model
}

/// A recipe of hills.
pub fn hills(seed: u64) -> Recipe {
    let hills = Hills {
        count: 60,
        radius_max: 12.0,
        ..default()
    };
    Recipe::new(MapSize::new(50, 40).unwrap(), seed, hills)
}

/// A recipe of hills, blended with an image.
pub fn hills_with_image(seed: u64, name: &str) -> Recipe {
    let result = hills(seed).result_name().to_owned();
    let image = Operation::Image {
        name: name.to_owned(),
    };
    let blend = Operation::Blend {
        ground: result,
        layer: "image".to_owned(),
        how: Blend::Mix,
        weight: 0.5,
        mask: None,
    };
    let recipe = hills(seed).with_step("image", image);
    recipe.with_step("both", blend)
}

/// The expected map of such a recipe with this image.
pub fn map_of(recipe: &Recipe, image: &Heightmap) -> Heightmap {
    let images = |_: &str| Ok(image.clone());
    let map = recipe.generate_with(&images, &Progress::default());
    map.unwrap()
}

/// A file path with this extension.
pub fn named(stem: &str, ending: &str) -> String {
    let path = PathBuf::from(stem).with_extension(ending);
    path.to_string_lossy().into_owned()
}
