// Measures the light of rot-js (npm). Called by lanternfell_bench. Its peers.rs describes the format of the sheet and
// of the output.
//
//   job N from_darkness PASSES LAMP...              starts without any cached data job N lamp_moved PASSES LAMP... >
//   PLACE...      moves the first lamp from place to place
//
// Floors reflect 0.3 of the light, as in the manual of rot.js. The field of view is the fastest that it has.

import { readFileSync } from "node:fs";

const LIGHTS = [[255, 204, 153], [153, 255, 204], [204, 153, 255]];

let ROT;
try {
  ROT = await import("rot-js");
} catch {
  console.error("rot-js is not installed");
  process.exit(3);
}

if (process.argv.length < 3) {
  const file = new URL("node_modules/rot-js/package.json", import.meta.url);
  console.log(`rot-js ${JSON.parse(readFileSync(file)).version}, node ${process.version}`);
  process.exit(0);
}

const readCell = (word) => word.split(",").map(Number);

const sheet = { jobs: [] };
for (const line of readFileSync(process.argv[2], "utf8").split("\n")) {
  const [key, ...words] = line.split(" ");
  if (key === "map") {
    sheet.side = Number(words.pop());
    sheet.map = readFileSync(words.join(" "));
  } else if (key === "seconds" || key === "range") {
    sheet[key] = Number(words[0]);
  } else if (key === "job") {
    const [number, task, passes, ...cells] = words;
    const end = cells.includes(">") ? cells.indexOf(">") : cells.length;
    sheet.jobs.push({
      number,
      task,
      passes: Number(passes),
      lamps: cells.slice(0, end).map(readCell),
      walk: cells.slice(end + 1).map(readCell),
    });
  }
}

const { map, side } = sheet;
const isOpen = (x, y) => x >= 0 && y >= 0 && x < side && y < side && map[y * side + x] === 0;

function makeLighting({ passes, lamps }) {
  const reflectivity = (x, y) => (isOpen(x, y) ? 0.3 : 0);
  const lighting = new ROT.Lighting(reflectivity, { range: sheet.range, passes });
  lighting.setFOV(new ROT.FOV.RecursiveShadowcasting(isOpen));
  lamps.forEach(([x, y], n) => lighting.setLight(x, y, LIGHTS[n % LIGHTS.length]));
  return lighting;
}

// The light is written to an array, as in a game.
const light = new Float32Array(3 * side * side);
const store = (x, y, color) => light.set(color, 3 * (y * side + x));

function countLit(lighting) {
  let [count, sum] = [0, 0];
  lighting.compute((x, y, color) => {
    if (x >= 0 && y >= 0 && x < side && y < side && Math.max(...color) > 0) {
      count += 1;
      sum += y * side + x;
    }
  });
  return `${count} ${sum}`;
}

// Nanoseconds per call of `work`. `prepare` is called before each call and not measured. The compiler of node needs
// many calls to warm up, but slow work is called only once.
function measure(seconds, prepare, work) {
  let [spent, calls] = [0, 0];
  const callFor = (goal) => {
    [spent, calls] = [0, 0];
    while (calls === 0 || spent < goal) {
      prepare();
      const start = process.hrtime.bigint();
      work();
      spent += Number(process.hrtime.bigint() - start);
      calls += 1;
    }
  };
  const goal = seconds * 1e9;
  callFor(5 * goal);
  if (calls > 1 || spent < 25 * goal) callFor(goal);
  return spent / calls;
}

function run(job) {
  const lighting = makeLighting(job);
  if (job.task === "from_darkness") {
    const forget = () => lighting.reset();
    const time = measure(sheet.seconds, forget, () => lighting.compute(store));
    return [time, countLit(lighting)];
  }
  const found = countLit(lighting);
  let [at, step] = [job.lamps[0], 0];
  const move = () => {
    const to = job.walk[step++ % job.walk.length];
    // A cell can hold only one lamp, so skip cells with another lamp.
    if (!job.lamps.slice(1).some(([x, y]) => x === to[0] && y === to[1])) {
      lighting.setLight(...at, null);
      lighting.setLight(...to, LIGHTS[0]);
      at = to;
    }
    lighting.compute(store);
  };
  return [measure(sheet.seconds, () => {}, move), found];
}

for (const job of sheet.jobs) {
  const [nanoseconds, found] = run(job);
  console.log(`result ${job.number} ${nanoseconds} ${found}`);
}
