/// <reference lib="esnext.disposable" />

/**
 * Procedural terrain and torchlight: heightmaps from recipes, images and files of them, and light on grids that game
 * rules can read.
 *
 * Call and await {@link init} once. After that all functions are synchronous. Run long operations in a worker: maps are
 * plain objects that can be passed to `postMessage`.
 *
 * ```js
 * import { init, generate, render } from "lanternfell";
 *
 * await init();
 * const map = generate("volcano", { seed: 42 });
 * const image = render(map, { view: "perspective", width: 640, height: 360 });
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

/** The WebAssembly module, or its location. */
type Source = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/**
 * The source of the WebAssembly module, instead of the file next to this module. A function is called when the source is
 * needed.
 */
export type ModuleSource = Source | Promise<Source> | (() => Source | Promise<Source>);

/**
 * Loads the WebAssembly file next to this module, with `fetch` in browsers and workers, and from the file system in
 * node. Later calls return the promise of the first call. If that failed, they try again.
 */
export function init(source?: ModuleSource): Promise<void>;

/**
 * Like {@link init}, with bytes or a module that are already loaded. For workers that receive a module by
 * `postMessage`.
 */
export function initSync(source: BufferSource | WebAssembly.Module): void;

/* ------------------------------------------------------------------------------------------ errors */

/** The error that all functions throw. Its message is one line. */
export interface LanternfellError extends Error {
  /** `AbortError` if `onProgress` or `signal` canceled the work, otherwise `LanternfellError`. */
  name: "AbortError" | "LanternfellError";
  /** The step of the recipe that is invalid, if any. */
  step?: string;
  /** The parameter or option that is invalid, if any. */
  parameter?: string;
}

/* ----------------------------------------------------------------------------------------- catalog */

/** The value of a parameter. Lists are nested arrays: a pair is `[0.5, 0.5]`, points are `[[0, 0.2], [1, 0.8]]`. */
export type Value = number | boolean | string | null | NumberList;
/** Numbers, nested as deep as the parameter requires. */
export type NumberList = readonly (number | NumberList)[];

/** The description of a parameter. */
export interface Parameter {
  /** The name in a recipe. */
  name: string;
  /** A description: one sentence without its full stop. */
  about: string;
  /** The kind of its value. */
  kind: "integer" | "number" | "choice" | "flag" | "list";
  /** Whether it can be `null`, for no value. */
  optional: boolean;
  /** The allowed values in words: `a whole number from 1 to 16`. */
  allowed: string;
  /** The default value. */
  default: Value;
  /** The unit of its number, for instance `cells`. */
  unit?: string;
  /** The lowest allowed number, for numeric parameters. See {@link above}. */
  min?: number;
  /** The highest allowed number. */
  max?: number;
  /** `true` if `min` itself is not allowed. */
  above?: boolean;
  /** The possible values of a choice. */
  choices?: Choice[];
  /** The useful part of the range for a slider. Nearly every numeric parameter has one. */
  slider?: Slider;
}

/** One of the values of a choice. */
export interface Choice {
  name: string;
  /** A description: one sentence without its full stop. */
  about: string;
}

/** The range of a slider. */
export interface Slider {
  min: number;
  max: number;
  /** Whether the slider is logarithmic: equal distances multiply the number instead of adding to it. */
  logarithmic: boolean;
}

/** The description of a generator, filter, blend or selection. */
export interface Described<Name extends string = string> {
  name: Name;
  /** A description: one sentence without its full stop. */
  about: string;
  parameters: Parameter[];
}

/** A recipe that is included in the package. */
export interface Preset {
  name: string;
  /** A description: one sentence without its full stop. */
  about: string;
  /** The recipe as RON text with comments. */
  recipe: string;
  /** The surface cover for {@link render}. */
  cover: Cover;
}

/** All presets. All functions that take a recipe also accept the name of a preset. */
export function presets(): Preset[];
/**
 * All generators. All functions that take a recipe also accept the name of a generator: a single step with default
 * parameters, on 256 x 256 cells.
 */
