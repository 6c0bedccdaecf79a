// Tests that apply to every page.

import { DESK, NARROW, PHONE, check, difference } from "./harness.js";

/**
 * Tests of the page `name`. For a page that moves by itself, `calm` is an address that stops most of the movement, and
 * `view` the part of the window to compare.
 */
export const tests = (name, { calm = "", view } = {}) => ({
  async "loads in windows of each size"(open) {
    for (const [word, size] of Object.entries({ desk: DESK, phone: PHONE, narrow: NARROW })) {
      const window = await open(`${name}/`, size);
      await window.ready();
      await window.fits();
      await window.keep(`${name}-${word}`);
    }
  },

  async "shows the progress while it loads"(open) {
    const window = await open("");
    await window.page.addInitScript(() => {
      globalThis.said = [];
      const hear = ({ target, addedNodes }) => {
        if (target.id === "loading-text") for (const node of addedNodes) globalThis.said.push(node.textContent);
      };
      new MutationObserver((changes) => changes.forEach(hear)).observe(document, { subtree: true, childList: true });
    });
    await window.page.goto(`${window.browser.config.address}${name}/`);
    await window.ready();
    const said = await window.page.evaluate(() => globalThis.said);
    const known = said.map((text) => /^Loading ([\d.]+) of ([\d.]+) MiB$/.exec(text)).filter(Boolean);
    const bytes = known.map(([, now, all]) => [Number(now), Number(all)]);
    const rises = bytes.every(([now, all], at) => now <= all && now >= (bytes[at - 1]?.[0] ?? 0));
    check(bytes.length > 0 && rises && bytes.at(-1)[0] === bytes.at(-1)[1], `the progress messages are ${said}`);
    check(said.includes("Compiling"), `the progress messages are ${said}`);
  },

  async "fills a resized window and the screen at device resolution"(open) {
    const window = await open(`${name}/`, { width: 640, height: 500, ratio: 2 });
    await window.ready();
    await window.isSharp();
    await window.page.setViewportSize({ width: 420, height: 560 });
    await window.isSharp();
    await window.fits();
    await window.keep(`${name}-sharp`);
    await window.page.click("#fullscreen");
    await window.until(() => document.fullscreenElement);
    await window.isSharp();
    await window.page.click("#fullscreen");
    await window.until(() => !document.fullscreenElement);
    await window.isSharp();
  },

  async "survives an hour of sleep"(open) {
    const window = await open("");
    await window.page.emulateMedia({ reducedMotion: "reduce" });
    await window.page.addInitScript(() => {
      let slept = 0;
      for (const clock of [performance, Date]) {
        const now = clock.now.bind(clock);
        clock.now = () => now() + slept;
      }
      const frame = requestAnimationFrame;
      globalThis.requestAnimationFrame = (call) => frame((time) => call(time + slept));
      globalThis.sleep = (milliseconds) => { slept += milliseconds; };
    });
    await window.page.goto(`${window.browser.config.address}${name}/${calm}`);
    await window.ready();
    // Waves keep moving, and ground textures load one by one.
    const before = await window.settles("the page does not stop moving", { still: 2.5, seconds: 12, view });
    const session = await window.context.newCDPSession(window.page);
    await session.send("Page.setWebLifecycleState", { state: "frozen" });
    await window.page.evaluate(() => globalThis.sleep(3_600_000));
    await session.send("Page.setWebLifecycleState", { state: "active" });
    await window.frames(5);
    let far;
    const isSame = (pixels) => {
      far = difference(before, pixels);
      return far < 4;
    };
    await window.sees(isSame, "", view).catch(() => check(false, `the image differs by ${far} after the sleep`));
    check(await window.page.evaluate(() => document.documentElement.dataset.state) === "ready", "the page is not ready after the sleep");
    await window.keep(`${name}-awake`);
  },

  async "can be reloaded after a lost context, with the same address"(open) {
    const window = await open(`${name}/#seed=42`);
    await window.ready();
    await window.page.waitForTimeout(1000);
    const { hash } = new URL(window.page.url());
    check(hash.length > 1, "the address is empty");
    await window.page.evaluate(() => {
      const canvas = document.querySelector("canvas");
      // A canvas with another kind of context has no WebGL2.
      const graphics = canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context");
      if (graphics) graphics.loseContext();
      else canvas.dispatchEvent(new Event("contextlost", { cancelable: true }));
    });
    await window.page.locator("#stopped button").waitFor();
    await window.keep(`${name}-lost`);
    // Bevy logs an error when the context is lost.
    window.complaints.length = 0;
    // The page's tasks are not watched while it loads.
    await window.rest();
    await window.page.locator("#stopped button").click();
    await window.page.waitForFunction(() => document.documentElement.dataset.state === "ready");
    await window.page.waitForTimeout(1000);
    check(new URL(window.page.url()).hash === hash, `the address changed from ${hash} to ${window.page.url()}`);
  },

  async "reports missing WebGL2 if it is needed"(open) {
    const window = await open("");
    await window.page.addInitScript(() => {
      const native = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...options) {
        return kind.startsWith("webgl") ? null : native.call(this, kind, ...options);
      };
    });
    await window.page.goto(`${window.browser.config.address}${name}/`);
    await window.page.waitForFunction(() => document.documentElement.dataset.state);
    const engine = await window.page.evaluate(() => JSON.parse(document.getElementById("page").textContent).engine);
    const said = await window.text("#stopped").catch(() => "");
    check(engine === said.includes("WebGL2"), `the message is "${said}"`);
  },

  async "reports missing WebAssembly"(open) {
    const window = await open("");
    await window.page.addInitScript(() => { delete globalThis.WebAssembly; });
    await window.page.goto(`${window.browser.config.address}${name}/`);
    await window.page.locator("#stopped").waitFor();
    check((await window.text("#stopped")).includes("WebAssembly"), "the message does not name WebAssembly");
  },
});
