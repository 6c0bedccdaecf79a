//! The map that a command works on, whatever it comes from.

use std::path::{Component, Path};

use lanternfell_heightmap::{
    Cover, ElevationModel, GroundScale, Heightmap, MapFrame, MapSize, Progress, Recipe, Scale,
    Window, filter::Resampling,
};
use lanternfell_render::Look;

use crate::{
    args::{MapArgs, ScaleArgs},
    engine::EngineArgs,
    failure::Failure,
    frame::{frame_of_recipe, sea_of},
    read,
    rows::BandRows,
    source::{self, Source},
    world::World,
};

/// Where a map comes from: found and checked, but not made yet.
pub(crate) struct Origin {
    source: Source,
    /// As the user calls it.
    name: String,
    /// What is known of the finished map.
    pub(crate) measures: Measures,
    fit: Fit,
}

/// Which cells of a map are wanted, and in how many.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fit {
    window: Window,
    resize: Option<MapSize>,
    /// Where the finished map lies.
    frame: MapFrame,
}

/// What a picture must know beside the heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measures {
    /// The user's, a recipe's own, or what suits its generator; of a file what it says, or 0 m if some of it lies
    /// below, or else just above the lowest ground.
    pub(crate) sea_level: f32,
    /// What heights and cells stand for.
    pub(crate) frame: MapFrame,
    pub(crate) size: MapSize,
    /// Heights of the map in one of the picture.
    pub(crate) span: f64,
}

/// A map, and what is known about it.
pub(crate) struct Land {
    pub(crate) map: ElevationModel,
    /// A few words.
    pub(crate) about: String,
}

impl Measures {
    /// From cells and heights to metres.
    pub(crate) fn scale(&self) -> Scale {
        self.frame.scale(self.size)
    }

    /// The same row by row and along both axes.
    pub(crate) fn ground(&self) -> GroundScale {
        self.frame.ground_scale(self.size)
    }

    /// How far a height of 1 rises, in lengths of the map's longer side, as far as pictures go;
    /// if its scale was said.
    pub(crate) fn vertical_scale(&self) -> Option<f64> {
        let cells = self.size.width().max(self.size.height());
        let rise = f64::from(self.scale().steepness()) / cells as f64;
        self.frame.place_is_said.then_some(rise.clamp(0.01, 2.0))
    }

    /// What grows, as far as a preset's name or a file tells.
    pub(crate) fn cover(&self) -> Cover {
        self.frame.scenery.cover.unwrap_or_default()
    }

    /// What the land looks like.
    pub(crate) fn look(&self) -> Look {
        let relief = self.scale().relief;
        Look {
            cover: self.cover(),
            relief: self.frame.place_is_said.then_some(relief),
            snow_line: self.frame.scenery.snow_line.map(|metres| metres as f32),
        }
    }

    /// Stretches a map to 0 to 1, so that it can be drawn, if it goes beyond (possible in `f32`);
    /// and all that is measured in its heights with it. Returns its range as it was, if so.
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
        let sea = (f64::from(self.sea_level) - f64::from(low)) / span;
        self.sea_level = if span > 0.0 {
            sea.clamp(0.0, 1.0) as f32
        } else {
            0.0
        };
        self.span *= span;
        self.frame.elevation = map.frame.elevation;
        Ok(Some((low, high)))
    }
}

impl Fit {
    /// What is asked for of a map of that size in that frame.
    pub(crate) fn new(
        arguments: &crate::args::ResizeArgs,
        scale: &ScaleArgs,
        (frame, whole): (MapFrame, MapSize),
    ) -> Result<Self, Failure> {
        let window = arguments.window(whole)?;
        let resize = arguments.resize;
        let mut place = frame.place.part(whole, window);
        if let Some(size) = resize {
            place = place.resized(window.size(), size);
        }
        let size = resize.unwrap_or(window.size());
        let frame = MapFrame { place, ..frame };
        Ok(Self {
            window,
            resize,
            frame: scale.settled(frame, size),
        })
    }

    /// Of a recipe's map.
    pub(crate) fn of_recipe(
        arguments: &crate::args::ResizeArgs,
        scale: &ScaleArgs,
        (recipe, name): (&Recipe, &str),
    ) -> Result<Self, Failure> {
        Self::new(
            arguments,
            scale,
            (frame_of_recipe(recipe, name), recipe.size),
        )
    }

    /// The size of the finished map.
    fn size(&self) -> MapSize {
        self.resize.unwrap_or(self.window.size())
    }

