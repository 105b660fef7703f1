/// Command lines that must be refused before anything is done.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/refusals.hpp"

namespace pleiad::test {
namespace {

constexpr Refusal rows[] = {
    {"NoCommand", "true", "pleiad", 2, "pleiad: which command? There are run, ic, "},
    {"UnknownCommand", "true", "pleiad rnu", 2, "pleiad: no command 'rnu'; did you mean 'run'?"},
    {"AFileInsteadOfACommand", "touch a.toml", "pleiad a.toml", 2, "did you mean 'pleiad run a.toml'"},
    {"UnknownOption", "touch a.csv", "pleiad run a.csv --esp 0.1", 2,
     "pleiad run: no option '--esp'; did you mean '--eps'?"},
    {"UnknownOptionWithValue", "touch a.csv", "pleiad run a.csv --t_end=3", 2,
     "pleiad run: no option '--t_end'"},
    {"KeyAsOption", "touch a.csv", "pleiad run a.csv --softening 0.1", 2, "--set gravity.softening=VALUE"},
    {"KeyAsOptionWithATypo", "touch a.csv", "pleiad run a.csv --sofetning 0.1", 2,
     "did you mean --set gravity.softening=VALUE?"},
    {"UnknownOptionOfProgram", "true", "pleiad --verison", 2,
     "pleiad: no option '--verison'; did you mean '--version'?"},
    {"UnknownInstructionSet", "true", "pleiad bench cpu --simd axv2 -n 64", 2,
     "no instruction set 'axv2' on this machine; it has "},
    {"MissingValue", "touch a.csv", "pleiad run a.csv --dt", 2, "pleiad run: --dt needs a value"},
    {"MissingSetting", "touch a.csv", "pleiad run a.csv --set", 2, "--set needs a value"},
    {"TooMany", "touch a.csv b.csv", "pleiad run a.csv b.csv", 2,
     "pleiad run: 'b.csv' is one argument too many"},
    {"NoInput", "true", "pleiad run", 2, "pleiad run: "},
    {"NotUtf8", "true", "pleiad $'\\xff\\xfe'", 2, "\\xff\\xfe"},
    {"NotUtf8Option", "touch a.csv", "pleiad run a.csv $'--\\xff'", 2, "no option '--\\xff'"},
    {"ControlCharacters", "true", "pleiad $'\\e[31m\\a'", 2, "\\x1b[31m\\x07"},
    {"LongArgument", "true", "pleiad $(head -c 100000 /dev/zero | tr '\\0' x)", 2, "no command"},
    {"NegativeCount", "true", "pleiad ic plummer -n=-1 -o out.hdf5", 2, "-1"},
    {"NegativeCountApart", "true", "pleiad ic plummer -n -1 -o out.hdf5", 2, "-1"},
    {"FractionOfABody", "true", "pleiad ic plummer -n 10.5 -o out.hdf5", 2, "10.5"},
    {"NotACount", "true", "pleiad ic plummer -n many -o out.hdf5", 2, "many"},
    {"NoCount", "true", "pleiad ic plummer -o out.hdf5 -n", 2, "-n needs a value"},
    {"NegativeSeed", "true", "pleiad ic plummer -n 10 --seed=-1 -o out.hdf5", 2, "whole number from 0"},
    {"UnknownModel", "true", "pleiad ic plumer -n 10 -o out.hdf5", 2, "did you mean 'plummer'?"},
    {"UnknownParameter", "true", "pleiad ic plummer m=10 -o out.hdf5", 2, "has no parameter 'm'"},
    {"UnknownFormat", "true", "pleiad ic plummer -n 10 --format hdf6 -o out.hdf5", 2, "did you mean 'hdf5'?"},
    {"UnknownUnits", "true", "pleiad ic plummer -n 10 --units galatic -o out.hdf5", 2, "galatic"},
    {"UnknownOptionOfInfo", "true", "pleiad info --jsn", 2,
     "pleiad info: no option '--jsn'; did you mean '--json'?"},
    {"OrbitsAboutNothing", "pleiad ic kepler -o k.csv", "pleiad info k.csv --orbits --about 7", 2,
     "there is no body with this id"},
    {"AboutWithoutOrbits", "pleiad ic kepler -o k.csv", "pleiad info k.csv --about 1", 2,
     "goes with --orbits"},
    {"InfoOfNothing", "true", "pleiad info", 2, "pleiad info: "},
    {"ConvertFromOnly", "touch a.csv", "pleiad convert a.csv", 2, "pleiad convert: "},
    {"RenderOfNothing", "true", "pleiad render", 2, "pleiad render: "},
    {"HelpOfNothing", "true", "pleiad help rnu", 2, "pleiad: no command 'rnu'; did you mean 'run'?"},
    {"UnknownShell", "true", "pleiad completion tcsh", 2, "pleiad completion: "},
    {"NotANumber", "touch a.csv", "pleiad run a.csv --dt abc", 2,
     "--dt: time.dt must be a number, not 'abc'"},
    {"OutOfRange", "touch a.csv", "pleiad run a.csv --eps -1", 2,
     "--eps: gravity.softening must be >= 0, not -1"},
    {"SynonymOfABackend", "touch a.csv", "pleiad run a.csv --backend gpu", 2, "did you mean 'cuda'?"},
    {"SynonymOfAPrecision", "touch a.csv", "pleiad run a.csv --precision double", 2, "did you mean 'f64'?"},
    {"NoLetterInCommon", "true", "pleiad ic plummer w0=3 -o out.hdf5", 2,
     "has no parameter 'w0'; its parameters are n, "},
    {"FlagWithValue", "true", "pleiad config --keys=maybe", 2, "pleiad config: "},
};

}  // namespace

std::span<const Refusal> usage_refusals() { return rows; }

}  // namespace pleiad::test
