//! The map that a command works on, from any source.

mod edited;
mod fit;

use std::path::{Component, Path};

use lanternfell_heightmap::{
    ElevationModel, GroundScale, Heightmap, HoleMask, LandCover, MapFrame, MapRegion, MapSize,
    Progress, Scale, climate::Location, is_land, stretched_sea_level,
};
use lanternfell_render::Look;

use crate::{
    args::{MapArgs, ResizeArgs, ScaleArgs},
    edits::{self, EditLog},
    engine::EngineArgs,
    failure::Failure,
    frame::sea_of,
    meaning::Reason,
    memory, mosaic, project, read,
    rows::BandRows,
    source::{self, Source},
};
pub(crate) use fit::Fit;

/// A source that was found and checked, but whose map is not made yet.
pub(crate) struct Origin {
    source: Source,
    /// Its name, as the user gave it.
    name: String,
    /// The known properties of the finished map.
    pub(crate) measures: Measures,
    /// How the meaning of the heights was determined.
    pub(crate) reason: Reason,
    fit: Fit,
    /// Edits that are applied when the map is made.
    edits: Option<EditLog>,
}

/// The properties of a map that a renderer needs in addition to the heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measures {
    /// The sea level in the map's heights: from the user, the recipe or the file. The default of a recipe suits its
    /// generator. The default of a file in meters is 0 m, and there is no sea if the whole map is above it. The
    /// default of other files is slightly above the lowest height.
    pub(crate) sea_level: f32,
    /// The meaning of heights and cells.
    pub(crate) frame: MapFrame,
    pub(crate) size: MapSize,
    /// Heights of the map per height of the rendered map, which may have been stretched.
    pub(crate) span: f64,
}

/// A map with a short description.
pub(crate) struct Land {
    pub(crate) map: ElevationModel,
    /// The holes of the recipe and of edits, for meshes.
    pub(crate) holes: Option<HoleMask>,
    /// A few words.
    pub(crate) about: String,
}

impl Measures {
    /// Returns the scale, with square cells.
    pub(crate) fn scale(&self) -> Scale {
        self.frame.scale(self.size)
    }

    /// Returns the scale with separate spacings for both axes and each row.
    pub(crate) fn ground(&self) -> GroundScale {
        self.frame.ground_scale(self.size)
    }

    /// Returns how far a height of 1 rises, as a fraction of the map's longer side, clamped to the range of the
    /// renderer. Returns `None` if the spacing is a default.
    pub(crate) fn vertical_scale(&self) -> Option<f64> {
        let cells = self.size.width().max(self.size.height());
        let rise = f64::from(self.scale().steepness()) / cells as f64;
        self.frame
            .place_is_explicit
            .then_some(rise.clamp(0.01, 2.0))
    }

    /// Returns the land cover of the preset or the file.
    pub(crate) fn cover(&self) -> LandCover {
        self.frame.scenery.cover.unwrap_or_default()
    }

    /// Returns the look of the terrain.
    pub(crate) fn look(&self) -> Look {
        let relief = self.scale().relief;
        Look {
            cover: self.cover(),
            relief: self.frame.place_is_explicit.then_some(relief),
            snow_line: self.frame.scenery.snow_line.map(|meters| meters as f32),
        }
    }

    /// Returns what the climate of the map depends on.
    pub(crate) fn location(&self) -> Location {
        Location::new(&self.frame, self.size, self.sea_level)
    }

    /// Describes the sea of a map whose lowest height is `lowest`, for a summary.
    pub(crate) fn sea(&self, lowest: f32) -> String {
        let level = if self.frame.elevation_is_explicit {
            // Rounded to millimeters, because stretched heights have fewer digits than meters.
            let meters = self.frame.elevation.meters(self.sea_level);
            format!("{} m", (meters * 1e3).round() / 1e3 + 0.0)
        } else {
            format!("height {}", self.sea_level)
        };
        if is_land(lowest, self.sea_level) {
            return format!("no sea, all above {level}");
        }
        format!("sea at {level}")
    }

