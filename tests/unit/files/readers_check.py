"""yt and pynbody load the program's HDF5 snapshots with the right masses, kpc and km/s, and without a warning.

usage: readers_check.py PROGRAM [INPUT ...]

Each INPUT, a physical snapshot that `PROGRAM convert` can read, and a small cluster of all particle types with potentials and
accelerations are written to HDF5 in double and single precision; what both readers see is compared with `PROGRAM info --json`.
Exit code 0: all right; 1: a difference or a warning; 77: a reader is missing.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import json
import logging
import pathlib
import subprocess
import sys
import tempfile
import warnings

try:
    import h5py
    import numpy as np
    import pynbody
    import yt
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

# What 1e10 solar masses and a kpc are differs between codes in the fifth digit (GADGET: 1.989e43 g, yt and pynbody: IAU values).
CODES_DISAGREE = 1e-3
NAMES_YT = ["PartType0", "PartType1", "PartType2", "PartType3", "PartType4", "PartType5"]
TYPES = ["gas", "halo", "disc", "bulge", "star", "boundary"]


class Check:
    def __init__(self):
        self.failed = False

    def near(self, what, actual, expected, bound):
        error = abs(actual - expected) / max(abs(expected), 1e-300)
        good = error <= bound  # false for NaN
        self.failed |= not good
        print(f"  {'ok  ' if good else 'FAIL'} {what}: {actual:.10g}, expected {expected:.10g}, relative error {error:.1e} <= {bound:.0e}")

    def true(self, what, good):
        self.failed |= not good
        print(f"  {'ok  ' if good else 'FAIL'} {what}")


class Messages(logging.Handler):
    """Keeps everything at WARNING or above that any logger says."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.seen = []

    def emit(self, record):
        self.seen.append(record.getMessage())


def in_file(path):
    """Positions, velocities and masses as they are in the file, type by type."""
    with h5py.File(path) as f:
        groups = [f[name] for name in NAMES_YT if name in f]
        return {key: np.concatenate([g[key][:].astype(float) for g in groups]) for key in ("Coordinates", "Velocities", "Masses")}


def check_yt(check, path, facts, raw, folder):
    print(f"yt {yt.__version__}: {path.name}")
    ds = yt.load(str(path))
    check.true(f"chose the frontend {type(ds).__name__}", type(ds).__name__ == "GadgetHDF5Dataset")
    everything = ds.all_data()
    for number, name in enumerate(TYPES):
        if name in facts["types"]:
            mass = everything[NAMES_YT[number], "particle_mass"]
            check.true(f"{name}: {len(mass)} bodies", len(mass) == facts["types"][name]["bodies"])
            check.near(f"{name}: mass / 1e10 Msun", float(mass.sum().to("Msun")) / 1e10, facts["types"][name]["mass"], CODES_DISAGREE)
    position = everything["all", "particle_position"].to("kpc").value
    velocity = everything["all", "particle_velocity"].to("km/s").value
    check.near("sum |x| / kpc", np.abs(position).sum(), np.abs(raw["Coordinates"]).sum(), CODES_DISAGREE)
    check.near("sum |v| / (km/s)", np.abs(velocity).sum(), np.abs(raw["Velocities"]).sum(), 1e-6)
    check.near("1 code velocity / (km/s)", float(ds.quan(1, "code_velocity").to("km/s")), 1, 1e-12)
    unit_time_gyr = 3.085678e21 / 1e5 / 3.15576e16
    check.near("time / Gyr", float(ds.current_time.to("Gyr")) + 1, facts["time"] * unit_time_gyr + 1, CODES_DISAGREE)
    reach = 2 * max(np.abs(raw["Coordinates"]).max(), 1e-3)
    plot = yt.ParticleProjectionPlot(ds, "z", ("all", "particle_mass"), center=[0, 0, 0], width=(2 * reach, "kpc"))
    picture = pathlib.Path(plot.save(str(folder / (path.stem + "_yt")))[0])
    check.true(f"ParticleProjectionPlot: {picture.name}, {picture.stat().st_size} bytes", picture.stat().st_size > 10000)
    shown = float(np.nansum(plot.frb["all", "particle_mass"].to("Msun").value)) / 1e10  # pixels without bodies are nan
    check.near("mass in the plot / 1e10 Msun", shown, facts["mass"], CODES_DISAGREE)


