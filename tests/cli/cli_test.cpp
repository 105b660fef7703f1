/// The program refuses bad input with the right exit code and one helpful line, and touches no file. A new
/// case is a row of a table.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/refusals.hpp"
#include "cli/shell.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace {

using namespace pleiad::test;

class Refuses : public testing::TestWithParam<Refusal> {};

TEST_P(Refuses, WithOneLineAndTouchesNothing) {
  const auto& row = GetParam();
  const Scratch scratch;
  ASSERT_EQ(scratch.run(row.prepare).code, 0) << row.prepare;
  const Ended ended = scratch.run(row.command);
  EXPECT_EQ(ended.code, row.code) << row.command << '\n' << ended.err;
  EXPECT_NE(ended.err.find(row.word), std::string::npos)
      << "expected: " << row.word << "\nactual:   " << ended.err;
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  EXPECT_TRUE(std::ranges::all_of(ended.err, [](unsigned char c) { return c == '\n' || c >= 0x20; }))
      << ended.err;
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.changes, "") << row.command;
}

std::string name_of(const testing::TestParamInfo<Refusal>& row) { return row.param.name; }
INSTANTIATE_TEST_SUITE_P(Config, Refuses, testing::ValuesIn(config_refusals()), name_of);
INSTANTIATE_TEST_SUITE_P(Usage, Refuses, testing::ValuesIn(usage_refusals()), name_of);
INSTANTIATE_TEST_SUITE_P(Run, Refuses, testing::ValuesIn(run_refusals()), name_of);
INSTANTIATE_TEST_SUITE_P(Data, Refuses, testing::ValuesIn(data_refusals()), name_of);

TEST(Output, HelpAndVersionGoToStandardOutput) {
  const Scratch scratch;
  for (const auto* command : {"pleiad --help", "pleiad --version", "pleiad run --help", "pleiad ic --help",
                              "pleiad info --help", "pleiad convert --help", "pleiad render --help",
                              "pleiad bench --help", "pleiad config --help", "pleiad config check --help"}) {
    const Ended ended = scratch.run(command);
    EXPECT_EQ(ended.code, 0) << command << ended.err;
    EXPECT_EQ(ended.err, "") << command;
    EXPECT_NE(ended.out, "") << command;
    if (std::string(command).ends_with("help")) {
      EXPECT_NE(ended.out.find("Example"), std::string::npos) << command;
    }
  }
}

TEST(Output, HelpHasSeveralSpellings) {
  const Scratch scratch;
  const auto out = [&](const std::string& command) {
    const Ended ended = scratch.run(command);
    EXPECT_EQ(ended.code, 0) << command << ended.err;
    return ended.out;
  };
  EXPECT_EQ(out("pleiad help"), out("pleiad --help"));
  EXPECT_EQ(out("pleiad help config check"), out("pleiad config check --help"));
  for (const std::string word :
       {"Physics:", "Computation:", "Output and resuming:", "Live view:", "--dt DT", "--t-end T_END"})
    EXPECT_NE(out("pleiad help run").find(word), std::string::npos) << word;
  const auto galaxy = out("pleiad ic galaxy --help");
  EXPECT_EQ(galaxy, out("pleiad help ic galaxy"));
  EXPECT_NE(galaxy.find("toomre_q"), std::string::npos) << galaxy;
  EXPECT_EQ(galaxy.find("plummer"), std::string::npos) << galaxy;
}

// What an option takes is what its refusal says, and its help says the same.
TEST(Output, HelpHasEveryWordThatAnOptionTakes) {
  const Scratch scratch;
  const auto help = scratch.run("pleiad help run | tr -s ' \\n' ' '").out;
  for (const std::string option : {"--integrator", "--precision", "--backend", "--tuning"}) {
    const auto refusal = scratch.run("pleiad run x.csv --dt 1 --t-end 1 " + option + " nothing").err;
    const auto begin = refusal.find("one of ");
    ASSERT_NE(begin, std::string::npos) << refusal;
    const auto end = std::min(refusal.find(", not '", begin), refusal.find('\n', begin));
    const auto words = refusal.substr(begin + 7, end - begin - 7);
    ASSERT_GE(std::ranges::count(words, ','), 2) << refusal;
    const auto at = help.find(option + " ");
    ASSERT_NE(at, std::string::npos);
    EXPECT_NE(help.substr(at, 400).find(words), std::string::npos) << option << ": " << words << "\n"
                                                                   << help.substr(at, 400);
  }
}

