// Checks the types with the TypeScript in the folder LANTERNFELL_TYPESCRIPT.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { at, manifest } from "./package.mjs";

const typescript = process.env.LANTERNFELL_TYPESCRIPT;
const skip = !typescript && "LANTERNFELL_TYPESCRIPT is not set";

test("types accept valid code and reject invalid code", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "lanternfell-"));
  try {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      types: [],
      target: "esnext",
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["esnext", "dom", "dom.iterable"],
      paths: { lanternfell: [fileURLToPath(at(manifest.types))] },
    };
    const usage = fileURLToPath(new URL("usage.ts", import.meta.url));
    const settings = join(folder, "tsconfig.json");
    writeFileSync(settings, JSON.stringify({ compilerOptions, files: [usage] }));
    const compiler = resolve(typescript, "bin/tsc");
    execFileSync(process.execPath, [compiler, "--project", settings], { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    throw new Error(error.stdout || error.message);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
