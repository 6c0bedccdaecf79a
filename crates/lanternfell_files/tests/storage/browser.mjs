// Runs the tests of `LocalStorage`. In Node.js they use a fake `localStorage` that follows the
// standard. In a page, imported as a module, they use the browser's own.
//
//   cargo test -p lanternfell_files --target wasm32-unknown-unknown --no-run --test storage
//   wasm-bindgen --target web --out-name storage --out-dir FOLDER  storage-*.wasm
//   node browser.mjs FOLDER
//
// In a page: `import { all } from "./browser.mjs"; await all(await import("./storage.js"))`.

const FOLDER = "lanternfell-test/";
const OTHER = ["lanternfell-test", "lanternfell-testing/a", "a", "theme"];

const same = (found, expected, words) => {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${words}: ${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
  }
};

/// All entries of a storage, sorted by key.
const content = (storage) => {
  const keys = Array.from({ length: storage.length }, (_, place) => storage.key(place)).sort();
  return keys.map((key) => [key, storage.getItem(key)]);
};

/// Runs `task` with another `localStorage`, or with none.
const instead = (property, task) => {
  const usual = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
  Object.defineProperty(globalThis, "localStorage", { configurable: true, ...property });
  try {
    return task();
  } finally {
    if (usual) Object.defineProperty(globalThis, "localStorage", usual);
    else delete globalThis.localStorage;
  }
};

const thrown = (name) => Object.assign(new Error("words that differ"), { name });

/// Runs all checks of an initialized module made by wasm-bindgen. Returns their names.
export const all = (module) => {
  const storage = globalThis.localStorage;
  storage.clear();
  OTHER.forEach((key) => storage.setItem(key, "of others"));
  const others = content(storage);
  const made = [];
  const clear = () => {
    const keys = content(storage).map(([key]) => key);
    keys.filter((key) => key.startsWith(FOLDER)).forEach((key) => storage.removeItem(key));
  };
  const check = (name, task) => {
    try {
      task();
      clear();
      same(content(storage), others, "entries of others");
    } catch (error) {
      throw new Error(`${name}: ${error}`);
    }
    made.push(name);
  };
  for (const name of module.checks()) check(name, () => module.check(name));
  check("full", () => {
    module.before_full();
    // Fill the storage completely, with ever smaller pieces.
    let pieces = 0;
    for (let length = 1 << 22; length >= 1; length = length >> 1) {
      try {
        for (;;) storage.setItem(`${FOLDER}deeper/${pieces}`, "x".repeat(length)), pieces++;
      } catch (error) {
        same(error.name, "QuotaExceededError", "full");
      }
    }
    module.check_full();
  });
  check("names", module.check_names);
  check("blocked", () => {
    const get = () => {
      throw thrown("SecurityError");
    };
    same(instead({ get }, module.check_forbidden), "the browser blocks access to its storage", "blocked");
  });
  for (const value of [undefined, null]) {
    const error = instead({ value }, module.check_forbidden);
    same(error, "browser storage is not available here", "absent");
  }
  check("full from the first byte, as private windows once were", () => {
    const setItem = () => {
      throw thrown("NS_ERROR_DOM_QUOTA_REACHED");
    };
    const value = { getItem: () => null, setItem, removeItem: () => {}, length: 0, key: () => null };
    const error = instead({ value }, () => module.refused("a"));
    same(error, "the browser storage is full", "full");
  });
  check("forgetful", () => {
    const value = { getItem: () => null, setItem: () => {}, length: 0 };
    instead({ value }, module.check_forgetful);
  });
  check("foreign", () => {
    for (const text of ["(volume: 7)", "=", "A", "AB==", "\u{2603}", "AA A"]) {
      storage.setItem(`${FOLDER}a.ron`, text);
      const aside = module.check_foreign("a.ron");
      same(storage.getItem(FOLDER + aside), text, "quarantined");
      same(storage.getItem(`${FOLDER}a.ron`), null, "quarantined");
    }
  });
  check("another tab writes in between", () => {
    module.write("a", "first");
    storage.setItem(`${FOLDER}a`, btoa("from there").replaceAll("=", ""));
    same(module.read("a"), "from there", "the other tab's");
    module.write("a", "second");
    same(module.read("a"), "second", "the last write");
  });
  storage.clear();
  return made;
};

/// A fake `localStorage` that follows the standard, with the usual limit of 5 MiB.
const fake = () => {
  const kept = new Map();
  const size = () => [...kept].reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  return {
    get length() {
      return kept.size;
    },
    key: (place) => [...kept.keys()][place] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => {
      const before = kept.has(key) ? key.length + kept.get(key).length : 0;
      if (size() - before + key.length + text.length > 5 << 20) throw thrown("QuotaExceededError");
      kept.set(key, String(text));
    },
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
};

if (globalThis.process?.argv[2]) {
  const fs = await import("node:fs");
  const folder = process.argv[2];
  const module = await import(new URL(`file://${fs.realpathSync(folder)}/storage.js`));
  module.initSync({ module: fs.readFileSync(`${folder}/storage_bg.wasm`) });
  const value = fake();
  Object.defineProperty(globalThis, "localStorage", { configurable: true, writable: true, value });
  for (const name of all(module)) console.log("ok", name);
}
