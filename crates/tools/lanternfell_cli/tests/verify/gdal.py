#!/usr/bin/env python3
"""Compares the tool with GDAL: elevation models that it reads and writes, and its measurements.

    cargo build --release -p lanternfell_cli
    python3 crates/tools/lanternfell_cli/tests/verify/gdal.py target/release/lanternfell FOLDER

The script creates FOLDER and writes all of its files there. It needs GDAL's programs (Debian:
gdal-bin), and no Python packages. `cargo test` does not need it.

Steps:
 1. gdalinfo and gdal_translate read what the tool writes: heights in meters, unit, no-data value,
    georeference and coordinate system, in every format and after cropping, resizing and normalizing.
 2. The tool reads elevation models that GDAL writes (integers of every kind, feet, scale and offset,
    no-data cells, masks, south-up grids, cells that are not square, degrees, sparse files, several
    bands, alpha, flat maps, world files, heights within 0 to 1 m). Slope, aspect, hillshade,
    ruggedness (TRI), position (TPI) and roughness are compared with those of gdaldem at every inner
    cell. GDAL does not use cell widths by latitude, so in degrees and in Web Mercator the
    script computes Horn's formula itself, with the widths of each row.
 3. The same for grids that are no images: XYZ, SRTM, ESRI BIL and float grids, RAW of whole meters, and
    heights as colors.
 4. Maps in degrees and in Web Mercator that the tool projects to UTM and to a local plane are compared with those of
    gdalwarp, and several files that it merges with gdalbuildvrt.
 5. Unsupported files are rejected by name.
"""

import itertools
import json
import math
import os
import shutil
import subprocess
import sys
from array import array
from pathlib import Path

if len(sys.argv) != 3:
    sys.exit(__doc__)
TOOL = str(Path(sys.argv[1]).resolve())
FOLDER = Path(sys.argv[2]).resolve()
FOLDER.mkdir(parents=True, exist_ok=True)

checks = 0
worst = {}


def check(what, right, detail=""):
    global checks
    checks += 1
    print(("ok    " if right else "WRONG ") + what, detail)
    if not right:
        sys.exit(1)


def run(*command, fails=False):
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, cwd=FOLDER)
    if (done.returncode != 0) != fails:
        sys.exit("$ " + " ".join(words) + "\n" + done.stdout + done.stderr)
    return done.stderr if fails else done.stdout


def tool(words):
    return run(TOOL, *words.split(), "-q")


def info(name):
    return json.loads(run("gdalinfo", "-json", "-mm", name))


def numbers(name, *options):
    """Returns all numbers of a file as GDAL reads them, and the number of columns."""
    run("gdal_translate", "-q", "-of", "ENVI", "-ot", "Float64", *options, name, "plain.envi")
    found = array("d")
    with open(FOLDER / "plain.envi", "rb") as file:
        found.frombytes(file.read())
    return found, info(name)["size"][0]


def worst_off(found, expected, columns, turn=None):
    """Returns the largest difference at inner cells, which have eight neighbors."""
    rows = len(found) // columns
    check_size = len(found) == len(expected)
    if not check_size:
        sys.exit("WRONG size")
    most = 0.0
    for y in range(1, rows - 1):
        for x in range(1, columns - 1):
            a, b = found[y * columns + x], expected[y * columns + x]
            off = abs(a - b)
            if turn:
                off = min(off, turn - off) if b != -9999 else abs(a + 1)
            most = max(most, off)
    return most


# 1. Files that the tool writes.

def written():
    tool("generate volcano --resize 129 -o volcano.tif")
    band = info("volcano.tif")["bands"][0]
    measured = json.loads(run(TOOL, "info", "volcano", "--resize", "129", "--json"))
    high = measured["elevation_meters"]["highest"]
    check("volcano.tif is in meters", band["unit"] == "m" and abs(band["computedMax"] - high) < 1e-3, band["computedMax"])
    tool("measure volcano --resize 129 --what slope -o steep.tif")
    run("gdaldem", "slope", "volcano.tif", "gdal.tif")
    (ours, columns), (theirs, _) = numbers("steep.tif"), numbers("gdal.tif")
    off = worst_off(ours, theirs, columns)
    check("volcano.tif has the same slope in gdaldem", off < 0.01, f"{max(theirs):.2f} degrees, off by {off:.1e}")

    tool("generate hills --size 64 --set radius_max=20 --relief 300 -o relief.tif")
    check("--relief 300 is 300 m", info("relief.tif")["bands"][0]["computedMax"] == 300)
    tool("generate hills --size 64 --set radius_max=20 --spacing 1 --resize 2017 -o wide.tif")
    place = info("wide.tif")
    check("--spacing 1 --resize 2017 is 1 m", (place["geoTransform"][1], place["size"]) == (1.0, [2017, 2017]))

    through_formats()
    changed()


def through_formats():
    before = info("dem.tif")
    low, high = (before["bands"][0][key] for key in ["computedMin", "computedMax"])
    heights, _ = numbers("dem.tif")
    for name in ["a.tif", "a.asc", "a.png", "a.pgm"]:
        tool(f"convert dem.tif {'' if name == 'a.tif' else '--sidecar'} -o {name}")
        after = info(name)
        band = after["bands"][0]
        check(f"{name}: unit", band["unit"] == "m")
        check(f"{name}: coordinate system", "UTM zone 33N" in after["coordinateSystem"]["wkt"])
        # For a PGM, GDAL only reads the georeference from a world file.
        if name != "a.pgm":
            near = all(abs(a - b) < 1e-6 for a, b in zip(after["geoTransform"], before["geoTransform"]))
            check(f"{name}: georeference", near, after["geoTransform"])
        if name.endswith(("tif", "asc")):
            check(f"{name}: no data", band["noDataValue"] == -9999)
            check(f"{name}: the same numbers", numbers(name)[0] == heights)
        else:
            # GDAL's -unscale needs the offset and scale in the .aux.xml file.
            found, _ = numbers(name, "-unscale")
            off = max(abs(a - b) for a, b in zip(found, heights))
            check(f"{name}: the same heights in meters", off < (high - low) / 65535, f"off by {off:.2e} m")
    tool("convert dem.tif --bits 16 -o words.tif")
    found, _ = numbers("words.tif", "-unscale")
    off = max(abs(a - b) for a, b in zip(found, heights))
    check("words.tif: scale and offset", off < (high - low) / 65535, f"off by {off:.2e} m")
    tool("convert a.png -o back.tif")
    found, _ = numbers("back.tif")
    off = max(abs(a - b) for a, b in zip(found, heights))
    check("a.png is read back in meters", off < (high - low) / 65535, f"off by {off:.2e} m")
    tool("convert dem.tif -o a.exr")
    tool("convert a.exr -o back.tif")
    check("a.exr is read back unchanged", numbers("back.tif")[0] == heights and info("back.tif")["geoTransform"] == before["geoTransform"])


def changed():
    heights, columns = numbers("dem.tif")
    tool("convert dem.tif --normalise -o normal.tif")
    off = max(abs(a - b) for a, b in zip(numbers("normal.tif")[0], heights))
    check("--normalise keeps the heights in meters", off < 2e-4, f"off by {off:.1e} m")
    tool("convert dem.tif --heights unit -o unit.tif")
    found, _ = numbers("unit.tif")
    check("--heights unit is 0 to 1", (min(found), max(found)) == (0, 1))
    off = max(abs(a - b) for a, b in zip(numbers("unit.tif", "-unscale")[0], heights))
    check("unit.tif: scale and offset", off < 2e-4, f"off by {off:.1e} m")
    tool("convert dem.tif --crop 20x15+7+11 -o crop.tif")
    run("gdal_translate", "-q", "-srcwin", 7, 11, 20, 15, "dem.tif", "gdal.tif")
    check("--crop is -srcwin", numbers("crop.tif")[0] == numbers("gdal.tif")[0])
    ours, theirs = info("crop.tif"), info("gdal.tif")
    check("--crop keeps the georeference", ours["geoTransform"] == theirs["geoTransform"], ours["geoTransform"])
    tool("convert dem.tif --resize 121x24 -o resized.tif")
    ours = info("resized.tif")
    old, new = info("dem.tif")["geoTransform"], ours["geoTransform"]
    # The distance from the first to the last cell center is unchanged, along both axes.
    wide = [(new[1] * 120, old[1] * 60), (new[5] * 23, old[5] * 46)]
    check("--resize keeps the area", all(abs(a - b) < 1e-6 for a, b in wide), new)
    check("--resize keeps the coordinate system", "32633" in ours["coordinateSystem"]["wkt"][-20:])


