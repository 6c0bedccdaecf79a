// The cell at a position of the quad of a map. Matches `Lattice` in frame.rs.
#define_import_path lanternfell_torchlight::lattice

const SQUARES: i32 = 0;
const HEXAGONS: i32 = 1;
const DIAMONDS: i32 = 2;

// The distance between rows of hexagons, and their height from point to point, if neighbors are 1 apart.
const ROW_HEIGHT: f32 = 0.8660254;
const HEXAGON_HEIGHT: f32 = 1.1547005;

struct Place {
    // Column and row of the cell.
    cell: vec2<f32>,
    // Offset from the center of the cell. For squares and diamonds, in cells along the sides, from -1/2 to 1/2. For
    // hexagons, in the plane.
    aside: vec2<f32>,
    // Distance from the center: 1 at the border of the cell. Larger values are outside of the map.
    out: f32,
}

// Whether the place is on the map, plus a small margin, because tile sprites may be larger by a fraction of a pixel.
// `subdivisions` is the number of texels along the side of a cell. Squares always fill their quad: for a pixel that is partly
// covered at the border, the center may be outside.
fn is_in(place: Place, subdivisions: f32, lattice: i32) -> bool {
    return lattice == SQUARES || place.out < 1.0 + 0.08 * subdivisions;
}

// Distance from the map in cells, 0 inside.
fn distance_outside(place: Place, lattice: i32) -> f32 {
    if lattice == HEXAGONS {
        return max(0.5 * (place.out - 1.0), 0.0);
    }
    return length(max(abs(place.aside) - 0.5, vec2(0.0)));
}

// The nearest place inside of the cell.
fn nearest(place: Place, lattice: i32) -> Place {
    if lattice == HEXAGONS {
        return Place(place.cell, place.aside / max(place.out, 1.0), min(place.out, 1.0));
    }
    return Place(place.cell, clamp(place.aside, vec2(-0.5), vec2(0.5)), min(place.out, 1.0));
}

// The offset of row y of hexagons to the east.
fn shift(y: f32) -> f32 {
    return 0.5 * (y - 2.0 * floor(0.5 * y));
}

fn hexagon_in_row(at: vec2<f32>, row: f32, cells: vec2<f32>) -> Place {
    let y = clamp(row, 0.0, cells.y - 1.0);
    let column = clamp(floor(at.x - shift(y) + 0.5), 0.0, cells.x - 1.0);
    let aside = at - vec2(column + shift(y), y * ROW_HEIGHT);
    let far = abs(aside);
    // Distances to the vertical and to the slanted sides.
    let out = max(2.0 * far.x, far.x + 2.0 * ROW_HEIGHT * far.y);
    return Place(vec2(column, y), aside, out);
}

fn hexagon_at(uv: vec2<f32>, cells: vec2<f32>) -> Place {
    let extent = vec2(
        cells.x + select(0.0, 0.5, cells.y > 1.0),
        (cells.y - 1.0) * ROW_HEIGHT + HEXAGON_HEIGHT,
    );
    let at = uv * extent - 0.5 * vec2(1.0, HEXAGON_HEIGHT);
    let row = floor(at.y / ROW_HEIGHT);
    let north = hexagon_in_row(at, row, cells);
    let south = hexagon_in_row(at, row + 1.0, cells);
    if dot(north.aside, north.aside) < dot(south.aside, south.aside) {
        return north;
    }
    return south;
}

// `uv` goes from one corner of the quad to the opposite corner. The quad encloses the map.
fn place_at(uv: vec2<f32>, cells: vec2<f32>, lattice: i32) -> Place {
    if lattice == HEXAGONS {
        return hexagon_at(uv, cells);
    }
    var at = uv * cells;
    if lattice == DIAMONDS {
        let down = uv * (cells.x + cells.y);
        at = 0.5 * vec2(down.y + down.x - cells.y, down.y - down.x + cells.y);
    }
    let cell = clamp(floor(at), vec2(0.0), cells - 1.0);
    let aside = at - cell - 0.5;
    return Place(cell, aside, 2.0 * max(abs(aside.x), abs(aside.y)));
}
