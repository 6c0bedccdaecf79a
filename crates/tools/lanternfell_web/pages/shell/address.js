// The state of a page in the fragment of its address: `#seed=42&preset=alpine`.

import { afterPause, tell } from "./shell.js";

/** The longest address in characters. Longer ones are neither written nor read. */
const LONGEST = 16384;

/**
 * Reads the address with a table of fields. Each field is a function that converts text to a value, and throws an error
 * with a message if it cannot. Invalid fields are skipped and reported, and the page continues without them.
 */
export async function readAddress(fields) {
  const values = {};
  const wrong = [];
  if (location.hash.length > LONGEST) {
    tell("The address was ignored because it is too long for this page.", 12);
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
  if (wrong.length > 0) tell(`Some parts of the address are invalid and were ignored. ${wrong.join("; ")}`, 12);
  return values;
}

let written = location.hash;
/** The number of writes that have started. A slower write with an older number is out of date. */
let begun = 0;

/**
 * Creates the writer of the address. `values` returns the state or a promise of it. It is called only when the address
 * is written.
 */
export function addressOf(values) {
  let isStep = false;
  let wasReported = false;

  /**
   * Writes the address and returns the whole URL. With `step` the previous address stays in the history. Throws if
   * `values` throws, or if the state is too long for a link, which is also reported.
   */
  async function now({ step = false } = {}) {
    isStep ||= step;
    const turn = (begun += 1);
    const known = Object.entries(await values()).filter(([, value]) => value !== undefined);
    const text = `#${new URLSearchParams(known.map(([name, value]) => [name, String(value)]))}`;
    if (text.length > LONGEST) {
      if (!wasReported) tell("The state is too long for a link, so the address is not updated.", 12);
      wasReported = true;
      throw new Error("the state is too long for a link");
    }
    wasReported = false;
    if (turn === begun) {
      if (isStep) history.pushState(null, "", text);
      else history.replaceState(null, "", text);
      isStep = false;
      written = location.hash;
    }
    return new URL(text, location.href).href;
  }

  // Errors are ignored here, since the code that causes them reports them.
  const soon = afterPause(250, () => void now().catch(() => {}));
  return { now, soon };
}

/** Calls back when the address is changed by someone else, including by the back button. */
export function whenAddressChanges(call) {
  addEventListener("hashchange", () => {
    if (location.hash === written) return;
    written = location.hash;
    begun += 1;
    call();
  });
}

/** A whole number in a range. */
export const wholeNumber = (least, most) => (text) => {
  const number = Number(text);
  if (!Number.isInteger(number) || text.trim() === "" || number < least || number > most) {
    throw new Error(`expected a whole number from ${least} to ${most}, found "${text.slice(0, 24)}"`);
  }
  return number;
};

/** One of a list of words. */
export const oneOf = (words) => (text) => {
  if (!words.includes(text)) throw new Error(`expected one of ${words.join(", ")}, found "${text.slice(0, 24)}"`);
  return text;
};
