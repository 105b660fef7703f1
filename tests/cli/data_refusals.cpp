/// Bodies and files that are no use, through `pleiad run`, `pleiad info` and `pleiad ic`.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/refusals.hpp"

namespace pleiad::test {
namespace {

// A sound body and a second one.
#define AND_A(second) "printf '1 0 0 0 0 0 0\\n" second "\\n' > in.csv"
#define RUN_IT "pleiad run in.csv --eps 0.1 --t-end 1 --dt 0.1"

constexpr Refusal rows[] = {
    {"ProfileOfAnAbsentType", "pleiad ic plummer -n 9 -o a.csv", "pleiad plot density a.csv --types halo", 3,
     "there are no bodies of type halo"},
    {"GroupsOfAnAbsentType", "pleiad ic uniform-box -n 9 -o a.hdf5",
     "pleiad analyse groups a.hdf5 --types gas", 3, "there are no bodies of type gas"},
    {"OrbitAtOneTime", "pleiad ic plummer -n 9 -o a.csv", "pleiad plot orbit a.csv", 3, "has one time only"},
    {"NanPosition", AND_A("1 nan 0 0 0 0 0"), RUN_IT, 3, "in.csv"},
    {"InfiniteVelocity", AND_A("1 1 0 0 inf 0 0"), RUN_IT, 3, "in.csv"},
    {"NanMass", AND_A("nan 1 0 0 0 0 0"), RUN_IT, 3, "in.csv"},
    {"NegativeMass", AND_A("-1 1 0 0 0 0 0"), RUN_IT, 3, "mass"},
    {"AllMassless", "printf '0 0 0 0 0 0 0\\n0 1 0 0 0 0 0\\n' > in.csv", RUN_IT, 3, "mass"},
    {"TooFar", AND_A("1 2e18 0 0 0 0 0"), RUN_IT, 3, "1e"},
    {"Coincident", AND_A("1 0 0 0 1 0 0"), "pleiad run in.csv --t-end 1 --dt 0.1", 3, "in.csv"},
    {"NoBodies", "printf 'mass,x,y,z,vx,vy,vz\\n' > in.csv", RUN_IT, 3, "in.csv"},
    {"EmptyFile", "touch in.csv", RUN_IT, 3, "in.csv"},
    {"ShortRow", AND_A("1 1 0 0"), RUN_IT, 3, "in.csv"},
    {"NotANumber", AND_A("1 one 0 0 0 0 0"), RUN_IT, 3, "one"},
    {"NotFlat", AND_A("1 1 0 1 0 0 0"), RUN_IT " --set gravity.dimension=2", 3, "dimension"},
    {"Noise", "head -c 5000 /dev/zero | tr '\\0' '\\377' > in.dat", "pleiad run in.dat --dt 0.1 --t-end 1", 3,
     "in.dat"},
    {"Missing", "true", "pleiad run nowhere.hdf5 --dt 0.1 --t-end 1", 2, "nowhere.hdf5"},
    {"Folder", "mkdir in.hdf5", "pleiad run in.hdf5 --dt 0.1 --t-end 1", 2, "in.hdf5"},
    {"TooManyBodies", "true", "pleiad ic plummer -n 1e12 -o out.hdf5", 2, "n = 1e12 is out of range"},
    {"MoreThanTheMemory", "true",
     "ulimit -v 2000000; timeout 10 \"$PLEIAD\" ic uniform-box -n 1e9 -o out.hdf5", 4, "memory"},
    {"NoSpace", "true", "pleiad ic plummer -n 1000 -o /dev/full/out.hdf5", 4, "/dev/full"},
    {"NoFolder", "true", "pleiad ic plummer -n 1000 -o nowhere/out.hdf5", 4, "nowhere"},
    {"ConvertMissing", "true", "pleiad convert nowhere.csv out.hdf5", 2, "nowhere.csv"},
    {"RenderMissing", "true", "pleiad render nowhere.csv -o out.png", 2, "nowhere.csv"},
    {"InfoMissing", "true", "pleiad info nowhere.hdf5", 2, "nowhere.hdf5"},
    {"InfoNoise", "head -c 5000 /dev/zero | tr '\\0' '\\377' > in.dat", "pleiad info in.dat", 3, "in.dat"},
    {"InfoEmpty", "touch in.hdf5", "pleiad info in.hdf5", 3, "in.hdf5"},
};

}  // namespace

std::span<const Refusal> data_refusals() { return rows; }

}  // namespace pleiad::test
