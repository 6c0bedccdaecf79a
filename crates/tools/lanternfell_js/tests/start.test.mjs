// Initialization, and use in workers.

import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import { at, entry } from "./package.mjs";

/** A separate instance of the module that is not initialized yet. */
const fresh = (name) => import(`${at("lanternfell.js")}?${name}`);
const wasm = "lanternfell_js_bg.wasm";

test("calls before init throw", async () => {
  const { presets, LightGrid } = await fresh("waiting");
  assert.throws(presets, { name: "LanternfellError", message: "call and await init() first" });
  assert.throws(() => new LightGrid(3, 3), /init/);
});

test("init accepts bytes and can be called again", async () => {
  const { init, presets } = await fresh("bytes");
  await Promise.all([init(readFile(at(wasm))), init()]);
  await init();
  assert.ok(presets().length > 0);
});

test("a source function is called only if needed", async () => {
  const { init, initSync, presets } = await fresh("function");
  const missing = () => Promise.reject(new Error("not there"));
  await assert.rejects(init(missing), /not there/);
  await init(() => readFile(at(wasm)));
  assert.ok(presets().length > 0);
  const other = await fresh("sync");
  other.initSync(await readFile(at(wasm)));
  await other.init(() => assert.fail("called although already loaded"));
});

test("init in node can be retried after a missing file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lanternfell-"));
  try {
    for (const name of ["lanternfell.js", "lanternfell_js.js", "node.js", "package.json"]) {
      await cp(at(name), join(folder, name));
    }
    const { init, initSync, presets } = await import(pathToFileURL(join(folder, "node.js")));
    await assert.rejects(init(), { code: "ENOENT" });
    await cp(at(wasm), join(folder, wasm));
    await init();
    assert.ok(presets().length > 0);
    const rejections = [];
    const hear = (error) => rejections.push(error);
    process.on("unhandledRejection", hear);
    initSync(await readFile(at(wasm)));
    await rm(join(folder, wasm));
    await init();
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off("unhandledRejection", hear);
    assert.deepEqual(rejections, []);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("workers generate and post maps", async () => {
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
