// The cave's light, by the library's grid: the torch flickers, lamps do not.

import { Cell, LightGrid } from "../lanternfell/lanternfell.js";
import { COLORS } from "./cave.js";

/** Below 1 in its flame, or else red and green would both be cut off there, to yellow. */
const TORCH = [1.05, 0.68, 0.31];
/** What the dark is: enough to guess at walls. */
const DARK = [0.006, 0.007, 0.011];
/** Light goes on by so many cells in a second. */
const SPEED = 170;
/** So many at most in a frame, after a tab has slept. */
const MOST_STEPS = 12;

export class Light {
  #owed = 0;

  constructor(cave, reach) {
    this.cave = cave;
    this.grid = new LightGrid(cave.width, cave.height, { radius: reach });
    this.grid.setCells(cave.walls, [Cell.OPEN, Cell.WALL]);
    this.grid.setAmbient(0, DARK);
    this.pixels = new Uint8ClampedArray(4 * cave.width * cave.height);
  }

  free() {
    this.grid.free();
  }

  setReach(reach) {
    this.grid.setSettings({ radius: reach });
  }

  /** A cell has become wall or floor. */
  update(x, y) {
    this.grid.paint([[x, y]], this.cave.isWall(x, y) ? Cell.WALL : Cell.OPEN);
  }

  /** All light at once, without flowing. */
  settle(torch) {
    this.#place(torch, 1);
    this.grid.settle();
  }

  /** Lets light flow for so many seconds. */
  flow(torch, strength, seconds) {
    this.#place(torch, strength);
    this.#owed = Math.min(MOST_STEPS, this.#owed + SPEED * seconds);
    const steps = Math.floor(this.#owed);
    this.#owed -= steps;
    if (steps > 0) this.grid.step(steps);
  }

  #place(torch, strength) {
    const sources = this.cave.lamps.map(({ x, y, color }) => ({ x, y, light: COLORS[color] }));
    sources.push({ x: torch.x, y: torch.y, light: TORCH.map((part) => part * strength) });
    this.grid.setSources(sources);
  }

  /** The light as pixels, one for each cell. */
  toPixels() {
    this.grid.toRgba({ exposure: 1.1, into: this.pixels });
    return new ImageData(this.pixels, this.cave.width);
  }
}
