// Measures the heightmaps of three.terrain.js (npm), without rendering. Called by lanternfell_bench. Its peers.rs
// describes the format of the sheet and of the output.
//
//   job N faults LINES                          Fault: its own lines, nearly steps job N hills X,Y,RADIUS ...
//   Influence: the given hills, as paraboloids job N hill COUNT                            Hill: this number of its own
//   hills job N hill_island COUNT                     HillIsland: likewise job N simplex OCTAVES SCALE LACUNARITY GAIN
//   MultiPass of Simplex job N normalize                             Clamp, on the given heights job N smooth
//   Smooth, on the given heights
//
// Heights are in a Float32Array, as in its own THREE.Terrain(). Jobs that generate a map end with Clamp, which
// normalizes it to 0 to 1.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runInThisContext } from "node:vm";

const require = createRequire(import.meta.url);

let Terrain;
try {
  // The library must be loaded as in a page: into global variables, after three.
  globalThis.THREE = { ...(await import("three")) };
  runInThisContext(readFileSync(require.resolve("three.terrain.js"), "utf8"));
  Terrain = globalThis.THREE.Terrain;
} catch {
  console.error("three.terrain.js is not installed");
  process.exit(3);
}

if (process.argv.length < 3) {
  const version = (name) => {
    const file = new URL(`node_modules/${name}/package.json`, import.meta.url);
    return `${name} ${JSON.parse(readFileSync(file)).version}`;
  };
  console.log(`${version("three.terrain.js")}, ${version("three")}, node ${process.version}`);
  process.exit(0);
}

const sheet = { jobs: [] };
for (const line of readFileSync(process.argv[2], "utf8").split("\n")) {
  const [key, ...words] = line.split(" ");
  if (key === "ground") {
    sheet.side = Number(words.shift());
    if (words.length > 0) {
      const bytes = readFileSync(words.join(" "));
      sheet.heights = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    }
  } else if (key === "seconds") {
    sheet.goal = 1e9 * Number(words[0]);
  } else if (key === "job") {
    const [number, task, ...parameters] = words;
    sheet.jobs.push({ number, task, parameters });
  }
}

const { side } = sheet;
// A cell is one unit wide.
const options = (more) => ({
  xSegments: side - 1,
  ySegments: side - 1,
  xSize: side - 1,
  ySize: side - 1,
  minHeight: 0,
  maxHeight: 1,
  stretch: true,
  ...more,
});

// Generates a map and normalizes it.
function makes(work, more) {
  return () => {
    const heights = new Float32Array(side * side);
    work(heights, options(more));
    Terrain.Clamp(heights, options(more));
    return heights;
  };
}

function changes(work) {
  return (heights) => {
    work(heights, options());
    return heights;
  };
}

// A paraboloid whose height is the square of its radius, without easing. The library does not clip hills at the eastern
// and western border: they wrap around.
function raise(heights, given, [x, y, radius]) {
  const { Influence, Influences } = Terrain;
  const none = () => 0;
  const height = radius * radius;
  const add = THREE.AdditiveBlending;
  // Positions are fractions of the side.
  Influence(heights, given, Influences.Dome, x / side, y / side, radius, height, add, none);
}

function workOf({ task, parameters }) {
  const numbers = parameters.map(Number);
  switch (task) {
    case "faults": {
      // The number of lines is the diagonal times the frequency.
      const frequency = numbers[0] / Math.hypot(side - 1, side - 1);
      return makes(Terrain.Fault, { frequency });
    }
    case "hills": {
      const hills = parameters.map((hill) => hill.split(",").map(Number));
      return makes((heights, given) => hills.forEach((hill) => raise(heights, given, hill)));
    }
    case "hill":
    case "hill_island": {
      // The number of hills is 40 times the square of the frequency.
      const frequency = Math.sqrt(numbers[0] / 40);
      return makes(task === "hill" ? Terrain.Hill : Terrain.HillIsland, { frequency });
    }
    case "simplex": {
      const [octaves, scale, lacunarity, gain] = numbers;
      const passes = Array.from({ length: octaves }, (_, octave) => ({
        method: Terrain.Simplex,
        amplitude: gain ** octave,
        // Half the number of waves per side.
        frequency: (2 * side * lacunarity ** octave) / scale,
      }));
      return makes((heights, given) => Terrain.MultiPass(heights, given, passes));
    }
    case "normalize":
      return changes(Terrain.Clamp);
    case "smooth":
      return changes(Terrain.Smooth);
    default:
      throw new Error(`unknown job: ${task}`);
  }
}

// Nanoseconds per call of `work`, and its last result. The compiler of node needs some calls to warm up, but slow work
// is called only once.
function measure(work) {
  let [spent, calls, made] = [0, 0, null];
  const callFor = (goal) => {
    [spent, calls] = [0, 0];
    while (calls === 0 || spent < goal) {
      const given = sheet.heights?.slice();
      const start = process.hrtime.bigint();
      made = work(given);
      spent += Number(process.hrtime.bigint() - start);
      calls += 1;
    }
  };
  callFor(5 * sheet.goal);
  if (calls > 1 || spent < 25 * sheet.goal) callFor(sheet.goal);
  return [spent / calls, made];
}

// Mean, deviation and grain, as in heights.rs of the benchmark.
function shape(heights) {
  let [sum, squares, steps] = [0, 0, 0];
  for (const z of heights) sum += z;
  const mean = sum / heights.length;
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const z = heights[y * side + x];
      squares += (z - mean) ** 2;
      if (x > 0) steps += (z - heights[y * side + x - 1]) ** 2;
      if (y > 0) steps += (z - heights[(y - 1) * side + x]) ** 2;
    }
  }
  const deviation = Math.sqrt(squares / heights.length);
  const grain = Math.sqrt(steps / (2 * side * (side - 1))) / deviation;
  return `${mean} ${deviation} ${grain}`;
}

for (const job of sheet.jobs) {
  const [nanoseconds, heights] = measure(workOf(job));
  console.log(`result ${job.number} ${nanoseconds} ${shape(heights)}`);
}
