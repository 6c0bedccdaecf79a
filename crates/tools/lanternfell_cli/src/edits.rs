//! Logs of edits: files, and how they are applied to maps.
//!
//! Edits are in cells and millimeters. A map means the same as in the terrain plugin, so that a log gives the same
//! terrain in a game and here. Heights from 0 to 1 are edited as they are. A map with other heights, such as an
//! elevation model in meters, is edited with its heights stretched to 0 to 1, so 0 mm is its lowest point:
//!
//! ```text
//!   meters  ── stretch ──> 0 to 1 ── edit ──> edited cells ── to meters ──> the map; other cells keep their bits
//! ```

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use lanternfell_edits::{
    Channel, EditLimits, EditedMap, Edits, FlatBase, MapBase, Tile, TileAddress,
};
use lanternfell_heightmap::{
    Elevation, ElevationModel, Heightmap, HoleMask, MapFrame, MapRegion, MapSize, Progress,
};
use lanternfell_io::Format;

use crate::{args::EditsArgs, failure::Failure, memory, output::Output, read::Input};

/// The file extension of logs.
pub(crate) const EXTENSION: &str = "edits";

/// A log that was read from a file.
pub(crate) struct EditLog {
    path: PathBuf,
    pub(crate) edits: Edits,
}

/// A map with edits.
pub(crate) struct Edited {
    pub(crate) model: ElevationModel,
    /// The holes of the map and of the edits.
    pub(crate) holes: Option<HoleMask>,
    /// Describes the edits, to be appended to a summary. Empty without edits.
    pub(crate) words: String,
}

/// Applies a log to a whole map with these holes, if there is one.
pub(crate) fn edited(
    log: Option<EditLog>,
    model: ElevationModel,
    holes: Option<HoleMask>,
    progress: &Progress,
) -> Result<Edited, Failure> {
    match log {
        Some(log) => log.apply(model, holes, progress),
        None => Ok(Edited {
            model,
            holes,
            words: String::new(),
        }),
    }
}

impl EditLog {
    /// Reads the log of an option, if it was given.
    pub(crate) fn asked(arguments: &EditsArgs) -> Result<Option<Self>, Failure> {
        let path = arguments.edits.as_deref();
        path.map(Self::open).transpose()
    }

    /// Reads a log. The terrain below it is a plane at 0.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let mut file = Input::open(path)?;
        let shown = path.display();
        // The bytes and the entries that they contain.
        memory::check(file.length.saturating_mul(2), format_args!("{shown}"))?;
        let bytes = file.read()?;
        let base = Arc::new(FlatBase::default());
        let edits = Edits::from_bytes(&bytes, base, EditLimits::default());
        let path = path.to_owned();
        match edits {
            Ok(edits) => Ok(Self { path, edits }),
            Err(error) => Err(Failure::Edits { path, error }),
        }
    }

    /// Creates an empty log.
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            edits: Edits::new(Arc::new(FlatBase::default())),
        }
    }

    /// Returns the file name as the user gave it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the log. Returns the number of bytes.
    pub(crate) fn write(&self, path: &Path, progress: &Progress) -> Result<usize, Failure> {
        let bytes = self.edits.to_bytes();
        Output::prepare(path)?.finish(progress, |out| out.write_all(&bytes))?;
        Ok(bytes.len())
    }

    /// Applies the strokes to the terrain of a map, which edited heights are then relative to.
    pub(crate) fn lay_on(
        &mut self,
        model: ElevationModel,
        progress: &Progress,
    ) -> Result<Ground, Failure> {
        let ground = Ground::of(model, progress)?;
        progress.check()?;
        self.edits.set_base(Arc::new(ground.base.clone()));
        progress.check()?;
        Ok(ground)
    }

    fn apply(
        mut self,
        model: ElevationModel,
        holes: Option<HoleMask>,
        progress: &Progress,
    ) -> Result<Edited, Failure> {
        let size = model.size();
        let ground = self.lay_on(model, &progress.span(0.0, 0.5))?;
        let words = self.words(size);
        let mut edited = EditedMap::new(&ground.base, holes.as_ref());
        for (address, tile) in self.edits.tiles() {
            progress.check()?;
            edited.set(address, Some(tile));
        }
        let (heights, holes) = edited.finish();
        // It shares the map, which is then not copied.
        drop(self);
        Ok(Edited {
            model: ground.with(heights),
            holes,
            words,
        })
    }

    /// Describes what the edits change on a map of this size.
    fn words(&self, size: MapSize) -> String {
        let (width, height) = (size.width() as i64, size.height() as i64);
        let (mut inside, mut outside) = ([0; 2], [0; 2]);
        for (address, tile) in self.edits.tiles() {
            // A hole is a square between four cells.
            let square = i64::from(address.channel == Channel::Holes);
            let columns = 0..width - square;
            let rows = 0..height - square;
            for (column, row) in changed_cells(address, tile) {
                let is_inside = columns.contains(&column) && rows.contains(&row);
                let counts = if is_inside { &mut inside } else { &mut outside };
                counts[square as usize] += 1;
            }
        }
        let counts = |[cells, holes]: [usize; 2]| {
            format!("{} and {}", counted(cells, "cell"), counted(holes, "hole"))
        };
        let (path, inside) = (self.path.display(), counts(inside));
        match outside {
            [0, 0] => format!(", {inside} edited by {path}"),
            outside => format!(
                ", {inside} edited by {path} ({} of it are outside of the map of {width}x{height} cells)",
                counts(outside)
            ),
        }
    }
}

