//! The map component: a grid of cells and its placement in the world.

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
/// The grid is centered on the transform of the entity, and moves, rotates and scales with it.
/// Cell (0, 0) is the north-west corner; integer coordinates are centers of cells. Grids of
/// hexagons are stored in rows too, and a [`LightLayout`] turns squares into diamonds.
///
/// The sources of the grid are replaced by those of the world's
/// [`LightSource`](crate::LightSource)s. [`LightBlocker`](crate::LightBlocker)s cover the cells
/// that are set here; the cells come back when the blockers are gone. A [`Relief`] adds hills.
///
/// A scene or [`serde`] saves its own cells and the light on them, without the blockers. Blockers
/// belong to their entities, and cover the cells again when both are loaded.
///
/// Change detection reports changes from outside. The flow of light in the plugin does not count
/// as a change.
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
    /// The blockers and the cells that they cover.
    pub(crate) cover: Cover,
    /// The entities of the grid's sources, in the same order.
    pub(crate) lamps: Vec<Entity>,
    /// The radii of the sources, and the shadow casters, for a
    /// [`LightDetail`](crate::LightDetail).
    pub(crate) radii: Vec<f32>,
    pub(crate) casters: Vec<Disc>,
    /// The steps of the automaton that are due, with the fraction of the next.
    pub(crate) due: f64,
    /// The background work on the light, if it is not computed at once.
    pub(crate) work: Work,
    /// The time of the light that is shown, on the clock of the plugin's schedule; and its age.
    pub(crate) shown_of: Duration,
    pub(crate) age: Duration,
    pub(crate) step_time: Option<Duration>,
    pub(crate) shown_by: ShownBy,
}

impl LightMap {
    /// Creates a map of this grid, upright, with cells of one world unit.
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

    /// Sets the cell size in world units; see [`set_cell_size`](Self::set_cell_size).
    #[must_use]
    pub fn with_cell_size(mut self, units: f32) -> Self {
        self.set_cell_size(units);
        self
    }

    /// Sets the plane.
    #[must_use]
    pub fn with_plane(mut self, plane: LightPlane) -> Self {
        self.plane = plane;
        self
    }

    /// Sets the layout of the cells.
    #[must_use]
    pub fn with_layout(mut self, layout: LightLayout) -> Self {
        self.layout = layout;
        self
    }

    /// The distance from one cell to the next in a row, in world units before the entity's own
    /// scale; 1 by default.
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// Changes the size of the cells in the world. A value that is not positive and finite is
    /// ignored.
    pub fn set_cell_size(&mut self, units: f32) {
        // A size of 0 or NaN would make `cell_at` NaN for every position.
        if units > 0.0 && units.is_finite() {
            self.cell_size = units;
        }
    }

    /// The plane of the map.
    pub fn plane(&self) -> LightPlane {
        self.plane
    }

    /// Changes the plane.
    pub fn set_plane(&mut self, plane: LightPlane) {
        self.plane = plane;
    }

    /// The layout of the cells.
    pub fn layout(&self) -> LightLayout {
        self.layout
    }

    /// Changes the layout of the cells.
    pub fn set_layout(&mut self, layout: LightLayout) {
        self.layout = layout;
    }

    /// The width and height of the map in the world, before the entity's own scale.
    pub fn extent(&self) -> Vec2 {
        self.lattice().extent(self.grid.size()) * self.cell_size
    }

    pub(crate) fn lattice(&self) -> Lattice {
        Lattice::new(self.layout, self.grid.settings().neighborhood)
    }

    /// The grid with its light and all queries. Its cells include the blockers.
    pub fn grid(&self) -> &LightGrid {
        &self.grid
    }

    /// The age of the light that is shown and queried, on the clock of the plugin's schedule: the
    /// lamps and cells were as shown this long ago. It is zero if all light is computed at once.
    /// If that takes longer than the [`LightBudget`](crate::LightBudget) allows, the light comes
    /// from the background when it is complete. (The cells and the sources are always current.)
    pub fn age(&self) -> Duration {
        self.age
    }

