// Made by a test from the declarations in the library: change those, and set BLESS.

/** A generator and its parameters. */
export type Generator =
  | FaultsGenerator
  | FluidGenerator
  | IslandsGenerator
  | HillsGenerator
  | RidgedGenerator
  | WorleyGenerator
  | DeltaGenerator;

/** The name of one. */
export type GeneratorName = Generator["name"];

/** A random line lifts one half of the map, a thousand times. */
export interface FaultsGenerator {
  name: "faults";
  /** How many lines: from 1 to 1000000, default 1000. */
  lines?: number;
  /** How the ground rises across a line: step, linear or cosine, default step. */
  profile?: "step" | "linear" | "cosine";
  /** The width of the rise, across the line, for the linear and the cosine profile; 0 is a step: from 0 to 32768 cells, default 16. */
  width?: number;
  /** How much the first line lifts: 0, or from 0.000001 to 1000, default 1. */
  displacement_first?: number;
  /** How much the last line lifts: 0, or from 0.000001 to 1000, default 1. */
  displacement_last?: number;
  /** How the lines are strewn: two-points or angle-distance, default two-points. */
  distribution?: "two-points" | "angle-distance";
  /** Erode after this many lines, and again: from 1 to 4294967295 lines, default 50. */
  erosion_every?: number;
  /** How much of the neighbor's height a cell takes over, k in v[j] = k v[j-1] + (1 - k) v[j]; 0 is nothing: from 0 to 0.99, default 0.3. */
  erosion_strength?: number;
}

/** Noise settles like the surface of a viscous fluid. */
export interface FluidGenerator {
  name: "fluid";
  /** How many passes the surface has to settle: more is smoother, at no extra cost: from 0 to 1000000000, default 1000. */
  passes?: number;
  /** The speed of waves: above 0 and at most d / (t sqrt 2) units of length per second, default 100. */
  c?: number;
  /** The distance between cells: from 0.000001 to 1000000 units of length, default 10. */
  d?: number;
  /** The time between passes: from 0.000001 to 1000000 seconds, default 0.033. */
  t?: number;
  /** The viscosity, which brakes waves; 0 lets them swing for ever: from 0 to 1000000 per second, default 100. */
  mu?: number;
  /** The largest height that is drawn, in any unit: the result is stretched to 0 to 1 all the same: from 0.000001 to 1000000000, default 500. */
  amplitude?: number;
}

/** Octaves of simplex noise over a sea at middle height. */
export interface IslandsGenerator {
  name: "islands";
  /** How many octaves are summed: from 1 to 16, default 5. */
  octaves?: number;
  /** The wavelength of the first and coarsest octave: about the size of a continent: from 0.1 to 1000000 cells, default 243. */
  scale?: number;
  /** By how much the wavelength shrinks from one octave to the next: from 1 to 16, default 3. */
  lacunarity?: number;
  /** The height of each octave as a share of the one before: rough above 1 / lacunarity, smooth below: above 0 and at most 1, default 0.3333. */
  gain?: number;
  /** What is made of the noise: fbm or billowed, default fbm. */
  variant?: "fbm" | "billowed";
  /** How far the land is pushed about at most, by noise of the first octave's wavelength: from 0 to 1000 cells, default 0. */
  warp?: number;
  /** What happens to the map's edge: none, radial or square, default none. */
  mask?: "none" | "radial" | "square";
  /** Whether every octave is rounded down to whole 255ths, as in the article: terraces: true or false, default false. */
  quantized?: boolean;
  /** Whether long waves too are looked up at every cell, instead of at few and found between them: nearer to the definition by up to 5e-5, and about twice the work: true or false, default false. */
  exact?: boolean;
}

/** Hundreds of overlapping paraboloids. */
export interface HillsGenerator {
  name: "hills";
  /** How many hills: from 1 to 1000000, default 200. */
  count?: number;
  /** The smallest radius; as an island at most half of the map's shorter side: from 0 to radius_max cells, default 2. */
  radius_min?: number;
  /** The largest radius; on an island no hill is larger than half of the map's shorter side, from the first cell to the last: from 0 to 8192 cells, default 40. */
  radius_max?: number;
  /** Whether no hill may reach the map's edge: true or false, default false. */
  island?: boolean;
  /** How deep bays cut into an island, as a share of the way to its middle: at 0 its coast is round: from 0 to 1, default 0. */
  bays?: number;
}

