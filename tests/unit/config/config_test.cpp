/// Configuration: what is read, what is written, and that everything else is refused in one helpful line.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/config.hpp"

#include "capabilities/capabilities.hpp"
#include "io/durable/durable.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/rng.hpp>
#include <pleiad/units.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

using namespace pleiad;

/// The message of the UsageError that `action` throws, or a text that no expectation contains.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  return "(accepted)";
}
std::string refusal_of_text(const std::string& text) {
  return refusal([&] { parse_config(text, "run.toml"); });
}

/// A sound configuration; tests spoil one thing of it.
Options sound() {
  Options o;
  o.ic.model = "plummer";
  o.gravity.softening = 0.01;
  o.time.dt = 0.01;
  o.time.t_end = 1;
  return o;
}

TEST(Config, TheReferenceFileIsWhatTheTablePrints) {
  EXPECT_EQ(read_file(PLEIAD_SOURCE_DIR "/docs/reference.toml"), reference_config())
      << "write it anew: pleiad config > docs/reference.toml";
}

TEST(Config, ThePageOfCapabilitiesIsWhatTheTablePrints) {
  EXPECT_EQ(read_file(PLEIAD_SOURCE_DIR "/docs/capabilities.md"), capabilities_page())
      << "write it anew: pleiad config --capabilities > docs/capabilities.md";
}

TEST(Config, TheReferenceFileHasEveryKeyAndParsesToTheDefaults) {
  const std::string text = reference_config();
  EXPECT_EQ(parse_config(text, "reference"), Options{});
  for (const auto& key : option_keys()) {
    EXPECT_NE(text.find("\n" + key.key + " = " + key.default_value + "\n"), std::string::npos)
        << key.section << '.' << key.key;
    EXPECT_FALSE(key.meaning.empty()) << key.key;
    EXPECT_FALSE(key.type.empty()) << key.key;
  }
}

TEST(Config, EveryFieldOfOptionsHasExactlyOneKey) {
  // Setting each key to another value than its default changes the Options, and no two keys change the same
  // field: then the texts of all single changes differ from one another in exactly the lines changed.
  std::set<std::string> texts{to_toml(Options{})};
  for (const auto& key : option_keys()) {
    Options changed;
    const std::string name = key.section + "." + key.key;
    std::string value = key.range == "0 to 0.1" ? "0.05" : "0.5";
    if (key.type == "true or false") value = key.default_value == "true" ? "false" : "true";
    else if (key.type == "text")
      value = key.range.starts_with("one of ") ? key.range.substr(key.range.rfind(' ') + 1) : "word";
    else if (key.type == "whole number")
      // The other end of a short range, 17 of a long one.
      value = key.default_value == "3" ? "2"
              : key.range == "0 to 8"  ? "8"
              : key.range == "0 to 11" ? "11"
                                       : "17";
    else if (key.type == "list of numbers") value = "[0.5, 2, 7]";
    else if (key.type == "list of whole numbers") value = "[4, 5]";
    else if (key.type == "list of texts")
      value = key.range.starts_with("one of ") ? key.range.substr(key.range.rfind(' ') + 1) : "n=3";
    if (key.default_value == "\"" + value + "\"") value = key.range.substr(7, key.range.find(',') - 7);
    apply_setting(changed, name + "=" + value);
    EXPECT_FALSE(changed == Options{}) << name;
    EXPECT_TRUE(texts.insert(to_toml(changed)).second) << name;
    EXPECT_EQ(parse_config(to_toml(changed), "again"), changed) << name;
  }
  // A field without a row would be left out of all this: whoever adds a field adds its row, then the number
  // here.
  static_assert(sizeof(Options) == 2232,
                "Options has changed: has every field its row in src/io/config/keys.cpp?");
  EXPECT_EQ(option_keys().size(), 142U);
}

