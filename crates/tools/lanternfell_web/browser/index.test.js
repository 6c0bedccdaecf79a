// Tests the index: a card for each page, with an image and a link.

import { DESK, NARROW, check } from "./harness.js";

export const tests = (pages) => ({
  async "has a card for each page"(open) {
    const window = await open("", DESK);
    await window.until(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
    await window.keep("index-desk");
    for (const name of pages) {
      const link = window.page.locator(`a[href="${name}/index.html"]`);
      check((await link.count()) === 1, `no link to ${name}`);
    }
    await window.page.locator(`a[href="${pages[0]}/index.html"]`).click();
    await window.ready();
  },
  async "fits a narrow window"(open) {
    const window = await open("", NARROW);
    await window.fits();
    await window.keep("index-narrow");
  },
});
