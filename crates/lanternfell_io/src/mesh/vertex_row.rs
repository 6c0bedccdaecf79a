//! A row of a map as vertices. The adjacent rows are loaded for the normals.

use glam::Vec3;

use super::MeshGrid;
use lanternfell_heightmap::analysis::HeightRows;
use lanternfell_surface::normal_in;

/// The vertices of the loaded row. Positions and normals are those of [`Surface`](lanternfell_surface::Surface).
pub(super) struct VertexRow<'a> {
    grid: &'a MeshGrid<'a>,
    row: usize,
    /// The number of rows from the northern to the southern adjacent row.
    apart: usize,
    north: Vec<f32>,
    here: Vec<f32>,
    south: Vec<f32>,
}

impl<'a> VertexRow<'a> {
    /// Creates it without a loaded row.
    pub(super) fn new(grid: &'a MeshGrid<'a>) -> Self {
        Self {
            grid,
            row: 0,
            apart: 1,
            north: Vec::new(),
            here: Vec::new(),
            south: Vec::new(),
        }
    }

    /// Loads a row of the region for its [positions](Self::place) only.
    pub(super) fn load_places(&mut self, row: usize) {
        self.row = row;
        show(self.grid.map, self.grid.region.y() + row, &mut self.here);
    }

    /// Loads a row of the region for its positions and normals. The normals also depend on cells of the map outside of
    /// the region.
    pub(super) fn load(&mut self, row: usize) {
        let last = self.grid.map.size().height() - 1;
        let here = self.grid.region.y() + row;
        let (north, south) = (here.saturating_sub(1), (here + 1).min(last));
        show(self.grid.map, north, &mut self.north);
        self.load_places(row);
        show(self.grid.map, south, &mut self.south);
        self.apart = south - north;
    }

    /// Returns the position of the vertex in a column.
    pub(super) fn place(&self, column: usize) -> Vec3 {
        Vec3::new(
            self.grid.x.line(column as u32),
            self.heights()[column] * self.grid.scale.relief,
            self.z(),
        )
    }

    /// Returns the z coordinate of the row.
    pub(super) fn z(&self) -> f32 {
        self.grid.z.line(self.row as u32)
    }

    /// Returns the unit normal of the vertex in a column.
    pub(super) fn normal(&self, column: usize) -> Vec3 {
        let rows = [&self.north[..], &self.here, &self.south];
        let column = self.grid.region.x() + column;
        let (scale, down) = (self.grid.scale, self.grid.down);
        let square = normal_in(rows, self.apart, column, scale);
        if scale.spacing == down {
            return square;
        }
        // In units of the spacing along each axis, a cell is a square.
        Vec3::new(square.x, square.y, square.z * (scale.spacing / down)).normalize()
    }

    /// Returns the heights of the region's row.
    pub(super) fn heights(&self) -> &[f32] {
        &self.here[self.grid.region.columns()]
    }
}

fn show(map: &dyn HeightRows, row: usize, heights: &mut Vec<f32>) {
    map.show(row, &mut |row| {
        heights.clear();
        heights.extend_from_slice(row);
    });
}
