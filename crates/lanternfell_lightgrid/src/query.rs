//! Queries for game code, and the tiles that have changed.

use glam::{IVec2, UVec2, Vec2, Vec3};

use crate::{
    bands::{LightBand, LightBands},
    channel::Channel,
    color::LUMINANCE,
    error::LightError,
    grid::LightGrid,
    hexagonal,
    shadowcast::FieldOfView,
};

/// Where the light of a cell comes from, as returned by [`LightGrid::glow`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glow {
    /// The direction in which the light increases, with length 1. Behind a corner it points to the
    /// corner. On hexagons it is a direction in the plane. Zero if no neighbor is brighter.
    pub direction: Vec2,
    /// The cell that is reached by always walking to the brightest neighbor.
    pub brightest: IVec2,
    /// The index in [`LightGrid::sources`] of the brightest source in that cell or next to it.
    /// `None` if the source has been removed, or if the light comes from ambient light.
    pub source: Option<usize>,
}

/// A tile of the grid. A step visits either all cells of a tile or none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tile {
    /// The north-western cell.
    pub first: UVec2,
    /// The number of cells from west to east and from north to south.
    pub size: UVec2,
    /// Whether the next step visits the tile, for any color. Tiles that [`LightGrid::settle`] has
    /// changed are visited once more.
    pub awake: bool,
    /// The largest change of the light of a cell in the last visit.
    pub change: f32,
}

/// The eight steps to a neighbor: edges first, clockwise from north, then corners, clockwise from
/// north-east.
pub(crate) const STEPS: [IVec2; 8] = [
    IVec2::new(0, -1),
    IVec2::new(1, 0),
    IVec2::new(0, 1),
    IVec2::new(-1, 0),
    IVec2::new(1, -1),
    IVec2::new(1, 1),
    IVec2::new(-1, 1),
    IVec2::new(-1, -1),
];

/// The directions in the plane of the first three steps to the neighbors of a hexagon, clockwise
/// from north-east.
const AXES: [Vec2; 3] = [
    Vec2::new(0.5, -hexagonal::ROW_HEIGHT),
    Vec2::X,
    Vec2::new(0.5, hexagonal::ROW_HEIGHT),
];

impl LightGrid {
    /// The light of a cell in linear red, green and blue. Zero outside of the grid.
    pub fn light(&self, cell: IVec2) -> Vec3 {
        let Some(index) = self.scene.index(cell) else {
            return Vec3::ZERO;
        };
        self.direct.mix(self.flowing(cell), index)
    }

    /// The flowing light of a cell inside the grid, without the light in straight lines.
    pub(crate) fn flowing(&self, cell: IVec2) -> Vec3 {
        let (x, y) = (cell.x as usize, cell.y as usize);
        match &self.channels[..] {
            [red, green, blue] => Vec3::new(
                red.light().get(x, y),
                green.light().get(x, y),
                blue.light().get(x, y),
            ),
            channels => Vec3::splat(channels[0].light().get(x, y)),
        }
    }

