// Recipes, maps, images and files.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import lanternfell, { at, manifest } from "./package.mjs";

const { generate, parseRecipe, printRecipe, validateRecipe, presets, generators, filters, blends, selections } =
  lanternfell;
const { render, renderPng, toPng, toRaw, toGlb, fromPng, fromRaw, hashOf, measure } = lanternfell;

const hills = { size: [64, 48], seed: 7, steps: { land: { generate: { name: "hills", island: true } } } };

const thrown = (work) => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Error, `${error}`);
    assert.ok(!error.message.includes("\n"), error.message);
    return error;
  }
  assert.fail("nothing was thrown");
};

test("every parameter has a description and a valid default", () => {
  const all = [...generators(), ...filters(), ...blends(), ...selections()];
  assert.ok(generators().length >= 7 && filters().length >= 20 && presets().length >= 20);
  const kinds = new Set();
  for (const { name, about, parameters } of all) {
    assert.ok(about.length > 3, name);
    for (const parameter of parameters) {
      kinds.add(parameter.kind);
      const { min = -Infinity, max = Infinity, default: usual, slider } = parameter;
      if (typeof usual === "number") {
        assert.ok(min <= usual && usual <= max, `${name} ${parameter.name}`);
      }
      if (parameter.kind === "choice") {
        assert.ok(parameter.choices.some((choice) => choice.name === usual), parameter.name);
      }
      if (slider) {
        assert.ok(min <= slider.min && slider.min < slider.max && slider.max <= max, parameter.name);
      }
    }
  }
  assert.deepEqual([...kinds].sort(), ["choice", "flag", "integer", "list", "number"]);
});

test("catalogs are copies", () => {
  presets()[0].name = "mine";
  assert.notEqual(presets()[0].name, "mine");
});