    /// Stretches a map that exceeds 0 to 1 (possible with `f32`) to this range, so that it can be rendered, and adapts
    /// all properties. Returns the previous range if the map was stretched.
    pub(crate) fn stretch(
        &mut self,
        map: &mut ElevationModel,
    ) -> Result<Option<(f32, f32)>, Failure> {
        let (low, high) = map.heights.range();
        if low >= 0.0 && high <= 1.0 {
            return Ok(None);
        }
        map.normalize(&Progress::default())?;
        let span = f64::from(high) - f64::from(low);
        self.sea_level = stretched_sea_level(self.sea_level, (low, high));
        self.span *= span;
        self.frame.elevation = map.frame.elevation;
        Ok(Some((low, high)))
    }
}

impl Origin {
    /// Opens the source of a map. `sea_level` is the user's option.
    pub(crate) fn open(arguments: &MapArgs, sea_level: Option<f32>) -> Result<Self, Failure> {
        Self::open_sized(arguments, sea_level, &EngineArgs::default())
    }

    /// Opens the source like [`open`](Self::open), with a size that an engine accepts.
    pub(crate) fn open_for(engine: &EngineArgs, arguments: &MapArgs) -> Result<Self, Failure> {
        Self::open_sized(arguments, None, engine)
    }

    fn open_sized(
        arguments: &MapArgs,
        sea_level: Option<f32>,
        engine: &EngineArgs,
    ) -> Result<Self, Failure> {
        let mut edits = EditLog::asked(&arguments.edits)?;
        let mut source = source::open(arguments)?;
        let mut wanted = (arguments.resize, arguments.change.scale);
        if mosaic::is_asked_for(arguments) && edits.is_none() {
            wanted.0 = wanted.0.cropped();
        }
        let mut name = arguments.name();
        if let Some(log) = edits.take() {
            let words;
            (source, edits, words) = edited::edit(source, log, arguments, engine)?;
            name += &words;
        }
        if let Source::Map(read) = &mut source
            && let Some(words) = project::project(read, arguments, wanted.0, engine)?
        {
            name += &format!(", {words}{}", edited::without_holes(read));
            wanted = (wanted.0.cropped(), wanted.1.without_spacing());
        }
        let (fit, sea) = look_at(&mut source, arguments, wanted, engine)?;
        engine.check_square(&fit.frame, fit.size())?;
        check_memory(&source, &fit, 0)?;
        let mut frame = fit.frame;
        if sea_level.is_some() {
            // The snow line was relative to another sea.
            frame.scenery.snow_line = None;
        }
        let measures = Measures {
            sea_level: sea_level.unwrap_or(sea),
            frame,
            size: fit.size(),
            span: 1.0,
        };
        let reason = match &source {
            Source::Map(map) => map.reason.clone(),
            Source::Recipe { .. } | Source::World(_) => Reason::of("from the recipe"),
        };
        let reason = reason.with_relief(&arguments.change.scale);
        Ok(Self {
            source,
            name,
            measures,
            reason,
            fit,
            edits,
        })
    }

    /// Opens the source like [`open`](Self::open), for rendering. A map from a file is already stretched to 0 to 1, so
    /// that all options can be checked before the work starts. The range of a recipe's map is not known yet.
    pub(crate) fn open_to_show(
        arguments: &MapArgs,
        sea_level: Option<f32>,
    ) -> Result<Self, Failure> {
        let mut origin = Self::open(arguments, sea_level)?;
        if let Source::Map(map) = &mut origin.source
            && let Some(range) = origin.measures.stretch(&mut map.model)?
        {
            origin.name += &stretched(range);
        }
        Ok(origin)
    }

    /// Returns an error if there is not enough memory for the map together with `others` maps of the same size.
    pub(crate) fn check_memory(&self, others: u64) -> Result<(), Failure> {
        check_memory(&self.source, &self.fit, others)
    }