    /// The part of a world of tiles, in so many cells: of many more it is the means that are resized.
    fn read(&self, world: &World, progress: &Progress) -> Result<ElevationModel, Failure> {
        let (from, to) = (self.window.size(), self.size());
        let times = |from: usize, to: usize| (from / to).max(1);
        let ratio = times(from.width(), to.width()).min(times(from.height(), to.height()));
        // A bicubic look at a few cells in the middle of many would see the roughness of one.
        let ratio = if ratio < 4 { 1 } else { ratio / 2 };
        if from.width().max(from.height()) / ratio > MapSize::MAX_SIDE as usize {
            let most = MapSize::MAX_SIDE;
            return Err(Failure::Usage(format!(
                "a map has at most {most} cells a side, and this world has {}x{}: take a part with \
                 --crop, or show it in fewer cells with --resize",
                from.width(),
                from.height()
            )));
        }
        let heights = match ratio {
            1 => world.read(self.window)?,
            _ => world.read_reduced(self.window, ratio)?,
        };
        let mut map = ElevationModel {
            heights,
            frame: self.frame,
        };
        if map.size() != to {
            map = map.resampled(to, Resampling::Bicubic, progress)?;
        }
        map.frame = self.frame;
        Ok(map)
    }

    /// The part of the map, in so many cells.
    pub(crate) fn apply(
        &self,
        map: ElevationModel,
        progress: &Progress,
    ) -> Result<ElevationModel, Failure> {
        let map = if self.window.size() == map.size() {
            map
        } else {
            map.cropped(self.window)?
        };
        let mut map = match self.resize {
            Some(size) => map.resampled(size, Resampling::Bicubic, progress)?,
            None => map,
        };
        // To the digits that were asked for.
        map.frame.place = self.frame.place;
        map.frame.scenery = self.frame.scenery;
        Ok(map)
    }
}

impl Origin {
    /// Finds the map. `sea_level` is what the user says of it.
    pub(crate) fn open(arguments: &MapArgs, sea_level: Option<f32>) -> Result<Self, Failure> {
        Self::open_sized(arguments, sea_level, &EngineArgs::default())
    }

    /// As [`open`](Self::open), in a size that an engine takes.
    pub(crate) fn open_for(engine: &EngineArgs, arguments: &MapArgs) -> Result<Self, Failure> {
        Self::open_sized(arguments, None, engine)
    }

    fn open_sized(
        arguments: &MapArgs,
        sea_level: Option<f32>,
        engine: &EngineArgs,
    ) -> Result<Self, Failure> {
        let mut source = source::open(arguments)?;
        let (fit, sea) = look_at(&mut source, arguments, engine)?;
        let mut frame = fit.frame;
        if sea_level.is_some() {
            // It was said of another sea.
            frame.scenery.snow_line = None;
        }
        let measures = Measures {
            sea_level: sea_level.unwrap_or(sea),
            frame,
            size: fit.size(),
            span: 1.0,
        };
        Ok(Self {
            source,
            name: arguments.source.clone(),
            measures,
            fit,
        })
    }

    /// As [`open`](Self::open), for a picture: a file's map that goes beyond 0 to 1 is stretched
    /// already, so that all settings can be checked before there is work. What a recipe's
    /// comes to is not known yet.
    pub(crate) fn open_to_show(
        arguments: &MapArgs,
        sea_level: Option<f32>,
    ) -> Result<Self, Failure> {
        let mut origin = Self::open(arguments, sea_level)?;
        if let Source::Map(map) = &mut origin.source
            && let Some(range) = origin.measures.stretch(map)?
        {
            origin.name += &stretched(range);
        }
        Ok(origin)
    }

