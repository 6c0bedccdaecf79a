// Sand, grass, rock and snow by height and slope, on top of Bevy's own lighting.
//
//   above the snow line, not too steep  -> snow
//   steep                               -> rock, in layers
//   just above the sea and below it     -> sand, wet and dark near the water
//   else                                -> grass, in patches of two tones
//
// Every border between two of them is frayed by noise. Heights come from the terrain's
// own frame, so a terrain may stand anywhere.

#import bevy_pbr::{
    mesh_functions::get_world_from_local,
    mesh_view_bindings::view,
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::alpha_discard,
}
#import lanternfell_terrain::noise::{fractal_noise, value_noise}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::{
    prepass_io::{VertexOutput, FragmentOutput},
    pbr_deferred_functions::deferred_output,
}
#else
#import bevy_pbr::{
    forward_io::{VertexOutput, FragmentOutput},
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#endif

// Colors are linear, lengths in metres. Each color and the number after it fill 16 bytes.
struct Land {
    sand: vec3<f32>,
    // How far above the sea sand lies.
    sand_height: f32,
    grass: vec3<f32>,
    // y of the sea's surface, in the terrain's frame.
    sea_level: f32,
    // The second tone of grass.
    meadow: vec3<f32>,
    // y from which there is snow, in the terrain's frame.
    snow_line: f32,
    rock: vec3<f32>,
    // The cosine of the slope at which rock begins.
    rock_slope_cosine: f32,
    snow: vec3<f32>,
    // The size of the largest patches.
    patch_size: f32,
    // Of the whole land along x and z.
    extent: vec2<f32>,
    // Of its middle on the plane that noise is strewn over.
    place: vec2<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> land: Land;

struct Cover {
    color: vec3<f32>,
    roughness: f32,
    // How rough the ground looks from near: the strength of bumps and speckles.
    bumps: f32,
    // How much of it is sand.
    sandy: f32,
}

// What covers the ground at a place; `steep` is the cosine of its slope.
fn cover(place: vec3<f32>, steep: f32, fray: f32, patch_tone: f32) -> Cover {
    let above_sea = place.y - land.sea_level;
    let grass_tone = smoothstep(-0.35, 0.45, patch_tone + 0.4 * fray);
    let dark = 1.0 - 0.30 * smoothstep(0.05, 0.5, -patch_tone + 0.8 * fray);
    var result = Cover(mix(land.grass, land.meadow, grass_tone) * dark, 0.95, 0.55, 0.0);

    let beach = 1.0 - smoothstep(0.55, 1.25, above_sea / max(land.sand_height, 0.01) + 0.7 * fray);
    result.color = mix(result.color, land.sand * (1.0 + 0.12 * fray), beach);
    result.bumps = mix(result.bumps, 0.16, beach);
    result.sandy = beach;

    let cliff = 1.0 - smoothstep(land.rock_slope_cosine - 0.07, land.rock_slope_cosine + 0.05, steep - 0.12 * fray);
    let layers = value_noise(vec3(place.x * 0.02, place.y * 0.55 + 2.0 * fray, place.z * 0.02)).w;
    let veins = value_noise(vec3(place.x * 0.11, place.y * 1.9 + 3.0 * fray, place.z * 0.11)).w;
    let stone = land.rock * (1.0 + 0.22 * layers + 0.20 * veins + 0.25 * fray);
    result.color = mix(result.color, stone, cliff);
    result.bumps = mix(result.bumps, 0.95, cliff);
    result.sandy *= 1.0 - cliff;

    let band = 0.25 * land.patch_size;
    let cold = smoothstep(-0.5, 0.5, (place.y - land.snow_line) / band + 0.9 * fray + 0.4 * patch_tone);
    let snow = cold * smoothstep(land.rock_slope_cosine - 0.10, land.rock_slope_cosine + 0.06, steep);
    result.color = mix(result.color, land.snow, snow);
    result.bumps = mix(result.bumps, 0.2, snow);
    result.roughness = mix(result.roughness, 0.6, snow);

    // Wet ground is darker and shinier, up to where the waves reach.
    let wet = 1.0 - smoothstep(-0.1, 0.5, above_sea + 0.25 * fray);
    result.color *= 1.0 - 0.45 * wet;
    result.roughness = mix(result.roughness, 0.45, wet * beach);
    return result;
}

@fragment
fn fragment(
    in: VertexOutput,
    @builtin(front_facing) is_front: bool,
) -> FragmentOutput {
    var pbr_input = pbr_input_from_standard_material(in, is_front);

    let frame = get_world_from_local(in.instance_index);
    let up = frame[1].xyz;
    let meter = length(up);
    // A patch stands somewhere on the land, at height 0; where on it, its texture coordinates tell.
    let height = dot(in.world_position.xyz - frame[3].xyz, up) / (meter * meter);
#ifdef VERTEX_UVS_A
    let flat = (in.uv - 0.5) * land.extent + land.place;
#else
    let flat = vec2(0.0);
#endif
    let place = vec3(flat.x, height, flat.y);

    let normal = normalize(in.world_normal);
    let steep = dot(normal, up) / meter;
    let distance = length(view.world_position.xyz - in.world_position.xyz) / meter;
    // About what one pixel covers, in metres.
    let pixel = 0.0015 * distance;
    let patch_tone = fractal_noise(place / land.patch_size, 3, 0.5, 2.0 * pixel / land.patch_size).w;
    let fray = fractal_noise(place * 0.31, 3, 0.5, 2.0 * pixel * 0.31);
    let covered = cover(place, steep, fray.w, patch_tone);

    // Bumps and speckles from a metre down to a few centimetres.
    let grain = fractal_noise(place * 0.9, 5, 0.8, 2.0 * pixel * 0.9);
    var slope = fray.xyz * 0.31 * 0.5 + grain.xyz * 0.9 * 0.09;
    // Wind has combed the sand.
    let combed = covered.sandy / (1.0 + pow(pixel * 18.0, 2.0));
    slope += vec3(0.52, 0.0, 0.85) * cos(place.x * 4.0 + place.z * 6.5 + 6.0 * fray.w) * combed * 2.0;
    let bump = slope - normal * dot(slope, normal);
    pbr_input.N = normalize(normal - covered.bumps * bump);
    let tufts = smoothstep(-0.8, 0.8, grain.w + 0.5 * fray.w);
    let speckle = 1.0 + covered.bumps * (1.3 * tufts - 0.72);

    let base = pbr_input.material.base_color;
    pbr_input.material.base_color = vec4(base.rgb * covered.color * speckle, base.a);
    pbr_input.material.perceptual_roughness = covered.roughness;
    pbr_input.material.base_color = alpha_discard(pbr_input.material, pbr_input.material.base_color);

#ifdef PREPASS_PIPELINE
    return deferred_output(in, pbr_input);
#else
    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
#endif
}
