// Debug overlay over a map: false colors, a number in each cell, and outlines of the active tiles.

#import bevy_sprite::mesh2d_vertex_output::VertexOutput
#import lanternfell_torchlight::lattice::{HEXAGON_HEIGHT, HEXAGONS, is_in, place_at}
#ifdef SRGB_OUTPUT
#import bevy_render::color_operations::linear_to_srgb
#endif
#ifdef OKLAB_OUTPUT
#import bevy_render::color_operations::linear_rgb_to_oklab
#endif

struct Overlay {
    // Number of columns and rows.
    cells: vec2<f32>,
    // Cells along the side of a tile.
    tile_side: f32,
    // 1 if shown: false colors, numbers, tiles.
    heat: f32,
    values: f32,
    tiles: f32,
    // The lattice, as in lattice.wgsl.
    lattice: i32,
    webgl2_padding: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> overlay: Overlay;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var light_texture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var tile_texture: texture_2d<f32>;

fn luminance_of(cell: vec2<f32>) -> f32 {
    let inside = vec2<i32>(clamp(cell, vec2(0.0), overlay.cells - 1.0));
    let texel = textureLoad(light_texture, inside, 0).rgb;
    let light = texel / max(1.0 - texel, vec3(0.001));
    return dot(light, vec3(0.2126, 0.7152, 0.0722));
}

// Black, blue, cyan, green, yellow, red, white at 0, 1/6, ... 1.
fn false_color(part: f32) -> vec3<f32> {
    var stops = array<vec3<f32>, 8>(
        vec3(0.0, 0.0, 0.02),
        vec3(0.02, 0.04, 0.55),
        vec3(0.0, 0.42, 0.55),
        vec3(0.02, 0.48, 0.08),
        vec3(0.85, 0.75, 0.02),
        vec3(0.85, 0.12, 0.02),
        vec3(1.0, 1.0, 1.0),
        vec3(1.0, 1.0, 1.0),
    );
    let place = clamp(part, 0.0, 1.0) * 6.0;
    let stop = i32(place);
    return mix(stops[stop], stops[stop + 1], place - f32(stop));
}

// Digits of 3 x 5 pixels. 15 bits per digit, row by row from the top left.
fn is_ink(digit: i32, column: i32, row: i32) -> bool {
    var digits = array<i32, 10>(
        0x7b6f, 0x2c97, 0x73e7, 0x73cf, 0x5bc9, 0x79cf, 0x79ef, 0x7252, 0x7bef, 0x7bcf,
    );
    return ((digits[digit] >> u32(14 - row * 3 - column)) & 1) == 1;
}

// Two digits in a cell of 11 x 9 pixels, with a margin of two pixels. Returns the alpha of the ink
// (x) and of the background (y). Dark cells show no number.
fn number(value: f32, part: vec2<f32>) -> vec2<f32> {
    let hundredths = i32(clamp(value * 100.0 + 0.5, 0.0, 99.0));
    let pixel = vec2<i32>(part * vec2(11.0, 9.0));
    let column = pixel.x - select(2, 6, pixel.x >= 6);
    let row = pixel.y - 2;
    let digit = select(hundredths / 10, hundredths % 10, pixel.x >= 6);
    let inside = column >= 0 && column < 3 && row >= 0 && row < 5;
    let ink = inside && is_ink(digit, clamp(column, 0, 2), clamp(row, 0, 4));
    return select(vec2(0.0), vec2(select(0.0, 0.9, ink), 0.35), hundredths > 0);
}

fn over(below: vec4<f32>, color: vec3<f32>, alpha: f32) -> vec4<f32> {
    let sum = alpha + below.a * (1.0 - alpha);
    let mixed = color * alpha + below.rgb * below.a * (1.0 - alpha);
    return vec4(mixed / max(sum, 1e-6), sum);
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let at = place_at(in.uv, overlay.cells, overlay.lattice);
    let cell = at.cell;
    // From 0 to 1 across the cell.
    let high = select(1.0, HEXAGON_HEIGHT, overlay.lattice == HEXAGONS);
    let part = 0.5 + at.aside / vec2(1.0, high);
    let place = cell + part;
    // Cells per screen pixel.
    let pixel = max(fwidth(in.uv.x) * overlay.cells.x, fwidth(in.uv.y) * overlay.cells.y);
    if !is_in(at, 1.0, overlay.lattice) {
        discard;
    }
    let luminance = luminance_of(cell);
    var color = vec4(0.0);
    if overlay.heat > 0.0 {
        color = over(color, false_color(sqrt(luminance)), 0.85);
    }
    if overlay.values > 0.0 {
        let shown = number(luminance, part);
        color = over(color, vec3(0.0), shown.y);
        color = over(color, vec3(1.0), shown.x);
    }
    if overlay.tiles > 0.0 {
        let side = overlay.tile_side;
        let tile = floor(cell / side);
        let first = tile * side;
        let last = min(first + side, overlay.cells);
        let edge = min(place - first, last - place);
        let state = textureLoad(tile_texture, vec2<i32>(tile), 0);
        if state.g > 0.5 && min(edge.x, edge.y) < 2.0 * pixel {
            // From blue to red.
            color = over(color, false_color((1.0 + 4.0 * state.r) / 6.0), 1.0);
        }
    }
#ifdef SRGB_OUTPUT
    color = vec4(linear_to_srgb(color.rgb), color.a);
#endif
#ifdef OKLAB_OUTPUT
    color = vec4(linear_rgb_to_oklab(color.rgb), color.a);
#endif
    return color;
}
