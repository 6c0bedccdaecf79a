// The same for node, where `fetch` reads no files: package.json's `exports` choose it.

import { readFile } from "node:fs/promises";

import { init as begin } from "./lanternfell.js";

export * from "./lanternfell.js";

const beside = () => readFile(new URL("./lanternfell_js_bg.wasm", import.meta.url));

export const init = (source) => begin(source ?? beside);
