#!/usr/bin/env python3
"""Compares this crate's files with those of other programs, in both directions. Run it manually:

    python3 crates/lanternfell_io/tests/verify/verify.py FOLDER

The script creates FOLDER and writes all of its files there. `cargo test` does not need it.

Requirements: cargo; GDAL (gdalinfo, gdal_translate); ImageMagick (convert, identify); node and
npm (to install gltf-validator in FOLDER); and the Python packages

    pip install numpy trimesh networkx scipy pillow tifffile imagecodecs OpenEXR

Steps:
 1. `io/verify.rs` writes a map in every format, and as plain f32 with a sidecar.
 2. GDAL, ImageMagick, tifffile and OpenEXR must read the same numbers from the images and grids,
    and GDAL must read the same heights in meters, unit and georeference. gltf-validator must
    report no errors and no warnings for the GLBs. trimesh must find that the solids are closed
    and have the volume that follows from the heights, and that OBJs and GLBs have the same surface.
 3. The same programs write files, each with a file of the expected numbers next to it, and
    `io/verify.rs` must read the same numbers.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import OpenEXR
import tifffile
import trimesh

if len(sys.argv) != 2:
    sys.exit(__doc__)
FOLDER = Path(sys.argv[1]).resolve()
OTHERS = FOLDER / "others"
CRATE = Path(__file__).resolve().parents[2]
OTHERS.mkdir(parents=True, exist_ok=True)

checks = 0


def check(what, right, detail=""):
    global checks
    checks += 1
    print(("ok    " if right else "WRONG ") + what, detail)
    if not right:
        sys.exit(1)


def run(*command, **options):
    words = [str(word) for word in command]
    print("$", " ".join(words))
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return done.stdout


def rust(test):
    environment = dict(os.environ, LANTERNFELL_VERIFY=str(FOLDER))
    command = ["cargo", "test", "-p", "lanternfell_io", "--test", "io", test]
    return run(*command, "--", "--ignored", "--nocapture", env=environment, cwd=CRATE)


def sidecar_and_map(path):
    sidecar = json.loads(Path(str(path) + ".json").read_text())
    kind = {"f32": "f4", "u16": "u2", "u8": "u1"}[sidecar["sample"]]
    order = {"little": "<", "big": ">"}[sidecar["byte_order"]]
    numbers = np.fromfile(path, dtype=order + kind)
    return sidecar, numbers.reshape(sidecar["height"], sidecar["width"])


def gdal(path):
    """Returns the numbers that GDAL reads, converted to ENVI's plain format."""
    plain = FOLDER / (path.name + ".envi")
    run("gdal_translate", "-q", "-of", "ENVI", path, plain)
    header = plain.with_suffix(".hdr")
    fields = dict(
        line.split("=", 1) for line in header.read_text().splitlines() if "=" in line
    )
    fields = {name.strip(): value.strip() for name, value in fields.items()}
    kind = {"1": "u1", "2": "<i2", "4": "<f4", "5": "<f8", "12": "<u2"}[fields["data type"]]
    return np.fromfile(plain, dtype=kind).reshape(int(fields["lines"]), int(fields["samples"]))


def magick(path):
    """Returns the numbers that ImageMagick reads, as 16-bit gray."""
    plain = FOLDER / (path.name + ".gray")
    size = run("identify", "-format", "%w %h", path).split()
    # Declare the colorspace as sRGB, otherwise the linear numbers of an OpenEXR image would be converted.
    run("convert", path, "-set", "colorspace", "sRGB", "-depth", "16", "-endian", "LSB", "gray:" + str(plain))
    return np.fromfile(plain, dtype="<u2").reshape(int(size[1]), int(size[0]))


