/// Runs that must be refused before they start. `one` is a sound two-body table.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/refusals.hpp"

namespace pleiad::test {
namespace {

#define TWO "printf '1 -0.5 0 0 0 -0.7 0\\n1 0.5 0 0 0 0.7 0\\n' > two.csv"
#define RUN "pleiad run two.csv --t-end 1 --dt 0.1 "

constexpr Refusal rows[] = {
    {"ZeroStep", TWO, "pleiad run two.csv --t-end 1 --dt 0", 2, "time.dt must be > 0"},
    {"NoStep", TWO, "pleiad run two.csv --t-end 1", 2, "time.dt must be > 0"},
    {"NegativeStep", TWO, "pleiad run two.csv --t-end 1 --dt -0.1", 2, "time.dt must be > 0"},
    {"NanStep", TWO, "pleiad run two.csv --t-end 1 --dt nan", 2, "time.dt must be > 0"},
    {"InfiniteStep", TWO, "pleiad run two.csv --t-end 1 --dt inf", 2, "time.dt must be > 0"},
    {"StepLongerThanTheRun", TWO, "pleiad run two.csv --t-end 1 --dt 2", 2, "longer than the run"},
    {"EndBeforeStart", TWO, "pleiad run two.csv --t-end -1 --dt 0.1", 2, "t_end"},
    {"NegativeSoftening", TWO, RUN "--eps -1", 2, "gravity.softening must be >= 0"},
    {"NanSoftening", TWO, RUN "--eps nan", 2, "gravity.softening must be >= 0"},
    {"NotANumber", TWO, RUN "--eps abc", 2, "gravity.softening must be a number, not 'abc'"},
    {"FractionOfAThread", TWO, RUN "--threads 1.5", 2, "engine.threads must be a whole number"},
    {"NegativeThreads", TWO, RUN "--threads=-1", 2, "engine.threads must be 0 to 4096"},
    {"UnknownIntegrator", TWO, RUN "--integrator leapfrgo", 2, "integrator"},
    {"UnknownKernel", TWO, RUN "--kernel cpu/smid", 2, "did you mean 'cpu/simd'?"},
    {"UnknownPrecision", TWO, RUN "--precision f46", 2, "did you mean 'f"},
    {"UnknownBackend", TWO, RUN "--backend gpu", 2, "engine.backend must be one of"},
    {"UnknownKey", TWO, RUN "--set gravity.sofetning=1", 2, "did you mean 'softening'?"},
    {"AdaptiveWithoutSoftening", TWO, RUN "--adaptive", 2, "needs gravity.softening > 0"},
    {"ReverseAdaptive", TWO, RUN "--eps 0.1 --adaptive --reverse", 2, "not time-reversible"},
    {"LatticeAdaptive", TWO, RUN "--eps 0.1 --adaptive --lattice", 2, "steps of one length"},
    {"LatticeOfHermite", TWO, RUN "--integrator hermite4 --lattice", 2, "its steps do not lead back"},
    {"LatticeAccuracy", TWO, RUN "--accuracy 1e-3 --lattice", 2, "solver.accuracy"},
    {"LatticeEnergyError", TWO, RUN "--set time.energy_error=1e-3 --lattice", 2,
     "leave out time.energy_error"},
    {"LatticeInSinglePrecision", TWO, RUN "--precision f32 --lattice", 2, "double precision"},
    {"LatticeOfAnEnsemble", TWO, RUN "--ensemble 2 --lattice", 2, "runs of one system"},
    {"LatticeInABox", TWO, RUN "--set gravity.boundary=periodic --set gravity.box=[9,9,9] --lattice", 2,
     "open space"},
    {"LatticeInAMovingField", TWO, RUN "--lattice --potential 'plummer mass=1 scale=1 vx=1'", 2,
     "change with time"},
    {"LatticeWithDrag", TWO, RUN "--lattice --force 'post-newtonian c=100'", 2, "forces of positions"},
    {"LatticeWithMergers", TWO,
     RUN "--lattice --set encounters.radius=0.01 --set encounters.on_collision=merge", 2, "on the way back"},
    {"LatticeUnitsWithoutOne", TWO, RUN "--set time.lattice_units=[1,1]", 2, "needs time.lattice = true"},
    {"LatticeUnitsOfOneNumber", TWO, RUN "--lattice --set time.lattice_units=[1]", 2, "must have 2 numbers"},
    {"LatticeUnitsOfNoPowerOfTwo", TWO, RUN "--lattice --set time.lattice_units=[1e-12,1e-12]", 2,
     "must be a power of two"},
    {"LatticeTooSmall", TWO, RUN "--lattice --set time.lattice_units=[5.421010862427522e-20,1e-18]", 2,
     "must be a power of two"},
    {"LatticeThatEndsBeforeTheBodies", TWO,
     RUN "--lattice --set time.lattice_units=[5.421010862427522e-20,3.469446951953614e-18]", 2,
     "a coordinate of 0.5 is beyond the end of the lattice, 0.25"},
    {"DampingOfLeapfrog", TWO, RUN "--set time.damping=0.9", 2, "euler"},
    {"OutputNotUtf8", TWO, RUN "--output $'\\xff'", 2, "output.directory must be"},
    {"NoBox", TWO, RUN "--set gravity.boundary=periodic", 2, "gravity.box"},
    {"ConfigWithAMistake", "printf '[time]\\ndtt = 1\\n' > run.toml", "pleiad run run.toml", 2,
     "run.toml:2: no key 'dtt' in [time]"},
    {"EmptyConfig", "touch run.toml", "pleiad run run.toml", 2, "nothing is set in it"},
    {"AccuracyTooLow", TWO, RUN "--accuracy 0.5", 2, "solver.accuracy must be 0 to 0.1"},
    {"AccuracyAndKernel", TWO, RUN "--accuracy 1e-3 --kernel cpu/simd", 2, "leave one of them to auto"},
    {"UnknownMethod", TWO, RUN "--set solver.method=fnm", 2, "did you mean 'fmm'?"},
    {"OrderThatIsNotThere", TWO, RUN "--quiet --set solver.method=fmm --set solver.order=7", 2,
     "fmm has the orders 3, 4, 5, 6, 8"},
    {"TreeWithHermite", TWO, RUN "--set solver.method=fmm --integrator hermite4", 2,
     "needs jerks, which trees do not provide"},
    {"TreeInABox", TWO, RUN "--set solver.method=fmm --set gravity.boundary=periodic --set gravity.box=4", 2,
     "trees in a periodic box need gravity.images"},
    {"AllImagesInOpenSpace", TWO, RUN "--set gravity.images=all", 2, "needs a periodic boundary"},
    {"AllImagesByAnotherKernel", TWO,
     RUN "--set gravity.images=all --set gravity.boundary=periodic --set gravity.box=4 --kernel cpu/simd", 2,
     "use cpu/ewald"},
    {"AllImagesWithHermite", TWO,
     RUN "--set gravity.images=all --set gravity.boundary=periodic --set gravity.box=4 --integrator hermite4",
     2, "needs jerks, which Ewald summation does not provide"},
    {"AllImagesInAPlane", TWO,
     RUN "--set gravity.images=all --set gravity.boundary=periodic --set gravity.box=4 --set "
         "gravity.dimension=2",
     2, "needs gravity.dimension = 3"},
    {"TreeOnAGpu", TWO, RUN "--set solver.method=barnes-hut --backend cuda --precision f64", 2,
     "'cuda/barnes-hut' has no f64 form"},
    {"CellsThatAreKept", TWO, RUN "--kernel 'cpu/fmm rebuild_every=4'", 2,
     "a resumed run would build other cells"},
    {"AccuracyOutOfReach", "pleiad ic plummer -n 300 -o two.csv",
     RUN "--quiet --eps 0 --set solver.method=fmm --accuracy 1e-16", 2,
     "solver.accuracy = 1e-16 was not reached by fmm"},
    {"KernelOfATreeThatIsNone", TWO, RUN "--kernel 'cpu/fmm ordre=4'", 2, "did you mean 'order'?"},
    {"OutputIsAFile", TWO "; touch taken", RUN "--output taken", 4, "taken"},
    {"OutputNotWritable", TWO, RUN "--output /proc/nowhere", 4, "/proc/nowhere"},
    // The lock comes first, since whoever holds it may be about to write a checkpoint; it stays.
    {"ResumeNothing", "mkdir empty", "pleiad run --resume empty", 3, "empty"},
    {"ResumeNowhere", "true", "pleiad run --resume nowhere", 4, "nowhere"},
    {"ResumeAndStart", TWO "; mkdir there", "pleiad run two.csv --resume there", 2, "not both"},
};

}  // namespace

std::span<const Refusal> run_refusals() { return rows; }

}  // namespace pleiad::test
