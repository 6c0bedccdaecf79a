// Normal mapping: sides that face the light are brighter. The quad is above the sprite, and multiplies the pixels by up
// to 2.

#import bevy_sprite::mesh2d_vertex_output::VertexOutput
#ifdef SRGB_OUTPUT
#import bevy_render::color_operations::linear_to_srgb
#endif

struct Shade {
    // Map a world position (x, y, z, 1) to the map: 0 to 1 from its first to its last column and row.
    to_column: vec4<f32>,
    to_row: vec4<f32>,
    // World directions of the map's columns and rows.
    along_columns: vec2<f32>,
    along_rows: vec2<f32>,
    // Strength of the effect, from 0 to 1.
    depth: f32,
    // Alpha of the sprite's color.
    alpha: f32,
    // 1 if the normals are in an sRGB texture.
    as_colors: f32,
    webgl2_padding: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> shade: Shade;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var sprite_texture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var sprite_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var normal_texture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(4) var normal_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(5) var direction_texture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(6) var direction_sampler: sampler;

// Light from all around, in addition to the light from one side.
const AROUND: f32 = 0.25;

fn to_codes(linear: vec3<f32>) -> vec3<f32> {
    let far = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return select(far, 12.92 * linear, linear < vec3(0.0031308));
}

// Normalized, or zero for zero.
fn unit(way: vec2<f32>) -> vec2<f32> {
    return select(vec2(0.0), normalize(way), dot(way, way) > 0.0);
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let alpha = textureSample(sprite_texture, sprite_sampler, in.uv).a * shade.alpha;
    var texel = textureSample(normal_texture, normal_sampler, in.uv).rgb;
    let at = vec4(in.world_position.xyz, 1.0);
    let place = vec2(dot(shade.to_column, at), dot(shade.to_row, at));
    let found = textureSample(direction_texture, direction_sampler, place).rg;
    // World directions of right and down in the image, for any rotation and mirroring.
    let du = vec2(dpdx(in.uv.x), dpdy(in.uv.x));
    let dv = vec2(dpdx(in.uv.y), dpdy(in.uv.y));
    let dx = dpdx(in.world_position.xy);
    let dy = dpdy(in.world_position.xy);
    let turn = sign(du.x * dv.y - du.y * dv.x);
    let right = unit((dx * dv.y - dy * dv.x) * turn);
    let down = unit((dy * du.x - dx * du.y) * turn);
    if alpha < 0.002 {
        discard;
    }
    if shade.as_colors > 0.0 {
        texel = to_codes(texel);
    }
    // Green points up.
    let bent = texel * 2.0 - 1.0;
    let normal = normalize(vec3(bent.x * right - bent.y * down, max(bent.z, 0.01)));
    // The elevation of the light does not depend on how the cells are drawn.
    let long = min(length(found), 1.0);
    let flat_toward = unit(shade.along_columns * found.x + shade.along_rows * found.y) * long;
    let toward = vec3(flat_toward, sqrt(1.0 - long * long));
    // Relative to a flat surface, which the map's light already shows.
    let facing = AROUND + max(dot(normal, toward), 0.0);
    let shown = min(facing / (AROUND + toward.z), 2.0);
    var light = vec3(mix(1.0, mix(1.0, shown, shade.depth), alpha));
#ifdef SRGB_OUTPUT
    // The product of two sRGB codes is about the code of the product.
    light = linear_to_srgb(light);
#endif
#ifdef OKLAB_OUTPUT
    // In Oklab, lightness is the cube root of the light.
    light = pow(light, vec3(1.0 / 3.0));
#endif
    // The blend state doubles it.
    return vec4(0.5 * light, 1.0);
}