export function generators(): Described<GeneratorName>[];
/** All filters, including erosion. */
export function filters(): Described<FilterName>[];
/** All blends: ways to combine two maps. */
export function blends(): Described<BlendName>[];
/** All selections: what a mask can select. */
export function selections(): Described<SelectionName>[];

/* ----------------------------------------------------------------------------------------- recipes */

/**
 * A recipe for a map: named steps, each of which can use other steps by name. The last step is the map.
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
 * Missing properties have their defaults. {@link generators}, {@link filters} and so on list the parameters.
 */
export interface Recipe {
  /** Width and height in cells, each from 2 to 16384. Default: 256 x 256. */
  size?: readonly [number, number];
  /** The seed of all random numbers, from 0 to 2^64 - 1. Default: 0. */
  seed?: number | bigint;
  /** The scale in meters. By default a cell is 1 m wide, and a height of 1 is 16% of the longer side. */
  scale?: Scale;
  /** The height of the sea, from 0 to 1. The default depends on the generator. */
  seaLevel?: number;
  /** The steps by name: from 1 to 256. */
  steps: Record<string, Step>;
  /** The step that is the result. Default: the last one. */
  result?: string;
  /** The step whose map has values above 0.5 where the terrain has holes. Default: no holes. */
  holes?: string;
}

/** Converts cells and heights to meters. */
export interface Scale {
  /** Meters from one cell to the next, above 0 and at most 100,000. */
  spacing: number;
  /** Meters from height 0 to height 1, above 0 and at most 100,000. */
  relief: number;
}

/**
 * The operation of a step. `salt` selects one of the random streams of the seed (0 is the seed itself). By default it
 * is derived from the name of the step.
 */
export type Step =
  /** The map of a generator. */
  | { generate: Generator; salt?: number | bigint }
  /** A constant height, from 0 to 1. */
  | { flat: number }
  /** An external map, by its name in {@link GenerateOptions.images}. It is resampled to the size of the recipe. */
  | { image: string }
  /** Blends the steps `[ground, layer]`, with a `weight` from 0 to 1 and optionally a `mask`. */
  | { blend: readonly [string, string]; how?: Blend; weight?: number; mask?: string }
  /** Applies filters to a step one after the other, optionally with a `mask`. */
  | { filter: string; by: readonly Filter[]; mask?: string; salt?: number | bigint }
  /** A mask: 1 where the map of a step meets the selection, and 0 where it does not. */
  | { select: string; by: Selection };

/** A recipe as an object, as RON text, or by the name of a preset or generator. */
export type RecipeLike = Recipe | string;

/**
 * Parses and validates a recipe, and returns it as an object. The object has the size, and only those parameters that
 * differ from their defaults. Seeds and salts beyond 2^53 are `bigint`.
 */
export function parseRecipe(recipe: RecipeLike): Recipe;
/** Converts a recipe to RON text, the format of recipe files and the command-line tool. */
export function printRecipe(recipe: RecipeLike): string;
/** Validates a recipe without generating its map. Throws the same {@link LanternfellError} as {@link generate}. */
export function validateRecipe(recipe: RecipeLike): void;

/* -------------------------------------------------------------------------------------------- maps */

/**
 * A heightmap: a plain object. You can also create your own.
 *
 * WebAssembly memory is limited to 4 GiB, and to less on small devices. Functions throw an error before they start if
 * their data does not fit. But if the heights alone do not fit, the module ends with a `RuntimeError` and can no longer
 * be used. Then start a new worker or reload the page.
 */
export interface Heightmap {
  /** The number of columns, from west to east. */
  width: number;
  /** The number of rows, from north to south. */
  height: number;
  /** The heights, row by row. Generated maps have heights from 0 to 1, unless the recipe exceeds that range. */
  heights: Float32Array;
  /** Meters from one cell to the next. Default: 1. */
  spacing?: number;
  /** Meters from height 0 to height 1. Default: 16% of the longer side in cells. */
  relief?: number;
  /** Meters at height 0. Default: 0. */
  offset?: number;
  /** The height of the sea, in the units of `heights`. Default: 0.04. */
  seaLevel?: number;
  /**
   * Whether `spacing` and `relief` come from a recipe, a file or you, and are not just defaults. Only then do images
   * show the true steepness of the terrain, and a snow line in meters. Default: whether `spacing` or `relief` is set.
   */
  scaleIsKnown?: boolean;
}

