//! What game code asks the light.

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

/// Where the light at a cell comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glow {
    /// The direction in which the light grows from here, of length 1: round a corner it
    /// points to the corner. Of hexagons it is that in the plane.
    pub direction: Vec2,
    /// The brightest cell that one comes to by always walking on towards more light.
    pub brightest: IVec2,
    /// Which of the sources stands there, by its place in [`LightGrid::sources`]; none when
    /// it has gone, or when the light is a region's.
    pub source: Option<usize>,
}

/// A tile of the grid, which is visited as a whole or not at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tile {
    /// Its north-western cell.
    pub first: UVec2,
    /// Cells from west to east and from north to south.
    pub size: UVec2,
    /// Whether the next step visits it, for any color. After [`LightGrid::settle`] a step
    /// has to look first.
    pub awake: bool,
    /// By how much its light changed, at most, when it was visited last.
    pub change: f32,
}

/// The eight steps to a neighbor, edges first, clockwise from north and from north-east.
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

/// The first three of the steps to a hexagon's neighbors, clockwise from north-east, in the plane.
const AXES: [Vec2; 3] = [
    Vec2::new(0.5, -hexagonal::ROW_HEIGHT),
    Vec2::X,
    Vec2::new(0.5, hexagonal::ROW_HEIGHT),
];

impl LightGrid {
    /// The light at a cell, linear red, green and blue; none outside of the grid.
    pub fn light(&self, cell: IVec2) -> Vec3 {
        let Some(index) = self.scene.index(cell) else {
            return Vec3::ZERO;
        };
        self.direct.mix(self.flowing(cell), index)
    }

    /// What flows at a cell of the grid, without what comes in straight lines.
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

    /// The light of all cells, row by row from north to south, each from west to east.
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

    /// Puts the light of a rectangle of cells into `lights`, row by row, in the place of what was
    /// there: for instance that of a tile of [`drain_changes`](Self::drain_changes). It is given
    /// by its first cell and its size.
    ///
    /// # Errors
    /// [`LightError::Outside`] when it does not lie in the grid. Nothing is changed then.
    pub fn read_lights(
        &self,
        first: UVec2,
        size: UVec2,
        lights: &mut Vec<Vec3>,
    ) -> Result<(), LightError> {
        let end = first.saturating_add(size);
        // What is beyond i32 is beyond the grid, and so is what it is wrapped to.
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

    /// The light of row `y` from one column to before another.
    fn lights_of_row(&self, y: usize, first: usize, end: usize) -> impl Iterator<Item = Vec3> + '_ {
        // Gray light is read three times from its one channel, so that there is one loop for both.
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

    /// How bright a cell looks, from 0; none outside of the grid.
    pub fn luminance(&self, cell: IVec2) -> f32 {
        let light = self.light(cell);
        if self.is_gray() {
            return light.x;
        }
        light.dot(LUMINANCE)
    }

    /// How lit a cell is in a word, given the word `before` if there was one.
    pub fn band(&self, cell: IVec2, bands: &LightBands, before: Option<LightBand>) -> LightBand {
        bands.band(self.luminance(cell), before)
    }

    /// In which direction the light grows at a cell, and how fast, in luminance per cell.
    /// Walls have no part in it. Of hexagons it is that in the plane (see [`hexagonal`]), the one that
    /// fits best what is found along the three axes.
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

    /// How fast the light grows from the cell before this one to that after it, by what of those is
    /// no wall.
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

    /// The gradient that fits best (by least squares) those along the axes that are not walled up.
    fn hexagonal_gradient(&self, cell: IVec2) -> Vec2 {
        let steps = hexagonal::steps(cell);
        let (mut xx, mut xy, mut yy, mut sum) = (0.0, 0.0, 0.0, Vec2::ZERO);
        // The normal equations of `axis . gradient = growth`, two by two. Steps 3 apart are opposite.
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
        // Of three axes it is 9/4, of two 3/4. Along a single one there is nothing to fit.
        if determinant < 0.5 {
            return sum;
        }
        Vec2::new(yy * sum.x - xy * sum.y, xx * sum.y - xy * sum.x) / determinant
    }

    fn is_hexagonal(&self) -> bool {
        self.settings().neighborhood.is_hexagonal()
    }

    /// The darkest of the cells that one can step to: those around that are not opaque,
    /// without squeezing between two opaque ones. Of equally dark ones the first, edges
    /// before corners, clockwise from north; of hexagons clockwise from north-east. None where there
    /// is none.
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

    /// Where the light at a cell comes from: found by walking on towards more light. None
    /// where no cell around is brighter, unless it is the lit cell of a source itself.
    pub fn glow(&self, cell: IVec2) -> Option<Glow> {
        let first = self.brighter(cell);
        let mut brightest = cell;
        // Each step is to more light, so it ends.
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

    /// The brightest neighbor that is brighter than the cell.
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

    /// The cells that light, and a walker, can go to from here.
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

    /// Puts what is seen from a cell, up to `radius` cells away, into `view`, lit or not.
    pub fn look(&self, view: &mut FieldOfView, from: IVec2, radius: u32) {
        self.scene.look(view, from, radius);
    }

    /// Whether the line between two cells is free of opaque ones.
    pub fn line_of_sight(&self, from: IVec2, to: IVec2) -> bool {
        self.scene.line_of_sight(from, to)
    }

    /// Whether a cell is in sight, and lit at least as the band `least` says.
    pub fn is_seen(
        &self,
        view: &FieldOfView,
        cell: IVec2,
        bands: &LightBands,
        least: LightBand,
    ) -> bool {
        view.contains(cell) && self.band(cell, bands, None) >= least
    }

    /// By how much the light of any cell changed, at most, in the last step, or in the last
    /// sweep that settled it.
    pub fn residual(&self) -> f32 {
        let changes = self
            .channels
            .iter()
            .flat_map(|channel| &channel.tiles().change);
        changes.copied().fold(0.0, f32::max)
    }

    /// All tiles, row by row.
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

    /// Calls `work` with the first cell and the size of each tile in which light may have
    /// changed since the last call, or cells and their ambient light have; at first with every tile. For whoever shows the
    /// light.
    pub fn drain_changes(&mut self, mut work: impl FnMut(&Self, UVec2, UVec2)) {
        self.drain_changes_while(|grid, first, size| {
            work(grid, first, size);
            true
        });
    }

    /// As [`drain_changes`](Self::drain_changes), until `work` says by `false` that it has done
    /// enough for now. The next call goes on with the tiles that are left, so that each has its turn
    /// however much changes.
    pub fn drain_changes_while(&mut self, mut work: impl FnMut(&Self, UVec2, UVec2) -> bool) {
        let mut dirty = Vec::new();
        for channel in &mut self.channels {
            channel.drain_dirty(&mut dirty);
        }
        dirty.sort_unstable();
        dirty.dedup();
        // Behind the tile that was named last, then from the beginning.
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
        // All channels were drained into one list, so any of them can keep the rest of it.
        self.channels[0].mark_dirty_tiles(left.copied());
    }

    /// Cells along the side of a tile; see [`set_tile_size`](Self::set_tile_size).
    pub fn tile_size(&self) -> u32 {
        self.channels[0].tile() as u32
    }

    /// Divides the grid into tiles of another size, in cells from 4 to
    /// [`MAX_SIDE`](Self::MAX_SIDE); others are brought into this range. It changes how long
    /// things take; of results no more than settled light, by less than its tolerance.
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
