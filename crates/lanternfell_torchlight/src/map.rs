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
    installed::warn_without_plugin,
    status::TorchlightStatus,
    thresholds::LightThresholds,
    timing::LightTiming,
    upload::ShownBy,
    work::Work,
};

/// A grid of cells and its light, placed at this entity.
///
/// ```text
///   LightPlane::Xy (2D)              LightPlane::Xz (lies flat, y up)
///   +y                               +-----------> +x east
///   ^   (0,0) (1,0) (2,0)            | (0,0) (1,0) (2,0)
///   |   (0,1) (1,1) (2,1)            | (0,1) (1,1) (2,1)
///   +-----------> +x                 v +z south
/// ```
///
/// The grid is centered on the transform of the entity, and moves, rotates and scales with it. Cell
/// (0, 0) is the north-west corner. Integer coordinates are the centers of cells. Hexagons are
/// stored in rows too. A [`LightLayout`] turns squares into diamonds.
///
/// The plugin replaces the sources of the grid with the [`LightSource`](crate::LightSource)s of the
/// world. [`LightBlocker`](crate::LightBlocker)s cover the cells that you set on the map. When a
/// blocker is gone, the cell below is restored. A [`Relief`] adds hills.
///
/// Scenes and [`serde`] save the map's own cells and the light on them, without the blockers.
/// Blockers are saved with their entities, and cover the cells again after loading.
///
/// Change detection reports only the changes that you make. Light that the plugin computes does not
/// mark the map as changed. Read it from [`LightLevel`](crate::LightLevel)s or from
/// [`grid`](Self::grid), and its age and cost from [`TorchlightStatus`].
///
/// If you set `cell_size` or `settings` to an invalid value, the plugin logs a warning and restores
/// the last valid value.
#[derive(Component, Reflect, Debug, Clone)]
#[reflect(Component, Debug, Default, Clone, Serialize, Deserialize)]
#[component(on_add = warn_without_plugin)]
#[require(
    Transform,
    Visibility,
    LightFlow,
    LightTiming,
    LightDisplay,
    LightThresholds,
    TorchlightStatus
)]
pub struct TorchlightMap {
    /// The distance between neighboring cells in a row, in world units before the scale of the
    /// entity. Above 0 and finite. Default: 1.
    pub cell_size: f32,
    /// The plane of the map. Default: [`LightPlane::Xy`].
    pub plane: LightPlane,
    /// The layout of the cells. Default: [`LightLayout::Rows`].
    pub layout: LightLayout,
    /// How light spreads. Default: the settings of the grid.
    ///
    /// The plugin applies a change at the start of
    /// [`TorchlightSystems::Collect`](crate::TorchlightSystems::Collect). Until then,
    /// [`LightGrid::settings`] of [`grid`](Self::grid) returns the old settings. Settings are
    /// invalid if a value is out of range, or if the neighborhood is hexagonal and the map has a
    /// [`Relief`].
    pub settings: LightSettings,
    pub(crate) data: MapData,
}

/// The cells and the light of a map, and what the plugin needs to compute the light. They are part
/// of the map's component, so they are replaced together with the map.
#[derive(Reflect, Debug, Clone)]
#[reflect(opaque)]
pub(crate) struct MapData {
    pub(crate) grid: LightGrid,
    /// The blockers, and the cells that they cover.
    pub(crate) cover: Cover,
    /// The entities of the grid's sources, in the same order.
    pub(crate) lamps: Vec<Entity>,
    /// The radii of the sources, in the order of the sources. Used by
    /// [`SoftShadows`](crate::SoftShadows), as are `casters`.
    pub(crate) radii: Vec<f32>,
    pub(crate) casters: Vec<Disc>,
    /// The steps of the automaton that are due, including the fraction of the next step.
    pub(crate) due: f64,
    /// The background work, unless all light is computed at once.
    pub(crate) work: Work,
    /// The time to which the shown light corresponds, on the clock of the plugin's schedule.
    pub(crate) shown_of: Duration,
    pub(crate) shown_by: ShownBy,
    /// The last valid [`TorchlightMap::cell_size`].
    cell_size: f32,
}