# 2. Files that GDAL writes.

UTM = ["-a_srs", "EPSG:32633", "-a_ullr", 500000, 4650000, 500000 + 61 * 30, 4650000 - 47 * 30]


def sources():
    tool("generate islands --size 61x47 --set scale=30 --seed 4 --spacing 30 --relief 1743 -o made.tif")
    run("gdal_translate", "-q", *UTM, "-a_nodata", "-9999", "-scale", 0, 1743, -442, 1301, "-ot", "Float32", "made.tif", "dem.tif")
    # GDAL must write the unit itself.
    with_unit("dem.tif", "unit_m.tif", "m")
    run("cp", "unit_m.tif", "dem.tif")


# The name in gdaldem, its options, our name, a full turn for angles, and the tolerance.
# The directions of nearly flat cells depend on rounding.
MEASURES = [
    ("slope", [], "slope", None, 2e-3),
    ("aspect", [], "aspect", 360, 0.05),
    ("hillshade", [], "hillshade", None, 1.01),
    ("TRI", ["-alg", "Riley"], "ruggedness", None, 1e-2),
    ("TPI", [], "position --radius 1", None, 1e-2),
    ("roughness", [], "roughness", None, 1e-2),
]


def as_gdal(ours, values):
    if ours == "hillshade":
        return [1 + 254 * value for value in values]
    if ours.startswith("position"):
        # Our position is relative to the mean of all nine cells.
        return [value * 9 / 8 for value in values]
    return values


def compare(name, judge, scale=None, only=None):
    """Compares our measurements of a file with those of gdaldem for a file that it can read."""
    for mode, options, ours, turn, near in MEASURES:
        if only and mode not in only:
            continue
        widths = ["-s", scale] if scale and mode in ["slope", "hillshade"] else []
        run("gdaldem", mode, judge, "gdal.tif", "-q", *options, *widths)
        tool(f"measure {name} --what {ours} -o ours.tif")
        (found, columns), (expected, _) = numbers("ours.tif"), numbers("gdal.tif")
        off = worst_off(as_gdal(ours, found), expected, columns, turn)
        worst[mode] = max(worst.get(mode, 0), off)
        check(f"{name}: {mode}", off < near, f"off by {off:.1e}")


def models():
    compare("dem.tif", "dem.tif")
    for kind in ["Int16", "Int32", "UInt16", "UInt32", "Float64"]:
        # Unsigned integers cannot store heights below 0.
        lift = ["-scale", -442, 1301, 0, 1743] if kind.startswith("U") else []
        run("gdal_translate", "-q", "-ot", kind, *lift, "-a_nodata", "none", "dem.tif", f"{kind}.tif")
        compare(f"{kind}.tif", f"{kind}.tif")
    for kind, options in [("strips", []), ("tiles", ["-co", "TILED=YES"]), ("floats", ["-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=3"]),
                          ("msb", ["-co", "ENDIANNESS=BIG"])]:
        name = f"half_{kind}.tif"
        run("gdal_translate", "-q", "-co", "NBITS=16", *options, "-a_nodata", "none", "dem.tif", name)
        tool(f"convert {name} -o back.tif")
        check(f"{name}: 16-bit floats", numbers("back.tif")[0] == numbers(name)[0] != numbers("dem.tif")[0])
    for pack in ["LZW", "DEFLATE", "PACKBITS"]:
        name = f"{pack}.tif"
        run("gdal_translate", "-q", "-co", f"COMPRESS={pack}", "-co", "TILED=YES", "-co", "BLOCKXSIZE=32",
            "-co", "BLOCKYSIZE=16", "dem.tif", name)
        compare(name, "dem.tif", only=["slope"])
    run("gdal_translate", "-q", "-of", "AAIGrid", "dem.tif", "grid.asc")
    compare("grid.asc", "dem.tif", only=["slope", "TRI"])
    # Its coordinate system is in grid.prj.
    tool("convert grid.asc -o grid.tif")
    check("grid.asc: coordinate system", "UTM zone 33N" in info("grid.tif")["coordinateSystem"]["wkt"])

    run("gdal_translate", "-q", "-a_ullr", 500000, 4650000, 500000 + 61 * 30, 4650000 - 47 * 11, "dem.tif", "oblong.tif")
    # gdaldem's aspect assumes square cells.
    compare("oblong.tif", "oblong.tif", only=["slope", "hillshade", "TRI", "TPI", "roughness"])
    horn("oblong.tif", lambda y: (30, 11))
    south_up()
    feet()
    scaled()
    gaps()
    low_elevations()
    world_files()
    no_data_values()
    odd_grids()
    degrees()


def kinds_of_tiff():
    zstandard()
    lerc()
    long_strips()
    large_blocks()
    sparse()
    alpha()
    bands()
    flat()


def packs(pack):
    """Returns whether this GDAL can write a compression."""
    return f"<Value>{pack}</Value>" in run("gdalinfo", "--format", "GTiff")