    /// The light of all cells, row by row from north to south, and from west to east within a row.
    ///
    /// ```
    /// use lanternfell_lightgrid::{IVec2, LightGrid, LightSettings, Source, Vec3};
    ///
    /// let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
    /// grid.set_sources(&[Source::new(IVec2::new(7, 3), Vec3::ONE)])?;
    /// grid.settle(1e-3);
    /// let lights: Vec<Vec3> = grid.lights().collect();
    /// assert_eq!(lights[3 * 40 + 7], Vec3::ONE);
    /// assert_eq!(lights[5 * 40 + 9], grid.light(IVec2::new(9, 5)));
    /// # Ok::<(), lanternfell_lightgrid::LightError>(())
    /// ```
    pub fn lights(&self) -> impl Iterator<Item = Vec3> + '_ {
        let width = self.width() as usize;
        (0..self.height()).flat_map(move |y| self.lights_of_row(y as usize, 0, width))
    }

    /// Replaces the contents of `lights` by the light of a rectangle of cells, row by row. The
    /// rectangle is given by its north-western cell and its size, as
    /// [`drain_changes`](Self::drain_changes) reports tiles.
    ///
    /// # Errors
    ///
    /// [`LightError::Outside`] if the rectangle is not inside the grid. `lights` is then unchanged.
    pub fn read_lights(
        &self,
        first: UVec2,
        size: UVec2,
        lights: &mut Vec<Vec3>,
    ) -> Result<(), LightError> {
        let end = first.saturating_add(size);
        // Coordinates beyond `i32` wrap to negative ones, which are outside as well.
        self.scene
            .index_or_error(end.saturating_sub(UVec2::ONE).as_ivec2())?;
        lights.clear();
        if size.x == 0 {
            return Ok(());
        }
        for y in first.y..end.y {
            lights.extend(self.lights_of_row(y as usize, first.x as usize, end.x as usize));
        }
        Ok(())
    }

    /// The light of the cells from column `first` to before column `end` in row `y`.
    fn lights_of_row(&self, y: usize, first: usize, end: usize) -> impl Iterator<Item = Vec3> + '_ {
        // Reading the one channel of gray light three times allows one loop for both cases.
        let colors = match &self.channels[..] {
            [red, green, blue] => [red, green, blue],
            // Gray.
            channels => [&channels[0]; 3],
        };
        let [red, green, blue] = colors.map(|color| color.light().row(y, first, end));
        let place = y * self.width() as usize + first;
        let colors = red.iter().zip(green).zip(blue);
        colors.enumerate().map(move |(x, ((&red, &green), &blue))| {
            self.direct.mix(Vec3::new(red, green, blue), place + x)
        })
    }

    /// The luminance of a cell, from 0. Zero outside of the grid.
    pub fn luminance(&self, cell: IVec2) -> f32 {
        let light = self.light(cell);
        if self.is_gray() {
            return light.x;
        }
        light.dot(LUMINANCE)
    }

    /// The band of a cell. `before` is its previous band for hysteresis, if there was one.
    pub fn band(&self, cell: IVec2, bands: &LightBands, before: Option<LightBand>) -> LightBand {
        bands.band(self.luminance(cell), before)
    }

    /// The gradient of the luminance at a cell: the direction in which light increases, with the
    /// increase per cell as its length.
    ///
    /// Opaque neighbors are ignored. On hexagons it is a vector in the plane (see [`hexagonal`]),
    /// fitted to the increase along the three axes by least squares.
    pub fn gradient(&self, cell: IVec2) -> Vec2 {
        if self.is_hexagonal() {
            return self.hexagonal_gradient(cell);
        }
        let along = |step: IVec2| {
            let (before, after) = (cell.saturating_sub(step), cell.saturating_add(step));
            self.growth(cell, before, after).unwrap_or(0.0)
        };
        Vec2::new(along(IVec2::X), along(IVec2::Y))
    }

    /// The increase of luminance per cell in the direction from `before` to `after`, the neighbors
    /// on both sides of `cell`. Opaque neighbors are ignored. `None` if both are opaque.
    fn growth(&self, cell: IVec2, before: IVec2, after: IVec2) -> Option<f32> {
        let side = |at: IVec2| (!self.is_opaque(at)).then(|| self.luminance(at));
        let here = self.luminance(cell);
        match (side(before), side(after)) {
            (Some(before), Some(after)) => Some(0.5 * (after - before)),
            (Some(before), None) => Some(here - before),
            (None, Some(after)) => Some(after - here),
            (None, None) => None,
        }
    }

    /// The least-squares fit of the gradient to the increase along those axes that have an open
    /// neighbor.
    fn hexagonal_gradient(&self, cell: IVec2) -> Vec2 {
        let steps = hexagonal::steps(cell);
        let (mut xx, mut xy, mut yy, mut sum) = (0.0, 0.0, 0.0, Vec2::ZERO);
        // Normal equations of `axis . gradient = growth` with two unknowns. Steps n and n + 3 are
        // opposite.
        for (n, axis) in AXES.into_iter().enumerate() {
            let at = |n: usize| cell.saturating_add(steps[n]);
            if let Some(growth) = self.growth(cell, at(n + 3), at(n)) {
                xx += axis.x * axis.x;
                xy += axis.x * axis.y;
                yy += axis.y * axis.y;
                sum += axis * growth;
            }
        }
        let determinant = xx * yy - xy * xy;
        // The determinant is 9/4 for three axes and 3/4 for two. A single axis needs no fit.
        if determinant < 0.5 {
            return sum;
        }
        Vec2::new(yy * sum.x - xy * sum.y, xx * sum.y - xy * sum.x) / determinant
    }

    fn is_hexagonal(&self) -> bool {
        self.settings().neighborhood.is_hexagonal()
    }

    /// The darkest of the neighbors that a character can step to, even if it is brighter than
    /// `cell`. `None` if there are none.
    ///
    /// These are the cells around that are not opaque. Diagonal steps between two opaque cells are
    /// excluded. Of equally dark cells the first is returned: edges before corners, each clockwise
    /// from north. On hexagons the order is clockwise from north-east.
    pub fn darkest_neighbor(&self, cell: IVec2) -> Option<IVec2> {
        let mut darkest: Option<(IVec2, f32)> = None;
        for next in self.ways(cell) {
            let light = self.luminance(next);
            if darkest.is_none_or(|(_, least)| light < least) {
                darkest = Some((next, light));
            }
        }
        darkest.map(|(next, _)| next)
    }

    /// Finds where the light of a cell comes from, by walking from cell to cell to the brightest
    /// neighbor.
    ///
    /// Returns `None` if no neighbor is brighter, unless the cell is lit and there is a source in
    /// it or next to it.
    pub fn glow(&self, cell: IVec2) -> Option<Glow> {
        let first = self.brighter(cell);
        let mut brightest = cell;
        // Each step goes to a brighter cell, so the loop ends.
        while let Some(next) = self.brighter(brightest) {
            brightest = next;
        }
        let near = |at: IVec2| {
            if self.is_hexagonal() {
                return hexagonal::distance(at, brightest) <= 1;
            }
            let (first, last) = (
                brightest.saturating_sub(IVec2::ONE),
                brightest.saturating_add(IVec2::ONE),
            );
            at.cmpge(first).all() && at.cmple(last).all()
        };
        let neighborhood = self.settings().neighborhood;
        let sources = self.sources().iter().enumerate();
        let lights = sources.filter(|(_, source)| source.light.max_element() > 0.0);
        let source = lights
            .filter(|(_, source)| near(neighborhood.cell_at(source.at)))
            .max_by(|(_, a), (_, b)| a.light.dot(LUMINANCE).total_cmp(&b.light.dot(LUMINANCE)))
            .map(|(n, _)| n);
        if first.is_none() && (source.is_none() || self.luminance(cell) == 0.0) {
            return None;
        }
        let place = |cell: IVec2| neighborhood.to_plane(cell.as_vec2());
        let towards = first.map_or(Vec2::ZERO, |first| place(first) - place(cell));
        Some(Glow {
            direction: towards.normalize_or_zero(),
            brightest,
            source,
        })
    }

    /// The brightest neighbor that is brighter than the cell itself.
    fn brighter(&self, cell: IVec2) -> Option<IVec2> {
        let mut best = (None, self.luminance(cell));
        for next in self.ways(cell) {
            let light = self.luminance(next);
            if light > best.1 {
                best = (Some(next), light);
            }
        }
        best.0
    }

    /// The neighbors that light, or a character, can reach from a cell.
    fn ways(&self, cell: IVec2) -> impl Iterator<Item = IVec2> + '_ {
        let open = move |step: IVec2| {
            let next = cell.checked_add(step)?;
            (!self.is_opaque(next)).then_some(next)
        };
        let hexagonal = self.is_hexagonal().then(|| hexagonal::steps(cell));
        let squares = if hexagonal.is_some() { &[][..] } else { &STEPS };
        let steps = hexagonal.into_iter().flatten();
        let steps = steps.chain(squares.iter().copied());
        steps.filter_map(move |step| {
            let squeezed = hexagonal.is_none()
                && step.x != 0
                && step.y != 0
                && open(IVec2::new(step.x, 0)).is_none()
                && open(IVec2::new(0, step.y)).is_none();
            open(step).filter(|_| !squeezed)
        })
    }

    /// Computes which cells are visible from a cell, up to `radius` cells away, and stores them in
    /// `view`. Light does not matter; see [`is_seen`](Self::is_seen).
    pub fn field_of_view(&self, view: &mut FieldOfView, from: IVec2, radius: u32) {
        self.scene.look(view, from, radius);
    }

    /// Whether no opaque cell blocks the line between two cells.
    pub fn line_of_sight(&self, from: IVec2, to: IVec2) -> bool {
        self.scene.line_of_sight(from, to)
    }

    /// Whether a cell is in `view` and its band, without hysteresis, is at least `least`.
    pub fn is_seen(
        &self,
        view: &FieldOfView,
        cell: IVec2,
        bands: &LightBands,
        least: LightBand,
    ) -> bool {
        view.contains(cell) && self.band(cell, bands, None) >= least
    }

    /// The largest change of the light of a cell in the last step, or in the last sweep of
    /// [`settle`](Self::settle).
    pub fn residual(&self) -> f32 {
        let changes = self
            .channels
            .iter()
            .flat_map(|channel| &channel.tiles().change);
        changes.copied().fold(0.0, f32::max)
    }

    /// All tiles, row by row from north to south.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        let side = self.tile_size();
        let across = self.width().div_ceil(side);
        let down = self.height().div_ceil(side);
        (0..down).flat_map(move |y| (0..across).map(move |x| self.tile(x, y, side, across)))
    }

    fn tile(&self, x: u32, y: u32, side: u32, across: u32) -> Tile {
        let first = UVec2::new(x, y) * side;
        let place = (y * across + x) as usize;
        let channels = || self.channels.iter().map(Channel::tiles);
        Tile {
            first,
            size: UVec2::splat(side).min(self.size() - first),
            awake: channels().any(|tiles| tiles.is_awake(x as usize, y as usize)),
            change: channels()
                .map(|tiles| tiles.change[place])
                .fold(0.0, f32::max),
        }
    }

    /// Calls `work` with the north-western cell and the size of each tile that has changed since
    /// the last call, for example to update a texture. The first call reports every tile.
    ///
    /// A tile has changed if the light, the properties, the region or the ambient light of one of
    /// its cells may have changed.
    pub fn drain_changes(&mut self, mut work: impl FnMut(&Self, UVec2, UVec2)) {
        self.drain_changes_while(|grid, first, size| {
            work(grid, first, size);
            true
        });
    }

    /// Like [`drain_changes`](Self::drain_changes), but stops when `work` returns `false`. The next
    /// call continues with the remaining tiles, so every tile gets its turn even if the light never
    /// rests.
    pub fn drain_changes_while(&mut self, mut work: impl FnMut(&Self, UVec2, UVec2) -> bool) {
        let mut dirty = Vec::new();
        for channel in &mut self.channels {
            channel.drain_dirty(&mut dirty);
        }
        dirty.sort_unstable();
        dirty.dedup();
        // Start after the tile that was reported last, and wrap around.
        let next = dirty.partition_point(|&tile| tile < self.next_drained);
        dirty.rotate_left(next);
        let side = self.tile_size();
        let across = self.width().div_ceil(side);
        let mut left = dirty.iter();
        for &tile in left.by_ref() {
            let first = UVec2::new(tile as u32 % across, tile as u32 / across) * side;
            self.next_drained = tile + 1;
            if !work(self, first, UVec2::splat(side).min(self.size() - first)) {
                break;
            }
        }
        // All channels were drained into one list, so any channel can keep the rest.
        self.channels[0].mark_dirty_tiles(left.copied());
    }

    /// The side length of a tile in cells; see [`set_tile_size`](Self::set_tile_size).
    pub fn tile_size(&self) -> u32 {
        self.channels[0].tile() as u32
    }

    /// Changes the size of the tiles, in cells along a side. Values are clamped to the range from 4
    /// to [`MAX_SIDE`](Self::MAX_SIDE).
    ///
    /// The tile size only affects performance. It may change settled light by less than the
    /// tolerance, and no other results.
    pub fn set_tile_size(&mut self, cells: u32) {
        let cells = cells.clamp(4, Self::MAX_SIDE);
        if cells == self.tile_size() {
            return;
        }
        for channel in &mut self.channels {
            channel.set_tile(cells as usize);
        }
    }
}