TEST(Config, WrittenOptionsReadBackBitForBit) {
  Random random(1, 0);
  for (int i = 0; i < 2000; ++i) {
    Options o = sound();
    const auto positive = [&] {
      // Any positive finite double, subnormals included.
      const double v = std::abs(std::bit_cast<double>(random.bits()));
      return std::isfinite(v) && v > 0 ? v : 0.1;
    };
    o.gravity.G = positive();
    o.gravity.box = {positive(), positive(), positive()};
    o.time.dt = positive();
    o.time.t_end = -positive();
    o.ic.seed = random.bits() >> 1;
    o.output.snapshot_times = {-0.0, positive()};
    o.output.trajectory_ids = {random.bits() >> 1, 0};
    o.output.orbits_every = 3, o.output.orbits_about = {random.bits() >> 1}, o.output.orbits_radius = 0.7;
    o.output.directory = "a \"quoted\" \\ path\twith \x01 and \u00e9";
    const Options again = parse_config(to_toml(o), "again");
    ASSERT_EQ(again, o) << to_toml(o);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(again.time.dt), std::bit_cast<std::uint64_t>(o.time.dt))
        << o.time.dt;
    ASSERT_TRUE(std::signbit(again.output.snapshot_times[0]));
  }
}

/// A value that each type takes and that is not a default.
std::string other_value(const OptionKey& key) {
  if (key.type == "text") return key.range.substr(key.range.rfind(' ') + 1);
  return key.type == "whole number" ? "17" : "0.5";
}

TEST(Config, FormerNamesOfKeysAreReadWithANote) {
  int seen = 0;
  for (const auto& key : option_keys()) {
    if (key.former_name.empty()) continue;
    ++seen;
    const std::string value = other_value(key);
    const std::string toml = key.type == "text" ? "\"" + value + "\"" : value;
    const auto file = [&](const std::string& name) {
      return "[" + key.section + "]\n" + name + " = " + toml + "\n";
    };
    std::vector<std::string> notes, none;
    const Options present = parse_config(file(key.key), "run.toml", &none);
    EXPECT_FALSE(present == Options{}) << key.key;
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(parse_config(file(key.former_name), "run.toml", &notes), present) << key.former_name;
    const std::string change = key.section + "." + key.former_name + " is now called " + key.section + "." +
                               key.key + "; the former name is still read";
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0], "run.toml:2: " + change);

    const std::string setting = key.section + "." + key.former_name + "=" + value;
    Options set;
    apply_setting(set, setting, std::nullopt, &notes);
    EXPECT_EQ(set, present) << setting;
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_EQ(notes[1], "--set " + setting + ": " + change);
    EXPECT_EQ(present_name(key.section + "." + key.former_name), key.section + "." + key.key);

    EXPECT_NE(refusal_of_text(file(key.former_name) + key.key + " = " + toml + "\n").find("run.toml:2: "),
              std::string::npos)
        << "a key with both of its names";
  }
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(present_name("time.dt"), "time.dt");
}

TEST(Config, TheUsualEtaIsThatOfTheIntegrator) {
  const auto eta = [](const std::string& lines) {
    return parse_config("[time]\n" + lines, "run.toml").time.eta;
  };
  EXPECT_EQ(eta("integrator = \"hermite4-block\"\n"), 0.005);
  EXPECT_EQ(eta("integrator = \"hermite4\"\n"), 0.02);
  EXPECT_EQ(eta("integrator = \"hermite4-block\"\neta = 0.02\n"), 0.02);
  EXPECT_EQ(eta("eta = 0.01\nintegrator = \"hermite4-block\"\n"), 0.01);
}

TEST(Config, SmallFilesAreReadOverTheDefaults) {
  const Options o = parse_config(
      "\xef\xbb\xbf# BOM and CRLF\r\n[time]\r\ndt = 1\r\nt_end = 2.5\r\n\r\n[checkpoint]\r\nevery_steps = "
      "1e6\r\n",
      "run.toml");
  Options expected;
  expected.time.dt = 1;
  expected.time.t_end = 2.5;
  expected.checkpoint.every_steps = 1000000;
  EXPECT_EQ(o, expected);
  EXPECT_EQ(parse_config("time.dt = 0.5\ngravity = {softening = 0.1}", "").gravity.softening, 0.1);
}

