//! Places files in one grid by their georeferences.

use lanternfell_heightmap::{CoordinateSystem, GeoReference, MapRegion, MapSize};

use super::Tile;
use crate::failure::Failure;

/// How far a cell may be from its place in the grid, in cells. Coordinates are often rounded.
const ROUNDING: f64 = 0.05;

/// Returns the size and georeference of the map of these files, and the region of each.
pub(super) fn place(tiles: &[Tile]) -> Result<(MapSize, GeoReference, Vec<MapRegion>), Failure> {
    let (first, place) = (&tiles[0], tiles[0].frame.place);
    for tile in tiles {
        check_same_grid(first, tile)?;
    }
    // Columns and rows from the southwest cell of the first file.
    let offset = |tile: &Tile, axis: usize| {
        ((tile.frame.place.corner[axis] - place.corner[axis]) / place.cell[axis]).round()
    };
    let sides = |tile: &Tile| [tile.size.width(), tile.size.height()].map(|side| side as f64);
    let start = [0, 1].map(|axis| {
        let all = tiles.iter().map(|tile| offset(tile, axis));
        all.fold(f64::INFINITY, f64::min)
    });
    let end = [0, 1].map(|axis| {
        let all = tiles
            .iter()
            .map(|tile| offset(tile, axis) + sides(tile)[axis]);
        all.fold(f64::NEG_INFINITY, f64::max)
    });
    // Casts saturate.
    let [width, height] = [0, 1].map(|axis| (end[axis] - start[axis]) as u64);
    let size = MapSize::of_world(width, height).map_err(|_| {
        let most = MapSize::MAX_WORLD_SIDE;
        let farthest = farthest(tiles, offset);
        Failure::Usage(format!(
            "{} and {} are too far apart: together the files have {width}x{height} cells, but at most {most} a side are \
             allowed",
            first.path.display(),
            farthest.path.display()
        ))
    })?;
    let region = |tile: &Tile| {
        let x = offset(tile, 0) - start[0];
        let y = end[1] - offset(tile, 1) - sides(tile)[1];
        MapRegion::new(x as usize, y as usize, tile.size, size).expect("within all of the files")
    };
    let regions = tiles.iter().map(region).collect();
    let corner = [0, 1].map(|axis| place.corner[axis] + start[axis] * place.cell[axis]);
    Ok((size, GeoReference { corner, ..place }, regions))
}

/// Returns the file that is farthest from the first one.
fn farthest(tiles: &[Tile], offset: impl Fn(&Tile, usize) -> f64) -> &Tile {
    let distance = |tile: &Tile| offset(tile, 0).abs().max(offset(tile, 1).abs());
    let mut farthest = &tiles[0];
    for tile in tiles {
        if distance(tile) > distance(farthest) {
            farthest = tile;
        }
    }
    farthest
}

/// Returns an error if a file is not of the grid of the first one.
fn check_same_grid(first: &Tile, tile: &Tile) -> Result<(), Failure> {
    let names = || format!("{} and {}", first.path.display(), tile.path.display());
    if !tile.frame.place_is_explicit {
        return Err(Failure::Usage(format!(
            "{}: it has no georeference, so its place in a map of several files is unknown",
            tile.path.display()
        )));
    }
    let (a, b) = (first.frame.place, tile.frame.place);
    if a.system != b.system || a.unit != b.unit {
        return Err(Failure::Usage(format!(
            "{} have different coordinate systems ({} and {}): bring them to the same one first, for instance with \
             gdalwarp",
            names(),
            system(a),
            system(b)
        )));
    }
    let sides = [tile.size.width(), tile.size.height()].map(|side| side as f64);
    for axis in 0..2 {
        let off = (b.cell[axis] / a.cell[axis] - 1.0).abs() * sides[axis];
        if off.is_nan() || off > ROUNDING {
            return Err(Failure::Usage(format!(
                "{} have different cell sizes ({} by {} and {} by {}): resample them to the same one first",
                names(),
                a.cell[0],
                a.cell[1],
                b.cell[0],
                b.cell[1]
            )));
        }
        let cells = (b.corner[axis] - a.corner[axis]) / a.cell[axis];
        let off = (cells - cells.round()).abs();
        if off.is_nan() || off > ROUNDING {
            return Err(Failure::Usage(format!(
                "{} are not of the same grid: they are {cells:.3} cells apart to the {}, but must be a whole number of \
                 cells apart",
                names(),
                ["east", "north"][axis]
            )));
        }
    }
    Ok(())
}

fn system(place: GeoReference) -> String {
    let number = place.system.and_then(CoordinateSystem::epsg);
    let unit = place.unit.name();
    match (place.system, number) {
        (None, _) => format!("unknown, in {unit}"),
        (Some(CoordinateSystem::Projected(_)), Some(number)) => format!("EPSG:{number}, in {unit}"),
        (Some(CoordinateSystem::Geographic(_)), Some(number)) => format!("EPSG:{number}"),
        (Some(_), None) => "without an EPSG code".to_owned(),
    }
}
