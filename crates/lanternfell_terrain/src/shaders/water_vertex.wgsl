// Positions the rings of `grid.rs` around the camera and displaces them by the waves, or draws a flat sea as a single
// square.

#import bevy_pbr::{
    forward_io::{Vertex, VertexOutput},
    mesh_functions::get_world_from_local,
    mesh_view_bindings::view,
    view_transformations::position_world_to_clip,
}
#import lanternfell_terrain::sea::{depth_at, drawn_swell, water}

// Cells from the center of a ring to its border. Must match `grid.rs`.
const CELLS = 32.0;

@vertex
fn vertex(in: Vertex) -> VertexOutput {
    let frame = get_world_from_local(in.instance_index);
    let meter = length(frame[1].xyz);
    let axes = mat3x3<f32>(normalize(frame[0].xyz), frame[1].xyz / meter, normalize(frame[2].xyz));
#ifdef INLAND
    let local = in.position * meter;
#else
#ifdef WAVES
    let eye = (view.world_position.xyz - frame[3].xyz) * axes / meter;
    let width = abs(in.position.y);
    let cell = in.position.xz;
    var place = (round(eye.xz / width) + cell) * width;
    // The outermost border is moved to the border of the sea.
    let is_border = (abs(cell) >= vec2(CELLS)) & vec2(in.position.y < 0.0);
    place = select(place, sign(cell) * water.extent, is_border);
    place = clamp(place, vec2(-water.extent), vec2(water.extent));

    let distance = length(vec3(place.x, 0.0, place.y) - eye);
    let swell = drawn_swell(place, max(depth_at(place), 0.0), distance);
    let local = vec3(place.x, swell.z, place.y) * meter;
#else
    let local = in.position * vec3(water.extent, 1.0, water.extent) * meter;
#endif
#endif

    var out: VertexOutput;
    let world = axes * local + frame[3].xyz;
    out.world_position = vec4(world, 1.0);
    out.position = position_world_to_clip(world);
    out.world_normal = axes[1];
#ifdef INLAND
    out.uv = in.uv;
    out.uv_b = in.uv_b;
    out.color = in.color;
#endif
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = in.instance_index;
#endif
    return out;
}
