/// Configurations that `pleiad config check` and `pleiad run` must refuse. The library's own tests know more
/// of them; these go all the way.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/refusals.hpp"

namespace pleiad::test {
namespace {

#define CHECK_OF(text) "printf '" text "' > run.toml", "pleiad config check run.toml", 2

constexpr Refusal rows[] = {
    {"UnknownKey", CHECK_OF("[gravity]\\nsofetning = 1\\n"),
     "pleiad: error: run.toml:2: no key 'sofetning' in [gravity]; did you mean 'softening'?\n"},
    {"UnknownSection", CHECK_OF("[gravty]\\nG = 1\\n"),
     "run.toml:1: no section [gravty]; did you mean 'gravity'?"},
    {"WrongType", CHECK_OF("[time]\\ndt = \"1\"\\n"), "run.toml:2: time.dt must be a number"},
    {"Duplicate", CHECK_OF("[time]\\ndt = 1\\ndt = 1\\n"), "run.toml:3:"},
    {"IntegerOverflow", CHECK_OF("[engine]\\nthreads = 99999999999999999999\\n"), "run.toml:2:"},
    {"Nan", CHECK_OF("[time]\\ndt = nan\\n"), "run.toml:2: time.dt must be > 0, not nan"},
    {"Infinity", CHECK_OF("[time]\\nt_end = inf\\n"), "run.toml:2: time.t_end must be finite"},
    {"Empty", CHECK_OF(""), "run.toml: nothing is set in it"},
    {"OnlyABom", CHECK_OF("\\xef\\xbb\\xbf"), "run.toml: nothing is set in it"},
    {"ZeroStep", CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[time]\\ndt = 0\\n"),
     "time.dt must be > 0"},
    {"NegativeStep", CHECK_OF("[time]\\ndt = -1\\n"), "run.toml:2: time.dt must be > 0, not -1"},
    {"NegativeSoftening", CHECK_OF("[gravity]\\nsoftening = -0.5\\n"),
     "run.toml:2: gravity.softening must be >= 0, not -0.5"},
    {"NoSuchSofteningKernel", CHECK_OF("[gravity]\\nsoftening_kernel = \"splin\"\\n"),
     "gravity.softening_kernel must be one of plummer, spline, not 'splin'; did you mean 'spline'?"},
    {"NoSuchSofteningRule", CHECK_OF("[gravity]\\nsoftening_rule = \"sum\"\\n"),
     "gravity.softening_rule must be one of max, quadratic, not 'sum'"},
    {"NoSuchType",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[gravity]\\nsoftening_by_type = "
              "[\"hallo=1\"]\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "gravity.softening_by_type: 'hallo=1' names no type; there are gas, halo, disc, bulge, star, boundary; "
     "did "
     "you mean 'halo'?"},
    {"SofteningOfATypeBelow0",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[gravity]\\nsoftening_by_type = "
              "[\"halo=-1\"]\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "gravity.softening_by_type: 'halo=-1' must be \"TYPE=LENGTH\" with a length >= 0, such as "
     "\"halo=0.05\""},
    {"SofteningsOfAModel",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[gravity]\\nsoftening_of_bodies = "
              "true\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "gravity.softening_of_bodies needs initial_conditions.file: a model gives bodies none"},
    {"SplineOfAKernelWithout",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[gravity]\\nsoftening = 0.1\\nsoftening_kernel = "
              "\"spline\"\\n[engine]\\nkernel = \"cpu/symmetric\"\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "gravity.softening_kernel = \"spline\": computed by cpu/threads, not by 'cpu/symmetric'; use that one"},
    {"SplineOfEnsembles",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[gravity]\\nsoftening = 0.1\\nsoftening_kernel = "
              "\"spline\"\\n[ensemble]\\ncount = 2\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "ensembles have one Plummer softening: leave out gravity.softening_kernel"},
    {"NoSuchSemiActiveType",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[gravity]\\nsoftening = 0.1\\nsemi_active = "
              "\"dics\"\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "gravity.semi_active: 'dics' is no type; there are gas, halo, disc, bulge, star, boundary, and "
     "below=MASS; did you mean 'disc'?"},
    {"SemiActiveMassBelow0",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[gravity]\\nsoftening = 0.1\\nsemi_active = "
              "\"below=-1\"\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "gravity.semi_active: 'below=-1' must have a finite mass > 0"},
    {"NoSemiActiveBodies",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[gravity]\\nsoftening = 0.1\\nsemi_active = "
              "\"disc\"\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "no body with mass is semi-active by \"disc\""},
    {"SemiActiveBodiesOfEnsembles",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[gravity]\\nsoftening = 0.1\\nsemi_active = "
              "\"halo\"\\n[ensemble]\\ncount = 2\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "gravity.semi_active is for runs of one system"},
    {"NoBodies", CHECK_OF("[time]\\ndt = 1\\n"), "initial_conditions.model"},
    {"TwoStarts",
     CHECK_OF("[time]\\ndt = 1\\n[initial_conditions]\\nmodel = \"plummer\"\\nfile = \"a.hdf5\"\\n"),
     "exclude each other"},
    {"NotUtf8", CHECK_OF("[output]\\ndirectory = \"\\xff\"\\n"), "run.toml:2:"},
    {"Utf16", CHECK_OF("\\xff\\xfe[\\x00t\\x00"), "run.toml:1:"},
    {"NoSuchIntegrator",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[time]\\ndt = 1\\nt_end = 1\\nintegrator = "
              "\"kdkk\"\\n"),
     "did you mean 'kdk'?"},
    {"NoSuchModel", CHECK_OF("[initial_conditions]\\nmodel = \"plumer\"\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "did you mean 'plummer'?"},
    {"NoSuchForce",
     CHECK_OF(
         "[initial_conditions]\\nmodel = \"plummer\"\\n[gravity]\\nforces = [\"oblte j2=1\"]\\n[time]\\ndt "
         "= 1\\nt_end = 1\\n"),
     "gravity.forces: no force 'oblte': it is one of post-newtonian, gr-potential, oblate, radiation, "
     "poynting-robertson, gas-drag, dynamical-friction, post-newtonian-pairs; did you mean 'oblate'?"},
    {"ForceWithoutItsSource",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\nparameters = [\"n=9\"]\\n[gravity]\\nforces = "
              "[\"gr-potential c=9 body=9\"]\\n[time]\\ndt = 1\\nt_end = 1\\n"),
     "gravity.forces: there is no body with id 9"},
    {"RadiusOfNoId",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[encounters]\\nradii = [\"a=1\"]\\n[time]\\ndt = "
              "1\\nt_end = "
              "1\\n"),
     "encounters.radii: 'a' in 'a=1' is no id of a body, a whole number >= 0"},
    {"MergerOfPoints",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[encounters]\\non_collision = "
              "\"merge\"\\n[time]\\ndt = "
              "1\\nt_end = 1\\n"),
     "encounters.on_collision = \"merge\" needs encounters.radius, density or radii"},
    {"NoSuchReaction", CHECK_OF("[encounters]\\non_collision = \"merg\"\\n"), "did you mean 'merge'?"},
    {"NoSuchKernel",
     CHECK_OF("[initial_conditions]\\nmodel = \"plummer\"\\n[time]\\ndt = 1\\nt_end = 1\\n[engine]\\nkernel "
              "= \"cpu/smid\"\\n"),
     "did you mean 'cpu/simd'?"},
    {"Huge", "truncate -s 100M run.toml", "timeout 5 \"$PLEIAD\" config check run.toml", 2,
     "104857600 bytes"},
    {"DeepBrackets", "(printf 'a = '; head -c 100000 /dev/zero | tr '\\0' '[') > run.toml",
     "pleiad config check run.toml", 2, "run.toml:1: nested more than 16 deep"},
    {"DeepDots", "(printf 'a'; yes .a | head -100000 | tr -d '\\n'; echo ' = 1') > run.toml",
     "pleiad config check run.toml", 2, "run.toml:1: nested more than 16 deep"},
    {"DeepTables", "(printf 'a = '; yes '{a=' | head -100000 | tr -d '\\n') > run.toml",
     "pleiad config check run.toml", 2, "run.toml:1: nested more than 16 deep"},
    {"Missing", "true", "pleiad config check nowhere.toml", 2, "nowhere.toml"},
    {"Folder", "mkdir run.toml", "pleiad config check run.toml", 2, "not a regular file"},
    {"Fifo", "mkfifo run.toml", "pleiad config check run.toml", 2, "not a regular file"},
    {"LineBreakInTheName", "true", "pleiad config check $'a\\nb.toml'", 2, "a; b.toml"},
    {"BadSetting", "echo '[time]' > run.toml; echo 'dt = 1' >> run.toml",
     "pleiad config check run.toml --set gravity.sofetning=1", 2,
     "--set gravity.sofetning=1: no key 'sofetning' in [gravity]; did you mean 'softening'?"},
    {"SettingWithoutSection", "echo '[time]' > run.toml; echo 'dt = 1' >> run.toml",
     "pleiad config check run.toml --set dt=1", 2, "it belongs to [time]"},
};

}  // namespace

std::span<const Refusal> config_refusals() { return rows; }

}  // namespace pleiad::test
