//! The map: a grid of cells and its place in the world.

use std::{sync::Arc, time::Duration};

use bevy::{
    prelude::*,
    reflect::{ReflectDeserialize, ReflectSerialize},
};
use lanternfell_lightgrid::{Cell, Disc, LightError, LightGrid, LightSettings, Relief};

use crate::{
    blocker::Cover,
    display::LightDisplay,
    flow::LightFlow,
    frame::{Frame, Lattice, LightLayout, LightPlane},
    thresholds::LightThresholds,
    timing::LightTiming,
    upload::ShownBy,
    work::Work,
};

/// A grid of cells and the light on it, at this entity.
///
/// ```text
///   LightPlane::Xy (2D)              LightPlane::Xz (lies flat, y up)
///   +y                               +-----------> +x east
///   ^   (0,0) (1,0) (2,0)            | (0,0) (1,0) (2,0)
///   |   (0,1) (1,1) (2,1)            | (0,1) (1,1) (2,1)
///   +-----------> +x                 v +z south
/// ```
///
/// The grid lies centerd on the entity's transform, and is moved, turned and scaled with
/// it. Cells are counted from the north-west corner; whole numbers are middles of cells.
/// Grids of hexagons lie in rows too, and a [`LightLayout`] makes diamonds of squares.
///
/// The grid's sources are those of the world's [`LightSource`](crate::LightSource)s: others
/// that it brings along are replaced. [`LightBlocker`](crate::LightBlocker)s lie over the
/// cells that are set here, which come back when the blockers have gone. A [`Relief`] makes it lie over land.
///
/// Saved, in a scene or by [`serde`], are its own cells and the light on them, without the blockers:
/// those belong to the entities that they stand for, and lie over the cells again when both are loaded.
///
/// Change detection sees it changed when it was changed from outside. That the plugin lets
/// its light flow does not count.
#[derive(Component, Reflect, Debug, Clone)]
#[reflect(opaque)]
#[reflect(Component, Debug, Default, Clone, Serialize, Deserialize)]
#[require(
    Transform,
    Visibility,
    LightFlow,
    LightTiming,
    LightDisplay,
    LightThresholds
)]
pub struct LightMap {
    pub(crate) grid: LightGrid,
    cell_size: f32,
    plane: LightPlane,
    layout: LightLayout,
    /// What blockers lie over which cells.
    pub(crate) cover: Cover,
    /// Whose the grid's sources are, in their order.
    pub(crate) lamps: Vec<Entity>,
    /// How large they are, and what else there is for a [`LightDetail`](crate::LightDetail).
    pub(crate) radii: Vec<f32>,
    pub(crate) casters: Vec<Disc>,
    /// Steps of the automaton that are due, and the part of the next.
    pub(crate) due: f64,
    /// Who works the light out, where that is not done at once.
    pub(crate) work: Work,
    /// The time, on the clock of the plugin's schedule, of which the light is that is shown; and how
    /// long ago that was.
    pub(crate) shown_of: Duration,
    pub(crate) age: Duration,
    pub(crate) step_time: Option<Duration>,
    pub(crate) shown_by: ShownBy,
}

impl LightMap {
    /// This grid, with cells of one world unit, upright.
    pub fn new(grid: LightGrid) -> Self {
        Self {
            grid,
            cell_size: 1.0,
            plane: LightPlane::default(),
            layout: LightLayout::default(),
            cover: Cover::default(),
            lamps: Vec::new(),
            radii: Vec::new(),
            casters: Vec::new(),
            due: 0.0,
            work: Work::None,
            shown_of: Duration::ZERO,
            age: Duration::ZERO,
            step_time: None,
            shown_by: ShownBy::default(),
        }
    }

    /// With cells of so many world units; see [`set_cell_size`](Self::set_cell_size).
    #[must_use]
    pub fn with_cell_size(mut self, units: f32) -> Self {
        self.set_cell_size(units);
        self
    }

    /// In this plane.
    #[must_use]
    pub fn with_plane(mut self, plane: LightPlane) -> Self {
        self.plane = plane;
        self
    }

    /// With its cells beside each other like this.
    #[must_use]
    pub fn with_layout(mut self, layout: LightLayout) -> Self {
        self.layout = layout;
        self
    }

