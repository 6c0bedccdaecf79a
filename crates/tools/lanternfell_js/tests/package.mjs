// The built package, from the folder that the variable LANTERNFELL_PACKAGE names. What its `exports` say of node is
// taken, as for those who install it.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.env.LANTERNFELL_PACKAGE;
if (!folder) {
  throw new Error("LANTERNFELL_PACKAGE must name the folder of the built package");
}

export const at = (path) => pathToFileURL(resolve(folder, path));
export const manifest = JSON.parse(readFileSync(at("package.json"), "utf8"));
export const entry = at(manifest.exports["."].node);

const lanternfell = await import(entry);
await lanternfell.init();
export default lanternfell;
