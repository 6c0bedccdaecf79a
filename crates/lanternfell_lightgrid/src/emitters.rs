//! The emitters of a grid: sources, and the ambient light of regions.

use glam::{IVec2, Vec3};

use crate::{
    area::Area,
    error::{LightError, check_range},
    grid::LightGrid,
    plane::Plane,
    scene::Scene,
    source::{Source, SourceConstraint},
};

impl LightGrid {
    /// The light sources.
    pub fn sources(&self) -> &[Source] {
        &self.scene.sources
    }

    /// Replaces all light sources. Setting the same sources again costs nothing.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if a field of a source is out of range or not finite. The sources are
    /// then unchanged.
    pub fn set_sources(&mut self, sources: &[Source]) -> Result<(), LightError> {
        if self.scene.sources == sources {
            return Ok(());
        }
        sources.iter().try_for_each(Source::validate)?;
        self.scene.sources.clear();
        self.scene.sources.extend_from_slice(sources);
        self.dirty.constraints = true;
        self.dirty.direct = true;
        Ok(())
    }

    /// The region of a cell. Default: 0.
    pub fn region(&self, cell: IVec2) -> u8 {
        self.scene.region(cell)
    }

    /// Assigns a cell to a region. Each region has its own [ambient light](Self::set_ambient).
    ///
    /// # Errors
    ///
    /// [`LightError::Outside`] if the cell is outside of the grid.
    pub fn set_region(&mut self, cell: IVec2, region: u8) -> Result<(), LightError> {
        let index = self.scene.index_or_error(cell)?;
        if self.region(cell) != region {
            let cells = self.scene.cells().len();
            // Allocated when the first cell leaves region 0, because most grids have only one
            // region.
            self.scene.regions.get_or_insert_with(|| vec![0; cells])[index] = region;
            self.mark_changed(Area::around(cell, 0, self.size()));
            self.edits.note_regions();
            self.dirty.ambient = true;
        }
        Ok(())
    }

    /// The ambient light of a region. Default: zero.
    pub fn ambient(&self, region: u8) -> Vec3 {
        self.scene.ambient(region)
    }

    /// Sets the ambient light of a region: the minimum light of its cells, for example from the sky
    /// over a courtyard. It flows out of the region like all light, so daylight enters the mouth of
    /// a cave.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if a component is not from 0 to [`Source::MAX_LIGHT`].
    pub fn set_ambient(&mut self, region: u8, light: Vec3) -> Result<(), LightError> {
        for value in light.to_array() {
            check_range("ambient", value, 0.0, Source::MAX_LIGHT)?;
        }
        if self.ambient(region) != light {
            let region = usize::from(region);
            let all = &mut self.scene.ambient;
            // Grows up to the highest region in use, at most 256 entries.
            all.resize(all.len().max(region + 1), Vec3::ZERO);
            all[region] = light;
            self.mark_region_changed(region as u8);
            self.dirty.ambient = true;
        }
        Ok(())
    }

    /// Marks the cells of a region as changed, so that [`drain_changes`](Self::drain_changes)
    /// reports them.
    fn mark_region_changed(&mut self, region: u8) {
        let whole = Area::whole(self.size());
        let own = match &self.scene.regions {
            // Without a map of regions all cells are in region 0.
            None => (region == 0).then_some(whole),
            Some(regions) => {
                let cells = whole.cells().zip(regions);
                let own = cells.filter(|&(_, &of)| of == region);
                own.map(|(cell, _)| Area::around(cell, 0, whole.end.as_uvec2()))
                    .reduce(Area::union)
            }
        };
        if let Some(own) = own {
            self.mark_changed(own);
        }
    }

    /// Computes the constraints that the sources put on cells.
    pub(crate) fn place_sources(&mut self) {
        for (color, channel) in self.channels.iter_mut().enumerate() {
            channel.set_constraints(constraints(&self.scene, color), |x, y| {
                self.regions[color].source_changed(x, y);
            });
        }
    }

    /// Computes the ambient light of each cell.
    pub(crate) fn place_ambient(&mut self) {
        let is_dark = self.scene.ambient.iter().all(|&light| light == Vec3::ZERO);
        for (color, channel) in self.channels.iter_mut().enumerate() {
            // Without ambient light no floor is stored, and sweeps skip it.
            channel.set_floor((!is_dark).then(|| floor(&self.scene, color)));
        }
        self.forget_cells();
    }
}

/// The constraints of all sources in one color, row by row. Each cell occurs once.
fn constraints(scene: &Scene, color: usize) -> Vec<(usize, usize, SourceConstraint)> {
    let mut constraints = Vec::new();
    for source in &scene.sources {
        let light = scene.in_color(source.light, color);
        let neighborhood = scene.settings.neighborhood;
        let is_opaque = |cell| scene.is_opaque(cell);
        let holds = source.holds(neighborhood, scene.rule.adjacent_light, is_opaque);
        for (cell, held, share) in holds {
            if scene.contains(cell) && light != 0.0 {
                let constraint = SourceConstraint {
                    held: (light * held).max(0.0),
                    dark: (-light * share).max(0.0),
                };
                constraints.push((cell.x as usize, cell.y as usize, constraint));
            }
        }
    }
    // Sorting by row makes equal cells adjacent, as `dedup_by` needs. `and` takes maxima, so the
    // order of the sources does not matter.
    constraints.sort_by_key(|&(x, y, _)| (y, x));
    constraints.dedup_by(|later, first| {
        let same = (later.0, later.1) == (first.0, first.1);
        if same {
            first.2 = first.2.and(later.2);
        }
        same
    });
    constraints
}

/// The ambient light of every cell in one color.
fn floor(scene: &Scene, color: usize) -> Plane {
    let (width, height) = (scene.size.x as usize, scene.size.y as usize);
    let mut floor = Plane::new(width, height);
    for y in 0..height {
        for (x, light) in floor.row_mut(y, 0, width).iter_mut().enumerate() {
            let region = scene.regions.as_ref().map_or(0, |all| all[y * width + x]);
            *light = scene.in_color(scene.ambient(region), color);
        }
    }
    floor
}
