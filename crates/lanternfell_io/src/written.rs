//! The input of a format's writer: the numbers of a map and their meaning.

#[cfg(any(feature = "exr", feature = "png"))]
use crate::ExportError;
#[cfg(feature = "mesh-files")]
use crate::Format;
use crate::numbers::Rows;
#[cfg(any(feature = "exr", feature = "png"))]
use lanternfell_heightmap::ElevationModel;
use lanternfell_heightmap::MapFrame;

/// A map that is being written.
pub(super) struct Written<'a> {
    #[cfg(any(feature = "exr", feature = "png"))]
    pub(super) model: &'a ElevationModel,
    #[cfg(feature = "mesh-files")]
    pub(super) format: Format,
    /// The numbers to write.
    pub(super) rows: Rows<'a>,
    /// The frame that describes these numbers and the cells.
    pub(super) frame: MapFrame,
    /// See [`WriteOptions::keep_no_data`](crate::WriteOptions::keep_no_data).
    pub(super) keeps_no_data: bool,
}

#[cfg(any(feature = "exr", feature = "png"))]
impl Written<'_> {
    /// Returns the JSON of the sidecar, which PNG and OpenEXR files embed, or `None` if the map has no metadata.
    pub(super) fn text(&self) -> Result<Option<String>, ExportError> {
        let MapFrame {
            elevation_is_explicit,
            place_is_explicit,
            scenery,
            ..
        } = self.frame;
        let is_explicit = elevation_is_explicit || place_is_explicit || scenery.is_known();
        let sidecar = crate::Sidecar::of(self.model, None, self.frame.elevation);
        is_explicit.then(|| sidecar.to_line()).transpose()
    }
}
