#import bevy_pbr::{
    forward_io::{FragmentOutput, VertexOutput},
    mesh_functions::get_world_from_local,
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}

struct Snow {
    color: vec4<f32>,
    line: f32,
    fade: f32,
    unused: vec2<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> snow: Snow;

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr_input = pbr_input_from_standard_material(in, is_front);

    // The origin of every chunk is at height 0 of its terrain, so this also works for translated terrains.
    let foot = get_world_from_local(in.instance_index)[3].y;
    let height = in.world_position.y - foot;
    let covered = smoothstep(snow.line - snow.fade, snow.line + snow.fade, height);
    pbr_input.material.base_color = mix(pbr_input.material.base_color, snow.color, covered);

    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
}
