// Tests the storage in `localStorage` with the same contract as folders: full, blocked, damaged, and concurrent writes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./harness.js";

export const storage = (browser) => ({
  async "meets the contract"(open) {
    const { address, contract, storage } = browser.config;
    const window = await open("");
    await window.page.route("**/storage/*", (route) => {
      const name = new URL(route.request().url()).pathname.split("/").at(-1);
      if (name === "index.html") return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>storage</title>" });
      const body = readFileSync(name === "contract.js" ? contract : join(storage, name));
      return route.fulfill({ contentType: name.endsWith(".js") ? "text/javascript" : "application/wasm", body });
    });
    await window.page.goto(`${address}storage/index.html`);
    const made = await window.page.evaluate(async () => {
      const load = (name) => import(new URL(name, location.href).href);
      const [{ all }, module] = await Promise.all([load("./contract.js"), load("./storage.js")]);
      await module.default();
      return all(module);
    });
    check(made.length > 10, `only ${made.length} checks ran`);
    console.log(`     ${made.length} checks: ${made.join(", ")}`);
  },
});