    /// Returns the rows of a folder of tiles, if it is not resampled or edited. They are read in bands, because the whole map may
    /// not fit into memory.
    pub(crate) fn rows(&self, progress: &Progress) -> Option<BandRows<'_>> {
        match &self.source {
            Source::World(world) if self.fit.resize.is_none() && self.edits.is_none() => {
                Some(BandRows::of_world(world, self.fit.region, progress))
            }
            Source::World(_) | Source::Map(_) | Source::Recipe { .. } => None,
        }
    }

    /// Reduces a large world of tiles if no size was requested, because a larger image would be of no use.
    pub(crate) fn show_smaller(&mut self) {
        let size = self.fit.region.size();
        let longer = size.width().max(size.height());
        if !matches!(self.source, Source::World(_))
            || self.fit.resize.is_some()
            || longer <= LARGEST_SHOWN
        {
            return;
        }
        let ratio = longer.div_ceil(LARGEST_SHOWN / 2).next_power_of_two();
        let cells = |side: usize| (side / ratio).max(2) as u64;
        let Ok(smaller) = MapSize::new(cells(size.width()), cells(size.height())) else {
            return;
        };
        let place = self.fit.frame.place.resized(size, smaller);
        self.fit.frame = MapFrame {
            place,
            ..self.fit.frame
        };
        self.fit.resize = Some(smaller);
        self.measures.frame = self.fit.frame;
        self.measures.size = smaller;
        self.name += &format!(", shown at 1/{ratio}");
    }

    /// Makes the map.
    pub(crate) fn make(self, progress: &Progress) -> Result<Land, Failure> {
        let Self {
            source,
            name,
            fit,
            edits,
            ..
        } = self;
        let (editing, refitting) = (progress.span(MADE, EDITED), progress.span(EDITED, 1.0));
        let mut about = name;
        let (map, holes) = match source {
            Source::Recipe { recipe, folder } => {
                let images = |name: &str| image(folder.as_deref(), name);
                let made = recipe.generate_with_holes(&images, &progress.span(0.0, MADE))?;
                let (heights, holes) = made;
                let frame = recipe.frame();
                let map = ElevationModel { heights, frame };
                let edited = edits::edited(edits, map, holes, &editing)?;
                about = source::about(&recipe, fit.size()) + &edited.words;
                (fit.apply(edited.model, &refitting)?, edited.holes)
            }
            Source::World(world) if edits.is_some() => {
                let map = ElevationModel {
                    heights: world.read(MapRegion::whole(world.size()))?,
                    frame: MapFrame {
                        elevation: fit.frame.elevation,
                        ..world.frame()
                    },
                };
                let edited = edits::edited(edits, map, None, &editing)?;
                about += &(dimensions(fit.size()) + &edited.words);
                (fit.apply(edited.model, &refitting)?, edited.holes)
            }
            Source::World(world) => {
                about += &dimensions(fit.size());
                (fit.read(&world, &refitting)?, None)
            }
            Source::Map(map) => {
                about += &dimensions(fit.size());
                (fit.apply(map.model, &refitting)?, map.holes)
            }
        };
        let holes = holes.map(|holes| fit.apply_to_holes(holes));
        Ok(Land { map, holes, about })
    }

    /// Makes the map for rendering: heights outside 0 to 1 (possible with `f32`) are stretched to this range, and the
    /// properties are adapted.
    pub(crate) fn make_to_show(self, progress: &Progress) -> Result<(Land, Measures), Failure> {
        let mut measures = self.measures;
        let mut land = self.make(progress)?;
        if let Some(range) = measures.stretch(&mut land.map)? {
            land.about += &stretched(range);
        }
        Ok((land, measures))
    }
}

/// Returns an error if there is not enough memory to make a map, and then `others` maps of its size.
fn check_memory(source: &Source, fit: &Fit, others: u64) -> Result<(), Failure> {
    let finished = memory::of_map(fit.size());
    let making = match source {
        Source::Recipe { recipe, .. } => memory::of_recipe(recipe),
        // It is in memory already. Rows of a world may be read in bands.
        Source::Map(_) | Source::World(_) => 0,
    };
    let resized = match source {
        Source::Recipe { recipe, .. } if fit.resize.is_some() => {
            memory::of_map(recipe.size) + finished
        }
        Source::Map(_) | Source::World(_) if fit.resize.is_some() => finished,
        _ => 0,
    };
    let after = match source {
        // The map that was read is also the finished map, or it is dropped.
        Source::Map(_) if fit.resize.is_none() => others * finished,
        _ if others > 0 => (1 + others) * finished,
        _ => 0,
    };
    let (width, height) = fit.size().into();
    memory::check(
        making.max(resized).max(after),
        format_args!("a map of {width}x{height} cells"),
    )
}

