/// <reference lib="esnext.disposable" />

/**
 * Terrain and torchlight: heightmaps by recipes, pictures and files of them, light on grids that rules can read.
 *
 * Call and await {@link init} once; from then on everything is synchronous. What takes long is best called in a
 * worker: maps are plain objects that `postMessage` takes.
 *
 * ```js
 * import { init, generate, render } from "lanternfell";
 *
 * await init();
 * const map = generate("volcano", { seed: 42 });
 * const picture = render(map, { view: "perspective", width: 640, height: 360 });
 * ```
 */

import type {
  Blend,
  BlendName,
  Filter,
  FilterName,
  Generator,
  GeneratorName,
  Selection,
  SelectionName,
} from "./parameters.js";

export type * from "./parameters.js";

/* ------------------------------------------------------------------------------------------- start */

/** The WebAssembly, or where it is. */
type Source = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/** Where the WebAssembly comes from, if not from the file beside this module; a function is called once it is needed. */
export type ModuleSource = Source | Promise<Source> | (() => Source | Promise<Source>);

/**
 * Loads the WebAssembly that stands beside this module: by `fetch` in browsers and workers, from the file in node.
 * Later calls return the promise of the first, unless that failed: then they try again.
 */
export function init(source?: ModuleSource): Promise<void>;

/** As {@link init} with bytes or a module that are there already; for workers to which a module was posted. */
export function initSync(source: BufferSource | WebAssembly.Module): void;

/* ------------------------------------------------------------------------------------------ errors */

/** What every function throws: an `Error` whose message is one line. */
export interface LanternfellError extends Error {
  /** `AbortError` where `onProgress` or `signal` stopped the work, else `LanternfellError`. */
  name: "AbortError" | "LanternfellError";
  /** The recipe's step that is wrong, where it is one. */
  step?: string;
  /** The parameter or option that is wrong, where it is one. */
  parameter?: string;
}

/* ----------------------------------------------------------------------------------------- catalog */

/** The value of a parameter. Lists are nested arrays: a pair `[0.5, 0.5]`, points `[[0, 0.2], [1, 0.8]]`. */
export type Value = number | boolean | string | null | NumberList;
/** Numbers, in as many arrays as the parameter asks for. */
export type NumberList = readonly (number | NumberList)[];

/** All that is known of a parameter. */
export interface Parameter {
  /** Its name in a recipe. */
  name: string;
  /** What it is, in a sentence without its full stop. */
  about: string;
  /** What kind of value it has. */
  kind: "integer" | "number" | "choice" | "flag" | "list";
  /** Whether it may be `null`, which is no value. */
  optional: boolean;
  /** Which values are allowed, in words: `a whole number from 1 to 16`. */
  allowed: string;
  /** Its value where nobody sets it. */
  default: Value;
  /** What its number counts, for instance `cells`. */
  unit?: string;
  /** The lowest number allowed, where it is a number of its own; see {@link above}. */
  min?: number;
  /** The highest number allowed. */
  max?: number;
  /** `true` where `min` itself is not allowed. */
  above?: boolean;
  /** What can be chosen, of a choice. */
  choices?: Choice[];
  /** The part of its range that is worth a slider; there is one for nearly every number. */
  slider?: Slider;
}

/** One of the values that a choice has. */
export interface Choice {
  name: string;
  /** What it is, in a sentence without its full stop. */
  about: string;
}

/** The numbers that a slider goes through. */
export interface Slider {
  min: number;
  max: number;
  /** Whether equal ways multiply the number instead of adding to it. */
  logarithmic: boolean;
}

/** A generator, filter, blend or selection. */
export interface Described<Name extends string = string> {
  name: Name;
  /** What it is, in a sentence without its full stop. */
  about: string;
  parameters: Parameter[];
}

/** A recipe that comes along. */
export interface Preset {
  name: string;
  /** What it makes, in a sentence without its full stop. */
  about: string;
  /** Its text, RON, with comments. */
  recipe: string;
  /** What covers its land in pictures; {@link render} takes it. */
  cover: Cover;
}