struct Refused {
  const char *name, *text, *message;
};
class Refuses : public testing::TestWithParam<Refused> {};
TEST_P(Refuses, AndSaysWhere) {
  const std::string message = refusal_of_text(GetParam().text);
  EXPECT_NE(message.find(GetParam().message), std::string::npos)
      << "expected: " << GetParam().message << "\nactual:   " << message;
}
constexpr Refused refused[] = {
    {"UnknownKey", "[gravity]\nG = 1\nsofetning = 0.1",
     "run.toml:3: no key 'sofetning' in [gravity]; did you mean 'softening'?"},
    {"UnknownSection", "\n[gravty]\nG = 1", "run.toml:2: no section [gravty]; did you mean 'gravity'?"},
    {"KeyOfAnotherSection", "[gravity]\ndt = 1",
     "run.toml:2: no key 'dt' in [gravity]; it belongs to [time]"},
    {"KeyOutsideASection", "dt = 1", "run.toml:1: no key 'dt' outside a section; it belongs to [time]"},
    {"FirstMistakeFirst", "[time]\nzz = 1\n[gravity]\naa = 1", "run.toml:2: no key 'zz' in [time]"},
    {"TextForANumber", "[time]\ndt = \"0.1\"", "run.toml:2: time.dt must be a number, not the text '0.1'"},
    {"NumberForAText", "[engine]\nkernel = 3",
     "run.toml:2: engine.kernel must be text, not the whole number 3"},
    {"NumberForABool", "[time]\nadaptive = 1",
     "run.toml:2: time.adaptive must be true or false, not the whole number 1"},
    {"FractionForAWhole", "[engine]\nthreads = 1.5",
     "run.toml:2: engine.threads must be a whole number, not the number 1.5"},
    {"NumberForAList", "[gravity]\nbox = 1",
     "run.toml:2: gravity.box must be a list of numbers, not the whole number 1"},
    {"TextInAList", "[gravity]\nbox = [1, \"a\", 1]",
     "run.toml:2: gravity.box must be a list of numbers, not the text 'a'"},
    {"ListInAList", "[gravity]\nbox = [[1]]",
     "run.toml:2: gravity.box must be a list of numbers, not a list of lists"},
    {"DateForANumber", "[time]\ndt = 1979-05-27", "run.toml:2: time.dt must be a number, not a date or time"},
    {"ValueForASection", "gravity = 3",
     "run.toml:1: [gravity] is a section; it cannot be the whole number 3"},
    {"ArrayOfSections", "[[gravity]]\nG = 1", "run.toml:1: [gravity] is a section; it cannot be a list"},
    {"SectionInASection", "[gravity.G]\nx = 1", "run.toml:1: gravity.G must be a number, not a section"},
    {"DuplicateKey", "[time]\ndt = 1\ndt = 2", "run.toml:3: not TOML: "},
    {"DuplicateSection", "[time]\ndt = 1\n[time]\neta = 2", "run.toml:3: not TOML: "},
    {"IntegerOverflow", "[checkpoint]\nevery_steps = 9223372036854775808", "run.toml:2: "},
    {"SmallIntegerOverflow", "[engine]\nthreads = 4294967297",
     "run.toml:2: engine.threads must be 0 to 4096, not 4294967297"},
    {"WholeBeyondExact", "[checkpoint]\nevery_steps = 1e17",
     "run.toml:2: checkpoint.every_steps must be a whole number"},
    {"NegativeCount", "[checkpoint]\nevery_steps = -1",
     "run.toml:2: checkpoint.every_steps must be 0 to 2^63 - 1, not -1"},
    {"DoubleOverflow", "[time]\ndt = 1e999", "run.toml:2: "},
    {"Nan", "[time]\ndt = nan", "run.toml:2: time.dt must be > 0, not nan"},
    {"MinusNan", "[gravity]\nsoftening = -nan", "run.toml:2: gravity.softening must be >= 0, not nan"},
    {"Infinity", "[time]\nt_end = -inf", "run.toml:2: time.t_end must be finite, not -inf"},
    {"InfinityInAList", "[gravity]\nbox = [1, 1, inf]",
     "run.toml:2: the values of gravity.box must be > 0, not inf"},
    {"NegativeStep", "[time]\ndt = -0.1", "run.toml:2: time.dt must be > 0, not -0.1"},
    {"NegativeSoftening", "[gravity]\nsoftening = -1", "run.toml:2: gravity.softening must be >= 0, not -1"},
    {"FourDimensions", "[gravity]\ndimension = 4", "run.toml:2: gravity.dimension must be 2 to 3, not 4"},
    {"AlmostAutomatic", "[output]\nbox_size = -0.5",
     "run.toml:2: output.box_size must be -1 or >= 0, not -0.5"},
    {"WrongWord", "[gravity]\nboundary = \"perodic\"",
     "run.toml:2: gravity.boundary must be one of auto, open, periodic, not 'perodic'; did you mean "
     "'periodic'?"},
    {"WrongFormat", "[output]\nsnapshot_format = \"hdf6\"", "did you mean 'hdf5'?"},
    {"WrongProjection", "[output]\nprojection = \"yx\"",
     "run.toml:2: output.projection must be one of xy, xz, yz"},
    {"WrongUnits", "[units]\nsystem = \"galatic\"", "did you mean 'galactic'?"},
    {"WrongPrecision", "[engine]\nprecision = \"f16\"", "did you mean 'f"},
    {"ControlCharacters", "[gravity]\nboundary = \"a\\nb\"", "not 'a\\x0ab'"},
    {"ControlCharactersInAName", "[gravity]\n\"a\\nb\" = 1", "run.toml:2: no key 'a\\x0ab'"},
    {"NulInAText", "[output]\ndirectory = \"a\\u0000b\"", "run.toml:2: output.directory must be UTF-8 text"},
    {"Empty", "", "run.toml: nothing is set in it"},
    {"OnlyComments", "# nothing\n\n", "run.toml: nothing is set in it"},
    {"OnlyASection", "[gravity]\n", "run.toml: nothing is set in it"},
    {"NotToml", "G: 1", "run.toml:1: not TOML: "},
    {"NotUtf8", "[output]\ndirectory = \"\xff\"", "run.toml:2: not TOML: "},
    {"UnclosedString", "[output]\ndirectory = \"a\n", "run.toml:2: not TOML: "},
};
INSTANTIATE_TEST_SUITE_P(Config, Refuses, testing::ValuesIn(refused),
                         [](const auto& row) { return row.param.name; });

