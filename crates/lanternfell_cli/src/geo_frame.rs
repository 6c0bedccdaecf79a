//! How large a map is in the world, and where it lies: kept through cropping and resizing.

use lanternfell_heightmap::{MapSize, Scale, Window, io::GeoReference};

/// How large a map is in the world, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GeoFrame {
    pub(crate) scale: Scale,
    pub(crate) geo_reference: GeoReference,
}

impl GeoFrame {
    /// At the origin of no coordinate system.
    pub(crate) fn at_origin(scale: Scale) -> Self {
        let geo_reference = GeoReference::at_origin(scale.spacing.into());
        Self {
            scale,
            geo_reference,
        }
    }

    /// The ground of a window on a map of the world's size.
    pub(crate) fn part(self, world: MapSize, window: Window) -> Self {
        let south = world.height() - window.y() - window.size().height();
        let cells = [window.x(), south].map(|cells| cells as f64);
        let [west, south] = self.geo_reference.corner;
        let corner = [
            west + cells[0] * self.geo_reference.cell,
            south + cells[1] * self.geo_reference.cell,
        ];
        let geo_reference = GeoReference {
            corner,
            ..self.geo_reference
        };
        Self {
            geo_reference,
            ..self
        }
    }

    /// The same ground under other cells: the outermost ones have their middles where they
    /// were. Of a map that gets wider than it gets high, the longer side tells the spacing, and
    /// the place is lost.
    pub(crate) fn resized(self, from: MapSize, to: Option<MapSize>) -> Self {
        let Some(to) = to else {
            return self;
        };
        let wider = |old: usize, new: usize| (old - 1) as f64 / (new - 1) as f64;
        let (x, y) = (
            wider(from.width(), to.width()),
            wider(from.height(), to.height()),
        );
        let along = if to.width() >= to.height() { x } else { y };
        let spacing = (f64::from(self.scale.spacing) * along) as f32;
        let scale = Scale {
            spacing,
            ..self.scale
        };
        if (x / y - 1.0).abs() > 0.01 {
            return Self::at_origin(scale);
        }
        let cell = self.geo_reference.cell * along;
        let inwards = 0.5 * (self.geo_reference.cell - cell);
        let geo_reference = GeoReference {
            corner: self.geo_reference.corner.map(|part| part + inwards),
            cell,
            ..self.geo_reference
        };
        Self {
            scale,
            geo_reference,
        }
    }
}
