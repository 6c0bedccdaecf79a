// Tests the example of the package with three, as if it were installed by npm.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { check, difference, isLand } from "./harness.js";

const three = join(dirname(createRequire(import.meta.url).resolve("three")), "..");
/** The example draws continuously, which is slow on a software GPU. So the test uses fewer pixels and a smaller map. */
const SMALL = { width: 480, height: 320 };
const SIDES = ["const SIDE = 512;", "const SIDE = 128;"];
const PACKAGES = "/example-three/node_modules/";

export const tests = () => ({
  async "shows terrain and changes the preset"(open) {
    const window = await open("", SMALL);
    const { address } = window.browser.config;
    await window.page.route(`**${PACKAGES}**`, (route) => {
      const path = new URL(route.request().url()).pathname.split(PACKAGES)[1];
      const [name, ...rest] = path.split("/");
      const file = rest.join("/");
      if (name === "lanternfell") return route.continue({ url: `${address}lanternfell/${file}` });
      return route.fulfill({ contentType: "text/javascript", body: readFileSync(join(three, file), "utf8") });
    });
    await window.page.route("**/example-three/main.js", async (route) => {
      const body = await (await route.fetch()).text();
      check(body.includes(SIDES[0]), "the map size of the example has changed");
      await route.fulfill({ contentType: "text/javascript", body: body.replace(...SIDES) });
    });
    await window.page.goto(`${address}lanternfell/example-three/index.html`);
    const land = await window.sees(isLand, "no terrain appeared");
    await window.keep("example-three");
    const says = await window.text("output");
    await window.page.selectOption("select", "dunes");
    await window.until((says) => {
      const now = document.querySelector("output").value;
      return now !== says && !/^(\d+ %)?$/.test(now);
    }, says);
    await window.sees((pixels) => difference(land, pixels) > 3, "the terrain did not change");
    check(await window.page.locator("canvas").count() === 1, "there is more than one canvas");
    await window.keep("example-three-dunes");
  },
});
