// A browser, windows of it, and what a test asks of them.

import { join } from "node:path";
import { chromium } from "playwright-core";
import { longTasks } from "./long_tasks.js";

const FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
/** Milliseconds for whatever is waited for: a software GPU on a busy machine is slow, and nothing here is timed. */
const PATIENCE = 120_000;
/** No task of the page's own, after its start, may work longer on the main thread, in milliseconds. */
const LONGEST_TASK = 200;

/** Below this two pictures are of the same, but for what moves a little: the mean difference of a color, of 255. */
const STILL = 0.7;

export const DESK = { width: 1280, height: 720 };
export const PHONE = { width: 390, height: 844, touch: true };
export const NARROW = { width: 320, height: 640, touch: true };

/** What is below a sky, on a desk: clouds go on, and two pictures are not of the same moment. */
export const BELOW_CLOUDS = { clip: { x: 0, y: 290, width: DESK.width, height: DESK.height - 290 } };

export function check(fact, words) {
  if (!fact) throw new Error(words);
}

export class Browser {
  passed = 0;
  failed = 0;

  /** Programs by how many of the device's pixels are to one of theirs. */
  #programs = new Map();

  constructor(told) {
    this.told = told;
  }

  /** The program for that ratio: told of it by its own flag, since of a ratio that is only pretended observers of sizes learn nothing. */
  async at(ratio) {
    if (!this.#programs.has(ratio)) {
      const args = [...FLAGS, `--force-device-scale-factor=${ratio}`];
      // A fresh profile each time.
      this.#programs.set(ratio, await chromium.launch({ executablePath: this.told.chromium, headless: true, args }));
    }
    return this.#programs.get(ratio);
  }

  async stop() {
    for (const program of this.#programs.values()) await program.close();
  }

  /** Runs tests: functions by what they show. Each gets a way to open windows, and fails on whatever the page complains about. */
  async try(group, tests) {
    for (const [name, test] of Object.entries(tests)) {
      let window;
      // One at a time: the browser has one trace. A test that opens another has seen the first one.
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
        if (window?.complaints.length > 0) console.log(`     the page: ${window.complaints.join(" | ")}`);
        await window?.keep(`failed-${group}-${name.replaceAll(/\W+/g, "-")}`).catch(() => {});
        await window?.tasks?.().catch(() => {});
        await window?.context.close().catch(() => {});
      }
    }
  }
}

