//! A map cut into square chunks of triangles, at several levels of detail.
//!
//! A whole map is too much for one mesh: a chunk out of sight need not be drawn, and one
//! far away needs fewer triangles. Chunks share their border cells, and every normal
//! comes from the whole map, so neighbors of one level meet without a seam.
//!
//! ```text
//! level 0: every cell     level 1: every second     level 2: every fourth
//!  ┌┬┬┬┬┬┬┬┐               ┌─┬─┬─┬─┐                 ┌───┬───┐
//!  ├┼┼┼┼┼┼┼┤               ├─┼─┼─┼─┤                 │   │   │
//!  …                       …                         ├───┼───┤
//! ```
//!
//! Where a fine chunk meets a coarse one the border cells between the coarse vertices
//! would leave cracks. Each chunk therefore hangs a **skirt**: a strip of triangles from
//! its border straight down, a little deeper than twice what the coarsest level can be off there
//! (Ulrich, *Rendering Massive Terrains using Chunked Level of Detail*, 2002). At the border
//! of the whole map the skirt becomes a wall down to the foot of the land.
//!
//! Cost: one pass over the chunk's cells.

use glam::Vec3;

use crate::{Cancelled, MapSize, Progress, rows, surface::Surface};

/// A square piece of a map: the cells from `(column, row)` on, `columns` by `rows` squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// The westernmost column of cells.
    pub column: usize,
    /// The northernmost row of cells.
    pub row: usize,
    /// Squares between cells from west to east.
    pub columns: usize,
    /// Squares between cells from north to south.
    pub rows: usize,
}

/// Triangles ready for a mesh: lists of vertices, and three indices per triangle, counter-
/// clockwise seen from above.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Triangles {
    /// Where each vertex is, in metres, as [`Surface::vertex`] places it.
    pub positions: Vec<[f32; 3]>,
    /// The unit normal of each vertex, from the whole map.
    pub normals: Vec<[f32; 3]>,
    /// Each vertex's place on the map, 0 to 1 from west to east and from north to south.
    pub uvs: Vec<[f32; 2]>,
    /// Indices of vertices; three make a triangle.
    pub indices: Vec<u32>,
}

/// The chunks that a map of this size is cut into, row by row: `side` squares by `side`,
/// fewer at the east and south borders.
pub fn chunks(size: MapSize, side: usize) -> impl Iterator<Item = Chunk> {
    let (across, down) = (size.width() - 1, size.height() - 1);
    let starts = move |squares: usize| (0..squares).step_by(side.max(1));
    starts(down).flat_map(move |row| {
        starts(across).map(move |column| Chunk {
            column,
            row,
            columns: side.min(across - column),
            rows: side.min(down - row),
        })
    })
}

/// A chunk's triangles at every level of detail, the finest first, and the box around them.
#[derive(Debug, Clone, Default)]
pub struct ChunkLevels {
    /// The lowest corner of the box around the chunk's cells, in metres.
    pub low: Vec3,
    /// Its highest corner.
    pub high: Vec3,
    /// The triangles of each level, with skirts deep enough to hide cracks between any two.
    pub levels: Vec<Triangles>,
}

/// What hangs below a border even where all levels agree, in distances between cells: the vertices of
/// the finer chunk lie on the edge of the coarser one only as far as pixels are rounded, and between
/// them there would be sparkles of what is behind.
const LEAST_SKIRT: f32 = 0.1;

/// Cuts the whole surface: every chunk of `side` squares, at `levels` levels, on every core.
///
/// Each chunk is handed to `finish`, which makes of it what the caller keeps, so that the
/// triangles of the whole map are never in memory twice.
pub fn triangulate<T: Send>(
    surface: &Surface<'_>,
    side: usize,
    levels: u32,
    progress: &Progress,
    finish: impl Fn(ChunkLevels) -> T + Sync + Send,
) -> Result<Vec<T>, Cancelled> {
    let pieces: Vec<Chunk> = chunks(surface.map().size(), side).collect();
    let mut cut: Vec<Option<T>> = pieces.iter().map(|_| None).collect();
    rows::for_each_row(&mut cut, 1, progress, |index, slot| {
        let chunk = pieces[index];
        let error = chunk.border_error(surface, levels.saturating_sub(1));
        let skirt = 2.0 * error + LEAST_SKIRT * surface.scale().spacing;
        let (low, high) = chunk.bounds(surface);
        let cut = |level| chunk.triangulate(surface, level, Some(skirt));
        slot[0] = Some(finish(ChunkLevels {
            low,
            high,
            levels: (0..levels).map(cut).collect(),
        }));
    })?;
    Ok(cut.into_iter().flatten().collect())
}

