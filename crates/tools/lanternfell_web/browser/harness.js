// The test harness: a browser, its windows, and the checks that tests use.

import { join } from "node:path";
import { chromium } from "playwright-core";
import { longTasks } from "./long_tasks.js";

const FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
/**
 * Timeout in milliseconds. It is long, since a software GPU on a busy machine is slow, and no test depends on timing.
 */
const PATIENCE = 120_000;
/** The longest allowed task on the main thread after the start of the page, in milliseconds. */
const LONGEST_TASK = 200;

/** Images with a smaller mean color difference (of 255) count as equal, except for small movements. */
const STILL = 0.7;

export const DESK = { width: 1280, height: 720 };
export const PHONE = { width: 390, height: 844, touch: true };
export const NARROW = { width: 320, height: 640, touch: true };

/** The part of a desktop window below the sky. Clouds move, so images of different moments differ there. */
export const BELOW_CLOUDS = { clip: { x: 0, y: 290, width: DESK.width, height: DESK.height - 290 } };

export function check(fact, words) {
  if (!fact) throw new Error(words);
}

export class Browser {
  passed = 0;
  failed = 0;

  /** Browser processes by device pixel ratio. */
  #programs = new Map();

  constructor(config) {
    this.config = config;
  }

  /**
   * The browser process for a device pixel ratio. It needs a flag, since resize observers do not see an emulated ratio.
   */
  async at(ratio) {
    if (!this.#programs.has(ratio)) {
      const args = [...FLAGS, `--force-device-scale-factor=${ratio}`];
      // A fresh profile each time.
      this.#programs.set(ratio, await chromium.launch({ executablePath: this.config.chromium, headless: true, args }));
    }
    return this.#programs.get(ratio);
  }