// The script is run by the shell that it is for: every word that it offers begins as the word that is typed.
TEST(Output, TheShellCompletesCommandsOptionsAndNames) {
  const Scratch scratch;
  const auto words = [&](const std::string& line, std::size_t at) {
    const Ended ended =
        scratch.run("source <(pleiad completion bash); COMP_WORDS=(" + line +
                    "); COMP_CWORD=" + std::to_string(at) + "; _pleiad; echo \"${COMPREPLY[*]}\"");
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out.substr(0, ended.out.find('\n'));
  };
  EXPECT_EQ(words("pleiad re", 1), "render");
  EXPECT_EQ(words("pleiad help ver", 2), "verify");
  EXPECT_EQ(words("pleiad run --t-", 2), "--t-end");
  EXPECT_EQ(words("pleiad run --integrator y", 3), "yoshida6");
  EXPECT_EQ(words("pleiad ic plum", 2), "plummer");
  EXPECT_EQ(words("pleiad run galaxy", 2), "") << "then the shell completes names of files";
  const Ended fish = scratch.run("pleiad completion fish"), zsh = scratch.run("pleiad completion zsh");
  EXPECT_NE(fish.out.find("complete -c pleiad -n '__fish_seen_subcommand_from run' -l dt -r -d 'time step'"),
            std::string::npos);
  EXPECT_EQ(zsh.out.find("#compdef pleiad\n"), 0U);
}

// `ic` stores the softening of a model, `convert` converts it, and `run` takes it unless another one is set.
TEST(Output, TheSofteningOfAModelGoesWithItsFile) {
  const Scratch scratch;
  const auto softening = [&](const std::string& file, const std::string& options) {
    const Ended ended = scratch.run("pleiad run " + file +
                                    " --dt 0.0078125 --t-end 0.015625 --overwrite --output o --set "
                                    "output.pictures=false --set output.plots=false " +
                                    options + " && grep -x 'softening = .*' o/config.toml");
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.err.find("which goes with the bodies") != std::string::npos,
              options.empty() && file != "few.csv")
        << ended.err;
    return ended.out.substr(ended.out.rfind("softening = "));
  };
  for (const std::string form : {"hdf5", "csv"}) {
    const auto file = "p." + form;
    ASSERT_EQ(scratch.run("pleiad ic plummer -n 200 -o " + file).code, 0);
    EXPECT_EQ(softening(file, ""), "softening = 0.02\n");
    EXPECT_EQ(softening(file, "--eps 0.05"), "softening = 0.05\n");
    EXPECT_EQ(softening(file, "--eps 0"), "softening = 0.0\n");
  }
  ASSERT_EQ(scratch.run("pleiad ic pythagorean -o few.csv").code, 0);
  EXPECT_EQ(softening("few.csv", ""), "softening = 0.0\n");
  ASSERT_EQ(
      scratch.run("pleiad ic galaxy -n 400 -o g.csv && pleiad convert g.csv c.hdf5 --to-units cluster").code,
      0);
  EXPECT_NE(scratch.run("pleiad info c.hdf5").out.find("softening        200, suggested"), std::string::npos);
  // Without the file's word many bodies need one of the user.
  ASSERT_EQ(scratch.run("grep -v '^# softening' p.csv > bare.csv").code, 0);
  EXPECT_EQ(scratch.run("pleiad run bare.csv --dt 0.01 --t-end 1").code, 2);
  ASSERT_EQ(scratch.run("sed 's/^# softening.*/# softening: -1/' p.csv > bad.csv").code, 0);
  EXPECT_NE(scratch.run("pleiad run bad.csv --dt 0.01 --t-end 1").err.find("it needs one number >= 0"),
            std::string::npos);
}

