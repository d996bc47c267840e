#!/usr/bin/env python3
"""Holds `deepsim terrain` against GDAL's own programs: the same grid in many formats, encodings and row orders.

GDAL's AAIGrid writer is the judge: gdal_translate makes a text of the values of a part of a file, deepsim tells the extremes of
the same part. Parts of 2 x 2 samples make that a test of single values and their places.
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys

PROGRAM = os.environ["DEEPSIM_PROGRAM"]
TMP = os.environ["DEEPSIM_TEST_TMP"]
ROWS, COLUMNS, NODATA = 23, 31, -9999
WEST, SOUTH, CELL = -134.75, 11.5, 0.25


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def run(*arguments):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, cwd=TMP, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def info(name, *options):
    return json.loads(run(PROGRAM, "terrain", "info", name, "--json", *options))


def write_source():
    random.seed(7)
    rows = []
    for i in range(ROWS):
        rows.append([round(-4200 + 900 * math.sin(0.3 * i) * math.cos(0.2 * k) + random.uniform(-50, 50))
                     for k in range(COLUMNS)])
    rows[3][4] = rows[20][30] = NODATA
    packed = [[v if v == NODATA else 10 * (v + 4000) for v in row] for row in rows]
    for name, values in (("source.asc", rows), ("packed.asc", packed)):
        with open(os.path.join(TMP, name), "w", encoding="ascii") as file:
            file.write(f"ncols {COLUMNS}\nnrows {ROWS}\nxllcorner {WEST}\nyllcorner {SOUTH}\ncellsize {CELL}\n"
                       f"NODATA_value {NODATA}\n")
            for row in values:
                file.write(" ".join(map(str, row)) + "\n")
        with open(os.path.join(TMP, name.replace(".asc", ".prj")), "w", encoding="ascii") as file:
            file.write('GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],'
                       'PRIMEM["Greenwich",0],UNIT["Degree",0.017453292519943295]]')


def expected(name, first_row, first_column, rows, columns, extra=()):
    """Extremes of depth of a part, and holes, by GDAL."""
    run("gdal_translate", "-q", "-of", "AAIGrid", "-ot", "Float64", "-unscale", "-co", "DECIMAL_PRECISION=6", *extra,
        "-srcwin", first_column, first_row, columns, rows, name, "part.asc")
    with open(os.path.join(TMP, "part.asc"), encoding="ascii") as file:
        words = file.read().lower().split()
    head, start = {}, 0
    while words[start][0].isalpha() and words[start] != "nan":
        head[words[start]] = float(words[start + 1])
        start += 2
    nodata = head.get("nodata_value")
    values = [float(w) for w in words[start:]]
    ground = [-v for v in values if v == v and v != nodata]
    return ground, len(values) - len(ground)


def check_format(name, tolerance, options=(), extra=()):
    whole = info(name, *options)
    ground, holes = expected(name if not extra else extra[0], 0, 0, ROWS, COLUMNS, extra[1:])
    assert whole["rows"] == ROWS and whole["columns"] == COLUMNS, whole
    assert whole["holes"] == holes == 2, (name, whole["holes"], holes)
    assert abs(whole["top"] - min(ground)) <= tolerance, (name, whole["top"], min(ground))
    assert abs(whole["bottom"] - max(ground)) <= tolerance, (name, whole["bottom"], max(ground))
    for have, want in zip(whole["file_edges"], (SOUTH, WEST, SOUTH + ROWS * CELL, WEST + COLUMNS * CELL)):
        assert abs(have - want) < 1e-6, (name, whole["file_edges"])
    for row, column in ((0, 0), (0, COLUMNS - 2), (ROWS - 2, 0), (7, 11), (3, 3), (ROWS - 2, COLUMNS - 3)):
        north, west = SOUTH + (ROWS - row) * CELL, WEST + column * CELL
        part = info(name, f"--window={north - 2 * CELL},{west},{north},{west + 2 * CELL}", *options)
        ground, holes = expected(name if not extra else extra[0], row, column, 2, 2, extra[1:])
        assert part["rows"] == part["columns"] == 2
        assert part["holes"] == holes, (name, row, column)
        assert abs(part["top"] - min(ground)) <= tolerance and abs(part["bottom"] - max(ground)) <= tolerance, (
            name, row, column, part, ground)
    print(f"{name}: {whole['format']} agrees")


def check_formats():
    make = ["gdal_translate", "-q"]
    check_format("source.asc", 1e-9)
    run(*make, "-ot", "Int16", "source.asc", "short.tif")
    check_format("short.tif", 1e-9)
    run(*make, "-ot", "Float32", "-co", "TILED=YES", "-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=3", "source.asc",
        "tiled.tif")
    check_format("tiled.tif", 1e-9)
    # packed as whole numbers with a scale and an offset; then as the second of two bands
    run(*make, "-ot", "Int16", "-a_scale", "0.1", "-a_offset", "-4000", "-a_nodata", NODATA, "packed.asc", "packed.tif")
    check_format("packed.tif", 1e-6)
    run("gdalbuildvrt", "-q", "-separate", "two.vrt", "source.asc", "packed.asc")
    run(*make, "-ot", "Float32", "two.vrt", "two.tif")
    check_format("two.tif", 1e-6, ("--band", "2"), ("two.tif", "-b", "2"))
    for driver, ending, kind in (("netCDF", "nc", "Float32"), ("netCDF", "4.nc", "Int16"), ("HFA", "img", "Float32"),
                                 ("ENVI", "dat", "Float64"), ("GSBG", "grd", "Float32")):
        said = subprocess.run(["gdalinfo", "--format", driver], capture_output=True, text=True, check=False).stdout
        if "Create" not in said:
            print(driver, "is not in this GDAL")
            continue
        name = f"{driver.lower()}.{ending}"
        options = ["-co", "WRITE_BOTTOMUP=NO"] if ending == "4.nc" else []
        run(*make, "-of", driver, "-ot", kind, *options, "source.asc", name)
        check_format(name, 1e-3, ("--crs", "geographic") if driver == "GSBG" else ())


def check_variables():
    """Two variables in a NetCDF file: by name, by order, and what a wrong name is told."""
    if shutil.which("ncgen") is None:
        print("no ncgen: variables are not tested")
        return
    with open(os.path.join(TMP, "two.cdl"), "w", encoding="ascii") as file:
        file.write("""netcdf two { dimensions: lat = 3 ; lon = 4 ;
variables: double lat(lat) ; lat:units = "degrees_north" ; double lon(lon) ; lon:units = "degrees_east" ;
short depth(lat, lon) ; depth:scale_factor = 0.5 ; depth:add_offset = 1000. ; depth:_FillValue = -1s ;
float elevation(lat, lon) ;
data: lat = 10, 11, 12 ; lon = 200, 201, 202, 203 ;
depth = 0, 1, 2, 3, 4, 5, _, 7, 8, 9, 10, 11 ;
elevation = -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12 ; }""")
    run("ncgen", "-o", "two.nc", "two.cdl")
    depth = info("two.nc", "--variable", "depth", "--depths")
    assert depth["holes"] == 1 and depth["top"] == 1000 and depth["bottom"] == 1005.5, depth
    west = depth["file_edges"][1]  # GDAL may count 200 as -160
    assert west % 360 == 199.5, west
    # latitudes grow in the file: the first row is the southernmost
    south = info("two.nc", "--variable", "depth", "--depths", f"--window=9.5,{west},11.5,{west + 2}")
    assert south["top"] == 1000 and south["bottom"] == 1002.5, south
    elevation = info("two.nc", "--variable", "elevation")
    assert elevation["top"] == 1 and elevation["bottom"] == 12, elevation
    assert info("two.nc")["bottom"] in (12, -1000), "the first variable"
    wrong = subprocess.run([PROGRAM, "terrain", "info", "two.nc", "--variable", "height"], capture_output=True, text=True,
                           cwd=TMP, check=False)
    assert wrong.returncode == 1 and 'no variable "height"' in wrong.stderr and "elevation" in wrong.stderr, wrong.stderr
    print("variables of NetCDF agree")


def check_no_word():
    """Degrees in a GeoTIFF that was made of a text without a projection: GDAL calls them local, of an unknown unit."""
    shutil.copy(os.path.join(TMP, "source.asc"), os.path.join(TMP, "bare.asc"))
    run("gdal_translate", "-q", "-ot", "Float32", "bare.asc", "bare.tif")
    have, want = info("bare.tif"), info("bare.asc")
    assert have["crs"] == want["crs"] == "geographic", have["crs"]
    assert have["extent"] == want["extent"], (have["extent"], want["extent"])
    assert info("bare.tif", "--crs", "local")["spacing_east"] == CELL
    print("a GeoTIFF without a word agrees")


def check_cut_off():
    """Files that end too early are refused, never filled up."""
    run("gdal_translate", "-q", "-of", "netCDF", "-co", "FORMAT=NC", "-ot", "Float64", "source.asc", "whole.nc")
    run("gdal_translate", "-q", "-ot", "Float64", "source.asc", "whole.tif")
    for name in ("whole.nc", "whole.tif"):
        with open(os.path.join(TMP, name), "rb") as file:
            data = file.read()
        with open(os.path.join(TMP, "cut" + name[5:]), "wb") as file:
            file.write(data[:len(data) - 4000])
        done = subprocess.run([PROGRAM, "terrain", "info", "cut" + name[5:]], capture_output=True, text=True, cwd=TMP,
                              check=False)
        last = done.stderr.splitlines()[-1]
        assert done.returncode == 1 and last.startswith("deepsim: cut") and "cut off" in last, done.stderr
    print("files that are cut off are refused")


def main():
    for tool in ("gdal_translate", "gdalinfo", "gdalbuildvrt"):
        if shutil.which(tool) is None:
            skip(f"{tool} is not installed (Debian: gdal-bin)")
    if not PROGRAM:
        skip("the program deepsim is not built")
    write_source()
    run("gdal_translate", "-q", "-ot", "Int16", "source.asc", "try.tif")
    done = subprocess.run([PROGRAM, "terrain", "info", "try.tif"], capture_output=True, text=True, cwd=TMP, check=False)
    if "raster_gdal.so is not there" in done.stderr:
        skip("a build without GDAL")
    check_formats()
    check_variables()
    check_no_word()
    check_cut_off()


if __name__ == "__main__":
    main()
