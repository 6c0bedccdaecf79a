// How soon there is a picture, and how long frames take: our pages and THREE.Terrain's own demo, in the same browser.
//
// The demo is the one in npm's package, with the three and the pictures that come along. A picture of land is one that
// is seen in the window, so on a software GPU it has cost what that takes; a frame is from one call of
// `requestAnimationFrame` to the next while nobody touches anything. Nothing is kept from an earlier page. The scenes
// are as their authors show them, and so not the same: what each has in it is printed.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { DESK, Window, isLand } from "./harness.js";

/** Frames are counted until there are so many, or for so many milliseconds. */
const FRAMES = 60;
const LONGEST = 12_000;
/** So many milliseconds after the first picture. */
const LATER = 4000;

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".png": "image/png", ".jpg": "image/jpeg" };
const DEMO = join(dirname(createRequire(import.meta.url).resolve("three.terrain.js")), "..");

/** What can be seen in each scene that draws frame after frame. */
const SCENES = {
  demo: "64 x 64 vertices, trees, sky, water",
  island: "512 x 512 heights in as much detail as is seen, sea with waves, shadows, sky",
  gutterlight: "the title's page, with a keep in its light",
  torchlight: "light flows over 64 x 33 cells, flickering",
  light_sandbox: "light flows over its first drawing",
};

/** Serves the demo below an address that our pages do not have. */
async function withDemo(window) {
  await window.page.route("**/three-terrain/**", (route) => {
    const path = new URL(route.request().url()).pathname.split("/three-terrain/")[1];
    return route.fulfill({ contentType: TYPES[extname(path)], body: readFileSync(join(DEMO, path)) });
  });
}

/** Milliseconds since the page was asked for, when there is a picture in it. */
async function firstPicture(window, name) {
  if (name === "demo") await window.until(() => globalThis.terrainScene);
  else await window.until(() => document.documentElement.dataset.state === "ready");
  if (name === "demo" || name === "island") await window.sees(isLand, `${name}: no land came`);
  return window.page.evaluate(() => performance.now());
}

/** Milliseconds of frames, in order of their length. */
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
    await window.page.goto(browser.told.address + (name === "demo" ? "three-terrain/index.html" : `${name}/`));
    const first = await firstPicture(window, name);
    if (!(name in SCENES)) return { name, first };
    // What comes after the first picture, as land in more detail, is not what frames usually cost. The demo is
    // never at rest.
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
  console.log(`\n${DESK.width} x ${DESK.height} in Chromium ${program.version()}, software GPU: seconds to the first picture; milliseconds of a frame, median and longest`);
  for (const name of ["demo", ...browser.told.pages]) {
    const { first, times } = await measure(browser, name);
    const seconds = (first / 1000).toFixed(1).padStart(8);
    const frames = times ? [times[times.length >> 1], times.at(-1)].map((time) => time.toFixed(0).padStart(7)).join("") : "      -      -";
    const what = name === "demo" ? "THREE.Terrain's demo" : name;
    console.log(`  ${what.padEnd(20)} ${seconds} ${frames}   ${SCENES[name] ?? "draws when something changes"}`);
  }
  console.log("");
}