/** Crests that grow finer crests, above smooth valleys. */
export interface RidgedGenerator {
  name: "ridged";
  /** How many octaves are summed: from 1 to 16, default 7. */
  octaves?: number;
  /** The wavelength of the first and coarsest octave: about the way from one range to the next: from 0.1 to 1000000 cells, default 256. */
  scale?: number;
  /** By how much the wavelength shrinks from one octave to the next: from 1 to 16, default 2. */
  lacunarity?: number;
  /** The height of each octave as a share of the one before: above 0 and at most 1, default 0.5. */
  gain?: number;
  /** At which magnitude of the noise the crests' lowest places are: 1 makes valleys round, less folds them up, so that crests run along them too: from 0.5 to 2, default 1. */
  offset?: number;
  /** How sharp crests are: 0 as a roof, 1 as its square: from 0 to 1, default 1. */
  sharpness?: number;
  /** How much each octave counts only where the one before is high: 0 is everywhere alike, 1 leaves the valleys smooth: from 0 to 1, default 1. */
  feedback?: number;
  /** How far the land is pushed about at most, by noise of the first octave's wavelength: from 0 to 1000 cells, default 0. */
  warp?: number;
  /** After how many cells the map repeats itself, both ways; a whole number of times the scale: from 1 to 1000000 cells, default none. */
  period?: number | null;
  /** Whether long waves too are looked up at every cell, instead of at few and found between them: nearer to the definition by up to 5e-5, and about twice the work: true or false, default false. */
  exact?: boolean;
}

/** Distances to scattered points: cells, cracks, craters. */
export interface WorleyGenerator {
  name: "worley";
  /** Which distances a height is made of: f1, f2 or f2-f1, default f1. */
  feature?: "f1" | "f2" | "f2-f1";
  /** How distances are measured: euclidean, manhattan or chebyshev, default euclidean. */
  metric?: "euclidean" | "manhattan" | "chebyshev";
  /** The side of the squares that hold one point each: about the size of the pattern: from 1 to 1000000 cells, default 64. */
  scale?: number;
  /** How far a point may stray from the middle of its square, as a share of what there is: at 0 the points are a regular lattice: from 0 to 1, default 1. */
  jitter?: number;
  /** After how many cells the map repeats itself, both ways; a whole number of times the scale: from 1 to 1000000 cells, default none. */
  period?: number | null;
}

/** A river that branches to the sea, and the land that it has built. */
export interface DeltaGenerator {
  name: "delta";
  /** How many channels reach the sea: from 1 to 1000, default 60. */
  mouths?: number;
  /** How far it is from the apex, where the river first parts, to the furthest mouths: from 4 to 16384 cells, default 360. */
  length?: number;
  /** The angle of the fan in which the mouths lie: from 0 to 240 degrees, default 150. */
  spread?: number;
  /** How wide the river is before it parts: from 1 to 1000 cells, default 14. */
  width?: number;
  /** How far the land reaches to both sides of the river: less leaves a bird's foot, more a plain without bays: from 1 to 4096 cells, default 50. */
  reach?: number;
  /** How much the way from the apex to a mouth counts beside the length of what is new: at 0 each new channel leaves the nearest old one, at 1 all go straight to the sea: from 0 to 1, default 0.3. */
  directness?: number;
  /** How much channels bend: from 0 to 3, default 1. */
  winding?: number;
}

/** A filter and its parameters. */
export type Filter =
  | NormalizeFilter
  | StretchFilter
  | GammaFilter
  | ClampFilter
  | LinearFilter
  | InvertFilter
  | TurbulenceFilter
  | CurveFilter
  | TerraceFilter
  | SmoothFilter
  | SharpenFilter
  | KernelFilter
  | WarpFilter
  | IslandFilter
  | ShapeFilter
  | EdgesFilter
  | MoundFilter
  | DigFilter
  | SeamlessFilter
  | HydraulicErosionFilter
  | ThermalErosionFilter
  | StreamPowerErosionFilter
  | GlacialErosionFilter
  | WindErosionFilter;

/** The name of one. */
export type FilterName = Filter["name"];

/** Stretches the heights to fill 0 to 1; a flat map becomes all 0. */
export interface NormalizeFilter {
  name: "normalize";
}

/** Stretches what lies between two percentiles to fill 0 to 1. */
export interface StretchFilter {
  name: "stretch";
  /** The percentile that becomes 0: from 0 to high %, default 1. */
  low?: number;
  /** The percentile that becomes 1: from 0 to 100 %, default 99. */
  high?: number;
}

/** Raises each height to this power: broader valleys, steeper peaks, and where the sea is slightly above 0 a smaller island (Nystrom 2001). */
export interface GammaFilter {
  name: "gamma";
  /** Raises each height to this power: broader valleys, steeper peaks, and where the sea is slightly above 0 a smaller island (Nystrom 2001): from 1 to 16, default 2. */
  gamma?: number;
}