  async stop() {
    for (const program of this.#programs.values()) await program.close();
  }

  /**
   * Runs tests, given as functions by name. Each gets a function that opens windows. A test fails if the page reports
   * an error.
   */
  async try(group, tests) {
    for (const [name, test] of Object.entries(tests)) {
      let window;
      // One window at a time, since the browser has only one trace. Opening another window ends the first.
      const open = async (path, size = DESK) => {
        await window?.end();
        window = await Window.open(this, path, size);
        return window;
      };
      const start = performance.now();
      try {
        await test(open);
        await window.end();
        this.passed += 1;
        console.log(`ok   ${group}: ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
      } catch (error) {
        this.failed += 1;
        console.log(`FAIL ${group}: ${name}: ${error.message}`);
        if (window?.complaints.length > 0) console.log(`     page errors: ${window.complaints.join(" | ")}`);
        await window?.keep(`failed-${group}-${name.replaceAll(/\W+/g, "-")}`).catch(() => {});
        await window?.tasks?.().catch(() => {});
        await window?.context.close().catch(() => {});
      }
    }
  }
}

/** A page in a window with its own browser context. */
export class Window {
  complaints = [];
  /** The long tasks that were recorded. */
  slow = [];

  static async open(browser, path, { width, height, touch = false, ratio = 1 }) {
    const window = new Window();
    window.browser = browser;
    const program = await browser.at(ratio);
    window.context = await program.newContext({ viewport: { width, height }, hasTouch: touch, isMobile: touch, deviceScaleFactor: ratio });
    window.page = await window.context.newPage();
    window.page.setDefaultTimeout(PATIENCE);
    window.page.on("console", (message) => {
      if (message.type() === "error") window.complaints.push(message.text());
    });
    window.page.on("pageerror", (error) => window.complaints.push(String(error)));
    window.page.on("crash", () => window.complaints.push("the page crashed"));
    window.page.on("request", (request) => {
      const address = request.url();
      if (/^https?:/.test(address) && !address.startsWith(browser.config.address)) window.complaints.push(`request outside of its folder: ${address}`);
    });
    await window.page.goto(browser.config.address + path);
    return window;
  }

  /** Waits for the first image of the page. From then on its tasks are recorded. */
  async ready() {
    await this.page.waitForFunction(() => document.documentElement.dataset.state);
    const state = await this.page.evaluate(() => document.documentElement.dataset.state);
    check(state === "ready", `the state is ${state} instead of ready: ${await this.text("#stopped").catch(() => "")}`);
    await this.rest();
    this.tasks = await longTasks(this.page);
  }

  /** Stops recording tasks. */
  async rest() {
    this.slow.push(...((await this.tasks?.()) ?? []));
    this.tasks = undefined;
  }

  /** Reloads the page, without recording tasks. */
  async reload() {
    await this.rest();
    await this.page.reload();
  }

  /** Waits until a script in the page returns true. */
  until(script, given) {
    return this.page.waitForFunction(script, given);
  }

  text(selector) {
    return this.page.locator(selector).innerText({ timeout: 2000 });
  }

  /** Saves a screenshot for visual inspection. */
  keep(name) {
    return this.page.screenshot({ path: join(this.browser.config.pictures, `${name}.png`) });
  }

  /** The pixels of a canvas, downscaled: red, green, blue and alpha, row by row. */
  pixels(selector, columns = 32, rows = 18) {
    return this.page.evaluate(([selector, columns, rows]) => {
      const small = new OffscreenCanvas(columns, rows).getContext("2d");
      small.imageSmoothingQuality = "high";
      small.drawImage(document.querySelector(selector), 0, 0, columns, rows);
      return [...small.getImageData(0, 0, columns, rows).data];
    }, [selector, columns, rows]);
  }

  /**
   * The pixels of the window, downscaled like those of `pixels`. Needed for WebGL, whose canvas content is not
   * available to scripts. `clip` is a part of the window: { x, y, width, height }.
   */
  async seen({ clip, columns = 32, rows = 18 } = {}) {
    const picture = (await this.page.screenshot({ clip })).toString("base64");
    return this.page.evaluate(async ([picture, columns, rows]) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const small = new OffscreenCanvas(columns, rows).getContext("2d");
      // Each pixel is the mean of many. Otherwise ripples and leaves would dominate the difference.
      small.imageSmoothingQuality = "high";
      small.drawImage(image, 0, 0, columns, rows);
      return [...small.getImageData(0, 0, columns, rows).data];
    }, [picture, columns, rows]);
  }

  /** Waits until the visible image meets a condition, and returns it. */
  async sees(question, words, view, patience = PATIENCE) {
    const start = performance.now();
    for (;;) {
      const pixels = await this.seen(view);
      if (question(pixels)) return pixels;
      check(performance.now() - start < patience, words);
      await this.page.waitForTimeout(300);
    }
  }

  /** Waits until the visible image does not change for at least `seconds`, and returns it. */
  async settles(words, { still = STILL, seconds = 0, view } = {}) {
    let first = await this.seen(view);
    let since = performance.now();
    return this.sees((pixels) => {
      const isStill = difference(first, pixels) < still;
      if (!isStill) [first, since] = [pixels, performance.now()];
      return isStill && performance.now() - since >= 1000 * seconds;
    }, words, view, 3 * PATIENCE);
  }

  /** Puts fingers on the screen at [x, y], moves them step by step, calls `held` while they touch, and lifts them. */
  async drag(from, to, steps = 10, held = async () => {}) {
    const session = await this.context.newCDPSession(this.page);
    const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    await touch("touchStart", from);
    for (let step = 1; step <= steps; step += 1) {
      await touch("touchMove", from.map(([x, y], finger) => [x + ((to[finger][0] - x) * step) / steps, y + ((to[finger][1] - y) * step) / steps]));
      await this.page.waitForTimeout(60);
    }
    await held();
    await touch("touchEnd", []);
    await session.detach();
  }

  /** Waits for a number of frames. */
  frames(count) {
    return this.page.evaluate((count) => new Promise((done) => {
      const next = () => (count-- > 0 ? requestAnimationFrame(next) : done());
      next();
    }), count);
  }

  /** Presses a key for one frame. Bevy reads keys once per frame, and a key that is held long would repeat. */
  async hold(key) {
    await this.page.keyboard.down(key);
    await this.frames(1);
    await this.page.keyboard.up(key);
    await this.frames(3);
  }

  /** Checks that nothing extends beyond the right edge, even where it would be clipped. */
  async fits() {
    const out = await this.page.evaluate(() => {
      const scrolls = (element) => element && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
      const visible = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility() && !scrolls(element.parentElement));
      const right = (element) => element.getBoundingClientRect().right;
      return visible.filter((element) => right(element) > innerWidth + 0.5).map((element) => `${element.tagName} ${element.id} to ${right(element)} of ${innerWidth}`);
    });
    check(out.length === 0, `cut off: ${out.slice(0, 4).join(", ")}`);
  }

  /** Waits until the canvas has one pixel per device pixel in the current window. */
  isSharp() {
    return this.until(() => {
      const canvas = document.querySelector("canvas");
      const box = canvas.getBoundingClientRect();
      const near = (pixels, side) => Math.abs(pixels - side * devicePixelRatio) <= 1;
      return near(canvas.width, box.width) && near(canvas.height, box.height) && box.right <= innerWidth + 0.5;
    });
  }

  /** Closes the window. Fails if the page reported an error or had long tasks. */
  async end() {
    await this.rest();
    await this.context.close();
    const slow = this.slow.filter((task) => task.milliseconds > LONGEST_TASK);
    check(slow.length === 0, `tasks on the main thread took ${slow.map((task) => `${Math.round(task.milliseconds)} ms`).join(", ")}`);
    check(this.complaints.length === 0, "the page reported errors");
  }
}

/** Whether an image shows both land and water: it has many colors, some of them green. */
export function isLand(pixels) {
  const colors = new Set();
  let green = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const [red, middle, blue] = pixels.slice(at, at + 3);
    colors.add(`${red >> 4} ${middle >> 4} ${blue >> 4}`);
    if (middle > blue) green += 1;
  }
  return colors.size > 24 && green > pixels.length / 4 / 50;
}

/** The mean color difference of two images, of 255. */
export function difference(one, other) {
  check(one.length === other.length, "images have different sizes");
  return one.reduce((sum, value, index) => sum + Math.abs(value - other[index]), 0) / one.length;
}