    /// The recent duration of a step of the automaton, on any thread; `None` before the first.
    pub fn step_time(&self) -> Option<Duration> {
        self.step_time
    }

    /// The entity of the [`LightSource`](crate::LightSource) with this index in
    /// [`LightGrid::sources`], as in [`Glow::source`](lanternfell_lightgrid::Glow::source).
    pub fn source_entity(&self, source: usize) -> Option<Entity> {
        self.lamps.get(source).copied()
    }

    /// The cell without blockers; outside of the map nothing passes.
    pub fn cell(&self, at: IVec2) -> Cell {
        self.cover.base(at).unwrap_or_else(|| self.grid.cell(at))
    }

    /// Changes one cell below any blocker.
    ///
    /// # Errors
    ///
    /// There is no such cell, or its values are outside of 0 to 1.
    pub fn set_cell(&mut self, at: IVec2, cell: Cell) -> Result<(), LightError> {
        // Under a blocker, the grid's own test for an unchanged cell would compare with the
        // blocker.
        if self.cover.base(at) == Some(cell) {
            return Ok(());
        }
        self.grid.set_cell(at, cell)?;
        // The grid now holds the bare cell: the cover takes it as the new base and lays the
        // blocker over it again. On an error above, neither has changed.
        self.cover.base_changed(&mut self.grid, at);
        Ok(())
    }

    /// Replaces all cells below the blockers, row by row.
    ///
    /// # Errors
    ///
    /// The number of cells is wrong, or a value is outside of 0 to 1. Then nothing is changed.
    pub fn set_cells(&mut self, cells: Vec<Cell>) -> Result<(), LightError> {
        self.grid.set_cells(cells)?;
        self.cover.all_bases_changed(&mut self.grid);
        Ok(())
    }

    /// Changes all cells below the blockers.
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

    /// Assigns a cell to a region, whose ambient light can be set.
    ///
    /// # Errors
    ///
    /// There is no such cell.
    pub fn set_region(&mut self, at: IVec2, region: u8) -> Result<(), LightError> {
        self.grid.set_region(at, region)
    }

    /// Sets the minimum light of every cell of a region; all cells are in region 0 by default.
    /// `light` is linear red, green and blue.
    ///
    /// # Errors
    ///
    /// The light is below 0 or too strong.
    pub fn set_ambient(&mut self, region: u8, light: Vec3) -> Result<(), LightError> {
        self.grid.set_ambient(region, light)
    }

    /// Sets the side of the tiles of the grid, in cells. This affects the speed. It changes
    /// settled light by less than its tolerance, and nothing else.
    pub fn set_tile_size(&mut self, cells: u32) {
        self.grid.set_tile_size(cells);
    }

    /// Sets the relief under the cells, whose hills hide what is behind them; `None` removes it.
    /// Its heights are in cells above the plane of the map. A source that is placed by its
    /// transform has the same height above the plane and above the relief. A source in a
    /// [`LightCell`](crate::LightCell) is one and a half cells high.
    ///
    /// It only affects light in straight lines ([`LightSettings::direct`]).
    ///
    /// # Errors
    ///
    /// The relief has another size than the map, or the map is hexagonal.
    pub fn set_relief(&mut self, relief: Option<Arc<Relief>>) -> Result<(), LightError> {
        self.grid.set_relief(relief)
    }

    /// Removes all light until it flows again.
    pub fn darken(&mut self) {
        self.grid.darken();
    }

    /// Converts a world position to cells; integers are centers of cells. `transform` is that of
    /// the map. NaN if the transform is degenerate or the position is NaN.
    pub fn cell_at(&self, transform: &GlobalTransform, position: Vec3) -> Vec2 {
        self.frame(transform).cell_at(position)
    }

    /// Converts a position in cells to the world. `transform` is that of the map.
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