    /// World units from one cell to the next in a row, before the entity's own scale; 1 by default.
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// Changes the size of the cells in the world. What is no positive, finite number
    /// changes nothing.
    pub fn set_cell_size(&mut self, units: f32) {
        if units > 0.0 && units.is_finite() {
            self.cell_size = units;
        }
    }

    /// The plane that it lies in.
    pub fn plane(&self) -> LightPlane {
        self.plane
    }

    /// Lays it into another plane.
    pub fn set_plane(&mut self, plane: LightPlane) {
        self.plane = plane;
    }

    /// How its cells lie beside each other.
    pub fn layout(&self) -> LightLayout {
        self.layout
    }

    /// Lays its cells beside each other like this.
    pub fn set_layout(&mut self, layout: LightLayout) {
        self.layout = layout;
    }

    /// How wide and high all of it is in the world, before the entity's own scale.
    pub fn extent(&self) -> Vec2 {
        self.lattice().extent(self.grid.size()) * self.cell_size
    }

    pub(crate) fn lattice(&self) -> Lattice {
        Lattice::new(self.layout, self.grid.settings().neighborhood)
    }

    /// The light, and all questions about it. Its cells are what light meets: with
    /// blockers.
    pub fn grid(&self) -> &LightGrid {
        &self.grid
    }

    /// How old the light is that is shown and read, on the clock of the plugin's schedule: that of the
    /// lamps and cells as they were so long ago. It is nothing where all light is worked out at once;
    /// where it takes longer than the [`LightBudget`](crate::LightBudget) allows, it comes from the
    /// background when it is whole. (The cells themselves, and the sources, are always as they are
    /// now.)
    pub fn age(&self) -> Duration {
        self.age
    }

    /// How long a step of the automaton took lately, on whatever thread; none before the first.
    pub fn step_time(&self) -> Option<Duration> {
        self.step_time
    }

    /// The entity whose [`LightSource`](crate::LightSource) stands at this place of
    /// [`LightGrid::sources`]; what [`Glow::source`](lanternfell_lightgrid::Glow::source)
    /// names.
    pub fn source_entity(&self, source: usize) -> Option<Entity> {
        self.lamps.get(source).copied()
    }

    /// What a cell is without blockers; outside of the map nothing passes.
    pub fn cell(&self, at: IVec2) -> Cell {
        self.cover.base(at).unwrap_or_else(|| self.grid.cell(at))
    }

    /// Changes one cell, below any blocker.
    ///
    /// # Errors
    ///
    /// There is no such cell, or its values are outside of 0 to 1.
    pub fn set_cell(&mut self, at: IVec2, cell: Cell) -> Result<(), LightError> {
        if self.cover.base(at) == Some(cell) {
            return Ok(());
        }
        self.grid.set_cell(at, cell)?;
        self.cover.base_changed(&mut self.grid, at);
        Ok(())
    }

    /// Changes every cell to those given, row by row, below any blocker.
    ///
    /// # Errors
    ///
    /// There are more or fewer than the map has, or one's values are outside of 0 to 1.
    /// Nothing is changed then.
    pub fn set_cells(&mut self, cells: Vec<Cell>) -> Result<(), LightError> {
        self.grid.set_cells(cells)?;
        self.cover.all_bases_changed(&mut self.grid);
        Ok(())
    }

    /// Changes every cell, below any blocker.
    ///
    /// # Errors
    ///
    /// A cell's values are outside of 0 to 1. Nothing is changed then.
    pub fn fill(&mut self, cell: impl FnMut(IVec2) -> Cell) -> Result<(), LightError> {
        self.grid.fill(cell)?;
        self.cover.all_bases_changed(&mut self.grid);
        Ok(())
    }

    /// Changes how light behaves.
    ///
    /// # Errors
    ///
    /// Settings outside of what is allowed.
    pub fn set_settings(&mut self, settings: LightSettings) -> Result<(), LightError> {
        self.grid.set_settings(settings)
    }

    /// Puts a cell into a region, for which an ambient light can be set.
    ///
    /// # Errors
    ///
    /// There is no such cell.
    pub fn set_region(&mut self, at: IVec2, region: u8) -> Result<(), LightError> {
        self.grid.set_region(at, region)
    }

    /// Sets the light that every cell of a region has at least; all cells are in region 0
    /// unless they were put into another. `light` is linear red, green and blue.
    ///
    /// # Errors
    ///
    /// The light is below 0 or too strong.
    pub fn set_ambient(&mut self, region: u8, light: Vec3) -> Result<(), LightError> {
        self.grid.set_ambient(region, light)
    }

