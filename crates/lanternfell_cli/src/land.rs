//! The map that a command works on, whatever it comes from.

use std::path::{Component, Path};

use lanternfell_heightmap::{
    Cover, Heightmap, MapSize, Preset, Progress, Scale, Window, filter::Resampling, render::Look,
};

use crate::{
    args::{MapArgs, ScaleArgs},
    failure::Failure,
    geo_frame::GeoFrame,
    read::{self, Found},
    source::{self, Source},
};

/// The sea of a map that comes without one, as a part of its range: slightly above the lowest
/// ground.
const SEA_LEVEL: f32 = 0.04;

/// Where a map comes from: found and checked, but not made yet.
pub(crate) struct Origin {
    source: Source,
    /// As the user calls it.
    name: String,
    /// How large it is, and where.
    pub(crate) ground: GeoFrame,
    /// What is to be seen of it.
    pub(crate) measures: Measures,
    /// The part of it that is wanted, and in how many cells.
    window: Window,
    resize: Option<MapSize>,
}

/// What a picture must know beside the heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measures {
    /// The user's, a recipe's own, or what suits its generator; of a file 0 if some of it lies
    /// below, or else just above the lowest ground.
    pub(crate) sea_level: f32,
    pub(crate) scale: Scale,
    /// Whether the scale was said, by the recipe, the file or the user, and is no default.
    is_said: bool,
    /// Heights of the map in one of the picture.
    pub(crate) span: f64,
    /// Cells of the longer side.
    cells: usize,
    /// What grows, as far as a preset's name tells.
    pub(crate) cover: Cover,
}

/// A map, and what is known about it.
pub(crate) struct Land {
    pub(crate) map: Heightmap,
    /// A few words.
    pub(crate) about: String,
}

impl Measures {
    /// How far a height of 1 rises, in lengths of the map's longer side, as far as pictures go;
    /// if its scale was said.
    pub(crate) fn vertical_scale(&self) -> Option<f64> {
        let rise = f64::from(self.scale.steepness()) / self.cells as f64;
        self.is_said.then_some(rise.clamp(0.01, 2.0))
    }

    /// What the land looks like.
    pub(crate) fn look(&self) -> Look {
        Look {
            cover: self.cover,
            relief: self.is_said.then_some(self.scale.relief),
            snow_line: None,
        }
    }

    /// Stretches a map to 0 to 1, so that it can be drawn, if it goes beyond (possible in `f32`);
    /// and all that is measured in its heights with it. Returns its range as it was, if so.
    pub(crate) fn stretch(&mut self, map: &mut Heightmap) -> Option<(f32, f32)> {
        let (low, high) = map.range();
        if low >= 0.0 && high <= 1.0 {
            return None;
        }
        map.normalize();
        let span = f64::from(high) - f64::from(low);
        let sea = (f64::from(self.sea_level) - f64::from(low)) / span;
        self.sea_level = if span > 0.0 {
            sea.clamp(0.0, 1.0) as f32
        } else {
            0.0
        };
        self.span *= span;
        if self.is_said {
            let relief = f64::from(self.scale.relief) * span;
            let (least, most) = (f64::from(f32::MIN_POSITIVE), f64::from(Scale::MAX));
            self.scale.relief = relief.clamp(least, most) as f32;
        }
        Some((low, high))
    }
}