/** One page in a window of its own, which knows nothing of others. */
export class Window {
  complaints = [];
  /** The tasks that were watched. */
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
    window.page.on("crash", () => window.complaints.push("it crashed"));
    window.page.on("request", (request) => {
      const address = request.url();
      if (/^https?:/.test(address) && !address.startsWith(browser.told.address)) window.complaints.push(`asks for what is not in its folder: ${address}`);
    });
    await window.page.goto(browser.told.address + path);
    return window;
  }

  /** Waits for the page's first picture; from then on its tasks are watched. */
  async ready() {
    await this.page.waitForFunction(() => document.documentElement.dataset.state);
    const state = await this.page.evaluate(() => document.documentElement.dataset.state);
    check(state === "ready", `it ${state} instead of being ready: ${await this.text("#stopped").catch(() => "")}`);
    await this.rest();
    this.tasks = await longTasks(this.page);
  }

  /** Ends watching its tasks. */
  async rest() {
    this.slow.push(...((await this.tasks?.()) ?? []));
    this.tasks = undefined;
  }

  /** Loads it again, which is not watched. */
  async reload() {
    await this.rest();
    await this.page.reload();
  }

  /** Waits until a script in the page says yes. */
  until(script, given) {
    return this.page.waitForFunction(script, given);
  }

  text(selector) {
    return this.page.locator(selector).innerText({ timeout: 2000 });
  }

  /** Keeps a picture, which somebody should look at. */
  keep(name) {
    return this.page.screenshot({ path: join(this.browser.told.pictures, `${name}.png`) });
  }

  /** The pixels of a canvas, small: rows of [red, green, blue]. */
  pixels(selector, columns = 32, rows = 18) {
    return this.page.evaluate(([selector, columns, rows]) => {
      const small = new OffscreenCanvas(columns, rows).getContext("2d");
      small.imageSmoothingQuality = "high";
      small.drawImage(document.querySelector(selector), 0, 0, columns, rows);
      return [...small.getImageData(0, 0, columns, rows).data];
    }, [selector, columns, rows]);
  }

  /**
   * The pixels of what is seen, small, as `pixels` has them: what WebGL drew is gone from its canvas when a script
   * looks. The clip is a part of the window: { x, y, width, height }.
   */
  async seen({ clip, columns = 32, rows = 18 } = {}) {
    const picture = (await this.page.screenshot({ clip })).toString("base64");
    return this.page.evaluate(async ([picture, columns, rows]) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const small = new OffscreenCanvas(columns, rows).getContext("2d");
      // Each pixel is the mean of many, or ripples and leaves would be all the difference.
      small.imageSmoothingQuality = "high";
      small.drawImage(image, 0, 0, columns, rows);
      return [...small.getImageData(0, 0, columns, rows).data];
    }, [picture, columns, rows]);
  }

  /** Looks until what is seen answers a question with yes; gives it. */
  async sees(question, words, view, patience = PATIENCE) {
    const start = performance.now();
    for (;;) {
      const pixels = await this.seen(view);
      if (question(pixels)) return pixels;
      check(performance.now() - start < patience, words);
      await this.page.waitForTimeout(300);
    }
  }

  /** Looks until what is seen stays as it is, for so many seconds at least; gives it. */
  async settles(words, { still = STILL, seconds = 0, view } = {}) {
    let first = await this.seen(view);
    let since = performance.now();
    return this.sees((pixels) => {
      const isStill = difference(first, pixels) < still;
      if (!isStill) [first, since] = [pixels, performance.now()];
      return isStill && performance.now() - since >= 1000 * seconds;
    }, words, view, 3 * PATIENCE);
  }

  /** Puts fingers on the screen, as [x, y], moves them step by step, and lifts them, after what is done while they are held. */
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

  /** Waits for so many frames, however long they take. */
  frames(count) {
    return this.page.evaluate((count) => new Promise((done) => {
      const next = () => (count-- > 0 ? requestAnimationFrame(next) : done());
      next();
    }), count);
  }

  /** Presses a key for a frame: an engine looks at keys once in each, and repeats what is held for long. */
  async hold(key) {
    await this.page.keyboard.down(key);
    await this.frames(1);
    await this.page.keyboard.up(key);
    await this.frames(3);
  }

  /** Nothing sticks out to the side, also where it would be cut off. */
  async fits() {
    const out = await this.page.evaluate(() => {
      const scrolls = (element) => element && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
      const visible = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility() && !scrolls(element.parentElement));
      const right = (element) => element.getBoundingClientRect().right;
      return visible.filter((element) => right(element) > innerWidth + 0.5).map((element) => `${element.tagName} ${element.id} to ${right(element)} of ${innerWidth}`);
    });
    check(out.length === 0, `cut off: ${out.slice(0, 4).join(", ")}`);
  }

  /** Waits until the canvas has a pixel for each of the device's, in the window as it is. */
  isSharp() {
    return this.until(() => {
      const canvas = document.querySelector("canvas");
      const box = canvas.getBoundingClientRect();
      const near = (pixels, side) => Math.abs(pixels - side * devicePixelRatio) <= 1;
      return near(canvas.width, box.width) && near(canvas.height, box.height) && box.right <= innerWidth + 0.5;
    });
  }

  /** Closes it, and fails where it complained or was slow. */
  async end() {
    await this.rest();
    await this.context.close();
    const slow = this.slow.filter((task) => task.milliseconds > LONGEST_TASK);
    check(slow.length === 0, `tasks on the main thread took ${slow.map((task) => `${Math.round(task.milliseconds)} ms`).join(", ")}`);
    check(this.complaints.length === 0, "the page complained");
  }
}

/** Whether a picture has both land and water: many colors, and not all of them of the sky. */
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

/** How different two pictures are: the mean difference of a color, of 255. */
export function difference(one, other) {
  check(one.length === other.length, "pictures of different sizes");
  return one.reduce((sum, value, index) => sum + Math.abs(value - other[index]), 0) / one.length;
}
