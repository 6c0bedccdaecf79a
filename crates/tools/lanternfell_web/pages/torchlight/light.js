// The light of the cave, computed by `LightGrid`. The torch flickers, lamps do not.

import { Cell, LightGrid } from "../lanternfell/lanternfell.js";
import { COLORS } from "./cave.js";

/** Below 1 near the flame. Otherwise red and green would both be clipped to yellow. */
const TORCH = [1.05, 0.68, 0.31];
/** The ambient light, in which walls are barely visible. */
const DARK = [0.006, 0.007, 0.011];
/** The speed of light in cells per second. */
const SPEED = 170;
/** The maximum number of steps per frame, for the time after a tab was inactive. */
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

  /** Updates a cell that became wall or floor. */
  update(x, y) {
    this.grid.paint([[x, y]], this.cave.isWall(x, y) ? Cell.WALL : Cell.OPEN);
  }

  /** Settles the light immediately. */
  settle(torch) {
    this.#place(torch, 1);
    this.grid.settle();
  }

  /** Lets light flow for a time in seconds. */
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

  /** The light as an image with one pixel per cell. */
  toPixels() {
    this.grid.toRgba({ exposure: 1.1, into: this.pixels });
    return new ImageData(this.pixels, this.cave.width);
  }
}