// `ic` stores a time step that suits the model and its softening; `convert` converts it, and `run` takes it
// unless another one is set.
TEST(Output, TheTimeStepOfAModelGoesWithItsFile) {
  const Scratch scratch;
  const auto run = [&](const std::string& file, const std::string& options) {
    return scratch.run("pleiad run " + file +
                       " --t-end 0.1 --overwrite --output o --set output.pictures=false --set "
                       "output.plots=false " +
                       options + " && grep -x 'dt = .*' o/config.toml");
  };
  // 0.25 eps / sqrt(0.4 M / r_half) with eps = 0.02 and r_half = 0.77 is 0.0069: 0.005 of 1, 2, 5 times
  // powers of 10.
  for (const std::string form : {"hdf5", "csv"}) {
    const auto file = "p." + form;
    ASSERT_EQ(scratch.run("pleiad ic plummer -n 200 -o " + file).code, 0);
    const Ended taken = run(file, "");
    EXPECT_EQ(taken.code, 0) << taken.err;
    EXPECT_NE(taken.err.find("time step 0.005, which goes with the bodies of the file (--dt sets another)"),
              std::string::npos)
        << taken.err;
    EXPECT_NE(taken.out.find("dt = 0.005\n"), std::string::npos) << taken.out;
    const Ended set = run(file, "--dt 0.01");
    EXPECT_NE(set.out.find("dt = 0.01\n"), std::string::npos) << set.out << set.err;
    EXPECT_EQ(set.err.find("time step"), std::string::npos) << set.err;
    // A smaller softening takes a smaller step, a larger one none.
    EXPECT_NE(run(file, "--eps 0.01").out.find("dt = 0.0025\n"), std::string::npos);
    EXPECT_NE(run(file, "--eps 0.1").out.find("dt = 0.005\n"), std::string::npos);
    const Ended none = run(file, "--eps 0");
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("is for the softening 0.02, not for none"), std::string::npos) << none.err;
    const Ended many = run(file, "--ensemble 2");
    EXPECT_EQ(many.code, 2);
    EXPECT_NE(many.err.find("time.dt must be > 0"), std::string::npos) << many.err;
  }
  ASSERT_EQ(
      scratch.run("pleiad ic galaxy -n 400 -o g.csv && pleiad convert g.csv c.hdf5 --to-units cluster").code,
      0);
  // Times in pc / (km/s) are 1000 times those in kpc / (km/s).
  const auto step = [&](const std::string& file) {
    return scratch
        .run("pleiad info " + file + " --json | sed -n 's/.*suggested_time_step.: *\\([^,]*\\),*/\\1/p'")
        .out;
  };
  const double galactic = std::stod(step("g.csv")), cluster = std::stod(step("c.hdf5"));
  // A kpc of GADGET and one of 1000 pc agree to 7 digits.
  EXPECT_NEAR(cluster / galactic, 1000, 1e-3);
  ASSERT_EQ(scratch.run("grep -v '^# time_step' p.csv > bare.csv").code, 0);
  const Ended bare = run("bare.csv", "");
  EXPECT_EQ(bare.code, 2);
  EXPECT_NE(bare.err.find("bare.csv' suggests none"), std::string::npos) << bare.err;
  ASSERT_EQ(scratch.run("sed 's/^# time_step.*/# time_step: 0/' p.csv > bad.csv").code, 0);
  EXPECT_NE(run("bad.csv", "").err.find("it needs one number > 0"), std::string::npos);
}

TEST(Info, PrintsOrbits) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic solar-system -o s.csv").code, 0);
  const auto text = scratch.run("pleiad info s.csv --orbits");
  EXPECT_EQ(text.code, 0);
  // A row for each planet: Mercury's axis and eccentricity.
  EXPECT_EQ(std::ranges::count(text.out, '\n'), 10) << text.out;
  EXPECT_NE(text.out.find("       1     0.387099     0.205636"), std::string::npos) << text.out;
  const auto json = scratch.run("pleiad info s.csv --orbits --about barycentre --json");
  EXPECT_EQ(json.code, 0);
  EXPECT_NE(json.out.find("\"about\": \"barycentre\""), std::string::npos) << json.out;
}

TEST(Info, OfARunIsThatOfItsLastState) {
  const Scratch scratch;
  ASSERT_EQ(scratch
                .run("pleiad ic two-body -o s.csv && pleiad run s.csv --dt 0.01 --t-end 0.5 --output r --set "
                     "output.plots=false --set output.pictures=false")
                .code,
            0);
  for (const std::string more : {"", " --orbits", " --orbits --json"}) {
    const auto run = scratch.run("pleiad info r" + more);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, scratch.run("pleiad info \"$(ls r/snapshots/* | tail -n 1)\"" + more).out) << more;
  }
  EXPECT_NE(scratch.run("pleiad info r --orbits").out.find("at time 0.5;"), std::string::npos);
  // Without snapshots the checkpoint has the last state.
  ASSERT_EQ(scratch.run("rm r/snapshots/*").code, 0);
  EXPECT_NE(scratch.run("pleiad info r --orbits").out.find("at time 0.5;"), std::string::npos);
  const auto whole = scratch.run("pleiad info r");
  EXPECT_NE(whole.out.find("format           checkpoint\n"), std::string::npos) << whole.out << whole.err;
  EXPECT_EQ(scratch.run("pleiad info r --units si").code, 2);
  EXPECT_EQ(scratch.run("mkdir empty && pleiad info empty --orbits").code, 3);
}