TEST(Config, DeepNestingIsRefusedWithoutRecursion) {
  for (const auto& level : {"[", "{a=", "a.", "[[", "\"x\"."}) {
    std::string text = "[time]\ndt = 1\n";
    if (std::string(level) == "[" || std::string(level) == "{a=") text += "eta = ";
    for (int i = 0; i < 100000; ++i) text += level;
    EXPECT_NE(refusal_of_text(text).find("run.toml:3: nested more than 16 deep"), std::string::npos) << level;
  }
  std::string header = "[a";
  for (int i = 0; i < 100000; ++i) header += " . a";
  EXPECT_NE(refusal_of_text(header + "]").find("run.toml:1: nested"), std::string::npos);
  Options o;
  EXPECT_NE(refusal([&] { apply_setting(o, "gravity.box=" + std::string(100000, '[')); }).find("gravity.box"),
            std::string::npos);
}

TEST(Config, BracketsAndDotsInTextsAndCommentsAreNoNesting) {
  const std::string many(1000, '['), dots(1000, '.');
  const Options o = parse_config("# " + many + dots + "\n[output]\ndirectory = \"\\\"" + many + dots +
                                     "\"\n[initial_conditions]\nfile = '''" + many + "\n" + dots +
                                     "''' # \"\"\"\n[gravity]\nbox = [0.1,0.2,0.3, ]\n",
                                 "x");
  EXPECT_EQ(o.output.directory, "\"" + many + dots);
  EXPECT_EQ(o.ic.file, many + "\n" + dots);
  EXPECT_EQ(o.gravity.box, (std::vector{0.1, 0.2, 0.3}));
}

