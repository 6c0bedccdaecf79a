//! What lights the grid: sources, and the ambient light of regions.

use glam::{IVec2, Vec3};

use crate::{LightError, LightGrid, Source, error::check_range, plane::Plane, source::Pin};

impl LightGrid {
    /// The sources of light.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Replaces all sources of light. Those that stay as they were cost nothing.
    ///
    /// # Errors
    ///
    /// One is not finite or too strong. Nothing is changed then.
    pub fn set_sources(&mut self, sources: &[Source]) -> Result<(), LightError> {
        if self.sources == sources {
            return Ok(());
        }
        sources.iter().try_for_each(Source::validate)?;
        self.sources.clear();
        self.sources.extend_from_slice(sources);
        self.stale.pins = true;
        self.stale.direct = true;
        Ok(())
    }

    /// The region that a cell belongs to; 0 unless it was changed.
    pub fn region(&self, cell: IVec2) -> u8 {
        let regions = self.regions.as_ref().zip(self.index(cell));
        regions.map_or(0, |(regions, index)| regions[index])
    }

    /// Puts a cell into a region, for which an ambient light can be set.
    ///
    /// # Errors
    ///
    /// There is no such cell.
    pub fn set_region(&mut self, cell: IVec2, region: u8) -> Result<(), LightError> {
        let index = self.index_or_error(cell)?;
        if self.region(cell) != region {
            let cells = self.cells.len();
            self.regions.get_or_insert_with(|| vec![0; cells])[index] = region;
            self.stale.ambient = true;
        }
        Ok(())
    }

    /// The ambient light of a region.
    pub fn ambient(&self, region: u8) -> Vec3 {
        let ambient = self.ambient.get(usize::from(region));
        ambient.copied().unwrap_or(Vec3::ZERO)
    }

    /// Sets the light that every cell of a region has at least: the sky over a yard. It
    /// flows out of the region like all light: daylight falls into a cave's mouth.
    ///
    /// # Errors
    ///
    /// The light is outside of 0 to [`Source::MAX_LIGHT`].
    pub fn set_ambient(&mut self, region: u8, light: Vec3) -> Result<(), LightError> {
        for value in light.to_array() {
            check_range("ambient", value, 0.0, Source::MAX_LIGHT)?;
        }
        if self.ambient(region) != light {
            let region = usize::from(region);
            let regions = self.ambient.len().max(region + 1);
            self.ambient.resize(regions, Vec3::ZERO);
            self.ambient[region] = light;
            self.stale.ambient = true;
        }
        Ok(())
    }

    /// Finds what the sources ask of which cells.
    pub(crate) fn place_sources(&mut self) {
        for color in 0..self.channels.len() {
            let mut pins = Vec::new();
            for source in &self.sources {
                let light = self.in_color(source.light, color);
                let holds = source.holds(self.beside, |cell| self.is_opaque(cell));
                for (cell, held, share) in holds {
                    if self.contains(cell) && light != 0.0 {
                        let pin = Pin {
                            held: (light * held).max(0.0),
                            dark: (-light * share).max(0.0),
                        };
                        pins.push((cell.x as usize, cell.y as usize, pin));
                    }
                }
            }
            pins.sort_by_key(|&(x, y, _)| (y, x));
            pins.dedup_by(|later, first| {
                let same = (later.0, later.1) == (first.0, first.1);
                if same {
                    first.2 = first.2.and(later.2);
                }
                same
            });
            self.channels[color].set_pins(pins);
        }
    }

    /// Finds the light that each cell has at least.
    pub(crate) fn place_ambient(&mut self) {
        let (width, height) = (self.size.x as usize, self.size.y as usize);
        for color in 0..self.channels.len() {
            let none = self.ambient.iter().all(|&light| light == Vec3::ZERO);
            let floor = (!none).then(|| {
                let mut floor = Plane::new(width, height);
                for y in 0..height {
                    for (x, light) in floor.row_mut(y, 0, width).iter_mut().enumerate() {
                        let region = self.regions.as_ref().map_or(0, |all| all[y * width + x]);
                        *light = self.in_color(self.ambient(region), color);
                    }
                }
                floor
            });
            self.channels[color].set_floor(floor);
        }
    }
}
