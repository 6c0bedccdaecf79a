// Compares the time to generate 512 x 512 heights with that of THREE.Terrain, in the same browser, alternately.
//
// The measured call generates heights from 0 to 1 from scratch, without a mesh or an image. The work is as similar as
// the two libraries allow, but not the same. The output describes the differences.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const SIDE = 512;
const ROUNDS = 7;

const require = createRequire(import.meta.url);
const script = { "content-type": "text/javascript" };

/** Serves files from npm, and a page that loads them as global variables. */
async function route(page) {
  const three = dirname(require.resolve("three"));
  await page.route("**/compare/*", (request) => {
    const name = new URL(request.request().url()).pathname.split("/").at(-1);
    if (name === "index.html") return request.fulfill({ contentType: "text/html", body: "<!doctype html><title>compare</title>" });
    if (name === "terrain.js") return request.fulfill({ headers: script, body: readFileSync(require.resolve("three.terrain.js"), "utf8") });
    return request.fulfill({ headers: script, body: readFileSync(join(three, name), "utf8") });
  });
}

/** Runs in the page. */
async function measureAll([SIDE, ROUNDS]) {
  const load = (path) => import(new URL(path, location.href).href);
  const { init, generate } = await load("../lanternfell/lanternfell.js");
  await init();
  globalThis.THREE = { ...(await load("./three.module.js")) };
  await new Promise((resolve, reject) => {
    const tag = document.createElement("script");
    Object.assign(tag, { src: "./terrain.js", onload: resolve, onerror: reject });
    document.head.append(tag);
  });
  const { Terrain } = globalThis.THREE;

  let seed = 0;
  const ours = (generator) => () => generate({ size: [SIDE, SIDE], seed: (seed += 1), steps: { map: { generate: generator } } }).heights;
  const options = (more) => ({ xSegments: SIDE - 1, ySegments: SIDE - 1, xSize: SIDE - 1, ySize: SIDE - 1, minHeight: 0, maxHeight: 1, stretch: true, ...more });
  const theirs = (work, more) => () => {
    const heights = new Float32Array(SIDE * SIDE);
    work(heights, options(more));
    Terrain.Clamp(heights, options(more));
    return heights;
  };
  const octaves = Array.from({ length: 5 }, (_, octave) => ({ method: Terrain.Simplex, amplitude: 0.5 ** octave, frequency: 2.5 * 2 ** octave * 2 }));
  const settle = (heights, given) => {
    for (let at = 0; at < heights.length; at += 1) heights[at] = Math.random();
    for (let pass = 0; pass < 100; pass += 1) Terrain.Smooth(heights, given);
  };
  const cases = [
    ["faults, 1000 lines", ours({ name: "faults", lines: 1000 }), theirs(Terrain.Fault, { frequency: 1000 / Math.hypot(SIDE - 1, SIDE - 1) }), "Fault, 1000 lines of its own kind, nearly steps"],
    ["fluid, 100 passes", ours({ name: "fluid", passes: 100 }), theirs(settle), "no fluid; instead noise and 100 times Smooth, the mean of 3 x 3 cells"],
    ["islands, 5 octaves", ours({ name: "fractal-noise", octaves: 5 }), theirs((heights, given) => Terrain.MultiPass(heights, given, octaves)), "MultiPass of Simplex, 5 octaves"],
    ["hills, 200", ours({ name: "hills", count: 200 }), theirs(Terrain.Hill, { frequency: Math.sqrt(200 / 40) }), "Hill, 200 hills of its own sizes"],
  ];
  const results = [];
  for (const [name, mine, other, note] of cases) {
    const times = [[], []];
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [side, work] of [mine, other].entries()) {
        const start = performance.now();
        const heights = work();
        const spent = performance.now() - start;
        if (!(heights.length === SIDE * SIDE && heights.every((height) => height >= 0 && height <= 1))) throw new Error(`${name}: heights are not from 0 to 1`);
        // The first round warms up the compilers.
        if (round > 0) times[side].push(spent);
      }
      await new Promise((resolve) => setTimeout(resolve));
    }
    const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    results.push({ name, ours: median(times[0]), theirs: median(times[1]), note });
  }
  return results;
}

export async function compare(browser) {
  const program = await browser.at(1);
  const context = await program.newContext();
  const page = await context.newPage();
  await route(page);
  await page.goto(`${browser.config.address}compare/index.html`);
  const results = await page.evaluate(measureAll, [SIDE, ROUNDS]);
  await context.close();
  const version = (name) => JSON.parse(readFileSync(join(dirname(require.resolve(name)), "../package.json"), "utf8")).version;
  console.log(`\n${SIDE} x ${SIDE} heights in Chromium ${program.version()}, milliseconds (median of ${ROUNDS}, alternating), compared with three.terrain.js ${version("three.terrain.js")}`);
  for (const { name, ours, theirs, note } of results) {
    console.log(`  ${name.padEnd(20)} ${ours.toFixed(1).padStart(8)} ${theirs.toFixed(1).padStart(9)}   ${(theirs / ours).toFixed(1).padStart(7)} times   ${note}`);
  }
  console.log("");
}