TEST(Config, LongListsAreNoNesting) {
  std::string text = "[output]\nsnapshot_times = [";
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + ".5, ";
  EXPECT_EQ(parse_config(text + "]", "x").output.snapshot_times.size(), 20000U);
}

/// By this process until now.
std::size_t bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string name;
  std::size_t count = 0;
  io >> name >> count;
  EXPECT_EQ(name, "rchar:");
  return count;
}

TEST(Config, HugeFilesAreRefusedBeforeTheyAreRead) {
  const auto file =
      std::filesystem::temp_directory_path() / ("pleiad_config_huge_" + std::to_string(::getpid()) + ".toml");
  std::ofstream(file).put('\n');
  std::filesystem::resize_file(file, 100'000'000);
  const auto before = bytes_read();
  EXPECT_NE(refusal([&] { read_config(file); }).find("100000000 bytes"), std::string::npos);
  EXPECT_LE(bytes_read() - before, 1'000'000U);  // those of /proc/self/io among them
  std::filesystem::remove(file);
  EXPECT_NE(refusal([&] { read_config(file); }).find(file.string()), std::string::npos);
  EXPECT_NE(refusal([&] { read_config(std::filesystem::temp_directory_path()); }).find("regular file"),
            std::string::npos);
}

TEST(Config, SettingsTakeTomlAndBareWords) {
  Options o;
  for (const auto* setting :
       {"gravity.softening=0.1", "time.dt=1e-3", "engine.kernel=cpu/simd", "output.directory=\"a b\"",
        "gravity.box=1,2,3", "initial_conditions.parameters=n=100,a=2", "output.trajectory_ids=[0, 7]",
        "output.movie=true", "initial_conditions.file=it's \\ here.hdf5", "checkpoint.every_steps=1e3",
        "output.snapshot_times=[]"})
    apply_setting(o, setting);
  Options expected;
  expected.gravity.softening = 0.1;
  expected.time.dt = 1e-3;
  expected.engine.kernel = "cpu/simd";
  expected.output.directory = "a b";
  expected.gravity.box = {1, 2, 3};
  expected.ic.parameters = {"n=100", "a=2"};
  expected.output.trajectory_ids = {0, 7};
  expected.output.movie = true;
  expected.ic.file = "it's \\ here.hdf5";
  expected.checkpoint.every_steps = 1000;
  EXPECT_EQ(to_toml(o), to_toml(expected));
}

TEST(Config, BadSettingsAreRefused) {
  const std::pair<const char*, const char*> rows[] = {
      {"gravity.sofetning=0.1",
       "--set gravity.sofetning=0.1: no key 'sofetning' in [gravity]; did you mean 'softening'?"},
      {"gravty.softening=0.1", "--set gravty.softening=0.1: no section [gravty]; did you mean 'gravity'?"},
      {"dt=0.1", "--set dt=0.1: no key 'dt' outside a section; it belongs to [time]"},
      {"time.dt", "--set time.dt: it must be section.key=value"},
      {"", "--set : it must be section.key=value"},
      {"time.dt=", "--set time.dt=: time.dt must be a number, not ''"},
      {"time.dt=abc", "time.dt must be a number, not 'abc'"},
      {"time.dt=-1", "time.dt must be > 0, not -1"},
      {"time.dt=nan", "time.dt must be > 0, not nan"},
      {"time.adaptive=yes", "time.adaptive must be true or false, not 'yes'"},
      {"time.dt=1\n[gravity]\nG=2", "time.dt must be a number, not several lines"},
      {"gravity.boundary=close", "gravity.boundary must be one of auto, open, periodic, not 'close'"},
      {"output.directory=\xff", "output.directory"},
  };
  for (const auto& [setting, message] : rows) {
    Options o;
    const std::string actual = refusal([&] { apply_setting(o, setting); });
    EXPECT_NE(actual.find(message), std::string::npos) << setting << "\nactual: " << actual;
    EXPECT_EQ(o, Options()) << setting << " was refused and has changed something";
  }
}

