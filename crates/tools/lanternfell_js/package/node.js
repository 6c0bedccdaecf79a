// The entry point for node, selected by `exports` in package.json. It reads the WebAssembly with `readFile`, since
// node's `fetch` cannot read files.

import { readFile } from "node:fs/promises";

import { init as begin } from "./lanternfell.js";

export * from "./lanternfell.js";

const readModule = () => readFile(new URL("./lanternfell_js_bg.wasm", import.meta.url));

export const init = (source) => begin(source ?? readModule);