def check_whole(check, line, facts, folder):
    """The line that `info` prints, and yt's own choice of centre and width: all the mass is in the plot, about its middle."""
    print(line)
    ds = eval(line, {"yt": yt})
    plot = yt.ParticleProjectionPlot(ds, "z", ("all", "particle_mass"))
    plot.save(str(folder / "whole"))
    pixels = np.nan_to_num(plot.frb["all", "particle_mass"].to("Msun").value) / 1e10
    check.near("mass in the default plot / 1e10 Msun", float(pixels.sum()), facts["mass"], CODES_DISAGREE)
    n = len(pixels)
    middle = pixels[n // 4:-n // 4, n // 4:-n // 4].sum() / pixels.sum()
    check.true(f"{middle:.3f} of it in the middle quarter of the picture", middle > 0.99)


def check_tipsy(check, program, source, folder):
    """A physical TIPSY file with its .param beside it, in pynbody and in yt."""
    folder = folder / (source.stem + "_tipsy")
    folder.mkdir()
    path, double = folder / "galaxy.tipsy", folder / "galaxy.hdf5"
    subprocess.run([program, "convert", str(source), str(path)], check=True)
    subprocess.run([program, "convert", str(source), str(double)], check=True)
    facts, raw = facts_of(program, path), in_file(double)
    speed, place = np.abs(raw["Velocities"]).sum(), np.abs(raw["Coordinates"]).sum()
    f = pynbody.load(str(path))
    f.physical_units()
    check.near("pynbody: mass / 1e10 Msun", float(f["mass"].in_units("1e10 Msol").sum()), facts["mass"], CODES_DISAGREE)
    check.near("pynbody: sum |v| / (km/s)", float(np.abs(f["vel"].in_units("km s^-1")).sum()), speed, CODES_DISAGREE)
    check.near("pynbody: sum |x| / kpc", float(np.abs(f["pos"].in_units("kpc")).sum()), place, CODES_DISAGREE)
    ds = eval(facts["yt"], {"yt": yt})
    everything = ds.all_data()
    check.near("yt: mass / 1e10 Msun", float(everything["all", "particle_mass"].to("Msun").sum()) / 1e10, facts["mass"], CODES_DISAGREE)
    velocity = np.abs(everything["all", "particle_velocity"].to("km/s").value).sum()
    check.near("yt: sum |v| / (km/s)", float(velocity), speed, CODES_DISAGREE)


def check_pynbody(check, path, facts, raw):
    print(f"pynbody {pynbody.__version__}: {path.name}")
    f = pynbody.load(str(path))
    check.true(f"{len(f)} bodies", len(f) == facts["bodies"])
    check.near("mass / 1e10 Msun", float(f["mass"].in_units("1e10 Msol").sum()), facts["mass"], CODES_DISAGREE)
    check.near("sum |x| / kpc", float(np.abs(f["pos"].in_units("kpc")).sum()), np.abs(raw["Coordinates"]).sum(), CODES_DISAGREE)
    check.near("sum |v| / (km/s)", float(np.abs(f["vel"].in_units("km s^-1")).sum()), np.abs(raw["Velocities"]).sum(), 1e-6)
    expected = facts["time"] * 3.085678e21 / 1e5 / 3.15576e16
    check.near("time / Gyr", float(f.properties["time"].in_units("Gyr")) + 1, expected + 1, CODES_DISAGREE)
    for name, dimension in (("phi", "km^2 s^-2"), ("Acceleration", "km^2 s^-2 kpc^-1")):
        if name in f.loadable_keys():
            check.true(f"{name} in {f[name].units}", abs(f[name].units.ratio(dimension) - 1) <= CODES_DISAGREE)
    check.true(f"{len(set(f['iord']))} different ids", len(set(f["iord"])) == len(f))
    check.true(f"families {[str(family) for family in f.families()]}", sum(len(f[family]) for family in f.families()) == len(f))


def write_cluster(path, units):
    """600 bodies of all types but gas (for gas yt makes smoothing lengths, and warns that it does), as CSV, at time 0.5."""
    random = np.random.default_rng(1)
    with open(path, "w") as out:
        print(f"# units: {units}\n# time: 0.5\nid,type,mass,x,y,z,vx,vy,vz,ax,ay,az,potential", file=out)
        for i in range(600):
            numbers = [random.uniform(1, 2), *random.normal(size=9), -random.uniform(1, 2)]
            print(f"{i},{TYPES[1 + i % 5]}," + ",".join(repr(float(v)) for v in numbers), file=out)


def facts_of(program, path):
    return json.loads(subprocess.run([program, "info", "--json", str(path)], check=True, capture_output=True).stdout)


def check_physical(check, program, source, folder):
    for options, name in (([], "double"), (["--single"], "single")):
        path = folder / f"{source.stem}_{name}.hdf5"
        subprocess.run([program, "convert", str(source), str(path), *options], check=True)
        facts, raw = facts_of(program, path), in_file(path)
        check_yt(check, path, facts, raw, folder)
        check_pynbody(check, path, facts, raw)
        check_whole(check, facts["yt"], facts, folder)
    check_tipsy(check, program, source, folder)


def check_scale_free(check, program, folder):
    """A file without physical units, opened with the line that `info` prints: the numbers come back, and G = 1 holds in them."""
    write_cluster(folder / "scale_free.csv", "nbody")
    path = folder / "scale_free.hdf5"
    subprocess.run([program, "convert", str(folder / "scale_free.csv"), str(path)], check=True)
    facts, raw = facts_of(program, path), in_file(path)
    print(facts["yt"])
    ds = eval(facts["yt"], {"yt": yt})
    everything = ds.all_data()
    check.near("mass / code mass", float(everything["all", "particle_mass"].to("code_mass").sum()), facts["mass"], 1e-12)
    speed = np.abs(everything["all", "particle_velocity"].to("code_velocity").value).sum()
    check.near("sum |v| / code velocity", speed, np.abs(raw["Velocities"]).sum(), 1e-12)
    G = yt.units.physical_constants.gravitational_constant.in_cgs() * ds.mass_unit / ds.length_unit / ds.velocity_unit**2
    check.near("G in the file's units", float(G.to("dimensionless")), 1, CODES_DISAGREE)
    f = pynbody.load(str(path))
    check.near("mass / pynbody's unit", float(f["mass"].sum()), facts["mass"], 1e-12)


def check_small(check, program, folder):
    """Planets keep their own units: the line that `info` prints, and pynbody, find them where they are."""
    au_pc = 1.495978707e13 / 3.0856775814913673e18
    (folder / "planets.csv").write_text("# units: solar\nmass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n3e-6,1,0,0,0,1,0\n1e-3,0,5.2,0,-0.44,0,0\n")
    path = folder / "planets.hdf5"
    subprocess.run([program, "convert", str(folder / "planets.csv"), str(path)], check=True)
    facts, raw = facts_of(program, path), in_file(path)
    check.true(f"planets are in units {facts['units']['system']}", facts["units"]["system"] == "solar")
    print(facts["yt"])
    everything = eval(facts["yt"], {"yt": yt}).all_data()
    check.near("yt: mass / Msun", float(everything["all", "particle_mass"].to("Msun").sum()), facts["mass"], CODES_DISAGREE)
    place = np.abs(everything["all", "particle_position"].to("AU").value).sum()
    check.near("yt: sum |x| / au", float(place), np.abs(raw["Coordinates"]).sum(), CODES_DISAGREE)
    speed = np.abs(everything["all", "particle_velocity"].to("km/s").value).sum()
    check.near("yt: sum |v| / (km/s)", float(speed), 29.7847 * np.abs(raw["Velocities"]).sum(), CODES_DISAGREE)
    f = pynbody.load(str(path))
    check.near("pynbody: mass / Msun", float(f["mass"].in_units("Msol").sum()), facts["mass"], CODES_DISAGREE)
    check.near("pynbody: sum |x| / pc", float(np.abs(f["pos"].in_units("pc")).sum()), au_pc * np.abs(raw["Coordinates"]).sum(), CODES_DISAGREE)


def main():
    program, sources = sys.argv[1], [pathlib.Path(name) for name in sys.argv[2:]]
    messages = Messages()
    for logger in ("", "yt", "pynbody"):
        logging.getLogger(logger).addHandler(messages)
    yt.set_log_level("warning")
    check = Check()
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        folder = pathlib.Path(scratch)
        write_cluster(folder / "cluster.csv", "galactic")
        for source in [folder / "cluster.csv", *sources]:
            check_physical(check, program, source, folder)
        check_scale_free(check, program, folder)
        check_small(check, program, folder)
    # What yt says of every bounding box, and its own .param file that it leaves open, are not about our files.
    expected = ("A bounding box was explicitly specified", "unclosed file")
    said = [text for text in [str(w.message) for w in warned] + messages.seen if not text.startswith(expected)]
    check.true(f"no warnings {said}", not said)
    sys.exit(1 if check.failed else 0)


if __name__ == "__main__":
    main()