impl Chunk {
    /// The chunk's triangles at `level`: every 2^level-th cell, and always the last.
    ///
    /// A `skirt` in metres hangs from the border; `None` for no skirt and no wall.
    pub fn triangulate(&self, surface: &Surface<'_>, level: u32, skirt: Option<f32>) -> Triangles {
        let columns = picks(self.column, self.columns, level);
        let rows = picks(self.row, self.rows, level);
        let mut triangles = Triangles::default();
        triangles.reserve(columns.len(), rows.len());
        for &row in &rows {
            triangles.push_row(surface, &columns, row);
        }
        triangles.cut_squares(columns.len() as u32, rows.len() as u32);
        if let Some(skirt) = skirt {
            triangles.hang_skirt(surface, &columns, &rows, skirt);
        }
        triangles
    }

    /// How far, in metres, the border of any level up to `coarsest` strays from the cells.
    ///
    /// Two neighbors of any two levels are at most twice this apart along their border.
    pub fn border_error(&self, surface: &Surface<'_>, coarsest: u32) -> f32 {
        let map = surface.map();
        let (east, south) = (self.column + self.columns, self.row + self.rows);
        let along_row = |row| move |column| map.get(column, row);
        let along_column = |column| move |row| map.get(column, row);
        let worst = (1..=coarsest).map(|level| {
            let columns = picks(self.column, self.columns, level);
            let rows = picks(self.row, self.rows, level);
            stray(&columns, along_row(self.row))
                .max(stray(&columns, along_row(south)))
                .max(stray(&rows, along_column(self.column)))
                .max(stray(&rows, along_column(east)))
        });
        worst.fold(0.0, f32::max) * surface.scale().relief
    }

    /// The lowest and highest corner of the box around the chunk, in metres.
    pub fn bounds(&self, surface: &Surface<'_>) -> (Vec3, Vec3) {
        let mut low = surface.vertex(self.column, self.row);
        let mut high = surface.vertex(self.column + self.columns, self.row + self.rows);
        (low.y, high.y) = (f32::INFINITY, f32::NEG_INFINITY);
        for row in self.row..=self.row + self.rows {
            for &height in &surface.map().row(row)[self.column..=self.column + self.columns] {
                low.y = low.y.min(height);
                high.y = high.y.max(height);
            }
        }
        low.y *= surface.scale().relief;
        high.y *= surface.scale().relief;
        (low, high)
    }
}

/// Every 2^level-th cell from `start` over `squares` squares, and the last one.
fn picks(start: usize, squares: usize, level: u32) -> Vec<usize> {
    let step = 1_usize.checked_shl(level).unwrap_or(usize::MAX);
    let last = start + squares;
    (start..last).step_by(step).chain([last]).collect()
}

/// The largest distance between the heights and the straight lines between picked ones.
fn stray(picks: &[usize], height: impl Fn(usize) -> f32) -> f32 {
    let mut worst = 0.0_f32;
    for ends in picks.windows(2) {
        let (low, high) = (ends[0], ends[1]);
        for cell in low + 1..high {
            let part = (cell - low) as f32 / (high - low) as f32;
            let line = height(low) + (height(high) - height(low)) * part;
            worst = worst.max((height(cell) - line).abs());
        }
    }
    worst
}

/// How far below height 0 the wall around the whole map reaches, as a part of the relief.
const WALL_FOOT: f32 = 0.25;

impl Triangles {
    fn reserve(&mut self, columns: usize, rows: usize) {
        let border = 2 * (columns + rows);
        let vertices = columns * rows + border;
        self.positions.reserve_exact(vertices);
        self.normals.reserve_exact(vertices);
        self.uvs.reserve_exact(vertices);
        self.indices
            .reserve_exact(6 * ((columns - 1) * (rows - 1) + border));
    }

    /// Adds the vertices of a row: list by list, since that is several times as fast as
    /// vertex by vertex.
    fn push_row(&mut self, surface: &Surface<'_>, columns: &[usize], row: usize) {
        let size = surface.map().size();
        let picked = columns.iter().copied();
        let place = |column| surface.vertex(column, row).to_array();
        let normal = |column| surface.vertex_normal(column, row).to_array();
        let (last_column, last_row) = ((size.width() - 1) as f32, (size.height() - 1) as f32);
        let south = row as f32 / last_row;
        self.positions.extend(picked.clone().map(place));
        self.normals.extend(picked.clone().map(normal));
        self.uvs
            .extend(picked.map(|column| [column as f32 / last_column, south]));
    }

