// Renders the light of a map. The blend state multiplies it with what is below.
//
// The texture has one texel per cell: light / (1 + light) in its colors, and in alpha whether the cell is open. The
// shader filters it manually, because light must be decoded before interpolation, and because open cells and walls must
// not be mixed.

#import bevy_sprite::mesh2d_vertex_output::VertexOutput
#import lanternfell_torchlight::lattice::{distance_outside, HEXAGONS, is_in, nearest, Place, place_at, shift, ROW_HEIGHT}
#ifdef SRGB_OUTPUT
#import bevy_render::color_operations::linear_to_srgb
#endif

struct Display {
    // Minimum light on the screen.
    floor: vec3<f32>,
    // Factor for the light.
    exposure: f32,
    // Number of columns and rows.
    cells: vec2<f32>,
    inverse_gamma: f32,
    // 0: smooth; -1: one color per cell; otherwise the number of bands.
    style: f32,
    // The lattice, as in lattice.wgsl.
    lattice: i32,
    // Width of the transition to the light outside of the map, in cells.
    edge: f32,
    // Size of the quad divided by the size of the map.
    grown: vec2<f32>,
    // Light outside of the map; w is 1 if there is any.
    beyond: vec4<f32>,
    // Texels along the side of a cell.
    subdivisions: f32,
    webgl2_padding: vec3<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> display: Display;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var light_texture: texture_2d<f32>;

// The light of a cell. w is 1 for open cells and 0 for walls.
fn light_of(cell: vec2<f32>) -> vec4<f32> {
    let inside = vec2<i32>(clamp(cell, vec2(0.0), display.cells - 1.0));
    let texel = textureLoad(light_texture, inside, 0);
    return vec4(texel.rgb / max(1.0 - texel.rgb, vec3(0.001)), texel.a);
}

// Quadratic B-spline over 3 x 3 cells. Only cells of the same kind as the center cell (open or wall) contribute.
//
// The weights along each axis are 1/2 (1/2 - f)^2, 3/4 - f^2 and 1/2 (1/2 + f)^2, where f goes from -1/2 to 1/2 across
// the cell. The result is smooth and never negative, without the creases of bilinear interpolation.
fn smooth_light(place: Place) -> vec3<f32> {
    let cell = place.cell;
    let f = place.aside;
    let before = 0.5 * (0.5 - f) * (0.5 - f);
    let after = 0.5 * (0.5 + f) * (0.5 + f);
    let here = 1.0 - before - after;
    let own = light_of(cell);
    var sum = vec4(own.rgb, 1.0) * here.x * here.y;
    for (var y = -1; y <= 1; y += 1) {
        let down = select(select(here.y, after.y, y > 0), before.y, y < 0);
        for (var x = -1; x <= 1; x += 1) {
            if x == 0 && y == 0 {
                continue;
            }
            let across = select(select(here.x, after.x, x > 0), before.x, x < 0);
            let near = light_of(cell + vec2(f32(x), f32(y)));
            let alike = 1.0 - abs(near.a - own.a);
            sum += vec4(near.rgb, 1.0) * (across * down * alike);
        }
    }
    return sum.rgb / sum.a;
}

// The same for a hexagon and its six neighbors. The weight at distance d is (1 - 3/4 d^2)^2, and 0 beyond its zero. It
// is 0 along the whole edge between two neighbors for every cell that touches only one of the two, so there is no seam.
fn smooth_hexagons(place: Place) -> vec3<f32> {
    let own = light_of(place.cell);
    var sum = vec4(0.0);
    for (var y = -1; y <= 1; y += 1) {
        let row = place.cell.y + f32(y);
        // The rows above and below contain two neighbors, the first of them half a cell to the west.
        let first = select(-0.5, -1.0, y == 0);
        for (var k = 0; k < 3; k += 1) {
            if y != 0 && k == 2 {
                continue;
            }
            let step = vec2(first + f32(k), f32(y) * ROW_HEIGHT);
            let away = place.aside - step;
            let weight = max(1.0 - 0.75 * dot(away, away), 0.0);
            let column = place.cell.x + shift(place.cell.y) + step.x - shift(row);
            let near = light_of(vec2(round(column), row));
            let alike = 1.0 - abs(near.a - own.a);
            sum += vec4(near.rgb, 1.0) * (weight * weight * alike);
        }
    }
    return sum.rgb / sum.a;
}

// Compresses light above 1. It keeps the hue, and blends up to half into white. A screen would clip one color channel
// after the other.
fn shoulder(light: vec3<f32>) -> vec3<f32> {
    let most = max(max(light.r, light.g), max(light.b, 1.0));
    let above = 1.0 - 1.0 / most;
    // Squared, so that there is no visible edge where it starts.
    return mix(light / most, vec3(1.0), 0.5 * above * above);
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let uv = (in.uv - 0.5) * display.grown + 0.5;
    let found = place_at(uv, display.cells, display.lattice);
    // Hexagons and diamonds do not fill the quad.
    if display.beyond.w == 0.0 && !is_in(found, display.subdivisions, display.lattice) {
        discard;
    }
    let place = nearest(found, display.lattice);
    let style = display.style;
    var light: vec3<f32>;
    if style < 0.0 {
        light = light_of(place.cell).rgb;
    } else if display.lattice == HEXAGONS {
        light = smooth_hexagons(place);
    } else {
        light = smooth_light(place);
    }
    if display.beyond.w > 0.0 {
        let share = smoothstep(0.0, max(display.edge, 0.001), distance_outside(found, display.lattice));
        light = mix(light, display.beyond.rgb, share);
    }
    light *= display.exposure;
    // Scaled by the brightest channel, so that the hue does not change.
    let most = max(max(light.r, light.g), max(light.b, 1e-6));
    light *= pow(most, display.inverse_gamma - 1.0);
    if style > 0.0 {
        // Perceptually even steps: of the square root of the luminance.
        let luminance = dot(light, vec3(0.2126, 0.7152, 0.0722));
        let step = floor(sqrt(luminance) * style + 0.5) / style;
        light *= step * step / max(luminance, 1e-6);
    }
    light = max(light, display.floor);
#ifndef HDR_TARGET
    light = shoulder(light);
#endif
#ifdef SRGB_OUTPUT
    // The product of two sRGB codes is about the code of the product.
    light = linear_to_srgb(light);
#endif
#ifdef OKLAB_OUTPUT
    // In Oklab only lightness can be multiplied. It is stored as a cube root.
    light = vec3(pow(dot(light, vec3(0.2126, 0.7152, 0.0722)), 1.0 / 3.0));
#endif
    return vec4(light, 1.0);
}
