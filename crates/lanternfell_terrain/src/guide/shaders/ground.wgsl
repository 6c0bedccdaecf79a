#import bevy_pbr::{
    forward_io::{FragmentOutput, VertexOutput},
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}

struct Ground {
    tile: f32,
    steep: f32,
    unused: vec2<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> ground: Ground;
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var rock: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(102) var rock_sampler: sampler;

// Triplanar mapping: projects the texture along three axes and blends by the normal, so cliffs do not stretch it.
fn rock_at(place: vec3<f32>, normal: vec3<f32>) -> vec4<f32> {
    let facing = pow(abs(normal), vec3(4.0));
    let share = facing / (facing.x + facing.y + facing.z);
    return share.x * textureSample(rock, rock_sampler, place.zy)
        + share.y * textureSample(rock, rock_sampler, place.xz)
        + share.z * textureSample(rock, rock_sampler, place.xy);
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    let place = in.world_position.xyz / ground.tile;
    // Map all textures of the standard material by world position.
    var tiled = in;
    tiled.uv = place.xz;
    var pbr_input = pbr_input_from_standard_material(tiled, is_front);

    let normal = normalize(in.world_normal);
    let rocky = 1.0 - smoothstep(ground.steep - 0.05, ground.steep + 0.05, normal.y);
    let grass = pbr_input.material.base_color;
    pbr_input.material.base_color = mix(grass, rock_at(place, normal), rocky);

    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
}