TEST(Config, TheAccuracyDialGoesTogetherWithWhatItLeavesOpen) {
  for (const auto* settings :
       {"accuracy=1e-3", "method=direct", "method=fmm", "method=fmm order=4 theta=0.5"}) {
    Options o = sound();
    std::istringstream words(settings);
    for (std::string word; words >> word;) apply_setting(o, "solver." + word);
    EXPECT_NO_THROW(check(o)) << settings;
  }
  // Direct sums take over where trees cannot follow.
  Options o = sound();
  o.solver.accuracy = 1e-3, o.gravity.boundary = "periodic", o.gravity.box = {1, 1, 1};
  EXPECT_NO_THROW(check(o));
  o = sound();
  o.solver.accuracy = 1e-3, o.time.integrator = "hermite4";
  EXPECT_NO_THROW(check(o));
  o = sound();
  o.solver.accuracy = 1e-3, o.engine.kernel = "cpu/fmm order=4 theta=0.8";
  EXPECT_NO_THROW(check(o));
}

TEST(Config, KeysThatDoNotGoTogetherAreRefused) {
  check(sound());
  using Spoil = void (*)(Options&);
  const std::pair<Spoil, const char*> rows[] = {
      {[](Options& o) { o.ic.model = ""; }, "initial_conditions.file or initial_conditions.model"},
      {[](Options& o) { o.ic.file = "a"; }, "exclude each other"},
      {[](Options& o) { o.ic.file = "a", o.ic.model = "", o.ic.parameters = {"n=1"}; }, "parameters"},
      {[](Options& o) { o.time.dt = 0; }, "time.dt must be > 0, not 0"},
      {[](Options& o) { o.time.dt = -1; }, "time.dt must be > 0, not -1"},
      {[](Options& o) { o.time.dt = std::nan(""); }, "time.dt must be > 0, not nan"},
      {[](Options& o) { o.time.t_end = INFINITY; }, "time.t_end must be finite, not inf"},
      {[](Options& o) { o.gravity.softening = -1; }, "gravity.softening must be >= 0, not -1"},
      {[](Options& o) { o.gravity.softening = 0, o.time.adaptive = true; }, "needs gravity.softening > 0"},
      {[](Options& o) { o.time.damping = 0.95; }, "euler"},
      {[](Options& o) { o.time.reverse = o.time.adaptive = true; }, "not time-reversible"},
      {[](Options& o) { o.time.integrator = "euler", o.time.damping = 0.9, o.time.reverse = true; },
       "not time-reversible"},
      {[](Options& o) { o.units.system = "custom"; }, "units.length_cm"},
      {[](Options& o) { o.units.mass_g = 1; }, "for units.system = \"custom\""},
      {[](Options& o) {
         o.gravity.box = {1, 1};
       },
       "gravity.box must have 3 sides, or one for all, not 2"},
      {[](Options& o) {
         o.gravity.box = {1, 1, 1}, o.gravity.boundary = "open";
       },
       "gravity.box needs gravity.boundary"},
      {[](Options& o) { o.gravity.boundary = "closed"; }, "one of auto, open, periodic, not 'closed'"},
      {[](Options& o) { o.output.directory = ""; }, "output.directory"},
      {[](Options& o) { o.output.directory = "\xc0\x80"; }, "UTF-8"},
      {[](Options& o) {
         o.output.snapshot_times = {0.5, 0.5};
       },
       "snapshot_times must be strictly increasing"},
      {[](Options& o) { o.output.snapshot_times = {2}; }, "which is after time.t_end"},
      {[](Options& o) { o.output.movie = true, o.output.pictures = false; }, "output.pictures"},
      {[](Options& o) { o.output.print_trajectory = true; }, "trajectory_ids"},
      {[](Options& o) { o.output.trajectory_every = 0; }, "output.trajectory_every must be 1"},
      {[](Options& o) {
         o.output.orbits_every = 1, o.output.orbits_about = {1, 2};
       },
       "it must be one"},
      {[](Options& o) { o.output.orbits_radius = 1; }, "need output.orbits_every"},
      {[](Options& o) { o.output.orbits_about = {1}; }, "need output.orbits_every"},
      {[](Options& o) { o.solver.accuracy = 0.5; }, "solver.accuracy must be 0 to 0.1, not 0.5"},
      {[](Options& o) { o.solver.accuracy = -1e-3; }, "solver.accuracy must be 0 to 0.1"},
      {[](Options& o) { o.solver.accuracy = std::nan(""); }, "solver.accuracy must be 0 to 0.1, not nan"},
      {[](Options& o) { o.solver.method = "fnm"; }, "solver.method must be one of auto, direct"},
      {[](Options& o) { o.solver.mac = "angle"; }, "solver.mac must be one of auto, spheres"},
      {[](Options& o) { o.solver.order = 5; }, "need a tree: set solver.accuracy"},
      {[](Options& o) { o.solver.mac = "error"; }, "need a tree: set solver.accuracy"},
      {[](Options& o) { o.solver.theta = 0.5; }, "need a tree: set solver.accuracy"},
      {[](Options& o) { o.solver.tolerance = 0.1, o.solver.method = "direct"; }, "need a tree"},
      {[](Options& o) { o.solver.leaf_size = 32; }, "need a tree"},
      {[](Options& o) { o.solver.structure = "kd"; }, "need a tree"},
      {[](Options& o) { o.solver.structure = "kdtree"; }, "solver.structure must be one of octree, kd, bvh"},
      {[](Options& o) { o.solver.group_size = 32; }, "need a tree"},
      {[](Options& o) { o.solver.accuracy = 1e-3, o.solver.theta = 0.5, o.solver.tolerance = 0.1; },
       "set only one of them"},
      {[](Options& o) { o.solver.method = "fmm", o.solver.theta = 0.5, o.solver.mac = "error"; },
       "set only one of them"},
      {[](Options& o) { o.solver.method = "fmm", o.solver.tolerance = 0.1, o.solver.mac = "spheres"; },
       "solver.tolerance needs solver.mac = \"error\", not \"spheres\""},
      {[](Options& o) { o.solver.method = "fmm", o.solver.mac = "sides"; },
       "solver.mac = \"sides\" needs solver.method = \"barnes-hut\""},
      {[](Options& o) { o.solver.accuracy = 1e-3, o.solver.mac = "classic"; },
       "solver.mac = \"classic\" needs solver.method = \"barnes-hut\""},
      {[](Options& o) { o.solver.method = "fmm", o.solver.group_size = 8; },
       "solver.group_size needs solver.method"},
      {[](Options& o) { o.gravity.images = "some"; }, "one of auto, nearest, all, not 'some'"},
      {[](Options& o) { o.gravity.images = "all", o.gravity.boundary = "open"; },
       "gravity.images needs gravity.boundary"},
      {[](Options& o) { o.solver.method = "fmm", o.engine.kernel = "cpu/simd"; },
       "both choose the force method"},
      {[](Options& o) { o.solver.accuracy = 1e-3, o.solver.leaf_size = 9, o.engine.kernel = "cpu/fmm"; },
       "both choose the force method"},
      {[](Options& o) { o.solver.accuracy = 1e-3, o.ensemble.count = 2; }, "ensembles use direct sums"},
      {[](Options& o) { o.ensemble.jitter = 0.1; }, "need ensemble.count or ensemble.vary"},
      {[](Options& o) { o.ensemble.count = 2, o.output.picture_interval = 1; }, "have no pictures"},
      {[](Options& o) { o.ensemble.count = 2, o.output.trajectory_ids = {1}; }, "record no trajectories"},
      {[](Options& o) { o.ensemble.count = 2, o.output.orbits_every = 1; }, "record no orbits"},
      {[](Options& o) { o.ensemble.count = 2, o.output.cluster_interval = 1; }, "look at no star clusters"},
      {[](Options& o) { o.stars.mass_loss_interval = 1; }, "needs stars.mass_loss_file"},
      {[](Options& o) {
         o.stars.mass_loss = {1, 0, 1};
       },
       "stars.mass_loss_interval must be > 0"},
      {[](Options& o) {
         o.stars = {.mass_loss_file = "a", .mass_loss = {1, 0, 1}, .mass_loss_interval = 1};
       },
       "set only one of them"},
      {[](Options& o) {
         o.stars = {.mass_loss = {1, 0, 1}, .mass_loss_interval = 1};
         o.encounters.radius = 1, o.encounters.on_collision = "merge";
       },
       "goes by the age of each star"},
      {[](Options& o) {
         o.stars = {.mass_loss = {1, 0, 1}, .mass_loss_interval = 1}, o.time.reverse = true;
       },
       "does not lead back"},
      {[](Options& o) { o.output.cluster_interval = 1, o.gravity.boundary = "periodic"; },
       "is in open space"},
      {[](Options& o) { o.ensemble.count = 2, o.output.snapshot_interval = 1; }, "need ensemble.save"},
      {[](Options& o) { o.ensemble.count = 2, o.checkpoint.every_steps = 1; }, "checkpoint.interval_seconds"},
  };
  for (const auto& [spoil, message] : rows) {
    Options o = sound();
    spoil(o);
    const std::string actual = refusal([&] { check(o); });
    EXPECT_NE(actual.find(message), std::string::npos) << "expected: " << message << "\nactual:   " << actual;
  }
}

