// The state of a page in its address: `#seed=42&preset=alpine`.

import { afterPause, tell } from "./shell.js";

/** Longer ones are not read: a page's own are far shorter. */
const LONGEST = 16384;

/**
 * Reads the address by a table of fields: a function from text to a value, which throws in words where it can not.
 * What is wrong is left out and told; the page goes on without it.
 */
export async function readAddress(fields) {
  const values = {};
  const wrong = [];
  if (location.hash.length > LONGEST) {
    tell("The address is too long to be one of this page: it was not read.");
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

/** Writes these values to the address, soon; without a step in the history. */
export const writeAddress = afterPause(250, (values) => {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(known.map(([name, value]) => [name, String(value)]));
  written = `#${text}`;
  history.replaceState(null, "", written);
});

/** Calls back when somebody else changed the address. */
export function whenAddressChanges(call) {
  addEventListener("hashchange", () => {
    if (location.hash !== written) call();
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
