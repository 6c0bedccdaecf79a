#import bevy_sprite::mesh2d_vertex_output::VertexOutput

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var light_texture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var light_sampler: sampler;

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    // The texture stores light / (1 + light).
    let texel = textureSample(light_texture, light_sampler, in.uv);
    let light = texel.rgb / max(1.0 - texel.rgb, vec3(0.001));
    // White mist that is half transparent.
    return vec4(min(light, vec3(1.0)), 0.5);
}