/** All presets, by their names. Their names stand for their recipes everywhere. */
export function presets(): Preset[];
/** All generators. Their names, too, are recipes: of one step with defaults, on 256 x 256 cells. */
export function generators(): Described<GeneratorName>[];
/** All filters, erosion among them. */
export function filters(): Described<FilterName>[];
/** The ways in which a map is laid on another. */
export function blends(): Described<BlendName>[];
/** What a mask can select. */
export function selections(): Described<SelectionName>[];

/* ----------------------------------------------------------------------------------------- recipes */

/**
 * A map written down: named steps, each made from the ones it names. The last one is the map.
 *
 * ```js
 * const recipe = {
 *   size: [256, 256],
 *   seed: 7,
 *   steps: {
 *     hills: { generate: { name: "hills", island: true } },
 *     faults: { generate: { name: "faults", lines: 300 } },
 *     land: { blend: ["hills", "faults"], how: { name: "multiply" }, weight: 0.5 },
 *     shaped: { filter: "land", by: [{ name: "normalize" }, { name: "gamma", gamma: 1.5 }] },
 *   },
 * };
 * ```
 *
 * What is left out has its default. Parameters are those of {@link generators} and so on.
 */
export interface Recipe {
  /** Width and height in cells, each from 2 to 16384; 256 x 256 by default. */
  size?: readonly [number, number];
  /** What all random numbers come from, from 0 to 2^64 - 1; 0 by default. */
  seed?: number | bigint;
  /** Metres; by default a cell is 1 m wide, and a height of 1 is 16 % of the longer side. */
  scale?: Scale;
  /** The height of the sea's surface, from 0 to 1; by default what suits the generator. */
  seaLevel?: number;
  /** The steps by their names: from 1 to 256. */
  steps: Record<string, Step>;
  /** The step whose map is the recipe's; the last one by default. */
  result?: string;
  /** The step whose map says where the ground has holes, where it is above 0.5; nowhere by default. */
  holes?: string;
}

/** From cells and heights to metres. */
export interface Scale {
  /** Metres from one cell to the next, above 0 and at most 100,000. */
  spacing: number;
  /** Metres from height 0 to height 1, above 0 and at most 100,000. */
  relief: number;
}

/**
 * What a step does. `salt` says which of the seed's many streams of random numbers it draws from (0 is the seed
 * itself); by default that follows from the step's name.
 */
export type Step =
  /** A generator's map. */
  | { generate: Generator; salt?: number | bigint }
  /** The same height everywhere, from 0 to 1. */
  | { flat: number }
  /** A map from outside, by its name in {@link GenerateOptions.images}, brought to the recipe's size. */
  | { image: string }
  /** A map laid on another: the steps `[ground, layer]`, as strongly as `weight` from 0 to 1, where `mask` says. */
  | { blend: readonly [string, string]; how?: Blend; weight?: number; mask?: string }
  /** A step's map changed by filters, one after the other, where `mask` says. */
  | { filter: string; by: readonly Filter[]; mask?: string; salt?: number | bigint }
  /** A mask: 1 where a step's map is as asked for, 0 where it is not. */
  | { select: string; by: Selection };

/** Whatever stands for a recipe: an object, RON text, or the name of a preset or of a generator. */
export type RecipeLike = Recipe | string;

/**
 * The recipe as an object, checked whole. It holds the size, and of parameters only those that differ from
 * their defaults; seeds and salts beyond 2^53 are `bigint`.
 */
export function parseRecipe(recipe: RecipeLike): Recipe;
/** The recipe as RON text, as files and the command-line tool have it. */
export function printRecipe(recipe: RecipeLike): string;
/** Throws the {@link LanternfellError} that {@link generate} would, without making a map. */
export function validateRecipe(recipe: RecipeLike): void;

/* -------------------------------------------------------------------------------------------- maps */

/**
 * A map of heights: a plain object, also for your own maps.
 *
 * WebAssembly has at most 4 GiB, and less on small devices. What does not fit is an error before work begins; but
 * heights that already do not fit by themselves end the module by a `RuntimeError`, after which a new worker, or the
 * page loaded again, is needed.
 */
