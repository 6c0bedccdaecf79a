#import bevy_pbr::forward_io::VertexOutput

struct Relief {
    low: vec3<f32>,
    bottom: f32,
    high: vec3<f32>,
    top: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> relief: Relief;

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let share = saturate((in.world_position.y - relief.bottom) / (relief.top - relief.bottom));
    // Light from the northwest, the convention for shaded relief maps.
    let light = saturate(dot(normalize(in.world_normal), normalize(vec3(-1.0, 1.5, -1.0))));
    return vec4(mix(relief.low, relief.high, share) * (0.3 + 0.7 * light), 1.0);
}
