// Measures the time to the first image and the frame times of our pages and of the demo of THREE.Terrain, in the same
// browser.
//
// The demo is the one in the npm package, with its own version of three and its images. The first image of terrain is
// complete when it is visible in the window, so it includes the time of a software GPU. A frame is the time from one
// call of `requestAnimationFrame` to the next, without user input. Each page starts with an empty cache. The scenes are
// shown as their authors made them, so they are not the same. The output lists what each contains.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { DESK, Window, isLand } from "./harness.js";

/** Frames are measured until there are this many, or for this many milliseconds. */
const FRAMES = 60;
const LONGEST = 12_000;
/** Milliseconds from the first image to the measurement of frames. */
const LATER = 4000;

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".png": "image/png", ".jpg": "image/jpeg" };
const DEMO = join(dirname(createRequire(import.meta.url).resolve("three.terrain.js")), "..");

/** The contents of the scenes that draw every frame. */
const SCENES = {
  demo: "64 x 64 vertices, trees, sky, water",
  island: "512 x 512 heights with levels of detail, sea with waves, shadows, sky",
  gutterlight: "the title screen, with a lit keep",
  torchlight: "flickering light that flows over 64 x 33 cells",
  light_sandbox: "light that flows over the first drawing",
};

/** Serves the demo below a path that our pages do not use. */
async function withDemo(window) {
  await window.page.route("**/three-terrain/**", (route) => {
    const path = new URL(route.request().url()).pathname.split("/three-terrain/")[1];
    return route.fulfill({ contentType: TYPES[extname(path)], body: readFileSync(join(DEMO, path)) });
  });
}

/** Milliseconds from the request of the page to its first image. */
async function firstPicture(window, name) {
  if (name === "demo") await window.until(() => globalThis.terrainScene);
  else await window.until(() => document.documentElement.dataset.state === "ready");
  if (name === "demo" || name === "island") await window.sees(isLand, `${name}: no terrain appeared`);
  return window.page.evaluate(() => performance.now());
}

/** Sorted frame times in milliseconds. */
const frameTimes = (window) => window.page.evaluate(([most, longest]) => new Promise((done) => {
  const times = [];
  const start = performance.now();
  let last = start;
  const frame = () => {
    const now = performance.now();
    times.push(now - last);
    last = now;
    if (times.length < most && now - start < longest) requestAnimationFrame(frame);
    else done(times.sort((one, other) => one - other));
  };
  requestAnimationFrame(frame);
}), [FRAMES, LONGEST]);

async function measure(browser, name) {
  const window = await Window.open(browser, "", DESK);
  try {
    await withDemo(window);
    await window.page.goto(browser.config.address + (name === "demo" ? "three-terrain/index.html" : `${name}/`));
    const first = await firstPicture(window, name);
    if (!(name in SCENES)) return { name, first };
    // Work after the first image, such as higher levels of detail, is not part of a typical frame. The demo never stops
    // loading.
    await window.page.waitForTimeout(LATER);
    const times = await frameTimes(window);
    await window.keep(`scene-${name}`);
    return { name, first, times };
  } finally {
    await window.context.close();
  }
}

export async function scenes(browser) {
  const program = await browser.at(1);
  console.log(`\n${DESK.width} x ${DESK.height} in Chromium ${program.version()}, software GPU: seconds to the first image; milliseconds per frame, median and maximum`);
  for (const name of ["demo", ...browser.config.pages]) {
    const { first, times } = await measure(browser, name);
    const seconds = (first / 1000).toFixed(1).padStart(8);
    const frames = times ? [times[times.length >> 1], times.at(-1)].map((time) => time.toFixed(0).padStart(7)).join("") : "      -      -";
    const what = name === "demo" ? "THREE.Terrain's demo" : name;
    console.log(`  ${what.padEnd(20)} ${seconds} ${frames}   ${SCENES[name] ?? "draws when something changes"}`);
  }
  console.log("");
}