export interface Heightmap {
  /** Columns, from west to east. */
  width: number;
  /** Rows, from north to south. */
  height: number;
  /** The heights, row by row: of a generated map from 0 to 1 unless its recipe goes beyond. */
  heights: Float32Array;
  /** Metres from one cell to the next. 1 by default. */
  spacing?: number;
  /** Metres from height 0 to height 1. 16 % of the longer side's cells by default. */
  relief?: number;
  /** Metres at height 0. 0 by default. */
  offset?: number;
  /** The height of the sea's surface, in the heights' own numbers. 0.04 by default. */
  seaLevel?: number;
  /**
   * Whether the metres were said, by whoever gives spacing or relief, a recipe or a file, and are no defaults. Only
   * then do pictures show the land as high as it is and its snow by metres.
   */
  scaleIsKnown?: boolean;
}

/** A map that a recipe made. */
export interface GeneratedMap extends Heightmap {
  spacing: number;
  relief: number;
  offset: number;
  seaLevel: number;
  scaleIsKnown: boolean;
  /** The lowest ground, in metres. */
  lowest: number;
  /** The highest ground, in metres. */
  highest: number;
  /** The seed that it was made from; not of a file's map. */
  seed?: number | bigint;
  /**
   * For each square between four cells, row by row in `width - 1` columns, 1 where the ground is open; only if the
   * recipe says so.
   */
  holes?: Uint8Array;
}

/** How work that takes long is watched and stopped. */
export interface ProgressOptions {
  /**
   * Is told how much is done, from 0 to 1, up to once per row. Whoever returns `false` stops the work: the call
   * throws an `AbortError`. What it throws itself ends the call too.
   */
  onProgress?: (fraction: number) => boolean | void;
  /** Is looked at as often as `onProgress` is called. Only what runs there can abort it meanwhile. */
  signal?: AbortSignal;
}

/** What {@link generate} takes beside the recipe. */
export interface GenerateOptions extends ProgressOptions {
  /** In the place of the recipe's seed. */
  seed?: number | bigint;
  /** In the place of the recipe's size: one number for a square. Parameters in cells stay. */
  size?: number | readonly [number, number];
  /** What the recipe's images are. */
  images?: Record<string, Heightmap>;
}

/** Makes the map of a recipe. The same recipe always gives the same bits, here and natively. */
export function generate(recipe: RecipeLike, options?: GenerateOptions): GeneratedMap;

/** The hash of the heights' bits (FNV-1a, 64 bits) by which tests pin them, as 16 digits. */
export function hashOf(heights: Float32Array): string;

/** Numbers that describe a map; lengths are in metres. */
export interface Measures {
  lowest: number;
  highest: number;
  mean: number;
  median: number;
  /** The standard deviation. */
  deviation: number;
  /** The share of the cells above the sea, from 0 to 1. */
  land: number;
  /** Half of all slopes are not above it, in degrees. */
  medianSlope: number;
  /** Nine tenths of all slopes are not above it, in degrees. */
  steepSlope: number;
}

/** What a map is like. */
export function measure(map: Heightmap, options?: ProgressOptions): Measures;

/* ---------------------------------------------------------------------------------------- pictures */

/** What grows on the land. */
export type Cover = "temperate" | "desert";

/** What all views in natural colors know. Angles are in degrees: 0 north, 90 east. */
export interface NaturalView {
  /** What covers the land. `temperate` by default. */
  cover?: Cover;
  /**
   * Metres above the sea at which snow begins to lie; by default 1000 m, in higher mountains more, and without known
   * metres the upper third.
   */
  snowLine?: number;
  /**
   * How far a height of 1 rises, in the map's longer side, from 0.01 to 2. By default as the map's metres say, or 0.2
   * where those are not known.
   */
  verticalScale?: number;
  /** Where the sun stands. 315 by default from above, 255 in perspective. */
  sunAzimuth?: number;
  /** How high the sun stands, from 1 to 90. 35 by default from above, 24 in perspective. */
  sunElevation?: number;
}

