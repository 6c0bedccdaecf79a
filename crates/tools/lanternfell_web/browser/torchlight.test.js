// Tests the page of the torch: carves cells and checks the light by its pixels.

import { DESK, NARROW, PHONE, check, difference } from "./harness.js";

const CANVAS = "#cave";

/** The mean brightness of a part of the canvas, from 0 to 255. The corners are shares of the canvas size. */
const brightness = (window, [left, top, right, bottom]) => window.page.evaluate(([left, top, right, bottom]) => {
  const canvas = document.querySelector("#cave");
  const [x, y] = [left * canvas.width, top * canvas.height];
  const [wide, high] = [(right - left) * canvas.width, (bottom - top) * canvas.height];
  const copy = new OffscreenCanvas(Math.ceil(wide), Math.ceil(high)).getContext("2d");
  copy.drawImage(canvas, x, y, wide, high, 0, 0, wide, high);
  const { data } = copy.getImageData(0, 0, Math.ceil(wide), Math.ceil(high));
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += data[at] + data[at + 1] + data[at + 2];
  return sum / (0.75 * data.length);
}, [left, top, right, bottom]);

async function drag(window, from, to, button = "left") {
  await window.page.mouse.move(...from);
  await window.page.mouse.down({ button });
  await window.page.mouse.move(...to, { steps: 12 });
  await window.page.mouse.up({ button });
}

const saved = (window) => window.page.waitForFunction(() => location.hash.includes("drawing="));