/** Cuts off what is too low or too high. */
export interface ClampFilter {
  name: "clamp";
  /** The lowest height that stays: from -1000000 to max, default 0. */
  min?: number;
  /** The highest height that stays: from -1000000 to 1000000, default 1. */
  max?: number;
}

/** Multiplies each height and adds to it: scale z + offset. */
export interface LinearFilter {
  name: "linear";
  /** What each height is multiplied by: from -1000000 to 1000000, default 1. */
  scale?: number;
  /** What is added then: from -1000000 to 1000000, default 0. */
  offset?: number;
}

/** Makes hills hollows: 1 - z. */
export interface InvertFilter {
  name: "invert";
}

/** Folds up what is below this middle, |z - middle| / max(middle, 1 - middle); the fold is a sharp valley. */
export interface TurbulenceFilter {
  name: "turbulence";
  /** Folds up what is below this middle, |z - middle| / max(middle, 1 - middle); the fold is a sharp valley: from 0 to 1, default 0.5. */
  turbulence?: number;
}

/** A smooth curve through points, from old heights to new ones. */
export interface CurveFilter {
  name: "curve";
  /** A smooth curve through points, from old heights to new ones: from 2 to 64 of them, each number from -1000000 to 1000000, the first numbers rising, default [(0.0,0.0),(1.0,1.0)]. */
  points?: readonly (readonly [number, number])[];
}

/** A staircase of level ground. */
export interface TerraceFilter {
  name: "terrace";
  /** How many levels, the lowest and the highest included: from 2 to 256, default 8. */
  levels?: number;
  /** How level the treads and how steep the risers are: 0 leaves the map as it is, 1 makes steps with vertical risers: from 0 to 1, default 0.8. */
  sharpness?: number;
  /** Whether the levels are spaced by area, the same share of the cells between each two, and not by height: true or false, default false. */
  equal_areas?: boolean;
}

/** Blurs, means and medians. */
export interface SmoothFilter {
  name: "smooth";
  /** The mean of all cells up to this far along both axes: from 0 to 1024 cells, default 2. */
  box?: number;
  /** The mean weighted by a Gaussian bell of this standard deviation: from 0 to 1024 cells, default 2. */
  gaussian?: number;
  /** The median of all cells up to this far along both axes: from 0 to 64 cells, default 2. */
  median?: number;
  /** Clamped to the range of the eight neighbors, which is first made so many times as wide around its middle: at 1 a needle is cut down to its highest neighbor, at 2 a small one stays: from 0 to 100, default 1. */
  conservative?: number;
}

/** Deeper valleys and sharper crests. */
export interface SharpenFilter {
  name: "sharpen";
  /** The size of what is sharpened: the standard deviation of the blur: from 0 to 1024 cells, default 2. */
  sigma?: number;
  /** How much; 0 changes nothing: from 0 to 100, default 0.5. */
  amount?: number;
}

/** A weighted sum of the cells around. */
export interface KernelFilter {
  name: "kernel";
  /** A square of 3 x 3, 5 x 5, 7 x 7 or 9 x 9 weights, row by row from the north-west: 9, 25, 49 or 81 of them, each from -1000 to 1000, default [1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0]. */
  weights?: readonly number[];
  /** Only heights from here on are changed: from -1000000 to high, default -1000000. */
  low?: number;
  /** Only heights up to here are changed: from -1000000 to 1000000, default 1000000. */
  high?: number;
}

/** Pushes the land about by noise. */
export interface WarpFilter {
  name: "warp";
  /** The noise's wavelength: the size of the bends: from 1 to 1000000 cells, default 100. */
  scale?: number;
  /** How far land is pushed at most along each axis: from 0 to 1000 cells, default 10. */
  distance?: number;
  /** Octaves of noise, each of half the wavelength and half the height of the one before: from 1 to 8, default 2. */
  octaves?: number;
}

/** Lowers the map towards its border, whose cells become 0: an island whatever the generator. */
export interface IslandFilter {
  name: "island";
  /** Lowers the map towards its border, whose cells become 0: an island whatever the generator: none, radial or square, default radial. */
  mask?: "none" | "radial" | "square";
}

/** Lowers the map to 0 around a drawn shape. */
export interface ShapeFilter {
  name: "shape";
  /** Lines from point to point, in shares of the map; a path of one point is a dot: of 1 to 4096 points, each number from -16 to 16, default [[(0.5,0.25),(0.75,0.5),(0.5,0.75),(0.25,0.5)]]. */
  paths?: readonly (readonly (readonly [number, number])[])[];
  /** Whether each path is closed and its inside part of the shape: true or false, default true. */
  closed?: boolean;
  /** How far around its lines the shape reaches: from 0 to 16 times the map's shorter side, default 0. */
  radius?: number;
  /** How far heights take to fall to 0 around the shape: from 0 to 16 times the map's shorter side, default 0.25. */
  falloff?: number;
}

