// Tests the page of the island: flying, walking, and opening it from a link.

import { BELOW_CLOUDS, DESK, PHONE, check, difference, isLand } from "./harness.js";

const SMALL = "cells=128&quality=low";
/** Images of different scenes have a larger mean color difference (of 255). */
const OTHER = 3;

/** How to stop movement: plants appear one by one, which takes minutes if each frame takes seconds. */
export const rest = { calm: "#no-plants", view: BELOW_CLOUDS };

async function land(window) {
  await window.ready();
  await window.sees(isLand, "no terrain appeared");
  return window.settles("the image does not stop changing");
}

export const tests = () => ({
  async "flies over the island and walks on it"(open) {
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

  async "the address holds a new island"(open) {
    // The image stops changing before the last plant appears.
    const window = await open(`island/#${SMALL}&bare&no-plants`, DESK);
    const first = await land(window);
    await window.hold("r");
    await window.until(() => location.hash.includes("seed="));
    await window.sees((pixels) => difference(first, pixels) > OTHER, "R does not generate a new island");
    await window.settles("the image does not stop changing");
    const second = await window.seen(BELOW_CLOUDS);
    const { hash } = new URL(window.page.url());
    const again = await open(`island/${hash}&bare`, DESK);
    await land(again);
    const far = difference(second, await again.seen(BELOW_CLOUDS));
    check(far < 1.5, `the images of the same address differ by ${far}`);
  },

  async "touch looks around and moves"(open) {
    const window = await open(`island/#${SMALL}`, PHONE);
    const before = await land(window);
    await window.drag([[200, 400]], [[80, 420]]);
    const turned = await window.sees((pixels) => difference(before, pixels) > OTHER, "a finger does not turn the view");
    await window.keep("island-fingers");
    // All images of the open sea look alike, so turn back to the land.
    await window.drag([[80, 420]], [[200, 400]]);
    await window.sees((pixels) => difference(turned, pixels) > OTHER, "a finger does not turn the view back");
    const back = await window.settles("the image does not stop changing again");
    const moves = () => window.sees((pixels) => difference(back, pixels) > OTHER, "two fingers do not move");
    await window.drag([[120, 400], [260, 400]], [[120, 300], [260, 300]], 20, moves);
    await window.keep("island-moved");
  },

  async "reports invalid addresses"(open) {
    for (const hash of ["preset=moon", "cells=5", "tuned=Island(())", "%%%", "seed=-1"]) {
      const window = await open(`island/#${hash}`, DESK);
      await window.ready();
      check(await window.page.locator("#notice").isVisible(), `${hash} was not reported`);
    }
  },
});
