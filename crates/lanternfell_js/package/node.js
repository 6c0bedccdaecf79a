// The same for node, where `fetch` reads no files: package.json's `exports` choose it.

import { readFile } from "node:fs/promises";

import { init as begin } from "./lanternfell.js";

export * from "./lanternfell.js";

let started;

export function init(source) {
  started ??= begin(source ?? readFile(new URL("./lanternfell_js_bg.wasm", import.meta.url)));
  return started;
}
