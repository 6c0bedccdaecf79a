// Tests the page of the generators with user input.

import { DESK, NARROW, PHONE, check, difference } from "./harness.js";

const CANVAS = "#picture";
/** Images with a smaller mean color difference (of 255) count as equal. */
const SAME = 0.5;
const SMALL = "size=128";

const idle = (window) => window.until(() => document.documentElement.dataset.work === "idle" && document.documentElement.dataset.state === "ready");

async function shown(window) {
  await window.ready();
  await idle(window);
  return window.pixels(CANVAS);
}

/** Performs an action and waits for a different image. */
async function changes(window, act, words) {
  const before = await window.pixels(CANVAS);
  await act();
  await window.page.waitForTimeout(50);
  await idle(window);
  const after = await window.pixels(CANVAS);
  check(difference(before, after) > SAME, `${words}: the image did not change`);
  return after;
}

const slide = (slider, share) => slider.evaluate((input, share) => {
  input.value = Number(input.min) + share * (input.max - input.min);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}, share);

export const tests = () => ({
  async "a slider changes the terrain"(open) {
    const window = await open(`generators/#preset=article-hills&${SMALL}`);
    const pixels = await shown(window);
    const colors = new Set(pixels.map((value, index) => (index % 4 === 3 ? 0 : value >> 4)));
    check(colors.size > 4, "the first image has too few colors");
    await changes(window, () => slide(window.page.locator(".parameter input[type=range]").first(), 0.05), "fewer hills");
    check(!window.page.url().includes("preset="), "the address still contains the preset");
    await window.keep("generators-slider");
  },

  async "first image at 1280 x 720"(open) {
    const window = await open("generators/", DESK);
    await shown(window);
    await window.fits();
    await window.keep("generators-desk");
  },

  async "every view, seed and size"(open) {
    const window = await open(`generators/#preset=volcano&${SMALL}`);
    await shown(window);
    await changes(window, () => window.page.click("[data-view=top]"), "from above");
    await window.keep("generators-top");
    await changes(window, () => window.page.click("[data-view=shaded]"), "shaded");
    await window.keep("generators-shaded");
    await changes(window, () => window.page.click("#dice"), "another seed");
    await changes(window, () => window.page.selectOption("#size", "256"), "another size");
    check((await window.text("#facts")).startsWith("256 × 256"), "the facts do not start with the size");
  },

  async "every preset and generator draws an image"(open) {
    const window = await open(`generators/#preset=volcano&${SMALL}&view=top`);
    await shown(window);
    const names = await window.page.locator("#preset option:not([hidden])").evaluateAll((options) => options.map((option) => option.value));
    check(names.length > 25, `only ${names.length} presets and generators`);
    for (const name of names) {
      await window.page.selectOption("#preset", name);
      await window.page.selectOption("#size", "128");
      await window.page.waitForTimeout(20);
      await idle(window);
      check(await window.page.locator("#problem").isHidden(), `${name}: ${await window.page.locator("#problem").textContent()}`);
    }
  },

  async "each of the four articles has three lines"(open) {
    const window = await open(`generators/#preset=volcano&${SMALL}`);
    await shown(window);
    for (let article = 0; article < 4; article += 1) {
      await changes(window, () => window.page.locator("#articles button").nth(article).click(), `article ${article}`);
      check((await window.page.locator("#lesson p").count()) === 3, "the article does not have three lines");
      await window.keep(`generators-article-${article + 1}`);
    }
  },

  async "adds, moves and removes steps"(open) {
    const window = await open(`generators/#preset=article-faults&${SMALL}&view=top`);
    await shown(window);
    const count = () => window.page.locator(".step").count();
    await window.page.selectOption("#addition", "filter terrace");
    await changes(window, () => window.page.click("#add"), "terraces");
    check((await count()) === 2, "no second step was added");
    await window.page.selectOption("#addition", "generate worley");
    await changes(window, () => window.page.click("#add"), "a layer");
    check((await count()) === 4, "no layer and blend were added");
    await window.page.getByLabel("terrace: move down").click();
    check((await window.page.locator(".step .name").nth(2).textContent()).startsWith("terrace"), "terrace did not move");
    await idle(window);
    await changes(window, () => window.page.getByLabel("terrace: remove").click(), "without terraces");
    await window.keep("generators-steps");
  },

  async "a needed step cannot be removed, and cards keep the focus"(open) {
    const window = await open(`generators/#preset=article-faults&${SMALL}&view=top`);
    await shown(window);
    const count = () => window.page.locator(".step").count();
    const focused = () => window.page.evaluate(() => document.activeElement.closest("#steps > li")?.dataset.step);
    await window.page.selectOption("#addition", "filter terrace");
    await changes(window, () => window.page.click("#add"), "terraces");
    const first = await window.page.locator("#steps > li").first().getAttribute("data-step");
    await window.page.getByLabel(`${first}: remove`).click();
    check((await count()) === 2 && (await window.text("#notice")).includes(`${first} cannot be removed`), "the first step was removed");
    await window.page.getByLabel("terrace: move up").focus();
    await window.page.keyboard.press("Enter");
    check((await focused()) === "terrace", "the moved step lost the focus");
    await idle(window);
    await window.page.getByLabel("terrace: remove").focus();
    await window.page.keyboard.press("Enter");
    check((await count()) === 1 && (await focused()) === first, "the focus was lost with its step");
    check((await window.page.locator("summary button").count()) === 0, "a summary contains buttons");
    await idle(window);
  },

  async "a link has the current state or is rejected"(open) {
    const window = await open(`generators/#preset=article-faults&${SMALL}&view=top`);
    await window.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await shown(window);
    const seed = await window.page.evaluate(async () => {
      document.getElementById("dice").click();
      document.getElementById("link").click();
      await new Promise((resolve) => setTimeout(resolve, 200));
      const link = new URL(await navigator.clipboard.readText());
      return new URLSearchParams(link.hash.slice(1)).get("seed");
    });
    check(seed === (await window.page.inputValue("#seed")), `the link has the seed ${seed}`);
    const field = window.page.locator(".parameter input[type=number]").first();
    await field.fill("-5");
    await field.press("Enter");
    await window.page.click("#link");
    await window.until(() => document.getElementById("notice").textContent.startsWith("Cannot create a link"));
    await idle(window);
  },

  async "restarts a crashed renderer"(open) {
    const window = await open("");
    await window.page.route("**/generators/worker.js", async (route) => {
      const body = await (await route.fetch()).text();
      const trap = 'if (data.recipe?.seed === 666) throw new WebAssembly.RuntimeError("unreachable");';
      await route.fulfill({ contentType: "text/javascript", body: body.replace("if (data.file)", `${trap} if (data.file)`) });
    });
    await window.page.goto(`${window.browser.config.address}generators/#preset=article-faults&${SMALL}&view=top`);
    await shown(window);
    const seed = async (seed) => {
      await window.page.fill("#seed", String(seed));
      await window.page.press("#seed", "Enter");
      await window.page.waitForTimeout(50);
      await idle(window);
    };
    await seed(666);
    check((await window.text("#problem")).includes("unreachable"), "the crash was not reported");
    await changes(window, () => seed(5), "another seed");
    check(await window.page.locator("#problem").isHidden(), "the problem is still shown");
  },

  async "every generator, filter and selection has controls"(open) {
    const window = await open(`generators/#preset=article-islands&${SMALL}&view=top`);
    await shown(window);
    const additions = await window.page.locator("#addition option").evaluateAll((options) => options.map((option) => option.value));
    for (const addition of additions) {
      await window.page.selectOption("#preset", "article-islands");
      await window.page.selectOption("#size", "128");
      await window.page.selectOption("#addition", addition);
      await window.page.click("#add");
      await window.page.waitForTimeout(20);
      await idle(window);
      check(await window.page.locator("#problem").isHidden(), `${addition}: ${await window.page.locator("#problem").textContent()}`);
    }
  },

  async "the address holds the whole state"(open) {
    const window = await open(`generators/#preset=article-hills&${SMALL}&view=top`);
    await shown(window);
    const pixels = await changes(window, () => slide(window.page.locator(".parameter input[type=range]").first(), 0.2), "hills");
    await window.page.waitForFunction(() => location.hash.includes("recipe="));
    const again = await open(`generators/${new URL(window.page.url()).hash}`);
    check(difference(pixels, await shown(again)) <= SAME, "the same address shows another image");
    await again.reload();
    await idle(again);
    check(difference(pixels, await again.pixels(CANVAS)) <= SAME, "the image changed after a reload");
  },

  async "reports invalid addresses and continues"(open) {
    const broken = ["seed=minus", "preset=moon", "recipe=%%%", "recipe=AAAA", "recipe=" + "A".repeat(40000), "size=1000000", "view=inside", "tilt=900&zoom=x", "=&&==#"];
    for (const hash of broken) {
      const window = await open(`generators/#${hash}&${SMALL}`);
      await shown(window);
      if (hash !== "=&&==#") check(await window.page.locator("#notice").textContent(), `${hash.slice(0, 40)} was not reported`);
    }
  },

  async "reports an invalid recipe and keeps the last image"(open) {
    const window = await open(`generators/#preset=article-faults&${SMALL}`);
    const before = await shown(window);
    const field = window.page.locator(".parameter input[type=number]").first();
    await field.fill("-5");
    await field.press("Enter");
    await window.page.locator("#problem:not([hidden])").waitFor();
    check((await window.text("#problem")).length > 10, "the message is too short");
    await idle(window);
    check(difference(before, await window.pixels(CANVAS)) <= SAME, "the image changed");
  },

  async "exports files and imports a recipe"(open) {
    const window = await open(`generators/#preset=volcano&${SMALL}&view=top`);
    await shown(window);
    const heads = { png: [137, 80, 78, 71], glb: [0x67, 0x6c, 0x54, 0x46], picture: [137, 80, 78, 71] };
    let recipe;
    for (const what of ["png", "raw", "glb", "picture", "recipe"]) {
      const waiting = window.page.waitForEvent("download");
      await window.page.click(`[data-export=${what}]`);
      const file = await (await waiting).path();
      const bytes = (await import("node:fs")).readFileSync(file);
      if (heads[what]) check(heads[what].every((byte, at) => bytes[at] === byte), `the ${what} file has the wrong signature`);
      if (what === "raw") check(bytes.length === 2 * 128 * 128, `RAW has ${bytes.length} bytes`);
      if (what === "recipe") recipe = bytes;
    }
    check(recipe.toString().includes("version:"), "the recipe file has no version");
    const before = await window.pixels(CANVAS);
    await changes(window, () => window.page.click("#dice"), "another seed");
    await window.page.setInputFiles("#file", { name: "land.ron", mimeType: "text/plain", buffer: recipe });
    await window.page.waitForTimeout(50);
    await idle(window);
    check(difference(before, await window.pixels(CANVAS)) <= SAME, "the imported recipe shows another image");
    await window.page.setInputFiles("#file", { name: "bad.ron", mimeType: "text/plain", buffer: Buffer.from("(steps: oh)") });
    await window.page.locator("#notice:not([hidden])").waitFor();
  },

  async "turns by dragging and by keys"(open) {
    const window = await open(`generators/#preset=volcano&${SMALL}`);
    await shown(window);
    await changes(window, async () => {
      await window.page.mouse.move(400, 400);
      await window.page.mouse.down();
      await window.page.mouse.move(640, 380, { steps: 4 });
      await window.page.mouse.up();
      await window.page.waitForTimeout(400);
    }, "a drag");
    await window.page.focus(CANVAS);
    await changes(window, async () => { await window.page.keyboard.press("ArrowRight"); await window.page.waitForTimeout(400); }, "a key");
  },

  async "on a phone, by touch"(open) {
    const window = await open(`generators/#preset=fjords&${SMALL}`, PHONE);
    await shown(window);
    await window.fits();
    await window.keep("generators-phone");
    await changes(window, () => window.page.tap("[data-view=shaded]"), "a tap");
    await window.page.tap("#articles button:nth-child(2)");
    await idle(window);
    await window.page.locator(".step").first().scrollIntoViewIfNeeded();
    await window.keep("generators-phone-steps");
    await changes(window, () => window.page.tap("#dice"), "another seed");
  },

  async "in a window of 320 pixels"(open) {
    const window = await open(`generators/#${SMALL}`, NARROW);
    await shown(window);
    await window.fits();
    await window.keep("generators-narrow");
  },
});