    /// The rows of a folder of tiles that is wanted cell by cell: to be looked at a band at a time, where a
    /// whole map may not fit into memory.
    pub(crate) fn rows(&self) -> Option<BandRows<'_>> {
        match &self.source {
            Source::World(world) if self.fit.resize.is_none() => {
                Some(BandRows::of_world(world, self.fit.window))
            }
            Source::World(_) | Source::Map(_) | Source::Recipe { .. } => None,
        }
    }

    /// Shows a large world of tiles in fewer cells, if none were asked for: a picture of so many nobody
    /// can look at.
    pub(crate) fn show_smaller(&mut self) {
        let size = self.fit.window.size();
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

    /// Makes the map, as it is.
    pub(crate) fn make(self, progress: &Progress) -> Result<Land, Failure> {
        let Self {
            source, name, fit, ..
        } = self;
        let refitting = progress.span(MADE, 1.0);
        Ok(match source {
            Source::Recipe { recipe, folder } => {
                let images = |name: &str| image(folder.as_deref(), name);
                let heights = recipe.generate_with(&images, &progress.span(0.0, MADE))?;
                let frame = recipe.frame();
                let map = fit.apply(ElevationModel { heights, frame }, &refitting)?;
                let about = source::about(&recipe, map.size());
                Land { map, about }
            }
            Source::World(world) => {
                let map = fit.read(&world, &refitting)?;
                let about = format!("{name}, {}x{}", map.size().width(), map.size().height());
                Land { map, about }
            }
            Source::Map(map) => {
                let map = fit.apply(*map, &refitting)?;
                let about = format!("{name}, {}x{}", map.size().width(), map.size().height());
                Land { map, about }
            }
        })
    }

    /// Makes the map to be shown: heights outside 0 to 1 (possible in `f32`) are stretched to
    /// that range, and the measures with them.
    pub(crate) fn make_to_show(self, progress: &Progress) -> Result<(Land, Measures), Failure> {
        let mut measures = self.measures;
        let mut land = self.make(progress)?;
        if let Some(range) = measures.stretch(&mut land.map)? {
            land.about += &stretched(range);
        }
        Ok((land, measures))
    }
}

/// What is wanted of the source, and where its sea stands.
///
/// Of a map that is read the part is cut out at once: what can be seen of it depends on that
/// alone.
fn look_at(
    source: &mut Source,
    arguments: &MapArgs,
    engine: &EngineArgs,
) -> Result<(Fit, f32), Failure> {
    let scale = &arguments.change.scale;
    let whole = match source {
        Source::Recipe { recipe, .. } => recipe.size,
        Source::Map(map) => map.size(),
        Source::World(world) => world.size(),
    };
    let refit = &engine.refit(arguments.resize, whole)?;
    Ok(match source {
        Source::Recipe { recipe, .. } => {
            if engine.engine.is_some() && scale.given() {
                // The spacing that was asked for is that of the engine's cells.
                let coarsening = refit.longer_coarsening(whole)?;
                recipe.scale = Some(scale.of_recipe(recipe, coarsening)?);
            }
            let fit = Fit::of_recipe(refit, scale, (recipe, &arguments.source))?;
            (fit, recipe.water_level())
        }
        Source::Map(map) => {
            map.frame = scale.of_file((map.frame, map.size()), refit)?;
            let mut fit = Fit::new(refit, scale, (map.frame, map.size()))?;
            if refit.crop.is_some() {
                **map = map.cropped(fit.window)?;
                fit.window = Window::whole(map.size());
            }
            (fit, sea_of(map.heights.range(), &map.frame))
        }
        Source::World(world) => {
            let frame = scale.of_file((world.frame(), world.size()), refit)?;
            let fit = Fit::new(refit, scale, (frame, world.size()))?;
            (fit, world.recipe().water_level())
        }
    })
}

/// The longer side of a world of tiles that is drawn cell by cell.
const LARGEST_SHOWN: usize = 8192;

/// The part of the work after which the map is made, in its own cells.
const MADE: f32 = 0.9;

fn stretched((low, high): (f32, f32)) -> String {
    format!(", its heights {low} to {high} stretched to 0 to 1")
}

/// An image that a recipe names: a heightmap in a file beside it, or in a folder there. A
/// recipe may come from anywhere, and must not read whatever it likes.
///
/// Recipes are made of heights from 0 to 1: an image that goes beyond, as one in metres does, is
/// stretched to that.
pub(crate) fn image(folder: Option<&Path>, name: &str) -> Result<Heightmap, String> {
    let Some(folder) = folder else {
        return Err("only recipes in files have images, beside them".to_owned());
    };
    let is_below = |part: Component| matches!(part, Component::Normal(_));
    if !Path::new(name).components().all(is_below) {
        return Err("an image lies beside its recipe, or in a folder there".to_owned());
    }
    let arguments = MapArgs::of_file(name);
    let found = read::file(&folder.join(name), &arguments).map_err(|error| error.to_string())?;
    let mut heights = found.heights;
    if !matches!(heights.range(), (0.0.., ..=1.0)) {
        heights.normalize();
    }
    Ok(heights)
}
