//! The region and the number of cells that are wanted of a map.

use lanternfell_heightmap::{
    ElevationModel, HoleMask, MapFrame, MapRegion, MapSize, Progress, Recipe, filter::Resampling,
};

use crate::{
    args::{ResizeArgs, ScaleArgs},
    edits,
    failure::Failure,
    frame::frame_of_recipe,
    world::World,
};

/// The region and the number of cells that are wanted of a map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fit {
    pub(super) region: MapRegion,
    pub(super) resize: Option<MapSize>,
    /// The frame of the finished map.
    pub(super) frame: MapFrame,
}

impl Fit {
    /// Creates the fit for a map of this size and frame.
    pub(crate) fn new(
        arguments: &ResizeArgs,
        scale: &ScaleArgs,
        (frame, whole): (MapFrame, MapSize),
    ) -> Result<Self, Failure> {
        let region = arguments.region(whole)?;
        let resize = arguments.resize;
        let mut place = frame.place.part(whole, region);
        if let Some(size) = resize {
            place = place.resized(region.size(), size);
        }
        let size = resize.unwrap_or(region.size());
        let frame = MapFrame { place, ..frame };
        Ok(Self {
            region,
            resize,
            frame: scale.settled(frame, size),
        })
    }

    /// Creates the fit for a recipe's map.
    pub(crate) fn of_recipe(
        arguments: &ResizeArgs,
        scale: &ScaleArgs,
        (recipe, name): (&Recipe, &str),
    ) -> Result<Self, Failure> {
        Self::new(
            arguments,
            scale,
            (frame_of_recipe(recipe, name), recipe.size),
        )
    }

    /// Returns the size of the finished map.
    pub(crate) fn size(&self) -> MapSize {
        self.resize.unwrap_or(self.region.size())
    }

    /// Returns the frame of the finished map.
    pub(crate) fn frame(&self) -> &MapFrame {
        &self.frame
    }

    /// Reads the region of a world of tiles. If it has many more cells than wanted, means of squares of cells are read
    /// and then resampled.
    pub(super) fn read(
        &self,
        world: &World,
        progress: &Progress,
    ) -> Result<ElevationModel, Failure> {
        let (from, to) = (self.region.size(), self.size());
        let times = |from: usize, to: usize| (from / to).max(1);
        let ratio = times(from.width(), to.width()).min(times(from.height(), to.height()));
        // Bicubic resampling only samples a few cells, so without the means it would show the roughness of single
        // cells.
        let ratio = if ratio < 4 { 1 } else { ratio / 2 };
        if from.width().max(from.height()) / ratio > MapSize::MAX_SIDE as usize {
            let most = MapSize::MAX_SIDE;
            return Err(Failure::Usage(format!(
                "a map has at most {most} cells a side, but this world has {}x{}: select a region with \
                 --crop, or reduce it with --resize",
                from.width(),
                from.height()
            )));
        }
        let heights = match ratio {
            1 => world.read(self.region)?,
            _ => world.read_reduced(self.region, ratio)?,
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

    /// Crops and resamples a map.
    pub(crate) fn apply(
        &self,
        map: ElevationModel,
        progress: &Progress,
    ) -> Result<ElevationModel, Failure> {
        let map = if self.region.size() == map.size() {
            map
        } else {
            map.cropped(self.region)?
        };
        let mut map = match self.resize {
            Some(size) => map.resampled(size, Resampling::Bicubic, progress)?,
            None => map,
        };
        // Use exactly the requested cell size.
        map.frame.place = self.frame.place;
        map.frame.scenery = self.frame.scenery;
        Ok(map)
    }

    /// Crops and resamples the holes of a map.
    pub(crate) fn apply_to_holes(&self, holes: HoleMask) -> HoleMask {
        let holes = if self.region.size() == holes.size() {
            holes
        } else {
            edits::cropped(&holes, self.region)
        };
        match self.resize {
            Some(size) => holes.resampled(size),
            None => holes,
        }
    }
}
