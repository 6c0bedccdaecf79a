// The package's example with three, as npm would have installed it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { check, difference, isLand } from "./harness.js";

const three = join(dirname(createRequire(import.meta.url).resolve("three")), "..");
/** It draws all the time, for which a software GPU takes long: so here it has fewer pixels, and less land. */
const SMALL = { width: 480, height: 320 };
const SIDES = ["const SIDE = 512;", "const SIDE = 128;"];
const PACKAGES = "/example-three/node_modules/";

export const tests = () => ({
  async "shows land, and other land when asked for it"(open) {
    const window = await open("", SMALL);
    const { address } = window.browser.told;
    await window.page.route(`**${PACKAGES}**`, (route) => {
      const path = new URL(route.request().url()).pathname.split(PACKAGES)[1];
      const [name, ...rest] = path.split("/");
      const file = rest.join("/");
      if (name === "lanternfell") return route.continue({ url: `${address}lanternfell/${file}` });
      return route.fulfill({ contentType: "text/javascript", body: readFileSync(join(three, file), "utf8") });
    });
    await window.page.route("**/example-three/main.js", async (route) => {
      const body = await (await route.fetch()).text();
      check(body.includes(SIDES[0]), "the example is of another size");
      await route.fulfill({ contentType: "text/javascript", body: body.replace(...SIDES) });
    });
    await window.page.goto(`${address}lanternfell/example-three/index.html`);
    const land = await window.sees(isLand, "no land came");
    await window.keep("example-three");
    const says = await window.text("output");
    await window.page.selectOption("select", "dunes");
    await window.until((says) => {
      const now = document.querySelector("output").value;
      return now !== says && !/^(\d+ %)?$/.test(now);
    }, says);
    await window.sees((pixels) => difference(land, pixels) > 3, "no other land came");
    check(await window.page.locator("canvas").count() === 1, "there is more than one picture");
    await window.keep("example-three-dunes");
  },
});
