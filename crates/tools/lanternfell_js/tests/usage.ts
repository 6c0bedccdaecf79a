// What the types accept and reject. This file is type-checked, but never run.

import {
  Cell,
  fieldOfView,
  fromRaw,
  generate,
  generators,
  init,
  LightGrid,
  parseRecipe,
  render,
  toGlb,
  type GeneratedMap,
  type Heightmap,
  type LanternfellError,
  type Recipe,
  type View,
} from "lanternfell";

await init();
await init(fetch("lanternfell_js_bg.wasm"));
await init(() => fetch("lanternfell_js_bg.wasm"));

const recipe: Recipe = {
  size: [128, 96],
  seed: 2n ** 60n,
  steps: {
    hills: { generate: { name: "hills", count: 30, island: true }, salt: 0 },
    noise: { generate: { name: "fractal-noise", mask: "radial" } },
    land: { blend: ["hills", "noise"], how: { name: "smooth-max", width: 0.2 }, weight: 0.5 },
    shaped: { filter: "land", by: [{ name: "normalize" }, { name: "curve", points: [[0, 0], [1, 1]] }] },
    cliffs: { select: "shaped", by: { name: "slope", from: 40 } },
  },
  result: "shaped",
};
const map: GeneratedMap = generate(recipe, { size: 64, onProgress: (fraction) => fraction < 0.5 });
const own: Heightmap = { width: 2, height: 2, heights: new Float32Array(4) };
const views: View[] = [{ view: "top" }, { view: "shaded", contours: 20 }, { view: "perspective", width: 320 }];
for (const view of views) {
  const { data, width } = render(own, view, { signal: AbortSignal.timeout(1000) });
  new ImageData(data, width);
}
new Blob([toGlb(map, { texture: { view: "top" } })]);
fromRaw(new Uint8Array(8), [2, 2]).lowest.toFixed();
for (const { name, parameters } of generators()) {
  const known: "hills" | "delta" | "faults" | "fluid" | "fractal-noise" | "ridged" | "worley" = name;
  console.log(known, parameters.map(({ slider }) => slider?.max));
}
const [first] = Object.values(parseRecipe("alpine").steps);
if (first && "generate" in first && first.generate.name === "hills") {
  first.generate.count?.toFixed();
}

{
  using grid = new LightGrid(8, 8, { neighborhood: "eight", gray: true });
  grid.paint([[1, 2]], Cell.glass([1, 0, 0]));
  grid.setSources([{ x: 0.5, y: 1, light: [1, 1, 1] }]);
  const band: 0 | 1 | 2 | 3 = grid.band(1, 1);
  console.log(band, grid.settle().atRest, grid.glow(1, 1)?.source);
}
fieldOfView(new Uint8Array(4), 2, 2, 0, 0, 5)[0].toFixed();

try {
  generate("moon");
} catch (error) {
  const { step, parameter } = error as LanternfellError;
  console.log(step?.length, parameter?.length);
}

// @ts-expect-error unknown generator
generate({ steps: { land: { generate: { name: "moon" } } } });
// @ts-expect-error hills have no parameter `lines`
generate({ steps: { land: { generate: { name: "hills", lines: 3 } } } });
// @ts-expect-error masks are radial or square
generate({ steps: { land: { generate: { name: "fractal-noise", mask: "round" } } } });
// @ts-expect-error a view from above has no zoom
render(own, { view: "top", zoom: 2 });
// @ts-expect-error heights must be a Float32Array
render({ width: 2, height: 2, heights: [0, 0, 0, 0] }, { view: "top" });
