// The programs in the package's README: those for node run as they are; those for pages and workers with the little of
// a browser that they touch; that for three with the package in LANTERNFELL_THREE, if there is one.

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
if (drawn.length !== 1 || drawn[0].data.length !== 4 * page.width * page.height) throw new Error("not drawn");
`;
const WORKER = `
const posted = [];
globalThis.self = { postMessage: (message) => posted.push(message) };
`;
const WORKER_CHECK = `
await self.onmessage({ data: { recipe: "hills", options: { size: 64 } } });
if (posted.at(-1).map.heights.length !== 64 * 64 || posted.length < 3) throw new Error("not posted");
`;
const AROUND = {
  browser: [PAGE, PAGE_CHECK],
  worker: [WORKER, WORKER_CHECK],
  node: ["", ""],
  three: ["", `if (land.geometry.attributes.position.count !== 256 * 256) throw new Error("no land");`],
};

/** The program's output, run in a folder of its own. */
function run({ place, code }, look) {
  const folder = mkdtempSync(join(tmpdir(), "lanternfell-"));
  try {
    const [before, after] = AROUND[place];
    let program = code.replace('"lanternfell"', JSON.stringify(entry.href));
    if (three) {
      const file = pathToFileURL(resolve(three, "build/three.module.js"));
      program = program.replace('"three"', JSON.stringify(file.href));
    }
    // Imports come first wherever they stand.
    writeFileSync(join(folder, "program.mjs"), `${before}\n${program}\n${after}`);
    const output = execFileSync(process.execPath, ["program.mjs"], { cwd: folder, encoding: "utf8" });
    look?.(folder);
    return output;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("there is a program for each place", () => {
  assert.deepEqual(new Set(programs.map(({ place }) => place)), new Set(Object.keys(AROUND)));
});

for (const [n, program] of programs.entries()) {
  const skip = program.place === "three" && !three && "LANTERNFELL_THREE names no package";
  test(`the README's program ${n + 1}, for ${program.place}`, { skip }, () => {
    const output = run(program, (folder) => {
      const files = [...program.code.matchAll(/writeFile\("([^"]+)"/g)].map(([, name]) => name);
      assert.ok(files.every((name) => existsSync(join(folder, name))));
    });
    assert.ok(!output.includes("false"), output);
  });
}

test("the packed README is this one", () => {
  assert.equal(readFileSync(at("README.md"), "utf8"), text);
});
