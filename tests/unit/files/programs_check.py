"""HDF5 snapshots in the forms of other programs, written by h5py: the program and pynbody read the same bodies.

usage: programs_check.py PROGRAM

GADGET-4, AREPO, GIZMO and SWIFT, cosmological and not, with h other than 1 where the program has an h: positions in kpc, velocities in
km/s and masses in 1e10 solar masses of `PROGRAM convert` are compared with those of pynbody, body by body. Texts are of variable length
and truth values are those of numpy, as h5py writes them without being asked.
Exit code 0: all right; 1: a difference; 77: a reader is missing.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import csv
import pathlib
import subprocess
import sys
import tempfile
import warnings

try:
    import h5py
    import numpy as np
    import pynbody
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

# What 1e10 solar masses and a kpc are differs between codes in the fourth digit; a factor of a or h would be 0.3 and more.
CODES_DISAGREE = 1e-3
KPC, MASS, KM_S = 3.085678e21, 1.989e43, 1e5
COUNTS = {0: 3, 1: 5, 4: 2}


def bodies():
    """Numbers as they stand in the file, by type."""
    random = np.random.default_rng(3)
    next_id = 1
    for type_, n in COUNTS.items():
        yield type_, {"Coordinates": random.normal(size=(n, 3)) * 10, "Velocities": random.normal(size=(n, 3)) * 100,
                      "Masses": random.uniform(0.5, 1.5, n), "ParticleIDs": np.arange(next_id, next_id + n, dtype=np.uint32)}
        next_id += n


def write(path, header, groups, powers=None, as_rows=False, more=None):
    """A file with these attributes of /Header and of other groups; `powers`: names and values of those of a and h, by dataset."""
    wrap = (lambda v: [v] if np.isscalar(v) and not isinstance(v, str) else v) if as_rows else (lambda v: v)
    with h5py.File(path, "w") as f:
        count = np.zeros(7 if as_rows else 6, dtype=np.uint32)
        for type_, columns in bodies():
            count[type_] = len(columns["Masses"])
            for name, values in columns.items():
                dataset = f.create_dataset(f"PartType{type_}/{name}", data=values)
                for key, value in (powers or {}).get(name, {}).items():
                    dataset.attrs[key] = wrap(value)
        groups = {"Header": {"NumPart_ThisFile": count, "NumPart_Total": count, "NumPart_Total_HighWord": 0 * count,
                             "MassTable": np.zeros(len(count)), "NumFilesPerSnapshot": 1, **header}, **groups}
        for group, attributes in groups.items():
            for key, value in attributes.items():
                f.require_group(group).attrs[key] = wrap(value)
        if more:
            more(f)


def scaling(a_of_velocity):
    """GADGET-4's and AREPO's attributes of datasets."""

    def of(a, h, length, mass, velocity, to_cgs):
        return {"a_scaling": a, "h_scaling": h, "length_scaling": length, "mass_scaling": mass, "velocity_scaling": velocity, "to_cgs": to_cgs}

    return {"Coordinates": of(1.0, -1.0, 1.0, 0.0, 0.0, KPC), "Velocities": of(a_of_velocity, 0.0, 0.0, 0.0, 1.0, KM_S),
            "Masses": of(0.0, -1.0, 0.0, 1.0, 0.0, MASS)}


def gadget4(path, comoving, velocity=0.5):
    units = {"UnitLength_in_cm": KPC, "UnitMass_in_g": MASS, "UnitVelocity_in_cm_per_s": KM_S}
    write(path, {"Time": 0.5 if comoving else 1.0, "Redshift": 1.0 if comoving else 0.0, "BoxSize": 1000.0, "Git_commit": "none"},
          {"Parameters": {**units, "HubbleParam": 0.7, "Omega0": 0.3, "OmegaLambda": 0.7, "ComovingIntegrationOn": int(comoving),
                          "BoxSize": 1000.0, "OutputDir": "./output", "SnapFormat": 3},
           "Config": {"NTYPES": 6}}, scaling(velocity))


def arepo(path, comoving):
    units = {"UnitLength_in_cm": KPC, "UnitMass_in_g": MASS, "UnitVelocity_in_cm_per_s": KM_S}
    cosmology = {"HubbleParam": 0.7, "Omega0": 0.3, "OmegaLambda": 0.7}
    write(path, {"Time": 0.25, "Redshift": 3.0, "BoxSize": 1000.0, **cosmology, **units},
          {"Parameters": {**units, **cosmology, "ComovingIntegrationOn": np.bool_(comoving), "BoxSize": 1000.0},
           "Config": {"VORONOI": ""}}, scaling(0.5))


def gizmo(path, comoving):
    h = 0.7
    units = {"UnitLength_In_CGS": KPC / h, "UnitMass_In_CGS": MASS / h, "UnitVelocity_In_CGS": KM_S}

    def more(f):
        f["PartType0/ParticleIDGenerationNumber"] = np.zeros(COUNTS[0], dtype=np.uint32)

    write(path, {"Time": 0.5, "Redshift": 1.0, "BoxSize": 1000.0, "HubbleParam": h, "Omega_Matter": 0.3, "Omega_Lambda": 0.7,
                 "Omega_Baryon": 0.05, "ComovingIntegrationOn": int(comoving), "GIZMO_version": 2022,
                 "Gravitational_Constant_In_Code_Inits": 43007.1, **units}, {}, more=more)


def swift(path, comoving):
    a = 0.5 if comoving else 1.0
    velocity = {"U_L exponent": 1.0, "U_t exponent": -1.0, "a-scale exponent": 0.0, "h-scale exponent": 0.0}
    powers = {"Coordinates": {"U_L exponent": 1.0, "a-scale exponent": 1.0, "h-scale exponent": 0.0}, "Velocities": velocity,
              "Masses": {"U_M exponent": 1.0, "a-scale exponent": 0.0, "h-scale exponent": 0.0}}
    cgs = {"Unit length in cgs (U_L)": KPC, "Unit mass in cgs (U_M)": MASS, "Unit time in cgs (U_t)": KPC / KM_S,
           "Unit current in cgs (U_I)": 1.0, "Unit temperature in cgs (U_T)": 1.0}
    cosmology = {"Cosmological run": int(comoving), "Scale-factor": a, "h": 0.7, "Omega_m": 0.3, "Omega_lambda": 0.7, "Omega_b": 0.05,
                 "Omega_cdm": 0.25, "Omega_nu_0": 0.0}
    write(path, {"Time": 0.01, "Redshift": 1 / a - 1, "Scale-factor": a, "BoxSize": np.full(3, 1000.0), "Dimension": 3, "Code": "SWIFT",
                 "OutputType": "FullVolume", "Virtual": 0},
          {"Units": cgs, "InternalCodeUnits": cgs, "Cosmology": cosmology, "Parameters": {"InitialConditions:periodic": "1"},
           "Policy": {"self gravity": 1}}, powers, as_rows=True)


FORMS = {"GADGET-4, cosmological": (gadget4, True), "AREPO, cosmological": (arepo, True), "GIZMO, cosmological": (gizmo, True),
         "SWIFT, cosmological": (swift, True), "SWIFT, not cosmological": (swift, False)}


def seen_by_pynbody(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        s = pynbody.load(str(path))
        s.physical_units(distance="kpc", velocity="km s^-1", mass="1e10 Msol")
        order = np.argsort(s["iord"])
        return {name: np.asarray(s[key])[order] for name, key in (("x", "pos"), ("v", "vel"), ("m", "mass"))}


def seen_by_program(program, path):
    out = path.with_suffix(".csv")
    subprocess.run([program, "convert", path, out, "--to-units", "galactic"], check=True, capture_output=True, text=True)
    with open(out) as f:
        rows = list(csv.DictReader(line for line in f if not line.startswith("#")))
    rows.sort(key=lambda row: int(row["id"]))
    columns = {"x": ("x", "y", "z"), "v": ("vx", "vy", "vz"), "m": ("mass",)}
    return {name: np.squeeze(np.array([[float(row[key]) for key in keys] for row in rows])) for name, keys in columns.items()}


def main():
    program, failed = sys.argv[1], False
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, (form, comoving)) in enumerate(FORMS.items()):
            path = pathlib.Path(folder) / f"form_{number}.hdf5"  # pynbody keeps them open
            form(path, comoving)
            try:
                ours, theirs = seen_by_program(program, path), seen_by_pynbody(path)
            except subprocess.CalledProcessError as error:
                print(f"FAIL {name}: {error.stderr}")
                failed = True
                continue
            for what in ours:
                error = np.max(np.abs(ours[what] / theirs[what] - 1))
                good = error <= CODES_DISAGREE  # false for NaN
                failed |= not good
                print(f"{'ok  ' if good else 'FAIL'} {name}: {what} of {len(ours[what])} bodies, relative difference {error:.1e} <= {CODES_DISAGREE:.0e}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
