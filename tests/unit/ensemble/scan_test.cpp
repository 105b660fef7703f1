/// The grammar of a scan, and which values and seeds each system gets.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/ensemble/scan.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using run::Scan;

namespace {

Options with(std::vector<std::string> vary, std::uint64_t count = 0) {
  Options o;
  o.ic.model = "plummer";
  o.ic.seed = 100;
  o.time.dt = 0.25;
  o.ensemble.vary = std::move(vary);
  o.ensemble.count = count;
  return o;
}
using Texts = std::vector<std::string>;

std::string refusal(const Options& o) {
  try {
    const Scan scan(o);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "(accepted)";
}

}  // namespace

TEST(Scan, OfNothingButACountDiffersInTheSeed) {
  const Scan scan(with({}, 3));
  EXPECT_EQ(scan.size(), 3u);
  EXPECT_EQ(scan.points(), 1u);
  EXPECT_EQ(scan.options(2).ic.seed, 102u);
  EXPECT_EQ(scan.values(2), Texts{});
}

TEST(Scan, MakesEveryCombinationTheLastFastest) {
  const Scan scan(with({"gravity.softening = 0.5, 1", "n=10:30:3"}));
  ASSERT_EQ(scan.size(), 6u);
  EXPECT_EQ(scan.values(0), (Texts{"0.5", "10"}));
  EXPECT_EQ(scan.values(1), (Texts{"0.5", "20"}));
  EXPECT_EQ(scan.values(2), (Texts{"0.5", "30"}));
  EXPECT_EQ(scan.values(5), (Texts{"1", "30"}));
  const auto o = scan.options(4);
  EXPECT_EQ(o.gravity.softening, 1);
  EXPECT_EQ(o.ic.parameters, Texts{"n=20"});
  EXPECT_EQ(o.ic.seed, 104u);
}

TEST(Scan, TakesTheWordsOfAModelsChoices) {
  Options o = with({"imf=kroupa, salpeter", "initial_conditions.parameters.profile=king"});
  o.ic.model = "cluster";
  const Scan scan(o);
  ASSERT_EQ(scan.size(), 2u);
  EXPECT_FALSE(scan.varied()[0].numbers);
  EXPECT_EQ(scan.options(1).ic.parameters, (Texts{"imf=salpeter", "profile=king"}));
  EXPECT_NE(refusal(with({"imf=kroupa, 3"})).find("'kroupa' is not a finite number"), std::string::npos);
  EXPECT_NE(refusal(with({"n=kroupa"})).find("'kroupa' is not a finite number"), std::string::npos);
}

TEST(Scan, GoesSideBySideWhenAsked) {
  Options o = with({"gravity.softening=0.1,0.2,0.4", "time.integrator=kdk,dkd,euler"}, 2);
  o.ensemble.scan = "zip", o.ensemble.seeds = "shared";
  const Scan scan(o);
  ASSERT_EQ(scan.size(), 6u);
  EXPECT_EQ(scan.points(), 3u);
  EXPECT_EQ(scan.values(1), (Texts{"0.1", "kdk"}));
  EXPECT_EQ(scan.values(5), (Texts{"0.4", "euler"}));
  EXPECT_EQ(scan.seed(0), 100u);
  EXPECT_EQ(scan.seed(1), 101u);
  EXPECT_EQ(scan.seed(2), 100u);  // each point has the same draws
  EXPECT_EQ(scan.options(5).time.integrator, "euler");
}

TEST(Scan, RangesMeetBothEnds) {
  EXPECT_EQ(Scan(with({"a=0:1:5"})).values(1), Texts{"0.25"});
  EXPECT_EQ(Scan(with({"a=3:-3:7"})).values(6), Texts{"-3"});
  const Scan decades(with({"a=1e-3:1e3:7:log"}));
  EXPECT_EQ(decades.values(0), Texts{"0.001"});
  EXPECT_EQ(decades.values(6), Texts{"1000"});
  // Where rounding would miss them: 0.2 + (0.9 - 0.2) and 0.1 (1.7 / 0.1).
  EXPECT_EQ(Scan(with({"a=0.2:0.9:3"})).values(2), Texts{"0.9"});
  EXPECT_EQ(Scan(with({"a=0.1:1.7:3:log"})).values(2), Texts{"1.7"});
  // A power and a product, each rounded to 2^-53.
  EXPECT_LE(std::abs(std::stod(decades.values(3)[0]) - 1), 1e-15);
}

TEST(Scan, DrawsForEachSystem) {
  const Scan scan(with({"a=2:4:random", "b=0,1"}, 500));
  ASSERT_EQ(scan.size(), 1000u);  // what is drawn is no axis
  std::set<std::string> values;
  double sum = 0;
  for (std::size_t k = 0; k < scan.size(); ++k) {
    const auto text = scan.values(k)[0];
    EXPECT_TRUE(values.insert(text).second);
    const double v = std::stod(text);
    EXPECT_TRUE(v >= 2 && v <= 4) << v;
    sum += v;
  }
  // Uniform: standard deviation 2/sqrt(12), of the mean of 1000 0.018; five of those.
  EXPECT_LE(std::abs(sum / 1000 - 3), 0.091);
  EXPECT_EQ(scan.values(7), Scan(with({"a=2:4:random", "b=0,1"}, 500)).values(7));
}

TEST(Scan, ReplacesAParameterThatIsSet) {
  Options o = with({"n=7,8"});
  o.ic.parameters = {"n=100", "mass_fraction=0.5"};
  EXPECT_EQ(Scan(o).options(1).ic.parameters, (Texts{"mass_fraction=0.5", "n=8"}));
}

TEST(Scan, TakesAVariedSeedAsItIs) {
  for (const char* seeds : {"own", "shared"}) {
    Options o = with({"gravity.softening=0,1", "initial_conditions.seed=5, 9007199254740993, 1e3"}, 2);
    o.ensemble.seeds = seeds;
    const Scan scan(o);
    ASSERT_EQ(scan.size(), 12u);
    EXPECT_EQ(scan.seed(0), 5u);
    EXPECT_EQ(scan.seed(1), 6u);  // the second of ensemble.count
    EXPECT_EQ(scan.seed(2), 9007199254740993u);
    EXPECT_EQ(scan.seed(11), 1001u);
    for (std::size_t k = 0; k < scan.size(); ++k) {
      EXPECT_EQ(scan.options(k).ic.seed, scan.seed(k));
      EXPECT_EQ(scan.values(k)[1], std::to_string(scan.seed(k)));
    }
    EXPECT_EQ(scan.varied()[1].key, "seed");
  }
  EXPECT_EQ(Scan(with({"initial_conditions.seed=1:3:3"})).seed(1), 2u);
}

TEST(Scan, RefusesWhatIsNoSeed) {
  for (const char* words : {"-1", "1.5", "9223372036854775808", "1e300", "99999999999999999999", "1:2:3"}) {
    const auto actual = refusal(with({std::string("initial_conditions.seed=") + words}));
    EXPECT_NE(actual.find("a seed must be a whole number from 0 to 9223372036854775807"), std::string::npos)
        << words << ": " << actual;
  }
  EXPECT_NE(refusal(with({"initial_conditions.seed=1:9:random"})).find("not drawn"), std::string::npos);
  EXPECT_EQ(refusal(with({"initial_conditions.seed=9223372036854775807"})), "(accepted)");
  EXPECT_NE(refusal(with({"initial_conditions.seed=9223372036854775807"}, 2)).find("there are not 1 more"),
            std::string::npos);
}

TEST(Scan, TakesTextsAsTheyAre) {
  const Scan scan(with({"initial_conditions.model=plummer, king", "initial_conditions.parameters.n=5,6"}));
  EXPECT_EQ(scan.options(3).ic.model, "king");
  EXPECT_EQ(scan.options(3).ic.parameters, Texts{"n=6"});
  EXPECT_EQ(scan.varied()[1].key, "n");
}

TEST(Scan, RefusesWhatItCannotRead) {
  const std::pair<Options, const char*> rows[] = {
      {with({"softening"}), "it must be KEY=VALUE"},
      {with({"=1,2"}), "it must be KEY=VALUE"},
      {with({"a="}), "a value is missing"},
      {with({"a=1,,2"}), "a value is missing"},
      {with({"a=1,two"}), "'two' is not a finite number"},
      {with({"a=nan"}), "'nan' is not a finite number"},
      {with({"a=1:2"}), "a range is FROM:TO:COUNT"},
      {with({"a=1:2:3:4"}), "a range is FROM:TO:COUNT"},
      {with({"a=1:2:1"}), "COUNT must be a whole number from 2"},
      {with({"a=1:2:2.5"}), "COUNT must be a whole number from 2"},
      {with({"a=1:2:1e12"}), "COUNT must be a whole number from 2"},
      {with({"a=0:2:3:log"}), "a logarithmic range needs"},
      {with({"a=2:1:random"}), "needs FROM < TO"},
      {with({"softening=1,2"}), "the key is written 'gravity.softening'"},
      {with({"gravity.softning=1,2"}), "did you mean 'gravity.softening'?"},
      {with({"output.directory=a,b"}), "must be the same for all systems"},
      {with({"time.t_end=1,2"}), "must be the same for all systems"},
      {with({"a=1,2", "a=3,4"}), "names 'a' twice"},
      {with({"a=0:1:1000", "b=0:1:1000", "c=0:1:1000", "d=0:1:1000", "e=0:1:1000", "f=0:1:1000",
             "g=0:1:1000"}),
       "can be counted"},
  };
  for (const auto& [options, message] : rows) {
    const auto actual = refusal(options);
    EXPECT_NE(actual.find(message), std::string::npos) << "expected: " << message << "\nactual:   " << actual;
    EXPECT_EQ(actual.find('\n'), std::string::npos);
  }
  Options zip = with({"a=1,2,3", "b=1,2"});
  zip.ensemble.scan = "zip";
  EXPECT_NE(refusal(zip).find("needs lists of one length: 'a' has 3 values, 'b' has 2"), std::string::npos)
      << refusal(zip);
  zip.ensemble.vary = {"a=1,2", "b=1,2,3"};
  EXPECT_NE(refusal(zip).find("needs lists of one length: 'a' has 2 values, 'b' has 3"), std::string::npos)
      << refusal(zip);
  Options file = with({"a=1,2"});
  file.ic.file = "x.csv", file.ic.model = "";
  EXPECT_NE(refusal(file).find("no parameters"), std::string::npos);
}

TEST(Scan, NamesTheSystemWhoseValueIsOutOfRange) {
  const Scan scan(with({"gravity.softening=1,0,-1"}));
  EXPECT_NO_THROW(scan.options(1));
  try {
    scan.options(2);
    FAIL() << "a negative softening is accepted";
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("system 2 of the ensemble"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("gravity.softening must be >= 0"), std::string::npos) << e.what();
  }
}