    /// Adds the vertex at a cell, `drop` metres below the surface; returns its index.
    fn push(&mut self, surface: &Surface<'_>, column: usize, row: usize, drop: f32) -> u32 {
        let index = self.positions.len() as u32;
        let size = surface.map().size();
        let place = surface.vertex(column, row) - Vec3::Y * drop;
        self.positions.push(place.to_array());
        self.normals
            .push(surface.vertex_normal(column, row).to_array());
        self.uvs.push([
            column as f32 / (size.width() - 1) as f32,
            row as f32 / (size.height() - 1) as f32,
        ]);
        index
    }

    /// Two triangles for each square of a grid of vertices, cut as [`Surface`] is.
    fn cut_squares(&mut self, columns: u32, rows: u32) {
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let nw = row * columns + column;
                let (ne, sw, se) = (nw + 1, nw + columns, nw + columns + 1);
                self.indices.extend([nw, sw, ne, sw, se, ne]);
            }
        }
    }

    /// Walks once around the border and lets a strip hang from it, facing outwards.
    fn hang_skirt(&mut self, surface: &Surface<'_>, columns: &[usize], rows: &[usize], drop: f32) {
        let border = clockwise_border(columns.len() as u32, rows.len() as u32);
        let width = columns.len();
        let hung: Vec<(u32, u32)> = border
            .iter()
            .map(|&top| {
                let (column, row) = (columns[top as usize % width], rows[top as usize / width]);
                let drop = wall(surface, column, row).unwrap_or(drop);
                (top, self.push(surface, column, row, drop))
            })
            .collect();
        for (index, &(top, low)) in hung.iter().enumerate() {
            let (next_top, next_low) = hung[(index + 1) % hung.len()];
            self.indices
                .extend([top, next_top, low, next_top, next_low, low]);
        }
    }
}

/// How far the wall hangs from a cell on the map's own border; `None` inside the map.
fn wall(surface: &Surface<'_>, column: usize, row: usize) -> Option<f32> {
    let map = surface.map();
    let inside = (1..map.width() - 1).contains(&column) && (1..map.height() - 1).contains(&row);
    (!inside).then(|| (map.get(column, row) + WALL_FOOT) * surface.scale().relief)
}

