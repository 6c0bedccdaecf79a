// Contour lines of constant width on screen, over a tint by elevation as in an atlas.

#import bevy_pbr::{
    forward_io::{FragmentOutput, VertexOutput},
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}

struct Lines {
    ink: vec4<f32>,
    // Meters between lines. Every fifth line is thicker.
    step: f32,
    // Line width in pixels.
    width: f32,
    // Height in meters at which the color ramp ends.
    top: f32,
    unused: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> lines: Lines;

// Returns the coverage of this pixel by contour lines that are `interval` meters apart and `width` pixels wide.
fn line(height: f32, interval: f32, width: f32) -> f32 {
    let at = height / interval;
    let pixel = fwidth(at);
    let distance = abs(fract(at + 0.5) - 0.5) / max(pixel, 1e-6);
    // Fade out where lines are less than a few pixels apart. Level areas (`fwidth` is 0) have no lines.
    let seen = (1.0 - smoothstep(0.15, 0.4, pixel)) * step(1e-5, pixel);
    return (1.0 - smoothstep(0.5 * width - 0.5, 0.5 * width + 0.5, distance)) * seen;
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr_input = pbr_input_from_standard_material(in, is_front);
    let height = in.world_position.y;
    let ink = max(0.75 * line(height, lines.step, lines.width), line(height, 5.0 * lines.step, 1.8 * lines.width));
    let share = clamp(height / lines.top, 0.0, 1.0);
    let low = mix(vec3(0.40, 0.52, 0.26), vec3(0.80, 0.74, 0.46), smoothstep(0.0, 0.45, share));
    let tint = mix(low, vec3(0.50, 0.34, 0.22), smoothstep(0.35, 1.0, share));
    let paper = vec4(pbr_input.material.base_color.rgb * tint, 1.0);
    pbr_input.material.base_color = vec4(mix(paper.rgb, lines.ink.rgb, ink), paper.a);
    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
}