test("objects, RON and names give the same map", () => {
  const ron = printRecipe(hills);
  assert.match(ron, /Generate\(/);
  const hash = hashOf(generate(hills).heights);
  assert.equal(hashOf(generate(ron).heights), hash);
  assert.deepEqual(parseRecipe(ron), parseRecipe(hills));
  assert.equal(hashOf(generate("hills", { seed: 3, size: 32 }).heights).length, 16);
  for (const { name, recipe } of presets()) {
    assert.equal(printRecipe(parseRecipe(recipe)), printRecipe(name), name);
  }
});

test("seeds have all 64 bits", () => {
  const most = 2n ** 64n - 1n;
  const map = generate(hills, { seed: most });
  assert.equal(map.seed, most);
  assert.equal(parseRecipe({ ...hills, seed: most }).seed, most);
  assert.equal(parseRecipe(hills).seed, 7);
  assert.equal(parseRecipe({ ...hills, steps: { land: { flat: 1 }, b: { filter: "land", by: [], salt: most } } }).steps.b.salt, most);
  assert.notEqual(hashOf(map.heights), hashOf(generate(hills).heights));
});

test("a map has its size, scale and sea level", () => {
  const map = generate({ ...hills, scale: { spacing: 20, relief: 400 }, seaLevel: 0.25 });
  assert.deepEqual([map.width, map.height, map.heights.length], [64, 48, 64 * 48]);
  assert.deepEqual([map.spacing, map.relief, map.offset, map.seaLevel], [20, 400, 0, 0.25]);
  assert.deepEqual([map.lowest, map.highest, map.scaleIsKnown], [0, 400, true]);
  const plain = generate(hills);
  assert.equal(plain.spacing, 1);
  assert.ok(Math.abs(plain.relief - 0.16 * 64) < 1e-6);
  assert.equal(plain.scaleIsKnown, false);
  assert.deepEqual(structuredClone(map), map);
});

test("options override size and seed", () => {
  const map = generate("article-hills", { size: [40, 30], seed: 5 });
  assert.deepEqual([map.width, map.height, map.seed], [40, 30, 5]);
  const square = generate("article-hills", { size: 33 });
  assert.deepEqual([square.width, square.height], [33, 33]);
});

test("holes and images", () => {
  const steps = {
    photo: { image: "photo" },
    high: { select: "photo", by: { name: "height", from: 0.5 } },
    land: { filter: "photo", by: [{ name: "invert" }] },
  };
  const photo = { width: 2, height: 2, heights: Float32Array.of(0, 0, 1, 1) };
  const map = generate({ size: [9, 9], steps, holes: "high" }, { images: { photo } });
  assert.equal(map.holes.length, 64);
  assert.deepEqual([map.holes[0], map.holes[63]], [0, 1]);
  const error = thrown(() => generate({ size: [9, 9], steps }));
  assert.equal(error.step, "photo");
});

test("errors are one line and name step and parameter", () => {
  const land = (generator) => thrown(() => generate({ steps: { land: { generate: generator } } }));
  const range = land({ name: "hills", count: 0 });
  assert.equal(range.message, "step `land`: hills: count is 0, but must be from 1 to 1000000");
  assert.deepEqual([range.name, range.step, range.parameter], ["LanternfellError", "land", "count"]);
  assert.equal(land({ name: "hills", cuont: 1 }).parameter, "cuont");
  assert.match(land({ name: "moon" }).message, /unknown generator `moon`, expected one of/);
  assert.match(thrown(() => generate("moon")).message, /no preset or generator `moon`/);
  assert.match(thrown(() => validateRecipe("(version: 1, size: (1, 2)")).message, /\S/);
  const circle = { steps: { a: { filter: "b", by: [] }, b: { filter: "a", by: [] } } };
  assert.match(thrown(() => parseRecipe(circle)).message, /depends on itself/);
  for (const bad of [null, 3, undefined, [], {}, { steps: {} }, { steps: { a: {} } }, { steps: { a: { flat: "x" } } }]) {
    thrown(() => validateRecipe(bad));
  }
  assert.equal(thrown(() => generate(hills, { size: 1 })).parameter, "size");
  assert.equal(thrown(() => generate(hills, { size: [20.5, 20] })).parameter, "size");
  assert.equal(thrown(() => generate(hills, { seed: -1 })).parameter, "seed");
  assert.equal(thrown(() => generate(hills, { seed: 2n ** 64n })).parameter, "seed");
});

test("rejects numbers that are not finite", () => {
  const recipe = { ...hills, scale: { spacing: NaN, relief: 2 } };
  const error = thrown(() => generate(recipe));
  assert.deepEqual([error.name, error.parameter], ["LanternfellError", "spacing"]);
  assert.match(error.message, /spacing is NaN/);
  const map = generate(hills);
  assert.equal(thrown(() => render(map, { view: "top", sunAzimuth: Infinity })).parameter, "sunAzimuth");
  assert.equal(thrown(() => render({ ...map, relief: NaN }, { view: "top" })).parameter, "relief");
  const points = [[0, 0], [1, NaN]];
  const curve = { steps: { land: { flat: 1 }, bent: { filter: "land", by: [{ name: "curve", points }] } } };
  assert.equal(thrown(() => parseRecipe(curve)).parameter, "points");
});

test("rejects invalid maps", () => {
  const heights = new Float32Array(4);
  const draw = (map) => thrown(() => render(map, { view: "top" }));
  draw({ width: 2, height: 3, heights });
  draw({ width: 2, height: 2, heights: [0, 0, 0, 0] });
  draw({ width: 2, height: 2, heights: Float32Array.of(0, NaN, 0, 0) });
  assert.equal(draw({ width: 2, height: 2, heights, spacing: -1 }).parameter, "spacing");
  assert.equal(draw({ width: 1, height: 2, heights }).parameter, "width");
  assert.match(thrown(() => generate(hills, { size: 16384 })).message, /do not fit into memory/);
  assert.equal(generate(hills).width, 64);
});

test("progress rises to 1, and false cancels", () => {
  const heard = [];
  generate("alpine", { size: 64, onProgress: (fraction) => void heard.push(fraction) });
  assert.ok(heard.length > 20);
  assert.equal(heard.at(-1), 1);
  assert.ok(heard.every((fraction, n) => n === 0 || fraction > heard[n - 1]));
  let calls = 0;
  const error = thrown(() => generate("alpine", { size: 64, onProgress: () => ++calls < 5 }));
  assert.deepEqual([error.name, calls], ["AbortError", 5]);
});

test("a signal cancels, and exceptions of listeners propagate", () => {
  const control = new AbortController();
  const onProgress = (fraction) => void (fraction > 0.3 && control.abort());
  const error = thrown(() => generate("alpine", { size: 64, onProgress, signal: control.signal }));
  assert.equal(error.name, "AbortError");
  assert.equal(thrown(() => generate(hills, { signal: control.signal })).name, "AbortError");
  const oops = new Error("oops");
  const throws = () => {
    throw oops;
  };
  assert.equal(thrown(() => generate(hills, { onProgress: throws })), oops);
  assert.equal(generate(hills).width, 64);
});

test("a listener can generate", () => {
  let inner;
  generate(hills, { onProgress: () => void (inner ??= generate(hills)) });
  assert.equal(hashOf(inner.heights), hashOf(generate(hills).heights));
});

test("every view draws", () => {
  const map = generate(hills);
  const seen = new Set();
  for (const view of [
    { view: "top" },
    { view: "top", palette: "article" },
    { view: "top", palette: "gray" },
    { view: "top", cover: "desert" },
    { view: "shaded" },
    { view: "shaded", tints: false, contours: 1, labels: true, exaggeration: 2 },
    { view: "perspective", width: 64, height: 48, samples: 1 },
    { view: "perspective", width: 64, height: 48, samples: 1, azimuth: 20, sunElevation: 8 },
  ]) {
    const { width, height, data } = render(map, view);
    assert.deepEqual([width, height, data.length], [64, 48, 4 * 64 * 48]);
    assert.ok(data instanceof Uint8ClampedArray);
    assert.ok(data.every((byte, n) => n % 4 !== 3 || byte === 255));
    seen.add(Buffer.from(data).toString("base64"));
  }
  assert.equal(seen.size, 8);
  assert.match(thrown(() => render(map, { view: "top", sunElevtion: 3 })).message, /sunElevtion/);
  assert.match(thrown(() => render(map, { view: "side" })).message, /side/);
  // In meters. An interval above the relief draws no contours, like 0.
  const contours = (contours) => render({ ...map, relief: 100 }, { view: "shaded", contours });
  assert.deepEqual(contours(120).data, contours(0).data);
  assert.match(thrown(() => contours(0.05)).message, /contours is 0.05, but must be 0 or at least 0.1 m/);
  const error = thrown(() => render(map, { view: "perspective", zoom: 100 }));
  assert.equal(error.parameter, "zoom");
});

test("gray shows heights, and a known scale changes the image", () => {
  const map = { width: 2, height: 2, heights: Float32Array.of(0, 0.25, 0.5, 1) };
  const { data } = render(map, { view: "top", palette: "gray" });
  assert.deepEqual([...data].filter((_, n) => n % 4 === 0), [0, 64, 128, 255]);
  const land = generate(hills);
  const low = render({ ...land, scaleIsKnown: true, relief: 1 }, { view: "top" });
  assert.notDeepEqual(low.data, render(land, { view: "top" }).data);
});

const MAGIC = { png: [0x89, 0x50, 0x4e, 0x47], glb: [0x67, 0x6c, 0x54, 0x46] };

test("files round-trip with their scale", () => {
  const map = generate({ ...hills, scale: { spacing: 20, relief: 400 } });
  const png = toPng(map);
  assert.deepEqual([...png.subarray(0, 4)], MAGIC.png);
  const again = fromPng(png);
  assert.deepEqual([again.width, again.height, again.spacing, again.relief], [64, 48, 20, 400]);
  assert.ok(again.heights.every((height, n) => Math.abs(height - map.heights[n]) < 1e-5));
  assert.ok(toPng(map, { depth: 8 }).length < png.length);
  assert.equal(toRaw(map).length, 2 * 64 * 48);
  const raw = toRaw(map, { sample: "f32", order: "big" });
  const exact = fromRaw(raw, [64, 48], { sample: "f32", order: "big" });
  assert.equal(hashOf(exact.heights), hashOf(map.heights));
  thrown(() => fromRaw(raw, [64, 47], { sample: "f32" }));
  thrown(() => fromPng(png.subarray(0, 100)));
  thrown(() => toPng(map, { depth: 12 }));
  const beyond = { ...map, heights: map.heights.map((height) => 2 * height) };
  assert.match(thrown(() => toPng(beyond)).message, /0 to 1/);
  assert.ok(toPng(beyond, { stretch: true }).length > 100);
});

test("PNG images have the requested size", () => {
  const png = renderPng(generate(hills), { view: "perspective", width: 40, height: 30, samples: 1 });
  const view = new DataView(png.buffer, png.byteOffset);
  assert.deepEqual([view.getUint32(16), view.getUint32(20)], [40, 30]);
});

test("a GLB has the size of its map in meters", () => {
  const map = generate({ ...hills, scale: { spacing: 20, relief: 400 } });
  const glb = toGlb(map, { texture: { view: "top" } });
  assert.deepEqual([...glb.subarray(0, 4)], MAGIC.glb);
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  const { accessors, meshes, images } = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  const { min, max } = accessors[meshes[0].primitives[0].attributes.POSITION];
  assert.deepEqual([max[0] - min[0], max[2] - min[2]], [63 * 20, 47 * 20]);
  assert.ok(Math.abs(max[1] - min[1] - 400) < 0.1);
  assert.equal(images.length, 1);
  assert.ok(toGlb(map, { step: 4 }).length < glb.length / 4);
  thrown(() => toGlb(map, { step: 0 }));
  assert.equal(thrown(() => toGlb(map, { texture: { view: "perspective" } })).parameter, "texture");
});

test("measures are in meters", () => {
  const found = measure({ width: 3, height: 2, heights: Float32Array.of(0, 1, 2, 0, 1, 2), spacing: 3, relief: 3 });
  assert.deepEqual([found.lowest, found.highest, found.mean, found.median], [0, 6, 3, 3]);
  assert.equal(found.medianSlope, 45);
  assert.ok(Math.abs(found.land - 2 / 3) < 1e-9);
});

test("npm packs the needed files and no compressed ones", () => {
  // On Windows npm is a script, which needs a shell.
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: fileURLToPath(at(".")),
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const names = JSON.parse(packed)[0].files.map(({ path }) => path);
  for (const name of ["README.md", "LICENSE-MIT", "lanternfell_js_bg.wasm", "example-three/main.js", "example-three/index.html"]) {
    assert.ok(names.includes(name), `${name} is missing`);
  }
  assert.deepEqual(names.filter((name) => /\.(br|gz)$/.test(name)), []);
});

test("the manifest is complete", () => {
  assert.equal(manifest.name, "lanternfell");
  assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
  assert.notEqual(manifest.version, "0.0.0");
  assert.ok(at(manifest.types).href.endsWith(".d.ts"));
});