impl TorchlightMap {
    /// Creates a map from a grid, in the plane [`LightPlane::Xy`], with cells of one world unit.
    pub fn new(grid: LightGrid) -> Self {
        Self {
            cell_size: 1.0,
            plane: LightPlane::default(),
            layout: LightLayout::default(),
            settings: *grid.settings(),
            data: MapData {
                grid,
                cover: Cover::default(),
                lamps: Vec::new(),
                radii: Vec::new(),
                casters: Vec::new(),
                due: 0.0,
                work: Work::None,
                shown_of: Duration::ZERO,
                shown_by: ShownBy::default(),
                cell_size: 1.0,
            },
        }
    }

    /// Sets [`cell_size`](Self::cell_size).
    #[must_use]
    pub fn with_cell_size(mut self, units: f32) -> Self {
        self.set_cell_size(units);
        self
    }

    /// Sets the cell size, and remembers it if it is valid.
    pub(crate) fn set_cell_size(&mut self, units: f32) {
        self.cell_size = units;
        if is_valid_size(units) {
            self.data.cell_size = units;
        }
    }

    /// Sets [`plane`](Self::plane).
    #[must_use]
    pub fn with_plane(mut self, plane: LightPlane) -> Self {
        self.plane = plane;
        self
    }

    /// Sets [`layout`](Self::layout).
    #[must_use]
    pub fn with_layout(mut self, layout: LightLayout) -> Self {
        self.layout = layout;
        self
    }

    /// The cell size that is in effect: the last valid one.
    #[doc(hidden)]
    pub fn valid_cell_size(&self) -> f32 {
        if is_valid_size(self.cell_size) {
            self.cell_size
        } else {
            self.data.cell_size
        }
    }

    /// The width and height of the map in world units, before the scale of the entity.
    pub fn extent(&self) -> Vec2 {
        self.lattice().extent(self.data.grid.size()) * self.valid_cell_size()
    }

    pub(crate) fn lattice(&self) -> Lattice {
        Lattice::new(self.layout, self.data.grid.settings().neighborhood)
    }

    /// The grid, with its light and its queries. Its cells include the blockers.
    pub fn grid(&self) -> &LightGrid {
        &self.data.grid
    }

    /// Returns the entity of the [`LightSource`](crate::LightSource) with this index in
    /// [`LightGrid::sources`]. Such an index is, for example,
    /// [`Glow::source`](lanternfell_lightgrid::Glow::source).
    pub fn source_entity(&self, source: usize) -> Option<Entity> {
        self.data.lamps.get(source).copied()
    }

    /// Returns the map's own cell, without blockers. Outside of the map, nothing passes.
    pub fn cell(&self, at: IVec2) -> Cell {
        self.data
            .cover
            .base(at)
            .unwrap_or_else(|| self.data.grid.cell(at))
    }

    /// Sets the map's own cell, below any blocker.
    ///
    /// # Errors
    ///
    /// - [`LightError::Outside`] if the cell does not exist
    /// - [`LightError::Range`] if a value of the cell is not from 0 to 1
    pub fn set_cell(&mut self, at: IVec2, cell: Cell) -> Result<(), LightError> {
        // The grid compares with the blocker when it checks whether a cell changes, so compare with
        // the map's own cell here.
        if self.data.cover.base(at) == Some(cell) {
            return Ok(());
        }
        self.data.grid.set_cell(at, cell)?;
        // The grid now contains the map's own cell. The cover stores it, and puts the blocker over
        // it again. If `set_cell` failed, neither has changed.
        self.data.cover.base_changed(&mut self.data.grid, at);
        Ok(())
    }

    /// Replaces all of the map's own cells, row by row. Blockers remain.
    ///
    /// # Errors
    ///
    /// - [`LightError::Length`] if the number of cells is wrong
    /// - [`LightError::Range`] if a value of a cell is not from 0 to 1
    ///
    /// In both cases the map is unchanged.
    pub fn set_cells(&mut self, cells: Vec<Cell>) -> Result<(), LightError> {
        self.data.grid.set_cells(cells)?;
        self.data.cover.all_bases_changed(&mut self.data.grid);
        Ok(())
    }

    /// Replaces all of the map's own cells by the results of a function. Blockers remain.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if a value of a cell is not from 0 to 1. The map is then unchanged.
    pub fn fill(&mut self, cell: impl FnMut(IVec2) -> Cell) -> Result<(), LightError> {
        self.data.grid.fill(cell)?;
        self.data.cover.all_bases_changed(&mut self.data.grid);
        Ok(())
    }