impl Origin {
    /// Finds the map. `sea_level` is what the user says of it.
    pub(crate) fn open(arguments: &MapArgs, sea_level: Option<f32>) -> Result<Self, Failure> {
        let mut source = source::open(arguments)?;
        let Known {
            sea_level: sea,
            ground,
            is_said,
            window,
        } = look_at(&mut source, arguments)?;
        let resize = arguments.resize.resize;
        let ground = ground.resized(window.size(), resize);
        let size = resize.unwrap_or(window.size());
        let measures = Measures {
            sea_level: sea_level.unwrap_or(sea),
            scale: ground.scale,
            is_said,
            span: 1.0,
            cover: Preset::find(&arguments.source).map_or(Cover::default(), |preset| preset.cover),
            cells: size.width().max(size.height()),
        };
        Ok(Self {
            source,
            name: arguments.source.clone(),
            ground,
            measures,
            window,
            resize,
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
        if let Source::Map(found) = &mut origin.source
            && let Some(range) = origin.measures.stretch(&mut found.map)
        {
            origin.name += &stretched(range);
        }
        Ok(origin)
    }

    /// Makes the map, as it is.
    pub(crate) fn make(self, progress: &Progress) -> Result<Land, Failure> {
        let (map, mut about) = match self.source {
            Source::Recipe { recipe, folder } => {
                let images = |name: &str| image(folder.as_deref(), name);
                let progress = progress.span(0.0, MADE);
                let map = recipe.generate_with(&images, &progress)?;
                (map, source::about(&recipe))
            }
            Source::Map(Found { map, .. }) => {
                let about = format!("{}, {}x{}", self.name, map.width(), map.height());
                (map, about)
            }
        };
        let whole = map.size();
        let map = refitted(map, self.window, self.resize, &progress.span(MADE, 1.0))?;
        if map.size() != whole {
            about += &format!(" in {}x{}", map.width(), map.height());
        }
        Ok(Land { map, about })
    }

    /// Makes the map to be shown: heights outside 0 to 1 (possible in `f32`) are stretched to
    /// that range, and the measures with them.
    pub(crate) fn make_to_show(self, progress: &Progress) -> Result<(Land, Measures), Failure> {
        let mut measures = self.measures;
        let mut land = self.make(progress)?;
        if let Some(range) = measures.stretch(&mut land.map) {
            land.about += &stretched(range);
        }
        Ok((land, measures))
    }
}

/// What a source tells before its map is made.
struct Known {
    sea_level: f32,
    ground: GeoFrame,
    is_said: bool,
    /// The part that is still to be cut out.
    window: Window,
}

/// Of a map that is read the part is cut out at once: what can be seen of it depends on that
/// alone.
fn look_at(source: &mut Source, arguments: &MapArgs) -> Result<Known, Failure> {
    let refit = &arguments.resize;
    Ok(match source {
        Source::Recipe { recipe, .. } => {
            let window = refit.window(recipe.size)?;
            Known {
                sea_level: recipe.water_level(),
                ground: GeoFrame::at_origin(recipe.scale()).part(recipe.size, window),
                is_said: recipe.scale.is_some(),
                window,
            }
        }
        Source::Map(found) => {
            let whole = found.map.size();
            let window = refit.window(whole)?;
            let (ground, is_said) = ground(found, &arguments.change.scale)?;
            if refit.crop.is_some() {
                found.map = cut(&found.map, window)?;
            }
            Known {
                sea_level: sea_of(&found.map),
                ground: ground.part(whole, window),
                is_said,
                window: Window::whole(window.size()),
            }
        }
    })
}

/// The part of the work after which the map is made, in its own cells.
const MADE: f32 = 0.9;

/// The part of the map, in so many cells, if that is wanted.
pub(crate) fn refitted(
    map: Heightmap,
    window: Window,
    size: Option<MapSize>,
    progress: &Progress,
) -> Result<Heightmap, Failure> {
    let map = if window.size() == map.size() {
        map
    } else {
        cut(&map, window)?
    };
    Ok(match size {
        Some(size) => map.resampled(size, Resampling::Bicubic, progress)?,
        None => map,
    })
}

fn cut(map: &Heightmap, window: Window) -> Result<Heightmap, Failure> {
    Ok(map.cropped((window.x(), window.y()), window.size())?)
}

fn stretched((low, high): (f32, f32)) -> String {
    format!(", its heights {low} to {high} stretched to 0 to 1")
}

/// How large a map from a file is and where, and whether that was said.
///
/// Heights that go beyond 0 to 1, on a map that has a place on the ground, are metres.
fn ground(found: &Found, asked: &ScaleArgs) -> Result<(GeoFrame, bool), Failure> {
    let by_size = Scale::of_size(found.map.size());
    let placed = found.geo_reference.map(|reference| {
        let spacing = reference.spacing() as f32;
        let (low, high) = found.map.range();
        let in_metres = low < 0.0 || high > 1.0;
        let relief = if in_metres {
            1.0
        } else {
            by_size.relief * spacing / by_size.spacing
        };
        Scale { spacing, relief }
    });
    let placed = placed.filter(|scale| scale.validate().is_ok());
    let scale = asked.or(found.scale.or(placed).unwrap_or(by_size))?;
    let mut ground = GeoFrame::at_origin(scale);
    // Who says how wide the cells are knows better than the file.
    if let (Some(geo_reference), false) = (found.geo_reference, asked.spacing_given()) {
        ground.geo_reference = geo_reference;
    }
    let is_said = found.scale.is_some() || placed.is_some() || asked.given();
    Ok((ground, is_said))
}

/// The height of the sea on a map of which nothing is known.
fn sea_of(map: &Heightmap) -> f32 {
    let (low, high) = map.range();
    if low < 0.0 && high > 0.0 {
        return 0.0;
    }
    if (0.0..=1.0).contains(&low) && high <= 1.0 {
        return SEA_LEVEL;
    }
    low + SEA_LEVEL * (high - low)
}

/// An image that a recipe names: a heightmap in a file beside it, or in a folder there. A
/// recipe may come from anywhere, and must not read whatever it likes.
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
    Ok(found.map)
}
