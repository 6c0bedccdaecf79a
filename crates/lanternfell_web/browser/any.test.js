// What is true of every page.

import { DESK, NARROW, PHONE, check } from "./harness.js";

export const tests = (name) => ({
  async "is ready in a window of each size"(open) {
    for (const [word, size] of Object.entries({ desk: DESK, phone: PHONE, narrow: NARROW })) {
      const window = await open(`${name}/`, size);
      await window.ready();
      await window.fits();
      await window.keep(`${name}-${word}`);
    }
  },

  async "a lost picture can be loaded again, and the address stays"(open) {
    const window = await open(`${name}/#seed=42`);
    await window.ready();
    await window.page.evaluate(() => document.querySelector("canvas").dispatchEvent(new Event("contextlost", { cancelable: true })));
    await window.page.locator("#stopped button").click();
    await window.page.waitForFunction(() => document.documentElement.dataset.state === "ready");
    check(window.page.url().includes("#"), "the address lost its state");
  },

  async "without WebAssembly it says so"(open) {
    const window = await open("");
    await window.page.addInitScript(() => { delete globalThis.WebAssembly; });
    await window.page.goto(`${window.browser.told.address}${name}/`);
    await window.page.locator("#stopped").waitFor();
    check((await window.text("#stopped")).includes("WebAssembly"), "it does not say what is missing");
  },
});