    /// Assigns a cell to a region. Regions can have ambient light. Default: region 0.
    ///
    /// # Errors
    ///
    /// [`LightError::Outside`] if the cell does not exist.
    pub fn set_region(&mut self, at: IVec2, region: u8) -> Result<(), LightError> {
        self.data.grid.set_region(at, region)
    }

    /// Sets the minimum light of all cells in a region, in linear red, green and blue.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if a value is not from 0 to 64.
    pub fn set_ambient(&mut self, region: u8, light: Vec3) -> Result<(), LightError> {
        self.data.grid.set_ambient(region, light)
    }

    /// Sets the side length of the tiles of the grid, in cells. It affects performance. Settled
    /// light may change by less than the tolerance.
    pub fn set_tile_size(&mut self, cells: u32) {
        self.data.grid.set_tile_size(cells);
    }

    /// Sets the relief under the cells, or removes it with `None`. Its hills block light in
    /// straight lines ([`LightSettings::direct`]).
    ///
    /// Heights are in cells above the plane of the map. Sources that are placed by their transform
    /// are at the height of the transform, but at least a quarter of a cell above the relief.
    /// Sources that are placed by a [`LightCell`](crate::LightCell) are one and a half cells above
    /// the relief.
    ///
    /// # Errors
    ///
    /// - [`LightError::ReliefSize`] if the relief is not as large as the map
    /// - [`LightError::HexagonalRelief`] if the map is hexagonal
    pub fn set_relief(&mut self, relief: Option<Arc<Relief>>) -> Result<(), LightError> {
        self.data.grid.set_relief(relief)
    }

    /// Removes all light. It spreads again from the sources.
    pub fn darken(&mut self) {
        self.data.grid.darken();
    }

    /// The cell that contains a world position, or `None` outside of the map. `transform` is the
    /// transform of the map.
    pub fn cell_at(&self, transform: &GlobalTransform, position: Vec3) -> Option<IVec2> {
        let frame = self.frame(transform);
        frame.cell(frame.cell_at(position))
    }

    /// Converts a world position to cell coordinates. Integers are centers of cells.
    ///
    /// `transform` is the transform of the map. Returns NaN if it cannot be inverted, or if the
    /// position is NaN.
    pub fn cell_coordinates(&self, transform: &GlobalTransform, position: Vec3) -> Vec2 {
        self.frame(transform).cell_at(position)
    }

    /// Converts cell coordinates to a world position. `transform` is the transform of the map.
    pub fn position_of(&self, transform: &GlobalTransform, cell: Vec2) -> Vec3 {
        transform.transform_point(self.frame(transform).local(cell))
    }

    pub(crate) fn frame(&self, transform: &GlobalTransform) -> Frame {
        let (lattice, size) = (self.lattice(), self.data.grid.size());
        Frame::new(transform, self.plane, lattice, self.valid_cell_size(), size)
    }
}

fn is_valid_size(units: f32) -> bool {
    // A size of 0 or NaN would make `cell_at` NaN for every position.
    units > 0.0 && units.is_finite()
}

/// Applies the fields that the app has changed. Restores those that are invalid.
pub(crate) fn follow_fields(mut maps: Query<(Entity, &mut TorchlightMap), Changed<TorchlightMap>>) {
    for (entity, mut map) in &mut maps {
        let map = map.bypass_change_detection();
        map.set_cell_size(map.cell_size);
        let (wrong, kept) = (map.cell_size, map.data.cell_size);
        if !is_valid_size(wrong) {
            warn!("{entity}: the cell size of a map must be above 0, not {wrong}; it stays {kept}");
            map.cell_size = kept;
        }
        if map.settings != *map.data.grid.settings()
            && let Err(error) = map.data.grid.set_settings(map.settings)
        {
            warn!("{entity}: the settings of a map are invalid, and stay as they were: {error}");
            map.settings = *map.data.grid.settings();
        }
    }
}

