"""Measures the heightmap functions of libtcod with its Python package tcod (PyPI).

Called by lanternfell_bench. Its peers.rs describes the format of the sheet and of the
output.

    job N hills X,Y,RADIUS ...                        the given hills, one call for each
    job N add_fbm OCTAVES SCALE LACUNARITY GAIN       fractal simplex noise
    job N sample_ogrid OCTAVES SCALE LACUNARITY GAIN  the same, as recommended by the manual
    job N midpoint                                    midpoint displacement, on 2^n + 1 cells
    job N normalize                                   normalization of the given heights
    job N smooth                                      3 x 3 kernel transform of the given heights
    job N rain DROPS                                  rain erosion of the given heights

libtcod does all the work in C. The overhead of Python is one call, or one per hill.
"""

import sys
import time
import warnings

try:
    import numpy as np
    import tcod
    import tcod.noise
    import tcod.random
    from tcod import libtcodpy
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)

SEED = 7

# Its simplex noise halves all coordinates.
WAVES = 2


def read_sheet(path):
    """Returns the side, the heights or None, the measuring time of each job, and the jobs."""
    side, heights, seconds, jobs = 0, None, 0.0, []
    with open(path, encoding="utf-8") as sheet:
        for line in sheet:
            key, *words = line.rstrip("\n").split(" ")
            if key == "ground":
                side = int(words[0])
                if len(words) > 1:
                    heights = np.fromfile(" ".join(words[1:]), dtype="<f4").reshape(side, side)
            elif key == "seconds":
                seconds = float(words[0])
            elif key == "job":
                number, task, *parameters = words
                jobs.append((number, task, parameters))
    return side, heights, seconds, jobs


def fractal(octaves, lacunarity, gain):
    """Returns fractal simplex noise."""
    return tcod.noise.Noise(
        2,
        algorithm=tcod.noise.Algorithm.SIMPLEX,
        implementation=tcod.noise.Implementation.FBM,
        hurst=-np.log(gain) / np.log(lacunarity),
        lacunarity=lacunarity,
        octaves=octaves,
        seed=SEED,
    )


def hills(side, parameters):
    """Returns a function that adds hills whose heights are the squares of their radii."""
    places = [tuple(map(float, word.split(","))) for word in parameters]

    def work(_):
        heights = np.zeros((side, side), dtype=np.float32)
        for x, y, radius in places:
            libtcodpy.heightmap_add_hill(heights, x, y, radius, radius * radius)
        libtcodpy.heightmap_normalize(heights)
        return heights

    return work


def noise(side, task, parameters):
    """Returns a function that generates fractal noise centered at 0.5."""
    octaves, scale, lacunarity, gain = map(float, parameters)
    source = fractal(octaves, lacunarity, gain)
    # The value at a cell (x, y) is the noise at (x, y) * waves.
    waves = WAVES / scale

    def add_fbm(_):
        heights = np.zeros((side, side), dtype=np.float32)
        span = side * waves
        libtcodpy.heightmap_add_fbm(heights, source, span, span, 0, 0, octaves, 0.5, 0.5)
        return heights

    def sample_ogrid(_):
        along = np.arange(side, dtype=np.float32) * np.float32(waves)
        heights = source.sample_ogrid([along, along])
        heights *= 0.5
        heights += 0.5
        return heights

    return add_fbm if task == "add_fbm" else sample_ogrid


def midpoint(side):
    """Returns a function that generates a normalized map by midpoint displacement.

    It needs sides of 2^n + 1 cells. Otherwise most of the map stays empty.
    """
    side = 2 ** (side - 2).bit_length() + 1
    library, ffi = tcod.lib, tcod.ffi
    random = tcod.random.Random(tcod.random.MERSENNE_TWISTER, SEED)

    def work(_):
        heights = np.zeros((side, side), dtype=np.float32)
        struct = ffi.new("TCOD_heightmap_t*")
        struct.w = struct.h = side
        struct.values = ffi.from_buffer("float*", heights)
        library.TCOD_heightmap_mid_point_displacement(struct, random.random_c, 0.5)
        libtcodpy.heightmap_normalize(heights)
        return heights

    return work


def change(task, parameters):
    """Returns a function that changes heights."""

    def normalize(heights):
        libtcodpy.heightmap_normalize(heights)
        return heights

    def smooth(heights):
        offsets = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)]
        across, down = zip(*offsets)
        libtcodpy.heightmap_kernel_transform(heights, 9, across, down, [1.0] * 9, -1e9, 1e9)
        return heights

    def rain(heights):
        random = tcod.random.Random(tcod.random.MERSENNE_TWISTER, SEED)
        libtcodpy.heightmap_rain_erosion(heights, int(parameters[0]), 0.1, 0.2, random)
        return heights

    return {"normalize": normalize, "smooth": smooth, "rain": rain}[task]


def work_of(side, task, parameters):
    """Returns the function to measure. It gets the given heights, which it may change."""
    if task == "hills":
        return hills(side, parameters)
    if task in ("add_fbm", "sample_ogrid"):
        return noise(side, task, parameters)
    if task == "midpoint":
        return midpoint(side)
    return change(task, parameters)


def measure(seconds, given, work):
    """Returns nanoseconds per call, and the last result. The first calls warm up, for as long as
    the measured calls. If a call takes ten times the goal, it is called only once."""
    goal = seconds * 1e9
    result = call_for(goal, given, work)
    if result[0] < 10 * goal:
        result = call_for(goal, given, work)
    spent, calls, made = result
    return spent / calls, made


def call_for(goal, given, work):
    """Returns the nanoseconds of all calls, their number, and the last result."""
    spent, calls, made = 0, 0, None
    while calls == 0 or spent < goal:
        heights = None if given is None else given.copy()
        start = time.perf_counter_ns()
        made = work(heights)
        spent += time.perf_counter_ns() - start
        calls += 1
    return spent, calls, made


def shape(heights):
    """Returns mean, deviation and grain, as in heights.rs of the benchmark."""
    heights = heights.astype(np.float64)
    east, south = np.diff(heights, axis=1), np.diff(heights, axis=0)
    steps = np.square(east).sum() + np.square(south).sum()
    grain = np.sqrt(steps / (east.size + south.size)) / heights.std()
    return f"{heights.mean()} {heights.std()} {grain}"


def main():
    """Prints the versions, or the results for a sheet."""
    if len(sys.argv) < 2:
        print(f"tcod {tcod.__version__}, Python {sys.version.split()[0]}: its heightmaps")
        return
    # Most of it is deprecated in favor of NumPy, which is not what is measured here.
    warnings.simplefilter("ignore")
    side, given, seconds, jobs = read_sheet(sys.argv[1])
    for number, task, parameters in jobs:
        nanoseconds, heights = measure(seconds, given, work_of(side, task, parameters))
        print(f"result {number} {nanoseconds} {shape(heights)}")


main()