/** Brings chosen sides to a level. */
export interface EdgesFilter {
  name: "edges";
  /** From how far on a side is felt; 0 changes the outermost cells alone: from 0 to 16384 cells, default 32. */
  width?: number;
  /** The height of the outermost cells: from -1000000 to 1000000, default 0. */
  level?: number;
  /** Whether the northern side, row 0, goes over: true or false, default true. */
  north?: boolean;
  /** Whether the eastern side does: true or false, default true. */
  east?: boolean;
  /** Whether the southern side does: true or false, default true. */
  south?: boolean;
  /** Whether the western side does: true or false, default true. */
  west?: boolean;
}

/** Raises a round hill. */
export interface MoundFilter {
  name: "mound";
  /** Its middle, in shares of the map: each from -16 to 16, default (0.5,0.5). */
  at?: readonly [number, number];
  /** Its radius: from 0 to 16 times the map's shorter side, default 0.25. */
  radius?: number;
  /** How much its middle is raised: from -1000000 to 1000000, default 0.5. */
  height?: number;
}

/** Digs a bed along a curve. */
export interface DigFilter {
  name: "dig";
  /** The curve's control points in shares of the map: it goes from the first to the last, drawn towards the others: from 2 to 16 of them, each number from -16 to 16, default [(0.0,0.5),(1.0,0.5)]. */
  path?: readonly (readonly [number, number])[];
  /** How far the bed reaches to both sides at the curve's beginning and end: each from 0 to 16 times the map's shorter side, default (0.05,0.05). */
  radius?: readonly [number, number];
  /** How deep it is there: each from -1000000 to 1000000, default (0.2,0.2). */
  depth?: readonly [number, number];
}

/** Makes the map fit beside itself, to be repeated: crosses it with itself, shifted by half, over this share of each side. */
export interface SeamlessFilter {
  name: "seamless";
  /** Makes the map fit beside itself, to be repeated: crosses it with itself, shifted by half, over this share of each side: above 0 and at most 0.5, default 0.2. */
  seamless?: number;
}

/** Erosion by drops of rain. */
export interface HydraulicErosionFilter {
  name: "hydraulic-erosion";
  /** How many droplets start on each cell, on average: from 0 to 64, default 0.5. */
  density?: number;
  /** The most steps of a droplet, of one cell each: from 1 to 247 cells, default 55. */
  lifetime?: number;
  /** How much a droplet keeps its direction instead of turning downhill: from 0 to 0.99, default 0.3. */
  inertia?: number;
  /** How much a droplet can carry: this times its fall in a step, its speed and its water; never more than a quarter of the map's range of heights: from 0 to 100, default 4. */
  capacity?: number;
  /** The least slope that counts for what it can carry, a tangent: from 0 to 1, default 0.02. */
  min_slope?: number;
  /** The share of what it could carry more that a droplet takes up in a step: from 0 to 1, default 0.3. */
  erosion?: number;
  /** The share of what is too much for it that it lays down in a step: from 0 to 1, default 0.3. */
  deposition?: number;
  /** The share of its water that a droplet loses in a step: from 0 to 1, default 0.02. */
  evaporation?: number;
  /** How fast a droplet gets: what its squared speed, at first 1, gains for each cell's width that it falls: from 0 to 100, default 0.1. */
  gravity?: number;
  /** How far around a droplet it takes ground: from 1 to 8 cells, default 2. */
  radius?: number;
  /** A map whose longer side has more cells than this is eroded at half its size first, and that one the same way: from 64 to 16384 cells, default 512. */
  coarsest?: number;
}

/** Erosion by gravity. */
export interface ThermalErosionFilter {
  name: "thermal-erosion";
  /** The steepest slope that holds: from 0 to 89 degrees, default 33. */
  angle?: number;
  /** The most passes: from 0 to 100000, default 50. */
  passes?: number;
  /** The share of the excess that slides in a pass: from 0 to 1, default 1. */
  rate?: number;
}

/** Erosion by rivers. */
export interface StreamPowerErosionFilter {
  name: "stream-power-erosion";
  /** How much rivers cut: 0 is not at all; at 1 little is left of the map's own shape: from 0 to 1, default 0.5. */
  strength?: number;
  /** How long the slopes are that no stream cuts, from crest to valley: less gives finer and sharper valleys: from 0 to 0.1 times the map's shorter side, default 0.004. */
  hillslope?: number;
  /** The height of the sea, below which nothing changes; with none rivers leave over the border alone: that is finite, default none. */
  sea_level?: number | null;
}

