// Loads the built package from the folder LANTERNFELL_PACKAGE, through the `exports` for node like an installed
// package.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.env.LANTERNFELL_PACKAGE;
if (!folder) {
  throw new Error("LANTERNFELL_PACKAGE is not set; it must be the folder of the built package");
}

export const at = (path) => pathToFileURL(resolve(folder, path));
export const manifest = JSON.parse(readFileSync(at("package.json"), "utf8"));
export const entry = at(manifest.exports["."].node);

const lanternfell = await import(entry);
await lanternfell.init();
export default lanternfell;