def pictures_and_grids(heights):
    words = np.floor(heights.astype("f8") * 65535 + 0.5).astype("u2")
    octets = np.floor(heights.astype("f8") * 255 + 0.5).astype("u1")
    for name, expected in [
        ("16.png", words), ("8.png", octets), ("16.pgm", words), ("8.pgm", octets),
        ("16.tif", words), ("8.tif", octets), ("f32.tif", heights), ("geo.tif", heights),
        ("f32.asc", heights),
    ]:
        found = gdal(FOLDER / name)
        same = found.shape == expected.shape and np.array_equal(found.astype("f8"), expected.astype("f8"))
        check(f"GDAL reads the same numbers in {name}", same, found.dtype)
        stats = json.loads(run("gdalinfo", "-stats", "-json", FOLDER / name))
        band = stats["bands"][0]
        near = abs(band["maximum"] - float(expected.max())) < 1e-3 * max(1.0, float(expected.max()))
        check(f"gdalinfo -stats of {name}", near, f"{band['type']} {band['minimum']}..{band['maximum']}")
    for name in ["geo.tif", "16.tif", "f32.asc"]:
        place = json.loads(run("gdalinfo", "-json", FOLDER / name))["geoTransform"]
        check(f"the georeference of {name}", place == [0.0, 2.5, 0.0, heights.shape[0] * 2.5, 0.0, -2.5], place)
    for name in ["16.png", "16.pgm", "16.tif"]:
        check(f"ImageMagick reads the same numbers in {name}", np.array_equal(magick(FOLDER / name), words))
    for name in ["8.png", "8.pgm", "8.tif"]:
        same = np.array_equal(magick(FOLDER / name), octets.astype("u2") * 257)
        check(f"ImageMagick reads the same numbers in {name}", same)
    for name in ["f32.exr", "f32.tif"]:
        off = np.abs(magick(FOLDER / name).astype("f8") - heights.astype("f8") * 65535)
        # ImageMagick keeps 16 bits, and reads OpenEXR images as halves.
        limit = 33.0 if name.endswith("exr") else 1.0
        check(f"ImageMagick reads nearly the same numbers in {name}", off.max() <= limit, f"off by {off.max():.1f} of 65535")
    found = OpenEXR.File(str(FOLDER / "f32.exr")).channels()
    check("OpenEXR reads the same bits in f32.exr", np.array_equal(found["Y"].pixels, heights), list(found))
    for name, expected in [("f32.tif", heights), ("geo.tif", heights), ("16.tif", words), ("8.tif", octets)]:
        found = tifffile.imread(FOLDER / name)
        check(f"tifffile reads the same bits in {name}", found.dtype == expected.dtype and np.array_equal(found, expected))


def meters(heights):
    """Checks what GDAL reads from a map with heights from -12 to 288 m, near Venice."""
    expected = heights.astype("f8") * 300 - 12
    for name in ["meters.tif", "meters.asc", "meters.png", "meters-unit.tif", "meters-u16.tif"]:
        info = json.loads(run("gdalinfo", "-json", FOLDER / name))
        band = info["bands"][0]
        check(f"{name}: unit", band["unit"] == "m")
        place = [500000.0, 10.0, 0.0, 4649000.0 + heights.shape[0] * 12.5, 0.0, -12.5]
        check(f"{name}: georeference", np.allclose(info["geoTransform"], place), info["geoTransform"])
        if name != "meters.asc":
            check(f"{name}: coordinate system", "UTM zone 33N" in info["coordinateSystem"]["wkt"])
        if name in ["meters.tif", "meters.asc"]:
            check(f"{name}: no data", band["noDataValue"] == -9999)
        found = gdal(FOLDER / name).astype("f8") * band.get("scale", 1.0) + band.get("offset", 0.0)
        off = np.abs(found - expected).max()
        check(f"{name}: meters", off < 300 / 65535, f"off by {off:.1e} m")
    found = OpenEXR.File(str(FOLDER / "meters.exr")).channels()["Y"].pixels
    check("meters.exr: meters", np.abs(found - expected).max() < 1e-4)


def picks(cells, step):
    return sorted(set(range(0, cells, step)) | {cells - 1})


