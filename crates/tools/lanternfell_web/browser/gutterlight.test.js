// Tests the page of the game: start, suspend, resume, export and import a game, and browsers without storage.

import { readFileSync } from "node:fs";
import { DESK, NARROW, PHONE, check, difference } from "./harness.js";

const SAVE = "gutterlight/suspended.save";
const saved = (window) => window.page.evaluate((name) => localStorage.getItem(name), SAVE);
/** Waits until the suspended game differs from `before`. */
const isSaved = (window, before = null) => window.until(([name, before]) => localStorage.getItem(name) !== before, [SAVE, before]);

/** The part of the window below the header. */
const below = ({ width, height }) => ({ clip: { x: 0, y: 60, width, height: height - 60 } });

async function title(window) {
  await window.ready();
  // Menus fade in and take no input meanwhile.
  await window.frames(40);
}

async function press(window, ...keys) {
  for (const key of keys) await window.hold(key);
}

/** Starts a game in keep 42 and plays some turns. */
async function play(window, turns) {
  await title(window);
  await press(window, "Enter");
  await isSaved(window);
  await window.until(() => location.hash.includes("seed=42"));
  await window.frames(20);
  for (let turn = 0; turn < turns; turn += 1) {
    const before = await saved(window);
    await press(window, turn % 4 === 3 ? "ArrowLeft" : "Space");
    await isSaved(window, before);
  }
}

export const tests = () => ({
  async "a game of twenty turns resumes after a reload"(open) {
    const window = await open("gutterlight/#seed=42", DESK);
    await title(window);
    await window.keep("gutterlight-link");
    await play(window, 20);
    await window.frames(60);
    const left = await saved(window);
    const picture = await window.seen(below(DESK));
    await window.keep("gutterlight-played");
    await window.reload();
    await title(window);
    await window.keep("gutterlight-title");
    check((await saved(window)) === left, "reloading the page changed the save");
    await press(window, "Enter");
    await window.sees((pixels) => difference(picture, pixels) < 6, "the resumed game shows another image", below(DESK));
    check((await saved(window)) === left, "resuming changed the save");
  },

  async "exports and imports a game"(open) {
    const window = await open("gutterlight/#seed=42", DESK);
    await play(window, 3);
    const left = await saved(window);
    // Suspend is the fifth item of the pause menu. Export is the seventh item of the title menu.
    await press(window, "Escape", ...Array(4).fill("ArrowDown"), "Enter");
    await window.frames(40);
    const download = window.page.waitForEvent("download");
    await press(window, ...Array(6).fill("ArrowDown"), "Enter");
    const file = await download;
    check(file.suggestedFilename() === "gutterlight-keep-42.save", `the file is called ${file.suggestedFilename()}`);
    const bytes = readFileSync(await file.path());

    const other = await open("gutterlight/", DESK);
    await title(other);
    check((await saved(other)) === null, "there already is a game");
    await press(other, ...Array(5).fill("ArrowDown"));
    const bring = async (buffer) => {
      const asked = other.page.waitForEvent("filechooser");
      await press(other, "Enter");
      await (await asked).setFiles({ name: "keep.save", mimeType: "application/octet-stream", buffer });
      await other.frames(40);
    };
    await bring(bytes.subarray(1));
    await other.keep("gutterlight-refused");
    check((await saved(other)) === null, "a damaged file was accepted");
    await bring(bytes);
    await other.keep("gutterlight-brought");
    check((await saved(other)) === left, "the imported game differs");
  },

  async "by touch only"(open) {
    const window = await open("gutterlight/#seed=42", PHONE);
    await title(window);
    await window.keep("gutterlight-phone-link");
    // Begin is the first item, somewhere around the middle.
    for (let y = 340; y < 480 && (await saved(window)) === null; y += 9) {
      await window.page.touchscreen.tap(150, y);
      await window.frames(8);
    }
    check((await saved(window)) !== null, "no tap starts a game");
    await window.frames(60);
    const before = await saved(window);
    // Somewhere along the corridor, to the left of the thief.
    for (let y = 610; y < 710 && (await saved(window)) === before; y += 9) {
      await window.page.touchscreen.tap(110, y);
      await window.frames(20);
    }
    await window.keep("gutterlight-phone-play");
    check((await saved(window)) !== before, "no tap travels");

    // The lowest button at the right waits: a turn passes, and the thief does not move.
    await window.frames(30);
    const there = await window.seen(below(PHONE));
    const arrived = await saved(window);
    for (let y = 830; y > 560 && (await saved(window)) === arrived; y -= 9) {
      await window.page.touchscreen.tap(350, y);
      await window.frames(8);
    }
    check((await saved(window)) !== arrived, "no button passes a turn");
    await window.keep("gutterlight-phone-wait");
    check(difference(there, await window.seen(below(PHONE))) < 4, "the button moved the thief");
  },

  async "in a window of 320 pixels"(open) {
    const window = await open("gutterlight/", NARROW);
    await title(window);
    await window.fits();
    await window.keep("gutterlight-narrow-title");
  },

  async "sound starts with the first key"(open) {
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
    await window.page.goto(`${window.browser.config.address}gutterlight/#seed=42`);
    await title(window);
    await press(window, "Enter");
    await window.until(() => globalThis.contexts.length > 0 && globalThis.contexts.every((context) => context.state === "running"));
  },

  async "the game works without storage"(open) {
    const broken = {
      forbidden: () => Object.defineProperty(globalThis, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } }),
      full: () => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; },
    };
    for (const [name, breaks] of Object.entries(broken)) {
      const window = await open("");
      await window.page.addInitScript(breaks);
      await window.page.goto(`${window.browser.config.address}gutterlight/#seed=42`);
      await title(window);
      await press(window, "Enter");
      await window.frames(60);
      const before = await window.seen(below(DESK));
      await press(window, "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft");
      await window.sees((pixels) => difference(before, pixels) > 0.3, `${name}: the game does not continue`, below(DESK));
      await press(window, "Escape");
      await window.frames(40);
      await window.keep(`gutterlight-storage-${name}`);
    }
  },

  async "keeps a backup of damaged and newer saves"(open) {
    const window = await open("gutterlight/#seed=42", DESK);
    await play(window, 1);
    const game = await saved(window);
    const newer = Buffer.from(game, "base64");
    // The version byte, after the eight letters of the file signature.
    newer[8] = 9;
    const wrong = { damaged: `?${game}`, newer: newer.toString("base64").replaceAll("=", "") };
    for (const [word, text] of Object.entries(wrong)) {
      await window.page.evaluate(([name, text]) => localStorage.setItem(name, text), [SAVE, text]);
      await window.reload();
      await title(window);
      await window.keep(`gutterlight-${word}`);
      const aside = await window.page.evaluate(() => Object.entries(localStorage));
      check(aside.some(([name, kept]) => name.includes("damaged") && kept === text), `${word}: the save was lost`);
      check((await saved(window)) === null, `the ${word} save was not moved`);
    }
  },
});
