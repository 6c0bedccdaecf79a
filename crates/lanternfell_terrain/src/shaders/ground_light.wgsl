// Light from an image on terrain and water.

#define_import_path lanternfell_terrain::ground_light

// The light at a world position, 1 at full light. `u` and `v` map the position to texture coordinates of the image.
//
// A quadratic B-spline over nine texels has no visible creases. It is computed with four bilinear samples (after C.
// Sigg and M. Hadwiger, "Fast third-order texture filtering", 2005).
fn light_at(
    image: texture_2d<f32>,
    image_sampler: sampler,
    u: vec4<f32>,
    v: vec4<f32>,
    place: vec3<f32>,
) -> vec3<f32> {
    let uv = vec2(dot(u, vec4(place, 1.0)), dot(v, vec4(place, 1.0)));
    let size = vec2<f32>(textureDimensions(image));
    // Fades toward the border, so that the light does not end in a line.
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
    // Samples outside the image may be NaN.
    return select(light * part_of_it, vec3(0.0), part_of_it <= 0.0);
}
