// The page of the island: over it, on it, and led to it by a link.

import { BELOW_CLOUDS, DESK, PHONE, check, difference, isLand } from "./harness.js";

const SMALL = "cells=128&quality=low";
/** Pictures of other things differ by more: the mean difference of a color, of 255. */
const OTHER = 3;

/** How it comes to rest: plants come one by one, for minutes where each frame takes seconds. */
export const rest = { calm: "#no-plants", view: BELOW_CLOUDS };

async function land(window) {
  await window.ready();
  await window.sees(isLand, "no land came");
  return window.settles("the island does not come to rest");
}

export const tests = () => ({
  async "an island is flown over and walked on"(open) {
    const window = await open(`island/#${SMALL}`, DESK);
    const above = await land(window);
    await window.keep("island-air");
    await window.page.keyboard.down("w");
    const nearer = await window.sees((pixels) => difference(above, pixels) > OTHER, "W does not fly");
    await window.page.keyboard.up("w");
    await window.hold("Tab");
    const ground = await window.sees((pixels) => difference(nearer, pixels) > OTHER, "Tab does not walk");
    await window.page.waitForTimeout(2000);
    await window.keep("island-walk");
    await window.page.keyboard.down("w");
    await window.sees((pixels) => difference(ground, pixels) > OTHER, "W does not walk");
    await window.page.keyboard.up("w");
    await window.hold("m");
    await window.until(() => document.pointerLockElement?.id === "lanternfell");
    await window.hold("m");
    await window.until(() => !document.pointerLockElement);
  },

  async "another island is in the address, which leads to it"(open) {
    // A picture comes to rest before the last plant is there.
    const window = await open(`island/#${SMALL}&bare&no-plants`, DESK);
    const first = await land(window);
    await window.hold("r");
    await window.until(() => location.hash.includes("seed="));
    await window.sees((pixels) => difference(first, pixels) > OTHER, "R makes no other island");
    await window.settles("the island does not come to rest");
    const second = await window.seen(BELOW_CLOUDS);
    const { hash } = new URL(window.page.url());
    const again = await open(`island/${hash}&bare`, DESK);
    await land(again);
    const far = difference(second, await again.seen(BELOW_CLOUDS));
    check(far < 1.5, `the same address, and pictures differ by ${far}`);
  },

  async "fingers look, and press buttons"(open) {
    const window = await open(`island/#${SMALL}`, PHONE);
    const before = await land(window);
    await window.drag([[200, 400]], [[80, 420]]);
    const turned = await window.sees((pixels) => difference(before, pixels) > OTHER, "a finger does not look");
    await window.keep("island-fingers");
    // Of the open sea all pictures are alike: back to the land.
    await window.drag([[80, 420]], [[200, 400]]);
    await window.sees((pixels) => difference(turned, pixels) > OTHER, "a finger does not look back");
    const back = await window.settles("it does not come to rest again");
    const moves = () => window.sees((pixels) => difference(back, pixels) > OTHER, "two fingers do not move");
    await window.drag([[120, 400], [260, 400]], [[120, 300], [260, 300]], 20, moves);
    await window.keep("island-moved");
  },

  async "what an address can not say is told"(open) {
    for (const hash of ["preset=moon", "cells=5", "tuned=Island(())", "%%%", "seed=-1"]) {
      const window = await open(`island/#${hash}`, DESK);
      await window.ready();
      check(await window.page.locator("#notice").isVisible(), `nothing was said of ${hash}`);
    }
  },
});
