// The state of a page in its address: `#seed=42&preset=alpine`.

import { afterPause, tell } from "./shell.js";

/** Longer ones are neither written nor read. */
const LONGEST = 16384;

/**
 * Reads the address by a table of fields: a function from text to a value, which throws in words where it can not.
 * What is wrong is left out and told; the page goes on without it.
 */
export async function readAddress(fields) {
  const values = {};
  const wrong = [];
  if (location.hash.length > LONGEST) {
    tell("The address is too long to be one of this page: it was not read.", 12);
    return values;
  }
  for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
    if (!Object.hasOwn(fields, name)) continue;
    try {
      values[name] = await fields[name](text);
    } catch (error) {
      wrong.push(`${name}: ${error.message}`);
    }
  }
  if (wrong.length > 0) tell(`Not everything in the address could be read. ${wrong.join("; ")}`, 12);
  return values;
}

let written = location.hash;
/** How often it was begun to be written: what is packed meanwhile is out of date. */
let begun = 0;

/** What keeps the address: `values` gives, or promises, what it is to say, and is asked only when it is written. */
export function addressOf(values) {
  let isStep = false;
  let wasTold = false;

  /**
   * Writes it, and gives the whole address. With `step` the one before stays in the history. Throws what `values`
   * throws, and where it is too long for a link, which is also told.
   */
  async function now({ step = false } = {}) {
    isStep ||= step;
    const turn = (begun += 1);
    const known = Object.entries(await values()).filter(([, value]) => value !== undefined);
    const text = `#${new URLSearchParams(known.map(([name, value]) => [name, String(value)]))}`;
    if (text.length > LONGEST) {
      if (!wasTold) tell("This is too long for a link: the address does not keep it.", 12);
      wasTold = true;
      throw new Error("it is too long for a link");
    }
    wasTold = false;
    if (turn === begun) {
      if (isStep) history.pushState(null, "", text);
      else history.replaceState(null, "", text);
      isStep = false;
      written = location.hash;
    }
    return new URL(text, location.href).href;
  }

  // Nobody waits for it: what is wrong is said where it is made.
  const soon = afterPause(250, () => void now().catch(() => {}));
  return { now, soon };
}

/** Calls back when somebody else changed the address, also a step back in the history. */
export function whenAddressChanges(call) {
  addEventListener("hashchange", () => {
    if (location.hash === written) return;
    written = location.hash;
    begun += 1;
    call();
  });
}

/** A whole number within bounds. */
export const wholeNumber = (least, most) => (text) => {
  const number = Number(text);
  if (!Number.isInteger(number) || text.trim() === "" || number < least || number > most) {
    throw new Error(`a whole number from ${least} to ${most} was expected, not "${text.slice(0, 24)}"`);
  }
  return number;
};

/** One of some words. */
export const oneOf = (words) => (text) => {
  if (!words.includes(text)) throw new Error(`"${text.slice(0, 24)}" is none of ${words.join(", ")}`);
  return text;
};