TEST(Output, AClosedPipeEndsQuietly) {
  const Scratch scratch;
  for (const auto* command :
       {"pleiad config | head -1", "pleiad config --json | head -1", "pleiad ic --list | head -1",
        "pleiad config | true", "{ sleep 0.2; pleiad config; } | true"}) {
    const Ended ended = scratch.run("set -o pipefail; " + std::string(command));
    EXPECT_EQ(ended.code, 0) << command << ended.err;
    EXPECT_EQ(ended.err, "") << command;
  }
}

TEST(Output, LostOutputIsAnError) {
  const Scratch scratch;
  for (const auto* command : {"pleiad config > /dev/full", "pleiad config --keys > /dev/full",
                              "pleiad --version > /dev/full", "pleiad --help > /dev/full",
                              "pleiad ic --list > /dev/full", "pleiad config >&-", "pleiad --version >&-"}) {
    const Ended ended = scratch.run(command);
    EXPECT_EQ(ended.code, 4) << command << ended.err;
    EXPECT_NE(ended.err.find("standard output"), std::string::npos) << ended.err;
    EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  }
  EXPECT_EQ(scratch.run("pleiad config check nowhere.toml 2>&-").code, 2);
}

TEST(Output, NoColourOutsideATerminal) {
  const Scratch scratch;
  EXPECT_EQ(scratch.run("TERM=xterm-256color pleiad config check nowhere.toml").err.find('\033'),
            std::string::npos);
}

TEST(Config, TheReferenceFileIsPrintedAndAccepted) {
  const Scratch scratch;
  const Ended ended = scratch.run("pleiad config > r.toml && cmp r.toml " PLEIAD_SOURCE_DIR
                                  "/docs/reference.toml && pleiad config check r.toml --set "
                                  "initial_conditions.model=plummer --set time.dt=0.1 --set time.t_end=1"
                                  " --effective > full.toml && pleiad config check full.toml");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "full.toml: good\n");
}

TEST(Run, TheEffectiveConfigurationGivesTheSameBits) {
  const Scratch scratch;
  const Ended ended = scratch.run(
      "pleiad ic plummer -n 500 --seed 3 -o in.hdf5 > /dev/null && "
      "pleiad run in.hdf5 --eps 0.05 --dt 0.0625 --t-end 0.5 --output one --quiet | tail -n 1 && "
      "pleiad run one/config.toml --output two --quiet | tail -n 1 && "
      "cmp one/diagnostics.txt two/diagnostics.txt");
  EXPECT_EQ(ended.code, 0) << ended.err;
  ASSERT_EQ(ended.out.size(), 2 * 44u) << ended.out;  // "state hash " and 32 digits, twice
  EXPECT_EQ(ended.out.substr(0, 44), ended.out.substr(44));
}

// P7: a fixed step cannot resolve the encounters; the run must say so and never end as if done.
TEST(Run, APythagoreanProblemWithAFixedStepIsReportedAsFailed) {
  const Scratch scratch;
  const Ended ended = scratch.run(
      "pleiad ic pythagorean -o three.csv > /dev/null 2>&1; pleiad run three.csv --precision f64 --dt 0.001 "
      "--t-end 70 --output three --quiet");
  EXPECT_EQ(ended.code, 5) << ended.out;
  EXPECT_NE(ended.err.find("energy error"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("gauss-radau"), std::string::npos) << ended.err;
}

TEST(Run, BodiesThatMeetWithoutSofteningEndTheRunWithTheirIds) {
  const Scratch scratch;
  // Two bodies that pass through the same point on a step: their pull then is not defined.
  const Ended ended = scratch.run(
      "printf '1e-30 -1 0 0 1 0 0\\n1e-30 1 0 0 -1 0 0\\n' > in.csv; pleiad run in.csv --precision f64 --dt "
      "0.0625 "
      "--t-end 2 --output meet --quiet --set limits.check_every=1 --set output.pictures=false");
  EXPECT_EQ(ended.code, 5) << ended.out;
  EXPECT_NE(ended.err.find("ids 0 and 1"), std::string::npos) << ended.err;
}

}  // namespace
