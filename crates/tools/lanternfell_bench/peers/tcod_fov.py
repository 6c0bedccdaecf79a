"""Measures the fields of view of tcod (PyPI), the Python package of libtcod.

Called by lanternfell_bench. Its peers.rs describes the format of the sheet and of the
output.

    job N map ALGORITHM RADIUS PLACE...        a tcod.map.Map that is reused between calls
    job N function ALGORITHM RADIUS PLACE...   tcod.map.compute_fov, which copies the map

A call is one view from one of the places.
"""

import sys
import time
import warnings

try:
    import numpy as np
    import tcod
    import tcod.map
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)

ALGORITHMS = {
    "basic": tcod.constants.FOV_BASIC,
    "shadow": tcod.constants.FOV_SHADOW,
    "symmetric": tcod.constants.FOV_SYMMETRIC_SHADOWCAST,
    "permissive": tcod.constants.FOV_PERMISSIVE_8,
    "restrictive": tcod.constants.FOV_RESTRICTIVE,
}


def read_sheet(path):
    """Returns the transparency of the map, the measuring time of each job, and the jobs."""
    transparency, seconds, jobs = None, 0.0, []
    with open(path, encoding="utf-8") as sheet:
        for line in sheet:
            key, *words = line.split(" ")
            if key == "map":
                side = int(words.pop())
                with open(" ".join(words), "rb") as file:
                    cells = np.frombuffer(file.read(), dtype=np.uint8)
                transparency = np.ascontiguousarray(cells.reshape(side, side) == 0)
            elif key == "seconds":
                seconds = float(words[0])
            elif key == "job":
                number, way, algorithm, radius, *places = words
                places = [tuple(map(int, place.split(","))) for place in places]
                jobs.append((number, way, ALGORITHMS[algorithm], int(radius), places))
    return transparency, seconds, jobs


def viewer(way, transparency, algorithm, radius):
    """Returns a function from a place to an array of the cells visible from it."""
    if way == "function":
        return lambda x, y: tcod.map.compute_fov(transparency, (y, x), radius, True, algorithm)
    height, width = transparency.shape
    with warnings.catch_warnings():
        # It is deprecated, but it is the faster way for many views of the same map.
        warnings.simplefilter("ignore")
        kept = tcod.map.Map(width, height)
    kept.transparent[:] = transparency

    def view(x, y):
        kept.compute_fov(x, y, radius, True, algorithm)
        return kept.fov

    return view


def count_seen(view, places, radius):
    """Returns the count and the sum of the indices of visible cells within the radius, over all places."""
    count = total = 0
    for x, y in places:
        seen = view(x, y)
        rows, columns = np.nonzero(seen)
        near = (rows - y) ** 2 + (columns - x) ** 2 < radius**2
        rows, columns = rows[near].astype(np.int64), columns[near].astype(np.int64)
        count += rows.size
        total += int((rows * seen.shape[1] + columns).sum())
    return count, total


def measure(seconds, view, places):
    """Returns nanoseconds per view. The first iteration over the places is a warm-up."""
    for x, y in places:
        view(x, y)
    goal, spent, calls = seconds * 1e9, 0, 0
    while calls == 0 or spent < goal:
        start = time.perf_counter_ns()
        for x, y in places:
            view(x, y)
        spent += time.perf_counter_ns() - start
        calls += len(places)
    return spent / calls


def main():
    """Prints the versions, or the results for a sheet."""
    if len(sys.argv) < 2:
        print(f"tcod {tcod.__version__}, Python {sys.version.split()[0]}")
        return
    transparency, seconds, jobs = read_sheet(sys.argv[1])
    for number, way, algorithm, radius, places in jobs:
        view = viewer(way, transparency, algorithm, radius)
        count, total = count_seen(view, places, radius)
        print(f"result {number} {measure(seconds, view, places)} {count} {total}")


main()