/** A map that was generated by a recipe or read from a file. */
export interface GeneratedMap extends Heightmap {
  spacing: number;
  relief: number;
  offset: number;
  seaLevel: number;
  scaleIsKnown: boolean;
  /** The lowest height in meters. */
  lowest: number;
  /** The highest height in meters. */
  highest: number;
  /** The seed of a generated map. Undefined for files. */
  seed?: number | bigint;
  /**
   * For each square between four cells, row by row with `width - 1` columns: 1 if the terrain has a hole there. Only if
   * the recipe has holes.
   */
  holes?: Uint8Array;
}

/** How to watch and cancel long operations. */
export interface ProgressOptions {
  /**
   * Receives the progress from 0 to 1, at most once per row. Return `false` to cancel the work: then the call throws an
   * `AbortError`. If the function throws, the call rethrows the exception.
   */
  onProgress?: (fraction: number) => boolean | void;
  /**
   * Checked as often as `onProgress` is called. Since calls are synchronous, only `onProgress` can abort it during the
   * work.
   */
  signal?: AbortSignal;
}

/** Options of {@link generate}. */
export interface GenerateOptions extends ProgressOptions {
  /** Overrides the seed of the recipe. */
  seed?: number | bigint;
  /** Overrides the size of the recipe. One number is a square. Parameters in cells are not scaled. */
  size?: number | readonly [number, number];
  /** The images of the recipe, by name. */
  images?: Record<string, Heightmap>;
}

/** Generates the map of a recipe. The same recipe always gives the same bits, in WebAssembly and natively. */
export function generate(recipe: RecipeLike, options?: GenerateOptions): GeneratedMap;

/** A hash of the bits of the heights (64-bit FNV-1a), as 16 hexadecimal digits. Tests use it to pin maps. */
export function hashOf(heights: Float32Array): string;

/** Statistics of a map. Lengths are in meters. */
export interface Measures {
  lowest: number;
  highest: number;
  mean: number;
  median: number;
  /** The standard deviation. */
  deviation: number;
  /** The share of cells above the sea, from 0 to 1. */
  land: number;
  /** The median of all slopes, in degrees. */
  medianSlope: number;
  /** The 90th percentile of all slopes, in degrees. */
  steepSlope: number;
}

/** Computes statistics of a map. */
export function measure(map: Heightmap, options?: ProgressOptions): Measures;

/* ------------------------------------------------------------------------------------------ images */

/** The surface cover. */
export type Cover = "temperate" | "desert";

/** The options of views in natural colors. Angles are in degrees; for azimuths, 0 is north and 90 east. */
export interface NaturalView {
  /** The surface cover. Default: `temperate`. */
  cover?: Cover;
  /**
   * The altitude of the snow line in meters above the sea. Default: 1000, or more in high mountains. Without a known
   * scale, the upper third of the terrain has snow.
   */
  snowLine?: number;
  /**
   * The world height of a height of 1, in lengths of the map's longer side, from 0.01 to 2. Default: the true scale of
   * the map, or 0.2 if that is not known.
   */
  verticalScale?: number;
  /** The azimuth of the sun. Default: 315 from above, 255 in perspective. */
  sunAzimuth?: number;
  /** The elevation of the sun, from 1 to 90. Default: 35 from above, 24 in perspective. */
  sunElevation?: number;
}

/** The map from above, one pixel per cell, north up. */
export interface TopView extends NaturalView {
  view: "top";
  /** The colors. Default: `natural`. `article` is green land and blue water, `gray` shows the heights. */
  palette?: "natural" | "article" | "gray";
}