export const tests = () => ({
  async "light passes through carved cells"(open) {
    const window = await open("torchlight/", DESK);
    await window.ready();
    await window.keep("torchlight-first");
    const east = [0.6, 0.42, 0.7, 0.58];
    const dark = await brightness(window, east);
    check(dark < 32, `the brightness of walls is ${dark}`);
    await drag(window, [400, 384], [1000, 384]);
    await window.page.mouse.move(700, 384);
    await window.page.waitForTimeout(1500);
    const lit = await brightness(window, east);
    check(lit > dark + 10, `the brightness of carved cells went from ${dark} to ${lit}`);
    await window.keep("torchlight-carved");

    // A wall across the corridor blocks the light.
    const behind = [0.68, 0.47, 0.75, 0.53];
    const open_ = await brightness(window, behind);
    await drag(window, [820, 350], [820, 420], "right");
    await window.page.mouse.move(600, 384);
    await window.page.waitForTimeout(2500);
    const walled = await brightness(window, behind);
    check(walled < 0.7 * open_, `the brightness behind a wall went from ${open_} to ${walled}`);
    await window.keep("torchlight-walled");
  },

  async "the address holds a random cave"(open) {
    const window = await open("torchlight/", DESK);
    await window.page.emulateMedia({ reducedMotion: "reduce" });
    await window.ready();
    await window.page.keyboard.press("r");
    await saved(window);
    await window.page.waitForTimeout(600);
    const pixels = await window.pixels(CANVAS);
    check(Math.max(...pixels.filter((_, at) => at % 4 !== 3)) > 60, "the cave is dark");
    await window.keep("torchlight-random");
    const again = await open(`torchlight/${new URL(window.page.url()).hash}`, DESK);
    await again.page.emulateMedia({ reducedMotion: "reduce" });
    await again.ready();
    await again.page.waitForTimeout(1500);
    const far = difference(pixels, await again.pixels(CANVAS));
    check(far < 3, `the images of the same address differ by ${far}`);
    await again.page.click("#random");
    await again.page.waitForTimeout(1000);
    check(difference(pixels, await again.pixels(CANVAS)) > 3, "the cave did not change");
  },

  async "lamps, reach and tools"(open) {
    const window = await open("torchlight/", DESK);
    await window.ready();
    await drag(window, [300, 300], [900, 300]);
    const hash = () => new URL(window.page.url()).hash;
    await window.page.waitForTimeout(400);
    const before = hash();
    await window.page.click("[data-hand=lamp]");
    await window.page.mouse.click(400, 300);
    await window.page.waitForTimeout(600);
    check(hash() !== before, "the lamp is not in the address");
    await window.page.mouse.move(860, 300);
    await window.page.waitForTimeout(1500);
    check((await brightness(window, [0.3, 0.34, 0.33, 0.4])) > 40, "the lamp is dark");
    await window.page.locator("#reach").fill("30");
    await window.page.waitForTimeout(500);
    check(hash().includes("reach=30"), "the reach is not in the address");
    await window.page.click("#wall");
    await window.page.waitForTimeout(600);
    check((await brightness(window, [0.2, 0.6, 0.4, 0.8])) < 32, "not all cells are walls");
  },

  async "the back button restores a replaced drawing"(open) {
    const window = await open("torchlight/", DESK);
    await window.page.emulateMedia({ reducedMotion: "reduce" });
    await window.ready();
    await drag(window, [300, 300], [900, 300]);
    const hash = () => new URL(window.page.url()).hash;
    const replaced = async (act) => {
      await window.page.waitForTimeout(400);
      const before = hash();
      await act();
      await window.page.waitForFunction((before) => location.hash !== before, before);
      const pixels = await window.pixels(CANVAS);
      await window.page.goBack();
      check(hash() === before, "the previous address was not restored");
      await window.page.waitForTimeout(1500);
      check(hash() === before && difference(pixels, await window.pixels(CANVAS)) > 1, "the drawing was not restored");
      await window.page.goForward();
      await window.page.waitForTimeout(1500);
      check(difference(pixels, await window.pixels(CANVAS)) < 1.5, "the forward button did not restore the other drawing");
      await window.page.goBack();
    };
    await replaced(() => window.page.click("#wall"));
    await replaced(() => window.page.click("#random"));
    await window.page.focus("#reach");
    await window.page.waitForTimeout(1000);
    const before = hash();
    await window.page.keyboard.press("r");
    await window.page.waitForTimeout(600);
    check(hash() === before, "R changed the cave while the slider had the focus");
  },

  async "a second pointer does not affect a stroke"(open) {
    const drawn = async (meanwhile) => {
      const window = await open("torchlight/", DESK);
      await window.ready();
      await window.page.mouse.move(300, 300);
      await window.page.mouse.down();
      await window.page.evaluate((meanwhile) => {
        if (!meanwhile) return;
        const init = { pointerId: 77, pointerType: "touch", clientX: 900, clientY: 500, bubbles: true };
        for (const kind of ["pointerdown", "pointermove", "pointerup"]) {
          document.querySelector("#cave").dispatchEvent(new PointerEvent(kind, init));
        }
      }, meanwhile);
      await window.page.mouse.move(500, 300, { steps: 4 });
      await window.page.mouse.up();
      await saved(window);
      await window.page.waitForTimeout(600);
      return new URL(window.page.url()).hash;
    };
    check((await drawn(true)) === (await drawn(false)), "the stroke changed");
  },

  async "only real errors stop the page"(open) {
    const window = await open("torchlight/", DESK);
    await window.ready();
    await window.page.evaluate(() => dispatchEvent(new ErrorEvent("error", { message: "Script error." })));
    await window.until(() => document.getElementById("loading").hidden);
    check((await window.page.locator("#stopped").count()) === 0, "a browser warning stopped the page");
    await window.page.evaluate(() => document.querySelector("canvas").dispatchEvent(new Event("contextlost", { cancelable: true })));
    const dialog = await window.page.evaluate(() => [
      document.activeElement.textContent,
      document.querySelector("main").inert && document.querySelector("header").inert,
      document.getElementById("stopped").getAttribute("aria-modal"),
    ]);
    check(dialog.join() === "Reload,true,true", dialog.join());
  },

  async "the address is the newest one and not too long"(open) {
    const window = await open("torchlight/", DESK);
    await window.ready();
    const results = await window.page.evaluate(async () => {
      const { addressOf } = await import(new URL("../shell/address.js", location.href).href);
      let turn = 0;
      const slow = addressOf(async () => {
        const now = (turn += 1);
        await new Promise((resolve) => setTimeout(resolve, now === 1 ? 200 : 10));
        return { turn: now };
      });
      const links = await Promise.all([slow.now(), slow.now()]);
      const long = addressOf(() => ({ x: "x".repeat(20_000) }));
      const refused = await long.now().then(() => "", (error) => error.message);
      return [links.map((link) => new URL(link).hash).join(), location.hash, refused, document.getElementById("notice").hidden];
    });
    check(results.join() === "#turn=1,#turn=2,#turn=2,the state is too long for a link,false", results.join());
  },

  async "by keyboard only"(open) {
    const window = await open("torchlight/", DESK);
    await window.ready();
    await window.page.focus(CANVAS);
    await window.page.keyboard.down(" ");
    for (let step = 0; step < 8; step += 1) await window.page.keyboard.press("ArrowRight");
    await window.page.keyboard.up(" ");
    await window.page.waitForTimeout(1500);
    check((await brightness(window, [0.5, 0.46, 0.62, 0.54])) > 40, "nothing was carved");
  },

  async "by touch on a phone"(open) {
    const window = await open("torchlight/", PHONE);
    await window.ready();
    await window.fits();
    const before = await window.pixels(CANVAS);
    const session = await window.context.newCDPSession(window.page);
    const touch = (type, x, y) => session.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
    await touch("touchStart", 80, 300);
    for (let x = 90; x <= 300; x += 10) await touch("touchMove", x, 300 + (x - 90) / 2);
    await touch("touchEnd");
    await window.page.waitForTimeout(1500);
    check(difference(before, await window.pixels(CANVAS)) > 2, "the finger carved nothing");
    await window.page.tap("#random");
    await window.page.waitForTimeout(1500);
    await window.keep("torchlight-phone");
  },

  async "in a window of 320 pixels"(open) {
    const window = await open("torchlight/", NARROW);
    await window.ready();
    await window.fits();
    await window.page.tap("#random");
    await window.page.waitForTimeout(1000);
    await window.keep("torchlight-narrow");
  },

  async "reports invalid addresses and continues"(open) {
    for (const hash of ["drawing=AAAA", "drawing=!!", "reach=x", `drawing=${"A".repeat(30000)}`, "drawing=" + "4".repeat(64)]) {
      const window = await open(`torchlight/#${hash}`);
      await window.ready();
      check(await window.page.locator("#notice").textContent(), `${hash.slice(0, 40)} was not reported`);
    }
  },
});
