// Tests the page of the light sandbox: carved cells let light through, and the address holds the drawing.

import { DESK, PHONE, check, difference } from "./harness.js";

const mean = (pixels) => pixels.filter((_, at) => at % 4 !== 3).reduce((sum, value) => sum + value, 0) / (0.75 * pixels.length);

export const tests = () => ({
  async "light passes through carved cells"(open) {
    const window = await open("light_sandbox/#preset=solid&bare", DESK);
    await window.ready();
    await window.sees((pixels) => Math.max(...pixels.filter((_, at) => at % 4 !== 3)) > 40, "the page stays dark");
    const { page } = window;
    const clip = { x: 700, y: 360, width: 60, height: 50 };
    await page.mouse.move(500, 384);
    await page.waitForTimeout(1000);
    const dark = mean(await window.seen({ clip }));
    await page.mouse.down();
    await page.mouse.move(900, 384, { steps: 40 });
    await page.mouse.up();
    await page.mouse.move(640, 384);
    await window.sees((pixels) => mean(pixels) > dark + 8, `the carved cells are not brighter than ${dark}`, { clip });
    await window.keep("light_sandbox-carved");
    await window.until(() => location.hash.includes("drawing="));
    const carved = await window.settles("the image does not stop changing");
    const again = await open(`light_sandbox/${new URL(page.url()).hash}&bare`, DESK);
    await again.ready();
    await again.page.mouse.move(640, 384);
    await again.sees((pixels) => difference(carved, pixels) < 3, "the address shows another drawing");
  },

  async "a finger carves"(open) {
    const window = await open("light_sandbox/#preset=solid", PHONE);
    await window.ready();
    const before = await window.settles("the image does not stop changing");
    await window.drag([[80, 300]], [[300, 420]], 20);
    await window.sees((pixels) => difference(before, pixels) > 1.5, "a finger carves nothing");
    await window.keep("light_sandbox-finger");
  },

  async "reports invalid addresses"(open) {
    for (const hash of ["drawing=AAAA", "radius=x", "neighbors=9", `drawing=${"A".repeat(30000)}`]) {
      const window = await open(`light_sandbox/#${hash}`, DESK);
      await window.ready();
      check(await window.page.locator("#notice").isVisible(), `${hash.slice(0, 40)} was not reported`);
    }
  },
});
