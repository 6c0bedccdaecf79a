// Which cell of a map lies at a place of its quad: as `Lattice` in frame.rs.
#define_import_path lanternfell_torchlight::lattice

const SQUARES: i32 = 0;
const HEXAGONS: i32 = 1;
const DIAMONDS: i32 = 2;

// From one row of hexagons to the next, where neighbors are 1 apart, and from point to point.
const ROW_HEIGHT: f32 = 0.8660254;
const HEXAGON_HEIGHT: f32 = 1.1547005;

struct Place {
    // Column and row, of the map's cells.
    cell: vec2<f32>,
    // From the middle of the cell: of squares and diamonds in cells along their sides, from -1/2 to 1/2; of hexagons
    // in the plane.
    aside: vec2<f32>,
    // How far out it lies: 1 at the border of the cell, and above that only beside the map.
    out: f32,
}

// Whether it is of the map; a little more, since pictures of tiles may be larger by a part of a pixel. Of `finer` texels
// along a cell's side. Squares fill their quad: at its border, where a part of a pixel is covered, the place may be that of
// the pixel's middle, which is outside.
fn is_in(place: Place, finer: f32, lattice: i32) -> bool {
    return lattice == SQUARES || place.out < 1.0 + 0.08 * finer;
}

// How far beside the map it lies, in cells.
fn beside(place: Place, lattice: i32) -> f32 {
    if lattice == HEXAGONS {
        return max(0.5 * (place.out - 1.0), 0.0);
    }
    return length(max(abs(place.aside) - 0.5, vec2(0.0)));
}

// The place of the cell that is nearest to it.
fn nearest(place: Place, lattice: i32) -> Place {
    if lattice == HEXAGONS {
        return Place(place.cell, place.aside / max(place.out, 1.0), min(place.out, 1.0));
    }
    return Place(place.cell, clamp(place.aside, vec2(-0.5), vec2(0.5)), min(place.out, 1.0));
}

// How far to the east row y of hexagons lies.
fn shift(y: f32) -> f32 {
    return 0.5 * (y - 2.0 * floor(0.5 * y));
}

fn hexagon_in_row(at: vec2<f32>, row: f32, cells: vec2<f32>) -> Place {
    let y = clamp(row, 0.0, cells.y - 1.0);
    let column = clamp(floor(at.x - shift(y) + 0.5), 0.0, cells.x - 1.0);
    let aside = at - vec2(column + shift(y), y * ROW_HEIGHT);
    let far = abs(aside);
    // To the upright side, and to the slanted ones.
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

// `uv` goes from one corner of the quad to the opposite one, which enclose the map.
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
