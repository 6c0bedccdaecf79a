//! Which cells of a map the finished map has.

use clap::Args;
use lanternfell_heightmap::{MapRegion, MapSize};

use crate::failure::Failure;

/// Which cells the finished map has.
#[derive(Debug, Args, Default, Clone, Copy)]
pub(crate) struct ResizeArgs {
    /// Select a region of `WxH` cells, whose northwest cell is column X and row Y
    #[arg(long, value_name = "WxH+X+Y", value_parser = crop)]
    pub(crate) crop: Option<Crop>,

    /// Resample the map to this number of cells. The area stays the same
    #[arg(long, value_name = "WxH", value_parser = super::map_size)]
    pub(crate) resize: Option<MapSize>,
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Crop {
    size: MapSize,
    x: usize,
    y: usize,
}

impl ResizeArgs {
    /// Returns whether any of the options was given.
    pub(crate) fn given(&self) -> bool {
        self.crop.is_some() || self.resize.is_some()
    }

    /// Returns the options for the square in the middle of the selected region.
    pub(crate) fn middle_square(self, whole: MapSize) -> Result<Self, Failure> {
        let region = self.region(whole)?;
        let (width, height) = (region.size().width(), region.size().height());
        if width == height {
            return Ok(self);
        }
        let side = width.min(height);
        let size = MapSize::of_world(side as u64, side as u64)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let (x, y) = (
            region.x() + (width - side) / 2,
            region.y() + (height - side) / 2,
        );
        let crop = Some(Crop { size, x, y });
        Ok(Self { crop, ..self })
    }

    /// Returns the options for a map that was already cropped.
    pub(crate) fn cropped(self) -> Self {
        Self { crop: None, ..self }
    }

    /// Returns how many cells of a map of this size a cell of the finished map is wide and high.
    pub(crate) fn coarsening(&self, whole: MapSize) -> Result<[f64; 2], Failure> {
        let from = self.region(whole)?.size();
        let to = self.resize.unwrap_or(from);
        let wider = |old: usize, new: usize| (old - 1) as f64 / (new - 1) as f64;
        Ok([
            wider(from.width(), to.width()),
            wider(from.height(), to.height()),
        ])
    }

    /// Returns the same along the longer side of the finished map.
    pub(crate) fn longer_coarsening(&self, whole: MapSize) -> Result<f64, Failure> {
        let to = self.resize.unwrap_or(self.region(whole)?.size());
        let [across, down] = self.coarsening(whole)?;
        Ok(if to.width() >= to.height() {
            across
        } else {
            down
        })
    }

    /// Returns the selected region of a map of this size.
    pub(crate) fn region(&self, whole: MapSize) -> Result<MapRegion, Failure> {
        let Some(Crop { size, x, y }) = self.crop else {
            return Ok(MapRegion::whole(whole));
        };
        MapRegion::new(x, y, size, whole).ok_or_else(|| {
            let [crop, whole] = [size, whole].map(|size| (size.width(), size.height()));
            let crop = format!("{}x{}+{x}+{y}", crop.0, crop.1);
            let whole = format!("{}x{}", whole.0, whole.1);
            Failure::Usage(format!(
                "--crop {crop} is outside of the map, which has {whole} cells"
            ))
        })
    }
}

fn crop(text: &str) -> Result<Crop, String> {
    let words = || "must be WIDTHxHEIGHT+X+Y in whole numbers, for example 640x480+0+32".to_owned();
    let (size, place) = text.split_once('+').ok_or_else(words)?;
    let (x, y) = place.split_once('+').ok_or_else(words)?;
    let number = |text: &str| text.parse().map_err(|_| words());
    Ok(Crop {
        size: super::map_size(size)?,
        x: number(x)?,
        y: number(y)?,
    })
}