/** The map from above, one pixel per cell, north up. */
export interface TopView extends NaturalView {
  view: "top";
  /** `natural` by default; `article` is green land and blue water, `gray` the heights themselves. */
  palette?: "natural" | "article" | "gray";
}

/** The map as an atlas shows it, one pixel per cell, north up. */
export interface ShadedView {
  view: "shaded";
  /** Whether heights have tints, or all is shade. `true` by default. */
  tints?: boolean;
  /**
   * Metres from one contour to the next, from a thousandth of the drawn relief on. 0, the default, and more than the
   * relief are none.
   */
  contours?: number;
  /** Whether strong contours say their metres. `false` by default. */
  labels?: boolean;
  /** Where the light comes from. 315 by default. */
  sunAzimuth?: number;
  /** How high the light stands, from 1 to 90. 45 by default. */
  sunElevation?: number;
  /** How many times steeper than it is the land is shown, from 0.001 to 1000. 1 by default. */
  exaggeration?: number;
}

/** The land in its water from the side, with sky, sun and shadows. */
export interface PerspectiveView extends NaturalView {
  view: "perspective";
  /** Pixels in a row, from 1 to 16384; 1280 by default. */
  width?: number;
  /** Rows, from 1 to 16384; 720 by default. */
  height?: number;
  /** Where the camera stands, seen from the land. 215 by default. */
  azimuth?: number;
  /** How far the camera looks down, from 1 to 90; 15 for land in a sea and 32 for land from edge to edge by default. */
  elevation?: number;
  /** The height of the field of view, from 5 to 120; 40 by default. */
  fieldOfView?: number;
  /** How many times larger than fitting the land appears, from 0.1 to 20; 1 by default. */
  zoom?: number;
  /** Rays per pixel along each side, from 1 to 8; 2 by default, 1 is four times as fast. */
  samples?: number;
}

/** How a map is drawn. */
export type View = TopView | ShadedView | PerspectiveView;

/** Pixels as a canvas takes them: `new ImageData(picture.data, picture.width)`. */
export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue and 255, from the top left on. */
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** Draws a map by the library's own renderer, without a GPU. */
export function render(map: Heightmap, view: View, options?: ProgressOptions): Picture;
/** The same as the bytes of a PNG. */
export function renderPng(map: Heightmap, view: View, options?: ProgressOptions): Uint8Array<ArrayBuffer>;

/* ------------------------------------------------------------------------------------------- files */

/** What all files know. */
export interface FileOptions extends ProgressOptions {
  /**
   * Whether heights beyond 0 to 1 are stretched to that range for whole numbers, which hold no more. `false` by
   * default: then they are an error.
   */
  stretch?: boolean;
}

/** How a PNG keeps heights. */
export interface PngOptions extends FileOptions {
  /** Bits of each height; 16 by default. */
  depth?: 8 | 16;
}

/** How RAW keeps heights. */
export interface RawOptions extends FileOptions {
  /** The kind of number; `u16` by default. */
  sample?: "u8" | "u16" | "f32";
  /** Which byte of a number comes first; `little` by default. */
  order?: "little" | "big";
}

/** How a mesh is made. */
export interface GlbOptions extends ProgressOptions {
  /** Every so many-th cell becomes a vertex; 1 by default. */
  step?: number;
  /** The colors: a view from above; none by default. */
  texture?: TopView | ShadedView;
}

/** The heights as a gray PNG, which also holds metres and place. */
export function toPng(map: Heightmap, options?: PngOptions): Uint8Array<ArrayBuffer>;
/** The heights as plain numbers, row by row. */
export function toRaw(map: Heightmap, options?: RawOptions): Uint8Array<ArrayBuffer>;
/** The surface in metres as a binary glTF 2.0, y up, +x east, +z south, its middle at the origin. */
export function toGlb(map: Heightmap, options?: GlbOptions): Uint8Array<ArrayBuffer>;
/** The map in a gray PNG, with its metres where it tells them. */
export function fromPng(bytes: Uint8Array): GeneratedMap;
/** The map in plain numbers of that size. */
export function fromRaw(
  bytes: Uint8Array,
  size: readonly [number, number],
  options?: Pick<RawOptions, "sample" | "order">,
): GeneratedMap;

