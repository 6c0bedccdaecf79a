// From the colors of the sky, which are scaled for Bevy's default exposure, to those that a camera outputs.
#define_import_path lanternfell_sky::exposure

#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::{screen_space_dither, tone_mapping}
#import bevy_pbr::mesh_view_bindings::view
#import bevy_render::maths::powsafe
#endif

// EV100 of Bevy's default exposure, as in Blender.
const DEFAULT_EV100: f32 = 9.7;

// `exposure` is that of the view.
fn exposed(color: vec3<f32>, exposure: f32) -> vec3<f32> {
    return color * (exposure * 1.2 * exp2(DEFAULT_EV100));
}

// The output of a fragment. Without HDR, Bevy's materials apply tone mapping themselves, and so must the sky: otherwise
// it would not match the fog.
fn output(color: vec3<f32>, pixel: vec2<f32>) -> vec3<f32> {
#ifdef TONEMAP_IN_SHADER
    let toned = tone_mapping(vec4(color, 1.0), view.color_grading).rgb;
#ifdef DEBAND_DITHER
    return powsafe(powsafe(toned, 1.0 / 2.2) + screen_space_dither(pixel), 2.2);
#else
    return toned;
#endif
#else
    return color;
#endif
}
