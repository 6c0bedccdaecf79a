// The light that an image throws on land and water.

#define_import_path lanternfell_terrain::ground_light

// The light at a place in the world, 1 where it is full; `u` and `v` lead from there to the image.
//
// A quadratic B-spline through nine texels has no creases between them; four looks between texels are the same
// (after C. Sigg and M. Hadwiger, "Fast third-order texture filtering", 2005).
fn light_at(
    image: texture_2d<f32>,
    image_sampler: sampler,
    u: vec4<f32>,
    v: vec4<f32>,
    place: vec3<f32>,
) -> vec3<f32> {
    let uv = vec2(dot(u, vec4(place, 1.0)), dot(v, vec4(place, 1.0)));
    let size = vec2<f32>(textureDimensions(image));
    // Towards the border it fades, or else the light would end in a line.
    let inner = min(uv, 1.0 - uv) * size / min(vec2(4.0), size / 16.0);
    let part_of_it = smoothstep(0.0, 1.0, min(inner.x, inner.y));
    let part = fract(uv * size);
    let off = (part * (part - 1.0) + 0.5) / size;
    var texel = textureSampleLevel(image, image_sampler, uv - off, 0.0).rgb;
    texel += textureSampleLevel(image, image_sampler, uv + off, 0.0).rgb;
    texel += textureSampleLevel(image, image_sampler, uv + vec2(off.x, -off.y), 0.0).rgb;
    texel += textureSampleLevel(image, image_sampler, uv + vec2(-off.x, off.y), 0.0).rgb;
    texel *= 0.25;
    let light = texel / max(1.0 - texel, vec3(0.01));
    // What is beyond may be no number.
    return select(light * part_of_it, vec3(0.0), part_of_it <= 0.0);
}
