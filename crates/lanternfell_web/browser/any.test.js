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
    await window.page.waitForTimeout(1000);
    const { hash } = new URL(window.page.url());
    check(hash.length > 1, "there is nothing in the address");
    await window.page.evaluate(() => {
      const canvas = document.querySelector("canvas");
      // Of a canvas with another context there is none.
      const graphics = canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context");
      if (graphics) graphics.loseContext();
      else canvas.dispatchEvent(new Event("contextlost", { cancelable: true }));
    });
    await window.page.locator("#stopped button").waitFor();
    await window.keep(`${name}-lost`);
    // An engine complains of it, as it may.
    window.complaints.length = 0;
    await window.page.locator("#stopped button").click();
    await window.page.waitForFunction(() => document.documentElement.dataset.state === "ready");
    await window.page.waitForTimeout(1000);
    check(new URL(window.page.url()).hash === hash, `the address went from ${hash} to ${window.page.url()}`);
  },

  async "without WebGL2 it says so, where it is needed"(open) {
    const window = await open("");
    await window.page.addInitScript(() => {
      const native = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...options) {
        return kind.startsWith("webgl") ? null : native.call(this, kind, ...options);
      };
    });
    await window.page.goto(`${window.browser.told.address}${name}/`);
    await window.page.waitForFunction(() => document.documentElement.dataset.state);
    const engine = await window.page.evaluate(() => JSON.parse(document.getElementById("page").textContent).engine);
    const said = await window.text("#stopped").catch(() => "");
    check(engine === said.includes("WebGL2"), `it says "${said}"`);
  },

  async "without WebAssembly it says so"(open) {
    const window = await open("");
    await window.page.addInitScript(() => { delete globalThis.WebAssembly; });
    await window.page.goto(`${window.browser.told.address}${name}/`);
    await window.page.locator("#stopped").waitFor();
    check((await window.text("#stopped")).includes("WebAssembly"), "it does not say what is missing");
  },
});
