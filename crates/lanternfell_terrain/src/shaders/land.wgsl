// Renders the layers of the terrain. The control map selects the layers, and two array textures contain their looks.
//
//   control map, four texels around    -> up to eight layers with shares -> the three with the largest shares
//   each of these: near and far scale  -> color, height, normal, roughness, occlusion
//   heights                            -> blending: grass sticks out of sand, sand lies between pebbles
//   the whole map's normals and sky    -> shading details that the triangles are too coarse for
//
// Each layer's texture is sampled at two scales: at its own, and rotated and several times larger. The second sample
// multiplies the first, so no repetition is visible. Far away, the first is replaced by the average color and only the
// second remains.
//
// Heights are in the terrain's local space, so the terrain can have any transform.

#import bevy_pbr::{
    mesh_functions::get_world_from_local,
    mesh_view_bindings::view,
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::alpha_discard,
}
#ifdef LIT_BY_IMAGE
// The light image uses the binding of the emissive texture, because WebGL2 has no room for another texture.
#import bevy_pbr::pbr_bindings::{emissive_texture, emissive_sampler}
#import lanternfell_terrain::ground_light::light_at
#endif
#import lanternfell_terrain::noise::{fractal_noise, value_noise}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::{
    prepass_io::{VertexOutput, FragmentOutput},
    pbr_deferred_functions::deferred_output,
}
#else
#import bevy_pbr::{
    forward_io::{VertexOutput, FragmentOutput},
    mesh_view_bindings::{globals, lights},
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#import lanternfell_terrain::caustics::caustics
#endif

// Colors are linear, lengths in meters. Each color and the number after it fill 16 bytes.
struct Layer {
    // The average color of the texture, without the tint.
    average: vec3<f32>,
    // Tiles per meter.
    tiles: f32,
    tint: vec3<f32>,
    // 1 once the texture is loaded, otherwise 0.
    is_made: f32,
    // The position of the terrain's center on the tile, at the near and the far scale.
    near_offset: vec2<f32>,
    far_offset: vec2<f32>,
}

