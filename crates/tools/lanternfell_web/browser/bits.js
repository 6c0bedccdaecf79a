// Computes every pinned hash in the browser, with a module built with the feature `hashes`, and compares it with the
// native one.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./harness.js";

export const bits = (browser) => ({
  async "every hash matches the native one"(open) {
    const { hashes, pinned } = browser.config;
    const window = await open("");
    await window.page.route("**/bits/*", (route) => {
      const name = new URL(route.request().url()).pathname.split("/").at(-1);
      if (name === "index.html") return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>bits</title>" });
      const contentType = name.endsWith(".js") ? "text/javascript" : "application/wasm";
      return route.fulfill({ contentType, body: readFileSync(join(hashes, name)) });
    });
    await window.page.goto(`${browser.config.address}bits/index.html`);
    const wanted = JSON.parse(readFileSync(pinned, "utf8"));
    await window.page.evaluate(async () => {
      globalThis.wasm = await import(new URL("./lanternfell_js.js", location.href).href);
      await globalThis.wasm.default();
    });
    for (const [name, hash] of Object.entries(wanted)) {
      const computed = await window.page.evaluate((name) => globalThis.wasm.hash_of_case(name), name);
      check(computed === hash, `the hash of ${name} is ${computed}, but should be ${hash}`);
    }
    console.log(`     ${Object.keys(wanted).length} hashes`);
  },
});