    /// Divides the grid into tiles of so many cells a side. It changes how long things
    /// take; of results no more than settled light, by less than its tolerance.
    pub fn set_tile_size(&mut self, cells: u32) {
        self.grid.set_tile_size(cells);
    }

    /// Puts land under the cells, by which hills hide what lies behind them; none takes it away. Its heights are in cells,
    /// over the map's plane: a source that stands by its transform is as high over it as it is over the land, and one
    /// in a [`LightCell`](crate::LightCell) one and a half cells.
    ///
    /// It is for the light in straight lines ([`LightSettings::direct`]), and nothing else.
    ///
    /// # Errors
    ///
    /// Land of another size than the map's, or under hexagons.
    pub fn set_relief(&mut self, relief: Option<Arc<Relief>>) -> Result<(), LightError> {
        self.grid.set_relief(relief)
    }

    /// Darkness everywhere, until light flows again.
    pub fn darken(&mut self) {
        self.grid.darken();
    }

    /// Where a place in the world is, in cells; whole numbers are middles of cells. With
    /// `transform` the map's own. NaN when that is flattened to nothing, or the place is
    /// none.
    pub fn cell_at(&self, transform: &GlobalTransform, position: Vec3) -> Vec2 {
        self.frame(transform).cell_at(position)
    }

    /// Where a place given in cells is in the world, with `transform` the map's own.
    pub fn position_of(&self, transform: &GlobalTransform, cell: Vec2) -> Vec3 {
        transform.transform_point(self.frame(transform).local(cell))
    }

    pub(crate) fn frame(&self, transform: &GlobalTransform) -> Frame {
        let (lattice, size) = (self.lattice(), self.grid.size());
        Frame::new(transform, self.plane, lattice, self.cell_size, size)
    }
}

impl Default for LightMap {
    /// 64 x 64 open cells.
    fn default() -> Self {
        Self::new(
            LightGrid::new(64, 64, LightSettings::default())
                .expect("the default settings and this size are allowed"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(plane: LightPlane) -> LightMap {
        let grid = LightGrid::new(4, 3, LightSettings::default()).unwrap();
        LightMap::new(grid).with_cell_size(2.0).with_plane(plane)
    }

    #[test]
    fn the_first_row_is_at_the_top_or_in_the_north() {
        let here = GlobalTransform::from_xyz(10.0, 20.0, 30.0);
        let corner = |plane| map(plane).position_of(&here, Vec2::ZERO);
        assert_eq!(corner(LightPlane::Xy), Vec3::new(7.0, 22.0, 30.0));
        assert_eq!(corner(LightPlane::Xz), Vec3::new(7.0, 20.0, 28.0));
    }

    #[test]
    fn a_position_and_its_cell_are_the_same_place_under_any_transform() {
        for plane in [LightPlane::Xy, LightPlane::Xz] {
            let map = map(plane);
            for turn in 0..12 {
                let angle = turn as f32 * 0.7;
                let transform = Transform::from_xyz(3.0, -8.0, 1.0)
                    .with_rotation(Quat::from_euler(EulerRot::XYZ, angle, 0.3, -angle))
                    .with_scale(Vec3::new(2.0, 0.5, 3.0));
                let transform = GlobalTransform::from(transform);
                for cell in [Vec2::ZERO, Vec2::new(2.25, 1.5), Vec2::new(-7.0, 40.0)] {
                    let there = map.cell_at(&transform, map.position_of(&transform, cell));
                    assert!(there.distance(cell) < 1e-4, "{there} {cell}");
                }
            }
        }
    }

    #[test]
    fn a_map_that_is_flattened_is_nowhere() {
        for scale in [Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0), Vec3::NAN] {
            let transform = GlobalTransform::from_scale(scale);
            let map = map(LightPlane::Xy);
            let frame = map.frame(&transform);
            let at = frame.cell_at(Vec3::ZERO);
            assert!(!frame.reaches(at) && frame.cell(at).is_none(), "{scale}");
        }
    }

    #[test]
    fn a_size_that_is_none_changes_nothing() {
        for size in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(
                map(LightPlane::Xy).with_cell_size(size).cell_size(),
                2.0,
                "{size}"
            );
        }
    }

    #[test]
    fn the_default_map_is_a_map() {
        assert_eq!(LightMap::default().grid().size(), UVec2::splat(64));
    }
}
