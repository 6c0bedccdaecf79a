// Light grids and fields of view.

import assert from "node:assert/strict";
import { test } from "node:test";

import lanternfell from "./package.mjs";

const { LightGrid, Cell, fieldOfView, lineOfSight, line } = lanternfell;

const lamp = { x: 4, y: 4, light: [1, 0.5, 0.25] };

function room(settings) {
  const grid = new LightGrid(20, 10, { radius: 6, ...settings });
  grid.paint(Array.from({ length: 10 }, (_, y) => [10, y]), Cell.WALL);
  grid.setSources([lamp]);
  return grid;
}

test("walls stop light", () => {
  const grid = room();
  const settled = grid.settle();
  assert.ok(settled.atRest && settled.reached && settled.error < 0.01 && settled.sweeps > 0);
  assert.equal(grid.settle().sweeps, 0);
  assert.deepEqual(grid.light(4, 4), lamp.light);
  assert.ok(grid.luminance(7, 4) > 0.02);
  assert.equal(grid.luminance(14, 4), 0);
  assert.deepEqual(grid.light(-1, 99), [0, 0, 0]);
  grid.paint(Int32Array.of(10, 4, 10, 5), Cell.OPEN);
  grid.settle();
  assert.ok(grid.luminance(12, 4) > 0);
  grid.free();
});

test("light flows one cell per step", () => {
  const grid = room();
  // The first step lights the cell of the lamp itself.
  grid.step(3);
  assert.ok(grid.luminance(6, 4) > 0);
  assert.equal(grid.luminance(7, 4), 0);
  grid.darken();
  assert.equal(grid.luminance(4, 4), 0);
  const same = room();
  grid.step();
  same.step();
  assert.equal(grid.hash(), same.hash());
});

test("bulk queries match single queries", () => {
  const grid = room({ direct: 0.5 });
  grid.settle();
  const [lights, luminances, bands] = [grid.lights(), grid.luminances(), grid.bands()];
  assert.deepEqual([lights.length, luminances.length, bands.length], [600, 200, 200]);
  const cell = 4 * 20 + 6;
  assert.deepEqual([...lights.subarray(3 * cell, 3 * cell + 3)], grid.light(6, 4));
  assert.equal(luminances[cell], grid.luminance(6, 4));
  assert.equal(bands[cell], grid.band(6, 4));
  assert.equal(bands[4 * 20 + 4], 2);
  assert.equal(grid.band(6, 4, { from: [2, 3, 4] }), 0);
  assert.equal(grid.lights(lights), lights);
  assert.throws(() => grid.lights(new Float32Array(3)), /600/);
  const rgba = grid.toRgba();
  assert.equal(rgba.length, 800);
  assert.deepEqual([...rgba.subarray(4 * 84, 4 * 84 + 4)], [255, 188, 137, 255]);
  assert.ok(grid.toRgba({ exposure: 0 }).every((byte, n) => byte === (n % 4 === 3 ? 255 : 0)));
  assert.equal(grid.toRgba({ into: rgba }), rgba);
});

test("bands have hysteresis", () => {
  const grid = new LightGrid(3, 3);
  grid.setAmbient(0, [0.17, 0.17, 0.17]);
  grid.step();
  assert.equal(grid.band(1, 1), 2);
  assert.equal(grid.band(1, 1, {}, 1), 1);
  assert.deepEqual([...grid.bands({}, new Uint8Array(9).fill(1))], Array(9).fill(1));
  assert.throws(() => grid.bands({}, new Uint8Array(3)), /must have 9/);
});

