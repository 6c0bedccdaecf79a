// The package must have the same bits as the native library. Generators and presets are tested with the package itself.
// All other cases need a package built with the feature `hashes`, in the folder LANTERNFELL_HASHES.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import lanternfell from "./package.mjs";

const folder = process.env.LANTERNFELL_HASHES;
const pinned = JSON.parse(readFileSync(new URL("./hashes.json", import.meta.url), "utf8"));

const { generate, hashOf } = lanternfell;
for (const [name, hash] of Object.entries(pinned)) {
  const [kind, recipe] = name.split(" ");
  const seed = { generator: 42 }[kind];
  if (kind === "generator" || kind === "preset") {
    test(`${name} matches the native bits`, () => {
      assert.equal(hashOf(generate(recipe, { size: [203, 150], seed }).heights), hash);
    });
  }
}

if (!folder) {
  test("native bits", { skip: "LANTERNFELL_HASHES is not set" }, () => {});
} else {
  const file = (name) => pathToFileURL(resolve(folder, name));
  const wasm = await import(file("lanternfell_js.js"));
  wasm.initSync({ module: readFileSync(file("lanternfell_js_bg.wasm")) });

  test("every case is pinned", () => {
    assert.deepEqual(JSON.parse(wasm.hash_names()).sort(), Object.keys(pinned).sort());
  });
  for (const [name, hash] of Object.entries(pinned)) {
    test(`native bits: ${name}`, () => assert.equal(wasm.hash_of_case(name), hash));
  }
}