/* ------------------------------------------------------------------------------------------- light */

/** Linear red, green and blue; 1 is full light. */
export type Rgb = readonly [number, number, number];

/** What a cell does with light: a number is the same for all colors. All are from 0 to 1. */
export interface Cell {
  /** How much light passes; 0 ends a line of sight. */
  transparency: number | Rgb;
  /** How much of what does not pass is thrown back. */
  albedo: number | Rgb;
}

/** The usual cells. */
export const Cell: {
  /** Passes all light. */
  readonly OPEN: Cell;
  /** A wall that throws all light back. */
  readonly WALL: Cell;
  /** A wall that swallows all light. */
  readonly BLACK_WALL: Cell;
  /** A wall that throws back this share of each color. */
  wall(albedo: Rgb): Cell;
  /** Stained glass: passes this share of each color and swallows the rest. */
  glass(color: Rgb): Cell;
  /** Smoke that swallows `density`, from 0 to 1, of the light in each step. */
  smoke(density: number): Cell;
};

/** A lamp, or with negative light a darkness. */
export interface LightSource {
  /** Where, in cells; whole numbers are the middles of cells, and anything between is fine. */
  x: number;
  y: number;
  /** Its light, each from -64 to 64. */
  light: Rgb;
}

/** How light behaves on a grid. */
export interface LightSettings {
  /** Between which cells light flows; `isotropic`, whose lights are round, by default. */
  neighborhood?: "four" | "eight" | "isotropic";
  /** How far a light of 1 reaches over open ground, in cells, from 1 to 1000; 12 by default. */
  radius?: number;
  /** Instead of a radius: the share of the light that is lost in each step, from 0 to 1. */
  decay?: number;
  /** The share of the light that goes in straight lines and casts crisp shadows, from 0 to 1; 0 by default. */
  direct?: number;
}

/** How a grid came to rest. */
export interface Settled {
  /** How many times it was gone over; 0 when nothing had changed. */
  sweeps: number;
  /** Whether it came to rest; if not, the next call goes on. */
  atRest: boolean;
  /** No light is further from the settled light than this. */
  error: number;
  /** Whether the tolerance was reached. */
  reached: boolean;
}

/** Where the light at a cell comes from. */
export interface Glow {
  /** The direction in which the light grows, of length 1. */
  direction: [number, number];
  /** The brightest cell that one comes to by walking on towards more light. */
  brightest: [number, number];
  /** Which of the sources stands there, by its place in the list. */
  source?: number;
}

/** How lit something is: 0 hidden, 1 dim, 2 lit, 3 blazing. */
export type Band = 0 | 1 | 2 | 3;

/** Where one band ends and the next begins. */
export interface Bands {
  /** The luminance from which something is dim, lit and blazing; 1/32, 1/6 and 0.6 by default. */
  from?: Rgb;
  /** By which part of a threshold the luminance must pass it before the band changes; 0.1 by default. */
  hysteresis?: number;
}

/**
 * A grid of cells, the sources of light on it, and their light. Cells are counted from the north-west corner, x
 * eastwards and y southwards. What is changed shows in the light from the next `step` or `settle` on.
 *
 * ```js
 * const grid = new LightGrid(64, 48, { radius: 16 });
 * grid.paint([[20, 10], [21, 10]], Cell.WALL);
 * grid.setSources([{ x: 12, y: 9.5, light: [1, 0.8, 0.5] }]);
 * grid.settle();
 * const image = new ImageData(grid.toRgba(), grid.width);
 * ```
 */
export class LightGrid {
  /** Open cells in darkness: at most 16384 a side and 2^24 in all. With `gray` light has no color: a third of the work. */
  constructor(width: number, height: number, settings?: LightSettings & { gray?: boolean });
  readonly width: number;
  readonly height: number;
  readonly gray: boolean;
  /** The share of the light that is lost in each step. */
  readonly decay: number;
  /** Changes how light behaves; what is left out goes back to its default. */
  setSettings(settings: LightSettings): void;

