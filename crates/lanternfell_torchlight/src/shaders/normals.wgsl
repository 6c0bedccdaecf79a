// A sprite's shape: brighter on the sides that face the light. It lies over the sprite and multiplies what is there by up to 2.

#import bevy_sprite::mesh2d_vertex_output::VertexOutput
#ifdef SRGB_OUTPUT
#import bevy_render::color_operations::linear_to_srgb
#endif

struct Shade {
    // From a place in the world (x, y, z, 1) to one in the map, from 0 to 1 from its first column and row to its last.
    to_column: vec4<f32>,
    to_row: vec4<f32>,
    // Where the map's columns and rows go in the world.
    along_columns: vec2<f32>,
    along_rows: vec2<f32>,
    // How much of it there is, from 0 to 1.
    depth: f32,
    // How much of the sprite's color there is.
    alpha: f32,
    // 1 where the normals are in a texture of sRGB codes.
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

// The light that comes from all around, beside what comes from one side.
const AROUND: f32 = 0.25;

fn to_codes(linear: vec3<f32>) -> vec3<f32> {
    let far = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return select(far, 12.92 * linear, linear < vec3(0.0031308));
}

// As long as 1, or nothing.
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
    // Where the picture's own right and down go in the world, however it is turned and mirrored.
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
    // Green is up.
    let bent = texel * 2.0 - 1.0;
    let normal = normalize(vec3(bent.x * right - bent.y * down, max(bent.z, 0.01)));
    // However cells are drawn, it comes from as low.
    let long = min(length(found), 1.0);
    let flat_toward = unit(shade.along_columns * found.x + shade.along_rows * found.y) * long;
    let toward = vec3(flat_toward, sqrt(1.0 - long * long));
    // Beside what lies flat, as which the map's light shows it.
    let facing = AROUND + max(dot(normal, toward), 0.0);
    let shown = min(facing / (AROUND + toward.z), 2.0);
    var light = vec3(mix(1.0, mix(1.0, shown, shade.depth), alpha));
#ifdef SRGB_OUTPUT
    // The product of two codes is about the code of the product.
    light = linear_to_srgb(light);
#endif
#ifdef OKLAB_OUTPUT
    // There brightness is stored as its cube root.
    light = pow(light, vec3(1.0 / 3.0));
#endif
    // The layer doubles it.
    return vec4(0.5 * light, 1.0);
}
