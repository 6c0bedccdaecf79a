// Tests the pages in a headless browser. Started by `lanternfell_web test` with a JSON argument:
//
//   { address, chromium, pages, pictures, compare, hashes, pinned, storage, contract }

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { Browser } from "./harness.js";
import { bits } from "./bits.js";
import { compare } from "./compare.js";
import { scenes } from "./scenes.js";
import { storage } from "./storage.js";
import * as any from "./any.test.js";
import * as example from "./example.test.js";
import * as index from "./index.test.js";

const config = JSON.parse(process.argv[2]);
rmSync(config.pictures, { recursive: true, force: true });
mkdirSync(config.pictures, { recursive: true });

const browser = new Browser(config);
try {
  await browser.try("index", index.tests(config.pages));
  for (const name of config.pages) {
    const file = new URL(`./${name}.test.js`, import.meta.url);
    const own = existsSync(file) ? await import(file) : {};
    await browser.try(name, any.tests(name, own.rest));
    if (own.tests) await browser.try(name, own.tests());
  }
  await browser.try("example", example.tests());
  await browser.try("bits", bits(browser));
  await browser.try("storage", storage(browser));
  if (config.compare) {
    await compare(browser);
    await scenes(browser);
  }
} finally {
  await browser.stop();
}
console.log(`${browser.passed} passed, ${browser.failed} failed`);
process.exitCode = browser.failed === 0 ? 0 : 1;
