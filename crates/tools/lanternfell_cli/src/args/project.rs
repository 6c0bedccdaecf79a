//! The options of `--project`.

use clap::{Args, ValueEnum};
use lanternfell_heightmap::filter::Resampling;
use lanternfell_io::Plane;

/// The plane and the interpolation.
#[derive(Debug, Args, Default, Clone, Copy)]
pub(crate) struct ProjectArgs {
    /// Resample a map with a georeference to square cells in meters, of the size --spacing [default: the same area per
    /// cell]. The result is a rectangle that the map covers completely; with --fill it covers the whole map. --crop
    /// comes before it, --resize after it
    #[arg(long, value_name = "PLANE", value_enum)]
    pub(crate) project: Option<PlaneName>,

    /// Interpolation of --project [default: bicubic]
    #[arg(long, value_name = "KIND", value_enum)]
    pub(crate) resampling: Option<Interpolation>,
}

/// A plane. The comments on the variants are help texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlaneName {
    /// The zone of UTM on WGS 84 that contains the center of the map
    Utm,
    /// For maps in degrees and Web Mercator, a transverse Mercator projection around the center of the map; for others,
    /// their own coordinate system
    Meters,
}

/// The interpolation between cells. The comments on the variants are help texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Interpolation {
    /// Linear, from 2x2 cells
    Bilinear,
    /// Smooth, from 4x4 cells
    #[value(alias = "cubic")]
    Bicubic,
}

impl From<PlaneName> for Plane {
    fn from(name: PlaneName) -> Self {
        match name {
            PlaneName::Utm => Self::Utm,
            PlaneName::Meters => Self::Meters,
        }
    }
}

impl ProjectArgs {
    /// Returns whether any of the options was given.
    pub(crate) fn given(&self) -> bool {
        self.project.is_some() || self.resampling.is_some()
    }

    pub(crate) fn resampling(&self) -> Resampling {
        match self.resampling {
            Some(Interpolation::Bilinear) => Resampling::Bilinear,
            Some(Interpolation::Bicubic) | None => Resampling::Bicubic,
        }
    }
}
