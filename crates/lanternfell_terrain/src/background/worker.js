// A worker that has the app's module for itself and does the orders that come, one after the other.
//
// It is sent the module, then orders: lists of pieces of bytes. It posts "ready", numbers from 0 to 1 while it works,
// and for each order the bytes of its answer or an `Error`.

/** The name of the import that tells how much is done, up to a hash. */
const TELL = "lanternfellTerrainProgress";

/** An instance of its own. Nothing of the page is there, and what computes needs nothing of it. */
async function begin(module) {
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== "function") {
      throw new Error(`the module imports a ${kind}`);
    }
    imports[from] ??= {};
    imports[from][name] = name.includes(TELL)
      ? (done) => postMessage(done)
      : () => {
          throw new Error(`${name} is called, which is not there`);
        };
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  postMessage("ready");
  return exports;
}

/** Has an order done: the bytes of its answer. */
function work(exports, pieces) {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  let to = exports.lanternfell_terrain_order(length) >>> 0;
  if (to === 0) {
    throw new Error("there is not the memory for the order");
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

/** What a panic said, if it was one and there is still a voice. */
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
    postMessage(new Error(lastWords(exports) || `${why}, for want of memory perhaps`));
    return;
  }
  postMessage(answer, [answer]);
};