TEST(Config, GoodCombinationsAreAccepted) {
  using Change = void (*)(Options&);
  const Change changes[] = {
      [](Options& o) { o.gravity.softening = 0, o.time.adaptive = true, o.time.integrator = "hermite4"; },
      [](Options& o) { o.time.integrator = "euler", o.time.damping = 0.95; },
      [](Options& o) {
        o.units = {"custom", 1, 1, 1};
      },
      [](Options& o) { o.output.movie = true; },
      [](Options& o) { o.output.movie = true, o.output.picture_interval = 0.1; },
      [](Options& o) {
        o.output.snapshot_times = {-1, 0, 1};
      },
      [](Options& o) { o.output.box_size = 0, o.limits.max_energy_error = 0; },
      [](Options& o) { o.output.directory = "\u00e9\u4e2d\U0001F30C"; },
  };
  for (const auto& change : changes) {
    Options o = sound();
    change(o);
    EXPECT_NO_THROW(check(o)) << to_toml(o);
    EXPECT_EQ(parse_config(to_toml(o), "again"), o);
  }
}

TEST(Config, EveryIntegratorIsNamedInItsKey) {
  for (const auto& key : option_keys())
    if (key.key == "integrator") {
      for (const auto* const integrator : integrators())
        EXPECT_NE(key.meaning.find(integrator->name), std::string::npos) << integrator->name;
    }
}

TEST(Config, EveryPrefixAndEveryFlippedByteIsRefusedOrRead) {
  // No crash, no other exception, and whatever is accepted can be written and read again.
  const std::string text = reference_config();
  Random random(2, 0);
  for (int i = 0; i < 3000; ++i) {
    std::string spoilt = text;
    const std::size_t at = random.bits() % text.size();
    if (i % 3 == 0) spoilt.resize(at);
    else spoilt[at] = static_cast<char>(random.bits());
    try {
      const Options o = parse_config(spoilt, "x");
      ASSERT_EQ(parse_config(to_toml(o), "again"), o);
    } catch (const UsageError& error) {
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
}

}  // namespace