/// Returns the cells of a tile that differ from those without edits.
fn changed_cells(address: TileAddress, tile: &Tile) -> impl Iterator<Item = (i64, i64)> {
    let area = address.area();
    let is_changed = move |x: i64, y: i64| match tile {
        Tile::Heights(deltas) => deltas[(y * i64::from(area.columns) + x) as usize] != 0,
        Tile::Holes(rows) => rows[y as usize] >> x & 1 == 1,
        Tile::Paint(_) | Tile::Plants(_) => false,
    };
    let cells =
        (0..area.rows.into()).flat_map(move |y| (0..area.columns.into()).map(move |x| (x, y)));
    let changed = cells.filter(move |&(x, y)| is_changed(x, y));
    changed.map(move |(x, y)| (area.column + x, area.row + y))
}

/// Returns a number with a noun.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        number => format!("{number} {noun}s"),
    }
}

/// The terrain below edits.
pub(crate) struct Ground {
    base: MapBase,
    map: Arc<Heightmap>,
    frame: MapFrame,
    /// The map itself and the elevation of the stretched one, if `map` is stretched.
    own: Option<(Heightmap, Elevation)>,
}

impl Ground {
    fn of(model: ElevationModel, progress: &Progress) -> Result<Self, Failure> {
        let ElevationModel { heights, frame } = model;
        let (low, high) = heights.range_with(progress)?;
        let (map, frame_of_map, own) = if low >= 0.0 && high <= 1.0 {
            (heights, frame, None)
        } else {
            let mut local = ElevationModel {
                heights: heights.clone(),
                frame,
            };
            local.normalize(progress)?;
            let own = (heights, local.frame.elevation);
            (local.heights, local.frame, Some(own))
        };
        let scale = frame_of_map.scale(map.size());
        let map = Arc::new(map);
        let base = MapBase::new(map.clone(), scale)?;
        Ok(Self {
            base,
            map,
            frame,
            own,
        })
    }

    /// Returns the map with edited heights.
    fn with(self, edited: Arc<Heightmap>) -> ElevationModel {
        let Self {
            base,
            map,
            frame,
            own,
        } = self;
        drop(base);
        let heights = match own {
            None => {
                drop(map);
                Arc::unwrap_or_clone(edited)
            }
            Some((own, local)) => {
                let size = own.size();
                let mut heights = own.into_heights();
                let pairs = edited.heights().iter().zip(map.heights());
                for (own, (after, before)) in heights.iter_mut().zip(pairs) {
                    if after.to_bits() != before.to_bits() {
                        let height = frame.elevation.height(local.meters(*after));
                        *own = height.clamp(f32::MIN, f32::MAX);
                    }
                }
                Heightmap::from_heights(size, heights).expect("finite heights")
            }
        };
        ElevationModel { heights, frame }
    }
}

/// Returns an error if a map of this size cannot be edited.
pub(crate) fn check_size(size: MapSize) -> Result<(), Failure> {
    if size.is_of_map() {
        return Ok(());
    }
    let (width, height) = (size.width(), size.height());
    let most = MapSize::MAX_SIDE;
    Err(Failure::Usage(format!(
        "--edits needs the whole map in memory, with at most {most} cells a side, but this one has {width}x{height}"
    )))
}

/// Returns an error if there is not enough memory for the edited map, and for `others` maps of its size.
pub(crate) fn check_memory(size: MapSize, others: u64) -> Result<(), Failure> {
    let (width, height) = (size.width(), size.height());
    let what = format_args!("a map of {width}x{height} cells with edits");
    memory::check((1 + others) * memory::of_map(size), what)
}

/// Returns the holes of a region of a map.
pub(crate) fn cropped(holes: &HoleMask, region: MapRegion) -> HoleMask {
    HoleMask::from_fn(region.size(), |column, row| {
        holes.is_hole(region.x() + column, region.y() + row)
    })
}

/// Describes the holes that are not written in this format, to be appended to a summary.
pub(crate) fn without_holes(holes: Option<&HoleMask>, format: Format) -> String {
    let count = holes.map_or(0, HoleMask::count);
    if count == 0 || matches!(format, Format::Obj | Format::Glb) {
        return String::new();
    }
    let holes = counted(count, "hole");
    format!(", {holes} left out (only .obj and .glb have holes)")
}