/** A shaded relief map with hypsometric tints and contours, one pixel per cell, north up. */
export interface ShadedView {
  view: "shaded";
  /** Whether heights have tints. If `false`, only the hillshade is drawn. Default: `true`. */
  tints?: boolean;
  /**
   * The contour interval in meters: 0, or at least a thousandth of the relief. Default: 0 (no contours). There are no
   * contours either if it exceeds the relief.
   */
  contours?: number;
  /** Whether bold contours are labeled with their height in meters. Default: `false`. */
  labels?: boolean;
  /** The azimuth of the light. Default: 315. */
  sunAzimuth?: number;
  /** The elevation of the light, from 1 to 90. Default: 45. */
  sunElevation?: number;
  /** The vertical exaggeration, from 0.001 to 1000. Default: 1. */
  exaggeration?: number;
}

/** A perspective view of the terrain in its sea, with sky, sun and shadows. */
export interface PerspectiveView extends NaturalView {
  view: "perspective";
  /** Width in pixels, from 1 to 16384. Default: 1280. */
  width?: number;
  /** Height in pixels, from 1 to 16384. Default: 720. */
  height?: number;
  /** The azimuth of the camera as seen from the terrain. Default: 215. */
  azimuth?: number;
  /**
   * How far the camera looks down, from 1 to 90. Default: 15 for terrain in a sea, and 32 for a map with land along
   * most of its border.
   */
  elevation?: number;
  /** The vertical field of view, from 5 to 120. Default: 40. */
  fieldOfView?: number;
  /** The magnification, from 0.1 to 20. At 1, the default, the terrain fits the image. */
  zoom?: number;
  /** Rays per pixel along each axis, from 1 to 8. Default: 2. With 1 rendering is four times as fast. */
  samples?: number;
}

/** A view of a map. */
export type View = TopView | ShadedView | PerspectiveView;

/** An image, as used by a canvas: `new ImageData(image.data, image.width)`. */
export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue and 255, from the top left. */
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** Draws a map on the CPU. */
export function render(map: Heightmap, view: View, options?: ProgressOptions): Picture;
/** Draws a map and returns the bytes of a PNG file. */
export function renderPng(map: Heightmap, view: View, options?: ProgressOptions): Uint8Array<ArrayBuffer>;

/* ------------------------------------------------------------------------------------------- files */

/** Options of all file formats. */
export interface FileOptions extends ProgressOptions {
  /**
   * Whether heights outside 0 to 1 are normalized for integer formats, which cannot store them. Default: `false`, which
   * makes them an error.
   */
  stretch?: boolean;
}

/** Options of PNG files. */
export interface PngOptions extends FileOptions {
  /** Bits per height. Default: 16. */
  depth?: 8 | 16;
}

/** Options of RAW files. */
export interface RawOptions extends FileOptions {
  /** The data type of a height. `i16` holds whole meters. Default: `u16`. */
  sample?: "u8" | "u16" | "i16" | "f32";
  /** The byte order. Default: `little`. */
  order?: "little" | "big";
}

/** Options of meshes. */
export interface GlbOptions extends ProgressOptions {
  /** Uses every `step`-th cell as a vertex. Default: 1. */
  step?: number;
  /** The texture: a view from above. Default: none. */
  texture?: TopView | ShadedView;
}

/** Writes the heights as a grayscale PNG, with scale and position as metadata. */
export function toPng(map: Heightmap, options?: PngOptions): Uint8Array<ArrayBuffer>;
/** Writes the heights as raw numbers, row by row. */
export function toRaw(map: Heightmap, options?: RawOptions): Uint8Array<ArrayBuffer>;
/** Writes the surface as binary glTF 2.0 in meters: y up, +x east, +z south, centered at the origin. */
export function toGlb(map: Heightmap, options?: GlbOptions): Uint8Array<ArrayBuffer>;
/** Reads a grayscale PNG, with its scale if it has that metadata. */
export function fromPng(bytes: Uint8Array): GeneratedMap;
/** Reads raw numbers as a map of this size. */
export function fromRaw(
  bytes: Uint8Array,
  size: readonly [number, number],
  options?: Pick<RawOptions, "sample" | "order">,
): GeneratedMap;

