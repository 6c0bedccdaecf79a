//! Serde for [`Waters`], to keep rivers and lakes in a file or to send them to a thread without
//! shared memory.
//!
//! Deserialization checks every index and number, so damaged or hostile data is an error and never
//! an index out of bounds later. Lengths in the data are not trusted either: serde allocates at
//! most 1 MiB for a list before its entries arrive.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{
    lake::LakeWater,
    ribbon::{Frame, RibbonMesh},
    waters::{Lookup, Over, RiverEnd, RiverWater, Square, Waters},
};
use lanternfell_heightmap::MapSize;

/// The serialized form of [`Waters`].
#[derive(Serialize, Deserialize)]
#[serde(rename = "Waters", deny_unknown_fields)]
struct SavedWaters {
    size: MapSize,
    /// The distance between two cells in meters.
    spacing: f32,
    lakes: Vec<LakeWater>,
    rivers: Vec<RiverWater>,
    squares: Vec<SavedSquare>,
    triangles: Vec<Over>,
}

/// A [`Square`]. The triangles over it start where those of the previous square end.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Square", deny_unknown_fields)]
struct SavedSquare {
    column: u32,
    row: u32,
    ground: [f32; 4],
    /// The lake over the square, and the height of the lake's surface at the corners.
    lake: Option<(u32, [f32; 4])>,
    triangles_end: u32,
}

impl Serialize for Waters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SavedWaters::from(self.clone()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Waters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = |what| D::Error::custom(format_args!("rivers and lakes: {what} is invalid"));
        SavedWaters::deserialize(deserializer)?
            .try_into()
            .map_err(wrong)
    }
}

impl From<Waters> for SavedWaters {
    fn from(waters: Waters) -> Self {
        let size = waters.size();
        let (rivers, lakes, lookup) = waters.into_parts();
        let squares = lookup.squares.iter().map(|square| SavedSquare {
            column: square.column,
            row: square.row,
            ground: square.ground,
            lake: square.lake.map(|lake| (lake, square.sheet)),
            triangles_end: square.triangles.1,
        });
        Self {
            size,
            spacing: lookup.frame.spacing(),
            lakes,
            rivers,
            squares: squares.collect(),
            triangles: lookup.triangles,
        }
    }
}

impl TryFrom<SavedWaters> for Waters {
    type Error = &'static str;

    fn try_from(saved: SavedWaters) -> Result<Self, Self::Error> {
        let SavedWaters {
            size,
            spacing,
            lakes,
            rivers,
            squares,
            triangles,
        } = saved;
        check(spacing.is_finite() && spacing > 0.0, "a spacing")?;
        for lake in &lakes {
            check_lake(lake)?;
        }
        for (index, river) in rivers.iter().enumerate() {
            check_river(river, index, lakes.len())?;
        }
        for over in &triangles {
            let river = rivers.get(over.river as usize);
            let count = river.map_or(0, |river| river.mesh.indices.len() / 3);
            check((over.triangle as usize) < count, "a triangle of a river")?;
        }
        let frame = Frame::new(size, spacing);
        let mut lookup = Lookup::empty(frame, triangles);
        let mut first = 0;
        for saved in squares {
            let square = saved.square(first, size, lakes.len())?;
            first = square.triangles.1;
            check(lookup.add(square), "the order of the squares")?;
        }
        let is_whole = first as usize == lookup.triangles.len();
        check(is_whole, "the number of triangles")?;
        Ok(Self::new(rivers, lakes, lookup.whole()))
    }
}

impl SavedSquare {
    /// Converts the square. Its triangles start at `first`.
    fn square(self, first: u32, size: MapSize, lakes: usize) -> Result<Square, &'static str> {
        let (columns, rows) = (size.width() - 1, size.height() - 1);
        let is_inside = (self.column as usize) < columns && (self.row as usize) < rows;
        check(is_inside, "the cell of a square")?;
        let (lake, sheet) = self.lake.unzip();
        check(
            lake.is_none_or(|lake| (lake as usize) < lakes),
            "the lake of a square",
        )?;
        let sheet = sheet.unwrap_or_default();
        check_numbers([self.ground, sheet].as_flattened())?;
        check(self.triangles_end >= first, "the triangles of a square")?;
        Ok(Square {
            column: self.column,
            row: self.row,
            ground: self.ground,
            lake,
            sheet,
            triangles: (first, self.triangles_end),
        })
    }
}

fn check_lake(lake: &LakeWater) -> Result<(), &'static str> {
    check_numbers(&[lake.level, lake.area, lake.depth])?;
    check_numbers(lake.mesh.positions.as_flattened())?;
    check_triangles(&lake.mesh.indices, lake.mesh.positions.len())
}

fn check_river(river: &RiverWater, index: usize, lakes: usize) -> Result<(), &'static str> {
    check(
        river.from_lake.is_none_or(|lake| lake < lakes),
        "the lake that a river leaves",
    )?;
    let is_known = match river.end {
        RiverEnd::Sea | RiverEnd::Outlet => true,
        RiverEnd::Lake(lake) => lake < lakes,
        // A river comes after the one that it flows into, so there are no cycles.
        RiverEnd::River(of) => of < index,
    };
    check(is_known, "the end of a river")?;
    for point in &river.points {
        check_numbers(&point.position)?;
        check_numbers(&[point.half_width, point.depth, point.turbulence])?;
        check_numbers(&point.velocity)?;
    }
    check_ribbon(&river.mesh)
}

fn check_ribbon(mesh: &RibbonMesh) -> Result<(), &'static str> {
    let vertices = mesh.positions.len();
    let lengths = [mesh.flow.len(), mesh.turbulence.len(), mesh.distances.len()];
    check(
        lengths.iter().all(|&length| length == vertices),
        "the number of a river's vertices",
    )?;
    check_numbers(mesh.positions.as_flattened())?;
    check_numbers(mesh.flow.as_flattened())?;
    check_numbers(&mesh.turbulence)?;
    check_numbers(mesh.distances.as_flattened())?;
    check_triangles(&mesh.indices, vertices)
}

fn check_triangles(indices: &[u32], vertices: usize) -> Result<(), &'static str> {
    let are_inside = indices.iter().all(|&index| (index as usize) < vertices);
    check(
        indices.len().is_multiple_of(3) && are_inside,
        "the triangles of a mesh",
    )
}

fn check_numbers(numbers: &[f32]) -> Result<(), &'static str> {
    check(
        !numbers.iter().any(|number| number.is_nan()),
        "a number (it is NaN)",
    )
}

/// Returns `what` as the error if the data is not fine.
fn check(is_fine: bool, what: &'static str) -> Result<(), &'static str> {
    is_fine.then_some(()).ok_or(what)
}