/** Erosion by glaciers. */
export interface GlacialErosionFilter {
  name: "glacial-erosion";
  /** The height on the map above which more snow falls than melts: from -1000000 to 1000000, default 0.5. */
  equilibrium_line?: number;
  /** How deep the largest glacier cuts into its valley's floor: from 0 to 100000 metres, default 250. */
  depth?: number;
  /** How wide a trough of that depth is at its top: from 1 to 100000 metres, default 1000. */
  width?: number;
  /** How much ice makes a glacier, as a share of what would gather if the whole map was as snowy as its highest cell: with less there are more cirques: from 0 to 1, default 0.0005. */
  share?: number;
}

/** Sand that the wind blows together to dunes. */
export interface WindErosionFilter {
  name: "wind-erosion";
  /** Where the wind comes from, clockwise from north: from -360 to 360 degrees, default 270. */
  wind_from?: number;
  /** How deep the sand lies at first, everywhere: from 0 to 10000 metres, default 3. */
  sand?: number;
  /** How long it blows: so many times every cell's sand has had the chance to be taken up: from 0 to 100000, default 400. */
  steps?: number;
  /** How far a slab of sand hops at a time: from 1 to 100 cells, default 5. */
  hop?: number;
  /** How often a slab that falls on sand stays there; a slab that falls on bare ground stays two thirds as often, and one in a lee always: from 0.01 to 1, default 0.6. */
  settling?: number;
  /** The steepest slope of sand that holds: the slip face's: from 20 to 45 degrees, default 33. */
  angle?: number;
}

/** How two heights become one: `a` is the ground so far, `b` the layer, `w` its weight. */
export type Blend =
  | AddBlend
  | MultiplyBlend
  | MaxBlend
  | MinBlend
  | MixBlend
  | SubtractBlend
  | DifferenceBlend
  | SmoothMaxBlend
  | SmoothMinBlend;

/** The name of one. */
export type BlendName = Blend["name"];

/** a + w b. */
export interface AddBlend {
  name: "add";
}

/** a (1 - w + w b): at weight 1 the product, at 0 the ground unchanged. */
export interface MultiplyBlend {
  name: "multiply";
}

/** The higher of a and w b. */
export interface MaxBlend {
  name: "max";
}

/** The lower of a and 1 - w + w b: at weight 0 the ground unchanged, unless it is above 1. */
export interface MinBlend {
  name: "min";
}

/** (1 - w) a + w b. */
export interface MixBlend {
  name: "mix";
}

/** a - w b. */
export interface SubtractBlend {
  name: "subtract";
}

/** (1 - w) a + w |a - b|: at weight 1 how far the two are apart. */
export interface DifferenceBlend {
  name: "difference";
}

/** The higher of the two, rounded where they are nearer than this width. */
export interface SmoothMaxBlend {
  name: "smooth-max";
  /** The higher of the two, rounded where they are nearer than this width: from 0 to 1000, default 0.1. */
  width?: number;
}

/** The lower of the two, rounded where they are nearer than this width. */
export interface SmoothMinBlend {
  name: "smooth-min";
  /** The lower of the two, rounded where they are nearer than this width: from 0 to 1000, default 0.1. */
  width?: number;
}

/** What is asked for in a map. */
export type Selection =
  | HeightSelection
  | SlopeSelection;

/** The name of one. */
export type SelectionName = Selection["name"];

/** Heights in this band. */
export interface HeightSelection {
  name: "height";
  /** The lowest value that is wholly in it; with none there is no such bound: from -1000000 to 1000000, default none. */
  from?: number | null;
  /** The highest value that is wholly in it; with none there is no such bound: from -1000000 to 1000000, default none. */
  to?: number | null;
  /** How far beyond its bounds it fades out, evenly; 0 is at once: from 0 to 1000000, default 0. */
  fade?: number;
}

/** Slopes in this band, in degrees, at the recipe's scale. */
export interface SlopeSelection {
  name: "slope";
  /** The lowest value that is wholly in it; with none there is no such bound: from -1000000 to 1000000, default none. */
  from?: number | null;
  /** The highest value that is wholly in it; with none there is no such bound: from -1000000 to 1000000, default none. */
  to?: number | null;
  /** How far beyond its bounds it fades out, evenly; 0 is at once: from 0 to 1000000, default 0. */
  fade?: number;
}