impl Default for TorchlightMap {
    /// An open map of 64 x 64 cells.
    fn default() -> Self {
        Self::new(
            LightGrid::new(64, 64, LightSettings::default())
                .expect("the default settings and this size are valid"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_lightgrid::Falloff;

    fn map(plane: LightPlane) -> TorchlightMap {
        let grid = LightGrid::new(4, 3, LightSettings::default()).unwrap();
        TorchlightMap::new(grid)
            .with_cell_size(2.0)
            .with_plane(plane)
    }

    #[test]
    fn first_row_is_north() {
        let here = GlobalTransform::from_xyz(10.0, 20.0, 30.0);
        let corner = |plane| map(plane).position_of(&here, Vec2::ZERO);
        assert_eq!(corner(LightPlane::Xy), Vec3::new(7.0, 22.0, 30.0));
        assert_eq!(corner(LightPlane::Xz), Vec3::new(7.0, 20.0, 28.0));
    }

    #[test]
    fn position_round_trips_under_any_transform() {
        for plane in [LightPlane::Xy, LightPlane::Xz] {
            let map = map(plane);
            for turn in 0..12 {
                let angle = turn as f32 * 0.7;
                let transform = Transform::from_xyz(3.0, -8.0, 1.0)
                    .with_rotation(Quat::from_euler(EulerRot::XYZ, angle, 0.3, -angle))
                    .with_scale(Vec3::new(2.0, 0.5, 3.0));
                let transform = GlobalTransform::from(transform);
                for cell in [Vec2::ZERO, Vec2::new(2.25, 1.25), Vec2::new(-7.0, 40.0)] {
                    let place = map.position_of(&transform, cell);
                    let there = map.cell_coordinates(&transform, place);
                    let inside = cell.cmple(Vec2::new(3.0, 2.0)).all() && cell.min_element() >= 0.0;
                    let found = map.cell_at(&transform, place);
                    assert_eq!(found, inside.then(|| cell.round().as_ivec2()), "{cell}");
                    assert!(there.distance(cell) < 1e-4, "{there} {cell}");
                }
            }
        }
    }

    #[test]
    fn flattened_map_contains_no_position() {
        for scale in [Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0), Vec3::NAN] {
            let transform = GlobalTransform::from_scale(scale);
            let map = map(LightPlane::Xy);
            let frame = map.frame(&transform);
            let at = frame.cell_at(Vec3::ZERO);
            assert!(!frame.reaches(at) && frame.cell(at).is_none(), "{scale}");
        }
    }

    #[test]
    fn invalid_cell_size_keeps_the_last_valid_one() {
        let mut app = App::new();
        app.add_systems(Update, follow_fields);
        let entity = app.world_mut().spawn(map(LightPlane::Xy)).id();
        app.update();
        for size in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let mut map = app.world_mut().get_mut::<TorchlightMap>(entity).unwrap();
            map.cell_size = size;
            assert_eq!(map.extent(), Vec2::new(8.0, 6.0), "{size}");
            app.update();
            let map = app.world().get::<TorchlightMap>(entity).unwrap();
            assert_eq!((map.cell_size, map.extent()), (2.0, Vec2::new(8.0, 6.0)));
        }
    }

    #[test]
    fn saved_map_has_the_settings_of_its_field() {
        let saved = |falloff| {
            let mut map = map(LightPlane::Xy);
            map.settings.falloff = falloff;
            let text = ron::to_string(&map).unwrap();
            let loaded: TorchlightMap = ron::from_str(&text).unwrap();
            (loaded.settings.falloff, loaded.grid().settings().falloff)
        };
        let five = Falloff::Radius(5.0);
        assert_eq!(saved(five), (five, five));
        // An invalid value is not saved.
        let usual = Falloff::default();
        assert_eq!(saved(Falloff::Radius(f32::NAN)), (usual, usual));
    }

    #[test]
    fn settings_reach_the_grid_and_bad_ones_do_not() {
        let mut app = App::new();
        app.add_systems(Update, follow_fields);
        let entity = app.world_mut().spawn(map(LightPlane::Xy)).id();
        let decay = |app: &mut App, decay: f32| {
            let mut map = app.world_mut().get_mut::<TorchlightMap>(entity).unwrap();
            map.settings.falloff = Falloff::Decay(decay);
            app.update();
            let map = app.world().get::<TorchlightMap>(entity).unwrap();
            map.grid().settings().falloff
        };
        assert_eq!(decay(&mut app, 0.5), Falloff::Decay(0.5));
        assert_eq!(decay(&mut app, f32::NAN), Falloff::Decay(0.5));
        assert_eq!(decay(&mut app, 0.25), Falloff::Decay(0.25));
    }

    #[test]
    fn default_map_has_64_x_64_cells() {
        assert_eq!(TorchlightMap::default().grid().size(), UVec2::splat(64));
    }
}