struct Land {
    layers: array<Layer, 16>,
    // Maps a world position to a texture coordinate of the light image.
    light_u: vec4<f32>,
    light_v: vec4<f32>,
    // The size of the whole terrain along x and z.
    extent: vec2<f32>,
    // Position of the terrain's center on the plane to which noise is anchored.
    place: vec2<f32>,
    // The size of the control map in texels, minus 1.
    last_texel: vec2<f32>,
    // y of the sea surface, in the terrain's local space.
    sea_level: f32,
    // The size of the largest patches, at least 1.
    patch_size: f32,
    // The height above the sea up to which waves wet the shore; 0 without a sea.
    wet_height: f32,
    // The strength of the patches.
    patch_strength: f32,
    // The mean of all layers' tiles per meter.
    tiles: f32,
    // The luminance of a white surface in full light, in candela per square meter.
    luminance: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> land: Land;
// Color (rgb) and height (a).
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var layer_colors: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(102) var layer_sampler: sampler;
// Normal along +u and +v (rg), roughness (b), occlusion (a).
@group(#{MATERIAL_BIND_GROUP}) @binding(103) var layer_materials: texture_2d_array<f32>;
// The indices of two layers (r), and the share of the second (g).
@group(#{MATERIAL_BIND_GROUP}) @binding(104) var control: texture_2d<f32>;
// Normal along x and z (rg), visible fraction of the sky (b), wetness (a).
@group(#{MATERIAL_BIND_GROUP}) @binding(105) var relief: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(106) var relief_sampler: sampler;

// The scale and rotation of the far sample. Must match default_material.rs.
const FAR_SIZE: f32 = 5.3;
const FAR_TURN: mat2x2<f32> = mat2x2<f32>(0.8253356, 0.5646425, -0.5646425, 0.8253356);

// A layer and its share.
struct Share {
    layer: i32,
    share: f32,
}

// The layers with the largest shares of a place, in any order. The shares add up to 1, and the first `count` are used.
struct Shares {
    layers: array<Share, 3>,
    count: i32,
}

// The look of a fragment.
struct Look {
    color: vec3<f32>,
    height: f32,
    // The offset of the normal, in the terrain's local space.
    slope: vec3<f32>,
    roughness: f32,
    occlusion: f32,
}

struct ControlTexel {
    first: i32,
    second: i32,
    share: f32,
}

fn control_texel(at: vec2<i32>) -> ControlTexel {
    let texel = textureLoad(control, clamp(at, vec2(0), vec2<i32>(land.last_texel)), 0).rg;
    let layers = i32(texel.r * 255.0 + 0.5);
    return ControlTexel(layers & 15, layers >> 4u, texel.g);
}

// The layers at a position of the control map, interpolated between its four texels.
fn shares_at(at: vec2<f32>) -> Shares {
    let base = floor(at);
    let f = at - base;
    var shares: Shares;
    var kept: array<Share, 4>;
    // Two layers for each of the four texels.
    for (var k = 0; k < 8; k++) {
        let corner = vec2(k >> 1u & 1, k >> 2u);
        let texel = control_texel(vec2<i32>(base) + corner);
        let near = mix(1.0 - f, f, vec2<f32>(corner));
        let of_texel = select(1.0 - texel.share, texel.share, (k & 1) == 1);
        let share = near.x * near.y * of_texel;
        if share <= 0.0 {
            continue;
        }
        let layer = select(texel.first, texel.second, (k & 1) == 1);
        // Uses the entry of the same layer if there is one. Otherwise replaces the entry with the smallest share, if
        // that is smaller.
        var place = 3;
        for (var other = 0; other < 4; other++) {
            if kept[other].layer == layer && kept[other].share > 0.0 {
                place = other;
                break;
            }
            if kept[other].share < kept[place].share {
                place = other;
            }
        }
        if kept[place].layer == layer {
            kept[place].share += share;
        } else if share > kept[place].share {
            kept[place] = Share(layer, share);
        }
    }
    // The three largest shares, minus the share of the fourth. Without the subtraction, an edge would be visible where
    // the fourth becomes the third.
    var least = 0;
    for (var k = 1; k < 4; k++) {
        if kept[k].share < kept[least].share {
            least = k;
        }
    }
    let rest = kept[least].share;
    var sum = 0.0;
    for (var k = 0; k < 4; k++) {
        let share = kept[k].share - rest;
        if k != least && share > 0.004 {
            shares.layers[shares.count] = Share(kept[k].layer, share);
            shares.count += 1;
            sum += share;
        }
    }
    if shares.count == 0 {
        shares.layers[0] = kept[0];
        shares.count = 1;
        sum = max(kept[0].share, 1e-5);
    }
    for (var k = 0; k < shares.count; k++) {
        shares.layers[k].share /= sum;
    }
    return shares;
}

// A projection of the texture onto the terrain: the directions of u and v, and its weight.
struct Side {
    u: vec3<f32>,
    v: vec3<f32>,
    share: f32,
}

// Triplanar mapping: from above where the terrain is flat, and from the sides where it is steep, because the texture
// would be stretched there.
fn side_of(index: i32, normal: vec3<f32>) -> Side {
    let along = abs(normal.xz);
#ifdef LAYERS_LOW
    // Low quality uses one projection only.
    if normal.y > 0.70 {
        return Side(vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), 1.0);
    } else if along.x > along.y {
        return Side(vec3(0.0, 0.0, 1.0), vec3(0.0, -1.0, 0.0), 1.0);
    }
    return Side(vec3(1.0, 0.0, 0.0), vec3(0.0, -1.0, 0.0), 1.0);
#else
    let steep = 1.0 - smoothstep(0.62, 0.80, normal.y);
    let along_x = smoothstep(0.35, 0.65, along.x / max(along.x + along.y, 1e-4));
    if index == 0 {
        return Side(vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), 1.0 - steep);
    } else if index == 1 {
        return Side(vec3(0.0, 0.0, 1.0), vec3(0.0, -1.0, 0.0), steep * along_x);
    }
    return Side(vec3(1.0, 0.0, 0.0), vec3(0.0, -1.0, 0.0), steep * (1.0 - along_x));
#endif
}

#ifdef LEVEL_BY_DISTANCE
// For software renderers, which would derive the mip level from four pixels of which some may be outside the terrain.
fn level_of(pixel: f32) -> f32 {
    return log2(max(1.4 * pixel * land.tiles * f32(textureDimensions(layer_colors).x), 1e-3));
}
#endif

fn color_at(at: vec2<f32>, index: i32, dx: vec2<f32>, dy: vec2<f32>, pixel: f32) -> vec4<f32> {
#ifdef LEVEL_BY_DISTANCE
    return textureSampleLevel(layer_colors, layer_sampler, at, index, level_of(pixel));
#else
    return textureSampleGrad(layer_colors, layer_sampler, at, index, dx, dy);
#endif
}

fn material_at(at: vec2<f32>, index: i32, dx: vec2<f32>, dy: vec2<f32>, pixel: f32) -> vec4<f32> {
#ifdef LEVEL_BY_DISTANCE
    return textureSampleLevel(layer_materials, layer_sampler, at, index, level_of(pixel));
#else
    return textureSampleGrad(layer_materials, layer_sampler, at, index, dx, dy);
#endif
}

// Samples a layer in one projection. `pixel` is the size of a pixel in meters.
fn look_at(index: i32, side: Side, ground: Ground, pixel: f32) -> Look {
    let layer = land.layers[index];
    var look = Look(layer.average, 0.5, vec3(0.0), 0.9, 1.0);
    let tile = 1.0 / layer.tiles;
    let at = vec2(dot(ground.place, side.u), dot(ground.place, side.v)) * layer.tiles;
    let dx = vec2(dot(ground.dx, side.u), dot(ground.dx, side.v)) * layer.tiles;
    let dy = vec2(dot(ground.dy, side.u), dot(ground.dy, side.v)) * layer.tiles;
    let far = FAR_TURN * at / FAR_SIZE + layer.far_offset;
#ifdef LAYERS_LOW
    // Only one of the two scales, except for a transition between them.
    let distant = smoothstep(0.5, 2.0, pixel * 64.0 / tile);
    var texel = vec4(0.0);
    if distant < 1.0 {
        texel += (1.0 - distant) * color_at(at + layer.near_offset, index, dx, dy, pixel);
    }
    if distant > 0.0 {
        texel += distant * color_at(far, index, FAR_TURN * dx / FAR_SIZE, FAR_TURN * dy / FAR_SIZE, pixel / FAR_SIZE);
    }
    look.color = texel.rgb;
    look.height = texel.a;
#else
    let broad = color_at(far, index, FAR_TURN * dx / FAR_SIZE, FAR_TURN * dy / FAR_SIZE, pixel / FAR_SIZE);
    look.color = broad.rgb;
    look.height = broad.a;
    if pixel < tile * 0.5 {
        let near = at + layer.near_offset;
        let fine = color_at(near, index, dx, dy, pixel);
        let material = material_at(near, index, dx, dy, pixel);
        // The far sample contributes its contrast. It is weaker nearby, where its large features would look like giant
        // blades of grass.
        let distant = smoothstep(0.25, 1.5, pixel * 64.0 / tile);
        let contrast = clamp(broad.rgb / max(layer.average, vec3(0.01)), vec3(0.3), vec3(2.5));
        look.color = fine.rgb * mix(vec3(1.0), contrast, 0.8 * distant);
        look.height = mix(fine.a, broad.a, 0.4 * distant);
        let normal = (material.rg * 255.0 - 128.0) / 127.0;
        let slope = normal / sqrt(max(1.0 - dot(normal, normal), 0.16));
        look.slope = slope.x * side.u + slope.y * side.v;
        look.roughness = material.b;
        look.occlusion = material.a;
    }
#endif
    return look;
}

// A point on the terrain, its screen-space derivatives, and the normal, in the terrain's local space.
struct Ground {
    place: vec3<f32>,
    dx: vec3<f32>,
    dy: vec3<f32>,
    normal: vec3<f32>,
}

// The height difference at which one layer completely hides another.
const DEPTH: f32 = 0.25;

// Blends the layers, each from all its projections. Where two overlap, the higher one is visible.
fn see(found: Shares, ground: Ground, pixel: f32) -> Look {
    var shares = found;
    var looks: array<Look, 3>;
    var top = 0.0;
#ifdef LAYERS_LOW
    // The two largest shares, minus the third, as above.
    if shares.count == 3 {
        for (var k = 0; k < 2; k++) {
            if shares.layers[k].share < shares.layers[2].share {
                let more = shares.layers[2];
                shares.layers[2] = shares.layers[k];
                shares.layers[k] = more;
            }
        }
        let rest = shares.layers[2].share;
        // If all shares are equal, nothing would remain, so a small value is added.
        let both = max(1.0 - 3.0 * rest, 0.0) + 2e-5;
        shares.layers[0].share = (shares.layers[0].share - rest + 1e-5) / both;
        shares.layers[1].share = (shares.layers[1].share - rest + 1e-5) / both;
    }
    let count = min(shares.count, 2);
    let sides = 1;
#else
    let count = shares.count;
    // Only the projection from above where the terrain is flat.
    let sides = select(1, 3, ground.normal.y < 0.80);
#endif
    for (var k = 0; k < count; k++) {
        let index = shares.layers[k].layer;
        let layer = land.layers[index];
        var sum = Look(vec3(0.0), 0.0, vec3(0.0), 0.0, 0.0);
        // From this distance on, all mip levels that would be sampled are the average color.
        if layer.is_made < 0.5 || pixel * layer.tiles > FAR_SIZE * 0.5 {
            sum = Look(layer.average, 0.5, vec3(0.0), 0.9, 1.0);
        } else {
            for (var s = 0; s < sides; s++) {
                let side = side_of(s, ground.normal);
                if side.share < 0.01 {
                    continue;
                }
                let look = look_at(index, side, ground, pixel);
                sum.color += look.color * side.share;
                sum.height += look.height * side.share;
                sum.slope += look.slope * side.share;
                sum.roughness += look.roughness * side.share;
                sum.occlusion += look.occlusion * side.share;
            }
        }
        sum.color *= layer.tint;
        looks[k] = sum;
        top = max(top, shares.layers[k].share + 0.6 * sum.height);
    }
    var seen = Look(vec3(0.0), 0.0, vec3(0.0), 0.0, 0.0);
    var total = 0.0;
    for (var k = 0; k < count; k++) {
        let look = looks[k];
        let share = shares.layers[k].share;
        // A layer with a tiny share must not stick out alone.
        let weight = max(share + 0.6 * look.height - top + DEPTH, 0.0) * smoothstep(0.0, 0.08, share);
        seen.color += look.color * weight;
        seen.slope += look.slope * weight;
        seen.roughness += look.roughness * weight;
        seen.occlusion += look.occlusion * weight;
        total += weight;
    }
    let scale = 1.0 / max(total, 1e-5);
    return Look(seen.color * scale, 0.5, seen.slope * scale, seen.roughness * scale, seen.occlusion * scale);
}

#ifndef PREPASS_PIPELINE
const BRIGHTNESS = vec3<f32>(0.2126, 0.7152, 0.0722);

// The factor by which caustics brighten the sea floor, `below` meters under the surface, for a pixel size in meters.
// Not available with deferred rendering, where the lights are not known here.
fn lit_by_caustics(place: vec2<f32>, below: f32, pixel: f32, up: vec3<f32>) -> f32 {
    // Caustics only affect the fraction of light that comes from the sun, so there are none under an overcast sky.
    // Shadows are not considered.
    let sun = lights.directional_lights[0];
    let direct = dot(sun.color.rgb, BRIGHTNESS) * max(dot(sun.direction_to_light, up), 0.0) / 3.14159;
    let sky = dot(lights.ambient_color.rgb, BRIGHTNESS);
    let share = direct / max(direct + sky, 1e-6);
    // The light focuses in the first meters and is lost farther down. Far away the pattern is too fine to be visible.
    let seen = smoothstep(0.05, 0.5, below) * (1.0 - smoothstep(2.0, 11.0, below)) * (1.0 - smoothstep(0.03, 0.12, pixel));
    if seen * share < 0.01 {
        return 1.0;
    }
    let strength = 0.72 * smoothstep(0.0, 1.6, below);
    return mix(1.0, caustics(place, globals.time, strength), 0.8 * seen * share);
}
#endif

@fragment
fn fragment(
    in: VertexOutput,
    @builtin(front_facing) is_front: bool,
) -> FragmentOutput {
    var pbr_input = pbr_input_from_standard_material(in, is_front);

    let frame = get_world_from_local(in.instance_index);
    let meter = length(frame[1].xyz);
    let axes = mat3x3<f32>(normalize(frame[0].xyz), frame[1].xyz / meter, normalize(frame[2].xyz));
    // A patch can be anywhere on the terrain, at height 0. Its texture coordinates contain its position on the terrain.
    let height = dot(in.world_position.xyz - frame[3].xyz, axes[1]) / meter;
#ifdef VERTEX_UVS_A
    let share = in.uv;
#else
    let share = vec2(0.5);
#endif
    let flat = (share - 0.5) * land.extent;
    let place = vec3(flat.x, height, flat.y);
    let dx = dpdx(place);
    let dy = dpdy(place);
    // The approximate width of a pixel in meters. It is not measured along the line of sight, where pixels are
    // stretched.
    let distance = length(view.world_position.xyz - in.world_position.xyz) / meter;
    let pixel = 0.0012 * distance;
    let on_plane = vec3(flat.x + land.place.x, height, flat.y + land.place.y);
    let relief_dx = dpdx(share);
    let relief_dy = dpdy(share);

    var normal = transpose(axes) * normalize(in.world_normal);
    var sky = 1.0;
    var wet_ground = 0.4;
    var shares: Shares;
    shares.layers[0].share = 1.0;
    shares.count = 1;
    // Mesa 22 crashes if a branch depends on a uniform alone and there is fog, so this is a shader define.
#ifdef COVERED
    let texels = (share * land.last_texel + 0.5) / (land.last_texel + 1.0);
    let of_map = textureSampleGrad(relief, relief_sampler, texels, relief_dx, relief_dy);
    sky = of_map.b;
    wet_ground = of_map.a;
    // With distance, the triangles get coarser than the map.
    let texel = land.extent.x / land.last_texel.x;
    let slope = (of_map.rg * 255.0 - 128.0) / 127.0;
    let mapped = vec3(slope.x, sqrt(max(1.0 - dot(slope, slope), 0.01)), slope.y);
    normal = normalize(mix(normal, mapped, smoothstep(0.25, 1.0, pixel / texel)));
    // Noise hides the squares of the control map at borders, and where texels are large, straight lines.
    let coarse = max(1.0, texel / 1.5);
    let less = inverseSqrt(coarse);
    let tongues = value_noise(on_plane * (0.43 / coarse)).xz * 0.35;
    let fringes = value_noise(on_plane * (1.7 * less)).xz * (0.22 * less);
    let fray = tongues + fringes;
    shares = shares_at(share * land.last_texel + fray);
#endif

    var look = see(shares, Ground(place, dx, dy, normal), pixel);

    // Variation in brightness and color over distances larger than a texture tile.
    let tone = fractal_noise(on_plane / land.patch_size, 3, 0.55, 2.0 * pixel / land.patch_size).w;
    let lush = clamp(wet_ground * 1.4 - 0.2 + tone, 0.0, 1.0);
    let dry_to_lush = (1.0 + 0.28 * tone) * mix(vec3(1.10, 1.02, 0.86), vec3(0.94, 1.0, 1.0), lush);
    look.color *= mix(vec3(1.0), dry_to_lush, land.patch_strength);

    // Wet terrain is darker and shinier, up to the height that waves reach. Below the sea it is only darker.
    let above_sea = height - land.sea_level;
    let reach = land.wet_height * (0.7 + 0.5 * value_noise(on_plane * 0.31).w);
    let wet = (1.0 - smoothstep(0.0, 1.0, above_sea / max(reach, 0.01))) * step(0.001, land.wet_height);
    look.color *= 1.0 - 0.42 * wet;
    look.roughness = mix(look.roughness, min(look.roughness, 0.38), wet * step(-0.5, above_sea));

    pbr_input.N = normalize(axes * normalize(normal + look.slope));
    let base = pbr_input.material.base_color;
    pbr_input.material.base_color = vec4(base.rgb * look.color, base.a);
    pbr_input.material.perceptual_roughness = clamp(look.roughness, 0.08, 1.0);
    pbr_input.material.base_color = alpha_discard(pbr_input.material, pbr_input.material.base_color);
    let occlusion = look.occlusion * mix(0.35, 1.0, sky);
    pbr_input.diffuse_occlusion *= occlusion;
    pbr_input.specular_occlusion *= occlusion;

#ifdef LIT_BY_IMAGE
    let light = light_at(emissive_texture, emissive_sampler, land.light_u, land.light_v, in.world_position.xyz);
    let lit = light * (land.luminance * look.occlusion);
    pbr_input.material.emissive = vec4(pbr_input.material.base_color.rgb * lit, 1.0);
#endif

#ifdef PREPASS_PIPELINE
    return deferred_output(in, pbr_input);
#else
#ifdef CAUSTICS
    if above_sea < -0.05 {
        let net = lit_by_caustics(on_plane.xz, -above_sea, pixel, axes[1]);
        pbr_input.material.base_color = vec4(pbr_input.material.base_color.rgb * net, base.a);
    }
#endif
    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
#endif
}