def meshes(sidecar, heights):
    relief, (spacing, _) = sidecar["relief"], sidecar["spacing"]
    rows, columns = heights.shape
    half = np.array([(columns - 1) * spacing / 2, (rows - 1) * spacing / 2])
    for step in [1, 3]:
        down, across = picks(rows, step), picks(columns, step)
        kept = heights[np.ix_(down, across)].astype("f8")
        squares = (len(down) - 1) * (len(across) - 1)
        box = np.array([[-half[0], kept.min() * relief, -half[1]], [half[0], kept.max() * relief, half[1]]])
        for kind in ["obj", "glb"]:
            mesh = trimesh.load(FOLDER / f"step{step}.{kind}", force="mesh", process=False)
            check(f"step{step}.{kind}: triangles", len(mesh.faces) == 2 * squares, len(mesh.faces))
            check(f"step{step}.{kind}: box", np.allclose(mesh.bounds, box, atol=1e-4), mesh.bounds.tolist())
            check(f"step{step}.{kind}: faces up", bool((mesh.face_normals[:, 1] > 0).all()))
            flat = np.abs(np.linalg.norm(mesh.vertex_normals, axis=1) - 1).max()
            check(f"step{step}.{kind}: normals of length 1", flat < 1e-3, flat)
        solid = trimesh.load(FOLDER / f"step{step}.stl")
        check(f"step{step}.stl: closed", solid.is_watertight and solid.is_winding_consistent and solid.is_volume)
        per_cell = 100.0 / (max(rows, columns) - 1)
        z = 3.0 + (kept - float(heights.min())) * relief * per_cell / spacing
        area = np.outer(np.diff(down), np.diff(across)) * per_cell**2
        nw, ne, sw, se = z[:-1, :-1], z[:-1, 1:], z[1:, :-1], z[1:, 1:]
        volume = float((area / 6 * ((nw + sw + ne) + (sw + se + ne))).sum())
        check(f"step{step}.stl: volume", abs(solid.volume / volume - 1) < 1e-5, f"{solid.volume:.3f} mm3, {volume:.3f} expected")
        sides = 2 * (len(down) + len(across) - 2)
        check(f"step{step}.stl: triangles", len(solid.faces) == 2 * squares + 3 * sides, len(solid.faces))
        check(f"step{step}.stl: one piece", solid.body_count == 1 and solid.euler_number == 2)
        size = [(columns - 1) * per_cell, (rows - 1) * per_cell, z.max()]
        check(f"step{step}.stl: box", np.allclose(solid.bounds, [[0, 0, 0], size], atol=1e-3), size)


def texture(heights):
    """Checks that each vertex of the GLB has the color of its cell's pixel."""
    rows, columns = heights.shape
    visual = trimesh.load(FOLDER / "step1.glb", force="mesh", process=False).visual
    picture = np.asarray(visual.material.baseColorTexture.convert("RGB"))
    check("step1.glb: its texture", picture.shape == (rows, columns, 3), picture.shape)
    # The v of trimesh starts at the bottom.
    x = np.floor(visual.uv[:, 0] * columns).astype(int)
    y = np.floor((1 - visual.uv[:, 1]) * rows).astype(int)
    seen = picture[y, x].reshape(rows, columns, 3)
    check("step1.glb: the colors match the cells", np.array_equal(seen, picture))


VALIDATE = """
const fs = require('fs'), validator = require('gltf-validator');
const name = process.argv[2];
validator.validateBytes(new Uint8Array(fs.readFileSync(name)))
  .then(report => console.log(JSON.stringify(report.issues)));
"""


def validate():
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", FOLDER, "gltf-validator")
    script = FOLDER / "validate.js"
    script.write_text(VALIDATE)
    for name in ["step1.glb", "step3.glb", "large.glb"]:
        issues = json.loads(run("node", script, FOLDER / name))
        found = [issues[kind] for kind in ["numErrors", "numWarnings", "numInfos", "numHints"]]
        check(f"gltf-validator: {name}", found[:2] == [0, 0], f"errors, warnings, infos, hints: {found} {issues['messages']}")