/// The indices of a grid's border vertices, clockwise seen from above (north, east, south,
/// west), each once.
fn clockwise_border(columns: u32, rows: u32) -> Vec<u32> {
    let (east, south) = (columns - 1, rows - 1);
    let north_side = 0..east;
    let east_side = (0..south).map(|r| r * columns + east);
    let south_side = (1..=east).rev().map(|c| south * columns + c);
    let west_side = (1..=south).rev().map(|r| r * columns);
    north_side
        .chain(east_side)
        .chain(south_side)
        .chain(west_side)
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::{Generator, Heightmap, Progress, Scale};

    const SCALE: Scale = Scale {
        spacing: 1.5,
        relief: 20.0,
    };

    fn ground(width: u64, height: u64) -> Heightmap {
        let size = MapSize::new(width, height).unwrap();
        let faults = Generator::from_name("faults").unwrap();
        faults.generate(size, 2, &Progress::default()).unwrap()
    }

    fn corners(triangles: &Triangles) -> Vec<[Vec3; 3]> {
        let at = |i: u32| Vec3::from(triangles.positions[i as usize]);
        let cut = triangles.indices.chunks_exact(3);
        cut.map(|t| [at(t[0]), at(t[1]), at(t[2])]).collect()
    }

    #[test]
    fn chunks_cover_every_square_once() {
        let size = MapSize::new(131, 70).unwrap();
        let mut covered = vec![0; 130 * 69];
        for chunk in chunks(size, 32) {
            for row in chunk.row..chunk.row + chunk.rows {
                for column in chunk.column..chunk.column + chunk.columns {
                    covered[row * 130 + column] += 1;
                }
            }
        }
        assert!(covered.iter().all(|&times| times == 1));
        assert_eq!(chunks(size, 32).count(), 5 * 3);
    }

    #[test]
    fn the_finest_level_is_the_surface_itself() {
        let map = ground(20, 13);
        let surface = Surface::new(&map, SCALE);
        let mut area = 0.0;
        for chunk in chunks(map.size(), 8) {
            for [a, b, c] in corners(&chunk.triangulate(&surface, 0, None)) {
                let up = (b - a).cross(c - a);
                assert!(up.y > 0.0, "a triangle faces down");
                area += up.y / 2.0;
                let middle = (a + b + c) / 3.0;
                let height = surface.height(Vec2::new(middle.x, middle.z)).unwrap();
                assert!((height - middle.y).abs() < 1e-4, "{chunk:?}, at {middle}");
            }
        }
        let expected = 4.0 * surface.half_extent().x * surface.half_extent().y;
        assert!((area - expected).abs() < 1e-2, "{area} of {expected}");
    }

    #[test]
    fn coarse_levels_keep_the_border_corners_and_cover_the_chunk() {
        let map = ground(30, 30);
        let surface = Surface::new(&map, SCALE);
        for chunk in chunks(map.size(), 16) {
            for level in 0..6 {
                let triangles = chunk.triangulate(&surface, level, None);
                let area: f32 = corners(&triangles)
                    .iter()
                    .map(|[a, b, c]| (*b - *a).cross(*c - *a).y / 2.0)
                    .sum();
                let expected = (chunk.columns * chunk.rows) as f32 * 1.5 * 1.5;
                assert!((area - expected).abs() < 1e-2, "level {level}");
            }
            let coarsest = chunk.triangulate(&surface, 5, None);
            assert_eq!(coarsest.positions.len(), 4, "{chunk:?}");
        }
    }

    #[test]
    fn a_skirt_hangs_down_and_faces_outwards() {
        let map = ground(9, 9);
        let surface = Surface::new(&map, SCALE);
        let chunk = chunks(map.size(), 8).next().unwrap();
        let bare = chunk.triangulate(&surface, 0, None);
        let skirted = chunk.triangulate(&surface, 0, Some(3.0));
        assert_eq!(skirted.positions.len(), 81 + 32);
        assert_eq!(skirted.indices.len() - bare.indices.len(), 32 * 6);
        for [a, b, c] in corners(&skirted).into_iter().skip(bare.indices.len() / 3) {
            let normal = (b - a).cross(c - a);
            let outwards = (a + b + c) * Vec3::new(1.0, 0.0, 1.0);
            assert!(normal.dot(outwards) > 0.0, "a skirt faces inwards");
            assert!(normal.y.abs() < 1e-4, "a skirt is not upright");
        }
    }

    /// Also where no level is off: between the pixels of two edges there is the skirt, not a gap.
    #[test]
    fn a_skirt_hangs_on_flat_ground_too() {
        let map = Heightmap::flat(MapSize::new(129, 129).unwrap());
        let surface = Surface::new(&map, SCALE);
        let lowest = |triangles: &Triangles| {
            let heights = triangles.positions.iter().map(|position| position[1]);
            heights.fold(f32::INFINITY, f32::min)
        };
        let kept = |chunk: ChunkLevels| chunk.levels.iter().map(lowest).collect::<Vec<_>>();
        let chunks = triangulate(&surface, 32, 3, &Progress::default(), kept).unwrap();
        // That in the middle has no side at the border, where walls hang.
        for below in &chunks[5] {
            assert!((0.05..0.2).contains(&(-below / SCALE.spacing)), "{below}");
        }
    }

    #[test]
    fn a_skirt_hides_every_crack_between_levels() {
        let map = ground(65, 65);
        let surface = Surface::new(&map, SCALE);
        let chunk = chunks(map.size(), 32).nth(3).unwrap();
        let skirt = 2.0 * chunk.border_error(&surface, 5);
        let height_on = |level: u32, column: f32| {
            let picks = picks(chunk.column, chunk.columns, level);
            let high = *picks.iter().find(|&&c| c as f32 >= column).unwrap();
            let low = *picks.iter().rev().find(|&&c| c as f32 <= column).unwrap();
            let part = (column - low as f32) / ((high - low).max(1)) as f32;
            let at = |c| surface.vertex(c, chunk.row).y;
            at(low) + (at(high) - at(low)) * part
        };
        for step in 0..=320 {
            let column = 32.0 + step as f32 / 10.0;
            for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
                let gap = (height_on(a, column) - height_on(b, column)).abs();
                assert!(gap <= skirt + 1e-4, "levels {a} and {b}: {gap} > {skirt}");
            }
        }
    }

    #[test]
    fn the_border_of_the_map_is_a_wall_to_its_foot() {
        let map = ground(9, 9);
        let surface = Surface::new(&map, SCALE);
        let chunk = chunks(map.size(), 8).next().unwrap();
        let walled = chunk.triangulate(&surface, 0, Some(0.1));
        for low in &walled.positions[81..] {
            assert!((low[1] + WALL_FOOT * SCALE.relief).abs() < 1e-4, "{low:?}");
        }
    }

    #[test]
    fn bounds_hold_every_vertex() {
        let map = ground(40, 25);
        let surface = Surface::new(&map, SCALE);
        for chunk in chunks(map.size(), 16) {
            let (low, high) = chunk.bounds(&surface);
            for place in chunk.triangulate(&surface, 0, None).positions {
                let place = Vec3::from(place);
                assert!(
                    place.cmpge(low - 1e-4).all() && place.cmple(high + 1e-4).all(),
                    "{chunk:?}: {place}"
                );
            }
        }
    }
}
