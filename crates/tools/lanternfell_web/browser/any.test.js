// What is true of every page.

import { DESK, NARROW, PHONE, check, difference } from "./harness.js";

/** Tests of the page of that name; one that moves by itself says what to ask of it and where to look, so that it rests. */
export const tests = (name, { calm = "", view } = {}) => ({
  async "is ready in a window of each size"(open) {
    for (const [word, size] of Object.entries({ desk: DESK, phone: PHONE, narrow: NARROW })) {
      const window = await open(`${name}/`, size);
      await window.ready();
      await window.fits();
      await window.keep(`${name}-${word}`);
    }
  },

  async "says how far it is while it loads"(open) {
    const window = await open("");
    await window.page.addInitScript(() => {
      globalThis.said = [];
      const hear = ({ target, addedNodes }) => {
        if (target.id === "loading-text") for (const node of addedNodes) globalThis.said.push(node.textContent);
      };
      new MutationObserver((changes) => changes.forEach(hear)).observe(document, { subtree: true, childList: true });
    });
    await window.page.goto(`${window.browser.told.address}${name}/`);
    await window.ready();
    const said = await window.page.evaluate(() => globalThis.said);
    const known = said.map((text) => /^Loading ([\d.]+) of ([\d.]+) MiB$/.exec(text)).filter(Boolean);
    const bytes = known.map(([, now, all]) => [Number(now), Number(all)]);
    const rises = bytes.every(([now, all], at) => now <= all && now >= (bytes[at - 1]?.[0] ?? 0));
    check(bytes.length > 0 && rises && bytes.at(-1)[0] === bytes.at(-1)[1], `it says ${said}`);
    check(said.includes("Compiling"), `it says ${said}`);
  },

  async "fills its window, whose size changes, and the screen, with all of the device's pixels"(open) {
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

  async "an hour of sleep is survived"(open) {
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
    await window.page.goto(`${window.browser.told.address}${name}/${calm}`);
    await window.ready();
    // Waves do not rest, and the ground's textures come one by one.
    const before = await window.settles("it does not come to rest", { still: 2.5, seconds: 12, view });
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
    await window.sees(isSame, "", view).catch(() => check(false, `after its sleep it shows something else, by ${far}`));
    check(await window.page.evaluate(() => document.documentElement.dataset.state) === "ready", "it did not wake");
    await window.keep(`${name}-awake`);
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
    // What a page does until it is ready is not watched.
    await window.rest();
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