def expect(name, heights):
    """Writes the expected heights of a file next to it, as RAW with a sidecar."""
    heights = np.ascontiguousarray(heights, dtype="<f4")
    heights.tofile(OTHERS / (name + ".r32"))
    (OTHERS / (name + ".r32.json")).write_text(json.dumps({
        "version": 1, "width": heights.shape[1], "height": heights.shape[0],
        "sample": "f32", "byte_order": "little",
        "lowest": float(heights.min()), "highest": float(heights.max()),
        "offset": 0.0, "relief": 1.0, "unit": None, "no_data": None,
        "spacing": [1.0, 1.0], "corner": [0.0, 0.0], "cell": [1.0, 1.0], "cell_unit": "m", "system": None,
        "sea_level": None, "snow_line": None, "cover": None,
        "elevation_is_said": True, "place_is_said": True,
    }))


def others(heights):
    for old in OTHERS.iterdir():
        old.unlink()
    rng = np.random.default_rng(7)
    words = rng.integers(0, 65536, (37, 53)).astype("u2")
    words[:4, :4] = [[0, 65535, 1, 65534]] * 4
    octets = (words >> 8).astype("u1")
    meters = (words.astype("i4") - 20000).clip(-32768, 32767).astype("i2")
    floats = heights * 1234.5 - 99
    one = lambda values, most: values.astype("f4") / np.float32(most)
    sources = {"u8": octets, "u16": words, "i16": meters, "f32": floats}
    for kind, values in sources.items():
        tifffile.imwrite(FOLDER / f"source_{kind}.tif", values)
    as_heights = {"u8": one(octets, 255), "u16": one(words, 65535), "i16": meters, "f32": floats}

    def translated(kind, name, *options):
        if name.endswith(".asc"):
            # Without a georeference, the y axis of GDAL points down, and the grid is flipped.
            rows, columns = as_heights[kind].shape
            options += ("-a_ullr", "0", rows, columns, "0")
        driver = {".tif": "GTiff", ".png": "PNG", ".pgm": "PNM", ".asc": "AAIGrid"}[Path(name).suffix]
        run("gdal_translate", "-q", "-of", driver, *options, FOLDER / f"source_{kind}.tif", OTHERS / name)
        expect(name, as_heights[kind])

    for kind in sources:
        for pack in ["NONE", "LZW", "DEFLATE", "PACKBITS"]:
            translated(kind, f"gdal_{kind}_{pack}.tif", "-co", f"COMPRESS={pack}")
            translated(kind, f"gdal_{kind}_{pack}_tiles.tif", "-co", f"COMPRESS={pack}",
                       "-co", "TILED=YES", "-co", "BLOCKXSIZE=32", "-co", "BLOCKYSIZE=16")
        for pack in ["LZW", "DEFLATE"]:
            translated(kind, f"gdal_{kind}_{pack}_predictor.tif", "-co", f"COMPRESS={pack}", "-co", "PREDICTOR=2")
        translated(kind, f"gdal_{kind}_big.tif", "-co", "BIGTIFF=YES", "-co", "ENDIANNESS=BIG")
    for pack in ["LZW", "DEFLATE"]:
        translated("f32", f"gdal_f32_{pack}_float_predictor.tif", "-co", f"COMPRESS={pack}", "-co", "PREDICTOR=3")
        translated("f32", f"gdal_f32_{pack}_float_tiles.tif", "-co", f"COMPRESS={pack}", "-co", "PREDICTOR=3",
                   "-co", "TILED=YES", "-co", "BLOCKXSIZE=32", "-co", "BLOCKYSIZE=32")
    for kind in ["u8", "u16"]:
        translated(kind, f"gdal_{kind}.png")
        translated(kind, f"gdal_{kind}.pgm")
    translated("f32", "gdal_f32.asc", "-co", "SIGNIFICANT_DIGITS=9")
    translated("i16", "gdal_i16.asc")
    # With no-data cells, which are filled with -1.
    gaps = floats.copy()
    gaps[3, 5] = gaps[0, 0] = -9999
    tifffile.imwrite(FOLDER / "source_gaps.tif", gaps)
    as_heights["gaps"] = np.where(gaps == -9999, np.float32(-1), gaps)
    translated("gaps", "gdal_gaps.tif", "-a_nodata", "-9999")
    translated("gaps", "gdal_gaps.asc", "-a_nodata", "-9999", "-co", "SIGNIFICANT_DIGITS=9")

    for name, *options in [
        ("magick.png",), ("magick.pgm",), ("magick.tif",),
        ("magick_plain.pgm", "-compress", "none"),
        ("magick_interlaced.png", "-interlace", "PNG"),
        ("magick_rgb.png", "-define", "png:color-type=2"),
        ("magick_lzw.tif", "-compress", "LZW"), ("magick_zip.tif", "-compress", "Zip"),
        ("magick_msb.tif", "-endian", "MSB"), ("magick_white.tif", "-define", "quantum:polarity=min-is-white"),
    ]:
        run("convert", FOLDER / "source_u16.tif", *options, OTHERS / name)
        # The polarity changes the meaning of the numbers, but not the numbers.
        expect(name, one(65535 - words if "white" in name else words, 65535))
    halves = one(octets, 255).astype("f2")
    run("convert", FOLDER / "source_u16.tif", "-colorspace", "RGB", OTHERS / "magick.exr")
    # ImageMagick converts the numbers, so compare with what it wrote.
    found = OpenEXR.File(str(OTHERS / "magick.exr"), separate_channels=True).channels()
    expect("magick.exr", found["R" if "R" in found else "Y"].pixels)

    for pack in ["NO", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24"]:
        compression = getattr(OpenEXR, f"{pack}_COMPRESSION")
        for name, pixels in [("f32", floats), ("f16", halves)]:
            if pack == "PXR24" and name == "f32":
                continue  # keeps 24 bits only
            header = {"compression": compression, "type": OpenEXR.scanlineimage}
            file = f"openexr_{pack}_{name}.exr"
            OpenEXR.File(header, {"Y": np.ascontiguousarray(pixels)}).write(str(OTHERS / file))
            expect(file, pixels)
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    rgb = {name: np.ascontiguousarray(floats) for name in "RGB"}
    OpenEXR.File(header, rgb).write(str(OTHERS / "openexr_rgb.exr"))
    expect("openexr_rgb.exr", floats)

    parts = [
        OpenEXR.Part({"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage},
                     {"Y": np.ascontiguousarray(pixels)}, name)
        for name, pixels in [("first", floats), ("second", -floats)]
    ]
    OpenEXR.File(parts).write(str(OTHERS / "openexr_parts.exr"))
    expect("openexr_parts.exr", floats)

    for name, values, kind in [("u16", words, "u16"), ("f32", floats, "f32"), ("i16", meters, "i16")]:
        for order in "<>":
            file = f"tifffile_{name}_{'little' if order == '<' else 'big'}.tif"
            tifffile.imwrite(OTHERS / file, values, byteorder=order, rowsperstrip=5)
            expect(file, as_heights[kind])
    tifffile.imwrite(OTHERS / "tifffile_f64.tif", floats.astype("f8"))
    expect("tifffile_f64.tif", floats)
    np.savetxt(OTHERS / "numpy.asc", floats, fmt="%.9g", comments="",
               header=f"ncols {floats.shape[1]}\nnrows {floats.shape[0]}\nxllcorner 0\nyllcorner 0\ncellsize 1")
    expect("numpy.asc", floats)
    (OTHERS / "numpy.pgm").write_bytes(
        f"P5\n# by numpy\n{words.shape[1]} {words.shape[0]}\n65535\n".encode() + words.astype(">u2").tobytes())
    expect("numpy.pgm", one(words, 65535))
    # GDAL also writes metadata files.
    for extra in list(OTHERS.glob("*.aux.xml")) + list(OTHERS.glob("*.prj")):
        extra.unlink()


rust("files_for_other_programs")
sidecar, heights = sidecar_and_map(FOLDER / "ours.r32")
ground = [float(z) * sidecar["relief"] for z in (heights.min(), heights.max())]
check("the sidecar has the range", np.allclose([sidecar["lowest"], sidecar["highest"]], ground), ground)
pictures_and_grids(heights)
meters(heights)
meshes(sidecar, heights)
texture(heights)
validate()
others(heights)
count = len([path for path in OTHERS.iterdir() if (OTHERS / (path.name + ".r32")).exists()])
rust("files_of_other_programs")
check(f"{count} files of other programs are read as the same numbers", count > 80)
print(f"{checks} checks passed")
