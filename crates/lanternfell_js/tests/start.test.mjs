// Before and while the module starts; in workers.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { at, entry } from "./package.mjs";

/** A module of its own, not started yet. */
const fresh = (name) => import(`${at("lanternfell.js")}?${name}`);
const wasm = "lanternfell_js_bg.wasm";

test("who does not wait is told so", async () => {
  const { presets, LightGrid } = await fresh("waiting");
  assert.throws(presets, { name: "LanternfellError", message: "call and await init() first" });
  assert.throws(() => new LightGrid(3, 3), /init/);
});

test("init takes bytes, and once is enough", async () => {
  const { init, presets } = await fresh("bytes");
  await Promise.all([init(readFile(at(wasm))), init()]);
  await init();
  assert.ok(presets().length > 0);
});

test("a worker makes maps, and posts them", async () => {
  const code = `
    import { parentPort, workerData } from "node:worker_threads";
    import { generate, hashOf, init } from ${JSON.stringify(entry.href)};
    await init();
    const map = generate(...workerData);
    parentPort.postMessage(map, [map.heights.buffer]);
  `;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const made = (seed) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(url, { workerData: ["hills", { size: 64, seed }] });
      worker.once("message", resolve).once("error", reject);
    });
  const [first, second] = await Promise.all([made(1), made(2)]);
  const { generate, hashOf } = (await import("./package.mjs")).default;
  const here = (seed) => hashOf(generate("hills", { size: 64, seed }).heights);
  assert.deepEqual([hashOf(first.heights), hashOf(second.heights)], [here(1), here(2)]);
});
