// Runs the programs in the README of the package. Programs for node run unchanged. Programs for pages and workers run
// with stubs of the browser features they use. The program for three runs with the package in LANTERNFELL_THREE, if it
// is set.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { at, entry } from "./package.mjs";

const text = readFileSync(new URL("../package/README.md", import.meta.url), "utf8");
const programs = [...text.matchAll(/^```js (\w+)\n(.*?)^```$/gms)].map(([, place, code]) => ({ place, code }));
const three = process.env.LANTERNFELL_THREE;

const PAGE = `
globalThis.drawn = [];
globalThis.ImageData = class { constructor(data, width, height) { Object.assign(this, { data, width, height }); } };
const page = { getContext: () => ({ putImageData: (image) => drawn.push(image) }) };
globalThis.document = { querySelector: () => page };
`;
const PAGE_CHECK = `
if (drawn.length !== 1 || drawn[0].data.length !== 4 * page.width * page.height) throw new Error("no image was drawn");
`;
const WORKER = `
const posted = [];
globalThis.self = { postMessage: (message) => posted.push(message) };
`;
const WORKER_CHECK = `
await self.onmessage({ data: { recipe: "hills", options: { size: 64 } } });
if (posted.at(-1).map.heights.length !== 64 * 64 || posted.length < 3) throw new Error("no map was posted");
`;
const AROUND = {
  browser: [PAGE, PAGE_CHECK],
  worker: [WORKER, WORKER_CHECK],
  node: ["", ""],
  three: ["", `if (land.geometry.attributes.position.count !== 256 * 256) throw new Error("wrong vertex count");`],
};

/** Runs a program in a temporary folder and returns its output. */
function run({ place, code }, look) {
  const folder = mkdtempSync(join(tmpdir(), "lanternfell-"));
  try {
    const [before, after] = AROUND[place];
    let program = code.replace('"lanternfell"', JSON.stringify(entry.href));
    if (three) {
      const file = pathToFileURL(resolve(three, "build/three.module.js"));
      program = program.replace('"three"', JSON.stringify(file.href));
    }
    // Imports are hoisted, so they need not be at the top.
    writeFileSync(join(folder, "program.mjs"), `${before}\n${program}\n${after}`);
    const output = execFileSync(process.execPath, ["program.mjs"], { cwd: folder, encoding: "utf8" });
    look?.(folder);
    return output;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the README has a program for each environment", () => {
  assert.deepEqual(new Set(programs.map(({ place }) => place)), new Set(Object.keys(AROUND)));
});

for (const [n, program] of programs.entries()) {
  const skip = program.place === "three" && !three && "LANTERNFELL_THREE is not set";
  test(`README program ${n + 1} (${program.place}) runs`, { skip }, () => {
    const output = run(program, (folder) => {
      const files = [...program.code.matchAll(/writeFile\("([^"]+)"/g)].map(([, name]) => name);
      assert.ok(files.every((name) => existsSync(join(folder, name))));
    });
    assert.ok(!output.includes("false"), output);
  });
}

test("the packed README is up to date", () => {
  assert.equal(readFileSync(at("README.md"), "utf8"), text);
});