/* ------------------------------------------------------------------------------------------- light */

/** Linear red, green and blue. 1 is full light. */
export type Rgb = readonly [number, number, number];

/** The optical properties of a cell. All values are from 0 to 1. A single number applies to all colors. */
export interface Cell {
  /** The share of light that passes. 0 blocks lines of sight. */
  transparency: number | Rgb;
  /** The share of the remaining light that is reflected. */
  albedo: number | Rgb;
}

/** Common cells. */
export const Cell: {
  /** Passes all light. */
  readonly OPEN: Cell;
  /** A wall that reflects all light. */
  readonly WALL: Cell;
  /** A wall that absorbs all light. */
  readonly BLACK_WALL: Cell;
  /** A wall that reflects this share of each color. */
  wall(albedo: Rgb): Cell;
  /** Stained glass: passes this share of each color and absorbs the rest. */
  glass(color: Rgb): Cell;
  /** Smoke that absorbs the share `density` (0 to 1) of the light per step. */
  smoke(density: number): Cell;
};

/** A light source. Negative light is a source of darkness. */
export interface LightSource {
  /** The position in cells. Integers are cell centers, and fractions are allowed. */
  x: number;
  y: number;
  /** The light, each component from -64 to 64. */
  light: Rgb;
}

/** The settings of a light grid. */
export interface LightSettings {
  /** The cells between which light flows. Default: `isotropic`, with round lights. */
  neighborhood?: "four" | "eight" | "isotropic";
  /** The distance in cells that a light of 1 reaches over open cells, from 1 to 1000. Default: 12. */
  radius?: number;
  /** The share of light that is lost per step, from 0 to 1. Excludes `radius`. */
  decay?: number;
  /** The share of light that travels in straight lines and casts crisp shadows, from 0 to 1. Default: 0. */
  direct?: number;
}

/** The outcome of {@link LightGrid.settle}. */
export interface Settled {
  /** The number of sweeps over the grid. 0 if nothing had changed. */
  sweeps: number;
  /** Whether the light is settled. If not, the next call continues. */
  atRest: boolean;
  /** An upper bound of the difference to the settled light. */
  error: number;
  /** Whether the tolerance was reached. */
  reached: boolean;
}

/** Where the light at a cell comes from. */
export interface Glow {
  /** A unit vector in the direction of increasing light. Zero if no neighbor is brighter. */
  direction: [number, number];
  /** The cell that is reached by always walking to the brightest neighbor. */
  brightest: [number, number];
  /** The index of the brightest source in that cell or next to it, if there is one. */
  source?: number;
}

/** How lit something is: 0 hidden, 1 dim, 2 lit, 3 blazing. */
export type Band = 0 | 1 | 2 | 3;

/** The thresholds between bands. */
export interface Bands {
  /** The luminance at which dim, lit and blazing begin. Default: 1/32, 1/6 and 0.6. */
  from?: Rgb;
  /** The fraction of a threshold by which the luminance must pass it before the band changes. Default: 0.1. */
  hysteresis?: number;
}

