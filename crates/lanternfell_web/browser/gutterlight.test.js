// The page of the game: begun, left, continued, taken elsewhere; with a browser that keeps nothing.

import { readFileSync } from "node:fs";
import { DESK, NARROW, PHONE, check, difference } from "./harness.js";

const SAVE = "gutterlight/suspended.save";
const saved = (window) => window.page.evaluate((name) => Object.entries(localStorage).find(([key]) => key.endsWith(name))?.[1], SAVE.split("/")[1]);
const bright = (pixels) => Math.max(...pixels.filter((_, at) => at % 4 !== 3)) > 60;

async function title(window) {
  await window.ready();
  await window.sees(bright, "the title stays dark");
}

/** Presses keys one after the other, each for a few frames. */
async function press(window, ...keys) {
  for (const key of keys) await window.hold(key);
}

/** Begins a game in keep 42, and plays some turns of it. */
async function play(window, turns) {
  await title(window);
  await press(window, "Enter");
  await window.until(() => location.hash.includes("seed=42"));
  await window.page.waitForTimeout(1000);
  for (let turn = 0; turn < turns; turn += 1) await press(window, "Space");
}

export const tests = () => ({
  async "twenty turns are played, and go on after the page was loaded again"(open) {
    const window = await open("gutterlight/#seed=42", DESK);
    await title(window);
    await window.keep("gutterlight-link");
    await press(window, "Enter");
    await window.page.waitForTimeout(1500);
    const begun = await saved(window);
    check(begun, "no game was kept");
    for (let turn = 0; turn < 20; turn += 1) await press(window, turn % 4 === 3 ? "ArrowRight" : "Space");
    await window.page.waitForTimeout(500);
    const left = await saved(window);
    check(left !== begun, "twenty turns, and the same save");
    const picture = await window.seen();
    await window.keep("gutterlight-played");
    await window.page.reload();
    await title(window);
    await window.keep("gutterlight-title");
    check((await saved(window)) === left, "loading the page again changed the save");
    await press(window, "Enter");
    await window.sees((pixels) => difference(picture, pixels) < 6, "it goes on elsewhere");
    check((await saved(window)) === left, "the save that goes on is another");
  },

  async "a game is taken along as a file, and brought"(open) {
    const window = await open("gutterlight/#seed=42", DESK);
    await play(window, 3);
    const left = await saved(window);
    await press(window, "Escape", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Enter");
    await window.page.waitForTimeout(1000);
    await press(window, ...Array(6).fill("ArrowDown"));
    const [download] = await Promise.all([window.page.waitForEvent("download"), press(window, "Enter")]);
    check(download.suggestedFilename() === "gutterlight-keep-42.save", `it is called ${download.suggestedFilename()}`);
    const file = await download.path();
    const bytes = readFileSync(file);

    const other = await open("gutterlight/", DESK);
    await title(other);
    check((await saved(other)) === undefined, "there is a game already");
    await press(other, ...Array(5).fill("ArrowDown"));
    const bring = async (buffer) => {
      const [chooser] = await Promise.all([other.page.waitForEvent("filechooser"), press(other, "Enter")]);
      await chooser.setFiles({ name: "keep.save", mimeType: "application/octet-stream", buffer });
      await other.page.waitForTimeout(1500);
    };
    await bring(bytes.subarray(1));
    await other.keep("gutterlight-refused");
    check((await saved(other)) === undefined, "a damaged file was taken");
    await bring(bytes);
    await other.keep("gutterlight-brought");
    check((await saved(other)) === left, "the game that came is another");
  },

  async "by fingers alone"(open) {
    const window = await open("gutterlight/#seed=42", PHONE);
    await title(window);
    await window.keep("gutterlight-phone-link");
    // Begin is the first choice.
    const begun = await window.seen();
    for (const y of [0.25, 0.3, 0.35, 0.4, 0.45, 0.5]) {
      if (await saved(window)) break;
      await window.page.touchscreen.tap(195, y * 844);
      await window.page.waitForTimeout(700);
    }
    check(await saved(window), "no tap begins a game");
    await window.sees((pixels) => difference(begun, pixels) > 1, "nothing changes");
    const before = await saved(window);
    await window.page.touchscreen.tap(150, 300);
    await window.page.waitForTimeout(1500);
    await window.keep("gutterlight-phone-play");
    check((await saved(window)) !== before, "a tap does not travel");
  },

  async "in a window of 320 pixels"(open) {
    const window = await open("gutterlight/", NARROW);
    await title(window);
    await window.fits();
    await window.keep("gutterlight-narrow-title");
  },

  async "sound begins with the first key"(open) {
    const window = await open("");
    await window.page.addInitScript(() => {
      globalThis.contexts = [];
      const Native = globalThis.AudioContext;
      globalThis.AudioContext = class extends Native {
        constructor(...options) {
          super(...options);
          globalThis.contexts.push(this);
        }
      };
    });
    await window.page.goto(`${window.browser.told.address}gutterlight/#seed=42`);
    await title(window);
    await press(window, "Enter");
    await window.until(() => globalThis.contexts.length > 0 && globalThis.contexts.every((context) => context.state === "running"));
  },

  async "a browser that keeps nothing is told of on the title, and the game goes on"(open) {
    const broken = {
      forbidden: () => Object.defineProperty(globalThis, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } }),
      full: () => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; },
    };
    for (const [name, breaks] of Object.entries(broken)) {
      const window = await open("");
      await window.page.addInitScript(breaks);
      await window.page.goto(`${window.browser.told.address}gutterlight/#seed=42`);
      await title(window);
      await press(window, "Enter");
      await window.until(() => location.hash.includes("seed=42"));
      await window.page.waitForTimeout(1500);
      const before = await window.seen();
      await press(window, "ArrowRight", "ArrowRight", "ArrowRight");
      await window.sees((pixels) => difference(before, pixels) > 0.3, `${name}: nothing goes on`);
      await press(window, "Escape");
      await window.page.waitForTimeout(1000);
      await window.keep(`gutterlight-storage-${name}`);
    }
  },

  async "what lies damaged in the browser is kept aside"(open) {
    const window = await open("gutterlight/#seed=42", DESK);
    await play(window, 1);
    const names = await window.page.evaluate(() => {
      for (const key of Object.keys(localStorage)) localStorage.setItem(key, `?${localStorage.getItem(key)}`);
      return Object.keys(localStorage);
    });
    await window.page.reload();
    await title(window);
    await window.keep("gutterlight-damaged");
    await press(window, "Enter");
    await window.page.waitForTimeout(1000);
    const after = await window.page.evaluate(() => Object.keys(localStorage));
    check(names.some((name) => name.includes("save")) && after.some((name) => name.includes("damaged")), `there is ${after}`);
  },
});
