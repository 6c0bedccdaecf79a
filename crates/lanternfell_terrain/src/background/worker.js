// A worker with its own instance of the app's module, which executes orders one after the other.
//
// It receives the module, then orders, each a list of typed arrays. It posts "ready", the progress from 0 to 1 while it
// works, and for each order the bytes of the answer or an `Error`.

/** The name of the import that reports progress. The full name also has a hash. */
const PROGRESS_IMPORT = "lanternfellTerrainProgress";

/** Instantiates the module. All other imports throw, because the computations need nothing from the page. */
async function begin(module) {
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== "function") {
      throw new Error(`the module imports a ${kind}, but only functions are supported`);
    }
    imports[from] ??= {};
    imports[from][name] = name.includes(PROGRESS_IMPORT)
      ? (done) => postMessage(done)
      : () => {
          throw new Error(`${name} is not available in the worker`);
        };
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  postMessage("ready");
  return exports;
}

/** Executes an order and returns the bytes of its answer. */
function work(exports, pieces) {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  let to = exports.lanternfell_terrain_order(length) >>> 0;
  if (to === 0) {
    throw new Error("not enough memory for the order");
  }
  for (const piece of pieces) {
    new Uint8Array(exports.memory.buffer, to).set(piece);
    to += piece.byteLength;
  }
  const size = exports.lanternfell_terrain_work() >>> 0;
  return bytes(exports, size);
}

function bytes(exports, size) {
  const from = exports.lanternfell_terrain_answer() >>> 0;
  return exports.memory.buffer.slice(from, from + size);
}

/** The message of the last panic, or an empty string. */
function lastWords(exports) {
  try {
    const size = exports.lanternfell_terrain_last_words() >>> 0;
    return new TextDecoder().decode(bytes(exports, size));
  } catch {
    return "";
  }
}

let instance;

onmessage = async ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    instance = begin(data).catch((why) => {
      postMessage(new Error(String(why)));
    });
    return;
  }
  const exports = await instance;
  if (exports === undefined) {
    return;
  }
  let answer;
  try {
    answer = work(exports, data);
  } catch (why) {
    postMessage(new Error(lastWords(exports) || `${why} (possibly out of memory)`));
    return;
  }
  postMessage(answer, [answer]);
};