  /** What a cell does with light. */
  cell(x: number, y: number): Cell;
  /** Changes cells to one kind: pairs of x and y, also one after the other in an `Int32Array`. */
  paint(places: readonly (readonly [number, number])[] | Int32Array, cell: Cell): void;
  /** Changes every cell: its place in `palette`, row by row. */
  setCells(kinds: Uint8Array, palette: readonly Cell[]): void;
  /** 1 for each cell that ends a line of sight, row by row. */
  walls(): Uint8Array<ArrayBuffer>;

  /**
   * Changes all sources of light; those that stay the same cost nothing. An array of five numbers for each (x, y, red,
   * green, blue) does too.
   */
  setSources(sources: readonly LightSource[] | Float32Array): void;
  /** Puts cells into a region, from 0 to 255; all are in region 0 at first. */
  setRegion(places: readonly (readonly [number, number])[] | Int32Array, region: number): void;
  /** The least light that there is in a region. */
  setAmbient(region: number, light: Rgb): void;

  /** Goes on by literal steps: light flows by at most one cell a step. 1 by default. */
  step(steps?: number): void;
  /** Goes to where steps would end, but for the tolerance, 0.001 by default; with at most so many sweeps. */
  settle(tolerance?: number, sweeps?: number): Settled;
  /** Darkness everywhere, until the next step. */
  darken(): void;

  /** The light at a cell; none outside. */
  light(x: number, y: number): [number, number, number];
  /** How bright a cell looks; 0 outside. */
  luminance(x: number, y: number): number;
  /** The light of all cells, row by row: three numbers each. Into `into` if it is given. */
  lights(into?: Float32Array): Float32Array;
  /** The luminance of all cells, row by row. */
  luminances(into?: Float32Array): Float32Array;
  /** The light as a canvas takes it: sRGB, opaque; `exposure`, 1 by default, multiplies it first. */
  toRgba(options?: { exposure?: number; into?: Uint8ClampedArray }): Uint8ClampedArray<ArrayBuffer>;
  /** The bands of all cells, row by row, each 0 to 3; with those `before` a twilight stays what it was. */
  bands(bands?: Bands, before?: Uint8Array): Uint8Array<ArrayBuffer>;
  /** The band of one cell. */
  band(x: number, y: number, bands?: Bands, before?: Band): Band;
  /** In which direction it gets brighter, and by how much per cell. */
  gradient(x: number, y: number): [number, number];
  /** The darkest open neighbor, if one is darker. */
  darkestNeighbor(x: number, y: number): [number, number] | undefined;
  /** Where the light at a cell comes from; nothing where there is none. */
  glow(x: number, y: number): Glow | undefined;
  /** 1 for each cell that is seen from a cell, row by row. */
  fieldOfView(x: number, y: number, radius: number): Uint8Array<ArrayBuffer>;
  /** Whether the line between two cells is free. */
  lineOfSight(from: readonly [number, number], to: readonly [number, number]): boolean;
  /** The hash of all light's bits by which tests pin it, as 16 digits. */
  hash(): string;

  /** Gives its memory back at once; else that happens when it is collected. Once more does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}

/* ------------------------------------------------------------------------------------------- sight */

/**
 * 1 for each cell that is seen from (x, y), row by row: symmetric shadowcasting, so who sees is seen. `walls` has
 * one number for each cell, and what is not 0 ends a line of sight, as does the border.
 */
export function fieldOfView(
  walls: Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
  radius: number,
): Uint8Array<ArrayBuffer>;

/** Whether the line between two cells is free; their own walls do not count. */
export function lineOfSight(
  walls: Uint8Array,
  width: number,
  height: number,
  from: readonly [number, number],
  to: readonly [number, number],
): boolean;

/** The cells of a line, both ends included: x and y in turns. */
export function line(from: readonly [number, number], to: readonly [number, number]): Int32Array<ArrayBuffer>;