/// Returns the fit of the source, and its sea level.
///
/// A map that was read is cropped at once, because its range determines how it is rendered.
fn look_at(
    source: &mut Source,
    arguments: &MapArgs,
    (resize, scale): (ResizeArgs, ScaleArgs),
    engine: &EngineArgs,
) -> Result<(Fit, f32), Failure> {
    let scale = &scale;
    let whole = match source {
        Source::Recipe { recipe, .. } => recipe.size,
        Source::Map(map) => map.model.size(),
        Source::World(world) => world.size(),
    };
    let refit = &engine.refit(resize, whole)?;
    Ok(match source {
        Source::Recipe { recipe, .. } => {
            if engine.engine.is_some() && scale.given() {
                // The spacing option is that of the engine's cells.
                let coarsening = refit.longer_coarsening(whole)?;
                recipe.scale = Some(scale.of_recipe(recipe, coarsening)?);
            }
            let fit = Fit::of_recipe(refit, scale, (recipe, source::name(&arguments.source)))?;
            (fit, recipe.water_level())
        }
        Source::Map(read) => {
            let map = &mut read.model;
            map.frame = scale.of_file((map.frame, map.size()), refit)?;
            let mut fit = Fit::new(refit, scale, (map.frame, map.size()))?;
            if refit.crop.is_some() {
                *map = map.cropped(fit.region)?;
                let holes = read.holes.take();
                read.holes = holes.map(|holes| edits::cropped(&holes, fit.region));
                fit.region = MapRegion::whole(map.size());
            }
            let range = read.range.unwrap_or_else(|| map.heights.range());
            (fit, sea_of(range, &map.frame, read.reason.one()))
        }
        Source::World(world) => {
            let frame = scale.of_file((world.frame(), world.size()), refit)?;
            let fit = Fit::new(refit, scale, (frame, world.size()))?;
            world.check_complete(fit.region)?;
            (fit, world.recipe().water_level())
        }
    })
}

/// The longer side of the largest world of tiles that is rendered with one pixel per cell.
const LARGEST_SHOWN: usize = 8192;

/// The share of the work after which the map is made, in its own cells.
const MADE: f32 = 0.9;

/// The share of the work after which edits are applied.
const EDITED: f32 = 0.95;

/// Returns the size of a map, to be appended to its name.
fn dimensions(size: MapSize) -> String {
    format!(", {}x{}", size.width(), size.height())
}

fn stretched((low, high): (f32, f32)) -> String {
    format!(", heights {low} to {high} stretched to 0 to 1")
}

/// Reads an image that a recipe refers to: a heightmap file next to the recipe, or in a folder below it. A recipe may
/// come from an untrusted source, so it must not read other files.
///
/// Recipes use heights from 0 to 1, so an image with other heights, for instance in meters, is stretched to this range.
pub(crate) fn image(folder: Option<&Path>, name: &str) -> Result<Heightmap, String> {
    let Some(folder) = folder else {
        return Err(
            "images need a recipe in a file, because they are read from next to it".to_owned(),
        );
    };
    let is_below = |part: Component| matches!(part, Component::Normal(_));
    if !Path::new(name).components().all(is_below) {
        return Err("an image must be next to its recipe or in a folder below it".to_owned());
    }
    let arguments = MapArgs::of_file(name);
    let found = read::file(&folder.join(name), &arguments).map_err(|error| error.to_string())?;
    let mut heights = found.model.heights;
    if !matches!(heights.range(), (0.0.., ..=1.0)) {
        heights.normalize();
    }
    Ok(heights)
}