test("cells, palettes, regions", () => {
  const grid = new LightGrid(4, 2);
  const glass = Cell.glass([0.25, 0.5, 1]);
  grid.setCells(Uint8Array.of(0, 1, 2, 3, 0, 0, 0, 0), [Cell.OPEN, Cell.WALL, glass, Cell.smoke(0.5)]);
  assert.deepEqual(grid.cell(2, 0), { transparency: [0.25, 0.5, 1], albedo: [0, 0, 0] });
  assert.deepEqual(grid.cell(3, 0).transparency, [0.5, 0.5, 0.5]);
  assert.deepEqual([...grid.walls()], [0, 1, 0, 0, 0, 0, 0, 0]);
  grid.setRegion([[0, 1]], 3);
  grid.setAmbient(3, [0.5, 0.5, 0.5]);
  grid.settle();
  assert.ok(grid.luminance(0, 1) >= 0.5 && grid.luminance(3, 1) < 0.5);
  assert.throws(() => grid.setCells(Uint8Array.of(9, 0, 0, 0, 0, 0, 0, 0), [Cell.OPEN]), /palette/);
  assert.throws(() => grid.paint([[4, 0]], Cell.WALL), /outside/);
  assert.throws(() => grid.paint([[0, 0]], { transparency: 2, albedo: 0 }), /transparency is 2/);
  assert.throws(() => grid.setSources([{ x: 0, y: 0, light: [99, 0, 0] }]), /99/);
  assert.throws(() => grid.setSources(new Float32Array(3)), /five numbers/);
});

test("rejects colors without three components", () => {
  const grid = new LightGrid(2, 1);
  const [glass, wall] = [{ transparency: [1, 1], albedo: 0 }, Cell.WALL];
  assert.throws(() => grid.setCells(Uint8Array.of(0, 1), [glass, wall]), { parameter: "transparency" });
  assert.throws(() => grid.paint([[0, 0]], { transparency: 1, albedo: [1, 1, 1, 1] }), { parameter: "albedo" });
  assert.throws(() => grid.paint([[0, 0]], { transparency: 1 }), { parameter: "albedo" });
  assert.deepEqual([...grid.walls()], [0, 0]);
  const lights = [{ x: 0, y: 0, light: [1, 1] }, { x: 1, y: 0, light: [1, 1, 1, 1] }];
  assert.throws(() => grid.setSources(lights), { parameter: "light" });
  assert.throws(() => grid.setAmbient(0, [1, 1]), { parameter: "light" });
  grid.setAmbient(0, Float32Array.of(0.5, 0.5, 0.5));
});

test("a grid may be freed twice", () => {
  const grid = new LightGrid(2, 2);
  grid.free();
  grid.free();
  grid[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
});

test("settings", () => {
  assert.throws(() => new LightGrid(0, 4), /cells per side/);
  assert.throws(() => new LightGrid(4.5, 4), /whole number/);
  assert.throws(() => new LightGrid(4, 4, { radius: 3, decay: 0.1 }), /exclude/);
  assert.throws(() => new LightGrid(4, 4, { raduis: 3 }), /raduis/);
  const gray = new LightGrid(4, 4, { gray: true, decay: 0.25, neighborhood: "four" });
  assert.deepEqual([gray.gray, gray.decay, gray.width, gray.height], [true, 0.25, 4, 4]);
  gray.setSettings({ decay: 0.5 });
  assert.equal(gray.decay, 0.5);
});

test("glow and gradient point to the light", () => {
  const grid = room();
  grid.settle();
  const glow = grid.glow(7, 4);
  assert.deepEqual([glow.brightest, glow.source, glow.direction], [[4, 4], 0, [-1, 0]]);
  assert.equal(grid.glow(15, 4), undefined);
  assert.ok(grid.gradient(7, 4)[0] < 0);
  assert.deepEqual(grid.darkestNeighbor(7, 4).length, 2);
});

test("fields of view of a grid and of its walls match", () => {
  const grid = room();
  const walls = grid.walls();
  const seen = fieldOfView(walls, 20, 10, 4, 4, 30);
  assert.deepEqual(grid.fieldOfView(4, 4, 30), seen);
  assert.deepEqual([seen[4 * 20 + 10], seen[4 * 20 + 11]], [1, 0]);
  assert.ok(lineOfSight(walls, 20, 10, [4, 4], [9, 9]));
  assert.ok(!lineOfSight(walls, 20, 10, [4, 4], [12, 4]));
  assert.ok(grid.lineOfSight([4, 4], [9, 9]));
  assert.throws(() => fieldOfView(walls, 20, 11, 4, 4, 3), /walls has 200 entries/);
  assert.deepEqual([...line([0, 0], [2, 1])].length, 6);
  assert.throws(() => line([0, 0], [1e9, 0]), /at most/);
});