/**
 * A grid of cells with light sources and their light. The origin is the north-west corner, with x eastward and y
 * southward. Changes affect the light from the next `step` or `settle` on.
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
  /**
   * Creates a dark grid of open cells: at most 16384 per side and 2^24 in total. With `gray`, light has no color, which
   * takes a third of the work.
   */
  constructor(width: number, height: number, settings?: LightSettings & { gray?: boolean });
  readonly width: number;
  readonly height: number;
  readonly gray: boolean;
  /** The share of light that is lost per step. */
  readonly decay: number;
  /** Changes the settings. Missing settings are reset to their defaults. */
  setSettings(settings: LightSettings): void;

  /** The optical properties of a cell. */
  cell(x: number, y: number): Cell;
  /** Changes the given cells to `cell`. `places` are pairs of x and y, or a flat `Int32Array`. */
  paint(places: readonly (readonly [number, number])[] | Int32Array, cell: Cell): void;
  /** Changes all cells. `kinds` are indices into `palette`, row by row. */
  setCells(kinds: Uint8Array, palette: readonly Cell[]): void;
  /** 1 for each cell that blocks lines of sight, row by row. */
  walls(): Uint8Array<ArrayBuffer>;

  /**
   * Replaces all light sources. Unchanged sources cost nothing. An array with five numbers per source (x, y, red,
   * green, blue) is accepted too.
   */
  setSources(sources: readonly LightSource[] | Float32Array): void;
  /** Assigns cells to a region from 0 to 255. Initially all cells are in region 0. */
  setRegion(places: readonly (readonly [number, number])[] | Int32Array, region: number): void;
  /** Sets the minimum light of a region. */
  setAmbient(region: number, light: Rgb): void;

  /** Advances the light by `steps` steps (default: 1). Light flows at most one cell per step. */
  step(steps?: number): void;
  /**
   * Computes the light that many steps would converge to, within `tolerance` (default: 0.001) and at most `sweeps`
   * sweeps.
   */
  settle(tolerance?: number, sweeps?: number): Settled;
  /** Removes all light until the next `step` or `settle`. */
  darken(): void;

  /** The light at a cell. Zero outside of the grid. */
  light(x: number, y: number): [number, number, number];
  /** The luminance of a cell. Zero outside of the grid. */
  luminance(x: number, y: number): number;
  /** The light of all cells, row by row, three numbers each. Writes to `into` if given. */
  lights(into?: Float32Array): Float32Array;
  /** The luminance of all cells, row by row. Writes to `into` if given. */
  luminances(into?: Float32Array): Float32Array;
  /** The light as opaque sRGB pixels for a canvas, multiplied by `exposure` (default: 1). Writes to `into` if given. */
  toRgba(options?: { exposure?: number; into?: Uint8ClampedArray }): Uint8ClampedArray<ArrayBuffer>;
  /** The bands of all cells, row by row, from 0 to 3. Pass the previous result as `before` for hysteresis. */
  bands(bands?: Bands, before?: Uint8Array): Uint8Array<ArrayBuffer>;
  /** The band of one cell. */
  band(x: number, y: number, bands?: Bands, before?: Band): Band;
  /** The gradient of the luminance: the direction of increasing light, and the increase per cell. */
  gradient(x: number, y: number): [number, number];
  /** The darkest open neighbor, even if it is brighter than the cell. Undefined if no neighbor is open. */
  darkestNeighbor(x: number, y: number): [number, number] | undefined;
  /**
   * Where the light at a cell comes from. Undefined if no neighbor is brighter, unless the cell is lit and a source is
   * in it or next to it.
   */
  glow(x: number, y: number): Glow | undefined;
  /** 1 for each cell that is visible from a cell, row by row. */
  fieldOfView(x: number, y: number, radius: number): Uint8Array<ArrayBuffer>;
  /** Whether no wall is on the line between two cells. */
  lineOfSight(from: readonly [number, number], to: readonly [number, number]): boolean;
  /** A hash of the bits of all light, as 16 hexadecimal digits. Tests use it to pin light. */
  hash(): string;

  /** Frees the memory immediately instead of on garbage collection. Calling it again does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}

/* ------------------------------------------------------------------------------------------- sight */

/**
 * Returns 1 for each cell that is visible from (x, y), row by row. The algorithm is symmetric shadowcasting: if one
 * cell sees another, that one sees it too. `walls` has one number per cell. Numbers other than 0 block the view, as
 * does the border.
 */
export function fieldOfView(
  walls: Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
  radius: number,
): Uint8Array<ArrayBuffer>;

/** Whether no wall is on the line between two cells. The two cells themselves may be walls. */
export function lineOfSight(
  walls: Uint8Array,
  width: number,
  height: number,
  from: readonly [number, number],
  to: readonly [number, number],
): boolean;

/** The cells of a line including both ends, as a flat array of x and y. */
export function line(from: readonly [number, number], to: readonly [number, number]): Int32Array<ArrayBuffer>;