def zstandard():
    """Tests strips and tiles, predictors, byte orders, BigTIFF, 16-bit lists of lengths, masks, and no-data cells."""
    check("GDAL writes ZSTD", packs("ZSTD"))
    tiled = ["-co", "TILED=YES", "-co", "BLOCKXSIZE=32", "-co", "BLOCKYSIZE=16"]
    kinds = {
        "strips": [],
        "one_row": ["-co", "BLOCKYSIZE=1"],
        "one_strip": ["-co", "BLOCKYSIZE=47"],
        "tiles": tiled,
        "floats": [*tiled, "-co", "PREDICTOR=3"],
        "big": [*tiled, "-co", "BIGTIFF=YES"],
        "msb": ["-co", "ENDIANNESS=BIG"],
        "best": [*tiled, "-co", "ZSTD_LEVEL=22"],
        "double": ["-ot", "Float64"],
        "words": ["-ot", "Int16", "-co", "PREDICTOR=2", *tiled],
    }
    for kind, options in kinds.items():
        name = f"zstd_{kind}.tif"
        run("gdal_translate", "-q", "-co", "COMPRESS=ZSTD", *options, "dem.tif", name)
        check(f"{name} is compressed", info(name)["metadata"]["IMAGE_STRUCTURE"]["COMPRESSION"] == "ZSTD")
        tool(f"convert {name} -o unpacked.tif")
        check(f"{name}: the same numbers", numbers("unpacked.tif")[0] == numbers(name)[0])
        check(f"{name}: the same georeference", info("unpacked.tif")["geoTransform"] == info(name)["geoTransform"])
    compare("zstd_tiles.tif", "dem.tif")
    # Flat terrain compresses to almost nothing.
    run("gdal_translate", "-q", "-co", "COMPRESS=ZSTD", "-scale", -442, 1301, 7, 7, "-outsize", 2000, 2000, "dem.tif", "zstd_level.tif")
    tool("convert zstd_level.tif -o unpacked.tif")
    check("zstd_level.tif", set(numbers("unpacked.tif")[0]) == {7})
    whole = (FOLDER / "zstd_tiles.tif").read_bytes()
    (FOLDER / "zstd_cut.tif").write_bytes(whole[: len(whole) * 3 // 4])
    refused("zstd_cut.tif", "damaged")


def lerc():
    """Tests LERC alone and with Deflate or Zstandard, lossless and with an error, with no-data values and NaN."""
    tiled = ["-co", "TILED=YES", "-co", "BLOCKXSIZE=32", "-co", "BLOCKYSIZE=16"]
    kinds = {
        "strips": [],
        "one_strip": ["-co", "BLOCKYSIZE=47"],
        "tiles": tiled,
        "near": [*tiled, "-co", "MAX_Z_ERROR=0.01"],
        "near_strips": ["-co", "MAX_Z_ERROR=0.01"],
        "big": [*tiled, "-co", "BIGTIFF=YES"],
        "double": ["-ot", "Float64"],
        "words": ["-ot", "Int16", *tiled],
        "near_words": ["-ot", "Int16", "-co", "MAX_Z_ERROR=3"],
        "wide": ["-ot", "Int32", *tiled],
        "unsigned": ["-ot", "UInt32", "-scale", -442, 1301, 0, 1743, "-a_nodata", "none"],
    }
    for pack in ["LERC", "LERC_DEFLATE", "LERC_ZSTD"]:
        check(f"GDAL writes {pack}", packs(pack))
        for kind, options in kinds.items():
            name = f"{pack.lower()}_{kind}.tif"
            run("gdal_translate", "-q", "-co", f"COMPRESS={pack}", *options, "dem.tif", name)
            check(f"{name} is compressed", info(name)["metadata"]["IMAGE_STRUCTURE"]["COMPRESSION"] == pack)
            tool(f"convert {name} -o unpacked.tif")
            check(f"{name}: the same numbers", numbers("unpacked.tif")[0] == numbers(name)[0])
            check(f"{name}: the same georeference", info("unpacked.tif")["geoTransform"] == info(name)["geoTransform"])
    compare("lerc_tiles.tif", "dem.tif")
    compare("lerc_zstd_near.tif", "lerc_zstd_near.tif", only=["slope"])
    # Flat terrain compresses to almost nothing.
    run("gdal_translate", "-q", "-co", "COMPRESS=LERC", *tiled[:2], "-co", "BLOCKXSIZE=512", "-co", "BLOCKYSIZE=512", "-scale", -442, 1301, 7, 7,
        "-outsize", 2000, 2000, "dem.tif", "lerc_level.tif")
    tool("convert lerc_level.tif -o unpacked.tif")
    check("lerc_level.tif", set(numbers("unpacked.tif")[0]) == {7})
    whole = (FOLDER / "lerc_tiles.tif").read_bytes()
    (FOLDER / "lerc_cut.tif").write_bytes(whole[: len(whole) * 3 // 4])
    refused("lerc_cut.tif", "damaged")
    run("gdal_translate", "-q", "-co", "COMPRESS=LERC", "-co", "ENDIANNESS=BIG", "dem.tif", "lerc_msb.tif")
    refused("lerc_msb.tif", "big-endian")


TILED = ["-co", "TILED=YES", "-co", "BLOCKXSIZE=16", "-co", "BLOCKYSIZE=16"]


def envi(name, heights):
    """Writes heights to a file that has the size of dem.tif."""
    numbers("dem.tif")
    with open(FOLDER / f"{name}.envi", "wb") as file:
        array("d", heights).tofile(file)
    (FOLDER / f"{name}.hdr").write_text((FOLDER / "plain.hdr").read_text())


def sparse():
    """Tests files in which GDAL leaves out strips and tiles: those that are 0, or that are no data."""
    heights, columns = numbers("dem.tif")
    half = len(heights) // columns // 2 * columns
    for kind, missing in [("gaps", -9999.0), ("zeros", 0.0)]:
        cut = [200 + z % 40 if cell < half else missing for cell, z in enumerate(map(int, heights))]
        envi(kind, cut)
        types = itertools.cycle(["Float32", "Int16", "Int32"] if missing < 0 else ["Float32", "UInt16", "Int16", "Byte"])
        shapes = [("tiles", TILED), ("strips", ["-co", "BLOCKYSIZE=8"]), ("big", [*TILED, "-co", "BIGTIFF=YES"])]
        # Each compression with one shape. Tests of the library combine all of them.
        for pack, (shape, options) in zip(["NONE", "LZW", "DEFLATE", "PACKBITS", "ZSTD", "LERC", "LERC_ZSTD"], itertools.cycle(shapes)):
            number = next(types)
            name = f"sparse_{kind}_{pack.lower()}_{number}_{shape}.tif"
            words = ["gdal_translate", "-q", *UTM, "-ot", number, "-co", f"COMPRESS={pack}", *options]
            words += ["-a_nodata", missing if missing < 0 else "none"]
            run(*words, f"{kind}.envi", "dense.tif")
            run(*words, "-co", "SPARSE_OK=TRUE", f"{kind}.envi", name)
            sizes = [(FOLDER / file).stat().st_size for file in ["dense.tif", name]]
            # GDAL never writes the zeros at the end of a file that is not packed.
            check(f"{name} is sparse", sizes[1] < sizes[0] or pack == "NONE" and missing == 0, sizes)
            check(f"{name}: GDAL reads the same heights", list(numbers(name)[0]) == cut)
            if missing < 0:
                refused(name, "has no height")
                tool(f"convert {name} --fill interpolate -o whole.tif")
                found = numbers("whole.tif")[0]
                near = min(cut[:half]) <= min(found) and max(found) <= max(cut)
                check(f"{name}: --fill interpolate", list(found[:half]) == cut[:half] and near)
                tool(f"convert {name} --fill 77 -o whole.tif")
            else:
                tool(f"convert {name} -o whole.tif")
            off = max(abs(a - (77 if b < 0 else b)) for a, b in zip(numbers("whole.tif")[0], cut))
            check(f"{name}: the same numbers", off < 1e-4, off)


def alpha():
    """Tests the alpha band of gdalwarp, whose cells outside of the source are 0."""
    source = info("dem.tif")["geoTransform"]
    extent = [source[0] - 300, source[3] - 57 * 30, source[0] + 71 * 30, source[3] + 300]
    types = itertools.cycle(["Float32", "Int16"])
    shapes = [("pixel", []), ("band", ["-co", "INTERLEAVE=BAND"]), ("tiles", TILED),
              ("band_tiles", [*TILED, "-co", "INTERLEAVE=BAND"]), ("sparse", [*TILED, "-co", "SPARSE_OK=TRUE"])]
    for pack, (shape, options) in zip(["NONE", "LZW", "DEFLATE", "ZSTD", "LERC"], shapes):
        number = next(types)
        name = f"alpha_{pack.lower()}_{number}_{shape}.tif"
        run("gdalwarp", "-q", "-overwrite", "-srcnodata", "none", "-dstalpha", "-te", *extent, "-tr", 30, 30, "-ot", number,
            "-co", f"COMPRESS={pack}", *options, "dem.tif", name)
        check(f"{name} has alpha", [band["colorInterpretation"] for band in info(name)["bands"]] == ["Gray", "Alpha"])
        refused(name, "has no height")
        heights, opaque = (numbers(name, "-b", band, "-a_nodata", "none")[0] for band in [1, 2])
        check(f"{name} is partly transparent", 0.2 < sum(a == 0 for a in opaque) / len(opaque) < 0.8)
        tool(f"convert {name} --fill 7 -o filled.tif")
        expected = [z if a > 0 else 7 for z, a in zip(heights, opaque)]
        check(f"{name}: --fill 7", list(numbers("filled.tif")[0]) == expected)
        tool(f"convert {name} --band 2 -o opaque.tif")
        check(f"{name}: --band 2", numbers("opaque.tif")[0] == opaque)
    # GDAL stores alpha of bytes as LERC's mask.
    run("gdal_translate", "-q", "-ot", "Byte", "-scale", -442, 1301, 1, 255, "-a_nodata", "none", "dem.tif", "bytes.tif")
    for shape, options in [("pixel", []), ("band", ["-co", "INTERLEAVE=BAND"])]:
        name = f"alpha_lerc_Byte_{shape}.tif"
        run("gdalwarp", "-q", "-overwrite", "-dstalpha", "-te", *extent, "-tr", 30, 30, "-co", "COMPRESS=LERC", *options, "bytes.tif", name)
        heights, opaque = (numbers(name, "-b", band)[0] for band in [1, 2])
        tool(f"convert {name} --fill 0 -o filled.tif")
        off = max(abs(a - (b if c > 0 else 0)) for a, b, c in zip(numbers("filled.tif")[0], heights, opaque))
        check(f"{name}: --fill 0", off < 1e-4, off)


def bands():
    """Tests files with three bands, each with its own numbers."""
    names = []
    for band, low in [(1, 0), (2, 300), (3, 1000)]:
        names.append(f"band_{band}.tif")
        run("gdal_translate", "-q", "-scale", -442, 1301, low, low + 700, "-a_nodata", "none", "dem.tif", names[-1])
    run("gdalbuildvrt", "-q", "-overwrite", "-separate", "bands.vrt", *names)
    orders = itertools.cycle(["LITTLE", "BIG", "BIG", "LITTLE", "LITTLE"])
    shapes = [("pixel", []), ("band", ["-co", "INTERLEAVE=BAND"]), ("tiles", TILED), ("band_tiles", [*TILED, "-co", "INTERLEAVE=BAND"])]
    packings = [("NONE", 1), ("LZW", 1), ("LZW", 2), ("DEFLATE", 3), ("ZSTD", 1), ("ZSTD", 3), ("LERC", 1)]
    for (pack, predictor), (shape, options) in zip(packings, itertools.cycle(shapes)):
        order = "LITTLE" if pack == "LERC" else next(orders)
        name = f"bands_{pack.lower()}{predictor}_{shape}_{order.lower()}.tif"
        pick = ["-co", f"PREDICTOR={predictor}"] if predictor > 1 else []
        run("gdal_translate", "-q", "-co", f"COMPRESS={pack}", "-co", f"ENDIANNESS={order}", *pick, *options, "bands.vrt", name)
        refused(name, "3 bands", "--band")
        for band in [1, 2, 3]:
            tool(f"convert {name} --band {band} -o one.tif")
            check(f"{name}: --band {band}", numbers("one.tif")[0] == numbers(name, "-b", band)[0])
        refused(f"{name} --band 4", "--band is 4, but the file has 3 bands")
    run("gdal_translate", "-q", "-ot", "Byte", "-scale", 0, 1700, 0, 255, "-co", "PHOTOMETRIC=RGB", "bands.vrt", "rgb.tif")
    refused("rgb.tif", "not gray")
    tool("convert rgb.tif --band 2 -o one.tif")
    off = max(abs(a - b) for a, b in zip(numbers("one.tif")[0], numbers("rgb.tif", "-b", 2)[0]))
    check("rgb.tif: --band 2", off < 1e-4, off)
    measured = json.loads(run(TOOL, "info", "bands_none1_pixel_little.tif", "--band", 3, "--json"))["elevation_meters"]
    check("info --band 3", abs(measured["lowest"] - min(numbers("band_3.tif")[0])) < 1e-3)


def flat():
    """Tests flat maps that compress better than 4096:1, and their damaged copies."""
    envi("level", [7.0] * len(numbers("dem.tif")[0]))
    for pack in ["ZSTD", "LERC", "LERC_DEFLATE", "LERC_ZSTD", "DEFLATE", "LZW"]:
        for shape, options in [("strip", ["-co", "BLOCKYSIZE=3000"]), ("tiles", ["-co", "TILED=YES", "-co", "BLOCKXSIZE=1024", "-co", "BLOCKYSIZE=1024"])]:
            name = f"flat_{pack.lower()}_{shape}.tif"
            run("gdal_translate", "-q", "-co", f"COMPRESS={pack}", *options, "-ot", "Float32", "-outsize", 3000, 3000, "level.envi", name)
            bytes = (FOLDER / name).read_bytes()
            measured = json.loads(run(TOOL, "info", name, "--json"))["elevation_meters"]
            check(f"{name}, {4 * 3000 * 3000 // len(bytes)}:1", (measured["lowest"], measured["highest"]) == (7, 7))
            (FOLDER / "flat_cut.tif").write_bytes(bytes[: len(bytes) * 3 // 4])
            refused("flat_cut.tif", "damaged")


def long_strips():
    """Tests a map in a single strip, and one in a few long strips of more than 1 MiB, uncompressed and compressed."""
    for name, rows, pack in [("single", 700, "NONE"), ("few", 300, "NONE"), ("packed", 700, "DEFLATE")]:
        name = f"strip_{name}.tif"
        run("gdal_translate", "-q", "-co", f"BLOCKYSIZE={rows}", "-co", f"COMPRESS={pack}", "-outsize", 900, 700, "-r", "bilinear", "dem.tif", name)
        tool(f"convert {name} -o whole.tif")
        check(f"{name}: the same numbers", numbers("whole.tif")[0] == numbers(name)[0])
        measured = json.loads(run(TOOL, "info", name, "--json"))["elevation_meters"]
        band = info(name)["bands"][0]
        near = all(abs(measured[ours] - band[theirs]) < 1e-3 for ours, theirs in [("lowest", "computedMin"), ("highest", "computedMax")])
        check(f"{name}: info", near, measured)


def large_blocks():
    """Tests maps in a single tile, or in tiles of more than 1 MiB, which are decompressed in pieces."""
    tiled = ["-co", "TILED=YES", "-co", "BLOCKXSIZE=1024", "-co", "BLOCKYSIZE=1024"]
    # GDAL 3.6 cannot read its own big-endian files with predictor 3.
    for number, (pack, predictor, order, big, size) in enumerate([
        ("DEFLATE", 3, "LITTLE", "NO", 900), ("DEFLATE", 2, "BIG", "YES", 1100), ("ZSTD", 3, "LITTLE", "NO", 1100),
        ("ZSTD", 2, "LITTLE", "YES", 900), ("LZW", 3, "LITTLE", "YES", 1100), ("LZW", 2, "LITTLE", "NO", 900),
        ("PACKBITS", 1, "BIG", "YES", 900), ("NONE", 1, "BIG", "YES", 1100),
    ]):
        name = f"block_{number}.tif"
        options = ["-co", f"COMPRESS={pack}", "-co", f"ENDIANNESS={order}", "-co", f"BIGTIFF={big}", *tiled]
        options += ["-co", f"PREDICTOR={predictor}"] if predictor > 1 else []
        options += ["-ot", "Int32"] if predictor == 2 else ["-ot", "Float32"]
        run("gdal_translate", "-q", *options, "-outsize", size, size, "-r", "bilinear", "dem.tif", name)
        tool(f"convert {name} -o whole.tif")
        check(f"{name}, {pack}: the same numbers", numbers("whole.tif")[0] == numbers(name)[0])
        measured = json.loads(run(TOOL, "info", name, "--json"))["elevation_meters"]
        found = numbers(name)[0]
        near = abs(measured["lowest"] - min(found)) < 1e-3 and abs(measured["highest"] - max(found)) < 1e-3
        check(f"{name}: info", near, measured)


def south_up():
    run("gdal_translate", "-q", "-a_ullr", 500000, 4650000 - 47 * 30, 500000 + 61 * 30, 4650000, "dem.tif", "south.tif")
    # The same terrain, flipped by GDAL.
    run("gdalwarp", "-q", "-overwrite", "-r", "near", "south.tif", "north.tif")
    tool("convert south.tif -o turned.tif")
    same = numbers("turned.tif")[0] == numbers("north.tif")[0]
    check("south.tif is flipped", same and info("turned.tif")["geoTransform"] == info("north.tif")["geoTransform"])
    compare("south.tif", "north.tif")


def feet():
    for unit, meters in [("ft", 0.3048), ("US survey foot", 1200 / 3937)]:
        name = f"feet_{unit[:2]}.tif"
        run("gdal_translate", "-q", "-scale", -442, 1301, -442 / meters, 1301 / meters, "-a_nodata", "none", "dem.tif", "numbers.tif")
        with_unit("numbers.tif", name, unit)
        compare(name, "dem.tif")
        tool(f"convert {name} -o meters.tif")
        off = max(abs(a - b) for a, b in zip(numbers("meters.tif")[0], numbers("dem.tif")[0]))
        check(f"{name}: meters", off < 1e-3, f"off by {off:.1e} m")
    # Horizontal coordinates in feet: a system of New York.
    run("gdal_translate", "-q", "-a_srs", "EPSG:2263", "-a_ullr", 900000, 200000, 900000 + 61 * 100, 200000 - 47 * 100, "dem.tif", "ny.tif")
    compare("ny.tif", "ny.tif", scale=1200 / 3937, only=["slope", "aspect", "hillshade"])


def with_unit(name, out, unit):
    """Writes the same file with another unit."""
    run("gdal_translate", "-q", "-of", "VRT", name, "edit.vrt")
    path = FOLDER / "edit.vrt"
    text = path.read_text()
    if "<UnitType>" in text:
        before, after = text.split("<UnitType>")[0], text.split("</UnitType>")[1]
        text = before + after
    path.write_text(text.replace("</VRTRasterBand>", f"<UnitType>{unit}</UnitType></VRTRasterBand>"))
    run("gdal_translate", "-q", "edit.vrt", out)


def scaled():
    run("gdal_translate", "-q", "-ot", "Int16", "-scale", -442, 1301, -20000, 20000, "-a_nodata", "none", "dem.tif", "packed.tif")
    scale = 1743 / 40000
    run("gdal_translate", "-q", "-a_scale", scale, "-a_offset", -442 + 20000 * scale, "packed.tif", "scaled.tif")
    run("gdal_translate", "-q", "-unscale", "-ot", "Float64", "scaled.tif", "unscaled.tif")
    compare("scaled.tif", "unscaled.tif")


def gaps():
    heights, columns = numbers("dem.tif")
    holes = [z for z in heights]
    for y in range(10, 16):
        for x in range(20, 29):
            holes[y * columns + x] = -9999.0
    with open(FOLDER / "holes.envi", "wb") as file:
        array("d", holes).tofile(file)
    header = (FOLDER / "plain.hdr").read_text()
    (FOLDER / "holes.hdr").write_text(header)
    run("gdal_translate", "-q", *UTM, "-a_nodata", -9999, "-ot", "Float32", "holes.envi", "holes.tif")
    refused("holes.tif", "has no height")
    run("gdal_translate", "-q", "-a_nodata", "none", "--config", "GDAL_TIFF_INTERNAL_MASK", "YES", "-mask", "mask",
        "holes.tif", "masked.tif")
    check("masked.tif has a mask", "PER_DATASET" in json.dumps(info("masked.tif")["bands"][0]["mask"]))
    refused("masked.tif", "has no height")
    run("gdal_translate", "-q", "-a_nodata", "none", "--config", "GDAL_TIFF_INTERNAL_MASK", "YES", "-mask", "mask",
        "-co", "COMPRESS=ZSTD", "holes.tif", "packed_mask.tif")
    refused("packed_mask.tif", "has no height")
    for pack, options in [("LERC", []), ("LERC_ZSTD", ["-co", "MAX_Z_ERROR=0"])]:
        name = f"{pack.lower()}_holes.tif"
        run("gdal_translate", "-q", "-co", f"COMPRESS={pack}", *options, "holes.tif", name)
        refused(name, "has no height")
    # NaN instead of a number: LERC stores its own mask.
    for z in range(len(holes)):
        holes[z] = math.nan if holes[z] == -9999 else holes[z]
    with open(FOLDER / "nan.envi", "wb") as file:
        array("d", holes).tofile(file)
    (FOLDER / "nan.hdr").write_text(header)
    holes = [-9999 if math.isnan(z) else z for z in holes]
    run("gdal_translate", "-q", *UTM, "-a_nodata", "nan", "-ot", "Float32", "-co", "COMPRESS=LERC_DEFLATE", "nan.envi", "lerc_nan.tif")
    refused("lerc_nan.tif", "has no height")
    low, high = min(heights), max(heights)
    for name in ["holes.tif", "masked.tif", "packed_mask.tif", "lerc_holes.tif", "lerc_zstd_holes.tif", "lerc_nan.tif"]:
        tool(f"convert {name} --fill 7 -o filled.tif")
        found, _ = numbers("filled.tif")
        right = all(a == (7 if b == -9999 else b) for a, b in zip(found, map(to_float, holes)))
        check(f"{name}: --fill 7", right)
        tool(f"convert {name} --fill interpolate -o filled.tif")
        found, _ = numbers("filled.tif")
        kept = all(a == b for a, b in zip(found, map(to_float, holes)) if b != -9999)
        check(f"{name}: --fill interpolate keeps valid cells", kept and low <= min(found) and max(found) <= high)
    off = [abs(a - b) for a, b, hole in zip(found, heights, holes) if hole == -9999]
    check("--fill interpolate is close to the terrain", max(off) < 0.15 * (high - low), f"at most {max(off):.0f} m of {high - low:.0f} m off, on average {sum(off) / len(off):.0f} m")


def plain_file(name, numbers, columns, *options):
    """Writes a file with GDAL that has only these numbers as Float32, and what the options add."""
    with open(FOLDER / "bare.envi", "wb") as file:
        array("f", numbers).tofile(file)
    (FOLDER / "bare.hdr").write_text(
        f"ENVI\nsamples = {columns}\nlines = {len(numbers) // columns}\nbands = 1\nheader offset = 0\n"
        "file type = ENVI Standard\ndata type = 4\ninterleave = bsq\nbyte order = 0\n")
    run("gdal_translate", "-q", *options, "bare.envi", name)


def same_numbers(name, *options):
    """The tool must read the same numbers as GDAL, in meters, with the same georeference."""
    tool(f"convert {name} {' '.join(options)} -o meters.tif")
    check(f"{name}: the same numbers", numbers("meters.tif")[0] == numbers(name)[0])
    if "geoTransform" in info(name):
        near = zip(info("meters.tif")["geoTransform"], info(name)["geoTransform"])
        check(f"{name}: the same georeference", all(abs(a - b) < 1e-6 for a, b in near))
    found = json.loads(run(TOOL, "info", name, *options, "--json"))
    check(f"{name}: is in meters", found["meaning"]["heights"] == "meters", found["meaning"]["reason"])


def low_elevations():
    """Elevations within 0 to 1 m, with any sign that they are elevations. GDAL takes all numbers as they are."""
    heights, columns = numbers("dem.tif")
    low, high = min(heights), max(heights)
    coast = [to_float(0.1 + 0.8 * (z - low) / (high - low)) for z in heights]
    for kind, options in {
        "system": UTM,
        "place": UTM[2:],
        "no_data": ["-a_nodata", "-9999"],
        "nan": ["-a_nodata", "nan"],
        "double": [*UTM, "-ot", "Float64"],
        "packed": [*UTM, "-co", "COMPRESS=LERC"],
    }.items():
        plain_file(f"coast_{kind}.tif", coast, columns, *options)
        same_numbers(f"coast_{kind}.tif")
    compare("coast_system.tif", "coast_system.tif", only=["slope", "TRI", "TPI", "roughness"])
    plain_file("coast.asc", coast, columns, "-of", "AAIGrid", *UTM[2:])
    same_numbers("coast.asc")
    plain_file("coast_int.tif", [round(z) for z in coast], columns, "-ot", "Int16")
    same_numbers("coast_int.tif")
    plain_file("coast_bare.tif", coast, columns)
    same_numbers("coast_bare.tif", "--read-heights", "meters")


def world_files():
    """Integers in meters whose georeference is next to the file, as GDAL writes it."""
    heights, columns = numbers("dem.tif")
    whole = [round(z) + 442 for z in heights]
    plain = ["-co", "PROFILE=BASELINE"]
    for name, kind, options, file in [
        ("world_16.tif", "UInt16", [*plain, "-co", "TFW=YES"], "world_16.tfw"),
        ("world_8.tif", "Byte", [*plain, "-co", "TFW=YES", "-scale", 0, 1743, 0, 255], "world_8.tfw"),
        ("world_32.tif", "Float32", [*plain, "-co", "TFW=YES", "-scale", 0, 1743, 0.1, 0.9], "world_32.tfw"),
        ("world.png", "UInt16", ["-of", "PNG", "-co", "WORLDFILE=YES"], "world.wld"),
        ("world_8.png", "Byte", ["-of", "PNG", "-co", "WORLDFILE=YES", "-scale", 0, 1743, 0, 255], "world_8.wld"),
        ("xml.png", "UInt16", ["-of", "PNG"], "xml.png.aux.xml"),
        ("xml.tif", "UInt16", plain, "xml.tif.aux.xml"),
    ]:
        plain_file(name, whole, columns, "-ot", kind, *options, *UTM)
        check(f"{file} is written", (FOLDER / file).exists())
        if file.endswith("w") or file.endswith("wld"):
            # Only the world file, not GDAL's XML.
            (FOLDER / f"{name}.aux.xml").unlink(missing_ok=True)
        same_numbers(name)
    # GDAL's XML may contain a scale and an offset too.
    plain_file("scaled.png", whole, columns, "-of", "PNG", "-ot", "UInt16", *UTM, "-a_scale", 0.5, "-a_offset", -442)
    run("gdal_translate", "-q", "-unscale", "-ot", "Float64", "scaled.png", "unscaled.tif")
    tool("convert scaled.png -o meters.tif")
    off = max(abs(a - b) for a, b in zip(numbers("meters.tif")[0], numbers("unscaled.tif")[0]))
    check("scaled.png: scale and offset", off < 1e-3, f"off by {off:.1e} m")


def no_data_values():
    """No-data values with few digits, compared with GDAL's mask."""
    lowest = -3.4028234663852886e38
    cells = [1, lowest, 3, -9999, 5, 6, -32768, 8, -3.4e38, 10, 11, 1200]
    for text in ["-3.40282e+38", "-3.402823e+38", "-3.4028235e+38", "-3.3e38", "-9999", "-9999.004", "-9999.02", "-32768", "0", "nan"]:
        plain_file("digits.tif", cells, 4, "-a_nodata", text)
        run("gdal_translate", "-q", "-of", "ENVI", "-b", "mask", "digits.tif", "mask.envi")
        mask = (FOLDER / "mask.envi").read_bytes()
        tool("convert digits.tif --fill 7777 -o filled.tif")
        found = [z == 7777 for z in numbers("filled.tif")[0]]
        check(f"no-data value {text}: the same cells", found == [m == 0 for m in mask], f"{sum(found)} cells")
        if any(found):
            refused("digits.tif", "has no height")
    # The same value, not declared.
    plain_file("digits.tif", cells, 4, *UTM[2:])
    tool("convert digits.tif --nodata -3.40282e+38 --nodata -9999 --nodata -32768 --fill 7777 -o filled.tif")
    found = [z == 7777 for z in numbers("filled.tif")[0]]
    check("--nodata", found == [z < 0 for z in cells])
    plain_file("inf.tif", [1, -math.inf, 3, math.inf, 5, 6], 3)
    refused("inf.tif", "-inf", "--fill")
    tool("convert inf.tif --fill 7777 -o filled.tif")
    check("infinite cells are filled", list(numbers("filled.tif")[0]) == [1, 7777, 3, 7777, 5, 6])


def odd_grids():
    """Grids with decimal commas, and with the word null."""
    for name, header, cells in [
        ("comma.asc", "NODATA_value -9999", "0,1 0,25 0,5\n1,5 -9999 1e2\n"),
        ("null.asc", "NODATA_value null", "0.1 0.25 null\n1.5 null 2.5\n"),
    ]:
        (FOLDER / name).write_text(f"ncols 3\nnrows 2\nxllcorner 500000,5\nyllcorner 10\ncellsize 2,5\n{header}\n{cells}")
        refused(name, "has no height")
        tool(f"convert {name} --fill 7777 -o filled.tif")
        theirs, no_data = numbers(name)[0], info(name)["bands"][0]["noDataValue"]
        # GDAL's JSON has the no-data value with fewer digits.
        expected = [7777 if math.isclose(z, no_data, rel_tol=1e-6) else z for z in theirs]
        check(f"{name}: the same numbers", list(numbers("filled.tif")[0]) == expected, expected)
        check(f"{name}: the same georeference", info("filled.tif")["geoTransform"] == info(name)["geoTransform"])


def to_float(number):
    return array("f", [number])[0]


def horn(name, widths):
    """Compares slope and aspect with Horn's formula, with the widths of each row in meters."""
    heights, columns = numbers(name)
    tool(f"measure {name} --what slope -o slope.tif")
    tool(f"measure {name} --what aspect -o aspect.tif")
    (slope, _), (aspect, _) = numbers("slope.tif"), numbers("aspect.tif")
    most = [0.0, 0.0]
    for y in range(1, len(heights) // columns - 1):
        east, south = widths(y)
        for x in range(1, columns - 1):
            z = lambda dx, dy: heights[(y + dy) * columns + x + dx]
            rise = (z(1, -1) + 2 * z(1, 0) + z(1, 1) - z(-1, -1) - 2 * z(-1, 0) - z(-1, 1)) / 8 / east
            fall = (z(-1, 1) + 2 * z(0, 1) + z(1, 1) - z(-1, -1) - 2 * z(0, -1) - z(1, -1)) / 8 / south
            expected = math.degrees(math.atan(math.hypot(rise, fall)))
            most[0] = max(most[0], abs(slope[y * columns + x] - expected))
            if expected > 0.01:
                facing = math.degrees(math.atan2(-rise, fall)) % 360
                off = abs(aspect[y * columns + x] - facing)
                most[1] = max(most[1], min(off, 360 - off))
    check(f"{name}: slope by Horn", most[0] < 2e-3, f"off by {most[0]:.1e}")
    check(f"{name}: aspect by Horn", most[1] < 0.05, f"off by {most[1]:.1e}")


def degrees():
    cell = 1 / 3600
    for north in [47.5, -12.0, 71.0]:
        name = f"degrees_{north:.0f}.tif"
        run("gdal_translate", "-q", "-a_srs", "EPSG:4326", "-a_ullr", 8, north, 8 + 61 * cell, north - 47 * cell, "dem.tif", name)

        def widths(y):
            latitude = math.radians(north - (y + 0.5) * cell)
            w = math.sqrt(1 - 0.00669437999014 * math.sin(latitude) ** 2)
            east = math.radians(cell) * 6378137 * math.cos(latitude) / w
            return east, math.radians(cell) * 6378137 * (1 - 0.00669437999014) / w**3

        horn(name, widths)
    web_mercator()


def web_mercator():
    """At 47 degrees a meter of Web Mercator is 0.68 m on the ground, which gdaldem ignores."""
    north, cell = 5_950_000, 30
    run("gdal_translate", "-q", "-a_srs", "EPSG:3857", "-a_ullr", 900000, north, 900000 + 61 * cell, north - 47 * cell, "dem.tif", "web.tif")

    def widths(y):
        latitude = math.atan(math.sinh((north - (y + 0.5) * cell) / 6378137))
        w = math.sqrt(1 - 0.00669437999014 * math.sin(latitude) ** 2)
        east = cell * math.cos(latitude) / w
        return east, cell * math.cos(latitude) * (1 - 0.00669437999014) / w**3

    horn("web.tif", widths)


# 3. Other grids.

def same(name, judge, near=0.0, options=""):
    """Checks that the tool reads the same numbers and the same georeference as GDAL reads from another file."""
    tool(f"convert {name} {options} -o back.tif")
    off = max(abs(a - b) for a, b in zip(numbers("back.tif")[0], numbers(judge)[0], strict=True))
    check(f"{name}: the same heights", off <= near, f"off by {off:.1e} m")
    ours, theirs = info("back.tif"), info(judge)
    cell = theirs["geoTransform"][1]
    near = all(abs(a - b) < 1e-5 * cell for a, b in zip(ours["geoTransform"], theirs["geoTransform"]))
    check(f"{name}: georeference", near, ours["geoTransform"])
    return ours


def grids():
    xyz()
    bil()
    srtm()
    whole_meters()
    encodings()


def xyz():
    run("gdal_translate", "-q", "-of", "XYZ", "dem.tif", "points.xyz")
    # GDAL may round heights to ten digits.
    same("points.xyz", "dem.tif", 1e-5)
    lines = (FOLDER / "points.xyz").read_text().splitlines()
    # Column by column, from the east.
    lines = [lines[y * 61 + x] for x in reversed(range(61)) for y in range(47)]
    (FOLDER / "turned.xyz").write_text("\n".join(lines).replace(" ", ","))
    same("turned.xyz", "dem.tif", 1e-5)
    compare("points.xyz", "dem.tif", only=["slope", "TRI"])
    (FOLDER / "holes.xyz").write_text("\n".join(lines[:100] + lines[101:]))
    refused("holes.xyz", "has no height")
    run(TOOL, "convert", "dem.tif", "-o", "ours.xyz", "-q")
    found, _ = numbers("ours.xyz")
    check("ours.xyz: the same numbers", found == numbers("dem.tif")[0])
    after = info("ours.xyz")
    near = all(abs(a - b) < 1e-6 for a, b in zip(after["geoTransform"], info("dem.tif")["geoTransform"]))
    check("ours.xyz: georeference", near and "UTM zone 33N" in after["coordinateSystem"]["wkt"], after["geoTransform"])
    system = same("ours.xyz", "dem.tif")["coordinateSystem"]["wkt"]
    check("ours.xyz: coordinate system", "UTM zone 33N" in system)


def bil():
    for kind in ["Byte", "Int16", "UInt16", "Int32", "UInt32", "Float32"]:
        lift = ["-scale", -442, 1301, 0, 255] if kind == "Byte" else ["-scale", -442, 1301, 0, 1743] if kind.startswith("U") else []
        name = f"{kind}.bil"
        run("gdal_translate", "-q", "-of", "EHdr", "-ot", kind, *lift, "-a_nodata", "none", "dem.tif", name)
        system = same(name, name)["coordinateSystem"]["wkt"]
        check(f"{name}: coordinate system", "UTM zone 33N" in system)
        compare(name, name, only=["slope"])
    run("gdal_translate", "-q", "-of", "EHdr", "-a_nodata", -9999, "dem.tif", "grid.flt")
    same("grid.flt", "dem.tif")
    # The header of a float grid, as Esri's programs write it.
    head = "ncols 61\nnrows 47\nxllcorner 500000\nyllcorner 4648590\ncellsize 30\nNODATA_value -9999\nbyteorder LSBFIRST\n"
    (FOLDER / "grid.hdr").write_text(head)
    same("grid.flt", "grid.flt")
    # Without PIXELTYPE, a negative no-data value means signed numbers.
    header = FOLDER / "Int16.hdr"
    header.write_text("".join(line for line in header.read_text().splitlines(True) if "PIXELTYPE" not in line))
    same("Int16.bil", "Int16.bil")
    header.write_text(header.read_text() + "NODATA -9999\n")
    same("Int16.bil", "Int16.bil")
    # Big-endian numbers.
    swapped = array("H", (FOLDER / "Int16.bil").read_bytes())
    swapped.byteswap()
    (FOLDER / "msb.bil").write_bytes(swapped.tobytes())
    (FOLDER / "msb.hdr").write_text("".join("BYTEORDER M\n" if "BYTEORDER" in line else line for line in header.read_text().splitlines(True)))
    same("msb.bil", "msb.bil")
    same("msb.bil", "Int16.bil")
    (FOLDER / "lonely.bil").write_bytes(b"1234")
    refused("lonely.bil", "lonely.hdr does not exist")


def srtm():
    for name, side, west, south in [("N38W010", 1201, -10, 38), ("S13E008", 1201, 8, -13), ("N47E008", 3601, 8, 47)]:
        half = 0.5 / (side - 1)
        edges = [west - half, south + 1 + half, west + 1 + half, south - half]
        run("gdal_translate", "-q", "-ot", "Int16", "-outsize", side, side, "-r", "bilinear", "-a_srs", "EPSG:4326", "-a_ullr", *edges,
            "-a_nodata", -32768, "dem.tif", "wide.tif")
        run("gdal_translate", "-q", "-of", "SRTMHGT", "wide.tif", f"{name}.hgt")
        system = same(f"{name}.hgt", f"{name}.hgt")["coordinateSystem"]["wkt"]
        check(f"{name}.hgt: coordinate system", 'ID["EPSG",4326]' in system)
    path = FOLDER / "N38W010.hgt"
    whole = bytearray(path.read_bytes())
    at = 2 * (1201 * 7 + 5)
    whole[at : at + 2] = b"\x80\x00"
    path.write_bytes(whole)
    refused("N38W010.hgt", "column 5, row 7 has no height")
    tool("convert N38W010.hgt --fill 7 -o filled.tif")
    check("N38W010.hgt: --fill 7", numbers("filled.tif")[0][1201 * 7 + 5] == 7)
    run("cp", "S13E008.hgt", "dem.hgt")
    refused("dem.hgt", "N38W010.hgt")


def whole_meters():
    for order, swap in [("", False), ("--to-big-endian", True)]:
        tool(f"convert dem.tif --to-raw-format i16 {order} -o whole.raw")
        found = array("h", (FOLDER / "whole.raw").read_bytes())
        if swap:
            found.byteswap()
        off = max(abs(a - b) for a, b in zip(found, numbers("dem.tif")[0], strict=True))
        check(f"whole.raw {order}: whole meters", off <= 0.5, f"off by {off} m")
    run("gdal_translate", "-q", "-of", "ENVI", "-ot", "Int16", "-a_nodata", "none", "dem.tif", "words.raw")
    tool("convert words.raw --raw-format i16 --size 61x47 -o back.tif")
    check("words.raw: the same numbers", numbers("back.tif")[0] == numbers("words.raw")[0])
    measured = json.loads(run(TOOL, "info", "words.raw", "--raw-format", "i16", "--size", "61x47", "--json"))["elevation_meters"]
    check("words.raw: info", measured["lowest"] == min(numbers("words.raw")[0]), measured)


def encodings():
    heights, _ = numbers("dem.tif")
    for name, lowest, steps in [("terrarium", -32768, 256), ("mapbox", -10000, 10)]:
        tool(f"convert dem.tif --to-encoding {name} -o {name}.png")
        run("gdal_translate", "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP", "-ot", "Byte", f"{name}.png", "colors.envi")
        colors = (FOLDER / "colors.envi").read_bytes()
        found = [int.from_bytes(colors[i : i + 3], "big") / steps + lowest for i in range(0, len(colors), 3)]
        off = max(abs(a - b) for a, b in zip(found, heights))
        check(f"{name}.png: heights", off <= 0.5 / steps + 1e-6, f"off by {off:.1e} m")
        tool(f"convert {name}.png --encoding {name} -o back.tif")
        off = max(abs(a - b) for a, b in zip(numbers("back.tif")[0], found))
        check(f"{name}.png is read back", off < 1e-4, f"off by {off:.1e} m")
        # Written by GDAL, without our metadata.
        run("gdal_translate", "-q", "-of", "PNG", "colors.envi", f"gdal_{name}.png")
        tool(f"convert gdal_{name}.png --encoding {name} -o back.tif")
        off = max(abs(a - b) for a, b in zip(numbers("back.tif")[0], found))
        check(f"gdal_{name}.png", off < 1e-4, f"off by {off:.1e} m")
        refused(f"gdal_{name}.png", f"--encoding {name}")


# 4. Projections and several files.

def warped(ours, source, method):
    """Compares a projected map with that of gdalwarp on the same grid."""
    about = info(ours)
    (FOLDER / "plane.wkt").write_text(about["coordinateSystem"]["wkt"])
    west, cell, _, north, _, down = about["geoTransform"]
    width, height = about["size"]
    extent = [west, north + height * down, west + width * cell, north]
    run("gdalwarp", "-q", "-overwrite", "-et", 0, "-t_srs", "plane.wkt", "-te", *extent, "-ts", width, height, "-r", method, "-dstnodata", -9999, source, "gdal.tif")
    (found, _), (expected, _) = numbers(ours), numbers("gdal.tif")
    gaps = [(a == -9999, b == -9999) for a, b in zip(found, expected, strict=True)]
    check(f"{ours}: the same no-data cells", all(a == b for a, b in gaps), sum(a for a, _ in gaps))
    both = [(a, b) for a, b in zip(found, expected) if a != -9999]
    relief = max(b for _, b in both) - min(b for _, b in both)
    off = max(abs(a - b) for a, b in both) / relief
    worst["project"] = max(worst.get("project", 0), off)
    check(f"{ours}: like gdalwarp -r {method}", off < 0.01, f"off by {off:.1e} of the relief")


def projected():
    waves = lambda x, y: 900 + 500 * math.sin(x / 9) * math.cos(y / 11) + 80 * math.sin(x / 6 + y / 7)
    rows = "\n".join(" ".join(f"{waves(x, y):.3f}" for x in range(120)) for y in range(100))
    (FOLDER / "waves.asc").write_text(f"ncols 120\nnrows 100\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n{rows}\n")
    for name, system, west, north, cell, epsg in [
        ("alps", 4326, 8.2, 47.1, 1 / 3600, 32632),
        ("andes", 4326, -70.5, -33.2, 1 / 1200, 32719),
        ("arctic", 4258, 17.9, 69.2, 1 / 1200, 32633),
        ("web", 3857, 900000, 5950000, 30, 32632),
        ("utm", 32631, 750000, 5200000, 30, 32632),
    ]:
        source = f"waves_{name}.tif"
        run("gdal_translate", "-q", "-ot", "Float32", "-a_srs", f"EPSG:{system}", "-a_ullr", west, north, west + 120 * cell, north - 100 * cell, "waves.asc", source)
        for method, kind in [("bilinear", "bilinear"), ("cubic", "bicubic")]:
            ours = f"{name}_{kind}.tif"
            tool(f"convert {source} --project utm --resampling {kind} -o {ours}")
            check(f"{ours}: EPSG:{epsg}", f'ID["EPSG",{epsg}]' in info(ours)["coordinateSystem"]["wkt"])
            warped(ours, source, method)
        tool(f"convert {source} --project utm --fill -9999 -o {name}_whole.tif")
        warped(f"{name}_whole.tif", source, "cubic")
    local()


def local():
    """The local plane has no EPSG code, so GDAL gets its definition."""
    tool("convert waves_alps.tif --project meters -o plane.tif")
    longitude, latitude = 8.2 + 60 / 3600, 47.1 - 50 / 3600
    run("gdal_translate", "-q", "-a_srs", f"+proj=tmerc +lon_0={longitude!r} +lat_0={latitude!r} +k=1 +datum=WGS84 +units=m", "plane.tif", "local.tif")
    warped("local.tif", "waves_alps.tif", "cubic")


def merged():
    for name, box in [("one", (0, 0, 70, 60)), ("two", (60, 20, 60, 80)), ("three", (10, 70, 30, 30))]:
        run("gdal_translate", "-q", "-srcwin", *box, "waves_alps.tif", f"part_{name}.tif")
    tool("convert part_one.tif part_two.tif part_three.tif --fill -9999 -o merged.tif")
    # The last file is on top in GDAL.
    run("gdalbuildvrt", "-q", "-overwrite", "merged.vrt", "part_three.tif", "part_two.tif", "part_one.tif")
    same_place = info("merged.tif")["geoTransform"], info("merged.vrt")["geoTransform"]
    near = all(abs(a - b) < 1e-9 for a, b in zip(*same_place))
    check("merged.tif: the same georeference", near, same_place[0])
    check("merged.tif: the same heights", list(numbers("merged.tif")[0]) == list(numbers("merged.vrt")[0]))


# 5. Unsupported files.

def refused(name, *words):
    said = run(TOOL, "convert", *name.split(), "-o", "never.tif", fails=True)
    right = said.count("\n") == 1 and all(word in said for word in words)
    check(f"{name} is rejected", right and not (FOLDER / "never.tif").exists(), said.strip())


def refusals():
    run("gdal_translate", "-q", "-of", "VRT", "dem.tif", "edit.vrt")
    path = FOLDER / "edit.vrt"
    text = path.read_text()
    before, after = text.split("<GeoTransform>")[0], text.split("</GeoTransform>")[1]
    path.write_text(before + "<GeoTransform>500000, 20, 5, 4650000, 5, -20</GeoTransform>" + after)
    run("gdal_translate", "-q", "edit.vrt", "rotated.tif")
    refused("rotated.tif", "rotated")
    with_unit("dem.tif", "fathoms.tif", "fathom")
    refused("fathoms.tif", "fathom")
    run("gdal_translate", "-q", "-gcp", 0, 0, 8, 47, "-gcp", 60, 0, 9, 47, "-gcp", 0, 46, 8, 46, "-a_srs", "EPSG:4326", "made.tif", "points.tif")
    refused("points.tif", "control points")
    if packs("LZMA"):
        run("gdal_translate", "-q", "-co", "COMPRESS=LZMA", "dem.tif", "lzma.tif")
        refused("lzma.tif", "compression with LZMA")


# Half of the work runs in a second process, in a folder with the same sources.

sources()
SIDE = FOLDER / "side"
SIDE.mkdir(exist_ok=True)
for path in FOLDER.iterdir():
    if path.is_file():
        shutil.copy(path, SIDE)
sys.stdout.flush()
child = os.fork()
if child == 0:
    FOLDER, checks = SIDE, 0
    written()
    kinds_of_tiff()
    grids()
    projected()
    merged()
    refusals()
    (SIDE / "result").write_text(json.dumps([checks, worst]))
    sys.exit(0)
models()
if os.waitpid(child, 0)[1] != 0:
    sys.exit(1)
others, worst_there = json.loads((SIDE / "result").read_text())
checks += others
worst = {mode: max(found.get(mode, 0) for found in [worst, worst_there]) for mode in worst | worst_there}
print(f"{checks} checks passed; the largest differences: " + ", ".join(f"{mode} {off:.1e}" for mode, off in worst.items()))
